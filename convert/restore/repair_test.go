package restore

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// TestUnwrapNames: the scene takes the name of the node when it has none, or one that three.js gave it.
func TestUnwrapNames(t *testing.T) {
	build := func() *asset.Scene {
		root, part := asset.NewNode("ship"), asset.NewNode("part")
		root.Children = []*asset.Node{part}
		root.Native, part.Native = &asset.Native{Format: "cmp", Payload: []byte{1}}, &asset.Native{Format: "fl"}
		return &asset.Scene{Roots: []*asset.Node{root}}
	}
	const three = "THREE.GLTFExporter r187"
	plain := func(s *asset.Scene) { s.Roots[0].Children[0].Native = nil }
	for name, c := range map[string]struct {
		edit  func(s *asset.Scene)
		want  string
		taken bool
	}{
		"no name":                    {func(s *asset.Scene) {}, "ship", true},
		"a name":                     {func(s *asset.Scene) { s.Name = "fleet" }, "fleet", true},
		"of three.js":                {func(s *asset.Scene) { s.Name, s.Generator = "AuxScene", three }, "ship", true},
		"of three.js, plain":         {func(s *asset.Scene) { plain(s); s.Name, s.Generator = "AuxScene", three }, "ship", true},
		"another of three.js":        {func(s *asset.Scene) { s.Name, s.Generator = "fleet", three }, "fleet", true},
		"another of three.js, plain": {func(s *asset.Scene) { plain(s); s.Name, s.Generator = "fleet", three }, "fleet", false},
		"as three.js has it":         {func(s *asset.Scene) { plain(s); s.Name = "AuxScene" }, "AuxScene", false},
		"the scene has data":         {func(s *asset.Scene) { s.Native = &asset.Native{Format: "x"} }, "", false},
		"a camera":                   {func(s *asset.Scene) { s.Roots[0].Camera = &asset.Camera{} }, "", false},
		"a level":                    {func(s *asset.Scene) { s.Roots[0].LODs = []*asset.Node{asset.NewNode("low")} }, "", false},
		"no native":                  {func(s *asset.Scene) { s.Roots[0].Native = nil }, "", false},
		"another node moves":         {func(s *asset.Scene) { s.Animations = animation(s.Roots[0].Children[0]) }, "ship", true},
		"another node moves after all": {func(s *asset.Scene) {
			s.Animations = append(animation(s.Roots[0]), animation(s.Roots[0].Children[0])...)
		}, "", false},
		"another joint": {func(s *asset.Scene) { s.Skins = []*asset.Skin{{Joints: s.Roots[0].Children}} }, "ship", true},
		"the last child alone": {func(s *asset.Scene) {
			s.Roots[0].Children = append([]*asset.Node{asset.NewNode("x")}, s.Roots[0].Children...)
		}, "ship", true},
		"the first child alone": {func(s *asset.Scene) { s.Roots[0].Children = append(s.Roots[0].Children, asset.NewNode("x")) }, "ship", true},
	} {
		s := build()
		c.edit(s)
		Unwrap(s)
		if taken := s.Roots[0].Name != "ship"; s.Name != c.want || taken != c.taken || taken && s.Native.Format != "cmp" {
			t.Errorf("%s: %q, taken off %v", name, s.Name, taken)
		}
	}
}

