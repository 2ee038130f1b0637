package freelancer

import (
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/hull"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestWhatIsAPart: of a scene that came from elsewhere what has a shape, moves, or says how it is joined becomes a part.
func TestWhatIsAPart(t *testing.T) {
	shape := &asset.Mesh{Primitives: []*asset.Primitive{{Mode: asset.Triangles}}}
	for name, c := range map[string]struct {
		format string
		edit   func(n *asset.Node, e *editor)
		want   bool
	}{
		"nothing": {"cmp", func(*asset.Node, *editor) {}, false},
		"a shape": {"cmp", func(n *asset.Node, _ *editor) { n.Mesh = shape }, true},
		"lines alone": {"cmp", func(n *asset.Node, _ *editor) {
			n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Mode: asset.Lines}}}
		}, false},
		"a joint":      {"cmp", func(n *asset.Node, _ *editor) { n.Extras = map[string]any{"construct": "fix"} }, true},
		"other extras": {"cmp", func(n *asset.Node, _ *editor) { n.Extras = map[string]any{"colour": "red"} }, false},
		"a camera":     {"cmp", func(n *asset.Node, _ *editor) { n.Camera = new(asset.Camera) }, true},
		"what moves": {"cmp", func(n *asset.Node, e *editor) {
			e.edited.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: new(asset.Node)}, {Node: n}}}}
		}, true},
		"where others move": {"cmp", func(_ *asset.Node, e *editor) {
			e.edited.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: new(asset.Node)}}}}
		}, false},
		"the root":               {"cmp", func(n *asset.Node, _ *editor) { n.Name, n.Children = "Root", []*asset.Node{{}} }, true},
		"the root of one part":   {"3db", func(n *asset.Node, _ *editor) { n.Name, n.Children = "Root", []*asset.Node{{}} }, false},
		"an empty root":          {"cmp", func(n *asset.Node, _ *editor) { n.Name = "Root" }, false},
		"a root of another name": {"cmp", func(n *asset.Node, _ *editor) { n.Name, n.Children = "Group", []*asset.Node{{}} }, false},
		"a root below another": {"cmp", func(n *asset.Node, e *editor) {
			n.Name, n.Children, e.parentOf[n] = "Root", []*asset.Node{{}}, new(asset.Node)
		}, false},
		"a hull":           {"cmp", func(n *asset.Node, _ *editor) { n.Mesh, n.Name = shape, "Root"+hull.Suffix }, false},
		"a hardpoint":      {"cmp", func(n *asset.Node, _ *editor) { n.Mesh, n.Kind = shape, asset.Hardpoint }, false},
		"what a tool made": {"cmp", func(n *asset.Node, _ *editor) { n.Mesh, n.Name = shape, "Root$PreRotation" }, false},
	} {
		n := asset.NewNode("Thing")
		e := &editor{format: c.format, edited: new(asset.Scene), parentOf: map[*asset.Node]*asset.Node{}}
		c.edit(n, e)
		if got := e.isPart(n); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestLoosenedJoints: a fixed joint becomes the simplest one that allows a motion, with the limits of it.
func TestLoosenedJoints(t *testing.T) {
	turn := func(angle float64, axis mgl64.Vec3) track.Pose {
		return track.Pose{Turn: mgl64.QuatRotate(angle, axis), At: mgl64.Vec3{1, 2, 3}}
	}
	move := func(x, y, z float64) track.Pose {
		return track.Pose{Turn: mgl64.QuatIdent(), At: mgl64.Vec3{1 + x, 2 + y, 3 + z}}
	}
	x, y := mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 1, 0}
	both := turn(0.5, y)
	both.At[0]++
	for name, c := range map[string]struct {
		poses []track.Pose
		kind  freelancer.JointKind
		axis  [3]float32
		limit [2]float32
	}{
		"turns":                {[]track.Pose{turn(0, y), turn(0.5, y), turn(1, y)}, freelancer.Rev, [3]float32{0, 1, 0}, [2]float32{0, 1}},
		"turns both ways":      {[]track.Pose{turn(0.5, y), turn(-0.25, y)}, freelancer.Rev, [3]float32{0, 1, 0}, [2]float32{-0.25, 0.5}},
		"about two axes":       {[]track.Pose{turn(0.5, y), turn(0.5, x)}, freelancer.Loose, [3]float32{}, [2]float32{}},
		"moves":                {[]track.Pose{move(0, 0, 0), move(2, 0, 0), move(4, 0, 0)}, freelancer.Pris, [3]float32{1, 0, 0}, [2]float32{0, 4}},
		"moves to and fro":     {[]track.Pose{move(0, 0, 3), move(0, 0, -1)}, freelancer.Pris, [3]float32{0, 0, 1}, [2]float32{-1, 3}},
		"moves round a corner": {[]track.Pose{move(2, 0, 0), move(2, 1, 0)}, freelancer.Loose, [3]float32{}, [2]float32{}},
		"moves and turns":      {[]track.Pose{both, turn(1, y)}, freelancer.Loose, [3]float32{}, [2]float32{}},
		"does nothing":         {[]track.Pose{move(0, 0, 0)}, freelancer.Loose, [3]float32{}, [2]float32{}},
		"does next to nothing": {[]track.Pose{move(1e-5, 0, 0), turn(1e-5, y)}, freelancer.Loose, [3]float32{}, [2]float32{}},
	} {
		d := new(schema.Diagnostics)
		p := &part{name: "Arm", joint: &freelancer.Joint{Kind: freelancer.Fix, Origin: [3]float32{1, 2, 3}, Rotation: [9]float32{1, 0, 0, 0, 1, 0, 0, 0, 1}}}
		e := &editor{model: new(model), d: d}
		e.loosen(p, c.poses)
		j := p.joint
		if j.Kind != c.kind || !e.changed || !d.Has("joint-loosened") {
			t.Errorf("%s: %v, told %v", name, j.Kind, d.All())
		}
		if c.kind == freelancer.Loose {
			continue
		}
		for k := range c.axis {
			if math.Abs(float64(j.Axis[k]-c.axis[k])) > 1e-5 {
				t.Errorf("%s: axis %v", name, j.Axis)
				break
			}
		}
		if math.Abs(float64(j.Min[0]-c.limit[0])) > 1e-4 || math.Abs(float64(j.Max[0]-c.limit[1])) > 1e-4 {
			t.Errorf("%s: limits %v, %v", name, j.Min[0], j.Max[0])
		}
	}
}

