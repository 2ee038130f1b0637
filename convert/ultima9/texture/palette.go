package texture

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// PaletteName is the name of the format of palettes.
const PaletteName = "u9-palette"

// paletteSide is the width and height of the picture that shows a palette, one pixel a colour.
const paletteSide = 16

// liftPalette shows the colours as a picture of 16 x 16 pixels, entry 0 at the top left.
func liftPalette(p *ultima9.Palette, env *format.Env) (*asset.Texture, error) {
	payload, err := write.Palette(p)
	if err != nil {
		return nil, err
	}
	m := asset.NewImage(paletteSide, paletteSide, asset.Indexed8)
	t := &asset.Texture{Name: env.EntryName("palette"), Palette: make([]asset.RGBA, 256), Native: &asset.Native{Format: PaletteName, Payload: payload}}
	for i, c := range p.Colors {
		m.Pix[i] = uint8(i)
		t.Palette[i] = asset.RGBA{c[0], c[1], c[2], 255}
	}
	t.Frames = []asset.Frame{{Mips: []asset.Image{m}}}
	return t, nil
}

// lowerPalette takes the colour of each pixel of a 16 x 16 picture.
func lowerPalette(t *asset.Texture, env *format.Env) (*ultima9.Palette, error) {
	m := t.Base()
	if m == nil || m.Width != paletteSide || m.Height != paletteSide {
		return nil, schema.Errorf(PaletteName, schema.ErrValue, "size", "a palette is a picture of 16 x 16 pixels")
	}
	pix, err := ToRGBA(m, t.Palette)
	if err != nil {
		return nil, err
	}
	tellOpaque(m, t.Palette, "a palette", env)
	p := new(ultima9.Palette)
	if n := t.Native; n != nil && n.Format == PaletteName && len(n.Payload) > 0 {
		if p, err = read.Palette(n.Payload, nil); err != nil {
			return nil, err
		}
	}
	for i := range p.Colors {
		copy(p.Colors[i][:3], pix[4*i:])
	}
	return p, nil
}

// Palette holds the typed functions for one format: palette.
var Palette = format.Functions[ultima9.Palette, *asset.Texture]{
	Read:  read.Palette,
	Write: write.Palette,
	Facts: paletteFacts,
	Lift:  liftPalette,
	Lower: lowerPalette,
}

func paletteFacts(p *ultima9.Palette) []format.Fact {
	return []format.Fact{{Name: "colours", Value: len(p.Colors)}, {Name: "trailing bytes", Value: len(p.Trailing)}}
}
