package gltf

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	stdpng "image/png"
	"io"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

func encodePNG(w io.Writer, t *asset.Texture) error {
	m := t.Base()
	r := image.Rect(0, 0, m.Width, m.Height)
	switch m.Format {
	case asset.Indexed8:
		p := make(color.Palette, len(t.Palette))
		for i, c := range t.Palette {
			p[i] = color.NRGBA{c[0], c[1], c[2], c[3]}
		}
		return stdpng.Encode(w, &image.Paletted{Pix: m.Pix, Stride: m.Width, Rect: r, Palette: p})
	case asset.Gray8:
		return stdpng.Encode(w, &image.Gray{Pix: m.Pix, Stride: m.Width, Rect: r})
	}
	return stdpng.Encode(w, &image.NRGBA{Pix: m.Pix, Stride: 4 * m.Width, Rect: r})
}

func decodePNG(r io.Reader) (*asset.Texture, error) {
	p, err := stdpng.Decode(r)
	if err != nil {
		return nil, err
	}
	m := asset.NewImage(p.Bounds().Dx(), p.Bounds().Dy(), asset.RGBA8)
	if n, ok := p.(*image.NRGBA); ok {
		m.Pix = n.Pix
	}
	return &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}, nil
}

func decodeJPEG(b []byte) (*asset.Texture, error) {
	c, err := jpeg.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if err := schema.DefaultLimits.Picture("jpeg", c.Width, c.Height, 4); err != nil {
		return nil, err
	}
	p, err := jpeg.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	m := asset.NewImage(c.Width, c.Height, asset.RGBA8)
	at := 0
	for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y; y++ {
		for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x++ {
			r, g, b, _ := p.At(x, y).RGBA()
			m.Pix[at], m.Pix[at+1], m.Pix[at+2], m.Pix[at+3] = byte(r>>8), byte(g>>8), byte(b>>8), 255
			at += 4
		}
	}
	return &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}, nil
}
