package seams

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Below and Above are by how many thresholds of an edit a key is moved: so that it is none, and so that it is one.
const (
	Below = 0.6
	Above = 4.0
)

// Nudge moves key i of a channel by so many thresholds; size is that of the model. The values become the channel's own.
func Nudge(c *asset.Channel, i int, by, size float64) {
	c.Values = slices.Clone(c.Values)
	v := scene.Key(c, i)
	most := size
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	switch c.Path {
	case asset.Rotation:
		half := by * scene.TurnTolerance / 2
		q := scene.Turn([4]float32(v)).Mul(scene.Turn([4]float32{float32(0.6 * math.Sin(half)), 0, float32(0.8 * math.Sin(half)), float32(math.Cos(half))}))
		r := scene.NarrowTurn(q)
		copy(v, r[:])
	case asset.Translation:
		v[1] += float32(by * scene.MoveTolerance * most)
	case asset.Scale:
		v[2] *= float32(1 + by*scene.ScaleTolerance)
	default:
		v[0] += float32(by * scene.WeightTolerance)
	}
}

// Keys calls f for some keys of an animation, about n, spread over all channels: c is the number of the channel, k that of
// the key.
func Keys(a *asset.Animation, n int, f func(c, k int)) {
	total := 0
	for _, c := range a.Channels {
		total += len(c.Times)
	}
	step, at := max(1, total/max(1, n)), 0
	for i, c := range a.Channels {
		for ; at < len(c.Times); at += step {
			f(i, at)
		}
		at -= len(c.Times)
	}
}

// Sampling is a way in which editors write animations that nobody edits.
type Sampling struct {
	Name  string
	Apply func(c *asset.Channel)
}

// Samplings are the animation as it is, and at whole frames.
var Samplings = []Sampling{
	{"as lifted", func(*asset.Channel) {}},
	{"at 24 frames a second", func(c *asset.Channel) { sample(c, 24, false) }},
	{"at 30, blended", func(c *asset.Channel) { sample(c, 30, true) }},
	{"at 60", func(c *asset.Channel) { sample(c, 60, false) }},
}

// sample gives a channel keys at whole frames, from the first to the last one: blended is how some editors go from one
// rotation to the next.
func sample(c *asset.Channel, fps float64, blended bool) {
	kind := asset.LinearKeys
	if c.Interpolation == asset.StepKeys {
		kind = asset.StepKeys
	}
	var times, values []float32
	first, last := float64(c.Times[0])*fps, float64(c.Times[len(c.Times)-1])*fps
	for f := math.Ceil(first - 0.01); f <= last+0.01; f++ {
		v := scene.Narrow(scene.At(c, f/fps, nil))
		if i := slices.IndexFunc(c.Times, func(t float32) bool { return float64(t) > f/fps+1e-6 }); blended && i > 0 && c.Path == asset.Rotation && c.Interpolation == asset.LinearKeys {
			s := (f/fps - float64(c.Times[i-1])) / (float64(c.Times[i]) - float64(c.Times[i-1]))
			p, q := scene.Turn([4]float32(scene.Key(c, i-1))), scene.Turn([4]float32(scene.Key(c, i)))
			if p.Dot(q) < 0 {
				q = q.Scale(-1)
			}
			r := scene.NarrowTurn(p.Scale(1 - s).Add(q.Scale(s)).Normalize())
			v = r[:]
		}
		times, values = append(times, float32(f/fps)), append(values, v...)
	}
	if len(times) == 0 { // all between two frames
		return
	}
	c.Times, c.Values, c.Interpolation = times, values, kind
}
