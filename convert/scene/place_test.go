package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"github.com/usher-assets/usher/schema/asset"
)

func trs(t, s mgl64.Vec3, axis mgl64.Vec3, degrees float64) mgl64.Mat4 {
	return Pose{t, mgl64.QuatRotate(degrees*math.Pi/180, axis.Normalize()), s}.Matrix()
}

func furthest(a, b mgl64.Mat4) (d float64) {
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
	}
	return d
}

func TestDecompose(t *testing.T) {
	sheared := mgl64.Ident4()
	sheared[4] = 0.3
	for _, c := range []struct {
		name  string
		m     mgl64.Mat4
		scale mgl64.Vec3
		exact bool
	}{
		{"identity", mgl64.Ident4(), mgl64.Vec3{1, 1, 1}, true},
		{"turned and scaled", trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{2, 3, 4}, mgl64.Vec3{1, 1, 0}, 130), mgl64.Vec3{2, 3, 4}, true},
		{"half turn", trs(mgl64.Vec3{}, mgl64.Vec3{1, 1, 1}, mgl64.Vec3{0, 1, 0}, 180), mgl64.Vec3{1, 1, 1}, true},
		{"mirrored in x", trs(mgl64.Vec3{}, mgl64.Vec3{-2, 3, 4}, mgl64.Vec3{0, 0, 1}, 30), mgl64.Vec3{-2, 3, 4}, true},
		{"tiny", trs(mgl64.Vec3{}, mgl64.Vec3{1e-9, 1e-9, 1e-9}, mgl64.Vec3{0, 0, 1}, 30), mgl64.Vec3{1e-9, 1e-9, 1e-9}, true},
		{"flat", trs(mgl64.Vec3{5, 0, 0}, mgl64.Vec3{2, 0, 4}, mgl64.Vec3{0, 0, 1}, 30), mgl64.Vec3{2, 0, 4}, true},
		{"a line", trs(mgl64.Vec3{5, 0, 0}, mgl64.Vec3{0, 0, 4}, mgl64.Vec3{0, 1, 1}, 30), mgl64.Vec3{0, 0, 4}, true},
		{"nothing", trs(mgl64.Vec3{5, 0, 0}, mgl64.Vec3{}, mgl64.Vec3{0, 1, 1}, 30), mgl64.Vec3{}, true},
		{"sheared", sheared, mgl64.Vec3{}, false},
	} {
		p, exact := Decompose(c.m)
		if exact != c.exact {
			t.Errorf("%s: exact %v", c.name, exact)
		}
		if c.exact && (furthest(p.Matrix(), c.m) > 1e-12 || p.Scale.Sub(c.scale).Len() > 1e-12) {
			t.Errorf("%s: %+v", c.name, p)
		}
		if math.Abs(p.Turn.Len()-1) > 1e-12 {
			t.Errorf("%s: rotation %v", c.name, p.Turn)
		}
	}
	p, _ := Decompose(sheared)
	if d := furthest(p.Matrix(), sheared); d > 0.16 {
		t.Errorf("the nearest pose is %g off: %+v", d, p)
	}
}

// TestDecomposeAny: every product of place, rotation and scale is found again, from float32 as well.
func TestDecomposeAny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, "x") }
		v := func(low, high float64) mgl64.Vec3 { return mgl64.Vec3{f(low, high), f(low, high), f(low, high)} }
		p := Pose{v(-100, 100), Turn([4]float32{float32(f(-1, 1)), float32(f(-1, 1)), float32(f(-1, 1)), float32(f(0.1, 1))}), v(0.01, 50)}
		if rapid.Bool().Draw(t, "mirrored") {
			p.Scale[0] = -p.Scale[0]
		}
		m := WideMatrix(NarrowMatrix(p.Matrix()))
		q, exact := Decompose(m)
		if !exact || Angle(p.Turn, q.Turn) > 1e-5 || !SamePlace(p.Matrix(), q.Matrix(), 1) {
			t.Fatalf("%+v becomes %+v, exact %v", p, q, exact)
		}
		if !SamePlace(m, WideMatrix(NarrowMatrix(rigid(m))).Mul4(rigid(m).Inv()).Mul4(m), 100) {
			t.Fatal("what is not rigid is not the rest of the matrix")
		}
	})
}

