package wav

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// tone returns a second of a sine, in any kind of sample.
func tone(rate, channels, bits int, float bool, hertz float64) *asset.Sound {
	s := &asset.Sound{Name: "tone", Rate: rate, Channels: channels, Bits: bits, Float: float}
	for i := range rate {
		v := 0.5 * math.Sin(2*math.Pi*hertz*float64(i)/float64(rate))
		for range channels {
			switch {
			case float && bits == 32:
				s.PCM = binary.LittleEndian.AppendUint32(s.PCM, math.Float32bits(float32(v)))
			case float:
				s.PCM = binary.LittleEndian.AppendUint64(s.PCM, math.Float64bits(v))
			case bits == 8:
				s.PCM = append(s.PCM, byte(math.Round(v*128)+128))
			default:
				x := uint32(int32(math.Round(v * (1<<31 - 1))))
				s.PCM = append(s.PCM, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
				s.PCM = append(s.PCM[:len(s.PCM)-4], s.PCM[len(s.PCM)-bits/8:]...)
			}
		}
	}
	return s
}

// noise is how far a sound is from a sine of half the scale, in decibels below it, the ends aside.
func noise(s *asset.Sound, hertz float64) float64 {
	samples := floats(s)
	signal, error := 0.0, 0.0
	for i := s.Rate / 50; i < s.Frames()-s.Rate/50; i++ {
		want := 0.5 * math.Sin(2*math.Pi*hertz*float64(i)/float64(s.Rate))
		e := samples[i*s.Channels] - want
		signal, error = signal+want*want, error+e*e
	}
	return 10 * math.Log10(signal/error)
}

// TestFit: every kind of samples becomes what the policy plays, sounds the same, and the user is told; strict refuses.
func TestFit(t *testing.T) {
	game := Policy{Bits: []int{8, 16}, Channels: 2, Rate: 44100}
	for _, c := range []struct {
		rate, channels, bits int
		float                bool
		said                 string
		decibels             float64
	}{
		{44100, 1, 16, false, "", 85},
		{11025, 2, 8, false, "", 35},
		{44100, 1, 24, false, "24 bits became 16: the game plays no others", 85},
		{22050, 2, 32, false, "32 bits became 16: the game plays no others", 85},
		{22050, 1, 32, true, "32-bit floats became 16 bits: the game plays no others", 85},
		{22050, 1, 64, true, "64-bit floats became 16 bits: the game plays no others", 85},
		{48000, 1, 16, false, "48000 Hz became 44100 Hz: the game plays no others", 75},
		{96000, 6, 24, false, "24 bits became 16, 6 channels became 2, 96000 Hz became 44100 Hz: the game plays no others", 75},
		{48000, 1, 8, false, "48000 Hz became 44100 Hz: the game plays no others", 35},
	} {
		s := tone(c.rate, c.channels, c.bits, c.float, 1000)
		d := new(schema.Diagnostics)
		out, err := game.Fit(s, nil, false, d)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		said := ""
		for _, x := range d.All() {
			said += x.Msg
		}
		if said != c.said || (said == "") != (out == s) {
			t.Errorf("%+v: %q", c, said)
		}
		if out.Rate > 44100 || out.Channels > 2 || out.Bits > 16 || out.Float || out.Frames() != out.Rate {
			t.Errorf("%+v: %d Hz, %d channels, %d bits, %d frames", c, out.Rate, out.Channels, out.Bits, out.Frames())
		}
		if got := noise(out, 1000); got < c.decibels {
			t.Errorf("%+v: %.1f dB, want %.0f", c, got, c.decibels)
		}
		_, err = game.Fit(s, nil, true, nil)
		if (err != nil) != (c.said != "") || err != nil && (schema.Class(err) != schema.ErrUnsupported || !strings.Contains(err.Error(), "would become")) {
			t.Errorf("%+v: strict: %v", c, err)
		}
	}
}

// TestResampled: what the lower rate cannot hold is gone, and does not come back as another tone.
func TestResampled(t *testing.T) {
	out, err := Policy{Bits: []int{16}, Channels: 1, Rate: 22050}.Fit(tone(48000, 1, 16, false, 15000), nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	peak := 0.0
	for _, v := range floats(out)[500 : out.Frames()-500] {
		peak = max(peak, math.Abs(v))
	}
	if peak > 0.001 {
		t.Errorf("a tone of 15 kHz leaves %.4f", peak)
	}
}

// TestMoved: loops and positions stay at their times, inside the sound.
func TestMoved(t *testing.T) {
	s := tone(48000, 1, 16, false, 100)
	s.Loops = []asset.Loop{{Start: 4800, End: 47999, Count: 2, Type: 1}}
	s.Cues = []asset.Cue{{ID: 7, Frame: 24000, Label: "middle"}}
	out, err := Policy{Bits: []int{16}, Channels: 1, Rate: 24000}.Fit(s, nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if out.Loops[0] != (asset.Loop{Start: 2400, End: 23999, Count: 2, Type: 1}) || out.Cues[0] != (asset.Cue{ID: 7, Frame: 12000, Label: "middle"}) {
		t.Errorf("%+v, %+v", out.Loops, out.Cues)
	}
	if _, err := (Policy{Bits: []int{16}, Channels: 1}).Fit(&asset.Sound{Channels: 0, Bits: 24, Rate: 1, PCM: make([]byte, 9)}, nil, false, nil); schema.Class(err) != schema.ErrValue {
		t.Errorf("no channels: %v", err)
	}
}

// BenchmarkFit resamples a second of 48 kHz in stereo; bytes are those of the input.
func BenchmarkFit(b *testing.B) {
	s := tone(48000, 2, 16, false, 440)
	b.SetBytes(int64(len(s.PCM)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Policy{Bits: []int{16}, Channels: 2, Rate: 44100}).Fit(s, nil, false, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMatch: a sound takes over the rate and channels of another one, up and down.
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		rate, channels, toRate, toChannels int
		said                               bool
	}{
		{44100, 2, 22050, 1, true}, {11025, 1, 44100, 2, true}, {22050, 1, 22050, 1, false}, {22050, 2, 0, 0, false}, {48000, 2, 0, 1, true}, {22050, 1, 11025, 0, true},
	} {
		d := new(schema.Diagnostics)
		s := tone(c.rate, c.channels, 16, false, 1000)
		out, err := Match(s, c.toChannels, c.toRate, d)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		wantRate, wantChannels := c.toRate, c.toChannels
		if wantRate == 0 {
			wantRate = c.rate
		}
		if wantChannels == 0 {
			wantChannels = c.channels
		}
		if out.Rate != wantRate || out.Channels != wantChannels || out.Frames() != wantRate || (out == s) == c.said || d.Has("samples-converted") != c.said {
			t.Errorf("%+v: %d Hz, %d channels, %d frames, said %v", c, out.Rate, out.Channels, out.Frames(), d.All())
		}
		if got := noise(out, 1000); got < 75 {
			t.Errorf("%+v: %.1f dB", c, got)
		}
		if out.Channels == 2 && out.PCM[0] != out.PCM[2] {
			t.Errorf("%+v: one of the channels is silent", c)
		}
	}
	empty := &asset.Sound{Rate: 44100, Channels: 2, Bits: 16}
	if out, err := Match(empty, 1, 8000, nil); err != nil || len(out.PCM) != 0 || out.Rate != 8000 {
		t.Errorf("of no samples: %+v, %v", out, err)
	}
	for _, rate := range []int{1, 999, 384001, 4000000000} {
		s := &asset.Sound{Rate: rate, Channels: 1, Bits: 16, PCM: make([]byte, 1<<20)}
		if _, err := Match(s, 1, 22050, nil); schema.Class(err) == nil {
			t.Errorf("%d Hz became 22050 Hz", rate)
		}
	}
}
