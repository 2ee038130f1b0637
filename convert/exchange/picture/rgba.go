package picture

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// RGBA returns an image as RGBA8. An RGBA8 image is returned with shared pixels.
func RGBA(m *asset.Image, palette []asset.RGBA) (asset.Image, error) {
	if m.Format == asset.RGBA8 {
		return *m, nil
	}
	out := asset.NewImage(m.Width, m.Height, asset.RGBA8)
	if len(m.Pix)*4 != len(out.Pix)*m.Format.Bytes() {
		return out, schema.Errorf("picture", schema.ErrValue, "pixels", "%d x %d pixels in %d bytes", m.Width, m.Height, len(m.Pix))
	}
	var table [256]asset.RGBA
	for i := range table {
		v := byte(i)
		table[i] = asset.RGBA{v, v, v, 255}
	}
	step, at := 1, 0
	switch m.Format {
	case asset.Indexed8:
		table = [256]asset.RGBA{}
		copy(table[:], palette)
	case asset.Gray16:
		step, at = 2, 1 // the high byte
	}
	for i := range m.Width * m.Height {
		copy(out.Pix[4*i:4*i+4], table[m.Pix[step*i+at]][:])
	}
	return out, nil
}
