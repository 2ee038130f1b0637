package media

import "github.com/usher-assets/usher/schema/media"

// bitWriter puts bits least significant first.
type bitWriter struct {
	b   []byte
	acc uint64
	n   uint
	sum int // bits written
}

func (w *bitWriter) bits(v int, n uint) {
	w.acc |= uint64(v) << w.n
	w.n += n
	w.sum += int(n)
	for w.n >= 8 {
		w.b = append(w.b, byte(w.acc))
		w.acc >>= 8
		w.n -= 8
	}
}

func (w *bitWriter) finish() []byte {
	if w.n > 0 {
		w.b = append(w.b, byte(w.acc))
	}
	return w.b
}

// mtRunBits is the cost of a run of zeros by the model before it.
var mtRunBits = func() (t [2][mtSubframe + 1]float64) {
	for model := range t {
		for n := range t[model] {
			t[model][n] = 2 * float64(n)
			if n >= media.MicroTalkRunMin {
				run := 14 - float64(model) + 2*float64(max(0, n-70))
				t[model][n] = min(t[model][n], run)
			}
		}
	}
	return t
}()

// mtValueBits is the cost of the values 0 … 14 by model.
var mtValueBits = func() (t [2][16]float64) {
	for model, symbols := range media.MicroTalkSymbols {
		for _, s := range symbols {
			switch {
			case s.Value == media.MicroTalkEscape:
				for v := media.MicroTalkRunMin; v < 16; v++ {
					t[model][v] = float64(int(s.Bits) + v - media.MicroTalkRunMin + 2)
				}
			case s.Value >= 0 && s.Value < 16:
				t[model][s.Value] = float64(s.Bits)
			}
		}
	}
	return t
}()

// bitsOf returns what it costs to append v to a path, and the path's state behind it.
func (e *microTalk) bitsOf(path *mtPath, v int8) (bits float64, model, start, zeros uint8) {
	if !e.multipulse {
		if v == 0 {
			return 1, 0, 0, 0
		}
		return 2, 0, 0, 0
	}
	if v == 0 {
		start = path.start
		if path.zeros == 0 {
			start = path.model
		}
		zeros = path.zeros + 1
		return mtRunBits[start][zeros] - mtRunBits[start][zeros-1], 0, start, zeros
	}
	if v < 0 {
		v = -v
	}
	bits = mtValueBits[path.model][v]
	if v >= 2 {
		model = 1
	}
	return bits, model, 0, 0
}

// write puts a subframe's bits.
func (e *microTalk) write(c *mtChoice) {
	e.bits.bits(c.lag, 8)
	e.bits.bits(c.pitch, 4)
	e.bits.bits(c.gain, 6)
	n := mtSubframe
	if e.head.Reduced {
		e.bits.bits(c.align, 1)
		e.bits.bits(c.zero, 1)
		n /= 2
	}
	values := c.values[:n]
	if !e.multipulse {
		for _, v := range values {
			switch {
			case v == 0:
				e.bits.bits(0, 1)
			case v < 0:
				e.bits.bits(1, 2)
			default:
				e.bits.bits(3, 2)
			}
		}
		return
	}
	model := uint8(0)
	for i := 0; i < n; {
		run := 0
		for i+run < n && values[i+run] == 0 {
			run++
		}
		symbols := media.MicroTalkSymbols[model]
		if run >= media.MicroTalkRunMin && 2*run > int(mtRunBits[model][run]) {
			run = min(run, media.MicroTalkRunMin+63)
			s := symbols[14]
			e.bits.bits(int(s.Code), uint(s.Bits))
			e.bits.bits(run-media.MicroTalkRunMin, 6)
			model, i = s.Next, i+run
			continue
		}
		s := e.symbol(symbols, values[i])
		model, i = s.Next, i+1
	}
}

// symbol writes one value.
func (e *microTalk) symbol(symbols []media.MicroTalkSymbol, v int8) media.MicroTalkSymbol {
	for _, s := range symbols[:13] {
		if s.Value == v {
			e.bits.bits(int(s.Code), uint(s.Bits))
			return s
		}
	}
	s := symbols[13]
	e.bits.bits(int(s.Code), uint(s.Bits))
	sign := 1
	if v < 0 {
		sign, v = 0, -v
	}
	for range v - media.MicroTalkRunMin {
		e.bits.bits(1, 1)
	}
	e.bits.bits(0, 1)
	e.bits.bits(sign, 1)
	return s
}
