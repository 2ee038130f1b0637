package picture

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/testdata/pictures"
	write "github.com/usher-assets/usher/write/media"
	"pgregory.net/rapid"
)

func TestTGAPixels(t *testing.T) {
	cases := []struct {
		name    string
		x       media.TGA
		pix     []byte
		palette []asset.RGBA
	}{
		{"bottom first", media.TGA{ImageType: 3, Bits: 8, Width: 2, Height: 2, Pixels: []byte{1, 2, 3, 4}}, []byte{3, 4, 1, 2}, nil},
		{"top first", media.TGA{ImageType: 3, Bits: 8, Width: 2, Height: 2, Descriptor: 0x20, Pixels: []byte{1, 2, 3, 4}}, []byte{1, 2, 3, 4}, nil},
		{"right first", media.TGA{ImageType: 3, Bits: 8, Width: 2, Height: 2, Descriptor: 0x30, Pixels: []byte{1, 2, 3, 4}}, []byte{2, 1, 4, 3}, nil},
		{"24 bits", media.TGA{ImageType: 2, Bits: 24, Width: 1, Height: 1, Pixels: []byte{1, 2, 3}}, []byte{3, 2, 1, 255}, nil},
		{"32 bits", media.TGA{ImageType: 2, Bits: 32, Width: 1, Height: 1, Pixels: []byte{1, 2, 3, 4}}, []byte{3, 2, 1, 4}, nil},
		{"16 bits", media.TGA{ImageType: 2, Bits: 16, Width: 1, Height: 1, Pixels: []byte{0x1F, 0}}, []byte{0, 0, 255, 255}, nil},
		{"16 bits, alpha", media.TGA{ImageType: 2, Bits: 16, Width: 1, Height: 1, Descriptor: 1, Pixels: []byte{0x1F, 0}}, []byte{0, 0, 255, 0}, nil},
		{"palette", media.TGA{ImageType: 1, Bits: 8, Width: 1, Height: 1, MapType: 1, MapBits: 24, MapFirst: 1, MapLength: 1, Map: []byte{1, 2, 3}, Pixels: []byte{1}}, []byte{1}, []asset.RGBA{{0, 0, 0, 255}, {3, 2, 1, 255}}},
	}
	for _, c := range cases {
		got, err := TGA(&c.x)
		if err != nil || !bytes.Equal(got.Base().Pix, c.pix) || !reflect.DeepEqual(got.Palette, c.palette) {
			t.Errorf("%s: got %+v, %v, want %v", c.name, got, err, c.pix)
		}
	}
}

func drawTGA(t *rapid.T) *media.TGA {
	x := &media.TGA{Width: uint16(rapid.IntRange(1, 20).Draw(t, "width")), Height: uint16(rapid.IntRange(1, 5).Draw(t, "height"))}
	x.ImageType = rapid.SampledFrom([]uint8{1, 2, 3, 9, 10, 11}).Draw(t, "type")
	x.Bits = 8
	if x.Kind() == media.TGAColour {
		x.Bits = rapid.SampledFrom([]uint8{15, 16, 24, 32}).Draw(t, "bits")
	}
	x.Descriptor = rapid.SampledFrom([]uint8{0, 0x10, 0x20, 0x30, 1, 0x21, 8}).Draw(t, "descriptor")
	x.ID, x.Trailing = []byte("id"), []byte("tail")
	raw := rapid.SliceOfN(rapid.Byte(), x.RawSize(), x.RawSize()).Draw(t, "pixels")
	if x.Kind() == media.TGAIndexed {
		x.MapType, x.MapBits = 1, rapid.SampledFrom([]uint8{15, 16, 24, 32}).Draw(t, "map bits")
		x.MapFirst = uint16(rapid.IntRange(0, 3).Draw(t, "map first"))
		x.MapLength = uint16(rapid.IntRange(1, 253).Draw(t, "map length"))
		n := int(x.MapLength) * ((int(x.MapBits) + 7) / 8)
		x.Map = rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "map")
	}
	x.Pixels = raw
	if x.Runs() {
		x.Pixels = write.TGARuns(raw, x.PixelBytes(), int(x.Width), rapid.Bool().Draw(t, "cross"))
	}
	return x
}

