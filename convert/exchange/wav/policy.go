package wav

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// Policy says which samples a game can play. Each family has its own. Sounds that do not comply are converted, which is told
// as a loss, or refused in strict mode.
type Policy struct {
	Bits     []int // allowed sizes of integer samples; other samples are converted to the last one
	Channels int   // maximum; more channels are mixed down
	Rate     int   // maximum in frames a second, 0 for any; faster sounds are resampled
}

// Fit returns a sound that the game can play. That is s itself if it complies; otherwise a copy with converted samples,
// loops and positions, and without Stored. A loss on d says what was converted; with strict, Fit fails with ErrUnsupported
// instead. A compressed sound is decoded first, by [Decoded] or else by decode, which may be nil. It fails with
// ErrUnsupported if neither knows the codec, and with ErrValue if the samples are invalid.
func (p Policy) Fit(s *asset.Sound, decode func(*asset.Sound) (*asset.Sound, error), strict bool, d *schema.Diagnostics) (*asset.Sound, error) {
	var changes []string
	say := func(text string, args ...any) { changes = append(changes, fmt.Sprintf(text, args...)) }
	if codec := CodecName(s); codec != "" && codec != codecNames[media.WavePCM] && codec != codecNames[media.WaveFloat] {
		plain, err := decodedBy(s, decode)
		if err != nil {
			return nil, err
		}
		if len(plain.PCM) == 0 {
			return nil, schema.Errorf(name, schema.ErrUnsupported, "codec", "the game plays no %s, and nothing here decodes it: save the sound as PCM of %d bits", codec, p.Bits[len(p.Bits)-1])
		}
		s = plain
		say("%s became PCM of %d bits", codec, s.Bits)
	}
	if len(s.PCM) == 0 {
		return s, nil
	}
	bits, channels, rate := s.Bits, s.Channels, s.Rate
	if s.Float || !slices.Contains(p.Bits, s.Bits) {
		bits = p.Bits[len(p.Bits)-1]
		if s.Float {
			say("%d-bit floats became %d bits", s.Bits, bits)
		} else {
			say("%d bits became %d", s.Bits, bits)
		}
	}
	if s.Channels > p.Channels {
		channels = p.Channels
		say("%d channels became %d", s.Channels, channels)
	}
	if p.Rate > 0 && s.Rate > p.Rate {
		rate = p.Rate
		say("%d Hz became %d Hz", s.Rate, rate)
	}
	if changes == nil {
		return s, nil
	}
	if strict {
		return nil, schema.Errorf(name, schema.ErrUnsupported, "samples", "the game does not play them: %s without --strict", strings.ReplaceAll(strings.Join(changes, ", "), "became", "would become"))
	}
	out, err := converted(s, bits, channels, rate)
	if err == nil {
		d.Lossf("samples-converted", s.Name, "%s: the game plays no others", strings.Join(changes, ", "))
	}
	return out, err
}

// decodedBy returns a sound with samples where its codec is known.
func decodedBy(s *asset.Sound, decode func(*asset.Sound) (*asset.Sound, error)) (*asset.Sound, error) {
	plain, err := Decoded(s)
	if err == nil && len(plain.PCM) == 0 && decode != nil {
		return decode(s)
	}
	return plain, err
}

// Match returns a sound converted to the given channels and rate, those of the sound that it replaces. A value of 0 keeps
// what s has. A loss on d says what was converted, and how to prevent it. s must have integer samples of 8 or 16 bits, as
// Fit returns them. It fails with ErrValue if the samples are invalid, and with ErrUnsupported if the rates are too far
// apart.
func Match(s *asset.Sound, channels, rate int, d *schema.Diagnostics) (*asset.Sound, error) {
	if s == nil {
		return nil, schema.Errorf(name, schema.ErrValue, "", "there is no sound")
	}
	var changes []string
	if channels == 0 || channels == s.Channels {
		channels = s.Channels
	} else {
		changes = append(changes, fmt.Sprintf("%d channels became %d", s.Channels, channels))
	}
	if rate == 0 || rate == s.Rate {
		rate = s.Rate
	} else {
		changes = append(changes, fmt.Sprintf("%d Hz became %d Hz", s.Rate, rate))
	}
	if changes == nil {
		return s, nil
	}
	out, err := converted(s, s.Bits, channels, rate)
	if err == nil {
		d.Hint(" (--keep-rate and --keep-channels leave what the codec can hold)").Lossf("samples-converted", s.Name, "%s, as the sound has that it takes the place of", strings.Join(changes, ", "))
	}
	return out, err
}

// Rates that sounds are brought to and from. Others are mistakes, whose filters would fill the memory.
const (
	leastRate = 1000
	mostRate  = 384000
)

// converted returns a sound with other samples, in integers.
func converted(s *asset.Sound, bits, channels, rate int) (*asset.Sound, error) {
	if _, err := formatOf(s); err != nil {
		return nil, err
	}
	if low, high := min(s.Rate, rate), max(s.Rate, rate); low != high && (low < leastRate || high > mostRate) {
		return nil, schema.Errorf(name, schema.ErrUnsupported, "rate", "%d Hz cannot become %d Hz: both are to be from %d to %d", s.Rate, rate, leastRate, mostRate)
	}
	samples := mixed(floats(s), s.Channels, channels)
	samples = resample(samples, channels, s.Rate, rate)
	out := *s
	out.Rate, out.Channels, out.Bits, out.Float, out.Stored = rate, channels, bits, false, nil
	out.PCM = integers(samples, bits)
	out.Loops, out.Cues = moved(s, &out)
	return &out, nil
}

