package scene

import (
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// How far frames may leave a curve between them without a word: a tenth of what anybody sees, and far above what is an
// edit, since frames never meet a curve that bends.
const (
	frameTurn   = 10 * TurnTolerance
	frameMove   = 100 * MoveTolerance // of the size of the model
	frameScale  = 1e-3
	frameWeight = 10 * WeightTolerance
)

// FramesMiss reports whether frames, fps a second and joined by straight lines, lose visible parts of a curve. Targets that
// store keys at whole frames only need to know. Times for which skip returns true are ignored; skip may be nil. A jump
// takes one frame, and is no loss if it is at a frame. size is as in [SameValue].
func FramesMiss(c Curve, fps, size float64, skip func(t float64) bool) bool {
	if c.Channel == nil || len(c.Times) < 2 || !(fps > 0) {
		return false
	}
	if c.Interpolation == asset.StepKeys {
		return jumpsBetween(c, fps, size, skip)
	}
	first, last := math.Floor(float64(c.Times[0])*fps), math.Ceil(float64(c.Times[len(c.Times)-1])*fps)
	last = min(last, first+maxFrames*64)
	var a, b, v []float64
	b = c.At(first/fps, b)
	for f := first; f < last; f++ {
		a, b = append(a[:0], b...), c.At((f+1)/fps, b)
		for k := 1; k < quarters; k++ {
			s := float64(k) / quarters
			if t := (f + s) / fps; t > float64(c.Times[0]) && t < float64(c.Times[len(c.Times)-1]) && (skip == nil || !skip(t)) {
				if v = c.At(t, v); misses(c.Path, a, b, v, s, size) {
					return true
				}
			}
		}
	}
	return false
}

// TellJumps reports animations with step interpolation, for targets that only interpolate linearly. In these a jump takes a
// frame.
func TellJumps(list []*asset.Animation, size float64, path, target string, d *schema.Diagnostics) {
	var lost Tally
	for _, a := range list {
		for _, c := range a.Channels {
			if c.Interpolation == asset.StepKeys && Valid(c) && !Constant(CurveOf(c.Node, c.Path, c), size) {
				lost.Add(a.Name)
				break
			}
		}
	}
	lost.Tell(d, "jumps", path, "animation", "animations", "jumps from key to key (STEP), which takes a frame: "+target+" goes straight from one key to the next")
}

// jumpsBetween reports whether a curve jumps at a time that is no whole frame.
func jumpsBetween(c Curve, fps, size float64, skip func(t float64) bool) bool {
	const near = 0.02 // of a frame
	for i, t := range c.Times[1:] {
		frame := float64(t) * fps
		if math.Abs(frame-math.Round(frame)) > near && !SameValue(c.Path, Key(c.Channel, i), Key(c.Channel, i+1), size) && (skip == nil || !skip(float64(t))) {
			return true
		}
	}
	return false
}

// misses reports whether a value is off the way from one frame to the next. Turns may go straight in each number too, as
// editors have them that write a key for each of their own frames.
func misses(path asset.Path, a, b, v []float64, s, size float64) bool {
	if path == asset.Rotation {
		p, is := turnOf(a), turnOf(v)
		q := towards(turnOf(b), p)
		return Angle(slerp(p, q, s), is) > frameTurn && Angle(unit(p.Scale(1-s).Add(q.Scale(s))), is) > frameTurn
	}
	limit := map[asset.Path]float64{asset.Translation: frameMove * size, asset.Scale: frameScale, asset.MorphWeights: frameWeight}[path]
	for k := range v {
		if math.Abs(a[k]+(b[k]-a[k])*s-v[k]) > limit {
			return true
		}
	}
	return false
}

// maxPieces bounds the frames that stand for a segment of a cubic curve beyond those that its length asks for.
const maxPieces = 64

// pieces returns into how many straight pieces a segment of a cubic curve falls.
func pieces(c *asset.Channel, from, to float64) float64 {
	n := min(max(quarters, math.Ceil((to-from)/sampling)), maxFrames) // a curve may meet a line in its middle
	size := 0.0
	for _, x := range c.Values {
		size = larger(size, float64(x))
	}
	for n < maxPieces && leaves(c, from, to, n, size) {
		n = min(2*n, maxPieces)
	}
	return n
}

// leaves reports whether a segment leaves n straight pieces in their middles.
func leaves(c *asset.Channel, from, to, n, size float64) bool {
	var a, b, v []float64
	b = At(c, from, b)
	for k := 0.0; k < n; k++ {
		a, b = append(a[:0], b...), At(c, from+(to-from)*(k+1)/n, b)
		if v = At(c, from+(to-from)*(k+0.5)/n, v); misses(c.Path, a, b, v, 0.5, size) {
			return true
		}
	}
	return false
}
