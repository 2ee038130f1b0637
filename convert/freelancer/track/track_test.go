package track

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// TestMoves: a channel that stays where its node rests, but for rounding, moves nothing; further out more is rounding.
func TestMoves(t *testing.T) {
	for _, c := range []struct {
		name   string
		rest   float32
		values []float32
		want   bool
	}{
		{"at rest", 3, []float32{3, 3}, false},
		{"rounded", 0, []float32{0, 0.9e-4}, false},
		{"moved", 0, []float32{0, 1.1e-4}, true},
		{"moved back", 0, []float32{-1.1e-4, 0}, true},
		{"moved at first", 0, []float32{1, 0}, true},
		{"rounded far out", 1000, []float32{1000.05, 1000}, false},
		{"moved far out", 1000, []float32{1000, 1000.2}, true},
		{"rounded half a metre out", 0.5, []float32{0.5, 0.50009}, false},
		{"moved half a metre out", 0.5, []float32{0.5, 0.50012}, true},
		{"exactly as far as rounding goes", 9999, []float32{10000, 9999}, false},
		{"elsewhere all the time", 0, []float32{2, 2}, true},
	} {
		rest := []float32{0, c.rest, 0}
		x := &asset.Channel{Path: asset.Translation, Interpolation: asset.LinearKeys, Times: []float32{0, 1}}
		for _, v := range c.values {
			x.Values = append(x.Values, 0, v, 0)
		}
		if got := Moves(x, rest); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestFinite: a pose with a value that is no number, or has no end, is none; large ones of both signs are.
func TestFinite(t *testing.T) {
	pose := func() Pose { return Pose{At: mgl64.Vec3{1e30, -1e30, 3}, Turn: mgl64.QuatIdent()} }
	if x := pose(); !x.Finite() {
		t.Error("a pose is not finite")
	}
	for i := range 7 {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			x := pose()
			*[]*float64{&x.At[0], &x.At[1], &x.At[2], &x.Turn.W, &x.Turn.V[0], &x.Turn.V[1], &x.Turn.V[2]}[i] = v
			if x.Finite() {
				t.Errorf("value %d is %v: finite", i, v)
			}
		}
	}
	x := pose()
	x.At[0], x.Turn.W = math.Inf(1), math.Inf(-1)
	if x.Finite() {
		t.Error("two ends make a middle")
	}
}
