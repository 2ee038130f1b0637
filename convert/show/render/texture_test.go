package render

import (
	"image"
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestTextureZoom: each texel is a square of a whole number of pixels, with its very colour.
func TestTextureZoom(t *testing.T) {
	pixels := []asset.RGBA{{1, 2, 3, 255}, {4, 5, 6, 128}, {250, 0, 7, 0}, {9, 9, 9, 1}, {0, 255, 0, 255}, {8, 7, 6, 5}}
	for _, c := range []struct{ width, height, zoom int }{{0, 0, 1}, {30, 30, 10}, {30, 11, 5}, {3, 2, 1}} {
		p, err := Texture(picture(3, pixels...), Options{Width: c.width, Height: c.height})
		if err != nil {
			t.Fatal(err)
		}
		if want := image.Rect(0, 0, 3*c.zoom, 2*c.zoom); p.Rect != want {
			t.Errorf("%d x %d: %v, want %v", c.width, c.height, p.Rect, want)
			continue
		}
		for y := range 2 * c.zoom {
			for x := range 3 * c.zoom {
				want := pixels[y/c.zoom*3+x/c.zoom]
				if got := asset.RGBA(p.Pix[4*(y*3*c.zoom+x):]); got != want {
					t.Fatalf("%d x %d: pixel %d, %d is %v, want %v", c.width, c.height, x, y, got, want)
				}
			}
		}
		if !slices.Equal(p.Facts, []string{"3 x 2"}) {
			t.Errorf("facts %q", p.Facts)
		}
	}
}

// TestTextureSmaller: what is too large is shown smaller by a whole number; transparent texels have no colour.
func TestTextureSmaller(t *testing.T) {
	p, err := Texture(picture(3, red, none, blue, red, asset.RGBA{0, 255, 0, 0}, blue, white, white, asset.RGBA{10, 20, 30, 255}), Options{Width: 2, Height: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := []uint8{255, 0, 0, 128, 0, 0, 255, 255, 255, 255, 255, 255, 10, 20, 30, 255}
	if p.Rect != image.Rect(0, 0, 2, 2) || !slices.Equal(p.Pix, want) {
		t.Errorf("%v %v, want %v", p.Rect, p.Pix, want)
	}
	if !slices.Equal(p.Facts, []string{"3 x 3", "shown 1:2"}) {
		t.Errorf("facts %q", p.Facts)
	}
}

// TestTextureNarrow: one side that is asked for is enough to make it smaller.
func TestTextureNarrow(t *testing.T) {
	for _, o := range []Options{{Width: 1}, {Height: 1}, {Width: 1, Height: 1}} {
		p, err := Texture(picture(2, red, red, red, red), o)
		if err != nil || p.Rect != image.Rect(0, 0, 1, 1) || !slices.Equal(p.Facts, []string{"2 x 2", "shown 1:2"}) {
			t.Errorf("%+v: %v, %q, %v", o, p.Rect, p.Facts, err)
		}
	}
}

// TestTextureBehind: alpha shows the chequerboard or the background.
func TestTextureBehind(t *testing.T) {
	x := picture(2, none, red, asset.RGBA{255, 0, 0, 127}, none)
	p, err := Texture(x, Options{Width: 32, Height: 32, Checker: true})
	if err != nil {
		t.Fatal(err)
	}
	light, dark := checkers[0], checkers[1]
	for _, c := range []struct {
		x, y int
		want asset.RGBA
	}{{0, 0, light}, {8, 0, dark}, {8, 8, light}, {20, 3, red}, {0, 16, asset.RGBA{203, 77, 77, 255}}, {24, 24, light}, {24, 16, dark}} {
		wantPixel(t, "chequerboard", p, c.x, c.y, c.want)
	}
	p, _ = Texture(x, Options{Background: blue})
	wantPixel(t, "background", p, 0, 0, blue)
	wantPixel(t, "background", p, 0, 1, asset.RGBA{127, 0, 128, 255})
}

// TestTextureFormats: palettes and greys have the colours that they stand for.
func TestTextureFormats(t *testing.T) {
	one := func(f asset.PixelFormat, pix ...byte) *asset.Texture {
		return &asset.Texture{
			Frames:  []asset.Frame{{Mips: []asset.Image{{Width: 1, Height: 1, Format: f, Pix: pix}}}},
			Palette: []asset.RGBA{red, {1, 2, 3, 4}},
		}
	}
	for _, c := range []struct {
		texture *asset.Texture
		want    asset.RGBA
	}{
		{one(asset.RGBA8, 1, 2, 3, 4), asset.RGBA{1, 2, 3, 4}},
		{one(asset.Indexed8, 1), asset.RGBA{1, 2, 3, 4}},
		{one(asset.Indexed8, 7), asset.RGBA{}},
		{one(asset.Gray8, 77), asset.RGBA{77, 77, 77, 255}},
		{one(asset.Gray16, 1, 200), asset.RGBA{200, 200, 200, 255}},
	} {
		p, err := Texture(c.texture, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := asset.RGBA(p.Pix); got != c.want {
			t.Errorf("format %d: %v, want %v", c.texture.Base().Format, got, c.want)
		}
	}
	for _, bad := range []*asset.Texture{{}, one(asset.RGBA8, 1, 2, 3), one(asset.Gray16, 1)} {
		if _, err := Texture(bad, Options{}); err == nil {
			t.Errorf("%+v has a picture", bad)
		}
	}
}

// TestWrap: what lies outside a texture, to the left and to the right.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		wrap asset.Wrap
		want []int
	}{
		{asset.Repeat, []int{1, 2, 0, 1, 2, 0, 1, 2, 0, 1}},
		{asset.Clamp, []int{0, 0, 0, 0, 0, 0, 1, 2, 2, 2}},
		{asset.Mirror, []int{1, 0, 0, 1, 2, 2, 1, 0, 0, 1}},
	} {
		for k, at := range []int{-5, -4, -3, -2, -1, 0, 1, 2, 3, 4} {
			want := c.want[k]
			if c.wrap == asset.Mirror {
				want = []int{1, 2, 2, 1, 0, 0, 1, 2, 2, 1}[k]
			}
			if got := wrap(at, 3, c.wrap); got != want {
				t.Errorf("mode %d: %d becomes %d, want %d", c.wrap, at, got, want)
			}
		}
		for _, at := range []int{-1 << 40, 1<<40 + 1} {
			if got := wrap(at, 4, c.wrap); got < 0 || got > 3 {
				t.Errorf("mode %d: %d becomes %d", c.wrap, at, got)
			}
		}
	}
}

// TestSampling: between the middles of two texels their colours are mixed, unless the filter is nearest.
func TestSampling(t *testing.T) {
	s := sampler{texels: newTexels(picture(2, asset.RGBA{0, 0, 0, 255}, asset.RGBA{200, 100, 40, 255})), wrap: [2]asset.Wrap{asset.Clamp, asset.Clamp}}
	for _, c := range []struct {
		u    float32
		want asset.RGBA
	}{
		{0, asset.RGBA{0, 0, 0, 255}}, {0.25, asset.RGBA{0, 0, 0, 255}}, {0.5, asset.RGBA{100, 50, 20, 255}},
		{0.625, asset.RGBA{150, 75, 30, 255}}, {0.75, asset.RGBA{200, 100, 40, 255}}, {1, asset.RGBA{200, 100, 40, 255}},
		{float32(math.NaN()), asset.RGBA{0, 0, 0, 255}},
	} {
		x := s.at(s.level(0), c.u, 0.5)
		got := asset.RGBA{byte(x), byte(x >> 8), byte(x >> 16), byte(x >> 24)}
		for k := range got {
			if d := int(got[k]) - int(c.want[k]); d > 1 || d < -1 {
				t.Errorf("at %g: %v, want %v", c.u, got, c.want)
				break
			}
		}
	}
	s.nearest = true
	if x := s.at(s.level(0), 0.51, 0.5); byte(x) != 200 {
		t.Errorf("nearest gives %08x", x)
	}
}

// TestLevels: smaller levels are the mean of the larger ones, and the one is chosen whose texels are about as large as
// pixels.
func TestLevels(t *testing.T) {
	x := newTexels(picture(4, red, blue, white, none, blue, red, none, white))
	if l := x.level(1); l.width != 2 || l.height != 1 || l.pix[0] != 0xFF800080 || l.pix[1] != 0x80FFFFFF {
		t.Errorf("level 1: %+v", l)
	}
	if l := x.level(9); l.width != 1 || l.height != 1 {
		t.Errorf("the last level has %d x %d texels", l.width, l.height)
	}
	s := sampler{texels: x}
	for _, c := range []struct{ ratio, width float32 }{{0.1, 4}, {3.9, 4}, {4, 2}, {15, 2}, {16, 1}, {1e30, 1}, {float32(math.NaN()), 4}, {float32(math.Inf(1)), 1}} {
		if l := s.choose(c.ratio, 1); float32(l.width) != c.width {
			t.Errorf("%g texels a pixel: %d wide, want %g", c.ratio, l.width, c.width)
		}
	}
}

// TestFar: a fine pattern that is far away is its mean, not a part of it.
func TestFar(t *testing.T) {
	pixels := make([]asset.RGBA, 256*256)
	for i := range pixels {
		if (i+i/256)&1 == 0 {
			pixels[i] = white
		} else {
			pixels[i] = asset.RGBA{0, 0, 0, 255}
		}
	}
	p := shoot(t, sceneOf(quad(1, 0, textured(256, pixels...))), ahead)
	for y := range 32 {
		for x := range 32 {
			wantPixel(t, "pattern", p, x, y, asset.RGBA{128, 128, 128, 255})
		}
	}
}

// TestTextureUse: wrap modes, the set of coordinates and the transform of a material arrive in the picture.
func TestTextureUse(t *testing.T) {
	for _, c := range []struct {
		name string
		use  func(r *asset.TextureRef)
		want [4]asset.RGBA
	}{
		{"as it is", func(*asset.TextureRef) {}, [4]asset.RGBA{red, green, blue, white}},
		{"moved", func(r *asset.TextureRef) {
			r.Transform = &asset.TextureTransform{Offset: [2]float32{0.5, 0}, Scale: [2]float32{1, 1}}
		}, [4]asset.RGBA{green, red, white, blue}},
		{"moved and clamped", func(r *asset.TextureRef) {
			r.Transform, r.WrapS = &asset.TextureTransform{Offset: [2]float32{0.5, 0}, Scale: [2]float32{1, 1}}, asset.Clamp
		}, [4]asset.RGBA{green, green, white, white}},
		{"mirrored", func(r *asset.TextureRef) {
			r.Transform, r.WrapS = &asset.TextureTransform{Offset: [2]float32{1, 0}, Scale: [2]float32{1, 1}}, asset.Mirror
		}, [4]asset.RGBA{green, red, white, blue}},
		{"the other set", func(r *asset.TextureRef) { r.TexCoord = 1 }, [4]asset.RGBA{white, white, white, white}},
		{"a set that is not there", func(r *asset.TextureRef) { r.TexCoord = 2 }, [4]asset.RGBA{red, red, red, red}},
	} {
		m := textured(2, red, green, blue, white)
		m.BaseColorTexture.Filter = asset.Nearest
		c.use(m.BaseColorTexture)
		q := quad(1, 0, m)
		q.TexCoords = append(q.TexCoords, slices.Repeat([][2]float32{{0.75, 0.75}}, 4))
		wantCorners(t, c.name, shoot(t, sceneOf(q), ahead), c.want)
	}
}
