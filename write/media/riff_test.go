package media_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
	write "github.com/usher-assets/usher/write/media"
	"pgregory.net/rapid"
)

func riff(size byte, body string) []byte {
	return []byte("RIFF" + string([]byte{size, 0, 0, 0}) + "WAVE" + body)
}

func TestRIFF(t *testing.T) {
	size := func(v uint32) *uint32 { return &v }
	cases := []struct {
		name string
		b    []byte
		want media.RIFF
		code string // of a diagnostic
	}{
		{"empty", riff(4, ""), media.RIFF{}, ""},
		{"plain", riff(14, "abc \x02\x00\x00\x00xy"), media.RIFF{Chunks: []media.Chunk{{ID: media.ID("abc"), Data: []byte("xy")}}}, ""},
		{"padded", riff(14, "abc \x01\x00\x00\x00x\x00"), media.RIFF{Chunks: []media.Chunk{{ID: media.ID("abc"), Data: []byte("x")}}}, ""},
		{"odd pad", riff(14, "abc \x01\x00\x00\x00x\x07"), media.RIFF{Chunks: []media.Chunk{{ID: media.ID("abc"), Data: []byte("x"), Pad: 7}}}, ""},
		{"no pad at the end", riff(13, "abc \x01\x00\x00\x00x"), media.RIFF{Chunks: []media.Chunk{{ID: media.ID("abc"), Data: []byte("x"), NoPad: true}}}, ""},
		{"no pad", riff(21, "abc \x01\x00\x00\x00xdef \x00\x00\x00\x00"), media.RIFF{Chunks: []media.Chunk{{ID: media.ID("abc"), Data: []byte("x"), NoPad: true}, {ID: media.ID("def"), Data: []byte{}}}}, ""},
		{"trailing", riff(4, "zz"), media.RIFF{Trailing: []byte("zz")}, "trailing-bytes"},
		{"size of nothing", riff(0, "abc \x00\x00\x00\x00"), media.RIFF{Size: size(0), Chunks: []media.Chunk{{ID: media.ID("abc"), Data: []byte{}}}}, "riff-size"},
		{"too large", riff(99, "abc \x00\x00\x00\x00"), media.RIFF{Size: size(99), Chunks: []media.Chunk{{ID: media.ID("abc"), Data: []byte{}}}}, "riff-size"},
		{"chunk too large", riff(14, "abc \x09\x00\x00\x00xy"), media.RIFF{Chunks: []media.Chunk{{ID: media.ID("abc"), Size: size(9), Data: []byte("xy")}}}, "chunk-size"},
		{"half a chunk inside", riff(8, "abcd"), media.RIFF{Size: size(8), Trailing: []byte("abcd")}, "trailing-bytes"},
	}
	for _, c := range cases {
		c.want.Form = media.ID("WAVE")
		var d schema.Diagnostics
		got, err := read.RIFF(c.b, &d)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, *got, c.want)
		}
		if c.code != "" && !d.Has(c.code) || c.code == "" && len(d.All()) > 0 {
			t.Errorf("%s: diagnostics %v, want %q", c.name, d.All(), c.code)
		}
		back, err := write.RIFF(got)
		if got := must(t, back, err); !bytes.Equal(got, c.b) {
			t.Errorf("%s: wrote %q, want %q", c.name, got, c.b)
		}
	}
}

func TestRIFFMalformed(t *testing.T) {
	for n := range 12 {
		if _, err := read.RIFF(riff(4, "")[:n], nil); !errors.Is(err, schema.ErrTruncated) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := read.RIFF([]byte(strings.Repeat("x", 12)), nil); !errors.Is(err, schema.ErrBadMagic) {
		t.Errorf("magic: %v", err)
	}
	for n := range 14 {
		if _, err := read.WaveFormat(make([]byte, n)); !errors.Is(err, schema.ErrTruncated) {
			t.Errorf("fmt of %d bytes: %v", n, err)
		}
	}
}

func TestFourCC(t *testing.T) {
	for text, id := range map[string]media.FourCC{"fmt ": media.ID("fmt"), "0x00416200": {0, 'A', 'b', 0}} {
		b, err := id.MarshalText()
		if err != nil || string(b) != text {
			t.Errorf("%v: %q, %v, want %q", id, b, err, text)
		}
		var back media.FourCC
		if err := back.UnmarshalText(b); err != nil || back != id {
			t.Errorf("%q: %v, %v", text, back, err)
		}
	}
	var id media.FourCC
	for _, bad := range []string{"", "abc", "abcde", "0x1234567g"} {
		if id.UnmarshalText([]byte(bad)) == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestRIFFThereAndBack(t *testing.T) {
	letter := rapid.SampledFrom([]byte("abcdefgh "))
	rapid.Check(t, func(t *rapid.T) {
		r := &media.RIFF{Form: media.ID("WAVE")}
		for range rapid.IntRange(0, 5).Draw(t, "chunks") {
			c := media.Chunk{ID: media.FourCC(rapid.SliceOfN(letter, 4, 4).Draw(t, "id")), Data: rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "data")}
			r.Chunks = append(r.Chunks, c)
		}
		b, err := write.RIFF(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read.RIFF(b, nil)
		if err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("got %+v, %v, want %+v", got, err, r)
		}
	})
}

func FuzzRIFF(f *testing.F) {
	f.Add(riff(14, "abc \x01\x00\x00\x00x\x07"))
	f.Add(riff(21, "abc \x01\x00\x00\x00xdef \x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := read.RIFF(b, nil)
		if err != nil {
			return
		}
		back, err := write.RIFF(r)
		if err != nil || !bytes.Equal(back, b) {
			t.Errorf("wrote %q, %v", back, err)
		}
	})
}

func BenchmarkRIFF(b *testing.B) {
	r := &media.RIFF{Form: media.ID("WAVE"), Chunks: []media.Chunk{{ID: media.ID("data"), Data: make([]byte, 1<<22)}}}
	file, err := write.RIFF(r)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(file)))
		b.ReportAllocs()
		for b.Loop() {
			read.RIFF(file, nil)
		}
	})
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(len(file)))
		b.ReportAllocs()
		for b.Loop() {
			write.RIFF(r)
		}
	})
}
