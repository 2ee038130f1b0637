package gltf

import (
	"encoding/json"
	"fmt"
	"testing"

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
