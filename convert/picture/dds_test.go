package picture

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/testdata/pictures"
	write "github.com/usher-assets/usher/write/media"
	"pgregory.net/rapid"
)

// formats holds every way in which a surface can be stored.
func formats() []media.DDSFormat {
	list := []media.DDSFormat{
		{Flags: media.DDSLuminance, Bits: 8, Red: 0xFF},
		{Flags: media.DDSAlpha, Bits: 8, Alpha: 0xFF},
	}
	for _, id := range []string{"DXT1", "DXT2", "DXT3", "DXT4", "DXT5"} {
		list = append(list, media.DDSFormat{Flags: media.DDSFourCC, FourCC: media.ID(id)})
	}
	for key := range rgbCodecs {
		f := media.DDSFormat{Flags: media.DDSRGB, Bits: key[0], Red: key[1], Green: key[2], Blue: key[3], Alpha: key[4]}
		if f.Alpha != 0 {
			f.Flags |= media.DDSAlphaPixels
		}
		list = append(list, f)
	}
	return list
}

var allFormats = formats() // in one order, so that failures repeat

func drawDDS(t *rapid.T) *media.DDS {
	all := allFormats
	x := &media.DDS{HeaderSize: 124, Flags: 0xA1007, Caps: 0x401008, Format: all[rapid.IntRange(0, len(all)-1).Draw(t, "format")]}
	x.Width, x.Height = uint32(rapid.IntRange(1, 16).Draw(t, "width")), uint32(rapid.IntRange(1, 16).Draw(t, "height"))
	x.MipCount = uint32(rapid.IntRange(0, 5).Draw(t, "mips"))
	if rapid.Bool().Draw(t, "cube") {
		x.Caps2 = 0xFE00
	}
	for range x.Faces() {
		for mip := range x.Mips() {
			n := x.LevelBytes(mip)
			x.Levels = append(x.Levels, rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "level"))
		}
	}
	x.Trailing = []byte("tail")
	return x
}

// Pixels that nobody edited return to the very same surface, also those that blocks cannot be made of again.
func TestDDSThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawDDS(t)
		lifted, err := DDS(x)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "first level only") {
			lifted.Frames[0].Mips = lifted.Frames[0].Mips[:1]
		}
		y, err := EncodeDDS(lifted, x)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(y, x) {
			t.Fatalf("got %+v, want %+v", y, x)
		}
	})
}

// An edit of one face changes that face alone, and all of its levels.
func TestDDSEdit(t *testing.T) {
	x := &media.DDS{HeaderSize: 124, Width: 8, Height: 8, MipCount: 2, Caps2: 0xFE00, Format: media.DDSFormat{Flags: media.DDSFourCC, FourCC: media.ID("DXT1")}}
	for i := range 12 {
		l := bytes.Repeat([]byte{byte(i), 0, 0, 0, 0, 0, 0, 0}, x.LevelBytes(i%2)/8)
		x.Levels = append(x.Levels, l)
	}
	lifted, err := DDS(x)
	if err != nil {
		t.Fatal(err)
	}
	white := bytes.Repeat([]byte{255}, 4*8*8)
	lifted.Frames[0].Faces[1].Pix = white
	y, err := EncodeDDS(lifted, x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		if edited := i/2 == 2; bytes.Equal(x.Levels[i], y.Levels[i]) == edited {
			t.Errorf("level %d of face %d: changed %t", i%2, i/2, !edited)
		}
	}
	again, err := DDS(y)
	if err != nil || !bytes.Equal(again.Frames[0].Faces[1].Pix, white) {
		t.Errorf("the edit did not arrive: %v", err)
	}
}

// Another size keeps a full chain full and a right pitch right.
func TestDDSResize(t *testing.T) {
	dxt := media.DDSFormat{Flags: media.DDSFourCC, FourCC: media.ID("DXT1")}
	rgb := media.DDSFormat{Flags: media.DDSRGB, Bits: 24, Red: 0xFF0000, Green: 0xFF00, Blue: 0xFF}
	cases := []struct {
		name        string
		like        media.DDS
		mips, pitch uint32
	}{
		{"full chain", media.DDS{Width: 8, Height: 8, MipCount: 4, Pitch: 32, Format: dxt}, 5, 128},
		{"part of it", media.DDS{Width: 8, Height: 8, MipCount: 2, Pitch: 7, Format: dxt}, 2, 7},
		{"row", media.DDS{Width: 8, Height: 8, MipCount: 0, Pitch: 24, Format: rgb}, 0, 48},
	}
	for _, c := range cases {
		pix := &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{{Width: 16, Height: 16, Pix: pictures.Hull(16)}}}}}
		x, err := EncodeDDS(pix, &c.like)
		if err != nil || x.MipCount != c.mips || x.Pitch != c.pitch || x.Width != 16 || len(x.Levels) != x.Mips() {
			t.Errorf("%s: %+v, %v", c.name, x, err)
		}
	}
}

