package picture

import (
	"bytes"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// tgaPixels returns the bytes of a colour of a depth, and the function that reads such colours. The attribute bits say
// whether 16 bits hold alpha; 32 bits always do.
func tgaPixels(bits, descriptor uint8) (size int, decode func(dst, src []byte) int) {
	switch {
	case bits == 24:
		return 3, read.BGR888
	case bits == 32:
		return 4, read.BGRA8888
	case bits == 16 && descriptor&media.TGAAlphaBits == 1:
		return 2, read.ARGB1555
	}
	return 2, read.XRGB1555
}

// TGA decodes a Truevision picture into a texture of one upright image. The image is Indexed8 with the colour map as
// palette (black before its first entry), Gray8, or RGBA8. 32-bit colours have alpha; 16-bit colours have it if the
// descriptor says so; 16-bit colour maps have none.
func TGA(x *media.TGA) (*asset.Texture, error) {
	raw, err := read.TGAPixels(x)
	if err != nil {
		return nil, err
	}
	t := &asset.Texture{}
	m := asset.Image{Width: int(x.Width), Height: int(x.Height), Pix: raw}
	switch x.Kind() {
	case media.TGAIndexed:
		m.Format, m.Pix = asset.Indexed8, bytes.Clone(raw)
		t.Palette = tgaPalette(x)
	case media.TGAGray:
		m.Format, m.Pix = asset.Gray8, bytes.Clone(raw)
	default:
		m.Pix = make([]byte, 4*m.Width*m.Height)
		_, decode := tgaPixels(x.Bits, x.Descriptor)
		decode(m.Pix, raw)
	}
	orient(&m, x.Descriptor)
	t.Frames = []asset.Frame{{Mips: []asset.Image{m}}}
	t.Alpha = m.AlphaMode(t.Palette)
	return t, nil
}

// orient turns stored order into upright order.
func orient(m *asset.Image, descriptor uint8) {
	if descriptor&media.TGAFromTop == 0 {
		flipRows(m)
	}
	if descriptor&media.TGAFromRight != 0 {
		flipColumns(m)
	}
}

// flipRows turns an image upside down, in place.
func flipRows(m *asset.Image) {
	row := m.Width * m.Format.Bytes()
	swap := make([]byte, row)
	for top, bottom := 0, m.Height-1; top < bottom; top, bottom = top+1, bottom-1 {
		a, b := m.Pix[top*row:(top+1)*row], m.Pix[bottom*row:(bottom+1)*row]
		copy(swap, a)
		copy(a, b)
		copy(b, swap)
	}
}

func flipColumns(m *asset.Image) {
	size := m.Format.Bytes()
	row := m.Width * size
	for y := range m.Height {
		line := m.Pix[y*row : (y+1)*row]
		for l, r := 0, row-size; l < r; l, r = l+size, r-size {
			for i := range size {
				line[l+i], line[r+i] = line[r+i], line[l+i]
			}
		}
	}
}

func tgaPalette(x *media.TGA) []asset.RGBA {
	size, decode := tgaPixels(x.MapBits, 0)
	rgba := make([]byte, 4*min(len(x.Map)/size, max(256-int(x.MapFirst), 0)))
	decode(rgba, x.Map)
	palette := make([]asset.RGBA, min(int(x.MapFirst), 256), 256)
	for i := range palette {
		palette[i] = asset.RGBA{0, 0, 0, 255}
	}
	for ; len(rgba) > 0; rgba = rgba[4:] {
		palette = append(palette, asset.RGBA(rgba))
	}
	return palette
}