// TestJoinCopiesNames: of a material and its copies the one without a number stays, wherever it stands; the name that the
// target knows comes back where nobody else has it.
func TestJoinCopiesNames(t *testing.T) {
	build := func(names ...string) *asset.Scene {
		s := &asset.Scene{Meshes: []*asset.Mesh{{}}}
		for _, name := range names {
			m := asset.NewMaterial(name)
			m.Native = &asset.Native{Format: "fl"}
			s.Materials = append(s.Materials, m)
			s.Meshes[0].Primitives = append(s.Meshes[0].Primitives, &asset.Primitive{Material: m})
		}
		return s
	}
	for _, c := range []struct {
		names, left []string
		stored      string
	}{
		{[]string{"a", "a.001"}, []string{"a"}, ""}, {[]string{"a.001", "a"}, []string{"a"}, ""}, {[]string{"a.002", "a.001", "a"}, []string{"a"}, ""}, {[]string{"a.002", "a.001"}, []string{"a.002"}, ""},
		{[]string{"a", "b"}, []string{"a", "b"}, ""}, {[]string{"a", "b.001"}, []string{"a", "b.001"}, ""}, {[]string{"a.001", "b.001"}, []string{"a.001", "b.001"}, ""}, {[]string{"a.001", "b"}, []string{"a.001", "b"}, ""}, {[]string{"a", "a"}, []string{"a", "a"}, ""},
		{[]string{"a.001"}, []string{"a"}, "a"}, {[]string{"b"}, []string{"b"}, "a"}, {[]string{"a.001", "a.002"}, []string{"a"}, "a"}, {[]string{"b.001", "a.001"}, []string{"b.001", "a"}, "a"},
	} {
		s := build(c.names...)
		if c.stored == "" {
			JoinCopies(s, nil)
		} else {
			JoinCopies(s, func(*asset.Material) string { return c.stored })
		}
		var left []string
		for _, m := range s.Materials {
			left = append(left, m.Name)
		}
		equal(t, fmt.Sprint(c.names), left, c.left)
		for i, p := range s.Meshes[0].Primitives {
			if !slices.Contains(s.Materials, p.Material) {
				t.Errorf("%v: primitive %d has a material that is gone", c.names, i)
			}
		}
	}
	s := build("a.001", "b")
	s.Materials[1].Native, s.Materials[1].Name = nil, "a"
	if JoinCopies(s, func(*asset.Material) string { return "a" }); s.Materials[0].Name != "a.001" {
		t.Error("a name that another material has was given again")
	}
	strangers := build("a", "a.001")
	strangers.Materials[0].Native, strangers.Materials[1].Native = nil, nil
	if JoinCopies(strangers, nil); len(strangers.Materials) != 2 {
		t.Error("materials of which nothing is known were joined")
	}
	two := build("a.001", "a.002")
	two.Materials[1].BaseColor[0] = 0.5
	if JoinCopies(two, func(*asset.Material) string { return "a" }); two.Materials[0].Name != "a" || two.Materials[1].Name != "a.002" {
		t.Errorf("%q and %q", two.Materials[0].Name, two.Materials[1].Name)
	}
}

