package scene

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// TestBlend: what moves a vertex is the mean of what moves its joints, by their weights.
func TestBlend(t *testing.T) {
	at := func(x float64) mgl64.Mat4 { return mgl64.Translate3D(x, 0, 0) }
	moves := []mgl64.Mat4{at(1), at(2), at(10)}
	for _, c := range []struct {
		name    string
		joints  [][][4]uint16
		weights [][][4]float32
		want    float64 // 0 for none
	}{
		{"one", [][][4]uint16{{{1}}}, [][][4]float32{{{1}}}, 2},
		{"two", [][][4]uint16{{{0, 2}}}, [][][4]float32{{{0.75, 0.25}}}, 3.25},
		{"weights that are not whole", [][][4]uint16{{{0, 2}}}, [][][4]float32{{{0.375, 0.125}}}, 3.25},
		{"two sets", [][][4]uint16{{{0}}, {{0, 0, 0, 2}}}, [][][4]float32{{{0.5}}, {{0, 0, 0, 0.5}}}, 5.5},
		{"a joint that is none", [][][4]uint16{{{1, 3}}}, [][][4]float32{{{0.5, 0.5}}}, 2},
		{"the last joint", [][][4]uint16{{{2, 0}}}, [][][4]float32{{{1}}}, 10},
		{"a weight below nothing", [][][4]uint16{{{1, 2}}}, [][][4]float32{{{1, -0.5}}}, 2},
		{"no weight", [][][4]uint16{{{1}}}, [][][4]float32{{{}}}, 0},
		{"no joints", nil, [][][4]float32{{{1}}}, 0},
		{"a set without weights", [][][4]uint16{{{1}}, {{2}}}, [][][4]float32{{{1}}}, 2},
		{"too few joints", [][][4]uint16{{}, {{1}}}, [][][4]float32{{{1}}, {{1}}}, 2},
		{"too few weights", [][][4]uint16{{{2}}, {{1}}}, [][][4]float32{{}, {{1}}}, 2},
	} {
		m, ok := blend(&asset.Primitive{Joints: c.joints, Weights: c.weights}, 0, moves)
		if ok != (c.want > 0) || ok && furthest(m, at(c.want)) > 1e-9 {
			t.Errorf("%s: %v %v, want %g", c.name, m, ok, c.want)
		}
	}
}

// TestBent: all that a vertex has follows its joint, and what follows none stays; the mesh is not written to.
func TestBent(t *testing.T) {
	by := trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{2, 3, 5}, mgl64.Vec3{0, 1, 0}, 30)
	build := func() *asset.Primitive {
		up := [3]float32{0, 0, 1}
		return &asset.Primitive{Positions: triangle(1), Normals: [][3]float32{up, up, up}, Tangents: [][4]float32{{1, 0, 0, 1}, {0.6, 0.8, 0, -1}, {1, 0, 0, 1}},
			Joints: [][][4]uint16{{{}, {}, {}}}, Weights: [][][4]float32{{{1}, {1}, {}}},
			Targets: []asset.Target{
				{Positions: [][3]float32{{0, 1, 0}, {0, 0, 1}, {0, 2, 0}}, Normals: [][3]float32{{0, 1, -1}, {}, {0, 1, -1}}, Tangents: [][3]float32{{-1, 1, 0}, {}, {-1, 1, 0}}},
				{Positions: [][3]float32{{3, 0, 0}, {}, {}}},
			}}
	}
	p := build()
	q := bent(&asset.Mesh{Name: "m", Primitives: []*asset.Primitive{p}}, []mgl64.Mat4{by}).Primitives[0]
	equal(t, "the original", p, build())
	want := Bake(p, by)
	alike := func(what string, got, want [][3]float32) {
		t.Helper()
		for i := range want {
			if len(got) != len(want) || Wide3(got[i]).Sub(Wide3(want[i])).Len() > 1e-6 {
				t.Errorf("%s %d: %v, want %v", what, i, got, want)
			}
		}
	}
	directions := func(list [][4]float32) (out [][3]float32) {
		for _, v := range list {
			out = append(out, xyz(v))
		}
		return out
	}
	last := func(list, stays [][3]float32) [][3]float32 { return append(slices.Clone(list[:2]), stays[2]) }
	alike("position", q.Positions, last(want.Positions, p.Positions))
	alike("normal", q.Normals, last(want.Normals, p.Normals))
	alike("tangent", directions(q.Tangents), last(directions(want.Tangents), directions(p.Tangents)))
	alike("target", q.Targets[0].Positions, last(want.Targets[0].Positions, p.Targets[0].Positions))
	alike("normal of the target", q.Targets[0].Normals, last(want.Targets[0].Normals, p.Targets[0].Normals))
	alike("tangent of the target", q.Targets[0].Tangents, last(want.Targets[0].Tangents, p.Targets[0].Tangents))
	alike("second target", q.Targets[1].Positions, last(want.Targets[1].Positions, p.Targets[1].Positions))
	if q.Tangents[1][3] != -1 || q.Targets[1].Normals != nil || q.Targets[1].Tangents != nil {
		t.Errorf("%+v", q)
	}
	bare := &asset.Primitive{Positions: triangle(1), Joints: p.Joints, Weights: p.Weights, Targets: []asset.Target{{Normals: triangle(5), Tangents: triangle(6)}}}
	equal(t, "targets of what is not there", bent(&asset.Mesh{Primitives: []*asset.Primitive{bare}}, []mgl64.Mat4{by}).Primitives[0].Targets, bare.Targets)
}

