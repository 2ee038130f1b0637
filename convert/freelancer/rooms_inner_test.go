package freelancer

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// TestKindOfTree: which model a file is, by what lies in it.
func TestKindOfTree(t *testing.T) {
	for _, c := range []struct{ has, want string }{
		{"", "3db"}, {"VMeshPart", "3db"}, {"VMeshLibrary", "vms"}, {"VMeshLibrary VMeshPart", "3db"}, {"VMeshLibrary MultiLevel", "3db"}, {"VMeshLibrary Hardpoints", "3db"},
		{"Cmpnd", "cmp"}, {"VMeshLibrary Cmpnd", "cmp"}, {"Sphere", "sph"}, {"Skeleton", "dfm"}, {"MultiLevel/Mesh0", "dfm"}, {"MultiLevel/Level0", "3db"}, {"Skeleton Cmpnd", "dfm"},
	} {
		tree := freelancer.NewTree()
		for _, path := range strings.Fields(c.has) {
			n := tree.Root
			for _, name := range strings.Split(path, "/") {
				n = n.Dir(name)
			}
		}
		if got := kindOfTree(tree.Root); got != c.want {
			t.Errorf("%s: %s, want %s", c.has, got, c.want)
		}
	}
}

// TestLevelsOfOwnModels: the levels of detail of a model of its own go with it, to where it stands; others stay.
func TestLevelsOfOwnModels(t *testing.T) {
	mesh := new(asset.Mesh)
	root := &asset.Node{Name: "DMG_wing", Mesh: mesh}
	root.Transform.Translation = [3]float32{1, 2, 3}
	s := &asset.Scene{}
	for _, name := range []string{"$dmg_wing$lod1", "dmg_wing$lod2", "$dmg_tail$lod1", "hull", "hull$lod1"} {
		s.Roots = append(s.Roots, &asset.Node{Name: name, Mesh: mesh})
	}
	x := &ownModel{scene: &asset.Scene{Roots: []*asset.Node{root}}}
	x.takeLevels(s)
	var taken, left []string
	for _, n := range x.scene.Roots[1:] {
		if taken = append(taken, n.Name); n.Transform != root.Transform {
			t.Errorf("%s stands at %v", n.Name, n.Transform)
		}
	}
	for _, n := range s.Roots {
		left = append(left, n.Name)
	}
	if got := fmt.Sprint(taken, left); got != "[dmg_wing$lod1 dmg_wing$lod2] [$dmg_tail$lod1 hull hull$lod1]" {
		t.Errorf("taken and left: %s", got)
	}
}

// TestHullModel: what the parts of a collision file are called where its model is not at hand.
func TestHullModel(t *testing.T) {
	root, wing := freelancer.Hash(freelancer.FLCRC("Root")), freelancer.Hash(freelancer.FLCRC("wing"))
	s := &freelancer.Sur{Parts: []*freelancer.SurPart{{ID: wing}, {ID: root}, {ID: 0}}, Old: &freelancer.OldSur{Parts: []freelancer.OldSurPart{{Name: "fin"}, {}}}}
	m := hullModel(s, (&format.Env{Name: "ship.sur"}).Given())
	var names []string
	for _, p := range m.parts {
		if names = append(names, p.name); p.node.Name != p.name {
			t.Errorf("%s is shown as %s", p.name, p.node.Name)
		}
	}
	if got := strings.Join(names, " "); got != wing.String()+" Root Root fin Root" || m.scene.Name != "ship" || len(m.scene.Roots) != 5 || m.parts[0].crc != wing {
		t.Errorf("%s: %s", m.scene.Name, got)
	}
}

