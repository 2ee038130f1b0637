package media_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
)

func TestEAXAOfCorpus(t *testing.T) {
	tested := 0
	sounds(t, func(name string, s *ultima9.Sound, want []byte) {
		if s.Encoding != ultima9.SoundEAXA {
			return
		}
		got, err := media.EAXA(s.Data, int(s.Channels))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		tested++
		corpus.SameBytes(t, name, got, want)
	})
	if tested < 4 {
		t.Errorf("%d clips tested", tested)
	}
}

// slowEAXA is Ultima IX reference section 12.3 word by word.
func slowEAXA(data []byte, channels int) []byte {
	k1, k2 := [4]int{0, 240, 460, 392}, [4]int{0, 0, -208, -220}
	var pcm []byte
	var s1, s2 [2]int
	for ; len(data) >= 15*channels; data = data[15*channels:] {
		for n := range 28 {
			for c := range channels {
				var index, shift, nibble byte
				if channels == 1 {
					index, shift = data[0]>>4, data[0]&15
					nibble = data[1+n/2] >> (4 * (1 - n%2)) & 15
				} else {
					index, shift = data[0]>>(4*(1-c))&15, data[1]>>(4*(1-c))&15
					nibble = data[2+n] >> (4 * (1 - c)) & 15
				}
				v := int(nibble)
				if v > 7 {
					v -= 16
				}
				s := (v<<(20-shift) + k1[index]*s1[c] + k2[index]*s2[c] + 128) >> 8
				s = min(max(s, -32768), 32767)
				s2[c], s1[c] = s1[c], s
				pcm = binary.LittleEndian.AppendUint16(pcm, uint16(s))
			}
		}
	}
	return pcm
}

func TestEAXAEqualsTheSlowDecoder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		channels := rapid.IntRange(1, 2).Draw(t, "channels")
		data := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "data")
		for i := 0; i < len(data); i += 15 * channels {
			data[i] &= 0x33 // both nibbles may be a predictor
		}
		got, err := media.EAXA(data, channels)
		if err != nil {
			t.Fatal(err)
		}
		if want := slowEAXA(data, channels); string(got) != string(want) {
			t.Fatalf("got %x\nwant %x", got, want)
		}
	})
}

func TestEAXARefuses(t *testing.T) {
	mono, stereo := make([]byte, 30), make([]byte, 30)
	mono[15] = 0x40
	stereo[0] = 0x05
	for _, c := range []struct {
		name     string
		data     []byte
		channels int
		want     error
	}{
		{"mono index", mono, 1, schema.ErrValue},
		{"stereo index", stereo, 2, schema.ErrValue},
		{"channels", nil, 3, schema.ErrUnsupported},
	} {
		if _, err := media.EAXA(c.data, c.channels); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func BenchmarkEAXAMono(b *testing.B) {
	benchmark(b, ultima9.SoundEAXA, 1, func(d []byte) ([]byte, error) { return media.EAXA(d, 1) })
}

func BenchmarkEAXAStereo(b *testing.B) {
	benchmark(b, ultima9.SoundEAXA, 2, func(d []byte) ([]byte, error) { return media.EAXA(d, 2) })
}
