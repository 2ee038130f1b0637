package gltf

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// saidBy returns what was said, a line each: path, code and message.
func saidBy(d *schema.Diagnostics) (list []string) {
	for _, x := range d.All() {
		list = append(list, x.Path+" "+x.Code+": "+x.Msg)
	}
	return list
}

// TestMendedValues: what is no number is written as 0, colours are cut off, and what is sound stays where it is.
func TestMendedValues(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name     string
		mend     func(e *encoder, v []float32) []float32
		in, want []float32
		said     string
	}{
		{"finite", func(e *encoder, v []float32) []float32 { return e.finiteData("x", v) }, []float32{1, -2, 3}, []float32{1, -2, 3}, ""},
		{"not finite", func(e *encoder, v []float32) []float32 { return e.finiteData("x", v) }, []float32{1, nan, 3, inf, -inf, 6}, []float32{1, 0, 3, 0, 0, 6}, "x not-finite: values that are no finite number are written as 0: 3"},
		{"the first", func(e *encoder, v []float32) []float32 { return e.finiteData("x", v) }, []float32{nan, 2}, []float32{0, 2}, "x not-finite: values that are no finite number are written as 0: 1"},
		{"colours", func(e *encoder, v []float32) []float32 { return e.clamped("x", v) }, []float32{0, 1, 0.5}, []float32{0, 1, 0.5}, ""},
		{"bright", func(e *encoder, v []float32) []float32 { return e.clamped("x", v) }, []float32{0.25, 1.5, -1, nan, 1, inf, 0}, []float32{0.25, 1, 0, 0, 1, 1, 0}, "x color-range: colours outside 0 … 1 are cut off"},
		{"dark", func(e *encoder, v []float32) []float32 { return e.clamped("x", v) }, []float32{-0.5, 0.5}, []float32{0, 0.5}, "x color-range: colours outside 0 … 1 are cut off"},
		{"normals", func(e *encoder, v []float32) []float32 { return e.unitVectors("x", v, 3) }, []float32{0, 0, 1, 1, 0, 0}, []float32{0, 0, 1, 1, 0, 0}, ""},
		{"long normals", func(e *encoder, v []float32) []float32 { return e.unitVectors("x", v, 3) }, []float32{0, 0, 1, 0, 3, 4, 0, 1, 0, 0, 0, 0, inf, 0, 0}, []float32{0, 0, 1, 0, 0.6, 0.8, 0, 1, 0, 0, 1, 0, 0, 1, 0}, "x not-unit: 3 vectors are brought to unit length"},
		{"tangents", func(e *encoder, v []float32) []float32 { return e.unitVectors("x", v, 4) }, []float32{0, 0, 1, 1, 1, 0, 0, -1}, []float32{0, 0, 1, 1, 1, 0, 0, -1}, ""},
		{"odd tangents", func(e *encoder, v []float32) []float32 { return e.unitVectors("x", v, 4) }, []float32{0, 0, 1, 0.5, 0, 3, 4, -1, 0, 1, 0, 1, 2, 0, 0, 0}, []float32{0, 0, 1, 1, 0, 0.6, 0.8, -1, 0, 1, 0, 1, 1, 0, 0, 1}, "x not-unit: 3 vectors are brought to unit length"},
		{"matrices", func(e *encoder, v []float32) []float32 { return e.affine("x", v) }, identityMatrix[:], identityMatrix[:], ""},
		{"odd matrices", func(e *encoder, v []float32) []float32 { return e.affine("x", v) }, append(slices.Clone(identityMatrix[:]), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
			append(slices.Clone(identityMatrix[:]), 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0, 13, 14, 15, 1), "x matrix-not-affine: the last row of inverse bind matrices is set to 0 0 0 1"},
	} {
		d := new(schema.Diagnostics)
		in := slices.Clone(c.in)
		got := c.mend(&encoder{o: Options{Diagnostics: d}}, in)
		if !slices.Equal(got, c.want) || strings.Join(saidBy(d), "; ") != c.said {
			t.Errorf("%s: %v, want %v; said %q", c.name, got, c.want, saidBy(d))
		}
		if fmt.Sprint(in) != fmt.Sprint(c.in) || (&got[0] == &in[0]) != (c.said == "") {
			t.Errorf("%s: what came in is %v now", c.name, in)
		}
	}
	for i, last := range []int{3, 7, 11, 15} { // each place of the last row alone
		m := identityMatrix
		m[last] += 0.5
		if got := new(encoder).affine("x", m[:]); !slices.Equal(got, identityMatrix[:]) {
			t.Errorf("matrix %d: %v", i, got)
		}
	}
}

