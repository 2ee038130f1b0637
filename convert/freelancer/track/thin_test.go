package track

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestThinned samples motions of known keys, as an editor does, and finds the keys again.
func TestThinned(t *testing.T) {
	turned := func(degrees float64) mgl64.Quat { return mgl64.QuatRotate(degrees*math.Pi/180, mgl64.Vec3{0, 1, 0}) }
	key := func(frame, x, degrees float64) Pose {
		return Pose{Time: frame / 24, At: mgl64.Vec3{x, 0, 0}, Turn: turned(degrees)}
	}
	sample := func(keys []Pose, straight bool) (list []Pose) {
		for i := 1; i < len(keys); i++ {
			a, b := keys[i-1], keys[i]
			steps := math.Round((b.Time - a.Time) * 24)
			for k := 0.0; k < steps; k++ {
				s := k / steps
				x := Pose{Time: a.Time + (b.Time-a.Time)*s, At: a.At.Mul(1 - s).Add(b.At.Mul(s)), Turn: mgl64.QuatSlerp(a.Turn, b.Turn, s)}
				if straight {
					x.Turn = mgl64.QuatNlerp(a.Turn, b.Turn, s)
				}
				list = append(list, x)
			}
		}
		return append(list, keys[len(keys)-1])
	}
	for _, c := range []struct {
		name     string
		keys     []Pose
		straight bool // it was sampled by what blends the four numbers
		blends   bool // and that is known
		more     int  // poses that stay besides the keys
	}{
		{"nothing moves", []Pose{key(0, 0, 0), key(48, 0, 0)}, false, false, 0},
		{"one way", []Pose{key(0, 0, 0), key(24, 9, 0)}, false, false, 0},
		{"one turn", []Pose{key(0, 0, 0), key(24, 0, 90)}, false, false, 0},
		{"to and fro", []Pose{key(0, 0, 0), key(12, 9, 40), key(36, 0, 0)}, false, false, 0},
		{"it waits", []Pose{key(0, 0, 0), key(12, 0, 0), key(13, 5, 0), key(40, 5, 0)}, false, false, 0},
		{"a turn and a way with keys of their own", []Pose{key(0, 0, 0), key(10, 1, 40), key(20, 2, 10), key(30, -3, -20)}, false, false, 0},
		{"a short turn, blended", []Pose{key(0, 0, 0), key(6, 0, 57), key(12, 0, 100)}, true, true, 0},
		{"a short turn, blended by nobody knows what", []Pose{key(0, 0, 0), key(6, 0, 57)}, true, false, 5},
		{"a wide turn, blended", []Pose{key(0, 0, 0), key(12, 0, 150)}, true, true, 8},
		{"two", []Pose{key(0, 0, 0), key(1, 4, 0)}, false, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := sample(c.keys, c.straight)
			got := Thinned(all, c.blends)
			if len(got) > len(c.keys)+c.more || c.more > 0 && len(got) == len(c.keys) {
				t.Errorf("%d of %d poses stay, want %d keys and at most %d more", len(got), len(all), len(c.keys), c.more)
			}
			for _, k := range c.keys {
				found := false
				for _, x := range got {
					found = found || math.Abs(x.Time-k.Time) < 1e-9
				}
				if !found {
					t.Errorf("the key at frame %v is gone", k.Time*24)
				}
			}
		})
	}
	apart := []Pose{key(0, 0, 0), key(12, 1, 0), key(24, 2, 0), key(25, 3, 0), key(26, 4, 0)}
	if got := Thinned(apart, false); len(got) != 4 {
		t.Errorf("%d poses of those that nobody sampled, want 4: %v", len(got), got)
	}
}
