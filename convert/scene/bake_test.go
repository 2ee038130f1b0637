package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// TestNormalMatrix is the inverse transposed times the size of the determinant, and exists for flat transforms too.
func TestNormalMatrix(t *testing.T) {
	for _, m := range []mgl64.Mat4{trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{2, 3, 5}, mgl64.Vec3{1, 2, 0}, 50), trs(mgl64.Vec3{}, mgl64.Vec3{-2, 3, 5}, mgl64.Vec3{1, 2, 3}, 20)} {
		want := m.Mat3().Inv().Transpose().Mul(30)
		if got := NormalMatrix(m); !got.ApproxEqualThreshold(want, 1e-9) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got, want := NormalMatrix(mgl64.Scale3D(2, 3, 0)), (mgl64.Mat3{8: 6}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestUnitOr: what has no length or is no number is what it was.
func TestUnitOr(t *testing.T) {
	was := [3]float32{7, 8, 9}
	for _, c := range []struct {
		v    mgl64.Vec3
		want [3]float32
	}{
		{mgl64.Vec3{0, 3, 4}, [3]float32{0, 0.6, 0.8}}, {mgl64.Vec3{1e-20, 0, 0}, [3]float32{1, 0, 0}}, {mgl64.Vec3{}, was}, {mgl64.Vec3{1e-31, 0, 0}, was},
		{mgl64.Vec3{math.NaN(), 1, 0}, was}, {mgl64.Vec3{math.Inf(1), 0, 0}, was},
	} {
		if got := unitOr(c.v, was); got != c.want {
			t.Errorf("%v: %v, want %v", c.v, got, c.want)
		}
	}
}

// TestBakeWhat: only what a primitive has is baked, and what changes is new.
func TestBakeWhat(t *testing.T) {
	twice := mgl64.Scale3D(2, 2, 2)
	mirror := mgl64.Scale3D(1, -1, 1)
	p := &asset.Primitive{Positions: triangle(1)}
	if Bake(p, mgl64.Ident4()) != p {
		t.Error("nothing was baked, and the primitive is another one")
	}
	equal(t, "positions", Bake(p, twice), &asset.Primitive{Positions: [][3]float32{{2, 0, 0}, {4, 0, 0}, {2, 2, 0}}})
	equal(t, "no vertices", Bake(&asset.Primitive{Positions: [][3]float32{}}, twice), &asset.Primitive{Positions: [][3]float32{}})
	equal(t, "mirrored", Bake(p, mirror), &asset.Primitive{Positions: [][3]float32{{1, 0, 0}, {2, 0, 0}, {1, -1, 0}}, Indices: []uint32{0, 2, 1}})
	lines := &asset.Primitive{Mode: asset.Lines, Positions: triangle(1)}
	equal(t, "mirrored lines", Bake(lines, mirror), &asset.Primitive{Mode: asset.Lines, Positions: [][3]float32{{1, 0, 0}, {2, 0, 0}, {1, -1, 0}}})
	cut := &asset.Primitive{Positions: triangle(1), Indices: []uint32{0, 1, 2, 2, 1, 0, 1, 2}}
	equal(t, "indices that are cut off", Bake(cut, mirror).Indices, []uint32{0, 2, 1, 2, 0, 1, 1, 2})
	equal(t, "the original", cut.Indices, []uint32{0, 1, 2, 2, 1, 0, 1, 2})

	tangents := &asset.Primitive{Positions: triangle(1), Tangents: [][4]float32{{0.6, 0.8, 0, 1}, {0, 1, 0, -1}, {}}}
	equal(t, "tangents", Bake(tangents, twice).Tangents, tangents.Tangents)
	equal(t, "tangents in a mirror", Bake(tangents, mirror).Tangents, [][4]float32{{0.6, -0.8, 0, -1}, {0, -1, 0, 1}, {}})
	stretched := Bake(tangents, mgl64.Scale3D(4, 3, 1)).Tangents[0]
	if want := (mgl64.Vec3{0.6 * 4, 0.8 * 3, 0}).Normalize(); Wide3([3]float32(stretched[:3])).Sub(want).Len() > 1e-6 || stretched[3] != 1 {
		t.Errorf("a stretched tangent: %v, want %v", stretched, want)
	}
}

// TestBakeTargets: what a morph target makes of a vertex is baked as the vertex is; what a target has not stays away.
func TestBakeTargets(t *testing.T) {
	up := [3]float32{0, 0, 1}
	by := trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{2, 3, 5}, mgl64.Vec3{0, 1, 0}, 30)
	p := &asset.Primitive{Positions: triangle(0), Normals: [][3]float32{up, up, up}, Tangents: [][4]float32{{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}},
		Targets: []asset.Target{
			{Tangents: [][3]float32{{-1, 1, 0}, {}, {-1, 0, 1}}},
			{Normals: [][3]float32{{0, 1, -1}, {}, {1, 0, -1}}},
			{Positions: [][3]float32{{0, 1, 0}, {}, {2, 0, 0}}},
		}}
	q := Bake(p, by)
	if x := q.Targets; x[0].Positions != nil || x[0].Normals != nil || x[1].Tangents != nil || x[2].Normals != nil {
		t.Errorf("targets have more than before: %+v", x)
	}
	for i := range p.Positions {
		toTangent := Wide3([3]float32(p.Tangents[i][:3])).Add(Wide3(p.Targets[0].Tangents[i]))
		if got, want := Wide3([3]float32(q.Tangents[i][:3])).Add(Wide3(q.Targets[0].Tangents[i])), by.Mat3().Mul3x1(toTangent).Normalize(); got.Sub(want).Len() > 1e-6 {
			t.Errorf("tangent %d becomes %v, want %v", i, got, want)
		}
		toNormal := Wide3(p.Normals[i]).Add(Wide3(p.Targets[1].Normals[i]))
		if got, want := Wide3(q.Normals[i]).Add(Wide3(q.Targets[1].Normals[i])), by.Mat3().Inv().Transpose().Mul3x1(toNormal).Normalize(); got.Sub(want).Len() > 1e-6 {
			t.Errorf("normal %d becomes %v, want %v", i, got, want)
		}
		if got, want := Wide3(q.Targets[2].Positions[i]), by.Mat3().Mul3x1(Wide3(p.Targets[2].Positions[i])); got.Sub(want).Len() > 1e-6 {
			t.Errorf("vertex %d is displaced by %v, want %v", i, got, want)
		}
	}
	bare := &asset.Primitive{Positions: triangle(0), Targets: []asset.Target{{Normals: triangle(5), Tangents: triangle(6)}}}
	equal(t, "targets of what is not there", Bake(bare, by).Targets, bare.Targets)
}

// TestBakeMeshShares: primitives that share vertices still do, positions and normals of equal numbers apart.
func TestBakeMeshShares(t *testing.T) {
	shared := triangle(0)
	m := &asset.Mesh{Name: "m", Primitives: []*asset.Primitive{{Positions: shared, Normals: shared}, {Positions: shared}, {Positions: shared[:2]}, {Positions: shared[1:]}}}
	if BakeMesh(m, mgl64.Ident4()) != m {
		t.Error("nothing was baked, and the mesh is another one")
	}
	out := BakeMesh(m, mgl64.Scale3D(2, 2, 2))
	p := out.Primitives
	if out == m || out.Name != "m" || len(p) != 4 || &p[0].Positions[0] != &p[1].Positions[0] || len(p[2].Positions) != 2 {
		t.Errorf("%+v", out)
	}
	equal(t, "positions", p[1].Positions, [][3]float32{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}})
	equal(t, "normals", p[0].Normals, [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})
	equal(t, "some", p[3].Positions, [][3]float32{{2, 0, 0}, {0, 2, 0}})
	equal(t, "the original", shared, triangle(0))
}
