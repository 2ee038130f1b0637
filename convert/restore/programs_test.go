package restore

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

func TestDoes(t *testing.T) {
	all := Habit(0)
	for _, p := range programs {
		all |= p.habits
	}
	for generator, want := range map[string]Habit{
		"Khronos glTF Blender I/O v3.4.50": SavesPose | LosesNormals | AsksForProperties | BlendsTurns | SpoilsColors,
		"Khronos glTF Blender I/O v3.6.5":  SavesPose | LosesNormals | AsksForProperties | BlendsTurns,
		"THREE.GLTFExporter r187":          WrapsScene | SplitsMeshes,
		"glTF-Transform v4.5.1":            DropsUnused,
		"gltfpack 1.3":                     DropsUnused | RoundsToBytes,
		"usher":                            0,
		"":                                 0,
	} {
		for h := Habit(1); h != 0 && h <= all; h <<= 1 {
			if got := Does(&asset.Scene{Generator: generator}, h); got != (want&h != 0) {
				t.Errorf("%q, habit %#x: %v", generator, h, got)
			}
		}
	}
}

func TestTellOfExtras(t *testing.T) {
	const blender = "Khronos glTF Blender I/O v3.4.50"
	named := func(names ...string) *asset.Scene {
		s := &asset.Scene{Generator: blender}
		for _, n := range names {
			s.Roots = append(s.Roots, asset.NewNode(n))
		}
		return s
	}
	kept := named("HpWeapon01")
	kept.Roots[0].Native = &asset.Native{Format: "fl"}
	foreign := named("HpWeapon01")
	foreign.Roots[0].Extras = map[string]any{"hardpoint": true}
	spoiled := named("wing", "fin")
	spoiled.Roots[0].Native = &asset.Native{Format: "fl"}
	spoiled.Roots[1].Extras = map[string]any{"usher": "{'format': 'fl'}"}
	other := named("limb_0")
	other.Generator = "THREE.GLTFExporter r187"
	for name, c := range map[string]struct {
		s    *asset.Scene
		want string // part of the one warning; nothing for none
	}{
		"hardpoints":        {named("HpWeapon01", "x"), "kinds and limits of hardpoints and stored shapes, lines, materials and textures are lost; in Blender tick Include › Custom Properties"},
		"levels and wires":  {named("a$lod1", "b$wire.001"), "distances of levels of detail, wireframes and stored"},
		"another program":   {other, "what limbs keep of the original and stored shapes, lines, materials and textures are lost; keep them (extras)"},
		"no such names":     {&asset.Scene{Stripped: true, Generator: blender, Animations: []*asset.Animation{{}}}, "joints and exact animations and stored shapes"},
		"ours and kept":     {&asset.Scene{Stripped: true, Native: &asset.Native{}}, ""},
		"names of others":   {named("Cube", "happy"), ""},
		"extras are there":  {kept, ""},
		"of another tool":   {foreign, ""},
		"made text":         {spoiled, "spoiled the kept data of 1 object"},
		"no scene at all":   {&asset.Scene{}, ""},
		"a mesh is no such": {&asset.Scene{Roots: []*asset.Node{{Name: "Hpx", Mesh: &asset.Mesh{}}}}, ""},
	} {
		var d schema.Diagnostics
		TellOfExtras(c.s, &d)
		switch all := d.All(); {
		case c.want == "" && len(all) > 0:
			t.Errorf("%s: %v", name, all)
		case c.want != "" && (len(all) != 1 || !strings.Contains(all[0].Msg, c.want) || all[0].Severity != schema.Warning):
			t.Errorf("%s: %v, want one with %q", name, all, c.want)
		}
	}
}

func TestUnwrap(t *testing.T) {
	build := func() *asset.Scene {
		root, part := asset.NewNode("Scene"), asset.NewNode("part")
		root.Children = []*asset.Node{part}
		root.Native, part.Native = &asset.Native{Format: "cmp", Payload: []byte{1}}, &asset.Native{Format: "fl"}
		return &asset.Scene{Roots: []*asset.Node{root}}
	}
	s := build()
	Unwrap(s)
	if s.Native == nil || s.Roots[0].Name != "part" || s.Name != "Scene" {
		t.Errorf("%+v", s)
	}
	for name, spoil := range map[string]func(s *asset.Scene){
		"moved":       func(s *asset.Scene) { s.Roots[0].Transform.Translation[0] = 1 },
		"with a mesh": func(s *asset.Scene) { s.Roots[0].Mesh = &asset.Mesh{} },
		"one of two":  func(s *asset.Scene) { s.Roots = append(s.Roots, asset.NewNode("x")) },
		"no data":     func(s *asset.Scene) { s.Roots[0].Native.Payload = nil },
		"no children": func(s *asset.Scene) { s.Roots[0].Children = nil },
		"animated": func(s *asset.Scene) {
			s.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: s.Roots[0]}}}}
		},
		"a joint": func(s *asset.Scene) { s.Skins = []*asset.Skin{{Joints: s.Roots}} },
	} {
		s := build()
		spoil(s)
		roots := len(s.Roots)
		Unwrap(s)
		if s.Native != nil || len(s.Roots) != roots || s.Roots[0].Name != "Scene" {
			t.Errorf("%s: taken off", name)
		}
	}
}

