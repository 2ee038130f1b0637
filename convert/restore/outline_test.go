package restore

import (
	"fmt"
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
		"a holder behind what it holds": {
			Outline{Nodes: []OutlineNode{node("hip", 1, -1), node("rig", -1, -1, 0)}},
			Outline{Nodes: []OutlineNode{node("hip", 1, -1), node("Armature", -1, -1, 0)}},
			[]int{0, 1}, []int{}, []int{}},
		"what holds things and shows a mesh of its own": {
			Outline{Nodes: []OutlineNode{node("rig", -1, -1, 1), node("hip", 0, -1)}},
			Outline{Nodes: []OutlineNode{node("crate", -1, 0, 1), node("hip", 0, -1)}, Meshes: []OutlineMesh{box("crate", 1, -1)}},
			[]int{-1, 1}, []int{-1}, []int{}},
		"a known one that holds another's": {
			Outline{Nodes: []OutlineNode{node("rig", -1, -1), node("other", -1, -1, 2), node("hip", 1, -1)}},
			Outline{Nodes: []OutlineNode{node("rig", -1, -1, 1), node("hip", 0, -1)}},
			[]int{0, 2}, []int{}, []int{}},
		"like names, told apart by parents": {
			Outline{Nodes: []OutlineNode{node("A", -1, -1, 2), node("B", -1, -1, 3), node("x", 0, -1), node("x", 1, -1)}},
			Outline{Nodes: []OutlineNode{node("B", -1, -1, 2), node("A", -1, -1, 3), node("x.001", 0, -1), node("x.002", 1, -1)}},
			[]int{1, 0, 3, 2}, []int{}, []int{}},
		"like names, one below nothing": {
			Outline{Nodes: []OutlineNode{node("A", -1, -1, 2), node("x", -1, -1), node("x", 0, -1)}},
			Outline{Nodes: []OutlineNode{node("A", -1, -1, 1), node("x.001", 0, -1), node("x.002", -1, -1)}},
			[]int{0, 2, 1}, []int{}, []int{}},
		"like names, one of them the same": {
			Outline{Nodes: []OutlineNode{node("a.001", -1, -1), node("a.001", -1, -1), node("a", -1, -1)}},
			Outline{Nodes: []OutlineNode{node("a", -1, -1), node("a", -1, -1), node("a.001", -1, -1)}},
			[]int{2, 1, 0}, []int{}, []int{}},
		"like names, one shows a mesh": {
			Outline{Nodes: []OutlineNode{node("x", -1, -1), node("x", -1, 0)}, Meshes: []OutlineMesh{box("m", 1, -1)}},
			Outline{Nodes: []OutlineNode{node("x.001", -1, 0), node("x.002", -1, -1)}, Meshes: []OutlineMesh{box("n", 5, -1)}},
			[]int{1, 0}, []int{0}, []int{}},
		"like names, one is a joint": {
			Outline{Nodes: []OutlineNode{node("x", -1, -1), {Name: "x", Parent: -1, Mesh: -1, Camera: -1, Joint: true}}},
			Outline{Nodes: []OutlineNode{{Name: "x.001", Parent: -1, Mesh: -1, Camera: -1, Joint: true}, node("x.002", -1, -1)}},
			[]int{1, 0}, []int{}, []int{}},
		"like names, below the first and below the second": {
			Outline{Nodes: []OutlineNode{node("A", -1, -1, 3), node("B", -1, -1, 2), node("x", 1, -1), node("x", 0, -1)}},
			Outline{Nodes: []OutlineNode{node("A", -1, -1, 2), node("B", -1, -1, 3), node("x.001", 0, -1), node("x.002", 1, -1)}},
			[]int{0, 1, 3, 2}, []int{}, []int{}},
		"renamed, beside the first that is known": {
			Outline{Nodes: []OutlineNode{node("a", -1, 0), node("b", -1, 1)}, Meshes: []OutlineMesh{box("m", 1, -1), box("n", 2, -1)}},
			Outline{Nodes: []OutlineNode{node("a", -1, 1), node("c", -1, 0)}, Meshes: []OutlineMesh{box("x", 1, -1), box("y", 2, -1)}},
			[]int{0, -1}, []int{-1, 0}, []int{}},
		"a copy": {
			Outline{Nodes: []OutlineNode{node("a", -1, -1)}},
			Outline{Nodes: []OutlineNode{node("a.001", -1, -1), node("a", -1, -1)}},
			[]int{-1, 0}, []int{}, []int{}},
		"called anew by an editor": {
			Outline{Nodes: []OutlineNode{node("a", -1, -1), node("b", -1, -1)}},
			Outline{Nodes: []OutlineNode{node("b.001", -1, -1), node("a.001", -1, -1)}},
			[]int{1, 0}, []int{}, []int{}},
		"two of that shape, one known by its name": {
			Outline{Nodes: []OutlineNode{node("hull", -1, 0), node("fin", -1, 0)}, Meshes: []OutlineMesh{box("m", 9, -1)}},
			Outline{Nodes: []OutlineNode{node("body", -1, 0), node("hull", -1, 0)}, Meshes: []OutlineMesh{box("x", 9, -1)}},
			[]int{1, 0}, []int{0}, []int{}},
		"meshes that no node shows": {
			Outline{Meshes: []OutlineMesh{box("a", 1, -1), box("b", 2, -1), box("c", 3, -1), box("c", 4, -1)}},
			Outline{Meshes: []OutlineMesh{box("b", 5, -1), box("c.001", 4, -1), box("a", 1, -1), box("c.002", 3, -1)}},
			[]int{}, []int{1, 3, 0, 2}, []int{}},
		"two that show one mesh now": {
			Outline{Nodes: []OutlineNode{node("a", -1, 0), node("b", -1, 1)}, Meshes: []OutlineMesh{box("x", 1, -1), box("y", 2, -1)}},
			Outline{Nodes: []OutlineNode{node("a", -1, 0), node("b", -1, 0)}, Meshes: []OutlineMesh{box("z", 1, -1)}},
			[]int{0, 1}, []int{0}, []int{}},
		"like materials, told apart by who wears them": {
			Outline{Nodes: []OutlineNode{node("a", -1, 0)}, Meshes: []OutlineMesh{box("a", 1, 1)}, Materials: []string{"m", "m"}},
			Outline{Nodes: []OutlineNode{node("a", -1, 0)}, Meshes: []OutlineMesh{box("a", 1, 0)}, Materials: []string{"m.001", "m.002"}},
			[]int{0}, []int{0}, []int{1, 0}},
		"numbers that nothing has": {
			Outline{Nodes: []OutlineNode{node("a", -1, 1, 7, -2), node("b", -1, 0)}, Meshes: []OutlineMesh{box("x", 1, 3)}, Materials: []string{"m"}},
			Outline{Nodes: []OutlineNode{node("a", -1, 1), node("c", -1, -1, 3, -1), node("b", -1, 0)}, Meshes: []OutlineMesh{box("x", 1, 1)}, Materials: []string{"n"}},
			[]int{0, -1, 1}, []int{0}, []int{-1}},
	} {
		p := Match(&c.was, &c.now)
		found := len(c.nodes) - len(slices.DeleteFunc(slices.Clone(c.nodes), func(i int) bool { return i >= 0 }))
		if !slices.Equal(p.Nodes, c.nodes) || !slices.Equal(p.Meshes, c.meshes) || !slices.Equal(p.Materials, c.materials) || p.Found != found {
			t.Errorf("%s: nodes %v, meshes %v, materials %v, found %d", name, p.Nodes, p.Meshes, p.Materials, p.Found)
		}
	}
}

