package media

import (
	"math"

	"github.com/usher-assets/usher/schema/media"
)

// mtVector is one value a sample of a subframe.
type mtVector = [mtSubframe]float64

// mtSearch holds the working memory of a subframe's search.
type mtSearch struct {
	response [mtSubframe]mtVector // response[p] is the decoded signal of a unit pulse at p
	pulses   [mtSubframe]mtVector // the same for each stored value in one alignment
	gram     [mtSubframe]mtVector
	z        mtVector
	paths    [2][mtPaths * 4]mtPath
}

// mtPaths is how many partial excitations survive each step.
const mtPaths = 4

// mtChoice is a way to encode a subframe.
type mtChoice struct {
	lag, pitch  int
	align, zero int
	gain        int
	values      [mtSubframe]int8
	cost        float64
}

// mtPath is a partial excitation.
type mtPath struct {
	cost   float64
	model  uint8
	zeros  uint8 // length of the zero run at its end
	start  uint8 // model before that run
	values [mtSubframe]int8
}

// subframe searches, writes and reconstructs one subframe.
func (e *microTalk) subframe(at, s int, lambda float64) {
	first := s * mtSubframe
	t := e.target(at, s)
	e.respond(first)
	best := mtChoice{cost: math.Inf(1)}
	lag, pitch := e.longTerm(s, &t)
	p := e.past(s, lag, pitch)
	rest := t
	for n, v := range p {
		if v != 0 {
			axpy(rest[n:], -v, e.search.response[n][n:])
		}
	}
	layouts := 4
	if !e.head.Reduced {
		layouts = 1
	}
	try := func(layout int, gains ...int) {
		align, zero := layout&1, layout>>1
		values := e.pulses(align, zero)
		e.search.factor(values, &rest)
		e.gainSearch(values, lambda, energyOf(rest[:]), &best, align, zero, gains)
	}
	// Two likely gains tell which layout is best, the others are tried for that one alone.
	for layout := range layouts {
		try(layout, 0, 6)
	}
	try(best.zero<<1|best.align, 3, -3, -6, 9, 12, -9)
	best.lag, best.pitch = lag, pitch
	e.write(&best)
	e.reconstruct(s, &best, &p)
}

// target returns what the excitation must produce: the input less what the filter's memory rings on with.
func (e *microTalk) target(at, s int) (t mtVector) {
	first := s * mtSubframe
	clear(e.x[mtMemory+first : mtMemory+first+mtSubframe])
	e.synthesise(s)
	for n := range t {
		t[n] = e.in[at+first+n] - e.y[mtOrder+first+n]
	}
	return t
}

// respond computes the responses to unit pulses at each position of a subframe.
func (e *microTalk) respond(first int) {
	if first > 0 { // one filter: the responses are shifted copies
		h := &e.search.response[0]
		e.pulse(first, 0, h)
		for p := 1; p < mtSubframe; p++ {
			copy(e.search.response[p][p:], h[:mtSubframe-p])
		}
		return
	}
	for p := range mtSubframe {
		e.pulse(first, p, &e.search.response[p])
	}
}

func (e *microTalk) pulse(first, p int, h *mtVector) {
	h[p] = 1
	for n := p + 1; n < mtSubframe; n++ {
		a := e.filter(first + n)
		var v float64
		for k := range min(n-p, mtOrder) {
			v += a[k] * h[n-1-k]
		}
		h[n] = v
	}
}

// past returns the long-term prediction.
func (e *microTalk) past(s, lag, pitch int) (p mtVector) {
	g := float64(pitch) / media.MicroTalkPitchMax
	for n := range p {
		p[n] = g * e.x[mtMemory+(s-1)*mtSubframe-lag+n]
	}
	return p
}

