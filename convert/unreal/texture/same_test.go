package texture

import (
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// onePicture is a texture of one row.
func onePicture(f asset.PixelFormat, palette []asset.RGBA, pix ...byte) *asset.Texture {
	m := asset.NewImage(len(pix)/f.Bytes(), 1, f)
	copy(m.Pix, pix)
	return &asset.Texture{Palette: palette, Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}

// TestSame: two pictures are the same where a person sees the same, in whatever form they are.
func TestSame(t *testing.T) {
	red, blue, black, hole, veil := asset.RGBA{255, 0, 0, 255}, asset.RGBA{0, 0, 255, 255}, asset.RGBA{0, 0, 0, 255}, asset.RGBA{9, 9, 9, 0}, asset.RGBA{255, 0, 0, 127}
	grey := asset.RGBA{7, 7, 7, 255}
	indexed := func(palette []asset.RGBA, pix ...byte) *asset.Texture {
		return onePicture(asset.Indexed8, palette, pix...)
	}
	colours := func(list ...asset.RGBA) *asset.Texture {
		var pix []byte
		for _, c := range list {
			pix = append(pix, c[:]...)
		}
		return onePicture(asset.RGBA8, nil, pix...)
	}
	for name, c := range map[string]struct {
		a, b *asset.Texture
		want bool
	}{
		"the same indices and colours":              {indexed([]asset.RGBA{red, blue}, 0, 1), indexed([]asset.RGBA{red, blue}, 0, 1), true},
		"the same indices of other colours":         {indexed([]asset.RGBA{red, blue}, 0, 1), indexed([]asset.RGBA{red, red}, 0, 1), false},
		"other indices of the same colours":         {indexed([]asset.RGBA{red, blue}, 0, 1), indexed([]asset.RGBA{red, blue}, 1, 1), false},
		"another order of the palette":              {indexed([]asset.RGBA{red, blue}, 0, 1), indexed([]asset.RGBA{blue, red}, 1, 0), true},
		"a colour more that nothing shows":          {indexed([]asset.RGBA{red}, 0, 0), indexed([]asset.RGBA{red, blue}, 0, 0), true},
		"a colour more that a pixel shows":          {indexed([]asset.RGBA{red}, 0, 1), indexed([]asset.RGBA{red, blue}, 0, 1), false},
		"beyond the palette all is black":           {indexed([]asset.RGBA{red}, 0, 1), colours(red, black), true},
		"indices and true colours":                  {indexed([]asset.RGBA{red, blue}, 1, 0), colours(blue, red), true},
		"true colours, another one":                 {colours(red, blue), colours(red, red), false},
		"the last pixel only":                       {colours(red, red, red, blue), colours(red, red, red, red), false},
		"what a hole would show":                    {colours(hole), colours(veil), true},
		"a hole in one of them":                     {colours(hole), colours(red), false},
		"a hole in the other one":                   {colours(red), colours(hole), false},
		"another width":                             {colours(red, red), colours(red), false},
		"grey":                                      {onePicture(asset.Gray8, nil, 7, 0), colours(grey, black), true},
		"another grey":                              {onePicture(asset.Gray8, nil, 7), colours(black), false},
		"a fine grey: its upper half is what shows": {onePicture(asset.Gray16, nil, 200, 7, 100, 0), colours(grey, black), true},
		"another fine grey":                         {onePicture(asset.Gray16, nil, 7, 200), colours(grey), false},
	} {
		if got := Same(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
