package picture

import (
	"bytes"
	"errors"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	write "github.com/usher-assets/usher/write/media"
)

// checks is an image of w × h pixels whose bytes all differ from their neighbours'.
func checks(w, h int, format asset.PixelFormat, alpha bool) asset.Image {
	m := asset.NewImage(w, h, format)
	for i := range m.Pix {
		if m.Pix[i] = byte(37*i + i/w); format == asset.RGBA8 && i%4 == 3 && !alpha {
			m.Pix[i] = 255
		} else if format == asset.Indexed8 {
			m.Pix[i] %= 3
		}
	}
	return m
}

// TestEncode writes pictures of every kind and reads them back.
func TestEncode(t *testing.T) {
	opaque, clear := []asset.RGBA{{1, 2, 3, 255}, {4, 5, 6, 255}, {7, 8, 9, 255}}, []asset.RGBA{{1, 2, 3, 255}, {4, 5, 6, 0}, {7, 8, 9, 128}}
	for name, c := range map[string]struct {
		m       asset.Image
		palette []asset.RGBA
	}{
		"colours":             {checks(5, 3, asset.RGBA8, false), nil},
		"alpha":               {checks(5, 3, asset.RGBA8, true), nil},
		"grey":                {checks(7, 2, asset.Gray8, false), nil},
		"indexed":             {checks(4, 4, asset.Indexed8, false), opaque},
		"indexed, with alpha": {checks(4, 4, asset.Indexed8, false), clear},
		"one":                 {checks(1, 1, asset.RGBA8, true), nil},
	} {
		want, err := RGBA(&c.m, c.palette)
		if err != nil {
			t.Fatal(err)
		}
		dds, err := EncodeDDS(&asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{c.m}}}, Palette: c.palette}, 0)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tga, err := EncodeTGA(&c.m, c.palette)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for kind, b := range map[string][]byte{"dds": dds, "tga": tga} {
			got, err := DecodeImage("x", b)
			if err != nil {
				t.Errorf("%s as %s: %v", name, kind, err)
				continue
			}
			back, err := RGBA(got.Base(), got.Palette)
			if err != nil || back.Width != want.Width || !bytes.Equal(back.Pix, want.Pix) {
				t.Errorf("%s as %s: %v, want %v (%v)", name, kind, back.Pix, want.Pix, err)
			}
			if got.File.Encoding != kind {
				t.Errorf("%s is read as %s", kind, got.File.Encoding)
			}
		}
	}
	if _, err := EncodeTGA(&asset.Image{Width: 70000, Height: 1}, nil); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("wide: %v", err)
	}
	for _, m := range []asset.Image{{Width: 2, Height: 2}, {Width: 2, Height: 2, Format: asset.Gray8}} {
		_, err := EncodeTGA(&m, nil)
		_, err2 := EncodeDDS(&asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}, 0)
		if !errors.Is(err, schema.ErrValue) || !errors.Is(err2, schema.ErrValue) {
			t.Errorf("pixels that are not there: %v, %v", err, err2)
		}
	}
	if _, err := EncodeDDS(&asset.Texture{}, 0); !errors.Is(err, schema.ErrRange) {
		t.Errorf("no frame: %v", err)
	}
}

// TestEncodeStored keeps what is stored in blocks or in 16 bits, with its levels and faces, as it is.
func TestEncodeStored(t *testing.T) {
	blocks := func(w, h int) []byte {
		m := checks(w, h, asset.RGBA8, false)
		b, err := write.BC1(m.Pix, w, h, 0)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	cc := media.DDSFormat{Size: 32, Flags: media.DDSFourCC, FourCC: media.FourCC([4]byte{'D', 'X', 'T', '1'})}
	levels := &media.DDS{HeaderSize: 124, Flags: 0xA1007, Width: 8, Height: 8, Pitch: 32, MipCount: 4, Caps: 0x401008, Format: cc, Levels: [][]byte{blocks(8, 8), blocks(4, 4), blocks(2, 2), blocks(1, 1)}}
	cube := &media.DDS{HeaderSize: 124, Flags: 0x81007, Width: 4, Height: 4, Pitch: 8, MipCount: 1, Caps: 0x1008, Caps2: media.DDSCube | media.DDSFaces, Format: cc}
	for range 6 {
		cube.Levels = append(cube.Levels, blocks(4, 4))
	}
	short := &media.DDS{HeaderSize: 124, Flags: 0x100F, Width: 2, Height: 1, Pitch: 4, MipCount: 1, Caps: 0x1000,
		Format: media.DDSFormat{Size: 32, Flags: media.DDSRGB, Bits: 16, Red: 0xF800, Green: 0x7E0, Blue: 0x1F}, Levels: [][]byte{{1, 2, 3, 4}}}
	for name, x := range map[string]*media.DDS{"levels": levels, "cube": cube, "16 bits": short} {
		want, err := write.DDS(x)
		if err != nil {
			t.Fatal(err)
		}
		a, err := DDS(x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := EncodeDDS(a, 0)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s:\n%x, want\n%x (%v)", name, got, want, err)
		}
		// Rows that stand on their head are not what is stored.
		m := a.Base()
		flipRows(m)
		if m.Height > 1 {
			if again, err := EncodeDDS(a, 0); err != nil || len(again) <= len(want) {
				t.Errorf("%s, turned: stored as it was (%v)", name, err)
			}
		}
	}
}
