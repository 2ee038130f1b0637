package world

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// TestShapesTold: what was done to the model of an object is told, however deep in its tree; what an editor rewrites by itself is
// not.
func TestShapesTold(t *testing.T) {
	lid := func(n *asset.Node) *asset.Node { return n.Children[0] }
	for _, c := range []struct {
		name string
		edit func(n *asset.Node) // of the object, which has a mesh; its lid has one, and a knob below that
		told string
	}{
		{"nothing", func(*asset.Node) {}, ""},
		{"names of copies", func(n *asset.Node) { lid(n).Name += ".001"; lid(n).Children[0].Name += ".002" }, ""},
		{"corners begun elsewhere", func(n *asset.Node) { n.Mesh.Primitives[0].Indices = []uint32{1, 2, 0} }, ""},
		{"each corner a vertex of its own", func(n *asset.Node) { n.Mesh.Primitives[0].Indices = nil }, ""},
		{"without coordinates", func(n *asset.Node) { n.Mesh.Primitives[0].TexCoords = nil }, ""},
		{"a point beside it", func(n *asset.Node) {
			n.Mesh.Primitives = append(n.Mesh.Primitives, &asset.Primitive{Mode: asset.Points, Positions: [][3]float32{{9, 9, 9}}})
		}, ""},
		{"a vertex", func(n *asset.Node) { n.Mesh.Primitives[0].Positions[1][0] = 2 }, "1 pieces of models differ from what the map showed, the first has other vertices chest_fixed_10"},
		{"all vertices moved", func(n *asset.Node) {
			for i := range n.Mesh.Primitives[0].Positions {
				n.Mesh.Primitives[0].Positions[i][1] += 0.01
			}
		}, "1 pieces of models differ from what the map showed, the first has other vertices chest_fixed_10"},
		{"a coordinate", func(n *asset.Node) { n.Mesh.Primitives[0].TexCoords[0][1][1] = 0.5 }, "1 pieces of models differ from what the map showed, the first has other vertices chest_fixed_10"},
		{"the other coordinate", func(n *asset.Node) { n.Mesh.Primitives[0].TexCoords[0][1][0] = 0.5 }, "1 pieces of models differ from what the map showed, the first has other vertices chest_fixed_10"},
		{"colours", func(n *asset.Node) {
			n.Mesh.Primitives[0].Colors = [][4]float32{{1, 0.5, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}
		}, "1 pieces of models differ from what the map showed, the first has other vertices chest_fixed_10"},
		{"a triangle gone", func(n *asset.Node) { n.Mesh.Primitives = nil }, "1 pieces of models differ from what the map showed, the first has other vertices chest_fixed_10"},
		{"the lid moved", func(n *asset.Node) { lid(n).Transform.Translation[1]++ }, "2 pieces of models differ from what the map showed, the first was moved lid"},
		{"the knob moved", func(n *asset.Node) { lid(n).Children[0].Transform.Translation[1]++ }, "1 pieces of models differ from what the map showed, the first was moved knob"},
		{"the knob renamed", func(n *asset.Node) { lid(n).Children[0].Name = "bell" }, `1 pieces of models differ from what the map showed, the first was called "knob" bell`},
		{"the object renamed", func(n *asset.Node) { n.Name = "box" }, "2 new names are left out box"},
		{"the object's type renamed", func(n *asset.Node) { n.Name = "box_fixed_10" }, ""},
		{"a copy of the object", func(n *asset.Node) { n.Name = "chest_fixed_10.001" }, ""},
		{"of another file", func(n *asset.Node) { n.Name = "chest_nonfixed_10" }, "2 new names are left out chest_nonfixed_10"},
		{"a name of 54 characters", func(n *asset.Node) { n.Name = strings.Repeat("n", 54) }, "2 new names are left out " + strings.Repeat("n", 54)},
		{"a name that editors cut", func(n *asset.Node) { n.Name = strings.Repeat("n", 55) }, ""},
		{"no name", func(n *asset.Node) { n.Name = "" }, ""},
		{"the knob above the lid", func(n *asset.Node) {
			knob := lid(n).Children[0]
			n.Children, lid(n).Children = append(n.Children, knob), nil
			knob.Transform.Translation[0] += lid(n).Transform.Translation[0]
		}, "1 pieces of models differ from what the map showed, the first was put below another node knob"},
		{"a new mesh", func(n *asset.Node) {
			ribbon := asset.NewNode("ribbon")
			ribbon.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{leaf()}}
			n.Children = append(n.Children, ribbon)
		}, "1 pieces of models differ from what the map showed, the first is new ribbon"},
		{"another mesh, and the lid renamed", func(n *asset.Node) {
			n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{leaf()}}
			lid(n).Name = "door"
		}, "2 pieces of models differ from what the map showed, the first is new chest_fixed_10, door"},
		{"an object in it", func(n *asset.Node) {
			coin := asset.NewNode("coin")
			coin.Mesh, coin.Native = &asset.Mesh{Primitives: []*asset.Primitive{leaf()}}, &asset.Native{Format: objectName}
			n.Children = append(n.Children, coin)
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			nodes := make([]*asset.Node, 3)
			at := mgl64.Ident4()
			for i, name := range []string{"chest_fixed_10", "lid", "knob"} {
				nodes[i] = asset.NewNode(name)
				nodes[i].Mesh = &asset.Mesh{Name: name, Primitives: []*asset.Primitive{leaf()}}
				if i > 0 {
					nodes[i].Transform.Translation[0] = 5
					at = at.Mul4(mgl64.Translate3D(5, 0, 0))
					nodes[i-1].Children = []*asset.Node{nodes[i]}
				}
				keepShape(nodes[i].Mesh, at, i)
			}
			c.edit(nodes[0])
			d := new(schema.Diagnostics)
			l := &objectLowerer{env: &format.Env{Diagnostics: d}, kind: ultima9.Fixed, marked: true, sums: map[*asset.Mesh]bool{}, told: map[string]bool{}}
			for range 2 { // objects share models
				l.object(nodes[0], 0x10)
			}
			l.tellRest(&asset.Scene{}, nil)
			if told := saidOf(d); told != c.told {
				t.Errorf("told %q, want %q", told, c.told)
			}
		})
	}
}

