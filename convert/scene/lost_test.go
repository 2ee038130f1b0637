package scene

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// shown returns a scene with a triangle.
func shown(spoil func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material)) *asset.Scene {
	m := asset.NewMaterial("paint")
	p := &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Normals: [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		TexCoords: [][][2]float32{{{0, 0}, {1, 0}, {0, 1}}}, Indices: []uint32{0, 1, 2}, Material: m}
	mesh := &asset.Mesh{Name: "shape", Primitives: []*asset.Primitive{p}}
	n := asset.NewNode("wing")
	n.Mesh = mesh
	s := &asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{mesh}, Materials: []*asset.Material{m}}
	if spoil != nil {
		spoil(s, n, p, m)
	}
	return s
}

// everything is a target that holds all.
var everything = Capabilities{Target: "everything", Format: "all", Lines: AllLines, Points: true, Colors: true, TexCoords: 8, Skins: true, Morphs: true, Hulls: true, Levels: 9, Coverage: true,
	Cameras: true, Lights: true, Animations: true, Paths: [4]bool{true, true, true, true}, Properties: []string{AnyProperty}, Looks: math.MaxUint32}

// TestLost: each thing that a scene can have is told of once where the target does not hold it, and not where it does.
func TestLost(t *testing.T) {
	type spoiler = func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material)
	picture := &asset.TextureRef{Texture: &asset.Texture{}}
	animate := func(path asset.Path, values ...float32) spoiler {
		return func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			c := &asset.Channel{Node: n, Path: path, Times: []float32{0, 1}, Values: values}
			p.Targets = nil
			s.Animations = append(s.Animations, &asset.Animation{Name: "flap", Channels: []*asset.Channel{c}})
		}
	}
	for name, c := range map[string]struct {
		spoil spoiler
		code  string // nothing for no loss
		text  string
		allow func(c *Capabilities)
	}{
		"nothing": {nil, "", "", nil},
		"points": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			q := *p
			q.Mode = asset.Points
			n.Mesh.Primitives = append(n.Mesh.Primitives, &q, &q)
		}, "lines-and-points", `2 primitives of lines or points are left out (the first is "shape"): a thing holds none`, func(c *Capabilities) { c.Points = true }},
		"lines apart": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			wire := asset.NewNode("wire")
			wire.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Mode: asset.Lines, Positions: p.Positions[:2]}}}
			s.Roots = append(s.Roots, wire)
		}, "lines-and-points", `1 primitive of lines or points is left out ("wire")`, func(c *Capabilities) { c.Lines = LinesApart }},
		"a hull": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			hull := asset.NewNode("wing$hull")
			hull.Mesh = n.Mesh
			s.Roots = append(s.Roots, hull)
		}, "hull", `1 collision hull is left out ("wing$hull")`, func(c *Capabilities) { c.Hulls = true }},
		"a skin": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			n.Skin = &asset.Skin{Joints: []*asset.Node{asset.NewNode("j")}}
			p.Joints, p.Weights = [][][4]uint16{make([][4]uint16, 3)}, [][][4]float32{{{1}, {1}, {1}}}
			s.Skins = []*asset.Skin{n.Skin}
		}, "skin", `1 mesh has a skin, and stays in the shape in which it was bound ("wing")`, func(c *Capabilities) { c.Skins = true }},
		"many influences": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			n.Skin = &asset.Skin{Joints: []*asset.Node{asset.NewNode("j")}}
			four := make([][4]uint16, 3)
			p.Joints, p.Weights = [][][4]uint16{four, four}, [][][4]float32{{{.2, .2, .2, .2}, {1}, {1}}, {{.2}, {}, {}}}
		}, "skin", "", func(c *Capabilities) { c.Skins, c.Influences = true, 5 }},
		"morph targets": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			p.Targets = []asset.Target{{Positions: [][3]float32{{}, {0, 0, 1}, {}}}}
		}, "morph-targets", `the morph targets of 1 mesh are left out ("shape")`, func(c *Capabilities) { c.Morphs = true }},
		"morph targets that move nothing": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			p.Targets = []asset.Target{{Positions: make([][3]float32, 3)}}
		}, "", "", nil},
		"colours": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			p.Colors = [][4]float32{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 0, 1, 1}}
		}, "vertex-colours", "the colours of vertices of 1 mesh are left out", func(c *Capabilities) { c.Colors = true }},
		"white": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			p.Colors = [][4]float32{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}
		}, "", "", nil},
		"tangents": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			p.Tangents = make([][4]float32, 3)
		}, "", "", nil},
		"two sets": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			p.TexCoords = append(p.TexCoords, p.TexCoords[0])
		}, "texture-coordinates", "further sets of texture coordinates of 1 mesh are left out (\"shape\"): a thing holds 1", func(c *Capabilities) { c.TexCoords = 2 }},
		"two sets, one empty": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			p.TexCoords = append(p.TexCoords, make([][2]float32, 3))
		}, "", "", nil},
		"levels": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			low, lowest := asset.NewNode("low"), asset.NewNode("lowest")
			low.Mesh, lowest.Mesh = n.Mesh, &asset.Mesh{Primitives: []*asset.Primitive{{Mode: asset.Points, Positions: p.Positions}}}
			n.LODs = []*asset.Node{low, lowest}
		}, "levels", `lower levels of detail of 1 node are left out ("wing"): a thing holds none`, func(c *Capabilities) { c.Levels, c.Points = 2, true }},
		"coverage": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			n.Coverage = []float32{0.5}
		}, "coverage", "the screen coverage", func(c *Capabilities) { c.Coverage = true }},
		"a camera": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			n.Camera = &asset.Camera{}
		}, "camera", `1 camera is left out ("wing"): a thing holds none`, func(c *Capabilities) { c.Cameras = true }},
		"an animation": {animate(asset.Translation, 0, 0, 0, 1, 0, 0), "animations", `1 animation is left out ("flap")`, func(c *Capabilities) { c.Animations, c.Paths[asset.Translation] = true, true }},
		"still":        {animate(asset.Translation, 0, 0, 0, 0, 0, 0), "", "", nil},
		"properties": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			n.Extras = map[string]any{"speed": 1}
			m.Extras = n.Extras
		}, "extras", "the custom properties of 2 objects are left out", func(c *Capabilities) { c.Properties = []string{"speed"} }},
		"outside": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			s.Detached = []*asset.Node{asset.NewNode("spare")}
			s.Detached[0].Camera = &asset.Camera{}
		}, "detached-node", `1 node outside the scene is left out ("spare")`, nil},
		"half-transparent": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			m.Alpha, m.BaseColor[3] = asset.Blend, 0.5
		}, "material-property", `the half-transparency of 1 material is left out ("paint")`, func(c *Capabilities) { c.Looks = LookBlend }},
		"half-transparent in name": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) { m.Alpha = asset.Blend }, "", "", nil},
		"holes": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			m.Alpha, m.BaseColorTexture = asset.Mask, picture
		}, "material-property", "the holes of", func(c *Capabilities) { c.Looks = LookMask }},
		"two sides": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) { m.DoubleSided = true }, "material-property", "visibility from behind", func(c *Capabilities) { c.Looks = LookDoubleSided }},
		"unlit":     {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) { m.Unlit = true }, "material-property", "without light", func(c *Capabilities) { c.Looks = LookUnlit }},
		"own light": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) { m.Emissive[0] = 1 }, "material-property", "own light of", func(c *Capabilities) { c.Looks = LookEmissive }},
		"its picture": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			m.EmissiveTexture = picture
		}, "material-property", "picture of own light", func(c *Capabilities) { c.Looks = LookEmissiveTexture }},
		"reflections": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			m.Specular = &asset.Specular{Factor: 0.5, Color: [3]float32{1, 1, 1}}
		}, "material-property", "reflections of", func(c *Capabilities) { c.Looks = LookSpecular }},
		"usual reflections": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			m.Specular = &asset.Specular{Factor: 1, Color: [3]float32{1, 1, 1}}
		}, "", "", nil},
		"a picture of reflections": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			m.Specular = &asset.Specular{Texture: picture}
		}, "material-property", "picture of reflections", func(c *Capabilities) { c.Looks = LookSpecularTexture }},
		"metal": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) { m.Metallic = 1 }, "material-property", "the metal of", func(c *Capabilities) { c.Looks = LookMetal }},
		"its map": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			m.MetalRoughTexture = picture
		}, "material-property", "metal and roughness", func(c *Capabilities) { c.Looks = LookMetalTexture }},
		"normals": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) { m.NormalTexture = picture }, "material-property", "picture of normals", func(c *Capabilities) { c.Looks = LookNormalTexture }},
		"light": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) { m.LightTexture = picture },
			"material-property", "picture of light", func(c *Capabilities) { c.Looks = LookLightTexture }},
		"occlusion": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			m.OcclusionTexture = picture
		}, "material-property", "picture of occlusion", func(c *Capabilities) { c.Looks = LookOcclusionTexture }},
		"not shown": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			s.Materials = append(s.Materials, &asset.Material{Unlit: true})
		}, "", "", nil},
	} {
		target := Capabilities{Target: "a thing", Format: "thing"}
		var d schema.Diagnostics
		if err := Lost(shown(c.spoil), &target, &d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		switch all := d.All(); {
		case c.code == "" && len(all) > 0:
			t.Errorf("%s: %v", name, all)
		case c.code != "" && (len(all) != 1 || all[0].Code != c.code || all[0].Severity != schema.Loss || !strings.Contains(all[0].Msg, c.text)):
			t.Errorf("%s: %v, want one %s with %q", name, all, c.code, c.text)
		}
		if c.allow != nil {
			c.allow(&target)
			d = schema.Diagnostics{}
			if Lost(shown(c.spoil), &target, &d); len(d.All()) > 0 {
				t.Errorf("%s, held: %v", name, d.All())
			}
		}
		if d = (schema.Diagnostics{}); c.code != "detached-node" {
			if Lost(shown(c.spoil), &everything, &d); len(d.All()) > 0 {
				t.Errorf("%s, all held: %v", name, d.All())
			}
		}
	}
}

