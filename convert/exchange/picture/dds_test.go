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

// masked is a format of packed pixels.
func masked(bits, red, green, blue, alpha uint32) media.DDSFormat {
	f := media.DDSFormat{Size: 32, Flags: media.DDSRGB, Bits: bits, Red: red, Green: green, Blue: blue, Alpha: alpha}
	if alpha != 0 {
		f.Flags |= media.DDSAlphaPixels
	}
	return f
}

func fourCC(id string) media.DDSFormat {
	return media.DDSFormat{Size: 32, Flags: media.DDSFourCC, FourCC: media.ID(id)}
}

// blue is a BC block of colours that are all pure blue.
const blue = "\x1F\x00\x1F\x00\x00\x00\x00\x00"

// TestDDSPixels reads one pixel of every way in which a surface can be stored.
func TestDDSPixels(t *testing.T) {
	half := "\x88\x88\x88\x88\x88\x88\x88\x88"
	flat := "\x40\x00\x00\x00\x00\x00\x00\x00"
	for _, c := range []struct {
		encoding string
		format   media.DDSFormat
		stored   string
		pix      []byte
		alpha    asset.AlphaMode
	}{
		{"bc1", fourCC("DXT1"), blue, []byte{0, 0, 255, 255}, asset.Opaque},
		{"bc2", fourCC("DXT2"), half + blue, []byte{0, 0, 255, 0x88}, asset.Blend},
		{"bc2", fourCC("DXT3"), half + blue, []byte{0, 0, 255, 0x88}, asset.Blend},
		{"bc3", fourCC("DXT4"), flat + blue, []byte{0, 0, 255, 0x40}, asset.Blend},
		{"bc3", fourCC("DXT5"), flat + blue, []byte{0, 0, 255, 0x40}, asset.Blend},
		{"rgb565", masked(16, 0xF800, 0x7E0, 0x1F, 0), "\x1F\x80", []byte{132, 0, 255, 255}, asset.Opaque},
		{"argb1555", masked(16, 0x7C00, 0x3E0, 0x1F, 0x8000), "\x1F\x00", []byte{0, 0, 255, 0}, asset.Mask},
		{"xrgb1555", masked(16, 0x7C00, 0x3E0, 0x1F, 0), "\x1F\x00", []byte{0, 0, 255, 255}, asset.Opaque},
		{"argb4444", masked(16, 0xF00, 0xF0, 0xF, 0xF000), "\x34\x12", []byte{34, 51, 68, 17}, asset.Blend},
		{"bgr888", masked(24, 0xFF0000, 0xFF00, 0xFF, 0), "\x01\x02\x03", []byte{3, 2, 1, 255}, asset.Opaque},
		{"rgb888", masked(24, 0xFF, 0xFF00, 0xFF0000, 0), "\x01\x02\x03", []byte{1, 2, 3, 255}, asset.Opaque},
		{"bgra8888", masked(32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000), "\x01\x02\x03\x04", []byte{3, 2, 1, 4}, asset.Blend},
		{"bgrx8888", masked(32, 0xFF0000, 0xFF00, 0xFF, 0), "\x01\x02\x03\x04", []byte{3, 2, 1, 255}, asset.Opaque},
		{"rgba8888", masked(32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000), "\x01\x02\x03\x04", []byte{1, 2, 3, 4}, asset.Blend},
		{"rgbx8888", masked(32, 0xFF, 0xFF00, 0xFF0000, 0), "\x01\x02\x03\x04", []byte{1, 2, 3, 255}, asset.Opaque},
		{"l8", media.DDSFormat{Flags: media.DDSLuminance, Bits: 8}, "\x07", []byte{7}, asset.Opaque},
		{"a8", media.DDSFormat{Flags: media.DDSAlpha, Bits: 8}, "\x07", []byte{0, 0, 0, 7}, asset.Blend},
	} {
		x := &media.DDS{HeaderSize: 124, Width: 1, Height: 1, Format: c.format, Levels: [][]byte{[]byte(c.stored)}}
		got, err := DDS(x)
		if err != nil {
			t.Errorf("%s: %v", c.encoding, err)
			continue
		}
		m := got.Base()
		if !bytes.Equal(m.Pix, c.pix) || got.Alpha != c.alpha || m.Stored.Encoding != c.encoding || string(m.Stored.Data) != c.stored {
			t.Errorf("%s: %v, alpha %d, stored as %s; want %v, %d", c.encoding, m.Pix, got.Alpha, m.Stored.Encoding, c.pix, c.alpha)
		}
	}
}

// A cube map has all levels of its first face and the largest of the others, also when it comes as a file.
func TestDDSCube(t *testing.T) {
	x := &media.DDS{HeaderSize: 124, Width: 8, Height: 8, MipCount: 2, Caps2: 0xFE00, Format: fourCC("DXT1")}
	for i := range 12 { // two levels a face, face n having the blue n
		x.Levels = append(x.Levels, bytes.Repeat([]byte{byte(i / 2), 0, byte(i / 2), 0, 0, 0, 0, 0}, x.LevelBytes(i%2)/8))
	}
	b, err := write.DDS(x)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeImage("sky/box.dds", b)
	if err != nil {
		t.Fatal(err)
	}
	f := got.Frames[0]
	if got.Name != "box" || got.File.Encoding != "dds" || len(f.Mips) != 2 || f.Mips[1].Width != 4 || len(f.Faces) != 5 {
		t.Fatalf("%s of %s with %d levels and %d more faces", got.Name, got.File.Encoding, len(f.Mips), len(f.Faces))
	}
	for i, want := range []byte{8, 16, 24, 33, 41} {
		if m := f.Faces[i]; m.Width != 8 || m.Pix[2] != want {
			t.Errorf("face %d: width %d, blue %d, want 8 and %d", i+1, m.Width, m.Pix[2], want)
		}
	}
}

func TestDDSRefuses(t *testing.T) {
	dxt := fourCC("DXT1")
	for _, c := range []struct {
		name  string
		x     media.DDS
		class error
	}{
		{"masks", media.DDS{Width: 4, Height: 4, Format: masked(16, 1, 0, 0, 0)}, schema.ErrUnsupported},
		{"codec", media.DDS{Width: 4, Height: 4, Format: fourCC("DX10")}, schema.ErrUnsupported},
		{"two faces", media.DDS{Width: 4, Height: 4, Caps2: 0x600 | 0x800, Format: dxt}, schema.ErrUnsupported},
		{"levels", media.DDS{Width: 4, Height: 4, Format: dxt}, schema.ErrMismatch},
		{"short", media.DDS{Width: 4, Height: 4, Format: dxt, Levels: [][]byte{nil}}, schema.ErrMismatch},
	} {
		if _, err := DDS(&c.x); !errors.Is(err, c.class) {
			t.Errorf("%s: %v, want %v", c.name, err, c.class)
		}
	}
}
