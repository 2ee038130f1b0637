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
	masked := func(c asset.RGBA) *asset.Texture {
		x := colours(c)
		x.Alpha = asset.Mask
		return x
	}
	for name, c := range map[string]struct {
		a, b *asset.Texture
		want bool
	}{
		"the same indices and colours":               {indexed([]asset.RGBA{red, blue}, 0, 1), indexed([]asset.RGBA{red, blue}, 0, 1), true},
		"the same indices of other colours":          {indexed([]asset.RGBA{red, blue}, 0, 1), indexed([]asset.RGBA{red, red}, 0, 1), false},
		"other indices of the same colours":          {indexed([]asset.RGBA{red, blue}, 0, 1), indexed([]asset.RGBA{red, blue}, 1, 1), false},
		"another order of the palette":               {indexed([]asset.RGBA{red, blue}, 0, 1), indexed([]asset.RGBA{blue, red}, 1, 0), true},
		"a colour more that nothing shows":           {indexed([]asset.RGBA{red}, 0, 0), indexed([]asset.RGBA{red, blue}, 0, 0), true},
		"a colour more that a pixel shows":           {indexed([]asset.RGBA{red}, 0, 1), indexed([]asset.RGBA{red, blue}, 0, 1), false},
		"beyond the palette all is black":            {indexed([]asset.RGBA{red}, 0, 1), colours(red, black), true},
		"indices and true colours":                   {indexed([]asset.RGBA{red, blue}, 1, 0), colours(blue, red), true},
		"true colours, another one":                  {colours(red, blue), colours(red, red), false},
		"the last pixel only":                        {colours(red, red, red, blue), colours(red, red, red, red), false},
		"a hole and what is hardly seen":             {colours(hole), colours(asset.RGBA{255, 0, 0, 1}), false},
		"what a hole would show":                     {colours(hole), colours(asset.RGBA{255, 0, 0, 0}), true},
		"a veil over a hole":                         {colours(hole), colours(veil), false},
		"a veil where a hole is all there can be":    {masked(hole), colours(veil), true},
		"a hole where a veil cannot be":              {colours(veil), masked(hole), true},
		"half seen, of what is seen or not":          {masked(hole), colours(asset.RGBA{255, 0, 0, 128}), false},
		"a hole in one of them":                      {colours(hole), colours(red), false},
		"a hole in the other one":                    {colours(red), colours(hole), false},
		"another width":                              {colours(red, red), colours(red), false},
		"true colours and indices of the same bytes": {indexed([]asset.RGBA{red}, 0, 0, 0, 0), colours(asset.RGBA{}), false},
		"grey":         {onePicture(asset.Gray8, nil, 7, 0), colours(grey, black), true},
		"another grey": {onePicture(asset.Gray8, nil, 7), colours(black), false},
		"a fine grey: its upper half is what shows": {onePicture(asset.Gray16, nil, 200, 7, 100, 0), colours(grey, black), true},
		"another fine grey":                         {onePicture(asset.Gray16, nil, 7, 200), colours(grey), false},
	} {
		if got := Same(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestHoled: from files that know no alpha a masked texture comes back with its hole where the palette is its own; nothing else
// gets one.
func TestHoled(t *testing.T) {
	key, hole, red, green := asset.RGBA{9, 8, 7, 255}, asset.RGBA{9, 8, 7, 0}, asset.RGBA{255, 0, 0, 255}, asset.RGBA{0, 255, 0, 255}
	picture := func(alpha asset.AlphaMode, f asset.PixelFormat, palette ...asset.RGBA) *asset.Texture {
		x := onePicture(f, palette, 0, 0, 0, 0)
		x.Alpha = alpha
		return x
	}
	masked := picture(asset.Mask, asset.Indexed8, hole, red)
	for _, c := range []struct {
		name   string
		t, old *asset.Texture
		want   uint8 // alpha of the first colour
	}{
		{"its own palette", picture(asset.Opaque, asset.Indexed8, key, red), masked, 0},
		{"cut off behind what is used", picture(asset.Opaque, asset.Indexed8, key), masked, 0},
		{"with a colour more", picture(asset.Opaque, asset.Indexed8, key, red, green), masked, 0},
		{"another first colour", picture(asset.Opaque, asset.Indexed8, green, red), masked, 255},
		{"another second colour", picture(asset.Opaque, asset.Indexed8, key, green), masked, 255},
		{"a hole of another colour", picture(asset.Opaque, asset.Indexed8, asset.RGBA{1, 1, 1, 0}, red), masked, 0},
		{"a veil", picture(asset.Opaque, asset.Indexed8, asset.RGBA{9, 8, 7, 127}, red), masked, 127},
		{"of no masked texture", picture(asset.Opaque, asset.Indexed8, key, red), picture(asset.Opaque, asset.Indexed8, hole, red), 255},
		{"true colours", picture(asset.Opaque, asset.RGBA8, key, red), masked, 255},
		{"of a texture without colours", picture(asset.Opaque, asset.Indexed8, key), picture(asset.Mask, asset.Indexed8), 255},
	} {
		was := c.t.Palette[0]
		if got := holed(c.t, c.old); got.Palette[0][3] != c.want || c.t.Palette[0] != was {
			t.Errorf("%s: alpha %d, want %d; the picture itself has %d", c.name, got.Palette[0][3], c.want, c.t.Palette[0][3])
		}
	}
	if x := picture(asset.Opaque, asset.Indexed8); holed(x, masked) != x {
		t.Error("a picture without colours is another one")
	}
}
