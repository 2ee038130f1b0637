package png

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	stdpng "image/png"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/pictures"
	"pgregory.net/rapid"
)

func picture(w, h int, f asset.PixelFormat, pix []byte, palette []asset.RGBA) *asset.Texture {
	m := asset.Image{Width: w, Height: h, Format: f, Pix: pix}
	return &asset.Texture{Palette: palette, Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}

func encode(t testing.TB, x *asset.Texture, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, x, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// header returns bit depth and colour type.
func header(b []byte) [2]byte { return [2]byte(b[24:26]) }

func TestColourTypes(t *testing.T) {
	grey := func(n int) []asset.RGBA {
		p := make([]asset.RGBA, n)
		for i := range p {
			p[i] = asset.RGBA{byte(i), byte(i), byte(i), 255}
		}
		return p
	}
	cases := []struct {
		name string
		x    *asset.Texture
		want [2]byte
	}{
		{"opaque", picture(1, 1, asset.RGBA8, []byte{1, 2, 3, 255}, nil), [2]byte{8, 2}},
		{"opaque, odd", picture(3, 1, asset.RGBA8, []byte{1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255}, nil), [2]byte{8, 2}},
		{"clear at the end", picture(3, 1, asset.RGBA8, []byte{1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 254}, nil), [2]byte{8, 6}},
		{"clear at the start", picture(2, 1, asset.RGBA8, []byte{1, 2, 3, 0, 4, 5, 6, 255}, nil), [2]byte{8, 6}},
		{"two colours", picture(2, 1, asset.Indexed8, []byte{0, 1}, grey(2)), [2]byte{1, 3}},
		{"three colours", picture(2, 1, asset.Indexed8, []byte{0, 2}, grey(3)), [2]byte{2, 3}},
		{"five colours", picture(3, 1, asset.Indexed8, []byte{0, 4, 2}, grey(5)), [2]byte{4, 3}},
		{"17 colours", picture(2, 1, asset.Indexed8, []byte{0, 1}, grey(17)), [2]byte{8, 3}},
		{"256 colours", picture(2, 1, asset.Indexed8, []byte{0, 255}, grey(256)), [2]byte{8, 3}},
		{"grey", picture(2, 1, asset.Gray8, []byte{7, 9}, nil), [2]byte{8, 0}},
		{"grey of two values", picture(2, 1, asset.Gray8, []byte{0, 255}, nil), [2]byte{1, 0}},
		{"deep grey", picture(2, 1, asset.Gray16, []byte{7, 9, 1, 2}, nil), [2]byte{16, 0}},
	}
	for _, c := range cases {
		b := encode(t, c.x, Options{})
		if got := header(b); got != c.want {
			t.Errorf("%s: depth and type %v, want %v", c.name, got, c.want)
		}
		got, err := Decode(bytes.NewReader(b))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got.Alpha = c.x.Alpha
		if !reflect.DeepEqual(got, c.x) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.x)
		}
	}
}

func drawTexture(t *rapid.T) *asset.Texture {
	w, h := rapid.IntRange(1, 70).Draw(t, "width"), rapid.IntRange(1, 40).Draw(t, "height")
	f := rapid.SampledFrom([]asset.PixelFormat{asset.RGBA8, asset.Indexed8, asset.Gray8, asset.Gray16}).Draw(t, "format")
	m := asset.NewImage(w, h, f)
	x := &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
	top := 255
	if f == asset.Indexed8 {
		n := rapid.IntRange(1, 256).Draw(t, "colours")
		colour := rapid.Custom(func(t *rapid.T) asset.RGBA {
			v := rapid.Uint32().Draw(t, "colour")
			return asset.RGBA{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}
		})
		x.Palette = rapid.SliceOfN(colour, n, n).Draw(t, "palette")
		top = n - 1
	}
	if f == asset.RGBA8 && rapid.Bool().Draw(t, "few colours") {
		top = rapid.IntRange(0, 3).Draw(t, "top")
	}
	// Runs and noise, so that every code of the compressor is met.
	seed := rapid.Uint32().Draw(t, "seed")
	for i := 0; i < len(m.Pix); {
		seed = seed*1664525 + 1013904223
		v, run := byte(int(seed>>24)%(top+1)), 1
		if seed>>8&3 == 0 {
			run += int(seed >> 12 & 511)
		}
		for ; run > 0 && i < len(m.Pix); run, i = run-1, i+1 {
			m.Pix[i] = v
		}
	}
	return x
}

func TestThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawTexture(t)
		var b bytes.Buffer
		if err := Encode(&b, x, Options{Small: rapid.Bool().Draw(t, "small")}); err != nil {
			t.Fatal(err)
		}
		got, err := Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		got.Alpha = x.Alpha
		if !reflect.DeepEqual(got, x) {
			t.Fatal("differs")
		}
	})
}