func TestKindsOfMatrices(t *testing.T) {
	sheared := mgl64.Ident4()
	sheared[4] = 0.3
	for _, c := range []struct {
		name                     string
		m                        mgl64.Mat4
		rigid, uniform, mirrored bool
		size                     float64
	}{
		{"turned", trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{1, 1, 1}, mgl64.Vec3{1, 1, 0}, 30), true, true, false, 1},
		{"twice", trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{2, 2, 2}, mgl64.Vec3{1, 1, 0}, 30), false, true, false, 2},
		{"stretched", trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{1, 1, 8}, mgl64.Vec3{1, 1, 0}, 30), false, false, false, 2},
		{"mirrored", trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{-1, 1, 1}, mgl64.Vec3{1, 1, 0}, 30), false, false, true, 1},
		{"two mirrors are a turn", trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{-1, -1, 1}, mgl64.Vec3{1, 1, 0}, 30), true, true, false, 1},
		{"sheared", sheared, false, false, false, 1},
	} {
		size, uniform := Uniform(c.m)
		if isRigid(c.m) != c.rigid || uniform != c.uniform || Mirrored(c.m) != c.mirrored || math.Abs(size-c.size) > 1e-9 {
			t.Errorf("%s: rigid %v, uniform %v, mirrored %v, size %g", c.name, isRigid(c.m), uniform, Mirrored(c.m), size)
		}
	}
}

// TestSamePlace: just below the thresholds is the same, just above is not.
func TestSamePlace(t *testing.T) {
	base := Pose{mgl64.Vec3{1, 2, 3}, mgl64.QuatRotate(1, mgl64.Vec3{0, 0, 1}), mgl64.Vec3{2, 0.01, 1}}
	const size = 50
	for _, c := range []struct {
		name string
		edit func(p *Pose, by float64)
	}{
		{"moved", func(p *Pose, by float64) { p.Place[1] += by * MoveTolerance * size }},
		{"turned", func(p *Pose, by float64) {
			p.Turn = p.Turn.Mul(mgl64.QuatRotate(by*TurnTolerance, mgl64.Vec3{1, 0, 0}))
		}},
		{"scaled", func(p *Pose, by float64) { p.Scale[1] *= 1 + by*ScaleTolerance }},
	} {
		for _, by := range []float64{0.8, 1.3} {
			p := base
			c.edit(&p, by)
			if got := SamePlace(base.Matrix(), p.Matrix(), size); got != (by < 1) {
				t.Errorf("%s by %g thresholds: same %v", c.name, by, got)
			}
		}
	}
	broken := base.Matrix()
	broken[13] = math.NaN()
	if !SamePlace(broken, base.Matrix(), size) || SamePlace(base.Matrix(), broken, size) {
		t.Error("only of a stored matrix that is no number nothing can be told")
	}
	mirrored := Pose{Turn: mgl64.QuatIdent(), Scale: mgl64.Vec3{-1, 1, 1}}.Matrix()
	if SamePlace(mgl64.Ident4(), mirrored, 1) {
		t.Error("a mirror is an edit")
	}
}

func TestWorlds(t *testing.T) {
	root, part, level := asset.NewNode("root"), asset.NewNode("part"), asset.NewNode("level")
	root.Transform.Scale, part.Transform.Translation = [3]float32{2, 2, 2}, [3]float32{1, 0, 0}
	root.Children, part.LODs = []*asset.Node{part}, []*asset.Node{level}
	part.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: [][3]float32{{0, 1, 0}, {4, float32(math.Inf(1)), 0}}}}}
	s := &asset.Scene{Roots: []*asset.Node{root}}
	parents, worlds := Parents(s), Worlds(s)
	for n, at := range map[*asset.Node]mgl64.Vec3{root: {}, part: {2, 0, 0}, level: {}} {
		if got := World(n, parents); got != worlds[n] || got.Col(3).Vec3() != at {
			t.Errorf("%s stands at %v and %v, want %v", n.Name, got.Col(3), worlds[n].Col(3), at)
		}
	}
	if parents[level] != root {
		t.Error("the parent of a level is not that of its owner")
	}
	if got := Size(s); got != 2 {
		t.Errorf("size %g, want 2", got)
	}
	above := asset.NewNode("above")
	above.Transform.Rotation = [4]float32{0, 0, 1, 0}
	frame, was := worlds[root], RelativeTo(worlds[root], worlds[part])
	s.Roots, above.Children = []*asset.Node{above}, []*asset.Node{root}
	now := RelativeTo(frame, World(part, Parents(s)))
	if want := trs(mgl64.Vec3{-1, 0, 0}, mgl64.Vec3{1, 1, 1}, mgl64.Vec3{0, 0, 1}, 180); SamePlace(was, now, 2) || !SamePlace(want, now, 2) {
		t.Errorf("the part is at %v", now)
	}
}

