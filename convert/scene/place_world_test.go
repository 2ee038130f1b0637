package scene

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// TestWalkWorld: every node is called with its place in the world, and with what its parent's call returned.
func TestWalkWorld(t *testing.T) {
	a, b, c, d := asset.NewNode("a"), asset.NewNode("b"), asset.NewNode("c"), asset.NewNode("d")
	a.Children, b.Children = []*asset.Node{b, d}, []*asset.Node{c}
	a.Transform.Scale, b.Transform.Translation, c.Transform.Translation = [3]float32{2, 2, 2}, [3]float32{1, 0, 0}, [3]float32{0, 3, 0}
	var got []string
	WalkWorld([]*asset.Node{a, asset.NewNode("e")}, mgl64.Translate3D(10, 0, 0), func(n *asset.Node, world mgl64.Mat4, inside bool) bool {
		got = append(got, fmt.Sprint(n.Name, world.Col(3).Vec3(), inside))
		return inside || n == b
	}, false)
	equal(t, "calls", got, []string{"a[10 0 0] false", "b[12 0 0] false", "c[12 6 0] true", "d[10 0 0] false", "e[10 0 0] false"})
}

// TestRelativeTo: a frame that does nothing, or has no inverse, gives the place itself, to the last bit.
func TestRelativeTo(t *testing.T) {
	world := trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{1, 1, 1}, mgl64.Vec3{1, 2, 3}, 40)
	flat := mgl64.Scale3D(1, 0, 1)
	for name, c := range map[string]struct{ frame, want mgl64.Mat4 }{
		"identity": {mgl64.Ident4(), world},
		"flat":     {flat, world},
		"moved":    {mgl64.Translate3D(1, 0, 0), trs(mgl64.Vec3{0, 2, 3}, mgl64.Vec3{1, 1, 1}, mgl64.Vec3{1, 2, 3}, 40)},
		"twice":    {mgl64.Scale3D(2, 2, 2), trs(mgl64.Vec3{0.5, 1, 1.5}, mgl64.Vec3{0.5, 0.5, 0.5}, mgl64.Vec3{1, 2, 3}, 40)},
	} {
		if got := RelativeTo(c.frame, world); furthest(got, c.want) > 1e-12 || c.want == world && got != world {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestSize: the corners of the box of a mesh count where the world has them, and what is infinite does not.
func TestSize(t *testing.T) {
	inf := float32(math.Inf(1))
	at := func(x, y, z float32, positions ...[3]float32) *asset.Node {
		n := shownBy("n", &asset.Primitive{Positions: positions})
		n.Transform.Translation = [3]float32{x, y, z}
		return n
	}
	turned := at(0, 0, 0, [3]float32{3, 0, 0}, [3]float32{0, 0, -4})
	turned.Transform.Rotation = NarrowTurn(mgl64.QuatRotate(-math.Asin(0.8), mgl64.Vec3{0, 1, 0}))
	for name, c := range map[string]struct {
		roots []*asset.Node
		want  float64
	}{
		"nothing":         {nil, 1},
		"at the origin":   {[]*asset.Node{asset.NewNode("n")}, 1},
		"small":           {[]*asset.Node{at(0.25, 0, 0)}, 0.25},
		"a node far away": {[]*asset.Node{at(0, -7, 0)}, 7},
		"not the first":   {[]*asset.Node{at(0, -7, 0), at(0, 0, -8), at(1, 0, 0)}, 8},
		"a mesh":          {[]*asset.Node{at(0, 0, 0, [3]float32{1, -9, 2}, [3]float32{0, 3, 4})}, 9},
		"in x":            {[]*asset.Node{at(0, 0, 0, [3]float32{1, 0, 0}, [3]float32{5, 3, 4}, [3]float32{2, 2, 2})}, 5},
		"in z":            {[]*asset.Node{at(0, 0, 0, [3]float32{1, 0, 6}, [3]float32{5, 3, 4})}, 6},
		"a mesh moved":    {[]*asset.Node{at(2, 0, 0, [3]float32{1, 0, 0})}, 3},
		"a corner":        {[]*asset.Node{turned}, 5},
		"infinite":        {[]*asset.Node{at(0, 0, 0, [3]float32{1, 2, 3}, [3]float32{inf, 9, 9}), at(inf, 2, 0)}, 3},
		"all infinite":    {[]*asset.Node{at(0, 0, 0, [3]float32{inf, 9, 9})}, 1},
	} {
		if got := Size(&asset.Scene{Roots: c.roots}); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

// TestTransformOf: a matrix becomes a pose where it is one, and stays a matrix where it is sheared.
func TestTransformOf(t *testing.T) {
	pose := trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{2, 2, 4}, mgl64.Vec3{0, 0, 1}, 90)
	n := TransformOf(pose)
	if n.Matrix != nil || n.Translation != [3]float32{1, 2, 3} || furthest(Matrix(&n), pose) > 1e-6 {
		t.Errorf("%+v", n)
	}
	sheared := mgl64.Ident4()
	sheared[4] = 0.3
	n = TransformOf(sheared)
	if n.Matrix == nil || *n.Matrix != NarrowMatrix(sheared) || n.Rotation != asset.Identity.Rotation || n.Scale != asset.Identity.Scale || n.Translation != [3]float32{} {
		t.Errorf("%+v", n)
	}
	broken := NarrowMatrix(pose)
	broken[3], broken[7], broken[11], broken[15] = 1, 2, 3, 4
	if got := Matrix(&asset.Transform{Matrix: &broken}); furthest(got, pose) > 1e-6 {
		t.Errorf("the last row was taken: %v", got)
	}
}

// TestTurnOfAnyLength: rotations of any length have one; what says nothing is no rotation.
func TestTurnOfAnyLength(t *testing.T) {
	inf := float32(math.Inf(1))
	half := mgl64.Quat{V: mgl64.Vec3{0, 1, 0}}
	for _, c := range []struct {
		q    [4]float32
		want mgl64.Quat
	}{
		{[4]float32{0, 5, 0, 0}, half}, {[4]float32{0, 0.25, 0, 0}, half}, {[4]float32{0, 0, 0, 1}, mgl64.QuatIdent()}, {[4]float32{}, mgl64.QuatIdent()},
		{[4]float32{inf, 0, 0, 1}, mgl64.QuatIdent()}, {[4]float32{inf - inf, 0, 0, 1}, mgl64.QuatIdent()},
	} {
		if got := Turn(c.q); got != c.want {
			t.Errorf("%v: %v, want %v", c.q, got, c.want)
		}
	}
}

// TestNearestRotation: of a sheared matrix it is the one in the middle, of a flat one that which keeps the first axis.
func TestNearestRotation(t *testing.T) {
	turn := mgl64.QuatRotate(0.8, mgl64.Vec3{1, 2, 3}.Normalize()).Mat4().Mat3()
	skewed := mgl64.Ident3() // y leans towards x, by as much as the rotation that is sought leans towards y
	s, c := math.Sincos(0.2)
	skewed.SetCol(1, mgl64.Vec3{s, c, 0})
	middle := mgl64.Rotate3DZ(-0.1)
	for name, x := range map[string]struct{ m, want mgl64.Mat3 }{
		"a rotation":       {turn, turn},
		"twice":            {turn.Mul(2), turn},
		"sheared":          {skewed, middle},
		"turned, sheared":  {turn.Mul3(skewed), turn.Mul3(middle)},
		"stretched":        {turn.Mul3(mgl64.Diag3(mgl64.Vec3{1, 5, 0.2})), turn},
		"flat":             {mgl64.Mat3FromCols(mgl64.Vec3{0, 2, 0}, mgl64.Vec3{3, 1, 0}, mgl64.Vec3{0, 2, 0}), mgl64.Mat3FromCols(mgl64.Vec3{0, 1, 0}, mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 0, -1})},
		"all along z":      {mgl64.Mat3FromCols(mgl64.Vec3{0, 0, 2}, mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, 0, 1}), mgl64.Mat3FromCols(mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, 1, 0}, mgl64.Vec3{-1, 0, 0})},
		"almost all the x": {mgl64.Mat3FromCols(mgl64.Vec3{1, 0, 0}, mgl64.Vec3{1, 0, 1e-9}, mgl64.Vec3{0, 1, 0}), mgl64.Mat3FromCols(mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0})},
	} {
		got := nearestRotation(x.m)
		if !got.ApproxEqualThreshold(x.want, 1e-9) {
			t.Errorf("%s: %v, want %v", name, got, x.want)
		}
	}
}

