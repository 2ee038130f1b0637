package foreign

import (
	"bytes"
	"image/color"
	"image/gif"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/schema"
	"golang.org/x/image/tiff"
)

// Report adds a diagnostic for whatever DecodeImage leaves out of a picture: precision above 8 bits, a gamma, frames after
// the first. path names the picture in the diagnostics. There are none if DecodeImage fails.
func Report(b []byte, path string, d *schema.Diagnostics) {
	if d == nil {
		return
	}
	switch {
	case kindOf(b) == "png":
		png.Report(b, path, d)
	case kindOf(b) == "gif":
		if all, err := gif.DecodeAll(bytes.NewReader(b)); err == nil && len(all.Image) > 1 {
			d.Lossf("gif-frames", path, "an animation of %d frames: only the first is taken", len(all.Image))
		}
	case kindOf(b) == "tiff":
		c, err := tiff.DecodeConfig(bytes.NewReader(b))
		if err == nil && (c.ColorModel == color.RGBA64Model || c.ColorModel == color.NRGBA64Model) {
			d.Lossf("tiff-depth", path, "16 bits a channel become 8")
		}
	}
}
