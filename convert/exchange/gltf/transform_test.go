package gltf

import (
	"math"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestDecompose has matrices with the translation, rotation and scale that are nearest to them.
func TestDecompose(t *testing.T) {
	r := float32(math.Sqrt(0.5))
	of := func(rotation [4]float32, scale [3]float32) asset.Transform {
		return asset.Transform{Translation: [3]float32{5, 6, 7}, Rotation: rotation, Scale: scale}
	}
	for _, c := range []struct {
		name    string
		columns [9]float32
		want    asset.Transform
		exact   bool
	}{
		{"nothing", [9]float32{1, 0, 0, 0, 1, 0, 0, 0, 1}, of([4]float32{0, 0, 0, 1}, [3]float32{1, 1, 1}), true},
		{"scaled", [9]float32{2, 0, 0, 0, 3, 0, 0, 0, 4}, of([4]float32{0, 0, 0, 1}, [3]float32{2, 3, 4}), true},
		{"mirrored", [9]float32{1, 0, 0, 0, -3, 0, 0, 0, 4}, of([4]float32{0, 0, 1, 0}, [3]float32{-1, 3, 4}), true},
		{"a quarter about x", [9]float32{1, 0, 0, 0, 0, 1, 0, -1, 0}, of([4]float32{r, 0, 0, r}, [3]float32{1, 1, 1}), true},
		{"a quarter about y", [9]float32{0, 0, -1, 0, 1, 0, 1, 0, 0}, of([4]float32{0, r, 0, r}, [3]float32{1, 1, 1}), true},
		{"a quarter about z", [9]float32{0, 1, 0, -1, 0, 0, 0, 0, 1}, of([4]float32{0, 0, r, r}, [3]float32{1, 1, 1}), true},
		{"half about x", [9]float32{1, 0, 0, 0, -1, 0, 0, 0, -1}, of([4]float32{1, 0, 0, 0}, [3]float32{1, 1, 1}), true},
		{"half about y", [9]float32{-1, 0, 0, 0, 1, 0, 0, 0, -1}, of([4]float32{0, 1, 0, 0}, [3]float32{1, 1, 1}), true},
		{"half about z", [9]float32{-1, 0, 0, 0, -1, 0, 0, 0, 1}, of([4]float32{0, 0, 1, 0}, [3]float32{1, 1, 1}), true},
		{"half about x and y", [9]float32{0, 1, 0, 1, 0, 0, 0, 0, -1}, of([4]float32{r, r, 0, 0}, [3]float32{1, 1, 1}), true},
		{"half about y and z", [9]float32{-1, 0, 0, 0, 0, 1, 0, 1, 0}, of([4]float32{0, r, r, 0}, [3]float32{1, 1, 1}), true},
		{"a third about all", [9]float32{0, 1, 0, 0, 0, 1, 1, 0, 0}, of([4]float32{0.5, 0.5, 0.5, 0.5}, [3]float32{1, 1, 1}), true},
		{"a third the other way", [9]float32{0, 0, 1, 1, 0, 0, 0, 1, 0}, of([4]float32{-0.5, -0.5, -0.5, 0.5}, [3]float32{1, 1, 1}), true},
		{"sheared along x", [9]float32{2, 0, 0, 3, 4, 0, 0, 0, 1}, of([4]float32{0, 0, 0, 1}, [3]float32{2, 5, 1}), false},
		{"sheared along z", [9]float32{1, 0, 0, 0, 1, 0, 3, 0, 4}, of([4]float32{0, 0, 0, 1}, [3]float32{1, 1, 5}), false},
		{"the third against the second", [9]float32{1, 0, 0, 0, 1, 0, 0, 3, 4}, of([4]float32{0, 0, 0, 1}, [3]float32{1, 1, 5}), false},
		{"one line", [9]float32{1, 0, 0, 2, 0, 0, 3, 0, 0}, of([4]float32{0, 0, 0, 1}, [3]float32{1, 2, 3}), false},
		{"flat", [9]float32{1, 0, 0, 0, 0, 0, 0, 0, 1}, of([4]float32{0, 0, 0, 1}, [3]float32{1, 0, 1}), false},
		{"as small as there is", [9]float32{1e-29, 0, 0, 0, 1e-29, 0, 0, 0, 1e-29}, of([4]float32{0, 0, 0, 1}, [3]float32{1e-29, 1e-29, 1e-29}), true},
	} {
		m := [16]float32{c.columns[0], c.columns[1], c.columns[2], 0, c.columns[3], c.columns[4], c.columns[5], 0, c.columns[6], c.columns[7], c.columns[8], 0, 5, 6, 7, 1}
		got, exact := decompose(&m)
		near := got.Translation == c.want.Translation && exact == c.exact
		if got.Rotation[3] < 0 { // the same rotation
			for k := range got.Rotation {
				got.Rotation[k] = -got.Rotation[k]
			}
		}
		for k := range 4 {
			near = near && math.Abs(float64(got.Rotation[k]-c.want.Rotation[k])) < 1e-6 && (k == 3 || got.Scale[k] == c.want.Scale[k])
		}
		if !near {
			t.Errorf("%s: %v, exact %t, want %v", c.name, got, exact, c.want)
		}
	}
	for i, last := range []int{3, 7, 11, 15} {
		m := identityMatrix
		m[last] += 0.5
		if got, exact := decompose(&m); exact || got != asset.Identity {
			t.Errorf("element %d of the last row: %v, exact %t", i, got, exact)
		}
	}
	nan := math.NaN()
	if q := quaternion([3][3]float64{{nan, nan, nan}}); q != [4]float32{0, 0, 0, 1} {
		t.Errorf("what is no rotation: %v", q)
	}
	endless := identityMatrix
	endless[5] = float32(math.Inf(1))
	if _, exact := decompose(&endless); exact {
		t.Error("an endless matrix is exact")
	}
	for k, m := range map[int][16]float32{0: {1, 2e-6, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 1: {1, 0, 2e-6, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 2: {1, 0, 0, 0, 0, 1, 2e-6, 0, 0, 0, 1, 0, 0, 0, 0, 1}} {
		if _, exact := decompose(&m); exact {
			t.Errorf("axes %d that are not perpendicular are exact", k)
		}
		for i := range m {
			if m[i] == 2e-6 {
				m[i] = 5e-7
			}
		}
		if _, exact := decompose(&m); !exact {
			t.Errorf("axes %d that are perpendicular up to rounding are not exact", k)
		}
	}
}

// TestWithin: a transform beside another one is the same again in its space and out of it, also where one is a matrix.
func TestWithin(t *testing.T) {
	matrix := func(m [16]float32) asset.Transform { x := asset.Identity; x.Matrix = &m; return x }
	turned := asset.Transform{Translation: [3]float32{1, 2, 3}, Rotation: [4]float32{0, 0.6, 0, 0.8}, Scale: [3]float32{2, 2, 2}}
	sheared := matrix([16]float32{1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1})
	moved := matrix([16]float32{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 4, 5, 6, 1})
	for i, c := range []struct{ t, owner, want asset.Transform }{
		{turned, turned, asset.Identity}, {sheared, sheared, asset.Identity}, {matrix(identityMatrix), asset.Identity, asset.Identity},
		{asset.Identity, moved, asset.Transform{Translation: [3]float32{-2, -2.5, -3}, Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{0.5, 0.5, 0.5}}},
		{moved, asset.Transform{Translation: [3]float32{2, 1, 0}, Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 2, 4}}, asset.Transform{Translation: [3]float32{2, 2, 1.5}, Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{2, 1, 0.5}}},
		{sheared, asset.Identity, sheared},
	} {
		got := within(&c.t, &c.owner)
		if matrixOf(&got) != matrixOf(&c.want) || (got.Matrix != nil) != (c.want.Matrix != nil) {
			t.Errorf("%d: within %v, want %v", i, got, c.want)
		}
		if back := outOf(&got, &c.owner); matrixOf(&back) != matrixOf(&c.t) {
			t.Errorf("%d: out of it %v, want %v", i, back, c.t)
		}
	}
	other, opposite := turned, turned
	other.Scale[2], opposite.Rotation = 3, [4]float32{0, -0.6, 0, -0.8}
	for i, c := range []struct {
		a, b asset.Transform
		want bool
	}{{turned, turned, true}, {turned, other, false}, {turned, opposite, false}, {turned, matrix(matrixOf(&turned)), true}, {matrix(matrixOf(&turned)), turned, true}, {sheared, sheared, true}, {sheared, moved, false}, {matrix(matrixOf(&turned)), other, false}} {
		if sameTransform(&c.a, &c.b) != c.want {
			t.Errorf("%d: %v and %v are the same: %t", i, c.a, c.b, !c.want)
		}
	}
	back := outOf(&asset.Identity, &turned)
	if back != turned {
		t.Errorf("%v, want %v", back, turned)
	}
	for i, c := range []struct {
		scale float32
		want  bool
	}{{1, true}, {-1, true}, {0, false}, {2e-4, true}, {5e-5, false}, {-2e-4, true}, {-5e-5, false}} {
		x := asset.Identity
		x.Scale = [3]float32{c.scale, c.scale, c.scale}
		if invertible(mat4(&x)) != c.want {
			t.Errorf("%d: a scale of %v can be undone: %t", i, c.scale, !c.want)
		}
	}
}
