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
	}
	if err := Lost(&asset.Scene{}, &Capabilities{Target: "places", Bare: true}, nil); err != nil {
		t.Error(err)
	}
}