func TestLostInfluences(t *testing.T) {
	s := shown(func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
		n.Skin = &asset.Skin{Joints: []*asset.Node{asset.NewNode("j")}}
		four := make([][4]uint16, 3)
		p.Joints, p.Weights = [][][4]uint16{four, four}, [][][4]float32{{{.2, .2, .2, .2}, {1}, {.2, .2, .2, .2}}, {{.2}, {}, {.2}}}
	})
	c := Capabilities{Target: "a thing", Format: "thing", Skins: true, Influences: 4}
	var d schema.Diagnostics
	if Lost(s, &c, &d); fmt.Sprint(d.All()) != `[loss: 2 vertices follow more joints than they can, which keep the strongest (the first is "shape"): a thing holds 4 (influences)]` {
		t.Error(d.All())
	}
}

func TestLostPaths(t *testing.T) {
	s := shown(func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
		s.Animations = []*asset.Animation{{Name: "flap", Channels: []*asset.Channel{
			{Node: n, Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0}},
			{Node: n, Path: asset.Scale, Times: []float32{0, 1}, Values: []float32{1, 1, 1, 2, 1, 1}},
			{Node: n, Path: asset.Rotation, Times: []float32{0}, Values: []float32{0, 0, 0, 1}},
		}}}
	})
	c := Capabilities{Target: "a thing", Format: "thing", Animations: true, Paths: [4]bool{asset.Rotation: true}}
	var d schema.Diagnostics
	if Lost(s, &c, &d); fmt.Sprint(d.All()) != `[loss: 2 channels of animations are left out (moving, scaling) (the first is "wing"): a thing holds none (animation-path)]` {
		t.Error(d.All())
	}
}

