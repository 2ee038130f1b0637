package texture

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// What bytes a pixel becomes in each format, and how it is shown again.
func TestPixelBytes(t *testing.T) {
	colours, _ := PaletteOf(madeEnv(t, ""), false)
	for _, c := range []struct {
		kind   ultima9.PixelFormat
		flags  ultima9.FrameFlags
		pixel  asset.RGBA
		stored string
		shown  asset.RGBA
	}{
		{ultima9.RGB565, ultima9.RGB565.Flags(), asset.RGBA{255, 0, 0, 255}, "00f8", asset.RGBA{255, 0, 0, 255}},
		{ultima9.RGB565, ultima9.RGB565.Flags(), asset.RGBA{0, 0, 255, 255}, "1f00", asset.RGBA{0, 0, 255, 255}},
		{ultima9.RGB565, ultima9.RGB565.Flags().WithKey(0xF81F), asset.RGBA{255, 0, 255, 255}, "3ff8", asset.RGBA{255, 4, 255, 255}}, // it is the key's colour
		{ultima9.RGB565, ultima9.RGB565.Flags().WithKey(0xF81F), asset.RGBA{9, 9, 9, 127}, "1ff8", asset.RGBA{255, 0, 255, 0}},
		{ultima9.RGB565, ultima9.RGB565.Flags().WithKey(0xF81F), asset.RGBA{0, 0, 255, 128}, "1f00", asset.RGBA{0, 0, 255, 255}},
		{ultima9.ARGB1555, ultima9.ARGB1555.Flags(), asset.RGBA{255, 0, 0, 255}, "00fc", asset.RGBA{255, 0, 0, 255}},
		{ultima9.ARGB1555, ultima9.ARGB1555.Flags(), asset.RGBA{0, 255, 0, 0}, "e003", asset.RGBA{0, 255, 0, 0}},
		{ultima9.AI44, ultima9.AI44.Flags(), asset.RGBA{0x55, 0x55, 0x55, 0xCC}, "c5", asset.RGBA{0x55, 0x55, 0x55, 0xCC}},
		{ultima9.AI44, ultima9.AI44.Flags(), asset.RGBA{255, 0, 0, 0xFF}, "f4", asset.RGBA{0x44, 0x44, 0x44, 0xFF}}, // its luminance is 76
		{ultima9.AI88, ultima9.AI88.Flags(), asset.RGBA{255, 0, 0, 12}, "4c0c", asset.RGBA{76, 76, 76, 12}},
		{ultima9.AI88, ultima9.AI88.Flags(), asset.RGBA{0, 255, 0, 12}, "960c", asset.RGBA{150, 150, 150, 12}},
		{ultima9.AI88, ultima9.AI88.Flags(), asset.RGBA{0, 0, 255, 12}, "1d0c", asset.RGBA{29, 29, 29, 12}},
		{ultima9.AI88, ultima9.AI88.Flags(), asset.RGBA{255, 255, 255, 12}, "ff0c", asset.RGBA{255, 255, 255, 12}},
		{ultima9.AI88, ultima9.AI88.Flags(), asset.RGBA{3, 1, 0, 12}, "010c", asset.RGBA{1, 1, 1, 12}}, // 1.484
		{ultima9.AI88, ultima9.AI88.Flags(), asset.RGBA{0, 6, 0, 12}, "040c", asset.RGBA{4, 4, 4, 12}}, // 3.522
		{ultima9.A8, ultima9.A8.Flags(), asset.RGBA{255, 0, 0, 200}, "c8", asset.RGBA{200, 200, 200, 200}},
		{ultima9.A8, ultima9.A8.Flags(), asset.RGBA{255, 0, 0, 255}, "4c", asset.RGBA{76, 76, 76, 76}},
		{ultima9.P8, ultima9.P8.Flags(), asset.RGBA{100, 155, 188, 255}, "64", asset.RGBA{100, 155, 188, 255}},
		{ultima9.P8, ultima9.P8.Flags() &^ ultima9.FlagNoKey, asset.RGBA{100, 155, 188, 127}, "fe", asset.RGBA{254, 1, 242, 0}},
		{ultima9.P8, ultima9.P8.Flags() &^ ultima9.FlagNoKey, asset.RGBA{100, 155, 188, 128}, "64", asset.RGBA{100, 155, 188, 255}},
		{ultima9.P8, ultima9.P8.Flags(), asset.RGBA{254, 1, 242, 255}, "fe", asset.RGBA{254, 1, 242, 255}},
	} {
		b, err := (&encoder{format: c.kind, flags: c.flags, match: newMatcher(colours, c.flags.Keyed())}).encode(c.pixel[:], 1, 1)
		if err != nil || fmt.Sprintf("%x", b) != c.stored {
			t.Errorf("%v %v is %x, want %s: %v", c.kind, c.pixel, b, c.stored, err)
			continue
		}
		pix, err := decodePixels(nil, b, 1, 1, c.kind, c.flags, colours)
		if err != nil || asset.RGBA(pix) != c.shown {
			t.Errorf("%v %v is shown as %v, want %v: %v", c.kind, c.pixel, pix, c.shown, err)
		}
	}
}