// Pixels that nobody edited return to the very same file.
func TestTGAThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawTGA(t)
		before, err := write.TGA(x)
		if err != nil {
			t.Fatal(err)
		}
		lifted, err := TGA(x)
		if err != nil {
			t.Fatal(err)
		}
		y, err := EncodeTGA(lifted.Base(), lifted.Palette, x)
		if err != nil {
			t.Fatal(err)
		}
		after, err := write.TGA(y)
		if err != nil || !bytes.Equal(after, before) {
			t.Fatalf("got % x, %v, want % x", after, err, before)
		}
	})
}

func TestNewTGA(t *testing.T) {
	stone := asset.Image{Width: 16, Height: 16, Pix: pictures.Stone(16)}
	leaves := asset.Image{Width: 16, Height: 16, Pix: pictures.Foliage(16)}
	grey := asset.Image{Width: 2, Height: 1, Format: asset.Gray8, Pix: []byte{1, 2}}
	indexed := asset.Image{Width: 2, Height: 1, Format: asset.Indexed8, Pix: []byte{1, 0}}
	cases := []struct {
		name    string
		m       asset.Image
		palette []asset.RGBA
		kind    [3]uint8 // type, bits, map bits
	}{
		{"opaque", stone, nil, [3]uint8{2, 24, 0}},
		{"alpha", leaves, nil, [3]uint8{2, 32, 0}},
		{"grey", grey, nil, [3]uint8{3, 8, 0}},
		{"palette", indexed, []asset.RGBA{{1, 2, 3, 255}, {4, 5, 6, 255}}, [3]uint8{1, 8, 24}},
		{"palette with alpha", indexed, []asset.RGBA{{1, 2, 3, 255}, {4, 5, 6, 0}}, [3]uint8{1, 8, 32}},
	}
	for _, c := range cases {
		x, err := NewTGA(&c.m, c.palette)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := [3]uint8{x.ImageType, x.Bits, x.MapBits}; got != c.kind {
			t.Errorf("%s: kind %d, want %d", c.name, got, c.kind)
		}
		b, err := write.TGA(x)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got, err := DecodeImage("a/b.tga", b)
		if err != nil || got.Name != "b" || got.File.Encoding != "tga" || !reflect.DeepEqual(*got.Base(), c.m) || !reflect.DeepEqual(got.Palette, c.palette) {
			t.Errorf("%s: got %+v, %v", c.name, got, err)
		}
	}
	for name, err := range map[string]error{
		"wrong pixels": second(EncodeTGA(&grey, nil, &media.TGA{ImageType: 2, Bits: 24})),
		"16-bit grey":  second(NewTGA(&asset.Image{Width: 1, Height: 1, Format: asset.Gray16, Pix: []byte{1, 2}}, nil)),
	} {
		if !errors.Is(err, schema.ErrMismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"no palette": second(NewTGA(&indexed, nil)),
		"no size":    second(NewTGA(&asset.Image{Format: asset.Gray8}, nil)),
	} {
		if !errors.Is(err, schema.ErrValue) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second(_ *media.TGA, err error) error { return err }

// A file of 32 bits that neither claims nor uses alpha is opaque for those who look it up by name.
func TestUnusedAlpha(t *testing.T) {
	x := &media.TGA{ImageType: 2, Bits: 32, Width: 1, Height: 1, Pixels: []byte{1, 2, 3, 0}}
	b, err := write.TGA(x)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeImage("x.tga", b)
	if err != nil || got.Alpha != asset.Opaque || got.Base().Pix[3] != 255 {
		t.Errorf("got %+v, %v", got, err)
	}
	if y, err := read.TGA(b, nil); err != nil || y.Pixels[3] != 0 {
		t.Errorf("the file's own pixels changed: %+v, %v", y, err)
	}
}