// saidOf returns the beginnings of what was told, with the places.
func saidOf(d *schema.Diagnostics) string {
	var list []string
	for _, x := range d.All() {
		msg := x.Msg
		for _, tail := range []string{": a map only", ", triangles", ", turned", ", the first is that"} {
			msg, _, _ = strings.Cut(msg, tail)
		}
		list = append(list, msg+" "+x.Path)
	}
	return strings.Join(list, "; ")
}

// TestTerrainTold: what a terrain cannot hold of an edit of its scene is told, and nothing else.
func TestTerrainTold(t *testing.T) {
	stored := u9.Do(read.Terrain(corpus.Bytes(t, corpus.Testdata(t, "ultima9", "terrain.9")), nil))(t)
	node := func(s *asset.Scene, name string) *asset.Node { return u9.NodeNamed(t, s, name) }
	water := func(s *asset.Scene) *asset.Material { return node(s, "water").Mesh.Primitives[0].Material }
	cube := func(native string) *asset.Node {
		n := asset.NewNode("Cube")
		n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{leaf()}}
		if native != "" {
			n.Native = &asset.Native{Format: native}
		}
		return n
	}
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene)
		told string
	}{
		{"nothing", func(*asset.Scene) {}, ""},
		{"names of copies", func(s *asset.Scene) { node(s, "ground").Name, node(s, "water").Name = "ground.001", "water.002" }, ""},
		{"all of it raised", func(s *asset.Scene) { s.Roots[0].Transform.Translation[1]++ }, ""},
		{"the water raised", func(s *asset.Scene) { node(s, "water").Transform.Translation[2]++ }, ""},
		{"the ground turned", func(s *asset.Scene) { node(s, "ground").Transform.Rotation = [4]float32{0, 0, 1, 0} }, "ground-moved"},
		{"the ground renamed", func(s *asset.Scene) { node(s, "ground").Name = "Hills" }, "name"},
		{"the water renamed", func(s *asset.Scene) { node(s, "water").Name = "Sea" }, "name"},
		{"the water gone", func(s *asset.Scene) {
			s.Roots[0].Children = slices.DeleteFunc(s.Roots[0].Children, func(n *asset.Node) bool { return n.Name == "water" })
		}, "no-water"},
		{"the water cut", func(s *asset.Scene) { node(s, "water").Mesh.Primitives[0].Positions[1][0] /= 2 }, "water-shape"},
		{"the water wider", func(s *asset.Scene) { node(s, "water").Transform.Scale[0] = 2 }, "ground-moved water-shape"},
		{"the water tilted", func(s *asset.Scene) { node(s, "water").Mesh.Primitives[0].Positions[1][2] += 100 }, "water-shape"},
		{"the water red", func(s *asset.Scene) { water(s).BaseColor = [4]float32{1, 0, 0, 1} }, "material-colour"},
		{"the water with a picture", func(s *asset.Scene) {
			water(s).BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "waves"}}
		}, "material-colour"},
		{"the water shines", func(s *asset.Scene) { water(s).Emissive = [3]float32{1, 1, 1} }, "material-property"},
		{"another ground", func(s *asset.Scene) {
			more := *node(s, "ground")
			s.Roots[0].Children = append(s.Roots[0].Children, &more)
		}, "ground-twice"},
		{"the water below the ground", func(s *asset.Scene) {
			s.Roots[0].Children = slices.DeleteFunc(s.Roots[0].Children, func(n *asset.Node) bool {
				if n.Name == "water" {
					node(s, "ground").Children = []*asset.Node{n}
				}
				return n.Name == "water"
			})
		}, "ground-parent"},
		{"a material gone", func(s *asset.Scene) { node(s, "ground").Mesh.Primitives[0].Material = nil }, "texture-gone"},
		{"a cube", func(s *asset.Scene) { s.Roots = append(s.Roots, cube("")) }, "unknown-node"},
		{"an object", func(s *asset.Scene) { s.Roots = append(s.Roots, cube(objectName)) }, ""},
		{"fixed objects", func(s *asset.Scene) { s.Roots = append(s.Roots, cube("u9-fixed")) }, ""},
		{"other objects", func(s *asset.Scene) { s.Roots = append(s.Roots, cube("u9-nonfixed")) }, ""},
		{"a cube in an object", func(s *asset.Scene) {
			n := asset.NewNode("chest")
			n.Native, n.Children = &asset.Native{Format: objectName}, []*asset.Node{cube("")}
			s.Roots = append(s.Roots, n)
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := u9.ThroughGLB(t, "", u9.Do(liftTerrain(stored, nil))(t))
			c.edit(s)
			d := new(schema.Diagnostics)
			u9.Do(lowerTerrain(s, &format.Env{Diagnostics: d}))(t)
			var codes []string
			for _, x := range d.All() {
				if x.Severity != schema.Note && !slices.Contains(codes, x.Code) {
					codes = append(codes, x.Code)
				}
			}
			slices.Sort(codes)
			if got := strings.Join(codes, " "); got != c.told {
				t.Errorf("told %q, want %q: %v", got, c.told, d.All())
			}
		})
	}
}

