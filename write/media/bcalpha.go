package media

import (
	"slices"

	"github.com/usher-assets/usher/schema/media"
)

// alpha4 returns the alpha block of BC2: the nearest of 16 values for each pixel.
func (b *block) alpha4() (v uint64) {
	for i, a := range b.alpha {
		v |= (uint64(a)*15 + 127) / 255 << (4 * i)
	}
	return v
}

// ramp is a candidate for an alpha block of BC3: its two ends, and the entry of each pixel. Entries count from end a
// to end b in steps of 1/steps; with 5 steps, 6 and 7 stand for alpha 0 and 255.
type ramp struct {
	a, b  int32
	steps int32
	entry [16]uint8
	err   int32
}

// alpha3 returns the alpha block of BC3: the better of eight values, and six values with 0 and 255.
func (b *block) alpha3(effort media.Effort) uint64 {
	if effort == media.Quick {
		return b.quickAlpha()
	}
	low, high := slices.Min(b.alpha[:]), slices.Max(b.alpha[:])
	if low == high {
		return uint64(low) | uint64(low)<<8
	}
	best := b.fitAlpha(ramp{a: int32(low), b: int32(high), steps: 7})
	if best.err == 0 {
		return best.pack()
	}
	if six := b.fitAlpha(ramp{a: 0, b: 255, steps: 5}); six.err < best.err {
		best = six
	}
	return best.pack()
}

// pack returns the block. Eight values need the higher end first, six the lower one.
func (r *ramp) pack() uint64 {
	a, b := r.a, r.b
	flip := a > b
	if r.steps == 7 {
		flip = a <= b
	}
	if flip {
		a, b = b, a
	}
	v := uint64(a) | uint64(b)<<8
	for i, e := range r.entry {
		t := int32(e)
		if flip && t <= r.steps {
			t = r.steps - t
		}
		code := t + 1
		switch {
		case t == 0:
			code = 0
		case t == r.steps:
			code = 1
		case t > r.steps:
			code = t
		}
		v |= uint64(code) << (16 + 3*i)
	}
	return v
}

// values returns the entries of a ramp in order. Decoders divide what they interpolate from the first stored end, and
// the order of the ends does not change the quotient.
func (r *ramp) values() (p [8]int32) {
	for i := range r.steps + 1 {
		p[i] = between(r.a, r.b, i, r.steps)
	}
	if r.steps == 5 {
		p[7] = 255
	}
	return p
}

// assignAlpha gives each pixel the entry nearest to it. It gives up at an error of limit.
func (b *block) assignAlpha(from, to, steps, limit int32) ramp {
	r := ramp{a: from, b: to, steps: steps}
	p := r.values()
	for i, v := range b.alpha {
		a := int32(v)
		least, entry := int32(1<<30), uint8(0)
		for e, x := range p {
			if d := (a - x) * (a - x); d < least {
				least, entry = d, uint8(e)
			}
		}
		r.entry[i] = entry
		if r.err += least; r.err >= limit {
			break
		}
	}
	return r
}

// fitAlpha returns a ramp of as many steps as start has: from start or the best pair of the block's own values as ends,
// improved. What lies between its ends is what matters: values beyond them may be few, or be 0 and 255.
func (b *block) fitAlpha(start ramp) ramp {
	best := b.assignAlpha(start.a, start.b, start.steps, worst)
	sorted := b.alpha
	values := sorted[:]
	slices.Sort(values)
	values = slices.Compact(values)
	for i, high := range values {
		for _, low := range values[:i] {
			if best.err == 0 {
				return best
			}
			if r := b.assignAlpha(int32(low), int32(high), start.steps, best.err); r.err < best.err {
				best = r
			}
		}
	}
	return b.descendAlpha(b.refineAlpha(best))
}

// descendAlpha moves both ends by a level as long as that helps, each pixel then taking the entry nearest to it.
func (b *block) descendAlpha(best ramp) ramp {
	const reach = 1
	for better := true; better && best.err > 0; {
		better = false
		a, z := best.a, best.b
		for u := max(a-reach, 0); u <= min(a+reach, 255); u++ {
			for v := max(z-reach, 0); v <= min(z+reach, 255); v++ {
				if u == v {
					continue
				}
				if r := b.assignAlpha(u, v, best.steps, best.err); r.err < best.err {
					best, better = r, true
				}
			}
		}
	}
	return best
}

// refineAlpha improves a ramp by least squares until it gets no better.
func (b *block) refineAlpha(best ramp) ramp {
	for range 4 {
		if best.err == 0 {
			break
		}
		from, to := b.solveAlpha(&best)
		if from == best.a && to == best.b || from == to {
			break
		}
		r := b.assignAlpha(from, to, best.steps, best.err)
		if r.err >= best.err {
			break
		}
		best = r
	}
	return best
}

