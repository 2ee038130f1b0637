package voice_test

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/mp3"
	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
)

// spoken returns something like speech: a gliding voice with overtones, in syllables with pauses.
func spoken(rate int) *asset.Sound {
	s := &asset.Sound{Rate: rate, Channels: 1, Bits: 16}
	phase := 0.0
	for i := range 2 * rate {
		at := float64(i) / float64(rate)
		phase += 2 * math.Pi * (140 + 40*math.Sin(3*at)) / float64(rate)
		loud := math.Max(0, math.Sin(2*math.Pi*2.5*at))
		v := 0.0
		for k := 1.0; k <= 12; k++ {
			v += math.Sin(k*phase) / k
		}
		s.PCM = binary.LittleEndian.AppendUint16(s.PCM, uint16(int16(9000*loud*v)))
	}
	return s
}

// gameForm is the format chunk of the game's own lines at 22,050 Hz (reference section 19.4).
const gameForm = "5500" + "0100" + "22560000" + "a00f0000" + "0200" + "0000" + "0c00" + "0100" + "02000000" + "0100" + "0100" + "7105"

func checkLine(t *testing.T, w *freelancer.Wave) {
	t.Helper()
	var names []string
	for _, c := range w.Chunks {
		names = append(names, c.ID)
	}
	if got := strings.Join(names, "|"); got != "fmt |fact|trim|data" {
		t.Errorf("chunks %q", got)
	}
	if got := hex.EncodeToString(w.Chunk("fmt ")); got != gameForm {
		t.Errorf("the format is\n%s, want\n%s", got, gameForm)
	}
	if got := binary.LittleEndian.Uint32(w.Chunk("trim")); got != 1209 {
		t.Errorf("trim %d", got)
	}
	data := w.Chunk("data")
	if got := hex.EncodeToString(data[:4]); got != "fff340c0" && got != "fff342c0" && got != "fff340c4" && got != "fff342c4" { // the bit of an original is LAME's
		t.Errorf("the first frame begins with %s", got)
	}
	fact := int(binary.LittleEndian.Uint32(w.Chunk("fact")))
	if x, _ := wav.Frames(data); fact+1209+576 > x.Frames*576 || len(x.Stream) != len(data) {
		t.Errorf("%d samples in %d frames, %d bytes of them %d in frames", fact, x.Frames, len(data), len(x.Stream))
	}
}

// TestVoiceEncoded encodes a line with each program that can, and decodes it with a library that shares nothing with
// them: it is the line, where the trim says that it begins.
func TestVoiceEncoded(t *testing.T) {
	for _, program := range [...]string{"lame", "ffmpeg"} {
		t.Run(program, func(t *testing.T) {
			path, err := exec.LookPath(program)
			if err != nil {
				t.Skipf("%s is not installed", program)
			}
			bin := t.TempDir()
			corpus.Allowed(t, os.Symlink(path, filepath.Join(bin, program)))
			t.Setenv("PATH", bin)
			line := spoken(22050)
			var d schema.Diagnostics
			v, err := voice.Line.Lower(line, &format.Env{Options: format.Options{Encoding: "mp3"}, Diagnostics: &d})
			if err != nil {
				t.Fatal(err)
			}
			w := v.(*freelancer.Wave)
			checkLine(t, w)
			if d.Has("voice-pcm") || !strings.Contains(d.All()[0].Msg, program) {
				t.Errorf("what is said: %v", d.All())
			}
			b, err := voice.Line.Write(v)
			if err != nil {
				t.Fatal(err)
			}
			s, err := wav.Decode(b)
			if err != nil {
				t.Fatal(err)
			}
			if s, err = mp3.Decoded(s); err != nil {
				t.Fatal(err)
			}
			fact := int(binary.LittleEndian.Uint32(w.Chunk("fact")))
			if fact != line.Frames() || s.Rate != 22050 {
				t.Fatalf("%d samples at %d Hz, want %d", fact, s.Rate, line.Frames())
			}
			// The library is later than a usual decoder by what it is: the best place nearby counts.
			best := math.Inf(-1)
			for shift := -600; shift <= 600; shift++ {
				best = max(best, signalToNoise(line.PCM, s.PCM, 1209+shift))
			}
			if best < 20 {
				t.Errorf("%.1f dB, want 20", best)
			}
			if at := signalToNoise(line.PCM, s.PCM, 1209-529); at < 20 && signalToNoise(line.PCM, s.PCM, 1209) < 20 {
				t.Errorf("the line does not begin behind the trim: %.1f dB", at)
			}
		})
	}
}

// signalToNoise compares samples with those of another sound from one on, in decibels.
func signalToNoise(want, got []byte, from int) float64 {
	sample := func(b []byte, i int) float64 { return float64(int16(binary.LittleEndian.Uint16(b[2*i:]))) }
	var signal, noise float64
	for i := 0; i < len(want)/2 && 2*(from+i)+2 <= len(got); i++ {
		a, b := sample(want, i), sample(got, from+i)
		signal, noise = signal+a*a, noise+(a-b)*(a-b)
	}
	return 10 * math.Log10(signal/noise)
}

// TestVoiceWithoutEncoder: where no program is installed, it is said which ones would do.
func TestVoiceWithoutEncoder(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := voice.Line.Lower(spoken(11025), &format.Env{Options: format.Options{Encoding: "mp3"}})
	if err == nil || !strings.Contains(err.Error(), "lame") || !strings.Contains(err.Error(), "ffmpeg") {
		t.Errorf("got %v", err)
	}
}

// TestVoiceWrapped: an MP3 file becomes a line without being encoded again, and loses its tags.
func TestVoiceWrapped(t *testing.T) {
	stream := corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone11.mp3"))
	bare, ok := wav.Frames(stream)
	if !ok {
		t.Fatal("no frames")
	}
	tagged := append([]byte("ID3\x03\x00\x00\x00\x00\x00\x0a0123456789"), stream...)
	tagged = append(append(tagged, "TAG"...), make([]byte, 125)...)
	var d schema.Diagnostics
	v, err := voice.Line.Lower(&asset.Sound{Stored: &asset.Stored{Encoding: "mp3", Data: tagged}}, &format.Env{Diagnostics: &d})
	if err != nil {
		t.Fatal(err)
	}
	w := v.(*freelancer.Wave)
	corpus.SameBytes(t, "stream", w.Chunk("data"), bare.Stream)
	if trim := binary.LittleEndian.Uint32(w.Chunk("trim")); trim != 1235 || w.Rate != 11025 {
		t.Errorf("trim %d at %d Hz", trim, w.Rate)
	}
	if len(d.All()) > 0 {
		t.Errorf("what is said: %v", d.All())
	}
	b, err := voice.Line.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	again, err := voice.Line.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := voice.Line.Write(again)
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "read and written", out, b)
	if _, err := voice.Line.Lower(&asset.Sound{Stored: &asset.Stored{Encoding: "mp3", Data: []byte("no sound at all")}}, nil); err == nil {
		t.Error("text was taken for MP3")
	}
}