// TestDrive: what a pose adds to a joint; a part without one, and one that moves as an object, is where the pose says.
func TestDrive(t *testing.T) {
	half := math.Sqrt2 / 2
	turn := mgl64.Quat{W: half, V: mgl64.Vec3{0, 0, half}} // a quarter about z
	x := &track.Pose{At: mgl64.Vec3{5, 6, 7}, Turn: turn}
	j := &freelancer.Joint{Kind: freelancer.Rev, Rotation: freelancer.Identity3, Origin: [3]float32{1, 2, 3}, Offset: [3]float32{2, 0, 0}}
	for _, c := range []struct {
		name   string
		j      *freelancer.Joint
		object bool
		want   mgl64.Vec3
	}{{"no joint", nil, false, x.At}, {"an object", j, true, x.At}, {"a joint", j, false, mgl64.Vec3{4, 6, 4}}} {
		at, q := drive(c.j, &freelancer.AnimationMap{Object: c.object}, x)
		if at.Sub(c.want).Len() > 1e-9 || q.Sub(turn).Len() > 1e-9 {
			t.Errorf("%s: %v, %v, want %v", c.name, at, q, c.want)
		}
	}
}

// TestLimitsOfJoints: a motion that takes a part from its joint is told of, and once; joints that allow it say nothing.
func TestLimitsOfJoints(t *testing.T) {
	for _, c := range []struct {
		kind   freelancer.JointKind
		object bool
		away   float64
		told   bool
	}{
		{freelancer.Rev, false, 0, false}, {freelancer.Rev, false, 0.0009, false}, {freelancer.Rev, false, 0.0015, true}, {freelancer.Rev, false, 3, true}, {freelancer.Rev, true, 3, false},
		{freelancer.Loose, false, 3, false}, {freelancer.Pris, false, 3, false}, {freelancer.Cyl, false, 3, false}, {freelancer.Sphere, false, 3, true},
	} {
		d := new(schema.Diagnostics)
		e := &editor{d: d}
		j := &freelancer.Joint{Kind: c.kind, Rotation: freelancer.Identity3, Offset: [3]float32{0.5, 0, 0}}
		pose := track.Pose{At: mgl64.Vec3{-0.5, c.away, 0}, Turn: mgl64.QuatIdent()}
		got := e.reportLimits(&part{name: "wing", joint: j}, &freelancer.AnimationMap{Object: c.object}, "fold", []track.Pose{pose, pose})
		if got != c.told || d.Count("animation-place") != map[bool]int{true: 1}[c.told] {
			t.Errorf("%v %v, %v away: %v, told %v", c.kind, c.object, c.away, got, d.All())
		}
	}
	if (&editor{}).reportLimits(&part{}, &freelancer.AnimationMap{}, "fold", []track.Pose{{At: mgl64.Vec3{9, 9, 9}, Turn: mgl64.QuatIdent()}}) {
		t.Error("a part without a joint has limits")
	}
}

// TestRanges: the distances that records name are those of the part with the most levels of detail.
func TestRanges(t *testing.T) {
	levels := func(list ...float32) *part {
		p := &part{content: &freelancer.Node{Name: "part"}}
		if list != nil {
			write.MultiLevel(p.content.Dir("MultiLevel"), &freelancer.MultiLevel{Switch: list})
		}
		return p
	}
	for _, c := range []struct {
		parts []*part
		want  string
	}{
		{nil, "0, 999999"}, {[]*part{levels()}, "0, 999999"}, {[]*part{levels(0, 50.5, 1e6)}, "0, 50.5, 999999"},
		{[]*part{levels(0, 10, 20), levels(0, 30, 40, 50), levels(0, 60, 70, 80)}, "0, 30, 40, 50"},
	} {
		if got, err := (&model{parts: c.parts}).ranges(); err != nil || got != c.want {
			t.Errorf("%d parts: %s, %v, want %s", len(c.parts), got, err, c.want)
		}
	}
}