func TestLostNames(t *testing.T) {
	s := shown(func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
		n.Name, m.Name = "Flügel", "größer"
	})
	c := Capabilities{Target: "a thing", Format: "thing", Name: func(_ NameKind, name string, _ *asset.Native) string {
		return strings.Map(func(r rune) rune {
			if r > '~' {
				return '_'
			}
			return r
		}, name)
	}}
	var d schema.Diagnostics
	if Lost(s, &c, &d); fmt.Sprint(d.All()) != `[loss: 2 names cannot be held as they are, the first: "Flügel" becomes "Fl_gel" (name)]` {
		t.Error(d.All())
	}
}

// What two nodes show is counted once.
func TestLostShared(t *testing.T) {
	s := shown(func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
		again := asset.NewNode("other wing")
		again.Mesh, n.Mesh.Name = n.Mesh, "größer"
		s.Roots = append(s.Roots, again)
	})
	c := Capabilities{Target: "a thing", Format: "thing", Name: func(_ NameKind, name string, _ *asset.Native) string { return strings.ReplaceAll(name, "ö", "_") }}
	var d schema.Diagnostics
	Lost(s, &c, &d)
	if all := d.All(); len(all) != 1 || all[0].Msg != `1 name cannot be held as it is: "größer" becomes "gr_ßer"` {
		t.Error(all)
	}
}

