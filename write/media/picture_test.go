package media_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/testdata/pictures"
	write "github.com/usher-assets/usher/write/media"
	"pgregory.net/rapid"
)

// tga returns a file of 2 × 2 pixels.
func tga(kind, bits, mapLength byte, rest string) []byte {
	mapType, mapBits := byte(0), byte(0)
	if mapLength > 0 {
		mapType, mapBits = 1, 24
	}
	return append([]byte{2, mapType, kind, 0, 0, mapLength, 0, mapBits, 0, 0, 0, 0, 2, 0, 2, 0, bits, 0x20, 'i', 'd'}, rest...)
}

func TestTGA(t *testing.T) {
	cases := []struct {
		name string
		b    []byte
		raw  string // pixels without runs
		left string // trailing bytes
	}{
		{"grey", tga(3, 8, 0, "abcd"), "abcd", ""},
		{"palette", tga(1, 8, 2, "BGRbgr\x00\x01\x01\x00tail"), "\x00\x01\x01\x00", "tail"},
		{"16 bits", tga(2, 16, 0, "aabbccdd"), "aabbccdd", ""},
		{"15 bits", tga(2, 15, 0, "aabbccdd"), "aabbccdd", ""},
		{"24 bits", tga(2, 24, 0, "abcdefghijkl"), "abcdefghijkl", ""},
		{"32 bits", tga(2, 32, 0, "abcdefghijklmnop"), "abcdefghijklmnop", ""},
		{"one run", tga(11, 8, 0, "\x83a"), "aaaa", ""},
		{"mixed", tga(11, 8, 0, "\x81a\x01bcx"), "aabc", "x"},
		{"run over the end", tga(11, 8, 0, "\x01ab\x87c"), "abcc", ""},
		{"literals over the end", tga(11, 8, 0, "\x04abcde"), "abcd", ""},
		{"wide run", tga(10, 24, 0, "\x82abc\x00def"), "abcabcabcdef", ""},
		{"palette runs", tga(9, 8, 1, "BGR\x83\x00"), "\x00\x00\x00\x00", ""},
	}
	for _, c := range cases {
		x, err := read.TGA(c.b, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		raw, err := read.TGAPixels(x)
		if err != nil || string(raw) != c.raw || string(x.Trailing) != c.left || string(x.ID) != "id" {
			t.Errorf("%s: pixels %q, %v, want %q; trailing %q, id %q", c.name, raw, err, c.raw, x.Trailing, x.ID)
		}
		back, err := write.TGA(x)
		if got := must(t, back, err); !bytes.Equal(got, c.b) {
			t.Errorf("%s: wrote % x, want % x", c.name, got, c.b)
		}
		whole := len(c.b) - len(c.left)
		for n := range whole {
			if _, err := read.TGA(c.b[:n], nil); !errors.Is(err, schema.ErrTruncated) {
				t.Errorf("%s: %d of %d bytes: %v", c.name, n, whole, err)
			}
		}
	}
}

func TestTGAMalformed(t *testing.T) {
	edit := func(at int, v byte) []byte {
		b := tga(3, 8, 0, "abcd")
		b[at] = v
		return b
	}
	cases := []struct {
		name  string
		b     []byte
		class error
	}{
		{"type", edit(2, 4), schema.ErrUnsupported},
		{"no type", edit(2, 0), schema.ErrUnsupported},
		{"depth", edit(16, 16), schema.ErrUnsupported},
		{"map type", edit(1, 2), schema.ErrUnsupported},
		{"width", edit(12, 0), schema.ErrValue},
		{"wide", edit(13, 0xFF), schema.ErrLimit},
		{"no colours", tga(1, 8, 0, "abcd"), schema.ErrMismatch},
	}
	for _, c := range cases {
		if _, err := read.TGA(c.b, nil); !errors.Is(err, c.class) {
			t.Errorf("%s: %v, want %v", c.name, err, c.class)
		}
	}
	for _, x := range []*media.TGA{
		{ImageType: 3, Bits: 8, Width: 2, Height: 2, Pixels: []byte{1}},
		{ImageType: 1, MapType: 1, MapLength: 2, MapBits: 24, Bits: 8, Width: 1, Height: 1, Pixels: []byte{1}},
	} {
		if _, err := write.TGA(x); !errors.Is(err, schema.ErrMismatch) {
			t.Errorf("%+v: %v", x, err)
		}
	}
	if _, err := write.TGA(&media.TGA{ImageType: 3, ID: make([]byte, 256)}); !errors.Is(err, schema.ErrRange) {
		t.Errorf("long id: %v", err)
	}
	if _, err := read.TGAPixels(&media.TGA{ImageType: 11, Bits: 8, Width: 30000, Height: 30000, Pixels: []byte{0xFF, 1}}); !errors.Is(err, schema.ErrTruncated) {
		t.Errorf("few runs: %v", err)
	}
}

// Runs of any pixels return to them, and never cross rows unless they may.
func TestTGARuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 4).Draw(t, "size")
		w, h := rapid.IntRange(1, 300).Draw(t, "width"), rapid.IntRange(1, 4).Draw(t, "height")
		cross := rapid.Bool().Draw(t, "cross")
		raw := make([]byte, w*h*size)
		seed := rapid.Uint32().Draw(t, "seed")
		for i := range raw {
			seed = seed*1664525 + 1013904223
			raw[i] = byte(seed >> 31)
			if seed>>20&7 != 0 && i >= size {
				raw[i] = raw[i-size]
			}
		}
		x := &media.TGA{ImageType: media.TGAColour | media.TGARuns, Width: uint16(w), Height: uint16(h), Bits: uint8(8 * size), Pixels: write.TGARuns(raw, size, w, cross)}
		got, err := read.TGAPixels(x)
		if err != nil || !bytes.Equal(got, raw) {
			t.Fatalf("%v", err)
		}
		if !cross && read.TGACrossesRows(x) {
			t.Fatal("a packet crosses rows")
		}
	})
	for _, c := range []struct{ pixels, want string }{
		{"aaaabcdddde", "\x83a\x01bc\x83d\x00e"},
		{strings.Repeat("a", 128), "\xFFa"}, // the longest run
		{strings.Repeat("a", 129), "\xFFa\x00a"},
		{strings.Repeat("ab", 65), "\x7F" + strings.Repeat("ab", 64) + "\x01ab"}, // the longest literals
	} {
		if got := write.TGARuns([]byte(c.pixels), 1, len(c.pixels), false); string(got) != c.want {
			t.Errorf("%q: got %q, want %q", c.pixels, got, c.want)
		}
	}
}

