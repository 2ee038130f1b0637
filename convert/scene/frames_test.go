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

// TestFramesMissWhere: every part of a curve is looked at, at its ends as well, up to so many frames, and no time outside.
func TestFramesMissWhere(t *testing.T) {
	line := func(times []float32, values ...float32) *asset.Channel {
		return channel(asset.MorphWeights, asset.LinearKeys, times, values...)
	}
	for _, c := range []struct {
		name string
		c    *asset.Channel
		fps  float64
		want bool
	}{
		{"one key", line([]float32{0.55}, 1), 10, false},
		{"two keys at frames", line([]float32{0.5, 0.7}, 1, 2), 10, false},
		{"a start between frames", line([]float32{0.55, 2, 3}, 1, 20, 33), 10, true},
		{"an end between frames", line([]float32{0, 1, 2.45}, 1, 2, 3.45), 10, true},
		{"two keys between frames", line([]float32{0.55, 0.75}, 1, 2), 10, true},
		{"a bend between the first frames", line([]float32{1, 1.05, 1.1, 3}, 0, 1, 0, 0), 10, true},
		{"a bend between the last frames", line([]float32{1, 3.9, 3.95, 4}, 0, 0, 1, 0), 10, true},
		{"a bend in the middle", line([]float32{1, 2, 2.05, 2.1, 4}, 0, 0, 1, 0, 0), 10, true},
		{"a bend behind the first key", line([]float32{1.02, 1.05, 1.1, 3}, 0, 1, 0, 0), 10, true},
		{"a bend at a frame", line([]float32{1, 2, 3}, 0, 1, 0), 10, false},
		{"a start behind the quarters", line([]float32{1.08, 1.1, 2}, 0, 1, 1), 10, false},
		{"an end before the quarters", line([]float32{1, 2, 2.02}, 1, 1, 0), 10, false},
		{"no frames", line([]float32{1, 1.05, 1.1, 3}, 0, 1, 0, 0), 0, false},
		{"no frames that are a number", line([]float32{1, 1.05, 1.1, 3}, 0, 1, 0, 0), math.NaN(), false},
		{"many frames", line([]float32{0, 100, 100.05, 100.1, 200}, 0, 0, 1, 0, 0), 10, true},
		{"no end of frames", line([]float32{0, 1e9, 2e9}, 0, 1, 0), 1000, false},
		{"half a frame in the middle", line([]float32{0, 0.05, 0.1}, 0, 0.012, 0), 10, true},
		{"a quarter", line([]float32{0, 0.025, 0.05, 0.1}, 0, 0.012, 0, 0), 10, true},
		{"the last quarter", line([]float32{0, 0.05, 0.075, 0.1}, 0, 0, 0.012, 0), 10, true},
	} {
		if got := FramesMiss(Curve{Channel: c.c}, c.fps, 1, nil); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	jumps := func(values ...float32) Curve {
		return Curve{Channel: channel(asset.MorphWeights, asset.StepKeys, []float32{0, 0.5, 0.5015, 1, 1.05}, values...)}
	}
	for _, c := range []struct {
		name string
		c    Curve
		want bool
	}{{"nowhere", jumps(0, 0, 0, 0, 0), false}, {"at a frame", jumps(0, 1, 1, 1, 1), false}, {"near a frame", jumps(0, 0, 1, 1, 1), false}, {"at the end", jumps(0, 0, 0, 0, 1), true}} {
		if got := FramesMiss(c.c, 10, 1, nil); got != c.want {
			t.Errorf("a jump %s: %v", c.name, got)
		}
	}
}

// TestMisses: how far a value may be off the way between two frames: places by the size of the model, others by themselves.
func TestMisses(t *testing.T) {
	for _, by := range []float64{0.96, 1.04} {
		z, w := math.Sincos(30*math.Pi/360 + by*10*0.005*math.Pi/360) // half of the way to 60°, and the angle that is allowed
		for _, c := range []struct {
			name    string
			path    asset.Path
			a, b, v []float64
		}{
			{"moved", asset.Translation, []float64{0, 0, 0}, []float64{0, 0, 8}, []float64{0, 0, 2 + by*100*5e-6*7}},
			{"scaled", asset.Scale, []float64{1, 1, 1}, []float64{1, 9, 1}, []float64{1, 3 - by*1e-3, 1}},
			{"blended", asset.MorphWeights, []float64{4}, []float64{8}, []float64{5 + by*10*1e-3}},
		} {
			if got := misses(c.path, c.a, c.b, c.v, 0.25, 7); got != (by > 1) {
				t.Errorf("%s by %g: %v", c.name, by, got)
			}
		}
		s, k := math.Sincos(30 * math.Pi / 180)
		if got := misses(asset.Rotation, []float64{0, 0, 0, 1}, []float64{0, 0, s, k}, []float64{0, 0, z, w}, 0.5, 7); got != (by > 1) {
			t.Errorf("turned by %g: %v", by, got)
		}
	}
}

// TestPiecesOfSegments: a segment falls into thirtieths of a second, a quarter at most, and into more where it bends.
func TestPiecesOfSegments(t *testing.T) {
	inf := float32(math.Inf(1))
	hill := func(height float32, values ...float32) *asset.Channel { // leaves a line by a quarter of it
		c := channel(asset.Translation, asset.CubicKeys, []float32{0, 0.1}, 0, 0, 0, 0, 0, 0, 10*height, 0, 0, -10*height, 0, 0, 0, 0, 0, 0, 0, 0)
		copy(c.Values[18-len(values):], values)
		return c
	}
	for _, c := range []struct {
		name     string
		c        *asset.Channel
		from, to float64
		want     float64
	}{
		{"short", hill(0), 0, 0.1, 4}, {"long", hill(0), 0, 0.99, 30}, {"longer", hill(0), 0, 1.99, 60}, {"without end", hill(0), 0, 1e6, maxFrames},
		{"bent", hill(1), 0, 0.1, 8}, {"bent, and large", hill(1, 1000, 0, 0), 0, 0.1, 4}, {"bent, and infinite", hill(1, inf, -inf, inf), 0, 0.1, 8},
	} {
		if got := pieces(c.c, c.from, c.to); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	later := channel(asset.MorphWeights, asset.CubicKeys, []float32{0, 0.1, 0.2}, 0, 0, 0, 0, 0, 1000, -1000, 0, 0)
	if got := pieces(later, 0, 0.1); got != quarters {
		t.Errorf("a straight segment before one that bends: %v pieces", got)
	}
	sharp := channel(asset.MorphWeights, asset.CubicKeys, []float32{0, 0.1}, 0, 0, 1000, -1000, 0, 0)
	if got := pieces(sharp, 0, 0.1); got != maxPieces {
		t.Errorf("%v pieces", got)
	}
	for n, want := range map[float64]bool{1: true, 2: true, 3: true, 5: false} { // a parabola leaves n lines by 1/n²
		c := channel(asset.MorphWeights, asset.CubicKeys, []float32{0, 1}, 0, 0, 1, -1, 0, 0)
		c.Values[2], c.Values[3] = 0.04*16, -0.04*16 // 0.16 in the middle
		if got := leaves(c, 0, 1, n, 1); got != want {
			t.Errorf("%v lines: left %v", n, got)
		}
	}
}
