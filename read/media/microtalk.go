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
		n := min(media.MicroTalkFrame, len(out)/2)
		for i, y := range d.y[media.MicroTalkOrder:][:n] {
			binary.LittleEndian.PutUint16(out[2*i:], uint16(round16(y)))
		}
		out = out[2*n:]
	}
	return pcm, nil
}

// round16 rounds half away from zero and clamps.
func round16(y float64) int16 {
	if y >= 0 {
		return int16(int32(min(y+0.5, math.MaxInt16)))
	}
	return int16(int32(max(y-0.5, math.MinInt16)))
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
	var e [mtSubframe]float64
	if d.head.Reduced {
		align, zero := d.bits.bits(1), d.bits.bits(1)
		if !d.excitation(e[align:], 2, multipulse) {
			return false
		}
		if zero == 0 {
			interpolate(&e, 1-align)
			gain *= 0.5
		}
	} else if !d.excitation(e[:], 1, multipulse) {
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
	for i, v := range past {
		x[n+i] = gain*e[n+i] + pitch*v
	}
	return true
}

// synthesise filters x into y[12:], y[:12] being the history. The sum is split so that only the newest sample stands in
// the chain from one sample to the next.
func synthesise(y, x []float64, a *[mtOrder]float64) {
	a0, a1, a2, a3, a4, a5 := a[0], a[1], a[2], a[3], a[4], a[5]
	a6, a7, a8, a9, a10, a11 := a[6], a[7], a[8], a[9], a[10], a[11]
	last := y[mtOrder-1]
	for n, v := range x {
		h := (*[mtOrder + 1]float64)(y[n:])
		far := a11*h[0] + a10*h[1] + a9*h[2] + a8*h[3]
		mid := a7*h[4] + a6*h[5] + a5*h[6] + a4*h[7]
		near := a3*h[8] + a2*h[9] + a1*h[10] + v
		last = far + mid + near + a0*last
		h[mtOrder] = last
	}
}
