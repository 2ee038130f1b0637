package media

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// MicroTalkRate is the usual bit rate of MicroTalk, in bits a second.
const MicroTalkRate = 32000

// MicroTalk encodes mono 16-bit little-endian samples at about the given bit rate (bits a second; 0 is
// [MicroTalkRate]), sample count first. It is an analysis-by-synthesis coder: each subframe tries the alignments and
// gains and keeps what costs least in squared error of the decoded sound plus bits. Above 56,000 bits a second at
// 22,050 Hz it uses full bandwidth. Source: Ultima IX reference section 12.4.
func MicroTalk(pcm []byte, rate, bitRate int) ([]byte, error) {
	if len(pcm)%2 != 0 {
		return nil, schema.Errorf("microtalk", schema.ErrMismatch, "samples", "%d bytes are no whole number of 16-bit samples", len(pcm))
	}
	if bitRate == 0 {
		bitRate = MicroTalkRate
	}
	if rate <= 0 || bitRate < 0 {
		return nil, schema.Errorf("microtalk", schema.ErrValue, "rate", "%d samples and %d bits a second", rate, bitRate)
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(pcm)/2))
	if len(pcm) == 0 {
		return out, nil
	}
	in := make([]float64, (len(pcm)/2+mtFrame-1)/mtFrame*mtFrame)
	for i := range len(pcm) / 2 {
		in[i] = float64(int16(binary.LittleEndian.Uint16(pcm[2*i:])))
	}
	e := newMicroTalk(in, float64(bitRate)*mtFrame/float64(rate), float64(bitRate)*22050 <= 56000*float64(rate))
	e.bits.b = out
	e.header()
	for at := 0; at < len(in); at += mtFrame {
		e.frame(at)
	}
	return e.bits.finish(), nil
}

const (
	mtFrame    = media.MicroTalkFrame
	mtSubframe = media.MicroTalkSubframe
	mtOrder    = media.MicroTalkOrder
	mtMemory   = media.MicroTalkMemory
)

// microTalk is the state of an encoder: the decoder's state and the rate control.
type microTalk struct {
	head  media.MicroTalkHeader
	gains [64]float64
	in    []float64 // the whole clip, zeros behind its end
	bits  bitWriter

	rc         [mtOrder]float64
	filters    [4][mtOrder]float64 // of samples 0–11, 12–23, 24–35 and 36–431 of the frame
	multipulse bool
	x          [mtMemory + mtFrame]float64 // unfiltered signal: memory, frame
	y          [mtOrder + mtFrame]float64  // decoded signal: history, frame

	left   float64 // bits that the rest of the clip may take
	price  float64 // squared error that one bit may save, as a part of the energy of a sample
	energy float64 // mean energy of a sample of the clip
	search mtSearch
}

func newMicroTalk(in []float64, budget float64, reduced bool) *microTalk {
	frames := float64(len(in) / mtFrame)
	e := &microTalk{in: in, left: budget * frames, energy: energyOf(in)/float64(len(in)) + 1}
	e.price = 4 * math.Exp2(-budget/70)
	e.head = media.MicroTalkHeader{Reduced: reduced, Threshold: 32 - 8, GainBase: 7, GainStep: 28}
	if rms := math.Sqrt(e.energy); rms < 1000 { // a quiet clip needs finer steps
		e.head.GainBase = int(rms / 125)
	}
	e.gains = e.head.Gains()
	return e
}

func (e *microTalk) header() {
	reduced := 0
	if e.head.Reduced {
		reduced = 1
	}
	e.bits.bits(reduced, 1)
	e.bits.bits(32-e.head.Threshold, 4)
	e.bits.bits(e.head.GainBase, 4)
	e.bits.bits(e.head.GainStep, 6)
}

// frame encodes the 432 samples at the given position.
func (e *microTalk) frame(at int) {
	copy(e.x[:mtMemory], e.x[mtFrame:])
	copy(e.y[:mtOrder], e.y[mtFrame:])
	before := e.bits.sum
	energy := e.predictor(at)
	// Half way between the same noise everywhere and noise in proportion to the signal.
	lambda := e.price * math.Sqrt(energy*e.energy)
	for s := range 4 {
		e.subframe(at, s, lambda)
	}
	e.control(float64(e.bits.sum-before), float64((len(e.in)-at)/mtFrame))
}