// rgba returns n opaque pixels, each made of its number.
func rgba(n int, pixel func(i int) [4]byte) []byte {
	var pix []byte
	for i := range n {
		p := pixel(i)
		pix = append(pix, p[:]...)
	}
	return pix
}

// RGBA8 is written in the shortest form that loses nothing, and becomes RGBA8 again.
func TestShorterForms(t *testing.T) {
	grey := func(v func(i int) byte) func(i int) [4]byte {
		return func(i int) [4]byte { return [4]byte{v(i), v(i), v(i), 255} }
	}
	coloured := func(n int) func(i int) [4]byte {
		return func(i int) [4]byte { return [4]byte{byte(i % n), byte(i % n), 7, 255} }
	}
	cases := []struct {
		name  string
		w, h  int
		pixel func(i int) [4]byte
		want  [2]byte
	}{
		{"black", 3, 5, grey(func(int) byte { return 0 }), [2]byte{1, typeGray}},
		{"black and white", 9, 3, grey(func(i int) byte { return byte(i%2) * 255 }), [2]byte{1, typeGray}},
		{"thirds", 9, 3, grey(func(i int) byte { return byte(i%4) * 85 }), [2]byte{2, typeGray}},
		{"fifteenths", 9, 3, grey(func(i int) byte { return byte(i%16) * 17 }), [2]byte{4, typeGray}},
		{"greys", 9, 3, grey(func(i int) byte { return byte(i % 3) }), [2]byte{8, typeGray}},
		{"clear greys", 9, 3, func(i int) [4]byte { return [4]byte{9, 9, 9, byte(i)} }, [2]byte{8, typeGrayAlpha}},
		{"a colour", 8, 1, coloured(1), [2]byte{1, typeIndexed}},
		{"two colours", 8, 2, coloured(2), [2]byte{1, typeIndexed}},
		{"four colours", 9, 4, coloured(4), [2]byte{2, typeIndexed}},
		{"five colours", 9, 5, coloured(5), [2]byte{4, typeIndexed}},
		{"17 colours", 17, 8, coloured(17), [2]byte{8, typeIndexed}},
		{"256 colours", 64, 32, coloured(256), [2]byte{8, typeIndexed}},
		{"257 colours", 64, 65, func(i int) [4]byte { return [4]byte{byte(i % 257), byte(i % 257 / 256), 7, 255} }, [2]byte{8, typeRGB}},
		{"many colours for so few pixels", 9, 3, coloured(4), [2]byte{8, typeRGB}},
		{"few clear colours", 8, 8, func(i int) [4]byte { return [4]byte{1, 2, byte(i % 2), byte(i % 4)} }, [2]byte{2, typeIndexed}},
		{"all clear", 8, 8, func(i int) [4]byte { return [4]byte{1, 2, byte(i), 0} }, [2]byte{8, typeRGBA}},
	}
	for _, c := range cases {
		x := picture(c.w, c.h, asset.RGBA8, rgba(c.w*c.h, c.pixel), nil)
		x.Alpha = x.Base().AlphaMode(nil)
		b := encode(t, x, Options{})
		if got := header(b); got != c.want {
			t.Errorf("%s: depth and type %v, want %v", c.name, got, c.want)
		}
		got, err := Decode(bytes.NewReader(b))
		if err != nil || !reflect.DeepEqual(got, x) {
			t.Errorf("%s: got %+v, %v, want %+v", c.name, got, err, x)
		}
		other, err := stdpng.Decode(bytes.NewReader(b))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i := range c.w * c.h {
			seen := color.NRGBAModel.Convert(other.At(i%c.w, i/c.w)).(color.NRGBA)
			if want := c.pixel(i); want[3] != 0 && [4]byte{seen.R, seen.G, seen.B, seen.A} != want {
				t.Errorf("%s: another program sees %v in pixel %d, want %v", c.name, seen, i, want)
				break
			}
		}
	}
}

func TestTrueColour(t *testing.T) {
	for pixel, want := range map[[4]byte]byte{{5, 5, 5, 255}: typeRGB, {5, 5, 5, 7}: typeRGBA} {
		x := picture(8, 8, asset.RGBA8, rgba(64, func(int) [4]byte { return pixel }), nil)
		if b := encode(t, x, Options{TrueColour: true}); b[25] != want || bytes.Contains(b, []byte(markRGBA)) {
			t.Errorf("%v: type %d, want %d", pixel, b[25], want)
		}
	}
}

// The list of alphas ends with the last colour that is not opaque: such colours come first.
func TestClearColoursComeFirst(t *testing.T) {
	b := encode(t, picture(8, 8, asset.RGBA8, rgba(64, func(i int) [4]byte { return [4]byte{1, byte(i % 8), 2, byte(254 + min(i%8, 1))} }), nil), Options{})
	i := bytes.Index(b, []byte("tRNS"))
	if i < 0 || !bytes.Equal(b[i-4:i+5], []byte{0, 0, 0, 1, 't', 'R', 'N', 'S', 254}) {
		t.Errorf("%q", b)
	}
}