func TestJoinCopies(t *testing.T) {
	material := func(name, native string) *asset.Material {
		m := asset.NewMaterial(name)
		if native != "" {
			m.Native = &asset.Native{Format: "fl", Values: map[string]any{"name": native}}
		}
		return m
	}
	hull, copy1, copy2, painted := material("hull", "hull"), material("hull.001", "hull"), material("hull.002", "hull"), material("hull.003", "hull")
	painted.BaseColor[0] = 0.5
	lost, plain, other := material("glass.001", "glass"), material("hull.004", ""), material("hull.005", "hull.005")
	s := &asset.Scene{Materials: []*asset.Material{copy1, hull, copy2, painted, lost, plain, other}}
	m := &asset.Mesh{}
	for _, x := range s.Materials {
		m.Primitives = append(m.Primitives, &asset.Primitive{Material: x})
	}
	s.Meshes = []*asset.Mesh{m}
	JoinCopies(s, func(m *asset.Material) string {
		if m.Native == nil {
			return ""
		}
		name, _ := m.Native.Values["name"].(string)
		return name
	})
	for i, want := range []*asset.Material{hull, hull, hull, painted, lost, plain, other} {
		if m.Primitives[i].Material != want {
			t.Errorf("primitive %d has %q", i, m.Primitives[i].Material.Name)
		}
	}
	if !slices.Equal(s.Materials, []*asset.Material{hull, painted, lost, plain, other}) || lost.Name != "glass" || painted.Name != "hull.003" {
		t.Errorf("%d materials, %q, %q", len(s.Materials), lost.Name, painted.Name)
	}
}

// skeleton is two bones, the second turned in an animation.
func skeleton() *asset.Scene {
	a, b := asset.NewNode("a"), asset.NewNode("b")
	a.Transform.Translation, b.Transform.Translation = [3]float32{1, 0, 0}, [3]float32{0, 2, 0}
	a.Transform.Rotation = scene.NarrowTurn(mgl64.QuatRotate(0.3, mgl64.Vec3{0, 0, 1}))
	a.Children = []*asset.Node{b}
	move := channel(asset.Translation, asset.LinearKeys, []float32{0, 1}, 0, 2, 0, 1, 2, 0)
	turn := turns([]float32{0, 1}, 0, 90)
	move.Node, turn.Node = b, b
	s := &asset.Scene{Roots: []*asset.Node{a}, Animations: []*asset.Animation{{Channels: []*asset.Channel{move, turn}}}}
	skin := &asset.Skin{Joints: []*asset.Node{a, b}}
	parents := scene.Parents(s)
	for _, j := range skin.Joints {
		skin.InverseBind = append(skin.InverseBind, scene.NarrowMatrix(scene.World(j, parents).Inv()))
	}
	s.Skins = []*asset.Skin{skin}
	return s
}

func byName(s *asset.Scene) func(*asset.Node) *asset.Node {
	nodes := map[string]*asset.Node{}
	s.Walk(func(n, _ *asset.Node) { nodes[n.Name] = n })
	return func(n *asset.Node) *asset.Node { return nodes[n.Name] }
}

// TestTurnBonesBack: bones with axes of their own get those that they had; what they show stays.
func TestTurnBonesBack(t *testing.T) {
	base, edited := skeleton(), skeleton()
	for i, j := range edited.Skins[0].Joints { // as Blender: each bone is turned within itself
		q := mgl64.QuatRotate(0.7+float64(i), mgl64.Vec3{1, float64(i), 0}.Normalize())
		j.Transform.Rotation = scene.NarrowTurn(scene.Turn(j.Transform.Rotation).Mul(q))
		for _, c := range j.Children {
			c.Transform.Translation = scene.Narrow3(q.Inverse().Rotate(scene.Wide3(c.Transform.Translation)))
			c.Transform.Rotation = scene.NarrowTurn(q.Inverse().Mul(scene.Turn(c.Transform.Rotation)))
		}
		edited.Skins[0].InverseBind[i] = scene.NarrowMatrix(q.Inverse().Mat4().Mul4(scene.WideMatrix(edited.Skins[0].InverseBind[i])))
		for _, c := range edited.Animations[0].Channels {
			switch {
			case j.Name == "a":
				turnKeys(c, q.Inverse(), mgl64.QuatIdent())
			case j == c.Node:
				turnKeys(c, mgl64.QuatIdent(), q)
			}
		}
	}
	edited.Animations[0].Channels[0].Values = slices.Clone(edited.Animations[0].Channels[0].Values)
	TurnBonesBack(base, edited, byName(edited))
	was, now := base.Skins[0], edited.Skins[0]
	for i := range was.Joints {
		if !scene.SamePlace(scene.Matrix(&was.Joints[i].Transform), scene.Matrix(&now.Joints[i].Transform), 3) || !scene.SamePlace(scene.WideMatrix(was.InverseBind[i]), scene.WideMatrix(now.InverseBind[i]), 3) {
			t.Errorf("bone %d: %+v, want %+v", i, now.Joints[i].Transform, was.Joints[i].Transform)
		}
	}
	for k, c := range base.Animations[0].Channels {
		e := edited.Animations[0].Channels[k]
		if !scene.Compare(c.Path, scene.CurveOf(c.Node, c.Path, c), scene.CurveOf(e.Node, e.Path, e), 3).Unedited() {
			t.Errorf("channel %d: %v, want %v", k, e.Values, c.Values)
		}
	}
}