func FuzzTGA(f *testing.F) {
	f.Add(tga(1, 8, 2, "BGRbgr\x00\x01\x01\x00tail"))
	f.Add(tga(10, 24, 0, "\x82abc\x00def"))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := read.TGA(b, nil)
		if err != nil {
			return
		}
		back, err := write.TGA(x)
		if err != nil || !bytes.Equal(back, b) {
			t.Errorf("wrote % x, %v", back, err)
		}
		if raw, err := read.TGAPixels(x); err != nil || len(raw) != x.RawSize() {
			t.Errorf("%d bytes of pixels, %v", len(raw), err)
		}
	})
}

// dds returns a surface with levels of counting bytes.
func dds(edit func(x *media.DDS)) *media.DDS {
	x := &media.DDS{HeaderSize: 124, Flags: 0xA1006, Width: 8, Height: 4, MipCount: 2, Caps: 0x401008,
		Format: media.DDSFormat{Size: 32, Flags: media.DDSFourCC, FourCC: media.ID("DXT1")}}
	x.Reserved1[10] = 77
	edit(x)
	n := byte(0)
	for range x.Faces() {
		for mip := range x.Mips() {
			l := make([]byte, x.LevelBytes(mip))
			for i := range l {
				n++
				l[i] = n
			}
			x.Levels = append(x.Levels, l)
		}
	}
	return x
}

