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
	r := &d.bits
	if !multipulse {
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
	model := uint8(0)
	for i := 0; i < len(e); i += step {
		r.fill()
		c := mtCodes[model&1][r.acc&255]
		r.drop(uint(c.bits))
		model = c.next
		switch c.value {
		case media.MicroTalkRun:
			i += step * (media.MicroTalkRunMin - 1 + int(r.acc&63))
			r.drop(6)
		case media.MicroTalkEscape:
			v, ok := r.escape()
			if !ok {
				return false
			}
			e[i] = v
		default:
			e[i] = float64(c.value)
		}
	}
	return true
}

// interpolate fills the values at first, first + 2, … from their neighbours.
func interpolate(e *[mtSubframe]float64, first int) {
	const reach = 5
	var p [mtSubframe + 2*reach]float64
	copy(p[reach:], e[:])
	k := media.MicroTalkInterpolation
	for n := first; n < mtSubframe; n += 2 {
		w := p[n:][:2*reach+1]
		e[n] = k[0]*(w[4]+w[6]) + k[1]*(w[2]+w[8]) + k[2]*(w[0]+w[10])
	}
}
