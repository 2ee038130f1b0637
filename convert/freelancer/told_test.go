package freelancer_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/edits"
)

// TestLosses puts what no model can hold on what a model has and on a new node, in each format: it is named.
func TestLosses(t *testing.T) {
	things := map[string]func(s *asset.Scene, n *asset.Node){
		"extras": func(_ *asset.Scene, n *asset.Node) { n.Extras = maps.Clone(n.Extras); extra(&n.Extras) },
		"light":  func(_ *asset.Scene, n *asset.Node) { n.Light = &asset.Light{Intensity: 1, Color: [3]float32{1, 1, 1}} },
		"camera": func(_ *asset.Scene, n *asset.Node) {
			c := asset.NewNode("Look")
			c.Camera = &asset.Camera{Name: "Look", FieldOfView: 1, Near: 0.1}
			n.Children = append(n.Children, c)
		},
		"morph-targets": func(s *asset.Scene, n *asset.Node) {
			p := n.Mesh.Primitives[0]
			moved := make([][3]float32, len(p.Positions))
			moved[0][0] = 1
			p.Targets = append(p.Targets, asset.Target{Positions: moved})
		},
		"lines-and-points": func(s *asset.Scene, n *asset.Node) {
			p := &asset.Primitive{Mode: asset.Points, Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}}}
			c := asset.NewNode("Dots")
			c.Mesh = &asset.Mesh{Name: "Dots", Primitives: []*asset.Primitive{p}}
			s.Meshes = append(s.Meshes, c.Mesh)
			n.Children = append(n.Children, c)
		},
	}
	holds := map[string][]string{"cmp": {"camera"}, "dfm": {"camera"}}
	for _, name := range []string{"cmp", "3db"} {
		for _, what := range slices.Sorted(maps.Keys(things)) {
			s := ship()
			things[what](s, s.Roots[0])
			var d schema.Diagnostics
			lower(t, byName(t, name), "ship."+name, fromGLB(t, glb(t, s, nil)), &d)
			if want := !slices.Contains(holds[name], what); d.Has(what) != want {
				t.Errorf("%s in a .%s file: told %v, want %v: %v", what, name, !want, want, d.All())
			}
		}
		var d schema.Diagnostics
		lower(t, byName(t, name), "ship."+name, fromGLB(t, glb(t, ship(), nil)), &d)
		for what := range things {
			if d.Has(what) {
				t.Errorf(".%s: %s is named, and is not there", name, what)
			}
		}
	}
}

// TestOwnLosses puts dots and a skin into the scene of a stored model, as it is and without its native values: each is named once.
func TestOwnLosses(t *testing.T) {
	dots := func(s *asset.Scene) {
		c := asset.NewNode("Dots")
		c.Mesh = &asset.Mesh{Name: "Dots", Primitives: []*asset.Primitive{{Mode: asset.Points, Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}}}}}
		s.Meshes = append(s.Meshes, c.Mesh)
		s.Roots[0].Children = append(s.Roots[0].Children, c)
	}
	skin := func(s *asset.Scene) {
		for _, p := range s.Meshes[0].Primitives {
			p.Joints, p.Weights = [][][4]uint16{make([][4]uint16, len(p.Positions))}, [][][4]float32{make([][4]float32, len(p.Positions))}
			for i := range p.Weights[0] {
				p.Weights[0][i][0] = 1
			}
		}
		s.Skins = []*asset.Skin{{Joints: []*asset.Node{asset.NewNode("bone")}}}
		s.Roots = append(s.Roots, s.Skins[0].Joints...)
		s.Walk(func(n, _ *asset.Node) {
			if n.Mesh == s.Meshes[0] {
				n.Skin = s.Skins[0]
			}
		})
	}
	for _, c := range []struct {
		file string
		own  bool
		edit func(s *asset.Scene)
		want string
	}{
		{"ship.cmp", true, dots, "Dots lines-and-points"},
		{"ship.cmp", false, dots, " lines-and-points; Dots lines-and-points"},
		{"crate.3db", true, dots, "Dots parts-left-out"},
		{"figure.dfm", true, dots, " lines-and-points"},
		{"ship.cmp", true, skin, " skin"},
		{"ship.cmp", false, skin, " skin"},
		{"crate.3db", true, skin, " skin"},
		{"figure.dfm", true, func(*asset.Scene) {}, ""},
	} {
		b := corpus.Bytes(t, corpus.Testdata(t, "freelancer", c.file))
		f := sniff(t, c.file, b)
		s := lift(t, f, c.file, b, nil)
		if c.edit(s); !c.own {
			s.Native = nil
		}
		d := new(schema.Diagnostics)
		lower(t, f, c.file, s, d)
		var told []string
		for _, m := range d.All() {
			if m.Severity == schema.Loss {
				told = append(told, m.Path+" "+m.Code)
			}
		}
		if got := strings.Join(told, "; "); got != c.want {
			t.Errorf("%s, its own: %v: told %q, want %q", c.file, c.own, got, c.want)
		}
	}
}