// TestLostErrors: what no model can be made of.
func TestLostErrors(t *testing.T) {
	c := Capabilities{Target: "a thing", Format: "thing"}
	inf := float32(math.Inf(1))
	for name, x := range map[string]struct {
		spoil func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material)
		class error
		text  string
	}{
		"no triangles":      {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) { p.Mode = asset.Lines }, schema.ErrUnsupported, "thing: the scene shows no triangles, and a thing is made of them"},
		"an infinite place": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) { p.Positions[1][2] = inf }, schema.ErrValue, `mesh "shape"/primitives/0: POSITION: vertex 1 is at [1 0 +Inf], which is no place`},
		"no normal": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			p.Normals[1][2] = inf - inf
		}, schema.ErrValue, "NORMAL: vertex 1"},
		"no coordinate": {func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) { p.TexCoords[0][2][0] = inf }, schema.ErrValue, "TEXCOORD_0: vertex 2"},
	} {
		err := Lost(shown(x.spoil), &c, nil)
		if !errors.Is(err, x.class) || !strings.Contains(fmt.Sprint(err), x.text) {
			t.Errorf("%s: %v, want %q", name, err, x.text)
		}
		s := shown(x.spoil)
		s.Native = &asset.Native{Format: "thing"}
		if err := Lost(s, &c, nil); err != nil {
			t.Errorf("%s, from the target itself: %v", name, err)
		}
		if s := shown(x.spoil); x.class == schema.ErrValue {
			s.Meshes[0].Native = &asset.Native{Format: "thing"}
			if err := Lost(s, &c, nil); err != nil {
				t.Errorf("%s, in a mesh of the target itself: %v", name, err)
			}
		}
	}
	if err := Lost(&asset.Scene{}, &Capabilities{Target: "places", Bare: true}, nil); err != nil {
		t.Error(err)
	}
}

