package freelancer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// TestModelName: which nodes become models of their own, and what these are called.
func TestModelName(t *testing.T) {
	mesh := new(asset.Mesh)
	for _, c := range []struct {
		n          *asset.Node
		root, deep string // as a root, and below one
	}{
		{&asset.Node{Name: "hull"}, "", ""}, {&asset.Node{Name: "$dmg"}, "", ""}, {&asset.Node{Name: "$dmg_wing"}, "dmg_wing", ""}, {&asset.Node{Name: "$DMGx"}, "DMGx", ""},
		{&asset.Node{Name: "dmg_wing"}, "", ""}, {&asset.Node{Name: "$dm_wing"}, "", ""}, {&asset.Node{Name: "$dmg_wing.001"}, "dmg_wing", ""}, {&asset.Node{Name: "$d"}, "", ""},
		{&asset.Node{Name: "$dmg_wing$lod1", Mesh: mesh}, "", ""}, {&asset.Node{Name: "$dmg_wing$lod0", Mesh: mesh}, "dmg_wing$lod0", ""}, {&asset.Node{Name: "$dmg_wing$lod1"}, "dmg_wing$lod1", ""},
		{&asset.Node{Name: "hull", Extras: map[string]any{"export_as": "cap.3db"}}, "cap.3db", "cap.3db"}, {&asset.Node{Name: "$dmg_a", Extras: map[string]any{"export_as": ""}}, "dmg_a", ""},
		{&asset.Node{Name: "hull", Extras: map[string]any{"export_as": 3.0}}, "", ""},
	} {
		if root, deep := modelName(c.n, true), modelName(c.n, false); root != c.root || deep != c.deep {
			t.Errorf("%s %v: %q and %q", c.n.Name, c.n.Extras, root, deep)
		}
	}
}

// TestOwnModels: models of their own leave the scene, but the first root where nothing with a mesh would stay.
func TestOwnModels(t *testing.T) {
	node := func(name string, mesh bool, children ...*asset.Node) *asset.Node {
		n := asset.NewNode(name)
		n.Children = children
		if mesh {
			n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{}}}
		}
		if as, ok := strings.CutPrefix(name, "as "); ok {
			n.Extras = map[string]any{exportAs: as}
		}
		return n
	}
	names := func(list []*asset.Node) (out []string) {
		for _, n := range list {
			out = append(out, n.Name)
		}
		return out
	}
	for _, c := range []struct {
		roots []*asset.Node
		rest  string
		own   string
	}{
		{[]*asset.Node{node("hull", true), node("$dmg_a", true), node("$dmg_b", true)}, "[hull]", "dmg_a dmg_b"},
		{[]*asset.Node{node("$dmg_a", true), node("hull", true)}, "[hull]", "dmg_a"},
		{[]*asset.Node{node("$dmg_a", true), node("lamp", false)}, "[$dmg_a lamp]", ""},
		{[]*asset.Node{node("$dmg_a", true), node("$dmg_b", true)}, "[$dmg_a]", "dmg_b"},
		{[]*asset.Node{node("$dmg_a", true)}, "[$dmg_a]", ""},
		{[]*asset.Node{node("hull", true, node("as cap", true), node("$dmg_c", true))}, "[hull]", "cap"},
		{[]*asset.Node{node("as cap", true, node("as bolt", true))}, "[as cap]", "bolt"},
		{[]*asset.Node{node("lamp", false), node("as cap", true)}, "[lamp]", "cap"},
	} {
		s := &asset.Scene{Roots: c.roots}
		was := names(s.Roots)
		rest, list := ownModels(s)
		var own []string
		for _, m := range list {
			own = append(own, m.name)
		}
		if got := fmt.Sprint(names(rest.Roots)); got != c.rest || strings.Join(own, " ") != c.own {
			t.Errorf("of %v stays %s, and %v are their own", was, got, own)
		}
	}
}