// longTerm finds the lag and pitch gain whose decoded signal is nearest to the target.
func (e *microTalk) longTerm(s int, t *mtVector) (lag, pitch int) {
	var d mtVector // correlation of the target with each pulse
	for p := range d {
		d[p] = dot(t[p:], e.search.response[p][p:])
	}
	last := min(255, media.MicroTalkLagLimit+s*mtSubframe)
	var y mtVector
	best := 0.0
	for l := range last + 1 {
		from := mtMemory + (s-1)*mtSubframe - l
		x := e.x[from:][:mtSubframe]
		if l == 0 {
			y = mtVector{}
			for n, v := range x {
				axpy(y[n:], v, e.search.response[n][n:])
			}
		} else {
			// One step further back: the response moves on by a sample and gets a new first pulse.
			copy(y[1:], y[:mtSubframe-1])
			y[0] = 0
			axpy(y[:], x[0], e.search.response[0][:])
		}
		c := dot(x, d[:])
		if c <= 0 {
			continue
		}
		energy := energyOf(y[:]) + 1
		g := min(c/energy, 1)
		if gain := 2*g*c - g*g*energy; gain > best {
			best, lag = gain, l
			pitch = int(math.Round(g * media.MicroTalkPitchMax))
		}
	}
	if pitch == 0 {
		lag = 0
	}
	return lag, pitch
}

