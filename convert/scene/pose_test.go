package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/schema/asset"
)

// TestBindAtRest: the bound pose becomes the one that is shown, which stays, also for a vertex between two joints.
func TestBindAtRest(t *testing.T) {
	root, tip := asset.NewNode("root"), asset.NewNode("tip")
	root.Children = []*asset.Node{tip}
	tip.Transform.Translation = [3]float32{0, 3, 0} // bound at 1
	bind := asset.Identity
	bind.Translation = [3]float32{0, -1, 0}
	p := &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}},
		Joints:  [][][4]uint16{{{0}, {0, 1}, {1}}},
		Weights: [][][4]float32{{{1}, {0.5, 0.5}, {1}}}}
	shape := asset.NewNode("shape")
	shape.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{p}}
	shape.Skin = &asset.Skin{Joints: []*asset.Node{root, tip}, InverseBind: [][16]float32{NarrowMatrix(Matrix(&asset.Identity)), NarrowMatrix(Matrix(&bind))}}
	s := &asset.Scene{Roots: []*asset.Node{root, shape}, Meshes: []*asset.Mesh{shape.Mesh}, Skins: []*asset.Skin{shape.Skin}}

	BindAtRest(s)
	want := [][3]float32{{0, 0, 0}, {0, 2, 0}, {1, 3, 0}}
	for v, q := range shape.Mesh.Primitives[0].Positions {
		for k := range q {
			if math.Abs(float64(q[k]-want[v][k])) > 1e-6 {
				t.Errorf("vertex %d at %v, want %v", v, q, want[v])
			}
		}
	}
	if p.Positions[2] != [3]float32{1, 1, 0} || s.Meshes[0] != shape.Mesh || len(s.Meshes) != 1 {
		t.Errorf("the mesh was written to, or is not in the list: %v", s.Meshes)
	}
	if y := shape.Skin.InverseBind[1][13]; y != -3 {
		t.Errorf("the tip is bound at %v, want 3", -y)
	}
	was := shape.Mesh
	if BindAtRest(s); shape.Mesh != was {
		t.Error("a skin that rests as it is bound was changed")
	}
}

// TestBindInPlace: a skin that was moved as a whole has its vertices where they are seen, and bends nowhere; one bone
// that was moved bends it.
func TestBindInPlace(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(root, tip *asset.Node)
		want [][3]float32
		bent int
	}{
		{"nothing", func(_, _ *asset.Node) {}, [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}}, 0},
		{"all of it moved", func(root, _ *asset.Node) { root.Transform.Translation = [3]float32{5, 0, 0} }, [][3]float32{{5, 0, 0}, {5, 1, 0}, {6, 1, 0}}, 0},
		{"the tip moved", func(_, tip *asset.Node) { tip.Transform.Translation = [3]float32{0, 3, 0} }, [][3]float32{{0, 0, 0}, {0, 2, 0}, {1, 3, 0}}, 1},
		{"the tip mirrored", func(_, tip *asset.Node) { tip.Transform.Scale[0] = -1 }, [][3]float32{{0, 0, 0}, {0, 1, 0}, {-1, 1, 0}}, 1},
	} {
		root, tip := asset.NewNode("root"), asset.NewNode("tip")
		root.Children = []*asset.Node{tip}
		tip.Transform.Translation = [3]float32{0, 1, 0}
		bind := asset.Identity
		bind.Translation = [3]float32{0, -1, 0}
		shape := asset.NewNode("shape")
		shape.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}}, Indices: []uint32{0, 1, 2},
			Joints: [][][4]uint16{{{0}, {0, 1}, {1}}}, Weights: [][][4]float32{{{1}, {0.5, 0.5}, {1}}}}}}
		shape.Skin = &asset.Skin{Joints: []*asset.Node{root, tip}, InverseBind: [][16]float32{NarrowMatrix(Matrix(&asset.Identity)), NarrowMatrix(Matrix(&bind))}}
		s := &asset.Scene{Roots: []*asset.Node{root, shape}, Meshes: []*asset.Mesh{shape.Mesh}, Skins: []*asset.Skin{shape.Skin}}
		c.edit(root, tip)
		if bent := BindInPlace(s, nil); len(bent) != c.bent {
			t.Errorf("%s: %d meshes are bent", c.name, len(bent))
		}
		worlds := Worlds(s)
		for i, j := range shape.Skin.Joints {
			if !SamePlace(Matrix(&asset.Identity), worlds[j].Mul4(InverseBind(shape.Skin, i)), 5) {
				t.Errorf("%s: joint %d is not bound where it is", c.name, i)
			}
		}
		for v, q := range shape.Mesh.Primitives[0].Positions {
			if Wide3(q).Sub(Wide3(c.want[v])).Len() > 1e-6 {
				t.Errorf("%s: vertex %d at %v, want %v", c.name, v, q, c.want[v])
			}
		}
	}
}

// TestInverseBind: a skin has as many matrices as it has, and others are the identity.
func TestInverseBind(t *testing.T) {
	m := mgl64.Translate3D(1, 2, 3)
	s := &asset.Skin{InverseBind: [][16]float32{NarrowMatrix(m)}}
	if InverseBind(s, 0) != m || InverseBind(s, 1) != mgl64.Ident4() || InverseBind(&asset.Skin{}, 0) != mgl64.Ident4() {
		t.Error("wrong")
	}
}
