package restore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestJoinPieces: which children are pieces of one mesh, and what of them it takes.
func TestJoinPieces(t *testing.T) {
	bone := asset.NewNode("bone")
	skin := func(x float64) *asset.Skin {
		return &asset.Skin{Joints: []*asset.Node{bone}, InverseBind: [][16]float32{scene.NarrowMatrix(mgl64.Translate3D(x, 0, 0))}}
	}
	for name, c := range map[string]struct {
		names string
		edit  func(n *asset.Node)
		want  string // of the children that are left; the mesh's name and number of primitives
	}{
		"two":                   {"a_1 a_2", nil, "|a 2"},
		"one":                   {"a_1", nil, "a_1"},
		"one and another":       {"a_1 b", nil, "a_1 b"},
		"two and another":       {"x a_1 b a_2", nil, "x b|a 2"},
		"two of each":           {"a_1 b_1 a_2 b_2", nil, "b_1 b_2|a 2"},
		"the first is no piece": {"x a_1 a_2", nil, "x|a 2"},
		"two, not known":        {"a_1 a_2", func(n *asset.Node) { n.Native = nil }, "|a 2"},
		"others, not known":     {"a_1 a_2 b", func(n *asset.Node) { n.Native = nil }, "a_1 a_2 b"},
		"a mesh of its own":     {"a_1 a_2", func(n *asset.Node) { n.Mesh = &asset.Mesh{Name: "own"} }, "a_1 a_2|own 0"},
		"the same skin": {"a_1 a_2 a_3", func(n *asset.Node) {
			n.Children[0].Skin, n.Children[1].Skin, n.Children[2].Skin = skin(1), skin(1), skin(2)
		}, "a_3|a 2"},
		"one without a skin": {"a_1 a_2 a_3", func(n *asset.Node) { n.Children[0].Skin, n.Children[1].Skin = skin(1), skin(1) }, "a_3|a 2"},
		"the first without":  {"a_1 a_2 a_3", func(n *asset.Node) { n.Children[2].Skin = skin(1) }, "a_3|a 2"},
		"payloads": {"a_1 a_2", func(n *asset.Node) {
			n.Children[0].Native, n.Children[1].Native = &asset.Native{Payload: []byte{1}}, &asset.Native{Payload: []byte{1}}
		}, "a_1 a_2"},
		"weights": {"a_1 a_2", func(n *asset.Node) {
			n.Children[0].Weights, n.Children[0].Mesh.Weights, n.Children[0].Mesh.TargetNames = []float32{1}, []float32{2}, []string{"t"}
			n.Children[0].Native, n.Children[1].Native = &asset.Native{Format: "f"}, &asset.Native{Format: "f"}
		}, "|a 2 [1] [2] [t] f"},
	} {
		n := asset.NewNode("n")
		n.Native = &asset.Native{}
		s := &asset.Scene{Roots: []*asset.Node{n, bone}, Meshes: []*asset.Mesh{{Name: "unused"}}}
		for piece := range strings.SplitSeq(c.names, " ") {
			x := shownBy(piece, square())
			n.Children, s.Meshes = append(n.Children, x), append(s.Meshes, x.Mesh)
		}
		kept := shownBy("kept", square())
		s.Roots, s.Meshes = append(s.Roots, kept), append(s.Meshes, kept.Mesh)
		if c.edit != nil {
			c.edit(n)
		}
		for _, x := range n.Children {
			if x.Skin != nil {
				s.Skins = append(s.Skins, x.Skin)
			}
		}
		joinPieces(s, n)
		got := tree(n.Children)
		if n.Mesh != nil {
			got += fmt.Sprint("|", n.Mesh.Name, " ", len(n.Mesh.Primitives))
			if n.Weights != nil {
				got += fmt.Sprint(" ", n.Weights, " ", n.Mesh.Weights, " ", n.Mesh.TargetNames, " ", n.Mesh.Native.Format)
			}
		}
		equal(t, name, got, c.want)
		s.Walk(func(x, _ *asset.Node) {
			if x.Mesh != nil && !slices.Contains(s.Meshes, x.Mesh) && x.Mesh.Name != "own" || x.Skin != nil && !slices.Contains(s.Skins, x.Skin) {
				t.Errorf("%s: the mesh or the skin of %s is not in the list", name, x.Name)
			}
		})
		if n.Skin != nil && len(s.Skins) != 1+strings.Count(got, "a_3")*(len(s.Skins)-1) {
			t.Errorf("%s: %d skins", name, len(s.Skins))
		}
	}
}