// A grey picture or one with a palette that is not marked is what its file says.
func TestOthersAreNotSpread(t *testing.T) {
	for _, f := range []asset.PixelFormat{asset.Gray8, asset.Indexed8} {
		var palette []asset.RGBA
		if f == asset.Indexed8 {
			palette = []asset.RGBA{{1, 2, 3, 255}, {4, 5, 6, 255}}
		}
		b := encode(t, picture(2, 1, f, []byte{0, 1}, palette), Options{})
		got, err := Decode(bytes.NewReader(b))
		if err != nil || got.Base().Format != f || bytes.Contains(b, []byte(markRGBA)) {
			t.Errorf("format %d: got %+v, %v", f, got, err)
		}
	}
}

// Duplicate colours, colours that only differ where they are transparent, and unused ones keep their places.
func TestPaletteIsExact(t *testing.T) {
	p := []asset.RGBA{{9, 9, 9, 255}, {9, 9, 9, 255}, {1, 2, 3, 0}, {3, 2, 1, 0}, {5, 5, 5, 128}, {5, 5, 5, 255}, {0, 0, 0, 255}}
	x := picture(4, 2, asset.Indexed8, []byte{1, 0, 3, 2, 1, 1, 4, 5}, p)
	got, err := Decode(bytes.NewReader(encode(t, x, Options{})))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Palette, p) || !reflect.DeepEqual(got.Base(), x.Base()) || got.Alpha != asset.Blend {
		t.Errorf("got %+v", got)
	}
}

func TestIndexPastPalette(t *testing.T) {
	x := picture(2, 1, asset.Indexed8, []byte{0, 3}, []asset.RGBA{{1, 2, 3, 255}})
	got, err := Decode(bytes.NewReader(encode(t, x, Options{})))
	if err != nil {
		t.Fatal(err)
	}
	want := []asset.RGBA{{1, 2, 3, 255}, {0, 0, 0, 255}, {0, 0, 0, 255}, {0, 0, 0, 255}}
	if !reflect.DeepEqual(got.Palette, want) || !bytes.Equal(got.Base().Pix, []byte{0, 3}) {
		t.Errorf("got %+v", got)
	}
	if len(x.Palette) != 1 {
		t.Error("the palette of the texture was changed")
	}
}

