package foreign

import (
	"image"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/schema/asset"
	"golang.org/x/image/webp"
)

// decodeWebP decodes a WebP file. The brightness of a lossy one runs from 16 to 235, and its colours from 16 to 240 (ITU-R
// BT.601), where the image package takes them for the full range of JPEG.
func decodeWebP(b []byte) (*asset.Texture, error) {
	var lossy *image.YCbCr
	var alpha []byte
	stride := 0
	t, err := picture.Standard("webp", webp.Decode, webp.DecodeConfig, func(m image.Image) {
		switch m := m.(type) {
		case *image.YCbCr:
			lossy = m
		case *image.NYCbCrA:
			lossy, alpha, stride = &m.YCbCr, m.A, m.AStride
		}
	})(b)
	if err != nil || lossy == nil {
		return t, err
	}
	m := t.Base()
	limitedRange(m.Pix, lossy)
	if alpha != nil {
		for y := range m.Height {
			for x := range m.Width {
				m.Pix[4*(y*m.Width+x)+3] = alpha[y*stride+x]
			}
		}
	}
	t.Alpha = m.AlphaMode(nil)
	return t, nil
}

// limitedRange fills RGBA8 pixels from brightness and colours of a quarter of the resolution, between whose samples it
// interpolates.
func limitedRange(pix []byte, p *image.YCbCr) {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	cw, ch := (w+1)/2, (h+1)/2
	at := 0
	for y := range h {
		near, far := neighbours(y, ch)
		a, b := near*p.CStride, far*p.CStride
		for x := range w {
			i, j := neighbours(x, cw)
			cb := mix(p.Cb[a+i], p.Cb[a+j], p.Cb[b+i], p.Cb[b+j])
			cr := mix(p.Cr[a+i], p.Cr[a+j], p.Cr[b+i], p.Cr[b+j])
			// The usual coefficients in units of 2^-14, with a rounding of half a unit of 8 bits.
			l := 19077 * (int(p.Y[y*p.YStride+x]) - 16)
			pix[at] = clip(l + 26149*(cr-128))
			pix[at+1] = clip(l - 6419*(cb-128) - 13320*(cr-128))
			pix[at+2] = clip(l + 33050*(cb-128))
			pix[at+3] = 255
			at += 4
		}
	}
}

// neighbours returns the samples of half the resolution nearest to a pixel and next to it, within n.
func neighbours(x, n int) (near, far int) {
	near = x / 2
	far = near + 2*(x&1) - 1
	return near, min(max(far, 0), n-1)
}

// mix weighs four samples by how near they are: 9, 3, 3 and 1 of 16.
func mix(near, side, above, corner byte) int {
	return (9*int(near) + 3*int(side) + 3*int(above) + int(corner) + 8) >> 4
}

func clip(v int) byte { return byte(min(max((v+1<<13)>>14, 0), 255)) }
