package asset

import (
	"image"
	"image/color"
	"image/draw"
)

// Image returns the image as an image.Image. It shares the pixels, except for Gray16, whose bytes are in the other order.
// Indexed pixels use the palette of their texture; an index beyond it is transparent black.
func (m *Image) Image(palette []RGBA) image.Image {
	bounds := image.Rect(0, 0, m.Width, m.Height)
	switch m.Format {
	case Indexed8:
		colours := make(color.Palette, 256)
		for i := range colours {
			c := color.NRGBA{}
			if i < len(palette) {
				c = color.NRGBA{palette[i][0], palette[i][1], palette[i][2], palette[i][3]}
			}
			colours[i] = c
		}
		return &image.Paletted{Pix: m.Pix, Stride: m.Width, Rect: bounds, Palette: colours}
	case Gray8:
		return &image.Gray{Pix: m.Pix, Stride: m.Width, Rect: bounds}
	case Gray16:
		out := image.NewGray16(bounds)
		for i := 0; i+1 < len(m.Pix); i += 2 {
			out.Pix[i], out.Pix[i+1] = m.Pix[i+1], m.Pix[i]
		}
		return out
	}
	return &image.NRGBA{Pix: m.Pix, Stride: 4 * m.Width, Rect: bounds}
}

// FromImage converts any image to RGBA8 with straight alpha.
func FromImage(from image.Image) Image {
	b := from.Bounds()
	m := NewImage(b.Dx(), b.Dy(), RGBA8)
	draw.Draw(&image.NRGBA{Pix: m.Pix, Stride: 4 * m.Width, Rect: image.Rect(0, 0, m.Width, m.Height)}, image.Rect(0, 0, m.Width, m.Height), from, b.Min, draw.Src)
	return m
}
