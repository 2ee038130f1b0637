package media_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/read/media"
	u9 "github.com/usher-assets/usher/read/ultima9"
	"github.com/usher-assets/usher/schema"
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