// TestTurnBonesBackParts: what is no bone, or none that was turned, stays as it is to the last bit; matrices turn as well.
func TestTurnBonesBackParts(t *testing.T) {
	quarter := mgl64.QuatRotate(math.Pi/2, mgl64.Vec3{0, 0, 1})
	turned := func() *asset.Scene { // the first bone is turned within itself by a quarter
		s := skeleton()
		a, b := s.Skins[0].Joints[0], s.Skins[0].Joints[1]
		a.Transform.Rotation = scene.NarrowTurn(scene.Turn(a.Transform.Rotation).Mul(quarter))
		b.Transform.Translation = scene.Narrow3(quarter.Inverse().Rotate(scene.Wide3(b.Transform.Translation)))
		b.Transform.Rotation = scene.NarrowTurn(quarter.Inverse().Mul(scene.Turn(b.Transform.Rotation)))
		s.Skins[0].InverseBind[0] = scene.NarrowMatrix(quarter.Inverse().Mat4().Mul4(scene.WideMatrix(s.Skins[0].InverseBind[0])))
		return s
	}
	worlds := func(s *asset.Scene) (all []mgl64.Mat4) {
		w := scene.Worlds(s)
		for _, j := range s.Skins[0].Joints {
			all = append(all, w[j])
		}
		return all
	}
	want := worlds(skeleton())
	for name, edit := range map[string]func(s *asset.Scene){
		"as it is": func(s *asset.Scene) {},
		"a matrix": func(s *asset.Scene) {
			m := scene.NarrowMatrix(scene.Matrix(&s.Roots[0].Transform))
			s.Roots[0].Transform = asset.Transform{Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 1, 1}, Matrix: &m}
		},
	} {
		s := turned()
		edit(s)
		TurnBonesBack(skeleton(), s, byName(s))
		for i, w := range worlds(s) {
			if !scene.SamePlace(want[i], w, 3) {
				t.Errorf("%s: bone %d at %v, want %v", name, i, w, want[i])
			}
		}
		if s.Roots[0].Transform.Matrix != nil {
			t.Errorf("%s: a matrix is left", name)
		}
	}
	s := turned()
	sheared := scene.Matrix(&s.Roots[0].Transform)
	sheared = sheared.Mul4(mgl64.Mat4{1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
	m := scene.NarrowMatrix(sheared)
	s.Roots[0].Transform.Matrix = &m
	TurnBonesBack(skeleton(), s, byName(s))
	if got, want := scene.Matrix(&s.Roots[0].Transform), sheared.Mul4(quarter.Inverse().Mat4()); s.Roots[0].Transform.Matrix == nil || furthest(got, want) > 1e-6 {
		t.Errorf("a sheared bone became %v, want %v", got, want)
	}

	none := func(*asset.Node) *asset.Node { return nil }
	s, was := turned(), turned()
	TurnBonesBack(skeleton(), s, none)
	equal(t, "nobody's bones", s.Roots[0].Transform, was.Roots[0].Transform)
	s = turned()
	s.Skins[0].InverseBind = nil
	TurnBonesBack(skeleton(), s, byName(s))
	equal(t, "a skin without matrices", s.Roots[0].Transform, was.Roots[0].Transform)
	s = turned()
	s.Skins = append([]*asset.Skin{{}}, s.Skins...)
	other := asset.NewNode("other")
	other.Transform.Rotation = [4]float32{0.1, 0.2, 0.3, 0.4}
	s.Roots = append(s.Roots, other)
	stays := other.Transform
	TurnBonesBack(skeleton(), s, byName(s))
	equal(t, "no bone", other.Transform, stays)
	if !scene.SamePlace(want[0], scene.Matrix(&s.Roots[0].Transform), 3) {
		t.Error("behind a skin of other joints: not turned back")
	}
	s = skeleton()
	s.Skins[0].InverseBind[0] = scene.NarrowMatrix(mgl64.QuatRotate(5e-7, mgl64.Vec3{0, 0, 1}).Mat4().Mul4(scene.WideMatrix(s.Skins[0].InverseBind[0])))
	TurnBonesBack(skeleton(), s, byName(s))
	equal(t, "next to nothing", s.Roots[0].Transform, skeleton().Roots[0].Transform)
}

// TestTakeRestParts: only poses that an animation of the base shows are taken for one, of nodes that it moves.
func TestTakeRestParts(t *testing.T) {
	const blender = "Khronos glTF Blender I/O v3.4.50"
	for name, c := range map[string]struct {
		edit func(base, edited *asset.Scene, b *asset.Node)
		at   float64 // what the node is given for its rest
		back bool
	}{
		"at a key of the base":       {func(base, edited *asset.Scene, b *asset.Node) {}, 0, true},
		"at a key of the edited one": {func(base, edited *asset.Scene, b *asset.Node) { edited.Animations = sampledHalf(b) }, 0.5, true},
		"at no key":                  {func(base, edited *asset.Scene, b *asset.Node) {}, 0.5, false},
		"at a key that is no good": {func(base, edited *asset.Scene, b *asset.Node) {
			edited.Animations = sampledHalf(b)
			edited.Animations[0].Channels[0].Values = nil
		}, 0.5, false},
		"no animation": {func(base, edited *asset.Scene, b *asset.Node) { base.Animations = nil }, 0, false},
		"the second one": {func(base, edited *asset.Scene, b *asset.Node) {
			base.Animations = append([]*asset.Animation{{}}, base.Animations...)
		}, 1, true},
		"weights alone": {func(base, edited *asset.Scene, b *asset.Node) {
			base.Animations[0].Channels = []*asset.Channel{{Node: base.Skins[0].Joints[1], Path: asset.MorphWeights, Times: []float32{0}, Values: []float32{1}}}
		}, 0, false},
		"moved only": {func(base, edited *asset.Scene, b *asset.Node) {
			base.Animations[0].Channels = base.Animations[0].Channels[:1]
			b.Transform.Rotation = asset.Identity.Rotation
		}, 1, false},
		"the rest of others": {func(base, edited *asset.Scene, b *asset.Node) { base.Roots[0].Children = nil }, 0, false},
	} {
		base, edited := skeleton(), skeleton()
		edited.Generator = blender
		b := byName(edited)(base.Skins[0].Joints[1])
		shown := scene.MotionOf(edited.Animations[0]).Pose(b, c.at).Transform()
		c.edit(base, edited, b)
		b.Transform = shown
		rest := skeleton().Skins[0].Joints[1].Transform
		rest.Translation[2] = 0.5 // told from every pose
		base.Skins[0].Joints[1].Transform = rest
		TakeRest(base, edited, byName(edited), 3)
		if got := b.Transform == rest; got != c.back {
			t.Errorf("%s: given back %v", name, got)
		}
	}
	base, edited := skeleton(), skeleton()
	edited.Generator = blender
	base.Skins[0].Joints[1].Transform.Translation[2] = 0.5
	TakeRest(base, edited, func(*asset.Node) *asset.Node { return nil }, 3) // nobody is there
}

// sampledHalf is an animation with a key in the middle.
func sampledHalf(n *asset.Node) []*asset.Animation {
	return []*asset.Animation{{Channels: []*asset.Channel{{Node: n, Path: asset.Translation, Times: []float32{0, 0.5, 1}, Values: make([]float32, 9)}}}}
}

// TestRestoreColorsNear: where the triangles are others, a vertex takes the colour of the one that it is, a new one keeps
// its own; the surface itself is not written to.
func TestRestoreColorsNear(t *testing.T) {
	red, blue, green := [4]float32{1, 0, 0, 1}, [4]float32{0, 0, 1, 1}, [4]float32{0, 1, 0, 1}
	original := &asset.Primitive{Positions: append(triangle(0), triangle(5)...), Colors: [][4]float32{red, red, red, blue, blue, blue}}
	surface := &asset.Primitive{Positions: append(triangle(5), [3]float32{50, 50, 50}, [3]float32{60, 50, 50}, [3]float32{50, 70, 50}, [3]float32{0, 0, 0}, [3]float32{1, 0, 0}, [3]float32{0, 1, 0}), Colors: [][4]float32{red, red, red, green, green, green, blue, blue, blue}}
	got := Colors(original, surface, scene.EditorTolerance)
	equal(t, "colours", got.Colors, [][4]float32{blue, blue, blue, green, green, green, red, red, red})
	equal(t, "the surface", surface.Colors[0], red)
	none := &asset.Primitive{Positions: triangle(0)}
	if Colors(original, none, scene.EditorTolerance) != none {
		t.Error("a surface without colours is another")
	}
	in := &asset.Primitive{Positions: append(triangle(0), triangle(5)...), Indices: []uint32{0, 1, 2, 3, 4, 5}, Colors: [][4]float32{blue, blue, blue, red, red, red}}
	twice := &asset.Primitive{Positions: append(triangle(0), triangle(0)...), Colors: original.Colors}
	crossed := &asset.Primitive{Positions: twice.Positions, Indices: []uint32{3, 4, 5, 0, 1, 2}, Colors: [][4]float32{green, green, green, red, red, red}}
	equal(t, "in one place", Colors(twice, crossed, scene.EditorTolerance).Colors, original.Colors)
	equal(t, "in order", Colors(original, in, scene.EditorTolerance).Colors, original.Colors)
}

// TestSameCorners: corners are in the same places up to the tolerance, of the size of the original.
func TestSameCorners(t *testing.T) {
	a := &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {8, 0, 0}, {0, 1, 0}}}
	tol := scene.Tolerance{Position: 0.125} // one, then
	for _, c := range []struct {
		b      [][3]float32
		ai, bi []uint32
		want   bool
	}{
		{a.Positions, []uint32{0, 1, 2}, []uint32{0, 1, 2}, true}, {a.Positions, []uint32{0, 1, 2}, []uint32{1, 2, 0}, false}, {a.Positions, []uint32{0, 1, 2}, []uint32{0, 1}, false},
		{[][3]float32{{1, 0, 0}, {8, -1, 0}, {0, 1, 1}}, []uint32{0, 1, 2}, []uint32{0, 1, 2}, true}, {[][3]float32{{0, 0, 0}, {8, 0, 0}, {0, 1, 1.5}}, []uint32{0, 1, 2}, []uint32{0, 1, 2}, false},
	} {
		if got := sameCorners(a, &asset.Primitive{Positions: c.b}, c.ai, c.bi, tol); got != c.want {
			t.Errorf("%v: %v", c.b, got)
		}
	}
}