// Of an 8-bit picture the stored indices stay that still have their colour, where several have it; runs of a colour get one index.
func TestStoredIndices(t *testing.T) {
	colours := new([256]asset.RGBA)
	for i := range colours {
		colours[i] = asset.RGBA{uint8(i / 2), 0, 0, 255}
	}
	pix := func(reds ...byte) (p []byte) {
		for _, r := range reds {
			p = append(p, r, 0, 0, 255)
		}
		return p
	}
	for _, c := range []struct {
		stored, want []byte
		pix          []byte
	}{
		{nil, []byte{20, 20, 22, 20}, pix(10, 10, 11, 10)}, {[]byte{21, 20, 23, 9}, []byte{21, 20, 23, 20}, pix(10, 10, 11, 10)},
		{[]byte{21, 21}, []byte{20, 20, 22, 20}, pix(10, 10, 11, 10)}, {[]byte{0, 1, 2, 3}, []byte{0, 1, 2, 20}, pix(0, 0, 1, 10)},
		{nil, []byte{0, 0, 10, 255}, pix(0, 0, 5, 127)}, {nil, []byte{20, 0, 20}, pix(10, 0, 10)},
	} {
		m := newMatcher(colours, false)
		m.stored = c.stored
		got := make([]byte, len(c.want))
		m.indices(got, c.pix)
		want := bytes.Clone(c.want)
		for i, v := range want {
			if v == 255 {
				want[i] = 254 // two have it: the first
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%v of %v: %v, want %v", c.stored, c.pix, got, want)
		}
	}
}

// Pixels too few for their size are nothing where there are none; pictures that nobody can hold are refused.
func TestShortPixels(t *testing.T) {
	colours := new([256]asset.RGBA)
	for i := range colours {
		colours[i] = asset.RGBA{uint8(i), 0, 0, 255}
	}
	lent := &format.Scratch{}
	if _, err := decodePixels(lent, bytes.Repeat([]byte{9}, 4), 2, 2, ultima9.P8, ultima9.P8.Flags(), colours); err != nil {
		t.Fatal(err)
	}
	got, err := decodePixels(lent, []byte{7, 8}, 2, 2, ultima9.P8, ultima9.P8.Flags(), colours)
	if want := []byte{7, 0, 0, 255, 8, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0}; err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, want %v: %v", got, want, err)
	}
	if _, err := decodePixels(nil, nil, 1<<20, 1<<20, ultima9.P8, ultima9.P8.Flags(), colours); schema.Class(err) != schema.ErrLimit && err == nil {
		t.Errorf("a picture that is too large: %v", err)
	}
}

// Pictures in other forms are taken as RGBA; what is no picture is refused.
func TestToRGBA(t *testing.T) {
	palette := []asset.RGBA{{1, 2, 3, 4}, {5, 6, 7, 8}}
	for _, c := range []struct {
		m    asset.Image
		want string
	}{
		{asset.Image{Width: 1, Height: 1, Pix: []byte{1, 2, 3, 4}}, "[1 2 3 4]"},
		{asset.Image{Width: 3, Height: 1, Format: asset.Indexed8, Pix: []byte{1, 0, 2}}, "[5 6 7 8 1 2 3 4 0 0 0 255]"},
		{asset.Image{Width: 1, Height: 2, Format: asset.Gray8, Pix: []byte{9, 10}}, "[9 9 9 255 10 10 10 255]"},
		{asset.Image{Width: 2, Height: 1, Format: asset.Gray16, Pix: []byte{9, 10, 11, 12}}, "[10 10 10 255 12 12 12 255]"},
		{asset.Image{Width: 0, Height: 1}, "u9-texture: pixels: 0 x 1 pixels in 0 bytes, expected 0"},
		{asset.Image{Width: 1, Height: 0}, "u9-texture: pixels: 1 x 0 pixels in 0 bytes, expected 0"},
		{asset.Image{Width: -1, Height: -1, Pix: []byte{1, 2, 3, 4}}, "u9-texture: pixels: -1 x -1 pixels in 4 bytes, expected 4"},
		{asset.Image{Width: 1, Height: 1, Pix: []byte{1, 2, 3}}, "u9-texture: pixels: 1 x 1 pixels in 3 bytes, expected 4"},
	} {
		pix, err := ToRGBA(&c.m, palette)
		if got := fmt.Sprint(pix); err != nil && err.Error() != c.want || err == nil && got != c.want {
			t.Errorf("%+v: %s, %v, want %s", c.m, got, err, c.want)
		}
	}
}