func TestTakeRest(t *testing.T) {
	base, edited := skeleton(), skeleton()
	b := byName(edited)(base.Skins[0].Joints[1])
	m := scene.MotionOf(edited.Animations[0])
	b.Transform = m.Pose(b, 1).Transform() // as shown at the end
	shown := b.Transform
	if TakeRest(base, edited, byName(edited), 3); b.Transform != shown {
		t.Error("a pose that somebody else made was undone")
	}
	edited.Generator = "Khronos glTF Blender I/O v3.4.50"
	TakeRest(base, edited, byName(edited), 3)
	if b.Transform != base.Skins[0].Joints[1].Transform {
		t.Error("the pose that was shown became the rest")
	}
	b.Transform.Translation[2] += 0.1
	edit := b.Transform
	if TakeRest(base, edited, byName(edited), 3); b.Transform != edit {
		t.Error("an edit was undone")
	}
}

// TestRestoreNormals: a normal that Blender lost comes back, in surfaces that it left as they were and in others. Those of faces
// that somebody turned up do not.
func TestRestoreNormals(t *testing.T) {
	for _, c := range []struct {
		name   string
		edit   func(p *asset.Primitive)
		count  int
		normal [3]float32 // of the first vertex then
	}{
		{"nothing", func(*asset.Primitive) {}, 0, [3]float32{1, 0, 0}},
		{"one corner", func(p *asset.Primitive) { p.Normals[0] = NoNormal }, 1, [3]float32{1, 0, 0}},
		{"two corners", func(p *asset.Primitive) { p.Normals[0], p.Normals[1] = NoNormal, NoNormal }, 2, [3]float32{1, 0, 0}},
		{"a whole face", func(p *asset.Primitive) { p.Normals[0], p.Normals[1], p.Normals[2] = NoNormal, NoNormal, NoNormal }, 0, NoNormal},
		{"another way", func(p *asset.Primitive) { p.Normals[0] = [3]float32{0, 0, 1} }, 0, [3]float32{0, 0, 1}},
		{"one corner, and the last triangle is gone", func(p *asset.Primitive) {
			p.Normals[0], p.Indices = NoNormal, p.Indices[:len(p.Indices)-3]
		}, 1, [3]float32{1, 0, 0}},
	} {
		p := sheet(3)
		for i := range p.Normals {
			p.Normals[i] = [3]float32{1, 0, 0}
		}
		surface := unshared(p)
		c.edit(surface)
		got, count := Normals(p, surface, scene.EditorTolerance)
		if count != c.count || got.Normals[0] != c.normal {
			t.Errorf("%s: %d came back, the first is %v; want %d, %v", c.name, count, got.Normals[0], c.count, c.normal)
		}
	}
}

// TestRestoreColors: the colours that Blender 3.4 mixes up, in the way that it does.
func TestRestoreColors(t *testing.T) {
	p := sheet(3)
	p.Normals = nil
	for i := range p.Positions {
		p.Colors = append(p.Colors, [4]float32{float32(i) / 20, 0.5, 0, 1})
	}
	corner := make([][4]float32, len(p.Indices))
	for k, v := range p.Indices {
		corner[k] = p.Colors[v]
	}
	mixed := unshared(p)
	for k, v := range p.Indices {
		mixed.Colors[k] = corner[v]
	}
	fixed := Colors(p, mixed, scene.EditorTolerance)
	m := scene.Match(p, fixed, scene.EditorTolerance)
	wrong := 0
	for i, v := range m.Vertices {
		if v < 0 || fixed.Colors[i] != p.Colors[v] {
			wrong++
		}
	}
	if wrong > 0 || !m.Same {
		t.Errorf("%d corners have other colours", wrong)
	}
	fewer := *mixed
	fewer.Indices = fewer.Indices[3:]
	fixed = Colors(p, &fewer, scene.EditorTolerance)
	for i, v := range scene.Match(p, fixed, scene.EditorTolerance).Vertices {
		if v >= 0 && fixed.Colors[i] != p.Colors[v] {
			t.Errorf("with a triangle less, vertex %d has another colour", i)
		}
	}
	bareSheet := sheet(3)
	if Colors(bareSheet, mixed, scene.EditorTolerance).Colors != nil {
		t.Error("a surface without colours gained some")
	}
}

// TestTidies: these two programs leave out what is unused.