// TestDistancesOfLevels: from where on levels are drawn: a hundred, then ten times as far as long as that is in sight, then half of
// the way that is left, or what is asked for.
func TestDistancesOfLevels(t *testing.T) {
	of := func(given ...float64) *editor {
		return &editor{d: new(schema.Diagnostics), model: &model{env: &format.Env{Options: format.Options{LODDistances: given}}}}
	}
	for level, want := range []float32{100, 1000, 10000, 100000, 550000, 775000, 887500} {
		if got := of().distance(level); got != want {
			t.Errorf("level %d: %v, want %v", level, got, want)
		}
	}
	if got := []float32{of(7, 30).distance(1), of(7, 30).distance(2)}; !slices.Equal(got, []float32{30, 10000}) {
		t.Errorf("%v", got)
	}
	for _, c := range []struct {
		before []float32
		level  int
		given  []float64
		want   []float32
	}{
		{[]float32{0, 1e6}, 1, nil, []float32{0, 100, 1e6}}, {[]float32{0, 100, 1e6}, 2, nil, []float32{0, 100, 1000, 1e6}}, {[]float32{0, 1000, 1e6}, 2, nil, []float32{0, 1000, 10000, 1e6}}, {[]float32{0, 5000, 1e6}, 2, nil, []float32{0, 5000, 50000, 1e6}},
		{[]float32{0, 2e5, 1e6}, 2, nil, []float32{0, 2e5, 6e5, 1e6}}, {[]float32{0, 1e5, 1e6}, 2, nil, []float32{0, 1e5, 5.5e5, 1e6}}, {[]float32{0, 50}, 1, nil, []float32{0, 50, 1e6}}, {[]float32{0, 1e6}, 2, nil, []float32{0, 1e6}}, {nil, 1, nil, nil},
		{[]float32{0, 1e6}, 1, []float64{70}, []float32{0, 70, 1e6}}, {[]float32{0, 1e6}, 1, []float64{1e6}, []float32{0, 5e5, 1e6}}, {[]float32{0, 70, 1e6}, 2, []float64{70, 70}, []float32{0, 70, 700, 1e6}},
	} {
		if got := of(c.given...).extendSwitch(slices.Clone(c.before), c.level); !slices.Equal(got, c.want) {
			t.Errorf("%v at %d: %v, want %v", c.before, c.level, got, c.want)
		}
	}
	for _, c := range []struct {
		before []float32
		given  []float64
		want   []float32
		told   string
	}{
		{[]float32{0, 9, 20, 90}, []float64{50}, []float32{0, 50, 500, 1e6}, ""}, {[]float32{0, 9, 50, 90}, []float64{50}, []float32{0, 50, 500, 1e6}, ""}, {[]float32{0, 9, 51, 90}, []float64{50}, []float32{0, 50, 51, 1e6}, ""},
		{nil, []float64{50}, nil, "it has 0 lower levels"}, {[]float32{0, 9, 90}, []float64{5e5}, []float32{0, 5e5, 5e6}, ""}, {[]float32{0, 9, 90}, []float64{50, 70}, []float32{0, 50, 1e6}, "it has 1 lower levels"}, {[]float32{0, 90}, []float64{50}, []float32{0, 1e6}, "it has 0 lower levels"}, {[]float32{0, 9, 90}, nil, []float32{0, 9, 90}, ""},
	} {
		e := of(c.given...)
		p := &part{name: "wing", content: freelancer.NewDir("wing.3db")}
		write.MultiLevel(p.content.Dir("MultiLevel"), &freelancer.MultiLevel{Switch: c.before})
		if err := e.askedSwitch(p); err != nil {
			t.Fatal(err)
		}
		ml, err := read.MultiLevel(p.content.Child("MultiLevel"))
		if all := e.d.All(); err != nil || !slices.Equal(ml.Switch, c.want) || len(all) > 0 != (c.told != "") || c.told != "" && !strings.HasPrefix(all[0].Msg, c.told) {
			t.Errorf("%v, asked %v: %v, told %v, want %v", c.before, c.given, ml.Switch, all, c.want)
		}
	}
}

