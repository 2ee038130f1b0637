package wav

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestDecoded: the samples are those that SoX decodes, to the bit; what fills up the last block is none.
func TestDecoded(t *testing.T) {
	for _, c := range []struct {
		file, codec string
		channels    int
		samples     uint32 // their CRC-32
	}{
		{"a-law_1.wav", "A-law", 1, 0x35a5a9d4},
		{"a-law_2.wav", "A-law", 2, 0x558bfe78},
		{"u-law_1.wav", "μ-law", 1, 0xa686016d},
		{"u-law_2.wav", "μ-law", 2, 0x46a63b9f},
		{"ima-adpcm_1.wav", "IMA ADPCM", 1, 0x83dbc755},
		{"ima-adpcm_2.wav", "IMA ADPCM", 2, 0xe3aefe66},
		{"ms-adpcm_1.wav", "MS ADPCM", 1, 0xdadeb406},
		{"ms-adpcm_2.wav", "MS ADPCM", 2, 0x08931072},
	} {
		coded := decodeFile(t, c.file)
		if got := CodecName(coded); got != c.codec {
			t.Errorf("%s: codec %q, want %q", c.file, got, c.codec)
		}
		s, err := Decoded(coded)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if s.Rate != 8000 || s.Channels != c.channels || s.Bits != 16 || s.Frames() != 480 || crc32.ChecksumIEEE(s.PCM) != c.samples {
			t.Errorf("%s: %d Hz, %d channels, %d bits, %d frames, CRC 0x%08x", c.file, s.Rate, s.Channels, s.Bits, s.Frames(), crc32.ChecksumIEEE(s.PCM))
		}
		d := new(schema.Diagnostics)
		fit, err := Policy{Bits: []int{8, 16}, Channels: 2}.Fit(coded, nil, false, d)
		if err != nil || !slices.Equal(fit.PCM, s.PCM) || d.All()[0].Msg != c.codec+" became PCM of 16 bits: the game plays no others" {
			t.Errorf("%s: fit: %v, %v", c.file, err, d.All())
		}
		if _, err := (Policy{Bits: []int{16}, Channels: 2}).Fit(coded, nil, true, nil); schema.Class(err) != schema.ErrUnsupported {
			t.Errorf("%s: strict: %v", c.file, err)
		}
	}
	gsm := decodeFile(t, "gsm_1.wav")
	if s, err := Decoded(gsm); err != nil || s != gsm || CodecName(gsm) != "GSM 6.10" {
		t.Errorf("GSM: %v, %q", err, CodecName(gsm))
	}
	_, err := Policy{Bits: []int{16}, Channels: 2}.Fit(gsm, nil, false, nil)
	if schema.Class(err) != schema.ErrUnsupported || err.Error() != "wav: codec: the game plays no GSM 6.10, and nothing here decodes it: save the sound as PCM of 16 bits" {
		t.Errorf("GSM: %v", err)
	}
}

func decodeFile(t testing.TB, name string) *asset.Sound {
	t.Helper()
	s, err := Decode(corpus.Bytes(t, corpus.Testdata(t, "sounds", name)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// TestDecodedHeaders: headers that make no sense are refused.
func TestDecodedHeaders(t *testing.T) {
	const fmtAt = 20
	for _, c := range []struct {
		what, file string
		at         int
		value      uint16
	}{
		{"no channels", "ima-adpcm_1.wav", fmtAt + 2, 0},
		{"three channels", "ima-adpcm_1.wav", fmtAt + 2, 3},
		{"a block that is its header", "ima-adpcm_1.wav", fmtAt + 12, 4},
		{"no block", "ms-adpcm_1.wav", fmtAt + 12, 0},
		{"a predictor that is not there", "ms-adpcm_1.wav", 90, 0xFFFF},
	} {
		b := slices.Clone(corpus.Bytes(t, corpus.Testdata(t, "sounds", c.file)))
		binary.LittleEndian.PutUint16(b[c.at:], c.value)
		s := &asset.Sound{Stored: &asset.Stored{Encoding: Encoding, Data: b}}
		if _, err := Decoded(s); schema.Class(err) != schema.ErrValue {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

func FuzzDecoded(f *testing.F) {
	for _, name := range []string{"a-law_1.wav", "u-law_2.wav", "ima-adpcm_2.wav", "ms-adpcm_2.wav", "gsm_1.wav"} {
		f.Add(corpus.Bytes(f, corpus.Testdata(f, "sounds", name)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Decoded(&asset.Sound{Stored: &asset.Stored{Encoding: Encoding, Data: b}})
		if err == nil && len(s.PCM) > 4*len(b)+4 {
			t.Errorf("%d bytes became %d", len(b), len(s.PCM))
		}
	})
}

func BenchmarkDecoded(b *testing.B) {
	for _, name := range []string{"a-law_2.wav", "ima-adpcm_2.wav", "ms-adpcm_2.wav"} {
		b.Run(name, func(b *testing.B) {
			s := decodeFile(b, name)
			b.SetBytes(480 * 4)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decoded(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