// TestRebind: which skins are bound anew, and which meshes are replaced.
func TestRebind(t *testing.T) {
	build := func() (s *asset.Scene, root, tip, a, b *asset.Node) {
		root, tip = asset.NewNode("root"), asset.NewNode("tip")
		root.Children = []*asset.Node{tip}
		tip.Transform.Translation = [3]float32{0, 1, 0}
		mesh := &asset.Mesh{Primitives: []*asset.Primitive{{Positions: triangle(0), Joints: [][][4]uint16{{{0}, {1}, {1}}}, Weights: [][][4]float32{{{1}, {1}, {1}}}}}}
		a, b = asset.NewNode("a"), asset.NewNode("b")
		skin := &asset.Skin{Joints: []*asset.Node{root, tip}, InverseBind: [][16]float32{NarrowMatrix(mgl64.Ident4()), NarrowMatrix(mgl64.Translate3D(0, -1, 0))}}
		a.Mesh, b.Mesh, a.Skin, b.Skin = mesh, mesh, skin, skin
		return &asset.Scene{Roots: []*asset.Node{root, a, b}, Meshes: []*asset.Mesh{mesh}, Skins: []*asset.Skin{{}, skin}}, root, tip, a, b
	}
	s, _, tip, a, b := build()
	tip.Transform.Translation[1] = 4
	changed := BindInPlace(s, nil)
	if !slices.Equal(changed, []*asset.Node{a, b}) || a.Mesh != b.Mesh || !slices.Equal(s.Meshes, []*asset.Mesh{a.Mesh}) || a.Mesh.Primitives[0].Positions[2] != [3]float32{0, 4, 0} {
		t.Errorf("%d nodes changed, %d meshes, %v", len(changed), len(s.Meshes), a.Mesh.Primitives[0].Positions)
	}
	s, _, tip, a, b = build()
	tip.Transform.Translation[1], b.Skin = 4, nil
	if changed := BindInPlace(s, nil); !slices.Equal(changed, []*asset.Node{a}) || a.Mesh == b.Mesh || len(s.Meshes) != 2 {
		t.Errorf("%d nodes changed, %d meshes", len(changed), len(s.Meshes))
	}
	s, root, _, a, _ := build()
	root.Transform.Translation[0] = 5
	was := slices.Clone(a.Skin.InverseBind)
	if changed := BindAtRest(s); changed != nil || !slices.Equal(a.Skin.InverseBind, was) {
		t.Error("a skin that was moved as a whole was bound anew")
	}
	stood := map[*asset.Node]mgl64.Mat4{}
	s, root, tip, a, _ = build()
	stood[root], stood[tip] = mgl64.Translate3D(1, 0, 0), mgl64.Translate3D(0, 0, 2)
	BindInPlace(s, func(joint *asset.Node) mgl64.Mat4 { return stood[joint] })
	equal(t, "where they stood", a.Mesh.Primitives[0].Positions, [][3]float32{{-1, 0, 0}, {1, 0, -2}, {0, 1, -2}})
	equal(t, "bound", a.Skin.InverseBind, [][16]float32{NarrowMatrix(mgl64.Translate3D(1, 0, 0)), NarrowMatrix(mgl64.Translate3D(0, -1, 2))})
	s, root, tip, a, _ = build()
	stood[root], stood[tip] = mgl64.Mat4{}, mgl64.Translate3D(0, 0, 2)
	if BindInPlace(s, func(joint *asset.Node) mgl64.Mat4 { return stood[joint] }); a.Mesh != s.Meshes[0] || a.Skin.InverseBind[1][14] != 0 {
		t.Error("a skin whose first joint stood nowhere was bound")
	}
	s, root, tip, a, _ = build()
	stood[root], stood[tip] = mgl64.Translate3D(1, 0, 0), mgl64.Mat4{}
	BindInPlace(s, func(joint *asset.Node) mgl64.Mat4 { return stood[joint] })
	equal(t, "a joint that stood nowhere", a.Mesh.Primitives[0].Positions, [][3]float32{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}})
	if a.Skin.InverseBind[1] != NarrowMatrix(mgl64.Translate3D(0, -1, 0)) {
		t.Errorf("bound by %v", a.Skin.InverseBind[1])
	}
	s, _, tip, a, _ = build()
	tip.Transform.Scale = [3]float32{}
	if BindInPlace(s, nil); a.Mesh != s.Meshes[0] || a.Skin.InverseBind[1] != NarrowMatrix(mgl64.Translate3D(0, -1, 0)) {
		t.Error("a joint of no size was bound anew")
	}
	s, _, tip, a, b = build()
	tip.Transform.Rotation = NarrowTurn(mgl64.QuatRotate(math.Pi, mgl64.Vec3{0, 1, 0}))
	b.Mesh = nil
	if changed := BindInPlace(s, nil); !slices.Equal(changed, []*asset.Node{a}) || b.Mesh != nil {
		t.Errorf("%d nodes changed", len(changed))
	}
}