// TestFramesShown: frames that do not come after the ones before them, or hold no numbers, are left out, and an angle goes on from
// those that are not.
func TestFramesShown(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		times, angles []float32
		want          string // keys: times, and angles in degrees
		told          int
	}{
		{[]float32{0, 1, 2}, []float32{0, 0.5, 1}, "0:0 1:29 2:57", 0}, {[]float32{1, 1, 2}, []float32{0, 0.5, 1}, "1:0 2:57", 1}, {[]float32{0.5, 1}, []float32{0, 0.5}, "0.5:0 1:29", 0}, {[]float32{-1, 0, nan, 1}, []float32{1, 0, 1, 0.5}, "0:0 1:29", 1},
		{[]float32{0, 1}, []float32{0, 3}, "0:0 0.5:86 1:172", 0}, {[]float32{0, 0.5, 1}, []float32{0, nan, 3}, "0:0 0.5:86 1:172", 1}, {[]float32{0, 0, 1}, []float32{0, -3, 3}, "0:0 0.5:86 1:172", 1}, {[]float32{0}, []float32{nan}, "", 1},
	} {
		m := &model{d: new(schema.Diagnostics)}
		p := &part{name: "wing", node: asset.NewNode("wing"), joint: &freelancer.Joint{Kind: freelancer.Rev, Rotation: freelancer.Identity3, Axis: [3]float32{0, 0, 1}}}
		got := ""
		for _, ch := range m.channels(p, &freelancer.AnimationMap{Channel: &freelancer.Channel{Count: uint32(len(c.times)), Interval: -1, Type: freelancer.ChannelScalar, Times: c.times, Scalars: c.angles}}) {
			for i, at := range ch.Times {
				got += fmt.Sprintf(" %g:%.0f", at, 2*math.Atan2(float64(ch.Values[4*i+2]), float64(ch.Values[4*i+3]))*180/math.Pi)
			}
		}
		if strings.TrimSpace(got) != c.want || m.d.Count("animation-times") != c.told {
			t.Errorf("%v of %v: %s, told %v, want %s", c.angles, c.times, got, m.d.All(), c.want)
		}
	}
}

// TestShared: whether another reference draws vertices of a level, and whether a node is a level of another.
func TestShared(t *testing.T) {
	one, two := new(library.Mesh), new(library.Mesh)
	l := &level{mesh: one, ref: &freelancer.VMeshRef{VertexStart: 10, VertexCount: 5, GroupCount: 1}}
	for _, c := range []struct {
		mesh         *library.Mesh
		start, count uint16
		groups       uint16
		want         bool
	}{{one, 5, 5, 1, false}, {one, 5, 6, 1, true}, {one, 15, 5, 1, false}, {one, 14, 5, 1, true}, {one, 0, 99, 1, true}, {two, 0, 99, 1, false}, {one, 0, 99, 0, false}} {
		other := &level{mesh: c.mesh, ref: &freelancer.VMeshRef{VertexStart: c.start, VertexCount: c.count, GroupCount: c.groups}}
		e := &editor{model: &model{parts: []*part{{levels: []*level{l, {mesh: one}, other}}}}}
		if e.shared(l) != c.want {
			t.Errorf("%d vertices from %d on: %v", c.count, c.start, !c.want)
		}
	}
	low, near := asset.NewNode("low"), asset.NewNode("near")
	near.LODs = []*asset.Node{low}
	e := &editor{edited: &asset.Scene{Roots: []*asset.Node{near, low, asset.NewNode("x")}}}
	if !e.isLevel(low) || !e.isLevel(asset.NewNode("x$lod1")) || e.isLevel(near) || e.isLevel(e.edited.Roots[2]) {
		t.Error("levels are none, or others are")
	}
	for _, am := range []*freelancer.AnimationMap{{}, {Channel: new(freelancer.Channel)}} { // nothing says how it moved
		if e.editFrames(&part{node: low}, am, low, nil, new(track.Track)) {
			t.Error("frames of nothing are edited")
		}
	}
	m := &model{d: new(schema.Diagnostics)}
	if a := m.liftScript(&freelancer.Script{Maps: []*freelancer.AnimationMap{{Child: "wing"}, {Child: "wing", Channel: new(freelancer.Channel)}}}); len(a.asset.Channels) > 0 || len(m.d.All()) > 0 {
		t.Errorf("a script of no frames moves something: %v", m.d.All())
	}
}