// TestJoinPiecesOrder: the mesh stands where that of its first piece stood; other skins stay, whoever needs them.
func TestJoinPiecesOrder(t *testing.T) {
	n, first, last, other := asset.NewNode("n"), shownBy("n_1", square()), shownBy("n_2", square()), shownBy("other", square())
	n.Native, n.Children = &asset.Native{}, []*asset.Node{first, last}
	unused, twin := &asset.Skin{Joints: []*asset.Node{other}}, &asset.Skin{Joints: []*asset.Node{n}}
	first.Skin, last.Skin = &asset.Skin{Joints: []*asset.Node{n}}, twin
	s := &asset.Scene{Roots: []*asset.Node{other, n}, Meshes: []*asset.Mesh{other.Mesh, first.Mesh, last.Mesh}, Skins: []*asset.Skin{unused, twin, first.Skin}}
	s.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: first}, {Node: other}, {Node: last}}}}
	joinPieces(s, n)
	if !slices.Equal(s.Meshes, []*asset.Mesh{other.Mesh, n.Mesh}) || !slices.Equal(s.Skins, []*asset.Skin{unused, first.Skin}) || n.Skin != first.Skin {
		t.Errorf("%d meshes, %d skins", len(s.Meshes), len(s.Skins))
	}
	if c := s.Animations[0].Channels; len(c) != 2 || c[0].Node != n || c[1].Node != other {
		t.Errorf("%d channels", len(c))
	}
	first, last = shownBy("n_1", square()), shownBy("n_2", square())
	n = asset.NewNode("n")
	n.Children = []*asset.Node{first, last}
	s = &asset.Scene{Roots: []*asset.Node{n, other}, Meshes: []*asset.Mesh{other.Mesh, last.Mesh}}
	if joinPieces(s, n); !slices.Equal(s.Meshes, []*asset.Mesh{other.Mesh, n.Mesh}) {
		t.Errorf("%d meshes where that of the first was in no list", len(s.Meshes))
	}
}

// TestRejoinExtras: what three.js repeats in properties goes, and what somebody else wrote there stays.
func TestRejoinExtras(t *testing.T) {
	n, renamed := asset.NewNode("sails_7"), asset.NewNode("gate_1")
	n.Extras = map[string]any{"targetNames": 1, "name": "sails", "mine": 2}
	renamed.Extras = map[string]any{"name": "door", "targetNames": 1}
	m := &asset.Mesh{Extras: map[string]any{"targetNames": 1, "mine": 2}}
	s := &asset.Scene{Generator: "THREE.GLTFExporter r187", Roots: []*asset.Node{n, renamed}, Meshes: []*asset.Mesh{m}}
	rejoin(s)
	equal(t, "names", names(s.Roots), []string{"sails", "gate_1"})
	equal(t, "properties", []map[string]any{n.Extras, renamed.Extras, m.Extras}, []map[string]any{{"mine": 2}, {"name": "door"}, {"mine": 2}})
	for _, c := range [][3]string{{"a_1", "a", "a"}, {"a b_12", "a b", "a b_12"}, {"a_b_12", "a b", "a b"}, {"a_1", "b", "a_1"}, {"a", "a", "a"}, {"a_x", "a", "a_x"}} {
		if got := uncounted(c[0], c[1]); got != c[2] {
			t.Errorf("%s, which was %s: %s", c[0], c[1], got)
		}
	}
}

