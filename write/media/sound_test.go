package media_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	read "github.com/usher-assets/usher/read/media"
	write "github.com/usher-assets/usher/write/media"

	"github.com/usher-assets/usher/testdata/corpus"
)

// snr returns the signal-to-noise ratio of a decoded clip in dB.
func snr(pcm, decoded []byte) float64 {
	var signal, noise float64
	for i := 0; i+1 < len(pcm); i += 2 {
		x := float64(int16(binary.LittleEndian.Uint16(pcm[i:])))
		d := x - float64(int16(binary.LittleEndian.Uint16(decoded[i:])))
		signal += x * x
		noise += d * d
	}
	return 10 * math.Log10(signal/noise)
}

// voice makes a clip that is a little like speech: a pulse train through two moving resonances, with pauses.
func voice(seconds float64) []byte {
	const rate = 22050
	var pcm []byte
	var y [2][2]float64
	noise := uint32(1)
	phase := 0.0
	for n := range int(seconds * rate) {
		t := float64(n) / rate
		noise = noise*1664525 + 1013904223
		x := float64(int32(noise)) / (1 << 31) * 40
		phase += (110 + 30*math.Sin(5*t)) / rate
		if phase >= 1 {
			phase--
			x += 3000
		}
		if math.Sin(3*t) < -0.5 {
			x /= 50
		}
		for i, f := range [2]float64{600 + 250*math.Sin(4*t), 1500 + 500*math.Sin(7*t)} {
			r := 0.97
			v := x + 2*r*math.Cos(2*math.Pi*f/rate)*y[i][0] - r*r*y[i][1]
			y[i][1], y[i][0] = y[i][0], v
			x = v / 4
		}
		pcm = binary.LittleEndian.AppendUint16(pcm, uint16(int16(min(max(x*8, -32768), 32767))))
	}
	return pcm
}

func TestMicroTalkQuality(t *testing.T) {
	clip := voice(2)
	for _, c := range []struct {
		bitRate int
		least   float64
	}{{16000, 8}, {24000, 13}, {32000, 17}, {48000, 22}, {64000, 26}} {
		data, err := write.MicroTalk(clip, 22050, c.bitRate)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := read.MicroTalk(data)
		if err != nil {
			t.Fatal(err)
		}
		got := snr(clip, decoded)
		t.Logf("%d bit/s: %d bytes, %.1f dB", c.bitRate, len(data), got)
		if most := c.bitRate * 2 / 8 * 103 / 100; len(data) > most || got < c.least {
			t.Errorf("%d bit/s: %d bytes, at most %d; %.1f dB, at least %.1f", c.bitRate, len(data), most, got, c.least)
		}
	}
}

func TestMicroTalkOnCorpusSpeech(t *testing.T) {
	clip := corpus.Bytes(t, filepath.Join(corpus.Folder(t, "ultima9"), "synthetic/sound/encode/speech.wav"))[44:]
	data, err := write.MicroTalk(clip, 22050, 0)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := read.MicroTalk(data)
	if err != nil {
		t.Fatal(err)
	}
	got := snr(clip, decoded)
	t.Logf("%d bytes, %.1f dB", len(data), got)
	if len(data) > 4100 || got < 25 {
		t.Errorf("%d bytes, at most 4100; %.1f dB, at least 25", len(data), got)
	}
}

func TestMicroTalkExtremes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1000).Draw(t, "samples")
		kind := rapid.SampledFrom([]string{"noise", "square", "silence", "click"}).Draw(t, "kind")
		pcm := make([]byte, 2*n)
		for i := range n {
			var v int16
			switch kind {
			case "noise":
				v = int16(i * i * 7919)
			case "square":
				v = int16(-32768 + i/50%2*65535)
			case "click":
				if i == n/2 {
					v = 32767
				}
			}
			binary.LittleEndian.PutUint16(pcm[2*i:], uint16(v))
		}
		data, err := write.MicroTalk(pcm, 22050, rapid.IntRange(1, 100000).Draw(t, "bit rate"))
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := read.MicroTalk(data)
		if err != nil || len(decoded) != len(pcm) {
			t.Fatalf("%d bytes, want %d; %v", len(decoded), len(pcm), err)
		}
		if kind == "silence" {
			for i, b := range decoded {
				if b != 0 {
					t.Fatalf("byte %d of silence is %d", i, b)
				}
			}
		}
	})
}

func TestEAXAOnCorpus(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic/sound/encode")
	for _, c := range []struct {
		name     string
		channels int
		least    float64
	}{{"mono", 1, 35.5}, {"stereo", 2, 57.2}, {"speech", 1, 35}} {
		clip := corpus.Bytes(t, filepath.Join(dir, c.name+".wav"))[44:]
		data, err := write.EAXA(clip, c.channels)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := read.EAXA(data, c.channels)
		if err != nil {
			t.Fatal(err)
		}
		got := snr(clip, decoded)
		t.Logf("%s: %d bytes, %.2f dB", c.name, len(data), got)
		if got < c.least {
			t.Errorf("%s: %.2f dB, at least %.2f", c.name, got, c.least)
		}
	}
}

func TestEAXAGolden(t *testing.T) {
	clip := make([]byte, 4*1001)
	for i := range len(clip) / 2 {
		binary.LittleEndian.PutUint16(clip[2*i:], uint16(int16(i*i%20011-10000)))
	}
	for channels, want := range map[int]string{1: "e87e4616bed2dc3d", 2: "b3622f8b4f1cbc5b"} {
		data, err := write.EAXA(clip, channels)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		if got := hex.EncodeToString(sum[:8]); got != want {
			t.Errorf("%d channels: %s, want %s", channels, got, want)
		}
	}
}

func TestEAXALength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		channels := rapid.IntRange(1, 2).Draw(t, "channels")
		pcm := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "pcm")
		pcm = pcm[:len(pcm)/(2*channels)*2*channels]
		data, err := write.EAXA(pcm, channels)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := read.EAXA(data, channels)
		if err != nil || len(decoded) < len(pcm) || len(decoded) >= len(pcm)+56*channels {
			t.Fatalf("%d bytes of %d, %v", len(decoded), len(pcm), err)
		}
	})
}

func BenchmarkMicroTalk(b *testing.B) {
	clip := voice(1)
	b.SetBytes(int64(len(clip)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := write.MicroTalk(clip, 22050, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEAXA(b *testing.B) {
	clip := voice(1)
	b.SetBytes(int64(len(clip)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := write.EAXA(clip, 1); err != nil {
			b.Fatal(err)
		}
	}
}
