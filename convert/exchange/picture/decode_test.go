package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	stdpng "image/png"
	"io"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/pictures"
	"golang.org/x/image/bmp"
)

const side = 16

func straightStone() *image.NRGBA {
	return &image.NRGBA{Pix: pictures.Stone(side), Stride: 4 * side, Rect: image.Rect(0, 0, side, side)}
}

func file(t testing.TB, m image.Image, encode func(io.Writer, image.Image) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodeJPEG(w io.Writer, m image.Image) error {
	return jpeg.Encode(w, m, &jpeg.Options{Quality: 100})
}
func encodeGIF(w io.Writer, m image.Image) error { return gif.Encode(w, m, nil) }

func paletted() *image.Paletted {
	m := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.NRGBA{1, 2, 3, 255}, color.NRGBA{4, 5, 6, 255}, color.NRGBA{1, 2, 3, 255}})
	for i := range m.Pix {
		m.Pix[i] = byte(i % 3)
	}
	return m
}

func TestDecodeImage(t *testing.T) {
	stone := straightStone()
	cases := []struct {
		kind   string
		b      []byte
		format asset.PixelFormat
		want   []byte // nil when the file type is lossy
	}{
		{"png", file(t, stone, stdpng.Encode), asset.RGBA8, stone.Pix},
		{"bmp", file(t, stone, bmp.Encode), asset.RGBA8, stone.Pix},
		{"jpeg", file(t, stone, encodeJPEG), asset.RGBA8, nil},
		{"gif", file(t, paletted(), encodeGIF), asset.Indexed8, paletted().Pix},
		{"bmp", file(t, paletted(), bmp.Encode), asset.Indexed8, paletted().Pix},
	}
	for _, c := range cases {
		got, err := DecodeImage(`tex\Some.Wall.xyz`, c.b)
		if err != nil {
			t.Errorf("%s: %v", c.kind, err)
			continue
		}
		m := got.Base()
		if got.Name != "Some.Wall" || got.File.Encoding != c.kind || m.Format != c.format || m.Width != side || m.Height != side || got.Alpha != asset.Opaque {
			t.Errorf("%s: %q %s, format %d, %d x %d, alpha %d", c.kind, got.Name, got.File.Encoding, m.Format, m.Width, m.Height, got.Alpha)
		}
		if c.want != nil && !bytes.Equal(m.Pix, c.want) {
			t.Errorf("%s: other pixels", c.kind)
		}
		for i := 0; c.want == nil && i < len(m.Pix); i++ {
			if d := int(m.Pix[i]) - int(stone.Pix[i]); d < -48 || d > 48 {
				t.Errorf("%s: byte %d is off by %d", c.kind, i, d)
				break
			}
		}
	}
}

func TestDecodeImageMalformed(t *testing.T) {
	stone := straightStone()
	for name, b := range map[string][]byte{
		"bmp":  file(t, stone, bmp.Encode),
		"jpeg": file(t, stone, encodeJPEG),
		"gif":  file(t, paletted(), encodeGIF),
	} {
		for n := range b[:len(b)-2] {
			if x, err := DecodeImage(name, b[:n]); err == nil && len(x.Base().Pix) == 0 {
				t.Errorf("%s: %d of %d bytes", name, n, len(b))
			} else if err != nil && schema.Class(err) == nil {
				t.Errorf("%s: %d of %d bytes: %v has no class", name, n, len(b), err)
			}
		}
	}
	if _, err := DecodeImage("readme.txt", []byte("Some text that is no picture.")); !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("text: %v", err)
	}
	huge := file(t, stone, bmp.Encode)
	copy(huge[18:], []byte{0, 0x7F, 0, 0, 0, 0x7F, 0, 0})
	if _, err := DecodeImage("huge.bmp", huge); !errors.Is(err, schema.ErrLimit) && !errors.Is(err, schema.ErrTruncated) {
		t.Errorf("huge: %v", err)
	}
}

func FuzzDecodeImage(f *testing.F) {
	f.Add(file(f, straightStone(), bmp.Encode))
	f.Add(file(f, paletted(), encodeGIF))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := DecodeImage("x", b)
		if err != nil {
			return
		}
		m := x.Base()
		if len(m.Pix) != m.Width*m.Height*m.Format.Bytes() {
			t.Errorf("%d bytes for %d x %d", len(m.Pix), m.Width, m.Height)
		}
	})
}