func dot(a, b []float64) (sum float64) {
	b = b[:len(a)]
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// axpy adds k·x to y.
func axpy(y []float64, k float64, x []float64) {
	x = x[:len(y)]
	for i, v := range x {
		y[i] += k * v
	}
}

// pulses sets up the decoded signal of each stored value and returns how many there are.
func (e *microTalk) pulses(align, zero int) int {
	q := &e.search
	if !e.head.Reduced {
		q.pulses = q.response
		return mtSubframe
	}
	for i := range mtSubframe / 2 {
		p := align + 2*i
		q.pulses[i] = mtVector{}
		if zero == 1 {
			copy(q.pulses[i][p:], q.response[p][p:])
			continue
		}
		axpy(q.pulses[i][p:], 0.5, q.response[p][p:])
		for k, w := range media.MicroTalkInterpolation {
			for _, n := range [2]int{p - 1 - 2*k, p + 1 + 2*k} {
				if n >= 0 && n < mtSubframe {
					axpy(q.pulses[i][n:], w/2, q.response[n][n:])
				}
			}
		}
	}
	return mtSubframe / 2
}

// factor turns |t − P·c|² into |z − L·c|² + constant with a lower triangular L (left in gram), so that values can be
// chosen one after the other, each knowing what the later ones can still correct.
func (q *mtSearch) factor(n int, t *mtVector) {
	for i := range n {
		from := i // where the response of value i may begin
		if n < mtSubframe {
			from = max(0, 2*i-5)
		}
		for j := range i + 1 {
			q.gram[i][j] = dot(q.pulses[i][from:], q.pulses[j][from:])
		}
		q.gram[i][i] = q.gram[i][i]*(1+1e-9) + 1e-9
		q.z[i] = dot(t[from:], q.pulses[i][from:])
	}
	// Gᵢⱼ = Σₖ≥ᵢ Lₖᵢ·Lₖⱼ: rows from the last to the first.
	for k := n - 1; k >= 0; k-- {
		row := q.gram[k][:k+1]
		d := 1 / math.Sqrt(max(row[k], 1e-12))
		for j := range row {
			row[j] *= d
		}
		q.z[k] *= d
		for i := range k {
			axpy(q.gram[i][:i+1], -row[i], row[:i+1])
			q.z[i] -= row[i] * q.z[k]
		}
	}
}

// gainSearch tries gains at these distances from the one that the price of a bit suggests.
func (e *microTalk) gainSearch(n int, lambda, energy float64, best *mtChoice, align, zero int, gains []int) {
	q := &e.search
	constant := energy
	var scale float64
	for i := range n {
		constant -= q.z[i] * q.z[i]
		scale += q.gram[i][i]
	}
	scale /= float64(n)
	// A uniform quantiser of step q makes an error of q²/12, which a bit quarters: its price is q²·ln 2 / 6.
	step := math.Sqrt(lambda*6/math.Ln2) / scale
	center := int(math.Round(math.Log(max(step, 1)/e.gains[0]) / math.Log(e.gains[1]/e.gains[0])))
	center = min(max(center, 0), len(e.gains)-1)
	for _, d := range gains {
		g := center + d
		if g < 0 || g >= len(e.gains) {
			continue
		}
		if path := e.quantise(n, e.gains[g], lambda, best.cost-constant); path != nil {
			best.cost, best.gain, best.values = constant+path.cost, g, path.values
			best.align, best.zero = align, zero
		}
	}
}

// quantise chooses the excitation values for one gain, keeping the best mtPaths partial choices. It gives up, with nil,
// when none can cost less than limit.
func (e *microTalk) quantise(n int, gain, lambda, limit float64) *mtPath {
	q := &e.search
	now, next := &q.paths[0], &q.paths[1]
	now[0] = mtPath{}
	live := 1
	for i := range n {
		row := q.gram[i][:i+1]
		scale := row[i] * gain
		made := 0
		for p := range live {
			path := &now[p]
			r := q.z[i]
			for j, v := range path.values[:i] {
				if v != 0 {
					r -= row[j] * gain * float64(v)
				}
			}
			for _, v := range e.candidates(r / scale) {
				if v == mtNone {
					continue
				}
				d := r - scale*float64(v)
				cost := path.cost + d*d
				bits, model, start, zeros := e.bitsOf(path, v)
				cost += lambda * bits
				made = insert(next, made, path, i, v, cost, model, start, zeros)
			}
		}
		now, next = next, now
		live = made
		if now[0].cost >= limit { // costs only grow, and the first is the least
			return nil
		}
	}
	return &now[0]
}

// insert keeps next sorted by cost and at most mtPaths long.
func insert(next *[mtPaths * 4]mtPath, made int, path *mtPath, i int, v int8, cost float64, model, start, zeros uint8) int {
	at := made
	for at > 0 && next[at-1].cost > cost {
		at--
	}
	if at >= mtPaths {
		return made
	}
	if made < mtPaths {
		made++
	}
	copy(next[at+1:made], next[at:made-1])
	n := &next[at]
	copy(n.values[:i], path.values[:i])
	n.values[i] = v
	clear(n.values[i+1:])
	n.cost, n.model, n.start, n.zeros = cost, model, start, zeros
	return made
}

// mtNone fills up the list of candidates.
const mtNone = 127

// candidates returns the values worth trying for an ideal value u.
func (e *microTalk) candidates(u float64) [3]int8 {
	if !e.multipulse {
		return [3]int8{0, 2, -2}
	}
	c := [3]int8{0, mtNone, mtNone}
	near := int(math.Round(min(max(u, -14), 14)))
	if near != 0 {
		c[1] = int8(near)
		if near > 1 {
			c[2] = int8(near - 1)
		} else if near < -1 {
			c[2] = int8(near + 1)
		}
	}
	return c
}

// reconstruct does what the decoder will do.
func (e *microTalk) reconstruct(s int, c *mtChoice, past *mtVector) {
	x := e.x[mtMemory+s*mtSubframe:][:mtSubframe]
	var v mtVector
	gain := e.gains[c.gain]
	if !e.head.Reduced {
		for n := range v {
			v[n] = float64(c.values[n])
		}
	} else {
		for i, value := range c.values[:mtSubframe/2] {
			if value == 0 {
				continue
			}
			p := c.align + 2*i
			v[p] += float64(value)
			if c.zero == 1 {
				continue
			}
			for k, w := range media.MicroTalkInterpolation {
				if n := p - 1 - 2*k; n >= 0 {
					v[n] += w * float64(value)
				}
				if n := p + 1 + 2*k; n < mtSubframe {
					v[n] += w * float64(value)
				}
			}
		}
		if c.zero == 0 {
			gain /= 2
		}
	}
	for n := range x {
		x[n] = gain*v[n] + past[n]
	}
	e.synthesise(s)
}