// TestSetFrame: an edited frame has the angle that is nearest to the one that it had beyond half a turn, and any distance.
func TestSetFrame(t *testing.T) {
	for _, c := range []struct {
		kind      freelancer.JointKind
		was, turn float64
		want      float32
	}{{freelancer.Rev, 3, -3, -3}, {freelancer.Rev, 6, -3, 2*math.Pi - 3}, {freelancer.Rev, -6, 3, 3 - 2*math.Pi}, {freelancer.Rev, 1, 2, 2}, {freelancer.Pris, 1, 30, 30}, {freelancer.Pris, 40, 30, 30}} {
		ch := &freelancer.Channel{Count: 1, Type: freelancer.ChannelScalar, Scalars: []float32{float32(c.was)}}
		j := &freelancer.Joint{Kind: c.kind, Rotation: freelancer.Identity3, Axis: [3]float32{0, 0, 1}}
		x := &track.Pose{Turn: mgl64.QuatRotate(c.turn, mgl64.Vec3{0, 0, 1})}
		if c.kind == freelancer.Pris {
			x = &track.Pose{At: mgl64.Vec3{0, 0, c.turn}, Turn: mgl64.QuatIdent()}
		}
		if setFrame(ch, j, &freelancer.AnimationMap{}, 0, x); math.Abs(float64(ch.Scalars[0]-c.want)) > 1e-5 {
			t.Errorf("%v from %v to %v: %v, want %v", c.kind, c.was, c.turn, ch.Scalars[0], c.want)
		}
	}
}

