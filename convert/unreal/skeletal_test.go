package unreal

import (
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// skeletals calls f for every skeletal mesh of the corpus.
func skeletals(t *testing.T, f func(a *archive, path string, m *unreal.SkeletalMesh)) {
	n := 0
	for _, e := range valid(t) {
		a := openBytes(t, e.File, corpus.Bytes(t, e.Path))
		for i := range a.p.Exports {
			if a.p.Layout(i) != "SkeletalMesh" {
				continue
			}
			o, err := a.object(i)
			if err != nil {
				t.Fatal(err)
			}
			n++
			f(a, a.entries[i].Path, o.(*unreal.SkeletalMesh))
		}
	}
	if n != 3 {
		t.Errorf("%d skeletal meshes, want 3", n)
	}
}

// What usher computes for an edited mesh is what the files hold.
func TestSkeletalComputed(t *testing.T) {
	skeletals(t, func(a *archive, path string, m *unreal.SkeletalMesh) {
		local := slices.Clone(m.LocalPoints)
		localPoints(m)
		size := m.Primitive.Box.Max[0] - m.Primitive.Box.Min[0]
		for i := range local {
			for k := range 3 {
				if !space.Close(local[i][k], m.LocalPoints[i][k], 1e-5*max(1, size)) {
					t.Fatalf("%s: local point %d: %v, stored %v", path, i, m.LocalPoints[i], local[i])
				}
			}
		}
		if m.Primitive.Box.Min == [3]float32{-20, -5, -20} { // round numbers: given by hand
			return
		}
		if p := skeletalBounds(m); !sameBox(m.Primitive.Box, p.Box) || !space.Close(m.Primitive.Sphere.Radius, p.Sphere.Radius, 1e-3*size) {
			t.Errorf("%s: bounds %v, stored %v", path, p, m.Primitive)
		}
	})
}

// In the bind pose, the skin leaves every vertex where it is.
func TestBindPose(t *testing.T) {
	skeletals(t, func(a *archive, path string, m *unreal.SkeletalMesh) {
		s := lifted(t, a, path).(*asset.Scene)
		for i, g := range globals(m) {
			inv := s.Skins[0].InverseBind[i]
			var back [16]float64
			for k, v := range inv {
				back[k] = float64(v)
			}
			for k, v := range g.Mul4(back) {
				want := 0.0
				if k%5 == 0 {
					want = 1
				}
				if math.Abs(v-want) > 1e-4 {
					t.Fatalf("%s: bone %d times its inverse: %v at %d", path, i, v, k)
				}
			}
		}
	})
}

func TestEditSkeletal(t *testing.T) {
	skeletals(t, func(a *archive, path string, m *unreal.SkeletalMesh) {
		s := through(t, lifted(t, a, path)).(*asset.Scene)
		moved := m.Wedges[0].Vertex
		done := map[*[3]float32]bool{} // primitives may share their vertices
		for _, p := range s.Meshes[0].Primitives {
			if done[&p.Positions[0]] {
				continue
			}
			done[&p.Positions[0]] = true
			for i, w := range m.Wedges {
				if w.Vertex == moved {
					p.Positions[i][1] += 7
				}
			}
		}
		n := replaced(t, a, path, s)
		o, err := n.object(entry(t, n, path))
		if err != nil {
			t.Fatal(err)
		}
		got := o.(*unreal.SkeletalMesh)
		if d := got.Points[moved][2] - m.Points[moved][2]; !space.Close(d, 7, 1e-3) || !slices.Equal(got.Faces, m.Faces) || !slices.Equal(got.Weights, m.Weights) {
			t.Errorf("%s: point moved by %v", path, d)
		}
	})
}