// TestSameSkin: two skins bind the same when joints and matrices are.
func TestSameSkin(t *testing.T) {
	a, b := asset.NewNode("a"), asset.NewNode("b")
	skin := func(x float32, joints ...*asset.Node) *asset.Skin {
		return &asset.Skin{Joints: joints, InverseBind: [][16]float32{{x}}}
	}
	s := skin(1, a)
	for _, c := range []struct {
		x, y *asset.Skin
		want bool
	}{{s, s, true}, {nil, nil, true}, {s, nil, false}, {nil, s, false}, {s, skin(1, a), true}, {s, skin(2, a), false}, {s, skin(1, b), false}, {s, skin(1, a, b), false}} {
		if sameSkin(c.x, c.y) != c.want {
			t.Errorf("%+v and %+v: %v", c.x, c.y, !c.want)
		}
	}
}

// TestMotionOf: channels of a path that is none, or that are no good, are left out; of two the first counts.
func TestMotionOf(t *testing.T) {
	n, other := asset.NewNode("n"), asset.NewNode("other")
	at := func(n *asset.Node, path asset.Path, values ...float32) *asset.Channel {
		return &asset.Channel{Node: n, Path: path, Times: []float32{0}, Values: values}
	}
	weights, first := at(n, asset.MorphWeights, 0.5), at(other, asset.Scale, 2, 2, 2)
	m := scene.MotionOf(&asset.Animation{Channels: []*asset.Channel{at(n, asset.MorphWeights+1, 1), at(n, asset.Scale, 1), weights, first, at(other, asset.Scale, 3, 3, 3)}})
	if len(m.Channels) != 2 || !slices.Equal(m.Nodes, []*asset.Node{n, other}) || m.Channel(n, asset.MorphWeights) != weights || m.Channel(other, asset.Scale) != first || m.Channel(n, asset.Scale) != nil {
		t.Errorf("%d nodes, %v", len(m.Channels), names(m.Nodes))
	}
	if m.Moves(n) || !m.Moves(other) || m.Channel(asset.NewNode("x"), asset.Scale) != nil {
		t.Error("what moves")
	}
	equal(t, "weights", m.Weights(n, 0), []float64{0.5})
	matrix := scene.NarrowMatrix(mgl64.Mat4{1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
	n.Transform.Matrix = &matrix
	if got := m.World(n, nil, 0); got != scene.WideMatrix(matrix) {
		t.Errorf("what is not placed keeps its shear: %v", got)
	}
}

// TestTakeLevelsOrder: levels come by their numbers, those of equal numbers as they stood.
func TestTakeLevelsOrder(t *testing.T) {
	part := asset.NewNode("a")
	for _, name := range []string{"a$lod2", "a$lod1", "b", "a$lod1", "c$lod1"} {
		part.Children = append(part.Children, shownBy(name, square()))
	}
	children := slices.Clone(part.Children)
	part.Children[0].Transform.Translation, part.Transform.Translation = [3]float32{1, 0, 0}, [3]float32{0, 2, 0}
	TakeLevels(&asset.Scene{Roots: []*asset.Node{part}})
	if !slices.Equal(part.LODs, []*asset.Node{children[1], children[3], children[0]}) || !slices.Equal(part.Children, []*asset.Node{children[2], children[4]}) {
		t.Errorf("levels %v, children %v", names(part.LODs), names(part.Children))
	}
	if got := children[0].Transform.Translation; got != [3]float32{1, 2, 0} {
		t.Errorf("a level is at %v", got)
	}
	one := asset.NewNode("a")
	one.Children = []*asset.Node{shownBy("a$lod1", square())}
	if TakeLevels(&asset.Scene{Roots: []*asset.Node{one}}); len(one.LODs) != 1 {
		t.Error("one level was left where it was")
	}
	empty := asset.NewNode("empty")
	empty.Children = []*asset.Node{}
	if TakeLevels(&asset.Scene{Roots: []*asset.Node{empty}}); empty.LODs != nil || empty.Children == nil {
		t.Error("a part without levels was changed")
	}
}

// TestLevelNumbers: numbers of levels are those from 1 on that a file can have.
func TestLevelNumbers(t *testing.T) {
	for _, c := range []struct {
		name, of string
		level    int
		ok       bool
	}{{"a$lod65535", "a", 65535, true}, {"a$lod65536", "a", 65536, false}, {"a$lod-1", "a", -1, false}, {"$lod1", "", 1, true}, {"$lod", "", 0, false}, {"a$lodx", "a", 0, false}} {
		if of, level, ok := scene.LevelName(c.name); of != c.of || level != c.level || ok != c.ok {
			t.Errorf("%s: %q %d %v", c.name, of, level, ok)
		}
	}
	long := strings.Repeat("x", 70)
	for n, want := range map[int]bool{54: true, 55: false, 63: false} {
		if got := scene.Renamed(long, long[:n]); got != want {
			t.Errorf("cut to %d bytes: renamed %v", n, got)
		}
	}
	if scene.Renamed(long, long[:55]+".001") || !scene.Renamed(long, long[:54]+".001") {
		t.Error("cut, and a number put behind")
	}
	equal(t, "as three.js has it", scene.ThreeJSName("a b\tc\nd[e].f:g/h"), "a_b_c_defgh")
}

// TestSpoiledObjects: what an editor made text of, wherever it is.
func TestSpoiledObjects(t *testing.T) {
	text := map[string]any{"usher": "{'format': 'fl'}"}
	n, fine, m := shownBy("mesh", square()), shownBy("fine", square()), asset.NewMaterial("material")
	n.Name, n.Extras, n.Mesh.Extras, m.Extras, fine.Extras = "node", text, text, text, map[string]any{"usher": 1}
	s := &asset.Scene{Name: "scene", Extras: text, Roots: []*asset.Node{n, fine, asset.NewNode("empty")}, Materials: []*asset.Material{asset.NewMaterial("good"), m}}
	equal(t, "names", spoiled(s), []string{"scene", "node", "mesh", "material"})
	d := new(schema.Diagnostics)
	TellOfExtras(s, d)
	if all := said(d); len(all) != 1 || !strings.Contains(all[0], "spoiled the kept data of 4 objects:") {
		t.Error(all)
	}
}

// TestBare: when a scene has lost what usher kept, and what that was.
func TestBare(t *testing.T) {
	const all = "stored shapes, lines, materials and textures"
	node := func(name string, edit ...func(n *asset.Node)) *asset.Node {
		n := asset.NewNode(name)
		for _, e := range edit {
			e(n)
		}
		return n
	}
	native, extras, meshNative, meshExtras := func(n *asset.Node) { n.Native = &asset.Native{} }, func(n *asset.Node) { n.Extras = map[string]any{"x": 1} },
		func(n *asset.Node) { n.Mesh = &asset.Mesh{Native: &asset.Native{}} }, func(n *asset.Node) { n.Mesh = &asset.Mesh{Extras: map[string]any{"x": 1}} }
	for name, c := range map[string]struct {
		s    asset.Scene
		want string
	}{
		"stripped":                  {asset.Scene{Stripped: true}, all},
		"stripped, with properties": {asset.Scene{Stripped: true, Roots: []*asset.Node{node("x", extras)}}, all},
		"stripped, a node kept":     {asset.Scene{Stripped: true, Roots: []*asset.Node{node("x", native)}}, ""},
		"stripped, a mesh kept":     {asset.Scene{Stripped: true, Roots: []*asset.Node{node("x", meshNative), node("y")}}, ""},
		"a material kept":           {asset.Scene{Stripped: true, Materials: []*asset.Material{{}, {Native: &asset.Native{}}}}, ""},
		"an animation kept":         {asset.Scene{Stripped: true, Animations: []*asset.Animation{{}, {Native: &asset.Native{}}}}, ""},
		"nothing kept":              {asset.Scene{Stripped: true, Materials: []*asset.Material{{}}, Animations: []*asset.Animation{{}}}, "joints and exact animations and " + all},
		"a level":                   {asset.Scene{Roots: []*asset.Node{node("x$lod1"), node("y")}}, "distances of levels of detail and " + all},
		"a level, with properties":  {asset.Scene{Roots: []*asset.Node{node("x$lod1"), node("y", extras)}}, ""},
		"a level, a mesh with them": {asset.Scene{Roots: []*asset.Node{node("x$lod1", meshExtras), node("y")}}, ""},
		"a level, a mesh kept":      {asset.Scene{Roots: []*asset.Node{node("x$lod1", meshNative), node("y")}}, ""},
		"a wire":                    {asset.Scene{Roots: []*asset.Node{node("x$wire"), node("y")}}, "wireframes and " + all},
		"a limb":                    {asset.Scene{Roots: []*asset.Node{node("limb_3_lod1"), node("y")}}, "what limbs keep of the original and " + all},
		"a hardpoint":               {asset.Scene{Roots: []*asset.Node{node("Hpx"), node("y")}}, "kinds and limits of hardpoints and " + all},
		"a damage point":            {asset.Scene{Roots: []*asset.Node{node("dpX"), node("y")}}, "kinds and limits of hardpoints and " + all},
		"a separable part":          {asset.Scene{Roots: []*asset.Node{node("SpConnect")}}, "kinds and limits of hardpoints and " + all},
		"another word":              {asset.Scene{Roots: []*asset.Node{node("Spotlight")}}, ""},
		"two letters":               {asset.Scene{Roots: []*asset.Node{node("Hp")}}, ""},
		"a camera of that name":     {asset.Scene{Roots: []*asset.Node{node("Hpx", func(n *asset.Node) { n.Camera = &asset.Camera{} })}}, ""},
		"a skin of that name":       {asset.Scene{Roots: []*asset.Node{node("Hpx", func(n *asset.Node) { n.Skin = &asset.Skin{} })}}, ""},
		"a parent of that name":     {asset.Scene{Roots: []*asset.Node{node("Hpx", func(n *asset.Node) { n.Children = []*asset.Node{node("y")} })}}, ""},
		"several": {asset.Scene{Roots: []*asset.Node{node("limb_0"), node("a$wire"), node("b$lod1.001"), node("DpA")}, Animations: []*asset.Animation{{}}},
			"kinds and limits of hardpoints, distances of levels of detail, wireframes, what limbs keep of the original, joints and exact animations and " + all},
	} {
		if got := bare(&c.s); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestPiecesLeft: what has more to it than a piece of a mesh stays a node of its own.
func TestPiecesLeft(t *testing.T) {
	piece := func(name string) *asset.Node {
		n := asset.NewNode(name)
		n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: make([][3]float32, 3)}}}
		return n
	}
	for name, tt := range map[string]struct {
		edit   func(n *asset.Node)
		joined bool
	}{
		"nothing more":      {func(n *asset.Node) {}, true},
		"no number":         {func(n *asset.Node) { n.Name = "tower" }, false},
		"no mesh":           {func(n *asset.Node) { n.Mesh = nil }, false},
		"no primitive":      {func(n *asset.Node) { n.Mesh.Primitives = nil }, false},
		"two primitives":    {func(n *asset.Node) { n.Mesh.Primitives = append(n.Mesh.Primitives, n.Mesh.Primitives[0]) }, false},
		"a child":           {func(n *asset.Node) { n.Children = []*asset.Node{asset.NewNode("x")} }, false},
		"a level":           {func(n *asset.Node) { n.LODs = []*asset.Node{asset.NewNode("low")} }, false},
		"a place":           {func(n *asset.Node) { n.Transform.Translation[0] = 1 }, false},
		"a payload":         {func(n *asset.Node) { n.Native = &asset.Native{Payload: []byte{1}} }, false},
		"a native of none":  {func(n *asset.Node) { n.Native = &asset.Native{} }, false},
		"another name":      {func(n *asset.Node) { n.Name = "gate_3" }, false},
		"a skin of its own": {func(n *asset.Node) { n.Skin = &asset.Skin{Joints: []*asset.Node{n}} }, false},
	} {
		tower := asset.NewNode("tower")
		tower.Native = &asset.Native{}
		tower.Children = []*asset.Node{piece("tower_1"), piece("tower_2"), piece("tower_3")}
		s := &asset.Scene{Roots: []*asset.Node{tower}}
		for _, n := range tower.Children {
			s.Meshes = append(s.Meshes, n.Mesh)
		}
		odd := tower.Children[2]
		tt.edit(odd)
		joinPieces(s, tower)
		want := 2
		if tt.joined {
			want = 3
		}
		if tower.Mesh == nil || len(tower.Mesh.Primitives) != want || slices.Contains(tower.Children, odd) == tt.joined {
			t.Errorf("%s: %d children are left", name, len(tower.Children))
		}
	}
}