// TestBoneOfNothing: a bone that hangs on nothing any more has no joint, and the others keep theirs; a scene without bones is a
// skeleton of none.
func TestBoneOfNothing(t *testing.T) {
	bone := func(name string) *part {
		return &part{name: name, def: &freelancer.Part{Object: name}, node: asset.NewNode(name)}
	}
	root, hand, foot := bone("root"), bone("hand"), bone("foot")
	e := &editor{model: &model{parts: []*part{root, hand, foot}, compound: &freelancer.Compound{Joints: []freelancer.Joint{{Child: freelancer.PartName{Name: "hand"}}, {Child: freelancer.PartName{Name: "foot"}}}}}, format: "dfm", nodeOf: map[*part]*asset.Node{}}
	for i, p := range []*part{hand, foot} {
		p.parent, p.joint = root, &e.compound.Joints[i]
		e.nodeOf[p] = asset.NewNode(p.name)
	}
	e.lowerJoint(hand)
	if hand.joint != nil || len(e.compound.Joints) != 1 || foot.joint != &e.compound.Joints[0] || foot.joint.Child.Name != "foot" || !e.changed {
		t.Errorf("%+v, %+v", hand.joint, e.compound.Joints)
	}
	for _, moved := range []bool{false, true} { // the joint of a first bone holds it in the world
		e := &editor{model: &model{parts: []*part{root}, compound: &freelancer.Compound{}}, format: "dfm", size: 2, nodeOf: map[*part]*asset.Node{root: asset.NewNode("root")}}
		if root.joint = (&freelancer.Joint{Rotation: freelancer.Identity3}); moved {
			e.nodeOf[root].Transform.Translation = [3]float32{1, 2, 3}
		}
		if e.lowerJoint(root); e.changed != moved || root.joint.Origin != e.nodeOf[root].Transform.Translation {
			t.Errorf("moved %v: the joint is at %v", moved, root.joint.Origin)
		}
	}
	hand.joint, foot.joint = &freelancer.Joint{Kind: freelancer.Rev, Axis: [3]float32{0, 1, 0}}, &freelancer.Joint{}
	for name, want := range map[string]string{"HAND.001": "rev", "hand": "", "foot.001": "", "root.002": "", "nobody.001": ""} {
		e.d = new(schema.Diagnostics)
		e.parts = []*part{root, foot, hand}
		root.fresh = true
		n := asset.NewNode(name)
		kind, _ := e.copied(n)["construct"].(string)
		n.Extras = map[string]any{"construct": "pris"}
		if kind != want || e.d.Has("joint-copied") != (want != "") || e.copied(n) != nil {
			t.Errorf("%s moves as %q, told %v", name, kind, e.d.All())
		}
	}
	for _, stored := range []*asset.Channel{nil, {}} {
		for _, same := range []bool{false, true} {
			if got := editedAt(stored, nil, func(float64) bool { return same })(1); got != (stored != nil && !same) {
				t.Errorf("a curve that is gone, the same %v: edited %v", same, got)
			}
		}
	}
	curve := &asset.Channel{Path: asset.Rotation, Times: []float32{0, 0.03125, 0.0625, 0.09375}, Values: make([]float32, 16)} // keys of a program that makes one a frame
	for at, want := range map[float64]bool{0: false, 0.5: false, 1.5: true, 2: true, 2.5: true} {                             // the third key is another one
		if got := editedAt(&asset.Channel{}, curve, func(t float64) bool { return t != 0.0625 })(at / 32); got != want {
			t.Errorf("at %v: edited %v", at, got)
		}
	}
	if got := editedAt(&asset.Channel{}, curve, func(t float64) bool { return t != 0.09375 }); !got(2.5/32) || !got(3.0/32) || got(1.5/32) {
		t.Error("an edit of the last key")
	}
	made := &editor{model: &model{tree: freelancer.NewTree()}}
	for _, want := range []string{"wing.3db", "wing_2.3db", "wing_3.3db"} {
		if p := made.newPart("wing", fragment); p.content.Name != want || p.def.File != want || int(p.def.Index) != len(made.parts)-1 || !p.fresh {
			t.Errorf("%+v, want %s", p.def, want)
		}
	}
	if !e.isSkeleton(nil) || (&editor{format: "cmp"}).isSkeleton(nil) {
		t.Error("no bones")
	}
	for _, name := range []string{"3db", "cmp"} { // in either a file of one part is one
		d, box := new(schema.Diagnostics), asset.NewNode("box")
		box.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Mode: asset.Triangles}}}
		e := &editor{format: name, model: &model{parts: []*part{root}}, d: d, edited: &asset.Scene{Roots: []*asset.Node{box}}}
		if err := e.addParts(); err != nil || len(e.parts) != 1 || d.Count("parts-left-out") != 1 {
			t.Errorf("%s: %d parts, told %v, %v", name, len(e.parts), d.All(), err)
		}
	}
}

type libraryFile struct {
	name string
	b    []byte
}

