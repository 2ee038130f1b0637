package media_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/read/media"
	u9 "github.com/usher-assets/usher/read/ultima9"
	"github.com/usher-assets/usher/schema"
	schemamedia "github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
)

// sounds calls f for every sound of the corpus with the samples that it must decode to.
func sounds(t testing.TB, f func(name string, s *ultima9.Sound, want []byte)) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "sound")
	for _, archive := range []string{"music", "sfx", "speech"} {
		for _, slot := range corpus.Slots(t, filepath.Join(dir, archive+".flx")) {
			name := fmt.Sprintf("%s_%03d", archive, slot.Number)
			s, err := u9.Sound(slot.Payload, nil)
			if err != nil {
				t.Fatal(name, err)
			}
			f(name, s, corpus.Bytes(t, filepath.Join(dir, "wav", name+".wav"))[44:])
		}
	}
}

// worst returns the largest difference between two runs of samples of the same length.
func worst(t *testing.T, name string, got, want []byte) int {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d bytes, want %d", name, len(got), len(want))
		return 0
	}
	most := 0
	for i := 0; i+1 < len(got); i += 2 {
		d := int(int16(binary.LittleEndian.Uint16(got[i:]))) - int(int16(binary.LittleEndian.Uint16(want[i:])))
		most = max(most, d, -d)
	}
	return most
}

func TestMicroTalkOfCorpus(t *testing.T) {
	tested := 0
	sounds(t, func(name string, s *ultima9.Sound, want []byte) {
		if s.Encoding != ultima9.SoundMicroTalk {
			return
		}
		got, err := media.MicroTalk(s.Data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		tested++
		if d := worst(t, name, got, want); d > 1 {
			t.Errorf("%s: differs by up to %d", name, d)
		}
	})
	if tested != 8 {
		t.Errorf("%d clips tested, want 8", tested)
	}
}

// slowMicroTalk is Ultima IX reference section 12.4 word by word, for frames of any bits whose escapes end.
func slowMicroTalk(data []byte) []byte {
	at := 0
	bits := func(n int) (v int) {
		for k := range n {
			if at/8 < len(data)-4 {
				v |= int(data[4+at/8]) >> (at % 8) & 1 << k
			}
			at++
		}
		return v
	}
	code := func(model int) schemamedia.MicroTalkSymbol {
		for _, s := range schemamedia.MicroTalkSymbols[model] {
			was := at
			if bits(int(s.Bits)) == int(s.Code) {
				return s
			}
			at = was
		}
		panic("no such code")
	}
	reduced, threshold, g, m := bits(1), 32-bits(4), bits(4), bits(6)
	gain := []float64{8 * float64(1+g)}
	for range 63 {
		gain = append(gain, gain[len(gain)-1]*(1.04+0.001*float64(m)))
	}
	var rc [12]float64
	x, y := make([]float64, 324), make([]float64, 12)
	count := int(binary.LittleEndian.Uint32(data))
	for len(y)-12 < count {
		var delta [12]float64
		multipulse := false
		for i := range rc {
			index := 0
			if i < 4 {
				index = bits(6)
			} else {
				index = bits(5) + 16
			}
			if i == 0 {
				multipulse = index < threshold
			}
			delta[i] = (schemamedia.MicroTalkRC[index] - rc[i]) / 4
		}
		memory := len(x) - 324
		for range 4 {
			lag, pitch, scale := bits(8), float64(bits(4))/15, gain[bits(6)]
			first, zero, step := 0, 0, 1+reduced
			if reduced == 1 {
				first, zero = bits(1), bits(1)
			}
			var e [108]float64
			for n, model := first, 0; n < 108; n += step {
				if !multipulse {
					if bits(1) == 1 {
						e[n] = float64(4*bits(1) - 2)
					}
					continue
				}
				s := code(model)
				model = int(s.Next)
				switch s.Value {
				case schemamedia.MicroTalkRun:
					n += step * (bits(6) + 6)
				case schemamedia.MicroTalkEscape:
					e[n] = 7
					for bits(1) == 1 {
						e[n]++
					}
					e[n] *= float64(2*bits(1) - 1)
				default:
					e[n] = float64(s.Value)
				}
			}
			if reduced == 1 && zero == 0 {
				was := func(n int) float64 {
					if n < 0 || n > 107 {
						return 0
					}
					return e[n]
				}
				for n := 1 - first; n < 108; n += 2 {
					e[n] = 0.59738597*(was(n-1)+was(n+1)) - 0.11459156*(was(n-3)+was(n+3)) + 0.01803268*(was(n-5)+was(n+5))
				}
				scale /= 2
			}
			start := len(x)
			for n := range 108 {
				x = append(x, scale*e[n]+pitch*x[max(memory, start+n-108-lag)])
			}
		}
		frame := x[len(x)-432:]
		for n, v := range frame {
			if n == 0 || n == 12 || n == 24 || n == 36 {
				for i := range rc {
					rc[i] += delta[i]
				}
			}
			a := []float64{1}
			for i := 1; i <= 12; i++ {
				next := append(slices.Clone(a), 0)
				for j := 1; j <= i; j++ {
					next[j] += rc[i-1] * a[i-j]
				}
				a = next
			}
			for k := 1; k <= 12; k++ {
				v -= a[k] * y[len(y)-k]
			}
			y = append(y, v)
		}
	}
	var pcm []byte
	for _, v := range y[12:][:count] {
		pcm = binary.LittleEndian.AppendUint16(pcm, uint16(int16(min(max(math.Round(v), math.MinInt16), math.MaxInt16))))
	}
	return pcm
}

func TestMicroTalkEqualsTheSlowDecoder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := append(make([]byte, 4), rapid.SliceOfN(rapid.Byte(), 60, 300).Draw(t, "data")...)
		binary.LittleEndian.PutUint32(data, uint32(rapid.IntRange(0, 1000).Draw(t, "samples")))
		got, err := media.MicroTalk(data)
		if err != nil {
			t.Fatal(err)
		}
		want := slowMicroTalk(data)
		for i := 0; i < len(want); i += 2 { // their sums are of another order
			if d := int(int16(binary.LittleEndian.Uint16(got[i:]))) - int(int16(binary.LittleEndian.Uint16(want[i:]))); d < -1 || d > 1 {
				t.Fatalf("sample %d differs by %d", i/2, d)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d bytes, want %d", len(got), len(want))
		}
	})
}

func TestMicroTalkRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"no count", []byte{1, 0, 0}, schema.ErrTruncated},
		{"count", []byte{0x61, 3, 0, 0}, schema.ErrCount},
		{"huge count", []byte{0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3}, schema.ErrCount},
	} {
		if _, err := media.MicroTalk(c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// TestMicroTalkEscape has a first value with a magnitude in unary: the largest that there is, and one more.
func TestMicroTalkEscape(t *testing.T) {
	for ones, class := range map[int]error{432: nil, 433: schema.ErrValue} {
		bits := strings.Repeat("0", 15+64+18) + "11111110" + strings.Repeat("1", ones) + "01" // headers, the escape, its magnitude, its sign
		data := append([]byte{1, 0, 0, 0}, make([]byte, len(bits)/8+1)...)
		for i, bit := range bits {
			data[4+i/8] |= byte(bit-'0') << (i % 8)
		}
		if _, err := media.MicroTalk(data); !errors.Is(err, class) {
			t.Errorf("%d ones: %v, want %v", ones, err, class)
		}
	}
}

func TestMicroTalkPastTheEnd(t *testing.T) {
	pcm, err := media.MicroTalk([]byte{0x60, 3, 0, 0}) // 864 samples of nothing: the most that no bits may claim
	if err != nil || len(pcm) != 1728 {
		t.Fatalf("%d bytes, %v", len(pcm), err)
	}
	for i, b := range pcm {
		if b != 0 {
			t.Fatalf("byte %d is %d", i, b)
		}
	}
}

func FuzzMicroTalk(f *testing.F) {
	f.Add([]byte{0, 2, 0, 0, 0x5a, 0x33, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		if pcm, err := media.MicroTalk(b); err == nil && len(pcm) != 2*int(binary.LittleEndian.Uint32(b)) {
			t.Errorf("%d bytes of samples", len(pcm))
		}
	})
}

func benchmark(b *testing.B, encoding ultima9.SoundEncoding, channels uint32, decode func([]byte) ([]byte, error)) {
	var longest []byte
	sounds(b, func(_ string, s *ultima9.Sound, _ []byte) {
		if s.Encoding == encoding && s.Channels == channels && len(s.Data) > len(longest) {
			longest = s.Data
		}
	})
	pcm, err := decode(longest)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(pcm)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(longest); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMicroTalk(b *testing.B) { benchmark(b, ultima9.SoundMicroTalk, 1, media.MicroTalk) }