// TestUnitLength: how far the length of a vector may be from 1, wherever it stands among others, and whichever axis it is along.
func TestUnitLength(t *testing.T) {
	for square, want := range map[float64]bool{1: true, 1.0099: true, 1.0101: false, 0.9901: true, 0.9899: false, 4: false, 0: false, math.Inf(1): false} {
		length := float32(math.Sqrt(square))
		for n := 1; n < 8; n++ {
			for at := range n {
				for axis := range 3 {
					v := slices.Repeat([]float32{0.6, 0, 0.8}, n)
					copy(v[3*at:], []float32{0, 0, 0})
					v[3*at+axis] = length
					first := notUnit(v, 3)
					if (first == -1) != want || first != -1 && first != 3*at {
						t.Errorf("a length of √%v along axis %d, as vector %d of %d: the first that is not good begins at %d", square, axis, at, n, first)
					}
					if quicklyUnit(v) != want && square != 1.0099 && square != 0.9901 {
						t.Errorf("a length of √%v along axis %d, as vector %d of %d: quickly seen %t", square, axis, at, n, !want)
					}
				}
			}
		}
	}
	if notUnit(nil, 3) != -1 || !quicklyUnit(nil) {
		t.Error("of no vectors one is not of unit length")
	}
	if first := notUnit([]float32{0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, 4); first != 0 {
		t.Errorf("of tangents that look like normals the first that is not good begins at %d", first)
	}
	for w, want := range map[float32]bool{1: true, -1: true, 0: false, 0.5: false} {
		if good([]float32{0, 1, 0, w}) != want {
			t.Errorf("a tangent with %v is good: %t", w, !want)
		}
	}
	for v, want := range map[[3]float32][3]float32{{0, 3, -4}: {0, 0.6, -0.8}, {1e-19, 0, 0}: {0, 1, 0}, {2e-18, 0, 0}: {1, 0, 0}, {1e38, 0, 0}: {1, 0, 0}, {0, float32(math.Inf(-1)), 0}: {0, 1, 0}} {
		if mendVector(v[:]); v != want {
			t.Errorf("%v, want %v", v, want)
		}
	}
}

// TestMendSkin has joints and weights of one vertex, with what is written.
func TestMendSkin(t *testing.T) {
	type sets = [][4]uint16
	type weights = [][4]float32
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name    string
		joints  sets
		weights weights
		wantJ   sets // nil: as they are
		wantW   weights
	}{
		{"one", sets{{5}}, weights{{1}}, nil, nil},
		{"two sets", sets{{5, 1, 2, 3}, {4}}, weights{{0.25, 0.25, 0.25, 0.125}, {0.125}}, nil, nil},
		{"nearly 1", sets{{1, 2}}, weights{{0.5, 0.50000012}}, nil, nil},
		{"joint 0 with a weight", sets{{0, 1}}, weights{{0.5, 0.5}}, nil, nil},
		{"too much", sets{{1, 2}}, weights{{0.5, 0.500001}}, sets{{1, 2}}, weights{{0.4999995, 0.5000005}}},
		{"too heavy", sets{{1, 2}}, weights{{3, 1}}, sets{{1, 2}}, weights{{0.75, 0.25}}},
		{"thirds", sets{{1, 2, 3}}, weights{{1, 1, 1}}, sets{{1, 2, 3}}, weights{{0.3333333134651184, 1.0 / 3, 1.0 / 3}}}, // of which 1 is the sum
		{"a joint without a weight", sets{{1, 2}}, weights{{1, 0}}, sets{{1}}, weights{{1}}},
		{"a joint twice", sets{{1, 1, 2}}, weights{{0.25, 0.25, 0.5}}, sets{{1, 0, 2}}, weights{{0.5, 0, 0.5}}},
		{"twice in two sets", sets{{1, 2}, {1, 3}}, weights{{0.25, 0.25}, {0.25, 0.25}}, sets{{1, 2}, {0, 3}}, weights{{0.5, 0.25}, {0, 0.25}}},
		{"joint 0 twice", sets{{0, 0}}, weights{{0.5, 0.5}}, sets{{0, 0}}, weights{{1}}},
		{"negative", sets{{1, 2}}, weights{{-0.5, 0.5}}, sets{{0, 2}}, weights{{0, 1}}},
		{"no number", sets{{1, 2, 3}}, weights{{nan, inf, 0.5}}, sets{{0, 0, 3}}, weights{{0, 0, 1}}},
		{"none", sets{{7, 8}, {9}}, weights{{0, 0}, {0}}, sets{{}, {}}, weights{{1}, {}}},
		{"far too little beside much", sets{{1, 2}}, weights{{1e-30, 3e38}}, sets{{0, 2}}, weights{{0, 1}}},
	} {
		joints, weight := make([]sets, len(c.joints)), make([]weights, len(c.joints))
		for k := range c.joints { // between others that are sound
			joints[k], weight[k] = sets{{}, c.joints[k], {}}, weights{{}, c.weights[k], {}}
		}
		weight[0][0][0], weight[0][2][0] = 1, 1
		j, w, n := mendSkin(joints, weight)
		wantJ, wantW, wantN := c.wantJ, c.wantW, 1
		if wantJ == nil {
			wantJ, wantW, wantN = c.joints, c.weights, 0
		}
		for k := range c.joints {
			if j[k][1] != wantJ[k] || w[k][1] != wantW[k] || n != wantN || w[0][0][0] != 1 || w[0][2][0] != 1 {
				t.Errorf("%s: %v %v, want %v %v; %d mended", c.name, j[k], w[k], wantJ[k], wantW[k], n)
			}
			if joints[k][1] != c.joints[k] || fmt.Sprint(weight[k][1]) != fmt.Sprint(c.weights[k]) || (&j[k][0] == &joints[k][0]) != (wantN == 0) {
				t.Errorf("%s: what came in was changed", c.name)
			}
		}
	}
}