// floats returns the samples of a sound, nominally from −1 to 1.
func floats(s *asset.Sound) []float64 {
	size := s.Bits / 8
	out := make([]float64, len(s.PCM)/size)
	for i := range out {
		b := s.PCM[i*size:][:size]
		switch {
		case s.Float && size == 4:
			out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		case s.Float:
			out[i] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		case size == 1:
			out[i] = float64(int(b[0])-128) / 128
		case size == 2:
			out[i] = float64(int16(binary.LittleEndian.Uint16(b))) / (1 << 15)
		case size == 3:
			out[i] = float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 31)
		default:
			out[i] = float64(int32(binary.LittleEndian.Uint32(b))) / (1 << 31)
		}
		if math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			out[i] = 0
		}
	}
	return out
}

// integers returns samples of 8 (unsigned) or 16 bits.
func integers(samples []float64, bits int) []byte {
	if bits == 8 {
		out := make([]byte, len(samples))
		for i, v := range samples {
			out[i] = byte(min(max(math.Round(v*128), -128), 127) + 128)
		}
		return out
	}
	out := make([]byte, 2*len(samples))
	for i, v := range samples {
		binary.LittleEndian.PutUint16(out[2*i:], uint16(int16(min(max(math.Round(v*(1<<15)), math.MinInt16), math.MaxInt16))))
	}
	return out
}

// mixed puts channels together: channel k goes into channel k mod n of the result, which is their mean. Where n is more,
// channels are heard several times.
func mixed(samples []float64, channels, n int) []float64 {
	if n == channels {
		return samples
	}
	frames := len(samples) / channels
	out := make([]float64, frames*n)
	if n > channels {
		for i := range out {
			out[i] = samples[i/n*channels+i%n%channels]
		}
		return out
	}
	for f := range frames {
		for k := range channels {
			out[f*n+k%n] += samples[f*channels+k] / math.Ceil(float64(channels-k%n)/float64(n))
		}
	}
	return out
}

// taps is the half length of the filter that resamples, in samples of the lower rate.
const taps = 24

// resample brings samples to another rate, with a windowed sinc (Kaiser's window, about 80 dB).
func resample(samples []float64, channels, from, to int) []float64 {
	if from == to {
		return samples
	}
	frames := len(samples) / channels
	count := int((int64(frames)*int64(to) + int64(from) - 1) / int64(from))
	ratio := float64(to) / float64(from)
	cutoff := min(1, ratio) * 0.94 // leaves room for the filter's slope
	reach := int(math.Ceil(taps / min(1, ratio)))
	out := make([]float64, count*channels)
	// The places between two samples repeat: there are as many filters as steps in the reduced ratio.
	steps := to / gcd(from, to)
	filters := make([][]float64, min(steps, count))
	for i := range count {
		at := int64(i) * int64(from)
		whole := int(at / int64(to))
		h := filters[i%len(filters)]
		if h == nil {
			h = sinc(float64(at%int64(to))/float64(to), cutoff, reach)
			filters[i%len(filters)] = h
		}
		first := whole - reach + 1
		for k, w := range h {
			if f := first + k; f >= 0 && f < frames {
				for c := range channels {
					out[i*channels+c] += w * samples[f*channels+c]
				}
			}
		}
	}
	return out
}

// sinc returns the weights of the samples around a place between two of them; their sum is 1.
func sinc(fraction, cutoff float64, reach int) []float64 {
	h := make([]float64, 2*reach)
	sum := 0.0
	for k := range h {
		x := float64(k-reach+1) - fraction
		v := cutoff
		if x != 0 {
			v = math.Sin(math.Pi*cutoff*x) / (math.Pi * x)
		}
		if r := x / float64(reach); r*r < 1 {
			v *= bessel(8*math.Sqrt(1-r*r)) / bessel(8)
		} else {
			v = 0
		}
		h[k], sum = v, sum+v
	}
	for k := range h {
		h[k] /= sum
	}
	return h
}

// bessel is the modified Bessel function of the first kind and order 0.
func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-12; k++ {
		term *= x / (2 * k) * x / (2 * k)
		sum += term
	}
	return sum
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// moved returns loops and positions at the rate of the new samples.
func moved(s, out *asset.Sound) (loops []asset.Loop, cues []asset.Cue) {
	if s.Rate == out.Rate {
		return s.Loops, s.Cues
	}
	last := uint64(max(out.Frames()-1, 0))
	at := func(frame uint32) uint32 {
		return uint32(min((uint64(frame)*uint64(out.Rate)+uint64(s.Rate)/2)/uint64(s.Rate), last))
	}
	for _, l := range s.Loops {
		l.Start, l.End = at(l.Start), at(l.End)
		loops = append(loops, l)
	}
	for _, c := range s.Cues {
		c.Frame = at(c.Frame)
		cues = append(cues, c)
	}
	return loops, cues
}
