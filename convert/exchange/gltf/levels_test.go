package gltf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestPlacesOfLevels: lower levels that are shown hang on their node, and beside it where one of the two moves on its own or
// the node is flat.
func TestPlacesOfLevels(t *testing.T) {
	moving := func(n *asset.Node, path asset.Path, values int) func(s *asset.Scene) {
		return func(s *asset.Scene) {
			c := &asset.Channel{Node: n, Path: path, Times: []float32{0, 1}, Values: make([]float32, values)}
			s.Animations = []*asset.Animation{{Name: "go", Channels: []*asset.Channel{c}}}
		}
	}
	for name, edit := range map[string]func(s *asset.Scene, n, level *asset.Node) (beside bool){
		"still":           func(s *asset.Scene, n, level *asset.Node) bool { return false },
		"the node moves":  func(s *asset.Scene, n, level *asset.Node) bool { moving(n, asset.Translation, 6)(s); return true },
		"the level moves": func(s *asset.Scene, n, level *asset.Node) bool { moving(level, asset.Translation, 6)(s); return true },
		"the parent moves": func(s *asset.Scene, n, level *asset.Node) bool {
			moving(s.Roots[0], asset.Translation, 6)(s)
			return false
		},
		"the node is flat": func(s *asset.Scene, n, level *asset.Node) bool { n.Transform.Scale[1] = 0; return true },
		"the node is turned": func(s *asset.Scene, n, level *asset.Node) bool {
			n.Transform.Rotation = [4]float32{1, 0, 0, 0}
			return false
		},
	} {
		root, n, level := asset.NewNode("root"), asset.NewNode("n"), asset.NewNode("level")
		n.Mesh, level.Mesh = mesh("high", quad()), mesh("low", quad())
		root.Children, n.LODs = []*asset.Node{n}, []*asset.Node{level}
		s := &asset.Scene{Roots: []*asset.Node{root}, Meshes: []*asset.Mesh{n.Mesh, level.Mesh}, Native: &asset.Native{Format: "x", Payload: []byte{1}}}
		beside := edit(s, n, level)
		want := map[bool]string{false: "root: n, n: level", true: "root: n level"}[beside]
		if got := hierarchy(t, editedAll(t, s)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func editedAll(t *testing.T, s *asset.Scene) []byte {
	t.Helper()
	all := ShowAll
	files, err := EncodeFiles(s, "x", Options{Show: &all})
	if err != nil {
		t.Fatal(err)
	}
	return files[0].Content
}

// hierarchy lists the nodes of a document that have children.
func hierarchy(t *testing.T, doc []byte) (list string) {
	t.Helper()
	var x struct {
		Nodes []struct {
			Name     string
			Children []int
		}
	}
	if err := json.Unmarshal(doc, &x); err != nil {
		t.Fatal(err)
	}
	for _, n := range x.Nodes {
		if len(n.Children) == 0 {
			continue
		}
		if list != "" {
			list += ", "
		}
		list += n.Name + ":"
		for _, c := range n.Children {
			list += " " + x.Nodes[c].Name
		}
	}
	return list
}

// TestManyNodes: the nodes of a large scene are written one by one, and all come back in their order.
func TestManyNodes(t *testing.T) {
	for _, count := range []int{manyNodes - 1, manyNodes, manyNodes + 1} {
		s := &asset.Scene{Name: "crowd"}
		for i := range count {
			s.Roots = append(s.Roots, asset.NewNode(fmt.Sprint("n", i)))
		}
		back := decode(t, encode(t, s, nil))
		if len(back.Roots) != count || back.Name != "crowd" {
			t.Fatalf("%d nodes of %q, want %d", len(back.Roots), back.Name, count)
		}
		for i, n := range back.Roots {
			if n.Name != fmt.Sprint("n", i) {
				t.Fatalf("node %d is %s", i, n.Name)
			}
		}
	}
}

// TestTangentsOfTargets: a morph target has tangents where its mesh has normals and tangents.
func TestTangentsOfTargets(t *testing.T) {
	for _, c := range []struct{ normals, tangents, kept bool }{{true, true, true}, {true, false, false}, {false, true, false}} {
		p := quad()
		p.Normals, p.Tangents = nil, nil
		for range p.Positions {
			if c.normals {
				p.Normals = append(p.Normals, [3]float32{0, 0, 1})
			}
			if c.tangents {
				p.Tangents = append(p.Tangents, [4]float32{1, 0, 0, 1})
			}
		}
		p.Targets = []asset.Target{{Positions: make([][3]float32, len(p.Positions)), Tangents: make([][3]float32, len(p.Positions))}}
		p.Targets[0].Tangents[0] = [3]float32{0, 0.5, 0}
		back := decode(t, encode(t, scene(mesh("m", p)), nil)).Meshes[0].Primitives[0].Targets[0]
		if got := len(back.Tangents) > 0 && back.Tangents[0] == p.Targets[0].Tangents[0]; got != c.kept {
			t.Errorf("normals %v, tangents %v: the target's tangents are %v", c.normals, c.tangents, back.Tangents)
		}
	}
}

// TestWrittenNodes: how places are written, and what of a node that glTF has no place for rides along.
func TestWrittenNodes(t *testing.T) {
	turn := [16]float32{0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1}
	matrix := func(s *asset.Scene, n *asset.Node) { n.Transform.Matrix = &turn }
	for name, c := range map[string]struct {
		change func(s *asset.Scene, n *asset.Node)
		plain  bool // the matrix itself
	}{
		"still": {matrix, true},
		"moved": {func(s *asset.Scene, n *asset.Node) {
			matrix(s, n)
			s.Animations = []*asset.Animation{{Name: "a", Channels: []*asset.Channel{{Node: n, Path: asset.Scale, Times: []float32{0}, Values: []float32{1, 1, 1}}}}}
		}, false},
		"morphed": {func(s *asset.Scene, n *asset.Node) {
			matrix(s, n)
			n.Mesh.Primitives[0].Targets = []asset.Target{{Positions: make([][3]float32, 4)}}
			s.Animations = []*asset.Animation{{Name: "a", Channels: []*asset.Channel{{Node: n, Path: asset.MorphWeights, Times: []float32{0}, Values: []float32{1}}}}}
		}, true},
		"with a skin": {func(s *asset.Scene, n *asset.Node) {
			matrix(s, n)
			n.Skin = &asset.Skin{Joints: []*asset.Node{bone("j")}}
			s.Skins, s.Roots = []*asset.Skin{n.Skin}, append(s.Roots, n.Skin.Joints[0])
		}, false},
		"sheared": {func(s *asset.Scene, n *asset.Node) { m := turn; m[5] = 1; n.Transform.Matrix = &m }, false},
		"nothing": {func(s *asset.Scene, n *asset.Node) { m := identityMatrix; n.Transform.Matrix = &m }, false},
	} {
		s := scene(mesh("m", quad()))
		c.change(s, s.Roots[0])
		d := newDecoder(nil, nil)
		back, err := decodeWith(encode(t, s, nil), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if x := diff(s, back); x != "" {
			t.Errorf("%s (-want +got):\n%s", name, x)
		}
		g := d.doc.Nodes[0]
		if plain := g.Matrix[12] == 5; plain != c.plain {
			t.Errorf("%s: %v", name, g)
		}
	}
	n := asset.NewNode("n")
	n.Weights = []float32{0.5}
	nothing := asset.NewNode("nothing")
	nothing.Transform.Scale = [3]float32{}
	over := asset.NewNode("over")
	over.Transform.Rotation = [4]float32{0, 0, 0, 1.0001}
	d := newDecoder(nil, nil)
	back, err := decodeWith(encode(t, &asset.Scene{Roots: []*asset.Node{n, nothing, over}}, nil), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "back", []any{back.Roots[0].Weights, back.Roots[1].Transform.Scale, d.doc.Nodes[2].Rotation}, []any{[]float32{0.5}, [3]float32{}, [4]float64{0, 0, 0, 1}})
	for i, c := range []struct {
		q, want [4]float32
		mended  bool
	}{
		{[4]float32{0, 0, 0, 1}, [4]float32{0, 0, 0, 1}, false}, {[4]float32{0, 0, 0, 1.002}, [4]float32{0, 0, 0, 1.002}, false}, {[4]float32{0, 0, 0, 1.003}, [4]float32{0, 0, 0, 1}, true}, {[4]float32{0, 0.997, 0, 0}, [4]float32{0, 1, 0, 0}, true},
		{[4]float32{3, 0, 4, 0}, [4]float32{0.6, 0, 0.8, 0}, true}, {[4]float32{}, [4]float32{0, 0, 0, 1}, true}, {[4]float32{1e-16}, [4]float32{0, 0, 0, 1}, true}, {[4]float32{1e-14}, [4]float32{1}, true}, {[4]float32{float32(math.Inf(1))}, [4]float32{0, 0, 0, 1}, true},
	} {
		if mended := mendQuaternion(c.q[:]); mended != c.mended || c.q != c.want {
			t.Errorf("%d: %v, mended %t", i, c.q, mended)
		}
	}
}

// TestShownLevels: levels of levels, levels of parts outside the scene, and those whose names are the same.
func TestShownLevels(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(n, a, b *asset.Node) *asset.Scene
	}{
		{"of a level", func(n, a, b *asset.Node) *asset.Scene {
			n.LODs, a.LODs = []*asset.Node{a}, []*asset.Node{b}
			return &asset.Scene{Roots: []*asset.Node{n}}
		}},
		{"outside", func(n, a, b *asset.Node) *asset.Scene {
			n.LODs = []*asset.Node{a, b}
			return &asset.Scene{Detached: []*asset.Node{n}}
		}},
		{"flat", func(n, a, b *asset.Node) *asset.Scene {
			n.LODs, n.Transform.Scale[0] = []*asset.Node{a, b}, 0
			return &asset.Scene{Roots: []*asset.Node{n}}
		}},
		{"flat outside", func(n, a, b *asset.Node) *asset.Scene {
			n.LODs, n.Transform.Scale[0] = []*asset.Node{a, b}, 0
			return &asset.Scene{Detached: []*asset.Node{n}}
		}},
		{"with children", func(n, a, b *asset.Node) *asset.Scene {
			n.LODs, a.Children, n.Transform.Translation[0] = []*asset.Node{a}, []*asset.Node{b}, 3
			return &asset.Scene{Roots: []*asset.Node{n}}
		}},
	} {
		for _, made := range []bool{false, true} {
			s := c.make(asset.NewNode("n"), asset.NewNode("a"), asset.NewNode("b"))
			if made {
				s.Native = &asset.Native{Format: "x"}
			}
			all := ShowAll
			var w bytes.Buffer
			if err := Encode(&w, s, Options{Show: &all}); err != nil {
				t.Fatal(err)
			}
			if x := diff(s, decode(t, w.Bytes())); x != "" {
				t.Errorf("%s, made %t (-want +got):\n%s", c.name, made, x)
			}
		}
	}
	for depth, class := range map[int]error{schema.DefaultLimits.Depth: nil, schema.DefaultLimits.Depth + 1: schema.ErrLimit} {
		top := asset.NewNode("top")
		n := top
		for range depth {
			n.LODs = []*asset.Node{asset.NewNode("l")}
			n = n.LODs[0]
		}
		if err := Encode(new(bytes.Buffer), &asset.Scene{Roots: []*asset.Node{top}}, Options{}); schema.Class(err) != class {
			t.Errorf("%d levels below each other: %v, want %v", depth, err, class)
		}
	}
}

// TestWrittenAnimations: times that are equal are written once, and a single cubic key becomes a step.
func TestWrittenAnimations(t *testing.T) {
	n := asset.NewNode("n")
	s := &asset.Scene{Roots: []*asset.Node{n}, Animations: []*asset.Animation{{Name: "a", Channels: []*asset.Channel{
		{Node: n, Path: asset.Translation, Times: []float32{0, 1, 3}, Values: make([]float32, 9)}, {Node: n, Path: asset.Scale, Times: []float32{0, 1, 3}, Values: make([]float32, 9)}, {Node: n, Path: asset.Rotation, Interpolation: asset.StepKeys, Times: []float32{0, 2, 3}, Values: []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}},
	}}, {Name: "b", Channels: []*asset.Channel{{Node: n, Path: asset.Translation, Interpolation: asset.CubicKeys, Times: []float32{1}, Values: []float32{1, 1, 1, 2, 3, 4, 5, 5, 5}}}}}}
	d := newDecoder(nil, nil)
	back, err := decodeWith(encode(t, s, new(schema.Diagnostics)), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := d.doc.Animations[0].Samplers
	if all[0].Input != all[1].Input || all[0].Input == all[2].Input || len(d.doc.Accessors) != 7 {
		t.Errorf("times %d, %d, %d of %d accessors", all[0].Input, all[1].Input, all[2].Input, len(d.doc.Accessors))
	}
	equal(t, "a single key", back.Animations[1].Channels[0], &asset.Channel{Node: n, Path: asset.Translation, Interpolation: asset.StepKeys, Times: []float32{1}, Values: []float32{2, 3, 4}})
	equal(t, "times", []any{d.doc.Accessors[all[2].Input].Min, d.doc.Accessors[all[2].Input].Max}, []any{[]float64{0}, []float64{3}})
}