// TestChangedVertices: those that move are written, and as many others that one of sixteen is.
func TestChangedVertices(t *testing.T) {
	for _, c := range []struct {
		n     int
		moves []int
		want  []uint32
	}{
		{5, []int{3}, []uint32{3}}, {5, nil, []uint32{0}}, {32, []int{31}, []uint32{0, 31}}, {31, []int{30}, []uint32{30}}, {48, []int{0, 47}, []uint32{0, 1, 47}}, {48, []int{5, 6, 7, 8}, []uint32{5, 6, 7, 8}},
	} {
		for axis := range 3 {
			v := make([]float32, 3*c.n)
			for _, i := range c.moves {
				v[3*i+axis] = -1
			}
			if got := changedVertices(v); !slices.Equal(got, c.want) {
				t.Errorf("of %d vertices %v move along axis %d: %v, want %v", c.n, c.moves, axis, got, c.want)
			}
		}
	}
}

// TestSparseTargets: displacements are sparse where that is smaller, with indices as wide as the vertices ask for.
func TestSparseTargets(t *testing.T) {
	for _, c := range []struct {
		vertices, moved int
		indices         gltf.ComponentType
		sparse          bool
	}{
		{100, 67, gltf.ComponentUshort, true}, {100, 68, 0, false}, {40, 15, gltf.ComponentUshort, true}, {40, 16, 0, false}, {65535, 5000, gltf.ComponentUshort, true}, {65536, 5000, gltf.ComponentUint, true}, {20, 1, 0, false},
	} {
		p := &asset.Primitive{Mode: asset.Points, Positions: make([][3]float32, c.vertices)}
		target := make([][3]float32, c.vertices)
		for i := range c.moved {
			target[c.vertices-1-i] = [3]float32{1, float32(i), -1}
		}
		p.Targets = []asset.Target{{Positions: target}}
		d := newDecoder(nil, nil)
		s, err := decodeWith(encode(t, scene(mesh("m", p)), nil), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := d.doc.Accessors[d.doc.Meshes[0].Primitives[0].Targets[0][gltf.POSITION]]
		sparse := a.Sparse != nil
		if sparse != c.sparse || sparse && (a.Sparse.Indices.ComponentType != c.indices || a.Sparse.Count != c.moved) || a.Count != c.vertices || a.Max[1] != float64(c.moved-1) {
			t.Errorf("%d of %d vertices move: %+v, %+v", c.moved, c.vertices, a, a.Sparse)
		}
		if !slices.Equal(s.Meshes[0].Primitives[0].Targets[0].Positions, target) {
			t.Errorf("%d of %d vertices move: otherwise than before", c.moved, c.vertices)
		}
	}
}

// TestTargetsWithoutBase: what of a morph target glTF has no place for is told, and a mesh has as many targets for each primitive.
func TestTargetsWithoutBase(t *testing.T) {
	moved := [][3]float32{{1, 0, 0}, {}, {}, {}}
	normals, flat := quad(), quad()
	flat.Normals = nil
	normals.Targets = []asset.Target{{Normals: moved}, {Tangents: moved}, {Positions: moved, Normals: moved}}
	flat.Targets = []asset.Target{{Normals: moved}}
	d := new(schema.Diagnostics)
	back := decode(t, encode(t, scene(mesh("m", normals, flat)), d)).Meshes[0]
	still := make([][3]float32, 4)
	equal(t, "with normals", back.Primitives[0].Targets, []asset.Target{{Normals: moved}, {Positions: still}, {Positions: moved, Normals: moved}})
	equal(t, "without", back.Primitives[1].Targets, []asset.Target{{Positions: still}, {Positions: still}, {Positions: still}})
	equal(t, "said", saidBy(d), []string{
		"meshes/0/primitives/0/targets/1 target-without-base: tangents of a morph target whose mesh has none",
		"meshes/0/primitives/1/targets/0 target-without-base: normals of a morph target whose mesh has none",
	})
}
