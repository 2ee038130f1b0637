package picture

import (
	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// isPCX reports whether a header makes sense: the signature is a single byte.
func isPCX(b []byte) bool {
	return len(b) >= media.PCXHeader && b[0] == 0x0A && b[1] <= 5 && b[2] <= 1 && (b[3] == 1 || b[3] == 2 || b[3] == 4 || b[3] == 8) && b[65] >= 1 && b[65] <= 4
}

// decodePCX reads pictures of 256 colours, and those of three planes.
func decodePCX(b []byte) (*asset.Texture, error) {
	x, err := read.PCX(b, nil)
	if err != nil {
		return nil, err
	}
	w, h := x.Size()
	if err := schema.DefaultLimits.Picture("pcx", w, h, 4); err != nil {
		return nil, err
	}
	raw, err := read.PCXPixels(x)
	if err != nil {
		return nil, err
	}
	t := &asset.Texture{}
	m := asset.Image{Width: w, Height: h, Format: asset.Indexed8, Pix: raw}
	switch {
	case x.Planes == 3:
		m = asset.NewImage(w, h, asset.RGBA8)
		for y := range h {
			for i := range w {
				at := 3*y*w + i
				copy(m.Pix[4*(y*w+i):], []byte{raw[at], raw[at+w], raw[at+2*w], 255})
			}
		}
	case x.Map == nil:
		m.Format = asset.Gray8
	default:
		t.Palette = make([]asset.RGBA, 256)
		for i := range t.Palette {
			t.Palette[i] = asset.RGBA{x.Map[3*i], x.Map[3*i+1], x.Map[3*i+2], 255}
		}
	}
	t.Frames = []asset.Frame{{Mips: []asset.Image{m}}}
	t.Alpha = m.AlphaMode(t.Palette)
	return t, nil
}