// TestLostAll: a scene that has everything, for a target that holds nothing of it, and for one that holds some.
func TestLostAll(t *testing.T) {
	build := func() *asset.Scene {
		return shown(func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			hull, low, lower, joint, spare := shownBy("a$hull", square()), shownBy("low", square()), shownBy("lower", square()), asset.NewNode("joint"), asset.NewNode("spare")
			p.Colors, p.Targets = [][4]float32{{}, {}, {}}, []asset.Target{{Positions: triangle(1)}}
			p.TexCoords = append(p.TexCoords, p.TexCoords[0], p.TexCoords[0])
			p.Joints, p.Weights = [][][4]uint16{make([][4]uint16, 3), make([][4]uint16, 3)}, [][][4]float32{{{1, 1, 1}, {1, 1, 1, 1}, {1}}, {{1}, {1}, {0, 0, 0, 1}}}
			q := square()
			q.Mode = asset.Points
			n.Mesh.Primitives = append(n.Mesh.Primitives, q)
			n.Skin, n.LODs, n.Coverage = &asset.Skin{Joints: []*asset.Node{joint}}, []*asset.Node{low, lower}, []float32{1}
			n.Camera, n.Light, n.Extras, s.Extras = &asset.Camera{}, asset.NewLight(asset.SunLight), map[string]any{"a": 1, "usher": 2}, map[string]any{"b": 1}
			n.Mesh.Extras = map[string]any{"usher": 1}
			low.Extras, lower.Children = map[string]any{"known": 1}, []*asset.Node{shownBy("below", square())}
			deep := shownBy("deep", square())
			lower.Children[0].Children, m.Unlit = []*asset.Node{deep}, true
			deep.Extras, lower.Children[0].Extras, spare.Extras = s.Extras, s.Extras, s.Extras
			kept, keptShape := asset.NewNode("kept"), shownBy("kept shape", square())
			kept.Native, keptShape.Mesh.Native = &asset.Native{}, &asset.Native{}
			spare.Children = []*asset.Node{shownBy("below the spare", square())}
			spare.Children[0].Children = []*asset.Node{shownBy("below that", square())}
			spare.Children[0].Camera, spare.Children[0].Children[0].Camera = &asset.Camera{}, &asset.Camera{}
			s.Roots, s.Detached, s.Skins = append(s.Roots, hull, joint), []*asset.Node{spare, kept, keptShape}, []*asset.Skin{n.Skin}
			for i, path := range []asset.Path{asset.Translation, asset.Rotation, asset.Scale, asset.MorphWeights} {
				values := [][]float32{{0, 0, 0, 1, 0, 0}, {0, 0, 0, 1, 1, 0, 0, 0}, {1, 1, 1, 2, 1, 1}, {0, 1}}[i]
				s.Animations = append(s.Animations, &asset.Animation{Name: fmt.Sprint("a", i), Channels: []*asset.Channel{{Node: n, Path: path, Times: []float32{0, 1}, Values: values}, {Node: n, Path: 4, Times: []float32{0, 1}, Values: values}, {Node: n, Path: path}}})
			}
		})
	}
	for name, c := range map[string]struct {
		holds Capabilities
		want  []string
	}{
		"nothing": {Capabilities{Properties: []string{"known"}}, []string{
			`lines-and-points: 1 primitive of lines or points is left out ("shape"): a thing holds none`,
			`hull: 1 collision hull is left out ("a$hull"): a thing holds none`,
			`skin: 1 mesh has a skin, and stays in the shape in which it was bound ("wing"): a thing holds none`,
			`morph-targets: the morph targets of 1 mesh are left out ("shape"): a thing holds none`,
			`levels: lower levels of detail of 1 node are left out ("wing"): a thing holds none`,
			`coverage: the screen coverage of levels of detail of 1 node is left out ("wing"): a thing holds none`,
			`vertex-colours: the colours of vertices of 1 mesh are left out ("shape"): a thing holds none`,
			`texture-coordinates: further sets of texture coordinates of 1 mesh are left out ("shape"): a thing holds 1`,
			`animations: 4 animations are left out (the first is "a0"): a thing holds none`,
			`camera: 1 camera is left out ("wing"): a thing holds none`,
			`light: 1 light is left out ("wing"): a thing holds none`,
			`detached-node: 1 node outside the scene is left out ("spare"): a thing holds none`,
			`extras: the custom properties of 2 objects are left out (the first is "wing"): a thing holds none`,
			`material-property: the look without light of 1 material is left out ("paint"): a thing holds none`,
		}},
		"some": {Capabilities{Looks: LookUnlit, Properties: []string{"a", "b", "known"}, Levels: 1, Coverage: true, Cameras: true, Lights: true, Hulls: true, Points: true, Colors: true, Morphs: true, TexCoords: 2, Skins: true, Influences: 4, Animations: true, Paths: [4]bool{asset.Scale: true}}, []string{
			`influences: 1 vertex follows more joints than it can ("shape"): a thing holds 4`,
			`levels: lower levels of detail of 1 node are left out ("wing"): a thing holds 1`,
			`texture-coordinates: further sets of texture coordinates of 1 mesh are left out ("shape"): a thing holds 2`,
			`animation-path: 3 channels of animations are left out (moving, turning, blending shapes) (the first is "wing"): a thing holds none`,
			`detached-node: 1 node outside the scene is left out ("spare"): a thing holds none`,
		}},
		"all": {Capabilities{Looks: LookUnlit, Properties: []string{"a", "b", "known"}, Levels: 2, Coverage: true, Cameras: true, Lights: true, Hulls: true, Points: true, Colors: true, Morphs: true, TexCoords: 3, Skins: true, Influences: 5, Animations: true, Paths: [4]bool{true, true, true, true}}, []string{
			`detached-node: 1 node outside the scene is left out ("spare"): a thing holds none`,
		}},
		"places": {Capabilities{Bare: true, Properties: []string{AnyProperty}, Levels: 2, Coverage: true, Cameras: true, Lights: true, Animations: true, Paths: [4]bool{true, true, true, true}}, []string{
			`detached-node: 1 node outside the scene is left out ("spare"): a thing holds none`,
		}},
	} {
		c.holds.Target, c.holds.Format = "a thing", "thing"
		d := new(schema.Diagnostics)
		if err := Lost(build(), &c.holds, d); err != nil {
			t.Error(err)
		}
		equal(t, name, said(d), c.want)
	}
}