// near finds one file beside an input.
type near struct {
	name string
	b    []byte
	err  error
}

func (n near) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		if strings.EqualFold(name, n.name) {
			return n.b, "/" + name, n.err
		}
	}
	return nil, "", fs.ErrNotExist
}

// TestModelOfACollisionFile: the model beside it is taken where it can be read; where there is none nothing is said, and one that
// cannot be read is told of.
func TestModelOfACollisionFile(t *testing.T) {
	whole := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "crane.cmp"))
	for name, c := range map[string]struct {
		files format.Files
		found bool
		told  string
	}{
		"there":            {near{"crane.cmp", whole, nil}, true, ""},
		"none":             {near{"other.cmp", whole, nil}, false, ""},
		"no tree":          {near{"crane.cmp", []byte("nonsense"), nil}, false, "model-unusable"},
		"cut off":          {near{"crane.3db", whole[:len(whole)/2], nil}, false, "model-unusable"},
		"not to be opened": {near{"crane.cmp", nil, os.ErrPermission}, false, "model-unusable"},
	} {
		d := new(schema.Diagnostics)
		m := modelBeside(&format.Env{Name: "crane.sur", Files: c.files, Diagnostics: d})
		told := ""
		for _, x := range d.All() {
			told += x.Code
		}
		if (m != nil) != c.found || told != c.told {
			t.Errorf("%s: %v, told %v", name, m != nil, d.All())
		}
		if m != nil && (len(m.parts) < 2 || m.d != d) {
			t.Errorf("%s: %d parts", name, len(m.parts))
		}
	}
	if m := modelBeside(&format.Env{Files: near{".cmp", whole, nil}}); m != nil {
		t.Error("what has no name has a model")
	}
}
