package world

import (
	"math"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// A size that the percentages of an object cannot say is refused.
func TestHugeObject(t *testing.T) {
	l := &objectLowerer{kind: ultima9.Nonfixed}
	if l.scale(&ultima9.Object{}, "giant", [3]float32{1, 1, 3e7}); schema.Class(l.err) != schema.ErrRange {
		t.Error(l.err)
	}
}

// TestTurnsAlike: turns are the same whatever their length and sign, up to a thousandth of a radian about any axis.
func TestTurnsAlike(t *testing.T) {
	turned := func(axis int, angle, length float64) (q [4]float32) {
		if axis >= 0 {
			q[axis] = float32(length * math.Sin(angle/2))
		}
		q[3] = float32(length * math.Cos(angle/2))
		return q
	}
	for axis := range 3 {
		for _, c := range []struct {
			a, b   float64
			length float64
			want   bool
		}{{1, 1, 1, true}, {1, 1, 3, true}, {1, 1, -0.5, true}, {1, 1.0005, 1, true}, {1, 1.003, 1, false}, {1, 0.997, 2, false}, {1, -1, 1, false}, {3, -3.283, 1, true}, {0, 0.01, 1, false}, {0, 0, 7, true}} {
			if got := turnsAlike(turned(axis, c.a, 1), turned(axis, c.b, c.length)); got != c.want {
				t.Errorf("axis %d, %v and %v of length %v: %v", axis, c.a, c.b, c.length, got)
			}
		}
	}
	if turnsAlike(turned(0, 1, 1), turned(1, 1, 1)) {
		t.Error("about another axis")
	}
}
