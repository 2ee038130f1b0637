package space

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// sized is a transform far from the middle.
func sized(x float32) *asset.Transform {
	t := asset.Identity
	t.Translation[0] = x
	return &t
}

// TestSameTransform: an editor's rounding is no change. Of a place more counts as rounding the further out it is; of a turn or a
// size it never does.
func TestSameTransform(t *testing.T) {
	turned := func(by float32) *asset.Transform {
		x := asset.Identity
		x.Rotation[2] = by
		return &x
	}
	bare := [16]float32{0: 1, 5: 1, 10: 1, 15: 1}
	matrix := func(i int, by float32) *asset.Transform {
		m := bare
		m[i] += by
		return &asset.Transform{Matrix: &m}
	}
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		a, b *asset.Transform
		want bool
	}{
		{"alike", sized(3), sized(3), true},
		{"a matrix", sized(0), matrix(0, 0), true},
		{"a little further", sized(0), sized(0.9e-5), true},
		{"further", sized(0), sized(1.1e-5), false},
		{"a little further back", sized(0.9e-5), sized(0), true},
		{"far out, a little", sized(1000), sized(1000.009), true},
		{"far out", sized(1000), sized(1000.02), false},
		{"far out on the other side", sized(-1000), sized(-1000.009), true},
		{"a little wider, far out", &asset.Transform{Translation: [3]float32{1000, 0, 0}, Scale: [3]float32{1, 1, 1}}, &asset.Transform{Translation: [3]float32{1000, 0, 0}, Scale: [3]float32{1, 1.001, 1}}, false},
		{"turned a little", sized(0), turned(2e-6), true},
		{"turned", sized(0), turned(1e-4), false},
		{"not a number, which glTF has not", matrix(4, nan), sized(0), true},
		{"nor this", matrix(12, nan), sized(0), true},
		{"a number that is none now", sized(0), matrix(4, nan), false},
		{"the last column", matrix(11, 0), matrix(11, 2e-5), false},
		{"a place exactly as far as may be", matrix(12, 0), matrix(12, float32(math.Nextafter32(1e-5, 0))), true},
	} {
		if got := SameTransform(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestPlace: a pure turn is stored as one; what mirrors, sizes or skews stays a matrix.
func TestPlace(t *testing.T) {
	turn := mgl64.Rotate3DZ(0.5)
	for _, c := range []struct {
		name string
		m    mgl64.Mat3
		pure bool
	}{
		{"nothing", mgl64.Ident3(), true}, {"turn", turn, true}, {"rounded", turn.Mul(1.0004), true}, {"larger", turn.Mul(1.001), false},
		{"mirror", mgl64.Diag3(mgl64.Vec3{1, 1, -1}), false}, {"half a turn", mgl64.Diag3(mgl64.Vec3{-1, 1, -1}), true},
		{"skew", mgl64.Mat3{1, 0, 0, 0.1, 1, 0, 0, 0, 1}, false}, {"nothing left", mgl64.Mat3{}, false},
	} {
		got := Place(mgl64.Vec3{1, 2, 3}, c.m)
		if pure := got.Matrix == nil; pure != c.pure {
			t.Errorf("%s: pure %v", c.name, pure)
		}
		want := c.m.Mat4()
		want.SetCol(3, mgl64.Vec4{1, 2, 3, 1})
		if m := Matrix(&got); !Near(want, m) || !Near(want, Matrix(ptr(Transform(want)))) {
			t.Errorf("%s: %v, want %v", c.name, m, want)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// TestWorld: what a node hangs on moves it.
func TestWorld(t *testing.T) {
	root, arm, hand := &asset.Node{Transform: Place(mgl64.Vec3{10, 0, 0}, mgl64.Rotate3DZ(math.Pi/2))}, &asset.Node{Transform: *sized(5)}, &asset.Node{Transform: *sized(1)}
	w := World(hand, map[*asset.Node]*asset.Node{hand: arm, arm: root})
	if at := w.Col(3).Vec3(); at.Sub(mgl64.Vec3{10, 6, 0}).Len() > 1e-6 {
		t.Errorf("the hand is at %v", at)
	}
	if w := World(nil, nil); w != mgl64.Ident4() {
		t.Errorf("nothing is at %v", w)
	}
}

// TestRigid: sizes and skews go, turns and places stay; what has lost an axis keeps its place alone.
func TestRigid(t *testing.T) {
	turn := mgl64.Rotate3DZ(0.5).Mat4()
	at := mgl64.Translate3D(7, 8, 9)
	column := func(i int, v mgl64.Vec3) mgl64.Mat4 {
		m := at
		m.SetCol(i, v.Vec4(0))
		return m
	}
	for _, c := range []struct {
		name    string
		m, want mgl64.Mat4
	}{
		{"pure", at.Mul4(turn), at.Mul4(turn)},
		{"larger", at.Mul4(turn).Mul4(mgl64.Scale3D(2, 3, 4)), at.Mul4(turn)},
		{"mirrored", at.Mul4(mgl64.Scale3D(1, 1, -2)), at},
		{"skewed", column(1, mgl64.Vec3{5, 1, 0}), at},
		{"without x", column(0, mgl64.Vec3{}), at},
		{"without y", column(1, mgl64.Vec3{}), at},
		{"flat", column(1, mgl64.Vec3{3, 0, 0}), at},
		{"turned, without x", at.Mul4(turn).Mul4(mgl64.Scale3D(0, 1, 1)), at},
		{"turned, without y", at.Mul4(turn).Mul4(mgl64.Scale3D(1, 0, 1)), at},
	} {
		if got := Rigid(c.m); !got.ApproxEqualThreshold(c.want, 1e-9) {
			t.Errorf("%s:\n%v\nwant\n%v", c.name, got, c.want)
		}
	}
}

// TestNear: a thousandth of a value, and one more, is near.
func TestNear(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want bool
	}{
		{0, 0, true}, {0, 0.0009, true}, {0, 0.0011, false}, {0, -0.0011, false}, {1000, 1000.9, true}, {1000, 1001.1, false}, {-1000, -1000.9, true},
		{math.NaN(), math.NaN(), false}, {0, math.NaN(), false}, {7, 7.0075, true}, {1, 0, false}, {0, 0.001, true},
	} {
		if got := Near(mgl64.Mat4{9: c.a}, mgl64.Mat4{9: c.b}); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

// TestAngles: half a turn, there and back; and pictures upside down, there and back.
func TestAngles(t *testing.T) {
	if d := Degrees(math.Pi); math.Abs(d-180) > 1e-4 {
		t.Errorf("half a turn has %v degrees", d)
	}
	if r := Radians(180); r != math.Pi {
		t.Errorf("half a turn is %v", r)
	}
	uv := [][2]float32{{0.25, 0.75}, {2, -1}}
	up := FlipV(uv)
	if len(up) != 2 || up[0] != [2]float32{0.25, 0.25} || up[1] != [2]float32{2, 2} || FlipV(up)[1] != uv[1] {
		t.Errorf("flipped %v", up)
	}
	rows := [9]float32{1, 2, 3, 4, 5, 6, 7, 8, 9}
	if m := Rotation(rows); Rows(m) != rows || m.Row(0) != (mgl64.Vec3{1, 2, 3}) {
		t.Errorf("rows became %v", m)
	}
	if q := Turn([4]float32{0, 0, 3, 4}); math.Abs(q.W-0.8) > 1e-12 || math.Abs(q.V[2]-0.6) > 1e-12 {
		t.Errorf("a turn is %v", q)
	}
}