// TestDecomposeSheared: the scales of a sheared matrix are those along the axes of its nearest rotation.
func TestDecomposeSheared(t *testing.T) {
	s, c := math.Sincos(0.2)
	m := mgl64.Mat4FromCols(mgl64.Vec4{2, 0, 0, 0}, mgl64.Vec4{3 * s, 3 * c, 0, 0}, mgl64.Vec4{0, 0, 5, 0}, mgl64.Vec4{7, 8, 9, 1})
	p, exact := Decompose(m)
	want := mgl64.Vec3{2 * math.Cos(0.1), 3 * math.Cos(0.1), 5}
	if exact || p.Place != (mgl64.Vec3{7, 8, 9}) || p.Scale.Sub(want).Len() > 1e-9 || Angle(p.Turn, mgl64.QuatRotate(-0.1, mgl64.Vec3{0, 0, 1})) > 1e-9 {
		t.Errorf("%+v, exact %v", p, exact)
	}
	for _, lean := range []struct {
		by    float64
		exact bool
	}{{0.9e-5, true}, {1.1e-5, false}} {
		for k := range 3 {
			axes := mgl64.Ident4()
			axes.Set(k, (k+1)%3, lean.by)
			if _, exact := Decompose(axes); exact != lean.exact {
				t.Errorf("axis %d leans by %g: exact %v", (k+1)%3, lean.by, exact)
			}
		}
	}
	inf := mgl64.Ident4()
	inf[0] = math.Inf(1)
	if p, exact := Decompose(inf); exact || p.Turn != mgl64.QuatIdent() {
		t.Errorf("infinite: %+v, exact %v", p, exact)
	}
	if p, exact := Decompose(mgl64.Scale3D(0, 0, 0)); !exact || p.Turn != mgl64.QuatIdent() || p.Scale != (mgl64.Vec3{}) {
		t.Errorf("nothing: %+v, exact %v", p, exact)
	}
}