func TestDDS(t *testing.T) {
	cases := []struct {
		name  string
		x     *media.DDS
		sizes []int
	}{
		{"DXT1", dds(func(x *media.DDS) {}), []int{16, 8}},
		{"DXT5", dds(func(x *media.DDS) { x.Format.FourCC = media.ID("DXT5"); x.MipCount = 0 }), []int{32}},
		{"DXT3, more levels than there can be", dds(func(x *media.DDS) { x.Format.FourCC = media.ID("DXT3"); x.MipCount = 99 }), []int{32, 16, 16, 16}},
		{"24 bits", dds(func(x *media.DDS) { x.Format = media.DDSFormat{Size: 32, Flags: media.DDSRGB, Bits: 24, Red: 0xFF0000} }), []int{96, 24}},
		{"8 bits", dds(func(x *media.DDS) { x.Format = media.DDSFormat{Size: 32, Flags: media.DDSLuminance, Bits: 8} }), []int{32, 8}},
		{"cube", dds(func(x *media.DDS) { x.Caps2, x.MipCount = 0xFE00, 0 }), []int{16, 16, 16, 16, 16, 16}},
		{"cube, two faces", dds(func(x *media.DDS) { x.Caps2 = 0x600; x.Caps2 |= 0x800 }), []int{16, 8, 16, 8}},
		{"trailing", dds(func(x *media.DDS) { x.HeaderSize, x.Trailing = 0, []byte("tail") }), []int{16, 8}},
	}
	for _, c := range cases {
		var sizes []int
		for _, l := range c.x.Levels {
			sizes = append(sizes, len(l))
		}
		if !reflect.DeepEqual(sizes, c.sizes) {
			t.Errorf("%s: sizes %d, want %d", c.name, sizes, c.sizes)
		}
		out, err := write.DDS(c.x)
		b := must(t, out, err)
		var d schema.Diagnostics
		got, err := read.DDS(b, &d)
		if err != nil || !reflect.DeepEqual(got, c.x) {
			t.Errorf("%s: got %+v, %v, want %+v", c.name, got, err, c.x)
		}
		if odd := c.name == "trailing"; d.Has("trailing-bytes") != odd || d.Has("header-size") != odd {
			t.Errorf("%s: diagnostics %v", c.name, d.All())
		}
		for n := range len(b) - len(c.x.Trailing) {
			if _, err := read.DDS(b[:n], nil); !errors.Is(err, schema.ErrTruncated) {
				t.Fatalf("%s: %d of %d bytes: %v", c.name, n, len(b), err)
			}
		}
	}
}

func TestDDSMalformed(t *testing.T) {
	out, err := write.DDS(dds(func(*media.DDS) {}))
	good := must(t, out, err)
	edit := func(at int, v uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	cases := []struct {
		name  string
		b     []byte
		class error
	}{
		{"magic", edit(0, 1), schema.ErrBadMagic},
		{"no width", edit(16, 0), schema.ErrValue},
		{"wide", edit(16, 1<<31), schema.ErrLimit},
		{"high", edit(12, 40000), schema.ErrLimit},
		{"more than there is", edit(16, 30000), schema.ErrTruncated},
		{"codec", edit(84, binary.LittleEndian.Uint32([]byte("DX10"))), schema.ErrUnsupported},
		{"bits", edit(80, media.DDSRGB), schema.ErrUnsupported},
		{"volume", edit(112, media.DDSVolume), schema.ErrUnsupported},
	}
	for _, c := range cases {
		if _, err := read.DDS(c.b, nil); !errors.Is(err, c.class) {
			t.Errorf("%s: %v, want %v", c.name, err, c.class)
		}
	}
	short := dds(func(*media.DDS) {})
	short.Levels[1] = short.Levels[1][1:]
	few := dds(func(*media.DDS) {})
	few.Levels = few.Levels[1:]
	for _, x := range []*media.DDS{short, few} {
		if _, err := write.DDS(x); !errors.Is(err, schema.ErrMismatch) {
			t.Errorf("levels: %v", err)
		}
	}
}

func FuzzDDS(f *testing.F) {
	b, _ := write.DDS(dds(func(*media.DDS) {}))
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := read.DDS(b, nil)
		if err != nil {
			return
		}
		back, err := write.DDS(x)
		if err != nil || !bytes.Equal(back, b) {
			t.Errorf("wrote % x, %v", back, err)
		}
	})
}

func BenchmarkTGA(b *testing.B) {
	const side = 512
	pix := pictures.Hull(side)
	runs := write.TGARuns(pix, 4, side, false)
	x := &media.TGA{ImageType: 10, Width: side, Height: side, Bits: 32, Pixels: runs}
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(pix)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := read.TGAPixels(x); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encode", func(b *testing.B) {
		b.SetBytes(int64(len(pix)))
		b.ReportAllocs()
		for b.Loop() {
			write.TGARuns(pix, 4, side, false)
		}
	})
}