// TestMatchPlaces: of two nodes with like names each is the one that stands where it stood, along every axis.
func TestMatchPlaces(t *testing.T) {
	for _, c := range []struct{ one, other [3]float64 }{
		{[3]float64{5, 0, 0}, [3]float64{}}, {[3]float64{0, 5, 0}, [3]float64{}}, {[3]float64{0, 0, 5}, [3]float64{}},
		{[3]float64{1, 2, 3}, [3]float64{4, 6, 8}}, {[3]float64{-1, 2, -3}, [3]float64{1, -2, 3}}, {[3]float64{1, 5, 9}, [3]float64{5, 9, 1}},
		{[3]float64{100, 0, 0}, [3]float64{100.02, 0, 0}},
	} {
		at := func(name string, place [3]float64) OutlineNode {
			return OutlineNode{Name: name, Parent: -1, Mesh: -1, Camera: -1, Place: place}
		}
		moved := c.one
		moved[0] += 5e-5 // what a save rounds
		p := Match(&Outline{Nodes: []OutlineNode{at("a", c.one), at("a", c.other)}}, &Outline{Nodes: []OutlineNode{at("a.001", c.other), at("a.002", moved)}})
		if !slices.Equal(p.Nodes, []int{1, 0}) {
			t.Errorf("%v and %v: %v", c.one, c.other, p.Nodes)
		}
	}
}

