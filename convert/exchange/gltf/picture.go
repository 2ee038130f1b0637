package gltf

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"

	"github.com/usher-assets/usher/convert/exchange/picture/foreign"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// decodeWebP returns the pixels of a WebP file.
func decodeWebP(b []byte) (*asset.Texture, error) {
	return foreign.DecodeImage("", b)
}

// decodeJPEG returns the pixels of a JPEG file.
func decodeJPEG(b []byte) (*asset.Texture, error) {
	c, err := jpeg.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if err := schema.DefaultLimits.Picture("jpeg", c.Width, c.Height, 4); err != nil {
		return nil, err
	}
	// The least that a block of 64 pixels takes is two bits; the rest of the factor is for progressive files.
	const ratio, slack = 1024, 1 << 16
	if c.Width*c.Height > len(b)*ratio+slack {
		return nil, schema.Errorf("jpeg", schema.ErrTruncated, "pixels", "%d bytes cannot hold %d x %d pixels", len(b), c.Width, c.Height)
	}
	p, err := jpeg.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	m := asset.NewImage(c.Width, c.Height, asset.RGBA8)
	switch p := p.(type) {
	case *image.YCbCr:
		fromYCbCr(m.Pix, p)
	case *image.Gray:
		for y := range c.Height {
			for x, v := range p.Pix[y*p.Stride:][:c.Width] {
				copy(m.Pix[4*(y*c.Width+x):], []byte{v, v, v, 255})
			}
		}
	default: // CMYK
		for i := range c.Width * c.Height {
			r, g, b, _ := p.At(i%c.Width, i/c.Width).RGBA()
			copy(m.Pix[4*i:], []byte{byte(r >> 8), byte(g >> 8), byte(b >> 8), 255})
		}
	}
	return &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}, nil
}

func fromYCbCr(pix []byte, p *image.YCbCr) {
	at := 0
	for y := p.Rect.Min.Y; y < p.Rect.Max.Y; y++ {
		for x := p.Rect.Min.X; x < p.Rect.Max.X; x++ {
			c := p.COffset(x, y)
			r, g, b := color.YCbCrToRGB(p.Y[p.YOffset(x, y)], p.Cb[c], p.Cr[c])
			pix[at], pix[at+1], pix[at+2], pix[at+3] = r, g, b, 255
			at += 4
		}
	}
}
