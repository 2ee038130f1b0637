package mesh

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// skeletals calls f for every skeletal mesh of the corpus.
func skeletals(t *testing.T, f func(pkg *pack.File, m *unreal.SkeletalMesh)) {
	n := 0
	for _, e := range corpus.Manifest(t, "unreal") {
		if e.Expected != "ok" {
			continue
		}
		b := corpus.Bytes(t, e.Path)
		pkg, err := pack.Open(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatalf("%s: %v", e.File, err)
		}
		for i := range pkg.Exports {
			if pkg.Layout(i) != "SkeletalMesh" {
				continue
			}
			o, err := pkg.Object(i)
			if err != nil {
				t.Fatal(err)
			}
			n++
			f(pkg, o.(*unreal.SkeletalMesh))
		}
	}
	if n != 3 {
		t.Errorf("%d skeletal meshes, want 3", n)
	}
}

// What usher computes for an edited mesh is what the files hold.
func TestSkeletalComputed(t *testing.T) {
	skeletals(t, func(pkg *pack.File, m *unreal.SkeletalMesh) {
		local := slices.Clone(m.LocalPoints)
		localPoints(m)
		size := m.Primitive.Box.Max[0] - m.Primitive.Box.Min[0]
		for i := range local {
			for k := range 3 {
				if !space.Close(local[i][k], m.LocalPoints[i][k], 1e-5*max(1, size)) {
					t.Fatalf("%s: local point %d: %v, stored %v", m.Path, i, m.LocalPoints[i], local[i])
				}
			}
		}
		if m.Primitive.Box.Min == [3]float32{-20, -5, -20} { // round numbers: given by hand
			return
		}
		if p := skeletalBounds(m); !sameBox(m.Primitive.Box, p.Box) || !space.Close(m.Primitive.Sphere.Radius, p.Sphere.Radius, 1e-3*size) {
			t.Errorf("%s: bounds %v, stored %v", m.Path, p, m.Primitive)
		}
	})
}

// In the bind pose, the skin leaves every vertex where it is.
func TestBindPose(t *testing.T) {
	skeletals(t, func(pkg *pack.File, m *unreal.SkeletalMesh) {
		s, err := skeletalScene(pkg, m, nil)
		if err != nil {
			t.Fatal(err)
		}
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
					t.Fatalf("%s: bone %d times its inverse: %v at %d", m.Path, i, v, k)
				}
			}
		}
	})
}
