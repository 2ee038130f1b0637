package scene

import (
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// SameValue reports whether two values of a property are equal within what an editor changes by itself. size is that of the
// model that moves, in its unit; it only matters for translations. A stored value that is not finite counts as equal to
// anything, since glTF cannot express it.
func SameValue[A, B float32 | float64](path asset.Path, stored []A, now []B, size float64) bool {
	if path == asset.MorphWeights {
		return sameWeights(stored, now)
	}
	if len(stored) != len(now) {
		return false
	}
	if path == asset.Rotation {
		return Angle(turnOf(stored), turnOf(now)) <= TurnTolerance
	}
	most := 0.0
	for k, a := range stored {
		x, y := float64(a), float64(now[k])
		if x-x == 0 && y-y == 0 {
			most = max(most, math.Abs(x), math.Abs(y))
		}
	}
	tolerance := ScaleTolerance * most
	if path == asset.Translation {
		tolerance = MoveTolerance * max(size, most)
	}
	for k, a := range stored {
		if x := float64(a); x-x == 0 && !(math.Abs(x-float64(now[k])) <= tolerance) {
			return false
		}
	}
	return true
}

// sameWeights compares weights of morph targets; those that are not there are 0.
func sameWeights[A, B float32 | float64](stored []A, now []B) bool {
	for k := range max(len(stored), len(now)) {
		x, y := 0.0, 0.0
		if k < len(stored) {
			x = float64(stored[k])
		}
		if k < len(now) {
			y = float64(now[k])
		}
		if x-x == 0 && !(math.Abs(x-y) <= WeightTolerance) {
			return false
		}
	}
	return true
}

// Constant reports whether a curve has the same value at all times.
func Constant(c Curve, size float64) bool {
	if c.Channel == nil {
		return true
	}
	first := Key(c.Channel, 0)
	var v []float64
	for _, t := range c.moments() {
		if v = c.At(t, v); !SameValue(c.Path, first, v, size) {
			return false
		}
	}
	return true
}

// Still reports whether a curve always has the value that its node has at rest. Such a curve changes nothing; editors write
// them for every property.
func Still(c Curve, size float64) bool {
	return c.Channel == nil || Constant(c, size) && SameValue(c.Path, c.Rest, Key(c.Channel, 0), size)
}

// moments returns the times that tell the whole of a curve: those of its keys, and some between cubic ones.
func (c Curve) moments() []float64 {
	times := Times(c.Channel)
	if c.Channel == nil || c.Interpolation != asset.CubicKeys {
		return times
	}
	return between(times, quarters)
}

// quarters is into how many parts a segment is cut where its inside is compared.
const quarters = 4

// between returns ascending times with n−1 more ones between each two of them.
func between(times []float64, n int) []float64 {
	var all []float64
	for i, t := range times {
		if i > 0 {
			for k := 1; k < n; k++ {
				all = append(all, times[i-1]+(t-times[i-1])*float64(k)/float64(n))
			}
		}
		all = append(all, t)
	}
	return all
}

// LongGap is the longest time between keys, in seconds, in an animation that an editor has sampled. Editors use at least 20
// frames a second.
const LongGap = 0.051

// SampledAround reports whether an editor has sampled around a time without making a key for it: the time lies between two
// keys at most LongGap apart, or at most that long after the last key. times must ascend, and not be empty.
func SampledAround(times []float32, t float32) bool {
	n := sort.Search(len(times), func(i int) bool { return times[i] >= t })
	switch {
	case n == len(times):
		return t-times[n-1] <= LongGap
	case n == 0:
		return false
	}
	return times[n] > t && times[n]-times[n-1] <= LongGap
}

// Comparison compares a curve of an edited scene (visible) with the stored one. These differences are not edits, since
// editors make them by themselves:
//
//   - The curve is sampled at whole frames: it has other keys, at least 20 a second, and they lie on the stored curve. That
//     curve is also tried with rotations blended component by component, as some editors do. What the stored curve does
//     between two samples is kept.
//   - Intermediate keys are missing, but the visible curve still lies on the stored keys.
//   - A channel that stays at rest is missing or was added.
//   - The end is cut off at the last whole frame.
//
// Cubic curves are compared between their keys too, by value and not by tangents.
type Comparison struct {
	stored, visible Curve
	path            asset.Path
	size            float64
	keys            []bool  // of the visible curve: it lies on the stored one there
	rounding        float64 // how far a visible key may stand beside its time, as a part of that
	a, b            []float64
}

// Compare compares the visible curve of a property with the stored one. size is as in [SameValue].
func Compare(path asset.Path, stored, visible Curve, size float64) *Comparison {
	c := &Comparison{stored: stored, visible: visible, path: path, size: size}
	if path == asset.Translation && stored.Channel != nil {
		for i := range stored.Times {
			for _, x := range Key(stored.Channel, i) {
				c.size = larger(c.size, float64(x))
			}
		}
	}
	if stored.Channel != nil && visible.Channel != nil && !slices.Equal(stored.Times, visible.Times) {
		c.rounding = timeRounding // with the keys that it had, nobody has sampled the curve
	}
	if visible.Channel != nil {
		c.keys = make([]bool, len(visible.Times))
		for i, t := range visible.Times {
			c.keys[i] = c.same(float64(t))
		}
	}
	return c
}

// SameAt reports whether the curves have the same value at a time.
func (c *Comparison) SameAt(t float64) bool { return c.same(t) }

func (c *Comparison) same(t float64) bool {
	c.b = c.visible.At(t, c.b)
	c.a = c.stored.At(t, c.a)
	if SameValue(c.path, c.a, c.b, c.size) {
		return true
	}
	if c.path == asset.Translation && c.passes(t) {
		return true
	}
	if c.path != asset.Rotation || c.stored.Channel == nil || c.stored.Interpolation != asset.LinearKeys {
		return false
	}
	for _, how := range [...]turning{evenly, straight, otherWay, straightOther} {
		if c.turnsThrough(t, how) {
			return true
		}
	}
	return false
}

// turnsThrough reports whether the stored curve, turning in a way, passes through the visible value: see passes.
func (c *Comparison) turnsThrough(t float64, how turning) bool {
	value := func(t float64) mgl64.Quat {
		c.a = exactly(c.stored.Channel, t, c.a, how)
		return turnOf(c.a)
	}
	within := Angle(value(t-c.rounding*t), value(t+c.rounding*t))
	return Angle(value(t), turnOf(c.b)) <= TurnTolerance+within
}

// timeRounding is how far a key of a sampled curve may stand beside its time, as a part of that. Editors count in frames, as float32: the time of a
// stored key, its frame, the frame of a sample and that one's time are rounded to 2⁻²⁴ each.
const timeRounding = 4.0 / (1 << 24)

// passes reports whether the stored curve passes through the visible value within the rounding of a time: what jumps across a
// model within a frame is far along by then.
func (c *Comparison) passes(t float64) bool {
	if c.stored.Channel == nil || c.stored.Interpolation == asset.StepKeys { // what jumps at once passes through nothing
		return false
	}
	now := slices.Clone(c.b)
	from, to := exactly(c.stored.Channel, t-c.rounding*t, nil, evenly), exactly(c.stored.Channel, t+c.rounding*t, nil, evenly)
	for k := range min(len(now), len(from), len(to)) {
		now[k] = min(max(now[k], min(from[k], to[k])), max(from[k], to[k]))
	}
	return SameValue(c.path, now, c.b, c.size)
}

// Unedited reports whether the visible curve is the stored one, apart from what editors change by themselves.
func (c *Comparison) Unedited() bool {
	if slices.Contains(c.keys, false) {
		return false
	}
	for _, t := range c.inside() {
		if !c.same(t) {
			return false
		}
	}
	return true
}

// inside returns the times besides the keys of the visible curve at which it has to be the stored one: the keys of the
// stored one that sampling does not leave out, and times between, where the curves bend in different ways.
func (c *Comparison) inside() []float64 {
	if c.stored.Channel == nil && c.visible.Channel == nil {
		return []float64{0}
	}
	times := Times(c.stored.Channel, c.visible.Channel)
	if c.bends() {
		times = between(times, quarters)
	}
	cubic := c.visible.Channel != nil && c.visible.Interpolation == asset.CubicKeys
	return slices.DeleteFunc(times, func(t float64) bool {
		before, after, inGap := c.gap(t)
		switch {
		case !inGap:
			return c.beyondEnd(t)
		case before == after:
			return true // one of the keys, which was looked at
		case c.waits(t, after):
			return true
		}
		return !cubic && c.short(before, after)
	})
}

// bends reports whether the curves may differ between times at which they meet.
func (c *Comparison) bends() bool {
	kind := func(x Curve) asset.Interpolation {
		if x.Channel == nil {
			return asset.LinearKeys
		}
		return x.Interpolation
	}
	a, b := kind(c.stored), kind(c.visible)
	return a != b || a == asset.CubicKeys
}

// gap returns the keys of the visible curve around a time, both the same one at its own time; ok is false outside them.
func (c *Comparison) gap(t float64) (before, after int, ok bool) {
	if c.visible.Channel == nil {
		return 0, 0, false
	}
	from, to := around(t)
	n := len(c.visible.Times)
	after = sort.Search(n, func(i int) bool { return float64(c.visible.Times[i]) >= from })
	switch {
	case after == n:
		return 0, 0, false
	case float64(c.visible.Times[after]) <= to:
		return after, after, true
	case after == 0:
		return 0, 0, false
	}
	return after - 1, after, true
}

// waits reports whether a time lies in the frame before a jump: sampled jumps wait for the next frame.
func (c *Comparison) waits(t float64, after int) bool {
	return c.visible.Interpolation == asset.StepKeys && float64(c.visible.Times[after])-t <= LongGap
}

// short reports whether two keys are as near to each other as those of a sampled curve.
func (c *Comparison) short(before, after int) bool {
	return float64(c.visible.Times[after])-float64(c.visible.Times[before]) <= LongGap
}

// beyondEnd reports whether a time lies just outside the visible keys, where sampling cuts a curve off.
func (c *Comparison) beyondEnd(t float64) bool {
	if c.visible.Channel == nil || len(c.visible.Times) == 0 {
		return false
	}
	times := c.visible.Times
	return t < float64(times[0]) && float64(times[0])-t <= LongGap || t > float64(times[len(times)-1]) && t-float64(times[len(times)-1]) <= LongGap
}

// EditedAt reports whether the stored key at a time was edited. It compares with the visible key at that time. Between two
// keys of a sampled curve it compares both; otherwise it compares the value of the curve. A curve may be edited without an
// edit at any stored key.
func (c *Comparison) EditedAt(t float64) bool {
	before, after, inGap := c.gap(t)
	switch {
	case inGap && before == after:
		return !c.keys[before]
	case inGap && c.short(before, after) && c.visible.Interpolation != asset.CubicKeys:
		return !c.keys[before] || !c.keys[after]
	case inGap && c.waits(t, after):
		return !c.keys[after]
	case !inGap && c.beyondEnd(t):
		if float64(c.visible.Times[0]) > t {
			return !c.keys[0]
		}
		return !c.keys[len(c.keys)-1]
	}
	return !c.same(t)
}