// TestUniform: a size is alike in all directions up to the tolerance, and never nothing.
func TestUniform(t *testing.T) {
	for name, c := range map[string]struct {
		scale mgl64.Vec3
		size  float64
		ok    bool
	}{
		"nothing": {mgl64.Vec3{}, 0, false}, "a little more in z": {mgl64.Vec3{3, 3, 3 + 3e-5}, 3, true}, "more in z": {mgl64.Vec3{3, 3, 3 + 3e-4}, 3, false},
		"less in x": {mgl64.Vec3{3 - 3e-4, 3, 3}, 3, false}, "small": {mgl64.Vec3{1e-3, 1e-3, 1e-3}, 1e-3, true}, "mirrored": {mgl64.Vec3{-2, 2, 2}, 2, false},
	} {
		m := mgl64.Scale3D(c.scale[0], c.scale[1], c.scale[2])
		if size, ok := Uniform(m); ok != c.ok || math.Abs(size-c.size) > 1e-3*c.size {
			t.Errorf("%s: %v %v, want %v %v", name, size, ok, c.size, c.ok)
		}
	}
	if isRigid(mgl64.Scale3D(1+4e-5, 1+4e-5, 1+4e-5)) || !isRigid(mgl64.Scale3D(1+1e-5, 1+1e-5, 1+1e-5)) || isRigid(mgl64.Scale3D(1-4e-5, 1-4e-5, 1-4e-5)) {
		t.Error("the tolerance of what is rigid")
	}
}

// TestSamePlaceFar: what is far away may be off by as much as the larger of the two distances and the size allow.
func TestSamePlaceFar(t *testing.T) {
	at := func(x float64) mgl64.Mat4 { return mgl64.Translate3D(x, 0, 0) }
	for _, c := range []struct {
		a, b, size float64
		want       bool
	}{
		{0, 4e-6, 1, true}, {0, 6e-6, 1, false}, {0, 4e-5, 10, true}, {0, 6e-5, 10, false},
		{100, 100.0004, 1, true}, {100, 100.0006, 1, false}, {-100.0004, -100, 1, true}, {-100.0006, -100, 1, false}, {0, 1, 0, false},
	} {
		if got := SamePlace(at(c.a), at(c.b), c.size); got != c.want {
			t.Errorf("%v and %v of %v: %v", c.a, c.b, c.size, got)
		}
		x, y := TransformOf(at(c.a)), TransformOf(at(c.b))
		if got := SameTransform(&x, &y, c.size); got != c.want && math.Abs(c.a) < 1 {
			t.Errorf("transforms at %v and %v of %v: %v", c.a, c.b, c.size, got)
		}
	}
	nan := asset.Identity
	nan.Translation[0] = float32(math.NaN())
	moved := asset.Identity
	moved.Translation[0] = 1
	if !SameTransform(&nan, &moved, 1) || SameTransform(&moved, &nan, 1) {
		t.Error("only of a stored place that is no number nothing can be told")
	}
	long := mgl64.Ident4()
	long.SetCol(1, mgl64.Vec4{math.Inf(1), math.Inf(1), math.Inf(1), 0})
	if !SamePlace(long, mgl64.Ident4(), 1) || SamePlace(mgl64.Ident4(), long, 1) {
		t.Error("only of a stored axis that has no end nothing can be told")
	}
	nan = asset.Identity
	nan.Scale[1] = float32(math.NaN())
	if !SameTransform(&nan, &asset.Transform{Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 9, 1}}, 1) || SameTransform(&nan, &moved, 1) || SameTransform(&asset.Transform{Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 9, 1}}, &nan, 1) {
		t.Error("only of a stored axis that is no number nothing can be told")
	}
}

// TestLinearEnds: both branches of the curve of sRGB meet.
func TestLinearEnds(t *testing.T) {
	for _, c := range []struct{ display, linear float32 }{{0.04045, 0.0031308}, {0.01, 0.01 / 12.92}, {0.04, 0.04 / 12.92}, {0.8, 0.6038273}} {
		if got := Linear(c.display); math.Abs(float64(got-c.linear)) > 1e-7 {
			t.Errorf("Linear(%g) = %.9g, want %.9g", c.display, got, c.linear)
		}
		if got := Display(c.linear); math.Abs(float64(got-c.display)) > 1e-6 {
			t.Errorf("Display(%g) = %.9g, want %.9g", c.linear, got, c.display)
		}
	}
}