// TestMapPart: of a map each of its files has its own nodes, what these wear and what moves them, and what is nobody's.
func TestMapPart(t *testing.T) {
	var all []*asset.Material
	worn := func(name, native string, materials ...*asset.Material) *asset.Node {
		n := asset.NewNode(name)
		if native != "" {
			n.Native = &asset.Native{Format: native}
		}
		n.Mesh = &asset.Mesh{}
		for _, m := range materials {
			p := leaf()
			p.Material = m
			n.Mesh.Primitives = append(n.Mesh.Primitives, p)
		}
		return n
	}
	for _, name := range []string{"grass", "wood", "stone", "unused"} {
		all = append(all, asset.NewMaterial(name))
	}
	grass, wood, stone := all[0], all[1], all[2]
	ground, fixed, nonfixed := worn("ground", TerrainName, grass, stone), worn("fixed", "u9-fixed"), worn("nonfixed", "u9-nonfixed")
	wall, chest := worn("wall", objectName, stone), worn("chest", objectName, wood)
	fixed.Children, nonfixed.Children = []*asset.Node{wall}, []*asset.Node{chest}
	move := func(name string, nodes ...*asset.Node) *asset.Animation {
		a := &asset.Animation{Name: name}
		for _, n := range nodes {
			a.Channels = append(a.Channels, &asset.Channel{Node: n})
		}
		return a
	}
	s := &asset.Scene{Roots: []*asset.Node{ground, fixed, nonfixed}, Materials: all, Animations: []*asset.Animation{move("open", chest), move("quake", ground, wall), move("nothing")}}
	for target, want := range map[string]string{
		TerrainName:   "[ground] [grass stone unused] [quake 1 nothing 0]",
		"u9-fixed":    "[fixed wall] [stone unused] [quake 1 nothing 0]",
		"u9-nonfixed": "[nonfixed chest] [wood unused] [open 1 nothing 0]",
	} {
		part := mapPart(s, target)
		var nodes, materials, moves []string
		part.Walk(func(n, _ *asset.Node) { nodes = append(nodes, n.Name) })
		for _, m := range part.Materials {
			materials = append(materials, m.Name)
		}
		for _, a := range part.Animations {
			moves = append(moves, fmt.Sprint(a.Name, " ", len(a.Channels)))
		}
		if got := fmt.Sprint(nodes, materials, moves); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	if len(s.Roots) != 3 || len(s.Materials) != 4 || len(s.Animations[1].Channels) != 2 {
		t.Error("the scene was changed")
	}
	alone := &asset.Scene{Roots: []*asset.Node{ground}}
	if mapPart(alone, TerrainName) != alone {
		t.Error("what is of one file alone was copied")
	}
}

// TestBoxedTerrain: of a part of a map that comes back with one cell, the others of the part are holes, and nothing else is another.
func TestBoxedTerrain(t *testing.T) {
	b := lake(t)
	grid := u9.Do(read.Terrain(b, nil))(t).Grid()
	const points = float64(ultima9.RawPerMetre) / ultima9.PointStep // of a metre
	for _, box := range [][4]int{{0, 0, 32, 32}, {3, 5, 17, 30}, {16, 16, 32, 32}, {15, 0, 18, 2}} {
		env := &format.Env{Stored: b}
		for _, v := range box {
			env.Options.Ultima9.Box = append(env.Options.Ultima9.Box, float64(v)/points)
		}
		s := u9.ThroughGLB(t, "", u9.Do(liftTerrain(u9.Do(read.Terrain(b, nil))(t), env))(t))
		corpus.SameBytes(t, fmt.Sprint("untouched, box ", box), u9.Lower(t, Terrain, asset.Asset(s), nil), b)
		s = u9.ThroughGLB(t, "", u9.Do(liftTerrain(u9.Do(read.Terrain(b, nil))(t), env))(t))
		ground := node(s, groundNode)
		first := ground.Mesh.Primitives[0]
		ground.Mesh.Primitives, first.Indices = []*asset.Primitive{first}, first.Indices[:6]
		left := 0
		for i, p := range u9.Do(lowerTerrain(s, nil))(t).Grid() {
			x, y := i%32, i/32
			inside := x >= box[0] && y >= box[1] && x < box[2] && y < box[3]
			switch {
			case !inside && p != grid[i]:
				t.Errorf("box %v: cell %d, %d is %v, and was %v", box, x, y, p, grid[i])
			case inside && p.Visible():
				left++
			}
		}
		if left != 1 {
			t.Errorf("box %v: %d cells are left, want 1", box, left)
		}
	}
}

// node returns the node of a name.
func node(s *asset.Scene, name string) (found *asset.Node) {
	s.Walk(func(n, _ *asset.Node) {
		if n.Name == name {
			found = n
		}
	})
	return found
}

// TestMapBox: a box holds what lies in it, its own border to the south and west, and not those to the north and east.
func TestMapBox(t *testing.T) {
	b := mapBox{set: true, raw: [4]float64{10, 20, 30, 40}}
	for _, c := range []struct {
		x, y int32
		in   bool
	}{{10, 20, true}, {29, 39, true}, {9, 20, false}, {10, 19, false}, {30, 39, false}, {29, 40, false}} {
		if o := (&ultima9.Object{X: c.x, Y: c.y}); b.holds(o) != c.in || !(mapBox{}).holds(o) {
			t.Errorf("%d, %d: in it %v, in all of the map %v", c.x, c.y, b.holds(o), mapBox{}.holds(o))
		}
	}
}

// TestNewObjects: what the node of a new object makes, and which objects are said to be gone.
func TestNewObjects(t *testing.T) {
	for name, want := range map[string]int{"type_12": 12, "type_12.001": 12, "type_12 crate": 12, "type_9999": 9999, "type_0": 0, "crate": -1, "type_12345": -1, "type_": -1, "type_12a": -1, "my type_12": -1} {
		d := new(schema.Diagnostics)
		l := &objectLowerer{env: &format.Env{Diagnostics: d}, kind: ultima9.Fixed, file: &ultima9.ObjectFile{Width: 1, Height: 1}}
		l.node(asset.NewNode(name), mgl64.Ident4())
		got := -1
		if len(l.file.Objects) > 0 {
			got = int(l.file.Objects[0].Type)
		}
		if got != want || d.Has("unknown-object") != (want < 0) {
			t.Errorf("%s: type %d, want %d: %v", name, got, want, d.All())
		}
	}
	group := asset.NewNode("crates")
	group.Children = []*asset.Node{asset.NewNode("type_5")}
	d := new(schema.Diagnostics)
	l := &objectLowerer{env: &format.Env{Diagnostics: d}, kind: ultima9.Nonfixed, stored: map[uint32]*ultima9.Object{0x20: {}, 0x10: {}, 0x30: {}}, seen: map[uint32]bool{0x30: true}}
	l.node(group, mgl64.Ident4())
	l.tellRest(&asset.Scene{}, nil)
	if told := saidOf(d); !strings.HasPrefix(told, "2 objects are not in the scene and are taken out of the map") || !strings.Contains(fmt.Sprint(d.All()), "the first is nonfixed_10:") || len(d.All()) != 1 {
		t.Error(d.All())
	}
}
