package foreign

import (
	"bytes"
	"image"
	"testing"

	"golang.org/x/image/tiff"

	"github.com/usher-assets/usher/schema"
)

// TestTIFF holds that a picture of straight alpha comes back pixel for pixel, and that parts of a file are refused.
func TestTIFF(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 16, 8))
	for i := range m.Pix {
		m.Pix[i] = byte(7 * i)
	}
	var b bytes.Buffer
	if err := tiff.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	x, err := DecodeImage("walls/Brick.tif", b.Bytes())
	if err != nil || x.Name != "Brick" || x.File.Encoding != "tiff" || !bytes.Equal(x.Base().Pix, m.Pix) {
		t.Errorf("%v, %v", x, err)
	}
	for n := range b.Len() / 2 {
		if _, err := DecodeImage("x.tif", b.Bytes()[:n]); schema.Class(err) == nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if !Is("tiff", b.Bytes()) || Is("webp", b.Bytes()) || !Is("png", []byte("\x89PNG\r\n\x1a\n")) {
		t.Error("the types are mistaken")
	}
}