func TestPick(t *testing.T) {
	grey := func(v byte) asset.Image { return asset.Image{Width: 1, Height: 1, Format: asset.Gray8, Pix: []byte{v}} }
	x := &asset.Texture{Frames: []asset.Frame{
		{Mips: []asset.Image{grey(1), grey(2)}, Faces: []asset.Image{grey(3), grey(4), grey(5), grey(6), grey(7)}},
		{Mips: []asset.Image{grey(8)}},
	}}
	cases := []struct {
		o    Options
		want byte
	}{{Options{}, 1}, {Options{Mip: 1}, 2}, {Options{Face: 1}, 3}, {Options{Face: 5}, 7}, {Options{Frame: 1}, 8}}
	for _, c := range cases {
		got, err := Decode(bytes.NewReader(encode(t, x, c.o)))
		if err != nil || got.Base().Pix[0] != c.want {
			t.Errorf("%+v: got %v, %v, want %d", c.o, got, err, c.want)
		}
	}
	for _, o := range []Options{{Frame: 2}, {Frame: -1}, {Mip: 2}, {Mip: -1}, {Face: 6}, {Face: -1}, {Frame: 1, Face: 1}, {Face: 1, Mip: 1}} {
		if err := Encode(io.Discard, x, o); !errors.Is(err, schema.ErrRange) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	cases := []struct {
		name  string
		x     *asset.Texture
		class error
	}{
		{"no width", picture(0, 1, asset.RGBA8, nil, nil), schema.ErrValue},
		{"too wide", picture(1<<20, 1, asset.Gray8, make([]byte, 1<<20), nil), schema.ErrLimit},
		{"short", picture(2, 2, asset.RGBA8, make([]byte, 15), nil), schema.ErrValue},
		{"long", picture(2, 2, asset.RGBA8, make([]byte, 17), nil), schema.ErrValue},
		{"no palette", picture(1, 1, asset.Indexed8, []byte{0}, nil), schema.ErrValue},
	}
	for _, c := range cases {
		if err := Encode(io.Discard, c.x, Options{}); !errors.Is(err, c.class) {
			t.Errorf("%s: %v, want %v", c.name, err, c.class)
		}
	}
}

// short fails after some bytes.
type short int

func (s *short) Write(b []byte) (int, error) {
	if len(b) > int(*s) {
		return 0, io.ErrShortWrite
	}
	*s -= short(len(b))
	return len(b), nil
}

func TestEncodeReportsWriteErrors(t *testing.T) {
	x := picture(2, 1, asset.Indexed8, []byte{0, 1}, []asset.RGBA{{}, {}})
	for n := range encode(t, x, Options{}) {
		s := short(n)
		if err := Encode(&s, x, Options{}); !errors.Is(err, io.ErrShortWrite) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}

// Files of other programs, in the kinds that Encode never writes.
func TestDecodeOthers(t *testing.T) {
	rect := image.Rect(0, 0, 2, 1)
	deep := image.NewNRGBA64(rect)
	deep.Set(0, 0, color.NRGBA64{0x1234, 0x5678, 0x9ABC, 0xFFFF})
	deep.Set(1, 0, color.NRGBA64{0xFF00, 0x00FF, 0x8080, 0x7FFF})
	solid := image.NewRGBA64(rect)
	solid.Set(0, 0, color.RGBA64{0x1234, 0x5678, 0x9ABC, 0xFFFF})
	solid.Set(1, 0, color.RGBA64{1, 2, 3, 0xFFFF})
	cases := []struct {
		name  string
		m     image.Image
		pix   []byte
		alpha asset.AlphaMode
	}{
		{"16 bits", deep, []byte{0x12, 0x56, 0x9A, 0xFF, 0xFF, 0, 0x80, 0x7F}, asset.Blend},
		{"16 bits, opaque", solid, []byte{0x12, 0x56, 0x9A, 0xFF, 0, 0, 0, 0xFF}, asset.Opaque},
	}
	for _, c := range cases {
		var b bytes.Buffer
		if err := stdpng.Encode(&b, c.m); err != nil {
			t.Fatal(err)
		}
		got, err := Decode(&b)
		if err != nil || !bytes.Equal(got.Base().Pix, c.pix) || got.Alpha != c.alpha {
			t.Errorf("%s: got %+v, %v, want %v", c.name, got, err, c.pix)
		}
	}
}

func TestDecodeMalformed(t *testing.T) {
	good := encode(t, picture(8, 8, asset.RGBA8, pictures.Foliage(8), nil), Options{})
	for n := range good {
		_, err := Decode(bytes.NewReader(good[:n]))
		if !errors.Is(err, schema.ErrTruncated) {
			t.Fatalf("%d of %d bytes: %v", n, len(good), err)
		}
	}
	edit := func(at int, v ...byte) []byte {
		b := bytes.Clone(good)
		copy(b[at:], v)
		return b
	}
	cases := []struct {
		name  string
		b     []byte
		class error
	}{
		{"signature", edit(1, 'X'), schema.ErrBadMagic},
		{"huge", edit(16, 0x7F, 0xFF), schema.ErrLimit},
		{"huger", edit(16, 0xFF, 0xFF), schema.ErrLimit},
		{"more than fits", edit(16, 0, 0, 0x0F, 0xFF, 0, 0, 0x10, 0), schema.ErrTruncated},
		{"more than a small file may ask for", edit(16, 0, 0, 0x7F, 0xFF, 0, 0, 0x20, 0), schema.ErrLimit},
		{"more with 16 bits", edit(16, 0, 0, 0x10, 0, 0, 0, 0x10, 1, 16), schema.ErrLimit},
		{"no height", edit(20, 0, 0, 0, 0), schema.ErrValue},
		{"checksum", edit(29, 1, 2, 3, 4), schema.ErrValue},
		{"pixels", edit(60, 1, 2, 3, 4), schema.ErrValue},
	}
	for _, c := range cases {
		if _, err := Decode(bytes.NewReader(c.b)); !errors.Is(err, c.class) {
			t.Errorf("%s: %v, want %v", c.name, err, c.class)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, picture(4, 4, asset.RGBA8, pictures.Foliage(4), nil), Options{}))
	f.Add(encode(f, picture(2, 1, asset.Indexed8, []byte{0, 1}, []asset.RGBA{{}, {}}), Options{}))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := Decode(bytes.NewReader(b))
		if err != nil {
			return
		}
		again, err := Decode(bytes.NewReader(encode(t, x, Options{})))
		if err != nil || !reflect.DeepEqual(again, x) {
			t.Errorf("does not return: %v", err)
		}
	})
}

// An error says its package once, though the library's begins with it as well.
func TestErrorsSayPNGOnce(t *testing.T) {
	var b bytes.Buffer
	if err := stdpng.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	content := b.Bytes()
	content[30] ^= 1 // the checksum of its header
	_, err := Decode(bytes.NewReader(content))
	if err == nil || strings.Count(err.Error(), "png: ") != 1 {
		t.Errorf("%v", err)
	}
}