// TestOutlineMeshLike: meshes are the same up to a ten-thousandth of their size, at every side.
func TestOutlineMeshLike(t *testing.T) {
	for axis := range 3 {
		for _, c := range []struct {
			by   float64
			like bool
		}{{0.009, true}, {-0.009, true}, {0.011, false}, {-0.011, false}} {
			was, low, high := box("a", 1, -1), box("a", 1, -1), box("a", 1, -1)
			for _, x := range []*OutlineMesh{&was, &low, &high} {
				x.Max[1] = 100 // its size is that of its longest side
			}
			low.Min[axis] += c.by
			high.Max[axis] += c.by
			if a, b := was.like(&low), was.like(&high); a != c.like || b != c.like {
				t.Errorf("axis %d by %v: %v below, %v above", axis, c.by, a, b)
			}
		}
	}
	a, b, none := box("a", 1, -1), box("a", 1, -1), OutlineMesh{}
	if b.Corners = 35; a.like(&b) || none.like(&none) || a.like(nil) {
		t.Error("as many corners, and some of them")
	}
}

// TestMatchMany: too many of like names to weigh each against each are taken in the order of their new names.
func TestMatchMany(t *testing.T) {
	const n = 257 // 257 · 257 are more than 65,536
	was, now := new(Outline), new(Outline)
	for i := range n {
		was.Nodes = append(was.Nodes, OutlineNode{Name: "x", Parent: -1, Mesh: -1, Camera: -1, Place: [3]float64{float64(i)}})
		now.Nodes = append(now.Nodes, OutlineNode{Name: fmt.Sprintf("x.%03d", n-i), Parent: -1, Mesh: -1, Camera: -1, Place: [3]float64{float64(i)}})
	}
	was.Nodes = append(was.Nodes, OutlineNode{Name: "y", Parent: -1, Mesh: -1, Camera: -1})
	now.Nodes = append(now.Nodes, OutlineNode{Name: "y.001", Parent: -1, Mesh: -1, Camera: -1})
	p := Match(was, now)
	if p.Nodes[0] != n-1 || p.Nodes[n-1] != 0 || p.Nodes[n] != n || p.Found != n+1 {
		t.Errorf("%v, found %d", p.Nodes, p.Found)
	}
	for _, o := range []*Outline{was, now} {
		o.Nodes = append(o.Nodes[1:256], o.Nodes[n]) // and these are weighed, by their places
	}
	for i := range now.Nodes[:255] {
		now.Nodes[i].Place = was.Nodes[i].Place
	}
	p = Match(was, now)
	if p.Nodes[0] != 0 || p.Nodes[254] != 254 || p.Nodes[255] != 255 {
		t.Errorf("fewer: %v", p.Nodes)
	}
}

// TestMatchCameras: a camera is that of its node's counterpart, whatever it is called.
func TestMatchCameras(t *testing.T) {
	was := Outline{Nodes: []OutlineNode{{Name: "a", Parent: -1, Mesh: -1, Camera: 1}, {Name: "b", Parent: -1, Mesh: -1, Camera: 0}}, Cameras: []string{"x", "y"}}
	now := Outline{Nodes: []OutlineNode{{Name: "b", Parent: -1, Mesh: -1, Camera: 1}, {Name: "a", Parent: -1, Mesh: -1, Camera: 0}}, Cameras: []string{"first", "second"}}
	if p := Match(&was, &now); !slices.Equal(p.Cameras, []int{1, 0}) {
		t.Errorf("%v", p.Cameras)
	}
	now.Nodes[0].Camera = 2 // a number that no camera has
	if p := Match(&was, &now); !slices.Equal(p.Cameras, []int{1, -1}) {
		t.Errorf("a number of none: %v", p.Cameras)
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
	if want := []float32{6, 2, 0.5, 0, 1, 0.5, 0, 1, 0, 0, 0}; !slices.Equal(was, want) { // it stands in files
		t.Errorf("signature %v, want %v", was, want)
	}
	twice := mesh(func(p *asset.Primitive) { p.Indices = append(p.Indices, 1, 2, 0) })
	if !SameMesh(signature(twice, false), twice) || SameMesh(signature(twice, false), mesh(func(*asset.Primitive) {})) {
		t.Error("files of before count every triangle")
	}
	if beyond := mesh(func(p *asset.Primitive) { p.Indices[5] = 4 }); SameMesh(was, beyond) {
		t.Error("a corner that is not there")
	}
	if !slices.Equal(Signature(nil), nil) || SameMesh(was, nil) || !SameMesh(nil, nil) {
		t.Error("no mesh is like no mesh alone")
	}
}