// TestOwnMotions: each model takes the motions of its own nodes along, and animations that move nothing at all; those that move a
// model of its own as a whole, which has no place, are told.
func TestOwnMotions(t *testing.T) {
	hull, wreck, arm := asset.NewNode("hull"), asset.NewNode("$dmg_wreck"), asset.NewNode("arm")
	for _, n := range []*asset.Node{hull, wreck, arm} {
		n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}}
	}
	wreck.Children = []*asset.Node{arm}
	channel := func(n *asset.Node) *asset.Channel {
		return &asset.Channel{Node: n, Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 0, 5, 0}}
	}
	s := &asset.Scene{Name: "ship", Roots: []*asset.Node{hull, wreck}, Meshes: []*asset.Mesh{hull.Mesh, wreck.Mesh, arm.Mesh}, Animations: []*asset.Animation{
		{Name: "all", Channels: []*asset.Channel{channel(hull), channel(arm), channel(wreck)}}, {Name: "arm", Channels: []*asset.Channel{channel(arm)}},
		{Name: "sink", Channels: []*asset.Channel{channel(wreck)}}, {Name: "none"},
		{Name: "still", Channels: []*asset.Channel{{Node: wreck, Path: asset.Translation, Times: []float32{0, 1}, Values: make([]float32, 6)}}},
	}}
	tell := func(list []*asset.Animation) (text string) {
		for _, a := range list {
			text += a.Name
			for _, c := range a.Channels {
				text += " " + c.Node.Name
			}
			text += ", "
		}
		return text
	}
	const all = "all hull arm $dmg_wreck, arm arm, sink $dmg_wreck, none, still $dmg_wreck, "
	rest, list := ownModels(s)
	if got := tell(rest.Animations); got != "all hull, none, " {
		t.Errorf("what stays moves %s", got)
	}
	if len(list) != 1 || tell(list[0].scene.Animations) != "all arm, arm arm, none, " || tell(s.Animations) != all {
		t.Errorf("%d others; the scene of the caller moves %s", len(list), tell(s.Animations))
	}
	d := new(schema.Diagnostics)
	if _, err := lowerModel("cmp", s, &format.Env{Name: "ship.cmp", Output: "ship", Diagnostics: d, Emit: func(string, []byte) error { return nil }}); err != nil {
		t.Fatal(err)
	}
	told := ""
	for _, x := range d.All() {
		if x.Code == "model-moves" {
			told += x.Severity.String() + " " + x.Path + ": " + x.Msg
		}
	}
	if want := "loss dmg_wreck: it is a model of its own, which has no place in its file: that all, sink move it as a whole is left out"; told != want {
		t.Errorf("told %q, want %q", told, want)
	}
}

// TestChannelTimes: frames that do not come after the ones before them, or hold no numbers, are left out and counted.
func TestChannelTimes(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		times []float32
		bad   int // the frame whose position is no number; −1 for none
		want  string
		told  string
	}{
		{[]float32{0, 1, 2}, -1, "[0 1 2]", ""}, {[]float32{0, 1, 1, 2}, -1, "[0 1 2]", "1 frames do not"}, {[]float32{0, 2, 1, 3}, -1, "[0 2 3]", "1 frames do not"}, {[]float32{-1, 0, 1}, -1, "[0 1]", "1 frames do not"},
		{[]float32{nan, 1, inf, 2}, -1, "[1 2]", "2 frames do not"}, {[]float32{0, 1, 2}, 1, "[0 2]", "1 frames do not"}, {[]float32{nan, -1}, -1, "[]", "2 frames do not"}, {[]float32{5}, -1, "[5]", ""},
	} {
		d := new(schema.Diagnostics)
		m := &model{d: d}
		ch := &freelancer.Channel{Interval: -1, Times: c.times, Type: freelancer.ChannelPosition}
		for i := range c.times {
			at := [3]float32{float32(i), 0, 0}
			if i == c.bad {
				at[1] = nan
			}
			ch.Positions = append(ch.Positions, at)
		}
		list := m.channels(&part{name: "wing", node: asset.NewNode("wing")}, &freelancer.AnimationMap{Object: true, Channel: ch})
		times := []float32{}
		for _, x := range list {
			if x.Path == asset.Translation {
				times = x.Times
			}
		}
		told := ""
		for _, x := range d.All() {
			told += x.Msg
		}
		if fmt.Sprint(times) != c.want || (told == "") != (c.told == "") || !strings.HasPrefix(told, c.told) {
			t.Errorf("%v: %v, told %q", c.times, times, told)
		}
	}
}

