package wav

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"testing"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	write "github.com/usher-assets/usher/write/media"
	"pgregory.net/rapid"
)

func encode(t testing.TB, s *asset.Sound) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decode(t testing.TB, b []byte) *asset.Sound {
	t.Helper()
	s, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// build makes a WAV file of chunks.
func build(t testing.TB, chunks ...media.Chunk) []byte {
	t.Helper()
	b, err := write.RIFF(&media.RIFF{Form: media.ID("WAVE"), Chunks: chunks})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func chunk(id, data string) media.Chunk { return media.Chunk{ID: media.ID(id), Data: []byte(data)} }

// The file that every program writes: a header of 44 bytes.
func TestCanonicalHeader(t *testing.T) {
	got := encode(t, &asset.Sound{Rate: 22050, Channels: 2, Bits: 16, PCM: []byte{1, 2, 3, 4}})
	want := "RIFF\x28\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00\x22\x56\x00\x00\x88\x58\x01\x00\x04\x00\x10\x00data\x04\x00\x00\x00\x01\x02\x03\x04"
	if string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFormats(t *testing.T) {
	cases := []struct {
		name       string
		fmt        string
		bits, rate int
		channels   int
		float      bool
	}{
		{"8 bits", "\x01\x00\x01\x00\x11\x2B\x00\x00\x11\x2B\x00\x00\x01\x00\x08\x00", 8, 11025, 1, false},
		{"24 bits", "\x01\x00\x02\x00\x44\xAC\x00\x00\x98\x09\x04\x00\x06\x00\x18\x00", 24, 44100, 2, false},
		{"12 bits in 16", "\x01\x00\x01\x00\x44\xAC\x00\x00\x88\x58\x01\x00\x02\x00\x0C\x00", 16, 44100, 1, false},
		{"no block align", "\x01\x00\x01\x00\x44\xAC\x00\x00\x88\x58\x01\x00\x00\x00\x10\x00", 16, 44100, 1, false},
		{"float", "\x03\x00\x01\x00\x44\xAC\x00\x00\x10\xB1\x02\x00\x04\x00\x20\x00\x00\x00", 32, 44100, 1, true},
		{"double", "\x03\x00\x01\x00\x44\xAC\x00\x00\x20\x62\x05\x00\x08\x00\x40\x00", 64, 44100, 1, true},
		{"extensible", "\xFE\xFF\x01\x00\x44\xAC\x00\x00\x88\x58\x01\x00\x02\x00\x10\x00\x16\x00\x10\x00\x04\x00\x00\x00\x01\x00\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71", 16, 44100, 1, false},
		{"extensible float", "\xFE\xFF\x01\x00\x44\xAC\x00\x00\x10\xB1\x02\x00\x04\x00\x20\x00\x16\x00\x20\x00\x04\x00\x00\x00\x03\x00\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71", 32, 44100, 1, true},
	}
	for _, c := range cases {
		s := decode(t, build(t, chunk("fmt ", c.fmt), chunk("data", "01234567")))
		if s.Bits != c.bits || s.Rate != c.rate || s.Channels != c.channels || s.Float != c.float || string(s.PCM) != "01234567" || s.Chunks != nil {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

func TestOtherCodec(t *testing.T) {
	b := build(t, chunk("fmt ", "\x55\x00\x01\x00\x44\xAC\x00\x00\x80\x3E\x00\x00\x01\x00\x00\x00"), chunk("data", "\xFF\xFBabc"))
	s := decode(t, b)
	if s.PCM != nil || s.Bits != 0 || s.Stored == nil || s.Stored.Encoding != Encoding || s.Rate != 44100 {
		t.Errorf("got %+v", s)
	}
	if got := encode(t, s); !bytes.Equal(got, b) {
		t.Error("the file did not return")
	}
}

func TestLoopsAndCues(t *testing.T) {
	s := &asset.Sound{
		Rate: 8000, Channels: 1, Bits: 8, PCM: []byte("abcde"),
		Loops:  []asset.Loop{{Start: 1, End: 3, Count: 2, Type: 1}, {End: 4}},
		Cues:   []asset.Cue{{ID: 7, Frame: 2, Label: "Glück"}, {ID: 1, Frame: 4}},
		Chunks: []asset.Chunk{{ID: "abc ", Data: []byte("odd")}, {ID: "LIST", Data: []byte("INFOxx")}},
	}
	b := encode(t, s)
	if got := decode(t, b); !reflect.DeepEqual(got, s) {
		t.Errorf("got %+v, want %+v", got, s)
	}
	r, err := read.RIFF(b, nil)
	if err != nil || r.Size != nil || r.Trailing != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	smpl, cue, list := r.Find("smpl"), r.Find("cue "), r.Find("LIST")
	if want := u32s(0, 0, 125000, 60, 0, 0, 0, 2, 0, 0, 1, 1, 3, 0, 2, 1, 0, 0, 4, 0, 0); !bytes.Equal(smpl.Data, want) {
		t.Errorf("smpl: % x, want % x", smpl.Data, want)
	}
	if want := u32s(2, 7, 2, 0x61746164, 0, 0, 2, 1, 4, 0x61746164, 0, 0, 4); !bytes.Equal(cue.Data, want) {
		t.Errorf("cue: % x, want % x", cue.Data, want)
	}
	if want := "adtllabl\x0A\x00\x00\x00\x07\x00\x00\x00Gl\xFCck\x00"; string(list.Data) != want {
		t.Errorf("LIST: %q, want %q", list.Data, want)
	}
}

// Sampler data that a Sound has no field for survive an unedited sound, and in part an edited one.
func TestMarkersAreKept(t *testing.T) {
	smpl := u32s(0x01000041, 5, 45351, 48, 9, 8, 7, 1, 4, 17, 0, 1, 2, 3, 0)
	smpl = append(smpl, "xtra"...)
	adtl := "adtllabl\x06\x00\x00\x00\x01\x00\x00\x00A\x00note\x06\x00\x00\x00\x01\x00\x00\x00B\x00"
	cue := u32s(1, 1, 77, 0x61746164, 0, 0, 3)
	b := build(t, chunk("fmt ", "\x01\x00\x01\x00\x22\x56\x00\x00\x22\x56\x00\x00\x01\x00\x08\x00"), chunk("data", "abcd"),
		chunk("smpl", string(smpl)), chunk("cue ", string(cue)), chunk("LIST", adtl))
	s := decode(t, b)
	if got := encode(t, s); !bytes.Equal(got, b) {
		t.Errorf("got %q, want %q", got, b)
	}
	s.Loops[0].End = 3
	s.Cues[0].Label = "Z"
	got := decode(t, encode(t, s))
	if got.Loops[0].End != 3 || got.Cues[0].Label != "Z" {
		t.Errorf("the edit was lost: %+v", got)
	}
	r, _ := read.RIFF(encode(t, s), nil)
	if d := r.Find("smpl").Data; !bytes.Equal(d[:28], smpl[:28]) || len(d) != 60 {
		t.Errorf("smpl: % x", d)
	}
	if want := "adtllabl\x06\x00\x00\x00\x01\x00\x00\x00Z\x00note\x06\x00\x00\x00\x01\x00\x00\x00B\x00"; string(r.Find("LIST").Data) != want {
		t.Errorf("LIST: %q, want %q", r.Find("LIST").Data, want)
	}
	s.Loops = nil
	if r, _ := read.RIFF(encode(t, s), nil); r.Find("smpl") != nil {
		t.Error("smpl without loops")
	}
}

func TestThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &asset.Sound{Rate: rapid.IntRange(1, 96000).Draw(t, "rate"), Channels: rapid.IntRange(1, 8).Draw(t, "channels")}
		s.Float = rapid.Bool().Draw(t, "float")
		if s.Float {
			s.Bits = rapid.SampledFrom([]int{32, 64}).Draw(t, "bits")
		} else {
			s.Bits = rapid.SampledFrom([]int{8, 16, 24, 32}).Draw(t, "bits")
		}
		frames := rapid.IntRange(1, 9).Draw(t, "frames")
		s.PCM = rapid.SliceOfN(rapid.Byte(), frames*s.Channels*s.Bits/8, frames*s.Channels*s.Bits/8).Draw(t, "pcm")
		for range rapid.IntRange(0, 2).Draw(t, "loops") {
			s.Loops = append(s.Loops, asset.Loop{Start: rapid.Uint32().Draw(t, "start"), End: rapid.Uint32().Draw(t, "end"), Count: rapid.Uint32().Draw(t, "count")})
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "cues") {
			s.Cues = append(s.Cues, asset.Cue{ID: uint32(i), Frame: rapid.Uint32().Draw(t, "frame"), Label: rapid.StringMatching("[a-zäß€]{0,3}").Draw(t, "label")})
		}
		var b bytes.Buffer
		if err := Encode(&b, s); err != nil {
			t.Fatal(err)
		}
		got, err := Decode(b.Bytes())
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Fatalf("got %+v, %v, want %+v", got, err, s)
		}
	})
}

func TestEncodeRefuses(t *testing.T) {
	cases := map[string]asset.Sound{
		"12 bits":     {Rate: 1, Channels: 1, Bits: 12},
		"half float":  {Rate: 1, Channels: 1, Bits: 16, Float: true},
		"no channels": {Rate: 1, Bits: 8},
		"no rate":     {Channels: 1, Bits: 8},
		"many":        {Rate: 1, Channels: 40000, Bits: 16},
		"fast":        {Rate: 1 << 31, Channels: 2, Bits: 16},
		"label":       {Rate: 1, Channels: 1, Bits: 8, Cues: []asset.Cue{{Label: "λ"}}},
	}
	for name, s := range cases {
		if err := Encode(io.Discard, &s); !errors.Is(err, schema.ErrValue) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecodeMalformed(t *testing.T) {
	const pcm = "\x01\x00\x01\x00\x44\xAC\x00\x00\x88\x58\x01\x00\x02\x00\x10\x00"
	good := build(t, chunk("fmt ", pcm), chunk("data", "abcd"))
	for n := range good {
		s, err := Decode(good[:n])
		if header := len(good) - 4; n < header && err == nil || n >= header && (err != nil || len(s.PCM) != n-header) {
			t.Errorf("%d of %d bytes: %v", n, len(good), err)
		}
	}
	cases := []struct {
		name  string
		b     []byte
		class error
	}{
		{"nothing", nil, schema.ErrTruncated},
		{"no RIFF", make([]byte, 44), schema.ErrBadMagic},
		{"form", []byte("RIFF\x04\x00\x00\x00AVI "), schema.ErrBadMagic},
		{"no fmt", build(t, chunk("data", "ab")), schema.ErrMismatch},
		{"no data", build(t, chunk("fmt ", pcm)), schema.ErrMismatch},
		{"short fmt", build(t, chunk("fmt ", pcm[:12]), chunk("data", "")), schema.ErrTruncated},
		{"no channels", build(t, chunk("fmt ", "\x01\x00\x00\x00"+pcm[4:]), chunk("data", "")), schema.ErrValue},
		{"no rate", build(t, chunk("fmt ", pcm[:4]+"\x00\x00\x00\x00"+pcm[8:]), chunk("data", "")), schema.ErrValue},
		{"no bits", build(t, chunk("fmt ", pcm[:12]+"\x00\x00\x00\x00"), chunk("data", "")), schema.ErrValue},
		{"40 bits", build(t, chunk("fmt ", pcm[:12]+"\x05\x00\x28\x00"), chunk("data", "")), schema.ErrValue},
	}
	for _, c := range cases {
		if _, err := Decode(c.b); !errors.Is(err, c.class) {
			t.Errorf("%s: %v, want %v", c.name, err, c.class)
		}
	}
}

type short int

func (s *short) Write(b []byte) (int, error) {
	if len(b) > int(*s) {
		return 0, io.ErrShortWrite
	}
	*s -= short(len(b))
	return len(b), nil
}

func TestEncodeReportsWriteErrors(t *testing.T) {
	s := &asset.Sound{Rate: 8000, Channels: 1, Bits: 8, PCM: []byte("abc"), Loops: []asset.Loop{{}}}
	for n := range encode(t, s) {
		w := short(n)
		if err := Encode(&w, s); !errors.Is(err, io.ErrShortWrite) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, &asset.Sound{Rate: 8000, Channels: 1, Bits: 8, PCM: []byte("abc"), Loops: []asset.Loop{{}}, Cues: []asset.Cue{{Label: "x"}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Decode(encode(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if again.Stored != nil {
			return
		}
		if !bytes.Equal(again.PCM, s.PCM) || !slices.Equal(again.Loops, s.Loops) || !slices.Equal(again.Cues, s.Cues) {
			t.Errorf("got %+v, want %+v", again, s)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	s := &asset.Sound{Rate: 44100, Channels: 2, Bits: 16, PCM: make([]byte, 20<<20)}
	var w bytes.Buffer
	b.SetBytes(int64(len(s.PCM)))
	b.ReportAllocs()
	for b.Loop() {
		w.Reset()
		if err := Encode(&w, s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	file := encode(b, &asset.Sound{Rate: 44100, Channels: 2, Bits: 16, PCM: make([]byte, 20<<20)})
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(file); err != nil {
			b.Fatal(err)
		}
	}
}