// solveAlpha returns the best ends for the entries of a ramp: around the solution of least squares, those with the
// smallest error.
func (b *block) solveAlpha(r *ramp) (from, to int32) {
	var aa, ab, bb, pa, pb int32
	for i, v := range b.alpha {
		e := int32(r.entry[i])
		if e > r.steps {
			continue
		}
		w := r.steps - e
		aa, ab, bb = aa+w*w, ab+w*e, bb+e*e
		pa, pb = pa+w*int32(v), pb+e*int32(v)
	}
	det := aa*bb - ab*ab
	if det == 0 {
		return r.a, r.b
	}
	x := min(max(r.steps*(pa*bb-pb*ab)/det, 0), 255)
	y := min(max(r.steps*(pb*aa-pa*ab)/det, 0), 255)
	least := int32(1<<31 - 1)
	for u := max(x-1, 0); u <= min(x+1, 255); u++ {
		for v := max(y-1, 0); v <= min(y+1, 255); v++ {
			if err := b.alphaError(r, u, v); err < least {
				least, from, to = err, u, v
			}
		}
	}
	return from, to
}

// alphaError returns the squared error of a ramp's entries between other ends.
func (b *block) alphaError(r *ramp, from, to int32) (err int32) {
	other := ramp{a: from, b: to, steps: r.steps}
	p := other.values()
	for i, v := range b.alpha {
		d := int32(v) - p[r.entry[i]&7]
		err += d * d
	}
	return err
}

// quickAlpha returns the alpha block as alpha3 does, from one start each for eight values and for six.
func (b *block) quickAlpha() uint64 {
	low, high := int32(255), int32(0) // of all values
	in, out := int32(255), int32(0)   // of those that six values do not hold anyway
	for _, v := range b.alpha {
		a := int32(v)
		low, high = min(low, a), max(high, a)
		if a != 0 {
			in = min(in, a)
		}
		if a != 255 {
			out = max(out, a)
		}
	}
	if low == high {
		return uint64(low) | uint64(low)<<8
	}
	best := b.quickRamp(low, high, 7)
	if best.err > 0 && (low == 0 || high == 255) {
		if six := b.quickRamp(in, out, 5); six.err < best.err {
			best = six
		}
	}
	return best.pack()
}

// quickRamp returns a ramp between two values, refined twice.
func (b *block) quickRamp(from, to, steps int32) ramp {
	best := b.quickEntries(from, to, steps)
	for range 2 {
		if best.err == 0 {
			break
		}
		u, v := b.quickEnds(&best)
		if u >= v {
			break
		}
		r := b.quickEntries(u, v, steps)
		if r.err >= best.err {
			break
		}
		best = r
	}
	return best
}

// quickEntries gives each pixel the entry of a rising ramp that it is next to, give or take one.
func (b *block) quickEntries(from, to, steps int32) ramp {
	const one = 1 << 16
	r := ramp{a: from, b: to, steps: steps}
	p := r.values()
	scale := (steps*one + (to-from)/2) / max(to-from, 1)
	offset := one/2 + scale*3/7 - from*scale // decoders cut their quotients: entries lie 3/7 below the line on average
	for i, v := range b.alpha {
		a := int32(v)
		e := min(max(a*scale+offset, 0)>>16, steps)
		d := (a - p[e&7]) * (a - p[e&7])
		if steps == 5 {
			if low := a * a; low < d {
				e, d = 6, low
			}
			if high := (255 - a) * (255 - a); high < d {
				e, d = 7, high
			}
		}
		r.entry[i] = uint8(e)
		r.err += d
	}
	return r
}

// quickEnds returns the ends nearest to the solution of least squares for the entries of a ramp.
func (b *block) quickEnds(r *ramp) (from, to int32) {
	var n, sum, sumE, squares, up int32
	for i, v := range b.alpha {
		e := int32(r.entry[i])
		if e > r.steps {
			continue
		}
		n, sum = n+1, sum+int32(v)
		sumE, squares, up = sumE+e, squares+e*e, up+e*int32(v)
	}
	aa, ab, bb := r.steps*r.steps*n-2*r.steps*sumE+squares, r.steps*sumE-squares, squares
	det := aa*bb - ab*ab
	if det == 0 {
		return 0, 0
	}
	pa := r.steps*sum - up
	x := (r.steps*(pa*bb-up*ab) + det/2) / det
	y := (r.steps*(up*aa-pa*ab) + det/2) / det
	return min(max(x, 0), 255), min(max(y, 0), 255)
}