func TestColours(t *testing.T) {
	for _, c := range []struct{ display, linear float32 }{{0, 0}, {1, 1}, {0.5, 0.21404114}, {0.02, 0.0015479876}} {
		if got := Linear(c.display); math.Abs(float64(got-c.linear)) > 1e-7 {
			t.Errorf("Linear(%g) = %g", c.display, got)
		}
		if got := Display(c.linear); math.Abs(float64(got-c.display)) > 1e-6 {
			t.Errorf("Display(%g) = %g", c.linear, got)
		}
	}
	for i := range 256 {
		if got := Display(Linear(float32(i)/255)) * 255; math.Round(float64(got)) != float64(i) {
			t.Errorf("%d becomes %g", i, got)
		}
	}
	if n := float32(math.NaN()); Linear(n) != 0 || Display(n) != 0 {
		t.Error("what is no number is no colour")
	}
}

// TestBake: the baked surface is the surface as the matrix shows it.
func TestBake(t *testing.T) {
	p := &asset.Primitive{
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
		Normals:   [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0.6, 0.8}},
		Tangents:  [][4]float32{{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}},
		Targets:   []asset.Target{{Positions: [][3]float32{{0, 0, 0}, {0, 0, 1}, {0, 0, 0}}, Normals: [][3]float32{{0, 0, 0}, {-1, 0, -1}, {0, 0, 0}}}},
	}
	for _, c := range []struct {
		name string
		m    mgl64.Mat4
		flip bool
	}{
		{"turned", trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{1, 1, 1}, mgl64.Vec3{1, 2, 0}, 50), false},
		{"stretched", trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{1, 4, 0.5}, mgl64.Vec3{1, 2, 0}, 50), false},
		{"mirrored", trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{-1, 4, 0.5}, mgl64.Vec3{1, 2, 0}, 50), true},
	} {
		out := Bake(p, c.m)
		for i, v := range p.Positions {
			if want := Narrow3(mgl64.TransformCoordinate(Wide3(v), c.m)); out.Positions[i] != want {
				t.Errorf("%s: vertex %d at %v, want %v", c.name, i, out.Positions[i], want)
			}
			moved := Wide3(v).Add(Wide3(p.Targets[0].Positions[i]))
			if got, want := Wide3(out.Positions[i]).Add(Wide3(out.Targets[0].Positions[i])), mgl64.TransformCoordinate(moved, c.m); got.Sub(want).Len() > 1e-5 {
				t.Errorf("%s: target %d at %v, want %v", c.name, i, got, want)
			}
		}
		idx := Indices(out)
		a, b, d := Wide3(out.Positions[idx[0]]), Wide3(out.Positions[idx[1]]), Wide3(out.Positions[idx[2]])
		face := b.Sub(a).Cross(d.Sub(a)).Normalize()
		if got := Wide3(out.Normals[0]); face.Sub(got).Len() > 1e-5 {
			t.Errorf("%s: the face looks to %v, its normal to %v", c.name, face, got)
		}
		if flipped := out.Indices != nil; flipped != c.flip || out.Tangents[0][3] != map[bool]float32{false: 1, true: -1}[c.flip] {
			t.Errorf("%s: flipped %v, tangent %v", c.name, flipped, out.Tangents[0])
		}
		if got := math.Abs(Wide3(out.Normals[2]).Len() - 1); got > 1e-6 {
			t.Errorf("%s: normal of length 1 ± %g", c.name, got)
		}
		// The tilted normal stays at right angles to what it was at right angles to.
		along := c.m.Mat3().Mul3x1(mgl64.Vec3{0, 0.8, -0.6})
		if got := Wide3(out.Normals[2]).Dot(along.Normalize()); math.Abs(got) > 1e-6 {
			t.Errorf("%s: the normal leans by %g", c.name, got)
		}
		to := Wide3(p.Normals[1]).Add(Wide3(p.Targets[0].Normals[1])) // −x
		want := c.m.Mat3().Inv().Transpose().Mul3x1(to).Normalize()
		if got := Wide3(out.Normals[1]).Add(Wide3(out.Targets[0].Normals[1])); got.Sub(want).Len() > 1e-5 {
			t.Errorf("%s: normal of the target %v, want %v", c.name, got, want)
		}
	}
	if Bake(p, mgl64.Ident4()) != p {
		t.Error("what is not moved is copied")
	}
	twin := *p
	m := BakeMesh(&asset.Mesh{Primitives: []*asset.Primitive{p, &twin}}, mgl64.Translate3D(1, 0, 0))
	if &m.Primitives[0].Positions[0] != &m.Primitives[1].Positions[0] || p.Positions[0] != [3]float32{} {
		t.Error("vertices that primitives share are not shared any more, or the original moved")
	}
}

func BenchmarkBake(b *testing.B) {
	p := &asset.Primitive{Positions: make([][3]float32, 1<<16), Normals: make([][3]float32, 1<<16)}
	m := trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{1, 4, 0.5}, mgl64.Vec3{1, 2, 0}, 50)
	b.SetBytes(24 << 16)
	b.ReportAllocs()
	for b.Loop() {
		Bake(p, m)
	}
}
