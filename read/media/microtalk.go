package media

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// MicroTalk decodes an EA MicroTalk clip, which begins with its sample count, to mono 16-bit little-endian samples. It
// fails with ErrCount if the data cannot hold that many samples, and with ErrValue for an endless escape. Source: Ultima IX
// reference section 12.4.
func MicroTalk(data []byte) ([]byte, error) {
	if len(data) < 4 {
		return nil, schema.Errorf("microtalk", schema.ErrTruncated, "sample count", "needs 4 bytes, %d left", len(data))
	}
	count := uint64(binary.LittleEndian.Uint32(data))
	limit := media.MicroTalkFrame * (uint64(len(data)-4)*8/media.MicroTalkFrameMin + 2)
	if count > limit {
		return nil, schema.Errorf("microtalk", schema.ErrCount, "sample count", "%d, at most %d in %d bytes", count, limit, len(data)-4)
	}
	pcm := make([]byte, 2*count)
	if count == 0 {
		return pcm, nil
	}
	var d microTalk
	d.bits = bitReader{b: data[4:]}
	d.header()
	for out := pcm; len(out) > 0; {
		if !d.frame() {
			return nil, schema.Errorf("microtalk", schema.ErrValue, "excitation", "endless escape in the frame of sample %d", (len(pcm)-len(out))/2)
		}
		out = out[d.samples(out):]
	}
	return pcm, nil
}

// samples writes the filtered signal of a frame, or what out has room for, as 16-bit samples, and returns the number of bytes.
func (d *microTalk) samples(out []byte) int {
	out = out[:min(len(out), 2*mtFrame)]
	y := d.y[mtOrder:][:len(out)/2]
	for i, v := range y {
		binary.LittleEndian.PutUint16(out[2*i:2*i+2], uint16(round16(v)))
	}
	return len(out)
}

// halves are what is added to a value to round it, by its sign bit.
var halves = [2]float64{0.5, -0.5}

// round16 rounds half away from zero and clamps.
func round16(y float64) int16 {
	switch {
	case y > -math.MaxInt16 && y < math.MaxInt16:
		return int16(int32(y + halves[math.Float64bits(y)>>63]))
	case y > 0:
		return math.MaxInt16
	case y < 0:
		return int16(int32(max(y-0.5, math.MinInt16)))
	}
	return 0 // no number
}

const (
	mtFrame    = media.MicroTalkFrame
	mtSubframe = media.MicroTalkSubframe
	mtOrder    = media.MicroTalkOrder
	mtMemory   = media.MicroTalkMemory
)

// microTalk is the state of a decoder.
type microTalk struct {
	bits  bitReader
	head  media.MicroTalkHeader
	gains [64]float64
	rc    [mtOrder]float64
	x     [mtMemory + mtFrame]float64 // unfiltered signal: memory, frame
	y     [mtOrder + mtFrame]float64  // filtered signal: history, frame
}

func (d *microTalk) header() {
	d.head.Reduced = d.bits.bits(1) != 0
	d.head.Threshold = 32 - d.bits.bits(4)
	d.head.GainBase = d.bits.bits(4)
	d.head.GainStep = d.bits.bits(6)
	d.gains = d.head.Gains()
}

// frame decodes 432 samples into d.y; false means an endless escape.
func (d *microTalk) frame() bool {
	copy(d.x[:mtMemory], d.x[mtFrame:])
	copy(d.y[:mtOrder], d.y[mtFrame:])
	multipulse := false
	var delta [mtOrder]float64
	for i := range delta {
		var index int
		if i < 4 {
			index = d.bits.bits(6)
		} else {
			index = 16 + d.bits.bits(5)
		}
		if i == 0 {
			multipulse = index < d.head.Threshold
		}
		delta[i] = (media.MicroTalkRC[index] - d.rc[i]) / 4
	}
	for s := range 4 {
		if !d.subframe(s, multipulse) {
			return false
		}
	}
	start := 0
	for _, end := range [4]int{mtOrder, 2 * mtOrder, 3 * mtOrder, mtFrame} {
		for i := range d.rc {
			d.rc[i] += delta[i]
		}
		a := media.MicroTalkPredictor(&d.rc)
		synthesise(d.y[start:mtOrder+end], d.x[mtMemory+start:mtMemory+end], &a)
		start = end
	}
	return true
}

// subframe decodes the excitation and adds the long-term prediction.
func (d *microTalk) subframe(s int, multipulse bool) bool {
	lag := d.bits.bits(8)
	pitch := float64(d.bits.bits(4)) / media.MicroTalkPitchMax
	gain := d.gains[d.bits.bits(6)]
	var padded mtExcitation
	e := padded[mtReach:][:mtSubframe]
	if d.head.Reduced {
		align, zero := d.bits.bits(1), d.bits.bits(1)
		if !d.excitation(e[align:], 2, multipulse) {
			return false
		}
		if zero == 0 {
			padded.interpolate(1 - align)
			gain *= 0.5
		}
	} else if !d.excitation(e, 1, multipulse) {
		return false
	}
	at := mtMemory + s*mtSubframe
	x := d.x[at:][:mtSubframe]
	from := at - mtSubframe - lag
	n := 0
	for ; from+n < 0; n++ {
		x[n] = gain*e[n] + pitch*d.x[0]
	}
	past := d.x[from+n:][:mtSubframe-n]
	e, x = e[n:][:len(past)], x[n:][:len(past)]
	for i, v := range past {
		x[i] = gain*e[i] + pitch*v
	}
	return true
}

// synthesise filters x into y[12:], y[:12] being the history. Four samples are made at once, since what the history adds to
// each of them needs none of the others; only the last sum stands in the chain from one sample to the next. Their number is a
// multiple of four.
func synthesise(y, x []float64, a *[mtOrder]float64) {
	a0, a1, a2 := a[0], a[1], a[2]
	for n := 0; n+4 <= len(x); n += 4 {
		h, v := (*[mtOrder + 4]float64)(y[n:]), (*[4]float64)(x[n:])
		v0, v1, v2, v3 := v[0], v[1], v[2], v[3]
		v0 += a[11]*h[0] + a[10]*h[1] + a[9]*h[2] + a[8]*h[3]
		v1 += a[11]*h[1] + a[10]*h[2] + a[9]*h[3] + a[8]*h[4]
		v2 += a[11]*h[2] + a[10]*h[3] + a[9]*h[4] + a[8]*h[5]
		v3 += a[11]*h[3] + a[10]*h[4] + a[9]*h[5] + a[8]*h[6]
		v0 += a[7]*h[4] + a[6]*h[5] + a[5]*h[6] + a[4]*h[7]
		v1 += a[7]*h[5] + a[6]*h[6] + a[5]*h[7] + a[4]*h[8]
		v2 += a[7]*h[6] + a[6]*h[7] + a[5]*h[8] + a[4]*h[9]
		v3 += a[7]*h[7] + a[6]*h[8] + a[5]*h[9] + a[4]*h[10]
		v0 += a[3]*h[8] + a2*h[9] + a1*h[10]
		v1 += a[3]*h[9] + a2*h[10] + a1*h[11]
		v2 += a[3]*h[10] + a2*h[11]
		v3 += a[3] * h[11]
		v0 += a0 * h[11]
		v1 += a0 * v0
		v2 = v2 + a1*v0 + a0*v1
		v3 = v3 + a2*v0 + a1*v1 + a0*v2
		h[12], h[13], h[14], h[15] = v0, v1, v2, v3
	}
}