// TestLostKinds: names of what is shown or is a joint, of meshes and of materials, each with its Native.
func TestLostKinds(t *testing.T) {
	s := shown(func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
		joint, empty, hull, nameless := asset.NewNode("joint"), asset.NewNode("empty"), shownBy("a$hull", square()), shownBy("", square())
		n.Skin = &asset.Skin{Joints: []*asset.Node{joint}}
		n.Native, n.Mesh.Native, m.Native, joint.Native = &asset.Native{Format: "n"}, &asset.Native{Format: "m"}, &asset.Native{Format: "p"}, &asset.Native{Format: "j"}
		s.Skins, s.Roots = []*asset.Skin{n.Skin}, append(s.Roots, joint, empty, hull, nameless)
	})
	for name, c := range map[string]struct {
		holds Capabilities
		want  []string
	}{
		"shapes": {Capabilities{}, []string{"0 wing n", "1 shape m", "2 paint p"}},
		"skins":  {Capabilities{Skins: true}, []string{"0 wing n", "1 shape m", "0 joint j", "2 paint p"}},
		"places": {Capabilities{Skins: true, Bare: true}, []string{"0 joint j"}},
		"hulls":  {Capabilities{Hulls: true}, []string{"0 wing n", "1 shape m", "0 a$hull ", "1 a$hull ", "2 paint p"}},
	} {
		var asked []string
		c.holds.Format = "thing"
		c.holds.Name = func(kind NameKind, name string, n *asset.Native) string {
			format := ""
			if n != nil {
				format = n.Format
			}
			asked = append(asked, fmt.Sprint(int(kind), " ", name, " ", format))
			return name
		}
		d := new(schema.Diagnostics)
		if err := Lost(s, &c.holds, d); err != nil || d.Has("name") {
			t.Error(err, d.All())
		}
		equal(t, name, asked, c.want)
	}
}

// TestLostLines: which lines a target holds, and that what is empty is none.
func TestLostLines(t *testing.T) {
	for _, c := range []struct {
		modes string // of the primitives: triangles, lines, points, and e for an empty one
		holds Capabilities
		lost  int
	}{
		{"tl", Capabilities{}, 1}, {"tl", Capabilities{Lines: LinesApart}, 1}, {"ttll", Capabilities{Lines: LinesApart}, 2}, {"tl", Capabilities{Lines: AllLines}, 0}, {"ll", Capabilities{Lines: LinesApart, Empty: true}, 0}, {"lp", Capabilities{Lines: LinesApart, Points: true, Empty: true}, 1},
		{"tp", Capabilities{Lines: AllLines}, 1}, {"tp", Capabilities{Points: true}, 0}, {"te", Capabilities{}, 0},
	} {
		s := shown(func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			n.Mesh.Primitives = nil
			for _, x := range c.modes {
				q := square()
				q.Mode = map[rune]asset.Mode{'t': asset.Triangles, 'l': asset.Lines, 'p': asset.Points, 'e': asset.Lines}[x]
				if x == 'e' {
					q.Positions = nil
				}
				n.Mesh.Primitives = append(n.Mesh.Primitives, q)
			}
		})
		c.holds.Format = "thing"
		l := &audit{scene: s, c: &c.holds, tallies: map[string]*tally{}}
		l.nodes()
		lost := 0
		if x := l.tallies["lines-and-points"]; x != nil {
			lost = x.n
		}
		if lost != c.lost {
			t.Errorf("%s: %d are lost, want %d", c.modes, lost, c.lost)
		}
	}
}