// control moves the price of a bit so that the frames left, this one included, meet their budget. A frame near silence
// cannot use its share and so says nothing about the price.
func (e *microTalk) control(used, frames float64) {
	share := e.left / frames
	e.left -= used
	if used < media.MicroTalkFrameMin*1.5 && share > used {
		return
	}
	e.price *= math.Exp(min(max((used-share)/200, -0.5), 0.5))
}

// predictor chooses and writes the reflection coefficients of a frame and returns its energy a sample.
func (e *microTalk) predictor(at int) float64 {
	r := autocorrelation(e.in, at)
	ideal := reflection(r)
	var delta [mtOrder]float64
	for i, k := range ideal {
		lo, hi, bits, offset := 1, 63, uint(6), 0
		if i >= 4 {
			lo, hi, bits, offset = 16, 47, 5, 16
		}
		index := nearestRC(k, lo, hi)
		if i == 0 {
			e.multipulse = index < e.head.Threshold
		}
		e.bits.bits(index-offset, bits)
		delta[i] = (media.MicroTalkRC[index] - e.rc[i]) / 4
	}
	for i := range e.filters {
		for k := range delta {
			e.rc[k] += delta[k]
		}
		e.filters[i] = media.MicroTalkPredictor(&e.rc)
	}
	return energyOf(e.in[at:at+mtFrame])/mtFrame + 1
}

func energyOf(v []float64) (sum float64) {
	for _, x := range v {
		sum += x * x
	}
	return sum
}

func nearestRC(k float64, lo, hi int) int {
	best := lo
	for i := lo; i <= hi; i++ {
		if math.Abs(media.MicroTalkRC[i]-k) < math.Abs(media.MicroTalkRC[best]-k) {
			best = i
		}
	}
	return best
}

// autocorrelation returns lags 0 … 12 of the frame at the given position under a window that reaches into its
// neighbours.
func autocorrelation(in []float64, at int) (r [mtOrder + 1]float64) {
	const margin = 60
	var w [mtFrame + 2*margin]float64
	for i := range w {
		if n := at - margin + i; n >= 0 && n < len(in) {
			w[i] = in[n] * mtWindow[i]
		}
	}
	for lag := range r {
		for i, x := range w[lag:] {
			r[lag] += x * w[i]
		}
	}
	r[0] = r[0]*(1+1e-5) + 1
	return r
}

var mtWindow = func() (w [mtFrame + 120]float64) {
	for i := range w {
		w[i] = 0.54 - 0.46*math.Cos(2*math.Pi*(float64(i)+0.5)/float64(len(w)))
	}
	return w
}()

// reflection is the Levinson recursion in the sign convention of the format: strongly correlated samples give a first
// coefficient near −1.
func reflection(r [mtOrder + 1]float64) (rc [mtOrder]float64) {
	var a [mtOrder + 1]float64
	a[0] = 1
	err := r[0]
	for i := 1; i <= mtOrder; i++ {
		var sum float64
		for j := range i {
			sum += a[j] * r[i-j]
		}
		k := -sum / err
		b := a
		for j := 1; j <= i; j++ {
			b[j] = a[j] + k*a[i-j]
		}
		a = b
		err *= 1 - k*k
		rc[i-1] = k
	}
	return rc
}

// filter returns the filter of sample n of the frame.
func (e *microTalk) filter(n int) *[mtOrder]float64 { return &e.filters[min(n/mtOrder, 3)] }

// synthesise filters subframe s of e.x into e.y.
func (e *microTalk) synthesise(s int) {
	for n := s * mtSubframe; n < (s+1)*mtSubframe; n++ {
		a := e.filter(n)
		h := e.y[n:][:mtOrder+1]
		v := e.x[mtMemory+n]
		for k, w := range a {
			v += w * h[mtOrder-1-k]
		}
		h[mtOrder] = v
	}
}