func TestNewDDS(t *testing.T) {
	const side = 64
	for _, c := range []struct {
		pix    []byte
		fourCC string
		least  float64
	}{{pictures.Stone(side), "DXT1", 38}, {pictures.Foliage(side), "DXT5", 38}} {
		tex := &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{{Width: side, Height: side, Pix: c.pix}}}}}
		x, err := NewDDS(tex, nil)
		if err != nil {
			t.Fatal(err)
		}
		if x.Format.FourCC != media.ID(c.fourCC) || x.MipCount != 5 || len(x.Levels) != 5 || x.Flags != 0xA1007 || x.Caps != 0x401008 || int(x.Pitch) != len(x.Levels[0]) {
			t.Errorf("%s: %+v", c.fourCC, x.Format)
		}
		if w, h := x.LevelSize(4); w != 4 || h != 4 {
			t.Errorf("last level %d x %d", w, h)
		}
		b, err := write.DDS(x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeImage("x.dds", b)
		if err != nil {
			t.Fatal(err)
		}
		if db := psnr(got.Base().Pix, c.pix); db < c.least {
			t.Errorf("%s: %.1f dB", c.fourCC, db)
		}
		if len(got.Frames[0].Mips) != 5 || got.File.Encoding != "dds" {
			t.Errorf("%s: %d levels, %s", c.fourCC, len(got.Frames[0].Mips), got.File.Encoding)
		}
	}
}

func psnr(a, b []byte) float64 {
	sum := 1e-9
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	return 10 * math.Log10(255*255*float64(len(a))/sum)
}

func TestDDSRefuses(t *testing.T) {
	one := asset.Image{Width: 4, Height: 4, Pix: make([]byte, 64)}
	tex := func(faces int) *asset.Texture {
		f := asset.Frame{Mips: []asset.Image{one}}
		for range faces {
			f.Faces = append(f.Faces, one)
		}
		return &asset.Texture{Frames: []asset.Frame{f}}
	}
	dxt := media.DDSFormat{Flags: media.DDSFourCC, FourCC: media.ID("DXT1")}
	odd := media.DDSFormat{Flags: media.DDSRGB, Bits: 16, Red: 1}
	grey := media.DDSFormat{Flags: media.DDSLuminance, Bits: 8}
	_, faces := EncodeDDS(tex(5), &media.DDS{Width: 4, Height: 4, Format: dxt})
	_, masks := EncodeDDS(tex(0), &media.DDS{Width: 4, Height: 4, Format: odd})
	_, empty := EncodeDDS(&asset.Texture{}, &media.DDS{Width: 4, Height: 4, Format: dxt})
	_, none := NewDDS(&asset.Texture{}, nil)
	_, colour := EncodeDDS(tex(0), &media.DDS{Width: 4, Height: 4, Format: grey})
	_, two := DDS(&media.DDS{Width: 4, Height: 4, Caps2: 0x600 | 0x800, Format: dxt})
	_, levels := DDS(&media.DDS{Width: 4, Height: 4, Format: dxt})
	_, short := DDS(&media.DDS{Width: 4, Height: 4, Format: dxt, Levels: [][]byte{nil}})
	for _, c := range []struct {
		name       string
		err, class error
	}{
		{"faces", faces, schema.ErrMismatch}, {"masks", masks, schema.ErrUnsupported}, {"empty", empty, schema.ErrValue}, {"none", none, schema.ErrValue},
		{"colour in grey", colour, schema.ErrMismatch}, {"two faces", two, schema.ErrUnsupported}, {"levels", levels, schema.ErrMismatch}, {"short", short, schema.ErrMismatch},
	} {
		if !errors.Is(c.err, c.class) {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.class)
		}
	}
}

func TestHalve(t *testing.T) {
	m := asset.Image{Width: 2, Height: 2, Pix: []byte{100, 0, 0, 255, 200, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0}}
	if got, want := Halve(&m).Pix, []byte{150, 0, 0, 128}; !bytes.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	grey := asset.Image{Width: 3, Height: 1, Format: asset.Gray8, Pix: []byte{1, 4, 9}}
	if got := Halve(&grey); got.Width != 1 || got.Height != 1 || got.Pix[0] != 3 {
		t.Errorf("got %+v", got)
	}
	if n := len(Mips(m, 9)); n != 2 {
		t.Errorf("%d levels", n)
	}
}
