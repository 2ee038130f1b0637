package restore

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// box is the mesh of an outline of that size, with a material.
func box(name string, size float64, material int) OutlineMesh {
	return OutlineMesh{Name: name, Corners: 36, Max: [3]float64{size, size, size}, Materials: []int{material}}
}

// TestMatch: who is whose counterpart, when names, places and shapes were edited.
func TestMatch(t *testing.T) {
	node := func(name string, parent, mesh int, children ...int) OutlineNode {
		return OutlineNode{Name: name, Parent: parent, Mesh: mesh, Camera: -1, Children: children}
	}
	for name, c := range map[string]struct {
		was, now                 Outline
		nodes, meshes, materials []int
	}{
		"names": {
			Outline{Nodes: []OutlineNode{node("a", -1, -1), node("b", -1, -1)}},
			Outline{Nodes: []OutlineNode{node("b", -1, -1), node("new", -1, -1), node("a", -1, -1)}},
			[]int{1, -1, 0}, []int{}, []int{}},
		"like names, told apart by shape": {
			Outline{Nodes: []OutlineNode{node("a", -1, 0), node("a", -1, 1)}, Meshes: []OutlineMesh{box("small", 1, -1), box("large", 9, -1)}},
			Outline{Nodes: []OutlineNode{node("a.001", -1, 0), node("a.002", -1, 1)}, Meshes: []OutlineMesh{box("x", 9, -1), box("y", 1, -1)}},
			[]int{1, 0}, []int{1, 0}, []int{}},
		"like names, told apart by place": {
			Outline{Nodes: []OutlineNode{{Name: "a", Parent: -1, Mesh: -1, Camera: -1, Place: [3]float64{5, 0, 0}}, node("a", -1, -1)}},
			Outline{Nodes: []OutlineNode{node("a.001", -1, -1), {Name: "a.002", Parent: -1, Mesh: -1, Camera: -1, Place: [3]float64{5, 0, 0}}}},
			[]int{1, 0}, []int{}, []int{}},
		"renamed, with a shape of its own": {
			Outline{Nodes: []OutlineNode{node("hull", -1, 0), node("fin", -1, 1)}, Meshes: []OutlineMesh{box("hull", 9, 0), box("fin", 1, 1)}, Materials: []string{"steel", "glass"}},
			Outline{Nodes: []OutlineNode{node("fin", -1, 1), node("body", -1, 0)}, Meshes: []OutlineMesh{box("m", 9, 1), box("n", 1, 0)}, Materials: []string{"window", "steel"}},
			[]int{1, 0}, []int{0, 1}, []int{1, 0}},
		"two of that shape: nobody's": {
			Outline{Nodes: []OutlineNode{node("hull", -1, 0), node("fin", -1, 0)}, Meshes: []OutlineMesh{box("m", 9, -1)}},
			Outline{Nodes: []OutlineNode{node("body", -1, 0)}, Meshes: []OutlineMesh{box("x", 9, -1)}},
			[]int{-1}, []int{-1}, []int{}},
		"what holds a skeleton": {
			Outline{Nodes: []OutlineNode{node("rig", -1, -1, 1, 2), node("hip", 0, -1), node("tip", 0, -1)}},
			Outline{Nodes: []OutlineNode{node("Armature", -1, -1, 1, 2), node("hip", 0, -1), node("tip", 0, -1)}},
			[]int{0, 1, 2}, []int{}, []int{}},
		"a holder of nodes of two others": {
			Outline{Nodes: []OutlineNode{node("one", -1, -1, 2), node("two", -1, -1, 3), node("hip", 0, -1), node("tip", 1, -1)}},
			Outline{Nodes: []OutlineNode{node("Armature", -1, -1, 1, 2), node("hip", 0, -1), node("tip", 0, -1)}},
			[]int{-1, 2, 3}, []int{}, []int{}},
	} {
		p := Match(&c.was, &c.now)
		found := len(c.nodes) - len(slices.DeleteFunc(slices.Clone(c.nodes), func(i int) bool { return i >= 0 }))
		if !slices.Equal(p.Nodes, c.nodes) || !slices.Equal(p.Meshes, c.meshes) || !slices.Equal(p.Materials, c.materials) || p.Found != found {
			t.Errorf("%s: nodes %v, meshes %v, materials %v, found %d", name, p.Nodes, p.Meshes, p.Materials, p.Found)
		}
	}
}

// TestMatchCameras: a camera is that of its node's counterpart, whatever it is called.
func TestMatchCameras(t *testing.T) {
	was := Outline{Nodes: []OutlineNode{{Name: "a", Parent: -1, Mesh: -1, Camera: 1}, {Name: "b", Parent: -1, Mesh: -1, Camera: 0}}, Cameras: []string{"x", "y"}}
	now := Outline{Nodes: []OutlineNode{{Name: "b", Parent: -1, Mesh: -1, Camera: 1}, {Name: "a", Parent: -1, Mesh: -1, Camera: 0}}, Cameras: []string{"first", "second"}}
	if p := Match(&was, &now); !slices.Equal(p.Cameras, []int{1, 0}) {
		t.Errorf("%v", p.Cameras)
	}
}

// TestSignature: which edits of a mesh change what it is known by.
func TestSignature(t *testing.T) {
	mesh := func(edit func(p *asset.Primitive)) *asset.Mesh {
		p := square()
		edit(p)
		return &asset.Mesh{Primitives: []*asset.Primitive{p}}
	}
	was := Signature(mesh(func(*asset.Primitive) {}))
	for name, c := range map[string]struct {
		edit func(p *asset.Primitive)
		same bool
	}{
		"nothing":            {func(*asset.Primitive) {}, true},
		"another order":      {func(p *asset.Primitive) { p.Indices = []uint32{2, 3, 0, 1, 2, 0} }, true},
		"a triangle twice":   {func(p *asset.Primitive) { p.Indices = append(p.Indices, 1, 2, 0) }, true},
		"without indices":    {func(p *asset.Primitive) { p.Positions, p.Indices = pick(p.Positions, p.Indices), nil }, true},
		"rounded":            {func(p *asset.Primitive) { p.Positions[2][0] += 1e-5 }, true},
		"a corner moved":     {func(p *asset.Primitive) { p.Positions[2][0] += 0.1 }, false},
		"a triangle is gone": {func(p *asset.Primitive) { p.Indices = p.Indices[:3] }, false},
		"all of it moved": {func(p *asset.Primitive) {
			for i := range p.Positions {
				p.Positions[i][2]++
			}
		}, false},
	} {
		if got := SameMesh(was, mesh(c.edit)); got != c.same {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !slices.Equal(Signature(nil), nil) || SameMesh(was, nil) || !SameMesh(nil, nil) {
		t.Error("no mesh is like no mesh alone")
	}
}
