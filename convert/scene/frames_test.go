package scene

import (
	"math"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// eased returns a channel of rotations about z that starts and stops at every key.
func eased(step, degrees float64, keys int) *asset.Channel {
	c := &asset.Channel{Node: asset.NewNode("n"), Path: asset.Rotation, Interpolation: asset.CubicKeys}
	for i := range keys {
		s, w := math.Sincos(float64(i) * degrees / 2 * math.Pi / 180)
		c.Times = append(c.Times, float32(float64(i)*step))
		c.Values = append(c.Values, 0, 0, 0, 0, 0, 0, float32(s), float32(w), 0, 0, 0, 0)
	}
	return c
}

func TestFramesMiss(t *testing.T) {
	straight := &asset.Channel{Node: asset.NewNode("n"), Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 3, 0, 0}}
	corner := &asset.Channel{Node: straight.Node, Path: asset.Translation, Times: []float32{0, 0.55, 1}, Values: []float32{0, 0, 0, 3, 0, 0, 0, 0, 0}}
	jump := *corner
	jump.Interpolation = asset.StepKeys
	onFrame := jump
	onFrame.Times = []float32{0, 0.5, 1}
	never := func(float64) bool { return true }
	for _, c := range []struct {
		name string
		c    *asset.Channel
		skip func(float64) bool
		want bool
	}{
		{"nothing", nil, nil, false},
		{"a line", straight, nil, false},
		{"a corner between frames", corner, nil, true},
		{"a corner that nobody asks for", corner, never, false},
		{"a jump at a frame", &onFrame, nil, false},
		{"a jump between frames", &jump, nil, true},
		{"a jump that nobody asks for", &jump, never, false},
		{"a slow curve", eased(10, 5, 2), nil, false},
		{"a curve between two frames", eased(0.1, 30, 3), nil, true},
	} {
		if got := FramesMiss(Curve{Channel: c.c}, 10, 1, c.skip); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestPieces: straight lines between the frames that stand for a curve stay on it, however close its keys are.
func TestPieces(t *testing.T) {
	for _, step := range []float64{0.02, 0.1, 1} {
		c := eased(step, 30, 4)
		times := FrameTimes(c)
		if len(times) > 3*maxPieces+1 {
			t.Errorf("keys every %g s: %d frames", step, len(times))
		}
		for i := 1; i < len(times); i++ {
			for _, s := range []float64{0.25, 0.5, 0.75} {
				p, q := turnOf(At(c, times[i-1], nil)), turnOf(At(c, times[i], nil))
				if far := Angle(shorter(p, q, s), turnOf(At(c, times[i-1]+(times[i]-times[i-1])*s, nil))); far > 1.1*frameTurn {
					t.Fatalf("keys every %g s: frames %d and %d leave the curve by %g°", step, i-1, i, far*180/math.Pi)
				}
			}
		}
	}
}

// TestSampledAround: between keys that stand close no editor has lost one, and a little behind the last; before the first
// and between those far apart it has.
func TestSampledAround(t *testing.T) {
	times := []float32{1, 1.04, 2}
	for at, want := range map[float32]bool{0.99: false, 1: false, 1.02: true, 1.04: false, 1.5: false, 2: false, 2.05: true, 2.06: false} {
		if SampledAround(times, at) != want {
			t.Errorf("at %v: %v", at, !want)
		}
	}
}
