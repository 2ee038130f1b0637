package wav

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
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

// TestCodecTables: every code at every step, with sums of what other decoders of G.711 and of the IMA's ADPCM make of the same
// codes, and of MS ADPCM by its formulas.
func TestCodecTables(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	pack := func(block []byte, codes []int, low bool) []byte {
		for i := 0; i < len(codes); i += 2 {
			a, b := codes[i], codes[i+1]
			if low {
				a, b = b, a
			}
			block = append(block, byte(a<<4|b))
		}
		return block
	}
	var ima, ms []byte
	for step := range 89 {
		for code := range 16 {
			for _, start := range []int16{0, 32000, -32000} {
				ima = append(binary.LittleEndian.AppendUint16(ima, uint16(start)), byte(step), 0)
				ima = pack(ima, []int{code, code ^ 8, code, 3, code, 7, 0, code}, true)
			}
		}
	}
	for predictor := range 7 {
		for code := range 16 {
			for _, step := range []uint16{16, 300, 5000} {
				ms = binary.LittleEndian.AppendUint16(append(ms, byte(predictor)), step)
				ms = append(ms, 0xE8, 0x03, 0x44, 0xFD) // 1000, and -700 before it
				ms = pack(ms, []int{code, code, 5, code, 13, code, 0, code}, false)
			}
		}
	}
	for _, c := range []struct {
		name    string
		decode  func([]byte, *media.WaveFormat) ([]int16, error)
		block   uint16
		coded   []byte
		samples uint32
	}{
		{"A-law", aLaw, 0, all, 0x9d764657}, {"μ-law", muLaw, 0, all, 0x0c847a9f},
		{"IMA ADPCM", imaADPCM, 8, ima, 0x1b658c70}, {"MS ADPCM", msADPCM, 11, ms, 0xac5aa74e},
	} {
		got, err := c.decode(c.coded, &media.WaveFormat{Channels: 1, BlockAlign: c.block})
		var b []byte
		for _, x := range got {
			b = binary.LittleEndian.AppendUint16(b, uint16(x))
		}
		if err != nil || crc32.ChecksumIEEE(b) != c.samples {
			t.Errorf("%s: %d samples, 0x%08x, want 0x%08x, %v", c.name, len(got), crc32.ChecksumIEEE(b), c.samples, err)
		}
	}
}

// TestADPCMBlocks: the channels take turns, the last block may be short, a file may bring predictors of its own, and the count of
// frames in the file ends the samples.
func TestADPCMBlocks(t *testing.T) {
	own := append([]byte{32, 0, 0, 0, 2, 0}, 0, 0, 0, 0, 0, 1, 0, 0xFF) // none, and the line through two samples less one of them
	for _, c := range []struct {
		what   string
		decode func([]byte, *media.WaveFormat) ([]int16, error)
		format media.WaveFormat
		coded  string
		want   []int16
	}{
		{"IMA: two channels", imaADPCM, media.WaveFormat{Channels: 2, BlockAlign: 16}, "\x64\x00\x00\x00\x9C\xFF\x00\x00\x07\x00\x00\x00\x70\x00\x00\x00",
			[]int16{100, -100, 111, -100, 113, -89, 114, -87, 115, -86, 116, -85, 117, -84, 118, -83, 119, -82}},
		{"IMA: a short block", imaADPCM, media.WaveFormat{Channels: 1, BlockAlign: 12}, "\x64\x00\x00\x00\x00\x00\x00\x00\x00", []int16{100, 100, 100, 100, 100, 100, 100, 100, 100}[:9]},
		{"IMA: nothing but a header", imaADPCM, media.WaveFormat{Channels: 1, BlockAlign: 8}, "\x64\x00\x00\x00", nil},
		{"IMA: a step that is none", imaADPCM, media.WaveFormat{Channels: 1, BlockAlign: 8}, "\x00\x00\xFF\x00\x01\x00\x00\x00", []int16{0, 12286, 16010, 19395, 22472, 25270, 27813, 30125, 32227}},
		{"MS: nothing but a header", msADPCM, media.WaveFormat{Channels: 1, BlockAlign: 8}, "\x02\x10\x00\x02\x00\x01\x00", []int16{1, 2}},
		{"MS: two channels, two blocks", msADPCM, media.WaveFormat{Channels: 2, BlockAlign: 15}, "\x02\x00\x10\x00\x20\x00\x03\x00\x04\x00\x01\x00\x02\x00\x1F" + "\x00\x02\x10\x00\x20\x00\x07\x00\x08\x00\x05\x00\x06\x00\x01",
			[]int16{1, 2, 3, 4, 16, -28, 5, 6, 7, 8, 7, 32}},
		{"MS: predictors of its own", msADPCM, media.WaveFormat{Channels: 1, BlockAlign: 8, Extension: own}, "\x01\x10\x00\x0A\x00\x04\x00\x00", []int16{4, 10, 6, -4}},
		{"MS: a list of them that is cut off", msADPCM, media.WaveFormat{Channels: 1, BlockAlign: 8, Extension: own[:13]}, "\x01\x10\x00\x0A\x00\x04\x00\x00", []int16{4, 10, 16, 22}},
	} {
		if got, err := c.decode([]byte(c.coded), &c.format); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.what, got, err, c.want)
		}
	}
	const form = "\x06\x00\x02\x00\x40\x1F\x00\x00\x80\x3E\x00\x00\x02\x00\x08\x00"
	for fact, frames := range map[string]int{"": 3, "\x02\x00\x00": 3, "\x00\x00\x00\x00": 3, "\x02\x00\x00\x00": 2, "\x03\x00\x00\x00": 3, "\x04\x00\x00\x00": 3} {
		s := &asset.Sound{Stored: &asset.Stored{Encoding: Encoding, Data: build(t, chunk("fmt ", form), chunk("fact", fact), chunk("data", "abcdef"))}}
		if got, err := Decoded(s); err != nil || got.Frames() != frames || got.Channels != 2 || got.Rate != 8000 {
			t.Errorf("fact %q: %v frames, %v, want %d", fact, got.Frames(), err, frames)
		}
	}
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