// TestPartFor: a hardpoint goes onto the part of its name, else onto the first that can hold one, which is told unless it comes
// from a root; where its own model is known it stays in its place.
func TestPartFor(t *testing.T) {
	bare, root, wing := &part{name: "bare"}, &part{name: "Root", content: new(freelancer.Node)}, &part{name: "Wing", content: new(freelancer.Node)}
	frames := map[*part]mgl64.Mat4{root: mgl64.Translate3D(1, 0, 0), wing: mgl64.Translate3D(9, 0, 0)}
	for _, c := range []struct {
		parts []*part
		name  string
		free  bool
		want  *part // nil where it is refused
		at    [3]float32
		told  bool
	}{
		{[]*part{bare, root, wing}, "wing", true, wing, [3]float32{7, 7, 7}, false}, {[]*part{bare, root, wing}, "", true, root, [3]float32{7, 7, 7}, false},
		{[]*part{bare, root, wing}, "tail", false, root, [3]float32{7, 7, 7}, true}, {[]*part{bare, root, wing}, "tail", true, root, [3]float32{4, 0, 0}, true},
		{[]*part{bare, wing}, "root", true, wing, [3]float32{-4, 0, 0}, false}, {[]*part{bare, root}, "bare", false, root, [3]float32{7, 7, 7}, true},
		{[]*part{bare}, "bare", true, nil, [3]float32{7, 7, 7}, false}, {nil, "", true, nil, [3]float32{7, 7, 7}, false},
	} {
		d := new(schema.Diagnostics)
		e := &editor{model: &model{parts: c.parts}, d: d, frames: frames}
		h := &freelancer.Hardpoint{Name: "Hp", Position: [3]float32{7, 7, 7}, Orientation: freelancer.Identity3}
		got, err := e.partFor(&rig.Placed{Part: c.name, Hardpoint: h, At: mgl64.Translate3D(5, 0, 0), Free: c.free})
		if got != c.want || (err == nil) != (c.want != nil) || h.Position != c.at || d.Has("hardpoint-part") != c.told {
			t.Errorf("%q of %d parts: %+v, %v; at %v, told %v", c.name, len(c.parts), got, err, h.Position, d.All())
		}
	}
}