func extra(x *map[string]any) {
	if *x == nil {
		*x = map[string]any{}
	}
	(*x)["my_prop"] = 42.0
}

// TestColoursOfBlender: colours that Blender 3.4 may have mixed up are as they were; others were painted.
func TestColoursOfBlender(t *testing.T) {
	red, blue, green, white := [4]float32{1, 0, 0, 1}, [4]float32{0, 0, 1, 1}, [4]float32{0, 1, 0, 1}, [4]float32{1, 1, 1, 1}
	for _, c := range []struct {
		name             string
		stored, now, out [2][4]float32 // of the first corner, and of the others
	}{
		{"none before", [2][4]float32{}, [2][4]float32{green, green}, [2][4]float32{green, green}},
		{"none before, two", [2][4]float32{}, [2][4]float32{green, red}, [2][4]float32{green, red}},
		{"white before", [2][4]float32{white, white}, [2][4]float32{red, red}, [2][4]float32{red, red}},
		{"another one", [2][4]float32{red, blue}, [2][4]float32{green, green}, [2][4]float32{green, green}},
		{"another one beside", [2][4]float32{red, blue}, [2][4]float32{red, green}, [2][4]float32{red, green}},
		{"mixed up", [2][4]float32{red, blue}, [2][4]float32{blue, red}, [2][4]float32{red, blue}},
		{"unedited", [2][4]float32{red, blue}, [2][4]float32{red, blue}, [2][4]float32{red, blue}},
	} {
		fm := byName(t, "3db")
		n := meshNode("Root", box(gradient("paint", 40), [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))
		paint := func(p *asset.Primitive, colors [2][4]float32) {
			if colors == [2][4]float32{} {
				return
			}
			p.Colors = slices.Repeat([][4]float32{colors[1]}, len(p.Positions))
			p.Colors[0] = colors[0]
		}
		paint(n.Mesh.Primitives[0], c.stored)
		s := &asset.Scene{Roots: []*asset.Node{n}}
		listMeshes(s)
		s.Materials = []*asset.Material{n.Mesh.Primitives[0].Material}
		s.Textures = []*asset.Texture{s.Materials[0].BaseColorTexture.Texture}
		stored := lower(t, fm, "box.3db", fromGLB(t, glb(t, s, nil)), nil)
		edited := lift(t, fm, "box.3db", stored, nil)
		paint(edited.Roots[0].Mesh.Primitives[0], c.now)
		doc, err := edits.Parse(glb(t, edited, nil))
		if err != nil {
			t.Fatal(err)
		}
		doc.JSON["asset"].(edits.Object)["generator"] = "Khronos glTF Blender I/O v3.4.50"
		got := lift(t, fm, "box.3db", lower(t, fm, "box.3db", fromGLB(t, doc.Bytes()), nil), nil).Roots[0].Mesh.Primitives[0].Colors
		if len(got) == 0 || got[0] != c.out[0] || got[1] != c.out[1] {
			t.Errorf("%s: %v, want %v", c.name, got[:min(len(got), 2)], c.out)
		}
	}
}
