package media

import "github.com/usher-assets/usher/schema/media"

// mtCode is what the next eight bits mean in a model.
type mtCode struct {
	value      int8
	bits, next uint8
}

var mtCodes = func() (t [2][256]mtCode) {
	for model, symbols := range media.MicroTalkSymbols {
		for _, s := range symbols {
			for v := int(s.Code); v < 256; v += 1 << s.Bits {
				t[model][v] = mtCode{s.Value, s.Bits, s.Next}
			}
		}
	}
	return t
}()

// excitation decodes values at e[0], e[step] …; false means an endless escape.
func (d *microTalk) excitation(e []float64, step int, multipulse bool) bool {
	if multipulse {
		return d.bits.multipulse(e, step)
	}
	r := &d.bits
	for i := 0; i < len(e); i += step {
		r.fill()
		if r.acc&1 == 0 {
			r.drop(1)
			continue
		}
		e[i] = float64(int(r.acc&2)*2 - 2)
		r.drop(2)
	}
	return true
}

// multipulse decodes values at e[0], e[step] …; false means an endless escape. The bits stand in variables of its own, since each
// code has to wait for those before it.
func (r *bitReader) multipulse(e []float64, step int) bool {
	acc, n, codes := r.acc, r.n, &mtCodes[0]
	for i := 0; i < len(e); i += step {
		if n < 32 {
			r.acc, r.n = acc, n
			r.fill()
			acc, n = r.acc, r.n
		}
		c := codes[acc&255]
		acc >>= c.bits & 63
		n -= uint(c.bits)
		codes = &mtCodes[c.next&1]
		switch c.value {
		case media.MicroTalkRun:
			i += step * (media.MicroTalkRunMin - 1 + int(acc&63))
			acc >>= 6
			n -= 6
		case media.MicroTalkEscape:
			r.acc, r.n = acc, n
			v, ok := r.escape()
			if !ok {
				return false
			}
			e[i] = v
			acc, n = r.acc, r.n
		default:
			e[i] = float64(c.value)
		}
	}
	r.acc, r.n = acc, n
	return true
}

// mtReach is how far the interpolation reaches to either side.
const mtReach = 5

// mtExcitation holds the values of a subframe, with zeros before and behind them.
type mtExcitation [mtReach + mtSubframe + mtReach]float64

// interpolate fills the values at first, first + 2, … from their neighbours, which are those between.
func (e *mtExcitation) interpolate(first int) {
	k0, k1, k2 := media.MicroTalkInterpolation[0], media.MicroTalkInterpolation[1], media.MicroTalkInterpolation[2]
	for n := first; n < mtSubframe; n += 2 {
		w := (*[2*mtReach + 1]float64)(e[n:])
		w[mtReach] = k0*(w[4]+w[6]) + k1*(w[2]+w[8]) + k2*(w[0]+w[10])
	}
}