// TestBareMotions: a scene of bare nodes makes a script of what moves and of what is above it; one with shapes or skins is a model's.
func TestBareMotions(t *testing.T) {
	build := func() (s *asset.Scene, leaf *asset.Node) {
		root, arm, hand, still := asset.NewNode("root"), asset.NewNode("arm"), asset.NewNode("hand"), asset.NewNode("still")
		arm.Children, root.Children = []*asset.Node{hand}, []*asset.Node{arm, still}
		return &asset.Scene{Roots: []*asset.Node{root}}, hand
	}
	for _, c := range []struct {
		name   string
		edit   func(s *asset.Scene, hand *asset.Node)
		script bool
	}{
		{"bare nodes that move", func(*asset.Scene, *asset.Node) {}, true},
		{"nothing moves", func(s *asset.Scene, _ *asset.Node) { s.Animations = nil }, false},
		{"a shape", func(s *asset.Scene, hand *asset.Node) { hand.Mesh = new(asset.Mesh) }, false},
		{"a shape before those that are bare", func(s *asset.Scene, _ *asset.Node) { s.Roots[0].Mesh = new(asset.Mesh) }, false},
		{"a skin", func(s *asset.Scene, _ *asset.Node) { s.Skins = []*asset.Skin{{}} }, false},
	} {
		s, hand := build()
		s.Animations = []*asset.Animation{{Name: "wave", Channels: []*asset.Channel{{Node: hand, Path: asset.Rotation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0, 0, 1}}}}}
		c.edit(s, hand)
		script := bareMotions(s)
		if (script != nil) != c.script {
			t.Errorf("%s: %+v", c.name, script)
			continue
		}
		var maps []string
		if script != nil {
			for _, m := range script.Maps {
				maps = append(maps, m.Parent+">"+m.Child)
			}
		}
		if got := strings.Join(maps, " "); c.script && !strings.Contains(got, "arm>hand") || strings.Contains(got, "still") {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestSetSwitch: distances are changed where there are any; a directory without them, or with damaged ones, stays as it is.
func TestSetSwitch(t *testing.T) {
	for _, c := range []struct {
		name   string
		data   []byte // nil for none
		want   string
		failed bool
	}{
		{"two", []byte{0, 0, 0, 0, 0, 0, 128, 63}, "[0 2]", false}, {"none", nil, "[]", false}, {"half of one", []byte{0, 0, 128}, "[]", false},
	} {
		dir := freelancer.NewDir("MultiLevel")
		if c.data != nil {
			dir.Add(&freelancer.Node{Name: "Switch2", Attributes: freelancer.File, Data: c.data})
		}
		err := setSwitch(dir, func(s []float32) []float32 {
			out := slices.Clone(s)
			for i := range out {
				out[i] *= 2
			}
			return out
		})
		ml, err2 := read.MultiLevel(dir)
		if (err != nil) != c.failed || !c.failed && (err2 != nil || fmt.Sprint(ml.Switch) != c.want) || (dir.Child("Switch2") != nil) != (c.data != nil) {
			t.Errorf("%s: %v, %v", c.name, ml, err)
		}
	}
}

// TestUsedMaterials: the materials of what is shown, each once and those that are not to be seen not at all, and the last node
// that shows something without one.
func TestUsedMaterials(t *testing.T) {
	red, blue, unseen := asset.NewMaterial("red"), asset.NewMaterial("blue"), asset.NewMaterial("unseen")
	unseen.Unseen = true
	node := func(name string, list ...*asset.Material) *asset.Node {
		n := asset.NewNode(name)
		n.Mesh = new(asset.Mesh)
		for _, m := range list {
			n.Mesh.Primitives = append(n.Mesh.Primitives, &asset.Primitive{Material: m, Positions: make([][3]float32, 3)})
		}
		return n
	}
	for _, c := range []struct {
		roots      []*asset.Node
		used, bare string
	}{
		{[]*asset.Node{node("a", red, blue), node("b", red)}, "red blue", ""}, {[]*asset.Node{node("a", blue, unseen), node("b", red)}, "blue red", ""},
		{[]*asset.Node{node("a", nil), node("b", red)}, "red", "a"}, {[]*asset.Node{node("a", nil), node("b", red, nil)}, "red", "b"}, {nil, "", ""},
	} {
		used, bare := usedMaterials(&asset.Scene{Roots: c.roots}, false)
		var names []string
		for _, m := range used {
			names = append(names, m.Name)
		}
		name := ""
		if bare != nil {
			name = bare.Name
		}
		if strings.Join(names, " ") != c.used || name != c.bare {
			t.Errorf("%v, bare is %q; want %s, %q", names, name, c.used, c.bare)
		}
	}
}

// TestAxisTurn: a turn about no axis turns nothing.
func TestAxisTurn(t *testing.T) {
	for _, c := range []struct{ axis, want mgl64.Vec3 }{ // where X goes
		{mgl64.Vec3{0, 0, 2}, mgl64.Vec3{0, 1, 0}},
		{mgl64.Vec3{0, -0.5, 0}, mgl64.Vec3{0, 0, 1}},
		{mgl64.Vec3{}, mgl64.Vec3{1, 0, 0}},
		{mgl64.Vec3{1e-12, 0, 0}, mgl64.Vec3{1, 0, 0}},
	} {
		if got := axisTurn(c.axis, math.Pi/2).Rotate(mgl64.Vec3{1, 0, 0}); !(got.Sub(c.want).Len() < 1e-9) { // not a number neither
			t.Errorf("about %v: %v, want %v", c.axis, got, c.want)
		}
	}
}
