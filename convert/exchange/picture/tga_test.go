package picture

import (
	"bytes"
	"reflect"
	"testing"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	write "github.com/usher-assets/usher/write/media"
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

// A file is told by its header, and called like the file that it lies in.
func TestDecodeTGA(t *testing.T) {
	b, err := write.TGA(&media.TGA{ImageType: 11, Bits: 8, Width: 3, Height: 1, Descriptor: 0x20, Pixels: []byte{0x81, 7, 0, 9}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeImage("a/b.tga", b)
	if err != nil || got.Name != "b" || got.File.Encoding != "tga" || !bytes.Equal(got.Base().Pix, []byte{7, 7, 9}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

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