func (f libraryFile) Find(names ...string) ([]byte, string, error) {
	for _, n := range names {
		if n == f.name {
			return f.b, n, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// TestTellLeft: what a new library lacks of the one whose place it takes is counted.
func TestTellLeft(t *testing.T) {
	tree := func(materials, textures string) *freelancer.Tree {
		x := freelancer.NewTree()
		for kind, names := range map[string]string{freelancer.MaterialLibrary: materials, freelancer.TextureLibrary: textures} {
			for _, name := range strings.Fields(names) {
				x.Root.Dir(kind).Dir(name)
			}
		}
		return x
	}
	b, err := write.UTF(tree("wood steel", "bark rust"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		made   *freelancer.Tree
		output string
		file   libraryFile
		want   string
	}{
		{tree("wood", "bark"), "ship", libraryFile{"ship.mat", b}, "it has 2 materials and textures that are not in the one made here"},
		{tree("wood steel", ""), "ship", libraryFile{"ship.mat", b}, "it has 2 materials and textures"},
		{tree("wood steel glass", "bark rust"), "ship", libraryFile{"ship.mat", b}, ""},
		{tree("", ""), "ship", libraryFile{"other.mat", b}, ""},
		{tree("", ""), "", libraryFile{".mat", b}, ""},
		{tree("", ""), "ship", libraryFile{"ship.mat", []byte("none")}, ""},
	} {
		d := new(schema.Diagnostics)
		env := &format.Env{Output: c.output, Files: c.file, Diagnostics: d}
		gather := gatherer("mat", freelancer.MaterialLibrary, freelancer.TextureLibrary)
		if _, err := gather(nil, env); schema.Class(err) != schema.ErrUnsupported {
			t.Errorf("of nothing: %v", err)
		}
		if c.output == "ship" && c.file.name == "ship.mat" && len(c.file.b) > 4 && d.Count("library-left") != 1 {
			t.Errorf("of nothing: told %v", d.All())
		}
		d = new(schema.Diagnostics)
		env.Diagnostics = d
		tellLeft("mat", c.made, env)
		if all := d.All(); (len(all) > 0) != (c.want != "") || c.want != "" && !strings.Contains(all[0].Msg, c.want) {
			t.Errorf("%s beside %s: told %v, want %q", c.output, c.file.name, all, c.want)
		}
	}
	tellLeft("mat", tree("", ""), nil)
}

// TestMaterialsOfLevels: where it is asked for, materials of levels of detail come right behind those of the node whose they are.
func TestMaterialsOfLevels(t *testing.T) {
	node := func(name string) *asset.Node {
		n := asset.NewNode(name)
		n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Material: asset.NewMaterial(name), Positions: make([][3]float32, 3)}}}
		return n
	}
	hull := node("hull")
	hull.Children, hull.LODs = []*asset.Node{node("wing")}, []*asset.Node{asset.NewNode("nothing"), node("far")}
	for together, want := range map[bool]string{false: "hull wing far", true: "hull far wing"} {
		used, _ := usedMaterials(&asset.Scene{Roots: []*asset.Node{hull}}, together)
		var names []string
		for _, m := range used {
			names = append(names, m.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("together %v: %s, want %s", together, got, want)
		}
	}
}

// TestOwnModelsTold: what becomes of models of their own that nothing takes, that move, and that have one name.
func TestOwnModelsTold(t *testing.T) {
	model := func(name string, moved ...string) ownModel {
		n := asset.NewNode(name)
		n.Mesh = &asset.Mesh{Name: name, Primitives: []*asset.Primitive{{Positions: [][3]float32{{}, {1, 0, 0}, {0, 1, 0}}, Normals: [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}}}}
		return ownModel{name: name, format: "3db", scene: &asset.Scene{Name: name, Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}}, moved: moved}
	}
	for _, c := range []struct {
		name    string
		list    []ownModel
		emits   bool
		written string
		told    string
		class   error
	}{
		{"nobody takes it", []ownModel{model("cap", "run")}, false, "", "model-left-out", nil},
		{"it stands still", []ownModel{model("cap")}, true, "cap.3db", "", nil},
		{"one animation moves it", []ownModel{model("cap", "run")}, true, "cap.3db", "model-moves", nil},
		{"two move it", []ownModel{model("cap", "run", "walk")}, true, "cap.3db", "model-moves", nil},
		{"two of them", []ownModel{model("cap"), model("fin")}, true, "cap.3db fin.3db", "", nil},
		{"two of one name", []ownModel{model("cap"), model("CAP")}, true, "", "", schema.ErrMismatch},
		{"the name of the model", []ownModel{model("Ship")}, true, "", "", schema.ErrMismatch},
	} {
		d := new(schema.Diagnostics)
		env := (&format.Env{Name: "ship.glb", Output: "ship", Diagnostics: d}).Given()
		var written, told []string
		if c.emits {
			env.Emit = func(name string, _ []byte) error { written = append(written, name); return nil }
		}
		_, err := lowerOwnModels(c.list, env, nil)
		for _, x := range d.All() {
			if strings.HasPrefix(x.Code, "model-") {
				told = append(told, x.Code)
			}
		}
		if schema.Class(err) != c.class || c.class == nil && strings.Join(written, " ") != c.written || strings.Join(told, " ") != c.told {
			t.Errorf("%s: %v, written %v, told %v", c.name, err, written, d.All())
		}
	}
}

// TestOwnHardpoints: a hardpoint is found by its name in any letters, that of the part first, and each once.
func TestOwnHardpoints(t *testing.T) {
	point := func(of, name string, used bool) *ownHardpoint {
		return &ownHardpoint{p: &part{name: of}, h: &freelancer.Hardpoint{Name: name}, used: used}
	}
	a, b, c := point("hull", "HpGun", false), point("wing", "HpGun", false), point("tail", "HpGun", false)
	o := &ownHardpoints{byName: map[string][]*ownHardpoint{"hpgun": {a, b, c}}}
	for i, x := range []struct {
		part string
		used []*ownHardpoint
		want *ownHardpoint
	}{
		{"wing", nil, b}, {"WING", nil, b}, {"nose", nil, a}, {"wing", []*ownHardpoint{b}, a}, {"nose", []*ownHardpoint{a}, b}, {"hull", []*ownHardpoint{a, b}, c}, {"hull", []*ownHardpoint{a, b, c}, nil},
	} {
		for _, y := range []*ownHardpoint{a, b, c} {
			y.used = slices.Contains(x.used, y)
		}
		if got := o.find(x.part, "HPGUN"); got != x.want {
			t.Errorf("%d: on %s is %+v", i, x.part, got)
		}
		if got := o.stored(x.part, "hpGun"); (got == nil) != (x.want == nil) || got != nil && got != x.want.h {
			t.Errorf("%d: stored on %s is %+v", i, x.part, got)
		}
	}
	if o.find("hull", "HpOther") != nil || o.stored("hull", "HpOther") != nil {
		t.Error("what is not there is found")
	}
}

// TestHolder: a hardpoint is on the part that its node belongs to, on the first one where that is none, and where it was when
// those have no place for it.
func TestHolder(t *testing.T) {
	full := func(name string) *part { return &part{name: name, content: &freelancer.Node{Name: name}} }
	root, wing, bare, was := full("root"), full("wing"), &part{name: "bare"}, full("was")
	node, on, below, stray := &asset.Node{}, &asset.Node{}, &asset.Node{}, &asset.Node{}
	for _, c := range []struct {
		name   string
		format string
		first  *part
		of     *part // what the node above belongs to
		n      *asset.Node
		want   *part
	}{
		{"on a part", "cmp", root, wing, on, wing}, {"below it", "cmp", root, wing, below, wing}, {"on none", "cmp", root, wing, stray, root}, {"on one without a file", "cmp", root, bare, on, was},
		{"on none, and the first has no file", "cmp", bare, wing, stray, was}, {"a character", "dfm", root, wing, on, was}, {"no compound", "", root, wing, on, was},
	} {
		e := &editor{model: &model{parts: []*part{c.first, wing}}, format: c.format, partOf: map[*asset.Node]*part{on: c.of}, parentOf: map[*asset.Node]*asset.Node{below: node, node: on}}
		if c.format != "" {
			e.compound = &freelancer.Compound{}
		} else {
			e.format = "cmp"
		}
		if got := e.holder(c.n, was); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.name, c.want.name)
		}
	}
}
