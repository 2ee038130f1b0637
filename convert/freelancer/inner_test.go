package freelancer

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
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