// TestUnshared: every corner gets a vertex with all that its vertex had.
func TestUnshared(t *testing.T) {
	p := &asset.Primitive{
		Positions: triangle(0), Normals: triangle(1), Tangents: [][4]float32{{0}, {1}, {2}}, Colors: [][4]float32{{3}, {4}, {5}},
		TexCoords: [][][2]float32{{{0}, {1}, {2}}, nil}, Joints: [][][4]uint16{{{6}, {7}, {8}}}, Weights: [][][4]float32{{{1}, {0.5}, {0.25}}},
		Custom:  []asset.Attribute{{Name: "_A", Components: 2, Values: []float32{0, 1, 2, 3, 4, 5}}},
		Targets: []asset.Target{{Positions: triangle(2), Tangents: triangle(3)}}, Indices: []uint32{2, 0, 1, 1, 0, 2},
	}
	q := unshared(p)
	at := func(list [][3]float32) (out [][3]float32) {
		for _, v := range p.Indices {
			out = append(out, list[v])
		}
		return out
	}
	equal(t, "vertices", q, &asset.Primitive{
		Positions: at(p.Positions), Normals: at(p.Normals), Tangents: [][4]float32{{2}, {0}, {1}, {1}, {0}, {2}}, Colors: [][4]float32{{5}, {3}, {4}, {4}, {3}, {5}},
		TexCoords: [][][2]float32{{{2}, {0}, {1}, {1}, {0}, {2}}, nil}, Joints: [][][4]uint16{{{8}, {6}, {7}, {7}, {6}, {8}}}, Weights: [][][4]float32{{{0.25}, {1}, {0.5}, {0.5}, {1}, {0.25}}},
		Custom:  []asset.Attribute{{Name: "_A", Components: 2, Values: []float32{4, 5, 0, 1, 2, 3, 2, 3, 0, 1, 4, 5}}},
		Targets: []asset.Target{{Positions: at(p.Targets[0].Positions), Tangents: at(p.Targets[0].Tangents)}}, Indices: []uint32{0, 1, 2, 3, 4, 5},
	})
	if len(p.Custom[0].Values) != 6 || len(p.Targets[0].Positions) != 3 {
		t.Error("the original was written to")
	}
	bare := unshared(&asset.Primitive{Positions: triangle(0)})
	equal(t, "bare", bare, &asset.Primitive{Positions: triangle(0), Indices: []uint32{0, 1, 2}})
}

// TestTurnKeys turns every key of a channel: half a turn about z.
func TestTurnKeys(t *testing.T) {
	half, none := mgl64.Quat{V: mgl64.Vec3{0, 0, 1}}, mgl64.QuatIdent()
	for _, c := range []struct {
		path         asset.Path
		values, want []float32
	}{
		{asset.Translation, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}, []float32{-1, -2, 3, -4, -5, 6, -7, -8, 9}},
		{asset.Rotation, []float32{0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0}, []float32{0, 0, 1, 0, 0, 0, 0, -1, 0, 1, 0, 0}},
		{asset.Scale, []float32{1, 2, 3}, []float32{1, 2, 3}},
	} {
		channel := &asset.Channel{Path: c.path, Values: c.values}
		turnKeys(channel, half, none)
		equal(t, fmt.Sprint("path ", c.path), channel.Values, c.want)
	}
}