// TestLostTriangles: triangles are those of indices, or of vertices without any; what is made later is taken for some.
func TestLostTriangles(t *testing.T) {
	load := func() (*asset.Primitive, error) { return nil, nil }
	for name, c := range map[string]struct {
		p  asset.Primitive
		ok bool
	}{
		"indices":          {asset.Primitive{Positions: triangle(0), Indices: []uint32{0, 1, 2}}, true},
		"vertices":         {asset.Primitive{Positions: triangle(0)}, true},
		"two vertices":     {asset.Primitive{Positions: triangle(0)[:2]}, false},
		"two indices":      {asset.Primitive{Positions: triangle(0), Indices: []uint32{0, 1}}, false},
		"no indices":       {asset.Primitive{Positions: triangle(0), Indices: []uint32{}}, false},
		"made later":       {asset.Primitive{Load: load}, true},
		"lines made later": {asset.Primitive{Mode: asset.Lines, Load: load}, true},
		"nothing":          {asset.Primitive{}, false},
	} {
		s := shown(func(s *asset.Scene, n *asset.Node, p *asset.Primitive, m *asset.Material) {
			n.Mesh.Primitives = []*asset.Primitive{&c.p}
		})
		for _, x := range []struct {
			c      Capabilities
			native *asset.Native
			ok     bool
		}{{Capabilities{Format: "thing"}, nil, c.ok}, {Capabilities{Format: "thing", Empty: true}, nil, true}, {Capabilities{Format: "thing", Bare: true}, nil, true}, {Capabilities{Format: "thing"}, &asset.Native{Format: "thing"}, true}, {Capabilities{Format: "thing"}, &asset.Native{Format: "other"}, c.ok}} {
			s.Native = x.native
			if err := Lost(s, &x.c, nil); (err == nil) != x.ok {
				t.Errorf("%s, %+v: %v", name, x.c, err)
			}
		}
	}
}

// TestSolid: a material is solid where its colour and the pixels of its picture are.
func TestSolid(t *testing.T) {
	picture := func(alpha byte) *asset.TextureRef {
		m := asset.NewImage(1, 1, asset.RGBA8)
		copy(m.Pix, []byte{1, 2, 3, alpha})
		return &asset.TextureRef{Texture: &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}}
	}
	for _, c := range []struct {
		alpha   float32
		picture *asset.TextureRef
		want    bool
	}{{1, nil, true}, {0.999, nil, false}, {1, &asset.TextureRef{}, true}, {1, picture(255), true}, {1, picture(254), false}, {1, picture(0), false}, {1, &asset.TextureRef{Texture: &asset.Texture{}}, false}, {0.5, picture(255), false}} {
		m := asset.NewMaterial("m")
		m.BaseColor[3], m.BaseColorTexture = c.alpha, c.picture
		if Solid(m) != c.want {
			t.Errorf("%v, %v: %v", c.alpha, c.picture, !c.want)
		}
	}
}

// TestTooManySets: a further set counts when it says more than one thing.
func TestTooManySets(t *testing.T) {
	l := &audit{c: &Capabilities{}}
	for _, c := range []struct {
		set  [][2]float32
		want bool
	}{{nil, false}, {[][2]float32{{1, 2}}, false}, {[][2]float32{{1, 2}, {1, 2}}, false}, {[][2]float32{{1, 2}, {1, 3}}, true}} {
		if got := l.tooManySets(&asset.Primitive{TexCoords: [][][2]float32{{{1, 2}, {3, 4}}, c.set}}); got != c.want {
			t.Errorf("%v: %v", c.set, got)
		}
	}
}
