package texture

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// indexed takes the pixels of a list in the colours of its palette.
func indexed(palettes Palettes, t *asset.Texture, o *unreal.Texture) error {
	pal, err := palettes.Palette(o)
	if err != nil {
		return err
	}
	t.Palette = visiblePalette(pal, t.Alpha == asset.Mask)
	frame := asset.Frame{Name: t.Name}
	for _, m := range o.Mips {
		if len(m.Pixels) == 0 {
			break
		}
		if err := schema.DefaultLimits.Picture(Name, int(m.USize), int(m.VSize), 1); err != nil {
			return err
		}
		frame.Mips = append(frame.Mips, asset.Image{Width: int(m.USize), Height: int(m.VSize), Format: asset.Indexed8, Pix: m.Pixels})
	}
	t.Frames = []asset.Frame{frame}
	return nil
}

// holed returns a picture whose entry 0 is transparent, where it has the palette of a masked one but comes from a kind
// of file that knows no alpha.
func holed(t, old *asset.Texture) *asset.Texture {
	if old.Alpha != asset.Mask || len(old.Palette) == 0 || len(t.Palette) == 0 || t.Base().Format != asset.Indexed8 || hasHole(t.Palette) {
		return t
	}
	out := *t
	out.Palette = slices.Clone(t.Palette)
	out.Palette[0][3] = old.Palette[0][3]
	if !samePalette(out.Palette, old.Palette) {
		return t
	}
	return &out
}

// CheckSides returns an error for a picture with sides that the engine does not support.
func CheckSides(m *asset.Image) error {
	for _, side := range []int{m.Width, m.Height} {
		if side < 1 || bits.OnesCount(uint(side)) != 1 {
			return schema.Hinted(schema.Errorf(Name, schema.ErrValue, "size", "%d x %d pixels: both sides must be powers of two", m.Width, m.Height), "; --resize pow2 scales it")
		}
	}
	if len(m.Pix) < m.Width*m.Height*m.Format.Bytes() {
		return schema.Errorf(Name, schema.ErrMismatch, "pixels", "%d bytes for %d x %d pixels", len(m.Pix), m.Width, m.Height)
	}
	return nil
}

// Same reports whether the full-size pictures of two textures look the same. What is not seen is ignored: alpha 0, and all
// below 128 where one of the textures is masked, whose pixels are seen or not.
func Same(a, b *asset.Texture) bool {
	x, y := a.Base(), b.Base()
	if x.Width != y.Width || x.Height != y.Height {
		return false
	}
	if x.Format == asset.Indexed8 && y.Format == asset.Indexed8 && bytes.Equal(x.Pix, y.Pix) && slices.Equal(a.Palette, b.Palette) {
		return true
	}
	seen := uint8(1)
	if a.Alpha == asset.Mask || b.Alpha == asset.Mask {
		seen = 128
	}
	p, q := Pixels(a), Pixels(b)
	for i := range p {
		if p[i] != q[i] && (p[i][3] >= seen || q[i][3] >= seen) {
			return false
		}
	}
	return true
}

// Pixels returns the full-size picture of a texture as RGBA8.
func Pixels(t *asset.Texture) []asset.RGBA {
	m := t.Base()
	out := make([]asset.RGBA, m.Width*m.Height)
	switch m.Format {
	case asset.Indexed8:
		for i := range out {
			if k := int(m.Pix[i]); k < len(t.Palette) {
				out[i] = t.Palette[k]
			} else {
				out[i] = asset.RGBA{0, 0, 0, 255}
			}
		}
	case asset.Gray8:
		for i := range out {
			out[i] = asset.RGBA{m.Pix[i], m.Pix[i], m.Pix[i], 255}
		}
	case asset.Gray16:
		for i := range out {
			out[i] = asset.RGBA{m.Pix[2*i+1], m.Pix[2*i+1], m.Pix[2*i+1], 255}
		}
	default:
		for i := range out {
			out[i] = asset.RGBA(m.Pix[4*i : 4*i+4])
		}
	}
	return out
}

func visiblePalette(colors [][4]uint8, masked bool) []asset.RGBA {
	pal := make([]asset.RGBA, min(len(colors), 256))
	for i := range pal {
		pal[i] = asset.RGBA{colors[i][0], colors[i][1], colors[i][2], 255}
	}
	if masked && len(pal) > 0 {
		pal[0][3] = 0
	}
	return pal
}

// samePalette compares palettes; PNG may have cut off colours that no pixel uses.
func samePalette(a, b []asset.RGBA) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// hasHole reports whether entry 0 of a palette is transparent.
func hasHole(p []asset.RGBA) bool { return len(p) > 0 && p[0][3] < 128 }
