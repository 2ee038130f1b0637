package media

// EA MicroTalk (Ultima IX reference section 12.4): a linear-predictive speech coder with a long-term predictor and an
// entropy-coded excitation. A clip is a sample count and one bit stream, least significant bits first.
const (
	MicroTalkFrame    = 432 // samples of a frame
	MicroTalkSubframe = 108 // samples of a subframe; a frame has four
	MicroTalkOrder    = 12  // reflection coefficients of a frame
	MicroTalkMemory   = 324 // unfiltered samples before the frame that the long-term predictor reaches
	MicroTalkFrameMin = 200 // bits of the shortest frame
	MicroTalkRunMin   = 7   // zeros of the shortest zero run, and magnitude of the shortest escape
	MicroTalkLagLimit = 216 // largest lag of a first subframe that stays inside the memory
	MicroTalkPitchMax = 15  // pitch gains count fifteenths
)

// MicroTalkHeader is the stream header.
type MicroTalkHeader struct {
	Reduced   bool // reduced bandwidth: every second excitation value is stored
	Threshold int  // 17 … 32: a frame whose first coefficient index is below it has a multipulse excitation; 32 − t
	GainBase  int  // 0 … 15: the smallest gain is 8(1 + GainBase)
	GainStep  int  // 0 … 63: each gain is 1.04 + 0.001 GainStep times the one before
}

// Gains returns the 64 excitation gains.
func (h MicroTalkHeader) Gains() (g [64]float64) {
	g[0] = 8 * float64(1+h.GainBase)
	for i := 1; i < len(g); i++ {
		g[i] = g[i-1] * (1.04 + 0.001*float64(h.GainStep))
	}
	return g
}

// microTalkRC is one half of the reflection coefficients, index 1 … 31; the other half is its mirror image.
var microTalkRC = [31]float64{
	-0.996776, -0.990327, -0.983879, -0.977431, -0.970982, -0.964534, -0.958085, -0.951637, -0.930754, -0.904960, -0.879167,
	-0.853373, -0.827579, -0.801786, -0.775992, -0.750198, -0.724405, -0.698611, -0.670635, -0.619048, -0.567460, -0.515873,
	-0.464286, -0.412698, -0.361111, -0.309524, -0.257937, -0.206349, -0.154762, -0.103175, -0.051587,
}

// MicroTalkRC holds the reflection coefficients by index: 0 and 32 are 0, 33 … 63 mirror 31 … 1.
var MicroTalkRC = func() (rc [64]float64) {
	for i, v := range microTalkRC {
		rc[1+i], rc[63-i] = v, -v
	}
	return rc
}()

// MicroTalkPredictor turns reflection coefficients into the weights of the twelve samples before, the nearest first:
// y[n] = x[n] + Σ a[k]·y[n−1−k].
func MicroTalkPredictor(rc *[MicroTalkOrder]float64) (a [MicroTalkOrder]float64) {
	var p [MicroTalkOrder + 1]float64
	p[0] = 1
	for i, k := range rc {
		for lo, hi := 1, i; lo <= hi; lo, hi = lo+1, hi-1 { // each step adds the mirror image of what there is
			p[lo], p[hi] = p[lo]+k*p[hi], p[hi]+k*p[lo]
		}
		p[i+1] = k
	}
	for k := range a {
		a[k] = -p[k+1]
	}
	return a
}

// MicroTalkInterpolation weighs the neighbours at distance 1, 3 and 5 of an excitation value that a reduced stream
// leaves out.
var MicroTalkInterpolation = [3]float64{0.59738597, -0.11459156, 0.01803268}

// MicroTalkSymbol is one kind of excitation code.
type MicroTalkSymbol struct {
	Code, Bits uint8
	Value      int8  // the value, or MicroTalkEscape, MicroTalkRun
	Next       uint8 // model of the next code
}

// Values of the symbols that are no plain excitation value.
const (
	MicroTalkEscape = 100
	MicroTalkRun    = 101
)

// MicroTalkSymbols holds the two prefix codes of the multipulse excitation, read least significant bit first. Each
// subframe begins in model 0.
var MicroTalkSymbols = [2][]MicroTalkSymbol{
	{
		{0, 2, 0, 0}, {2, 2, -1, 0}, {1, 2, 1, 0}, {3, 4, -2, 1}, {11, 4, 2, 1}, {7, 5, -3, 1}, {23, 5, 3, 1},
		{15, 6, -4, 1}, {47, 6, 4, 1}, {31, 7, -5, 1}, {95, 7, 5, 1}, {63, 8, -6, 1}, {191, 8, 6, 1},
		{127, 8, MicroTalkEscape, 1}, {255, 8, MicroTalkRun, 0},
	},
	{
		{0, 2, 0, 0}, {2, 3, -1, 0}, {6, 3, 1, 0}, {1, 3, -2, 1}, {5, 3, 2, 1}, {3, 4, -3, 1}, {11, 4, 3, 1},
		{7, 5, -4, 1}, {23, 5, 4, 1}, {15, 6, -5, 1}, {47, 6, 5, 1}, {31, 7, -6, 1}, {95, 7, 6, 1},
		{63, 7, MicroTalkEscape, 1}, {127, 7, MicroTalkRun, 0},
	},
}
