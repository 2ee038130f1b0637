package wav

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
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

// TestFitRefuses: what cannot be decoded is refused with what its decoder says, and what has no samples stays.
func TestFitRefuses(t *testing.T) {
	game := Policy{Bits: []int{16}, Channels: 2}
	broken := decodeFile(t, "ms-adpcm_1.wav")
	file := append([]byte(nil), broken.Stored.Data...)
	file[32], file[33] = 0, 0 // a block of no bytes
	broken.Stored = &asset.Stored{Encoding: Encoding, Data: file}
	if _, err := game.Fit(broken, nil, false, nil); schema.Class(err) != schema.ErrValue {
		t.Errorf("broken: %v", err)
	}
	gsm := decodeFile(t, "gsm_1.wav")
	told := schema.Errorf("gsm", schema.ErrTruncated, "", "half a frame")
	if _, err := game.Fit(gsm, func(*asset.Sound) (*asset.Sound, error) { return nil, told }, false, nil); err != told {
		t.Errorf("a decoder that fails: %v", err)
	}
	d := new(schema.Diagnostics)
	pcm := &asset.Sound{Rate: 8000, Channels: 1, Bits: 16, PCM: []byte{1, 2}}
	if s, err := game.Fit(gsm, func(*asset.Sound) (*asset.Sound, error) { return pcm, nil }, false, d); err != nil || string(s.PCM) != "\x01\x02" || d.All()[0].Msg != "GSM 6.10 became PCM of 16 bits: the game plays no others" {
		t.Errorf("a decoder that knows it: %v, %v, %v", s, err, d.All())
	}
	for _, s := range []*asset.Sound{{Rate: 96000, Channels: 8, Bits: 24}, {Stored: &asset.Stored{Encoding: "xm"}}} {
		if got, err := game.Fit(s, nil, true, nil); got != s || err != nil {
			t.Errorf("no samples: %v, %v", got, err)
		}
	}
}

// TestSamples: samples of every size are what they say, the ends of the scale too, and what is no number is silence.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		bits  int
		float bool
		pcm   string
		as16  []int16
		as8   string
	}{
		{8, false, "\x00\x01\x7F\x80\xFF", []int16{-32768, -32512, -256, 0, 32512}, "\x00\x01\x7F\x80\xFF"},
		{16, false, "\x00\x80\xFF\x7F\x01\x02\x80\x00\x7F\x00", []int16{-32768, 32767, 513, 128, 127}, "\x00\xFF\x82\x81\x80"},
		{24, false, "\x00\x00\x80\xFF\xFF\x7F\x80\x01\x02\x7F\x01\x02", []int16{-32768, 32767, 514, 513}, "\x00\xFF\x82\x82"},
		{32, false, "\x00\x00\x00\x80\xFF\xFF\xFF\x7F\x03\x04\x01\x02", []int16{-32768, 32767, 513}, "\x00\xFF\x82"},
		{32, true, "\x00\x00\x80\x3F\x00\x00\x00\xBF\x00\x00\x00\xC0\x00\x00\xC0\x7F\x00\x00\x80\xFF", []int16{32767, -16384, -32768, 0, 0}, "\xFF\x40\x00\x80\x80"},
		{64, true, "\x00\x00\x00\x00\x00\x00\xE0\x3F\x00\x00\x00\x00\x00\x00\xF0\x7F", []int16{16384, 0}, "\xC0\x80"},
	} {
		s := &asset.Sound{Rate: 8000, Channels: 1, Bits: c.bits, Float: c.float, PCM: []byte(c.pcm)}
		var want []byte
		for _, v := range c.as16 {
			want = binary.LittleEndian.AppendUint16(want, uint16(v))
		}
		if got := integers(floats(s), 16); string(got) != string(want) {
			t.Errorf("%d bits, float %t: % x, want % x", c.bits, c.float, got, want)
		}
		if got := integers(floats(s), 8); string(got) != c.as8 {
			t.Errorf("%d bits, float %t as 8: % x, want % x", c.bits, c.float, got, c.as8)
		}
	}
}

// TestMixed: channels that are left out are heard in those that stay, and a sound of few is heard in all.
func TestMixed(t *testing.T) {
	for _, c := range []struct {
		from, to  int
		had, want []float64
	}{
		{2, 1, []float64{1, 3, -5, 5}, []float64{2, 0}},
		{1, 2, []float64{1, 2}, []float64{1, 1, 2, 2}},
		{2, 3, []float64{1, 2, 3, 4}, []float64{1, 2, 1, 3, 4, 3}},
		{3, 2, []float64{1, 2, 3}, []float64{2, 2}},
		{5, 2, []float64{1, 2, 3, 4, 5, 10, 20, 30, 40, 50}, []float64{3, 3, 30, 30}},
		{2, 2, []float64{1, 2}, []float64{1, 2}},
	} {
		if got := mixed(c.had, c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%d to %d: %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

// TestResampledFrames: a part of a frame at the end counts as one, and positions and loops behind the sound move to its end.
func TestResampledFrames(t *testing.T) {
	for _, c := range []struct{ frames, from, to, want int }{{3, 2000, 1000, 2}, {4, 2000, 1000, 2}, {1, 1000, 384000, 384}, {7, 3000, 2000, 5}, {0, 1000, 2000, 0}} {
		s := &asset.Sound{Rate: c.from, Channels: 2, Bits: 16, PCM: make([]byte, 4*c.frames), Cues: []asset.Cue{{Frame: 1}, {Frame: 4000000000}}}
		out, err := Match(s, 0, c.to, nil)
		if err != nil || out.Frames() != c.want {
			t.Errorf("%+v: %v frames, %v", c, out.Frames(), err)
			continue
		}
		if second, last := (c.to+c.from/2)/c.from, max(c.want-1, 0); out.Cues[0].Frame != uint32(min(second, last)) || out.Cues[1].Frame != uint32(last) {
			t.Errorf("%+v: positions %v", c, out.Cues)
		}
	}
	flat := &asset.Sound{Rate: 8000, Channels: 1, Bits: 16, PCM: bytes.Repeat([]byte{0, 0x40}, 400)}
	for _, rate := range []int{1000, 7999, 8001, 48000} {
		out, err := Match(flat, 0, rate, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v := int16(binary.LittleEndian.Uint16(out.PCM[out.Frames()/2*2:])); v != 0x4000 {
			t.Errorf("at %d Hz a level of %d became %d", rate, 0x4000, v)
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
		if out.Rate != wantRate || out.Channels != wantChannels || out.Frames() != wantRate || (out == s) == c.said || d.Has("samples-converted") != c.said ||
			c.said && d.All()[0].Severity != schema.Loss {
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