// Pictures are the same where all that is seen of them is.
func TestSamePixels(t *testing.T) {
	for _, c := range []struct {
		a, b []byte
		want bool
	}{
		{[]byte{1, 2, 3, 255}, []byte{1, 2, 3, 255}, true}, {[]byte{1, 2, 3, 255}, []byte{1, 2, 4, 255}, false}, {[]byte{1, 2, 3, 255}, []byte{1, 2, 3, 254}, false},
		{[]byte{1, 2, 3, 0}, []byte{9, 9, 9, 0}, true}, {[]byte{1, 2, 3, 0}, []byte{1, 2, 3, 1}, false}, {[]byte{1, 2, 3, 1}, []byte{9, 2, 3, 1}, false},
		{[]byte{1, 2, 3, 255}, nil, false}, {nil, nil, true}, {[]byte{1, 2, 3, 0, 5, 5, 5, 5}, []byte{0, 0, 0, 0, 5, 5, 5, 6}, false},
	} {
		if got := SamePixels(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

// A palette is a picture of its colours, and what stands behind these and beside them stays.
func TestMadePalettePicture(t *testing.T) {
	p := new(ultima9.Palette)
	for i := range p.Colors {
		p.Colors[i] = [4]uint8{uint8(i), 1, 2, uint8(i) ^ 0x5A}
	}
	p.Trailing = []byte("more")
	want := u9.Do(write.Palette(p))(t)
	if got := fmt.Sprint(paletteFacts(p)); got != "[{colours 256} {trailing bytes 4}]" {
		t.Error(got)
	}
	a := u9.Do(liftPalette(p, nil))(t)
	if m := a.Base(); m.Width != 16 || m.Height != 16 || m.Pix[17] != 17 || a.Palette[17] != (asset.RGBA{17, 1, 2, 255}) || a.Name != "palette" {
		t.Errorf("%+v", a)
	}
	x := u9.ThroughPNG(t, a)
	if got := u9.Do(write.Palette(u9.Do(lowerPalette(x, nil))(t)))(t); !bytes.Equal(got, want) {
		t.Error("untouched, it has other bytes")
	}
	env := madeEnv(t, "")
	x.Palette[17] = asset.RGBA{9, 8, 7, 100}
	got := u9.Do(lowerPalette(x, env))(t)
	if got.Colors[17] != [4]uint8{9, 8, 7, 17 ^ 0x5A} || got.Colors[16] != p.Colors[16] || got.Colors[18] != p.Colors[18] || corpus.Codes(env.Diagnostics, schema.Note) != "alpha" {
		t.Errorf("edited: %v, told %s", got.Colors[17], corpus.Codes(env.Diagnostics, schema.Note))
	}
	x.Native = nil
	if got := u9.Do(lowerPalette(x, nil))(t); got.Colors[18] != [4]uint8{18, 1, 2, 0} || got.Trailing != nil {
		t.Errorf("new: %v, %q", got.Colors[18], got.Trailing)
	}
	for _, m := range []asset.Image{{}, asset.NewImage(16, 15, asset.RGBA8), asset.NewImage(17, 16, asset.RGBA8)} {
		if _, err := lowerPalette(&asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}, nil); schema.Class(err) != schema.ErrValue {
			t.Errorf("%d x %d: %v", m.Width, m.Height, err)
		}
	}
	if _, err := lowerPalette(&asset.Texture{}, nil); schema.Class(err) != schema.ErrValue {
		t.Errorf("no picture: %v", err)
	}
}

// Pictures of savegames keep their sides, and the indices of what nobody edited.
func TestMadeSavePicture(t *testing.T) {
	stored := &ultima9.SavePicture{Width: 3, Height: 2, Rows: make([]uint32, 2), Pixels: []byte{0, 1, 2, 3, 254, 255}}
	if got := fmt.Sprint(SavePicture.Facts(stored)); got != "[{size 3 x 2}]" {
		t.Error(got)
	}
	none := func() *format.Env { return &format.Env{Files: contents{}, Diagnostics: new(schema.Diagnostics)} }
	for _, c := range []struct {
		name        string
		lift, lower *format.Env
		edit        func(a *asset.Texture)
		want, told  string
	}{
		{"untouched", madeEnv(t, ""), madeEnv(t, ""), nil, "[0 1 2 3 254 255]", ""},
		{"a pixel", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{100, 155, 188, 255}) }, "[100 1 2 3 254 255]", ""},
		{"a colour that no index has", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{101, 155, 188, 255}) }, "[100 1 2 3 254 255]", ""},
		{"a hole", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{0, 255, 0, 0}) }, "[0 1 2 3 254 255]", "alpha"},
		{"greys", none(), none(), func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{7, 7, 7, 255}) }, "[7 1 2 3 254 255]", ""},
		{"greys, with the palette there now", none(), madeEnv(t, ""), func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{7, 7, 7, 255}) }, "[7 1 2 3 254 255]", ""},
		{"a palette that is gone", madeEnv(t, ""), none(), nil, "[0 1 2 3 254 255]", ""},
		{"gone, and an edit", madeEnv(t, ""), none(), func(a *asset.Texture) { a.Frames[0].Mips[0].Pix[0] = 9 }, ErrNoPalette(SavePictureName).Error(), ""},
		{"gone, and other colours", madeEnv(t, ""), none(), func(a *asset.Texture) { a.Palette[9][0]++ }, ErrNoPalette(SavePictureName).Error(), ""},
		{"another width", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) { paint(a, 0, 2, 2, asset.RGBA{}) }, "u9-savepicture: size: the picture is 3 x 2 pixels, and must stay so", ""},
		{"another height", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) { paint(a, 0, 3, 3, asset.RGBA{}) }, "u9-savepicture: size: the picture is 3 x 2 pixels, and must stay so", ""},
		{"no picture", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) { a.Frames = nil }, "u9-savepicture: size: the picture is 3 x 2 pixels, and must stay so", ""},
		{"nothing stored", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) { a.Native = nil }, "u9-savepicture: a picture can only be put in the place of another one", ""},
		{"of another format", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) { a.Native.Format = Name }, "u9-savepicture: a picture can only be put in the place of another one", ""},
		{"8-bit greys", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) {
			a.Frames[0].Mips[0] = asset.Image{Width: 3, Height: 2, Format: asset.Gray8, Pix: []byte{127, 127, 127, 127, 127, 127}}
		}, "[128 128 128 128 128 128]", ""},
		{"16-bit greys", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) {
			a.Frames[0].Mips[0] = asset.Image{Width: 3, Height: 2, Format: asset.Gray16, Pix: make([]byte, 12)}
		}, "u9-savepicture: pixels: 16-bit greys", ""},
		{"colours too few", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) { a.Palette = a.Palette[:254] }, "u9-savepicture: pixels: index 254 of 254 colours", "alpha"},
		{"pixels too few", madeEnv(t, ""), madeEnv(t, ""), func(a *asset.Texture) { m := &a.Frames[0].Mips[0]; m.Pix = m.Pix[:5] }, "u9-savepicture: pixels: 5 bytes, 6 expected", ""},
	} {
		a := u9.Do(liftSavePicture(stored, c.lift))(t)
		if grey := c.lift.Files.(contents)["ankh.pal"] == nil; grey != c.lift.Diagnostics.Has("no-palette") || (a.Palette[9] == asset.RGBA{9, 9, 9, 255}) != grey {
			t.Errorf("%s: shown with %v, told %v", c.name, a.Palette[9], c.lift.Diagnostics.All())
		}
		a = &asset.Texture{Palette: append([]asset.RGBA{}, a.Palette...), Native: a.Native, Frames: []asset.Frame{{Mips: []asset.Image{a.Frames[0].Mips[0]}}}}
		a.Frames[0].Mips[0].Pix = bytes.Clone(a.Frames[0].Mips[0].Pix)
		if c.edit != nil {
			c.edit(a)
		}
		c.lower.Diagnostics = new(schema.Diagnostics)
		x, err := lowerSavePicture(a, c.lower)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(x.Pixels)
		}
		if told := corpus.Codes(c.lower.Diagnostics, schema.Note); got != c.want || told != c.told {
			t.Errorf("%s: %s, told %q; want %s, %q", c.name, got, told, c.want, c.told)
		}
	}
}
