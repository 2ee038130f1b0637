package picture

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	stdpng "image/png"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	write "github.com/usher-assets/usher/write/media"
)

// grey makes an opaque RGBA8 picture of rows of grey values.
func grey(rows ...[]byte) *asset.Image {
	m := asset.NewImage(len(rows[0]), len(rows), asset.RGBA8)
	for i := range m.Width * m.Height {
		v := rows[i/m.Width][i%m.Width]
		copy(m.Pix[4*i:], []byte{v, v, v, 255})
	}
	return &m
}

// shown returns the grey values of a picture, row by row.
func shown(m *asset.Image) (v []byte) {
	for i := 0; i < len(m.Pix); i += 4 {
		v = append(v, m.Pix[i])
	}
	return v
}

// TestHalf: a half is the mean of two by two pixels by what is seen of them, also where a side is odd or one.
func TestHalf(t *testing.T) {
	clear := func(m *asset.Image, pixels ...int) *asset.Image {
		for _, i := range pixels {
			m.Pix[4*i+3] = 0
		}
		return m
	}
	for _, c := range []struct {
		m    *asset.Image
		w, h int
		want []byte
	}{
		{grey([]byte{10, 20}, []byte{31, 40}), 1, 1, []byte{25}},
		{grey([]byte{0, 1}, []byte{0, 1}), 1, 1, []byte{1}},
		{grey([]byte{0, 1}, []byte{0, 0}), 1, 1, []byte{0}},
		{grey([]byte{1, 2, 3, 4}, []byte{5, 6, 7, 8}, []byte{9, 10, 11, 12}, []byte{13, 14, 15, 16}), 2, 2, []byte{4, 6, 12, 14}},
		{grey([]byte{10, 20, 90}, []byte{30, 40, 90}, []byte{90, 90, 90}), 1, 1, []byte{25}},
		{grey([]byte{10, 20, 30, 40, 99}), 2, 1, []byte{15, 35}},
		{grey([]byte{10}, []byte{20}, []byte{30}, []byte{40}), 1, 2, []byte{15, 35}},
		{grey([]byte{77}), 1, 1, []byte{77}},
		{clear(grey([]byte{10, 200}, []byte{200, 20}), 1, 2), 1, 1, []byte{15}},
		{clear(grey([]byte{10, 20}, []byte{30, 40}), 0, 1, 2, 3), 1, 1, []byte{0}},
	} {
		if got := Half(c.m); got.Width != c.w || got.Height != c.h || !slices.Equal(shown(got), c.want) {
			t.Errorf("%v: %d x %d, %v, want %v", shown(c.m), got.Width, got.Height, shown(got), c.want)
		}
	}
	for seen, want := range map[int]byte{0: 0, 1: 64, 2: 128, 3: 191, 4: 255} {
		m := grey([]byte{1, 1}, []byte{1, 1})
		for i := seen; i < 4; i++ {
			m.Pix[4*i+3] = 0
		}
		if got := Half(m).Pix[3]; got != want {
			t.Errorf("%d pixels of four are seen: alpha %d, want %d", seen, got, want)
		}
	}
	faint := grey([]byte{9, 0}, []byte{0, 0})
	faint.Pix[3], faint.Pix[7], faint.Pix[11], faint.Pix[15] = 1, 0, 0, 0
	if got := Half(faint).Pix; !slices.Equal(got, []byte{9, 9, 9, 0}) {
		t.Errorf("what is hardly seen loses its colour: %v", got)
	}
	if Half(nil) != nil {
		t.Error("half of nothing")
	}
}

// TestScaled: pixels lie in the middle of their squares, values between them on the line from one to the next.
func TestScaled(t *testing.T) {
	for _, c := range []struct {
		m    *asset.Image
		w, h int
		want []byte
	}{
		{grey([]byte{0, 100}), 4, 1, []byte{0, 25, 75, 100}},
		{grey([]byte{0}, []byte{100}), 1, 4, []byte{0, 25, 75, 100}},
		{grey([]byte{0, 10, 20, 31}), 2, 1, []byte{5, 26}},
		{grey([]byte{0, 100}, []byte{200, 40}), 1, 1, []byte{85}},
		{grey([]byte{0, 100}, []byte{200, 40}), 3, 3, []byte{0, 50, 100, 100, 85, 70, 200, 120, 40}},
		{grey([]byte{0, 60, 120}), 2, 1, []byte{15, 105}},
		{grey([]byte{7, 9}), 2, 1, []byte{7, 9}},
		{grey([]byte{0}, []byte{100}, []byte{40}, []byte{60}), 1, 8, []byte{0, 25, 75, 85, 55, 45, 55, 60}},
		{grey([]byte{0, 100, 40, 60}), 8, 1, []byte{0, 25, 75, 85, 55, 45, 55, 60}},
	} {
		got := Scale(c.m, c.w, c.h)
		if got.Width != c.w || got.Height != c.h || !slices.Equal(shown(got), c.want) || got.Pix[3] != 255 {
			t.Errorf("%v as %d x %d: %v, want %v", shown(c.m), c.w, c.h, shown(got), c.want)
		}
	}
	for h, want := range map[int]int{1: 1, 3: 2, 6: 4, 7: 8, 13: 16} {
		m := asset.NewImage(2, h, asset.RGBA8)
		if got := PowerOfTwo(&m); got.Width != 2 || got.Height != want {
			t.Errorf("2 x %d becomes %d x %d", h, got.Width, got.Height)
		}
	}
}

// TestScaledHoles: what is not seen gives no colour to what is, and what is half seen half as much.
func TestScaledHoles(t *testing.T) {
	red, hole, veil := asset.RGBA{200, 0, 0, 255}, asset.RGBA{0, 80, 0, 0}, asset.RGBA{100, 0, 0, 85}
	for _, c := range []struct {
		row   []asset.RGBA
		width int
		want  []asset.RGBA
	}{
		{[]asset.RGBA{red, hole}, 4, []asset.RGBA{red, {200, 0, 0, 191}, {200, 0, 0, 64}, hole}},
		{[]asset.RGBA{red, hole}, 1, []asset.RGBA{{200, 0, 0, 128}}},
		{[]asset.RGBA{red, veil}, 1, []asset.RGBA{{175, 0, 0, 170}}},
		{[]asset.RGBA{veil, veil}, 1, []asset.RGBA{veil}},
		{[]asset.RGBA{hole, hole}, 1, []asset.RGBA{hole}},
	} {
		m := asset.NewImage(len(c.row), 1, asset.RGBA8)
		for i, p := range c.row {
			copy(m.Pix[4*i:], p[:])
		}
		got := Scale(&m, c.width, 1)
		for i, want := range c.want {
			if p := asset.RGBA(got.Pix[4*i:]); p != want {
				t.Errorf("%v, pixel %d of %d: %v, want %v", c.row, i, c.width, p, want)
			}
		}
	}
}

// TestDitherSpreads compares with Floyd and Steinberg's weights as they are drawn: 7 ahead, 3, 5 and 1 below, of which ten
// sixteenths are passed on; odd rows go the other way.
func TestDitherSpreads(t *testing.T) {
	const w, h = 9, 6
	r := rand.New(rand.NewPCG(5, 5))
	var pixels [w * h][3]uint8
	var part [w * h]bool
	for i := range pixels {
		pixels[i], part[i] = [3]uint8{uint8(r.UintN(256)), uint8(r.UintN(256)), uint8(r.UintN(256))}, r.UintN(7) > 0
	}
	nearest := func(c [3]uint8) (byte, [3]uint8) {
		entry, shown := byte(1), [3]uint8{}
		for k := range c {
			shown[k] = c[k] / 86 * 120
			entry += c[k] / 86 << (2 * k)
		}
		return entry, shown
	}
	var errors [h + 1][w + 2][3]int
	want := make([]byte, w*h)
	for y := range h {
		for n := range w {
			x, ahead := n, 1
			if y%2 == 1 {
				x, ahead = w-1-n, -1
			}
			if !part[y*w+x] {
				continue
			}
			var c [3]uint8
			for k := range c {
				c[k] = uint8(max(0, min(255, int(pixels[y*w+x][k])+(errors[y][x+1][k]+8)>>4)))
			}
			entry, shown := nearest(c)
			want[y*w+x] = entry
			for k := range c {
				e := (int(c[k]) - int(shown[k])) * 10 / 16
				errors[y][x+1+ahead][k] += 7 * e
				errors[y+1][x+1-ahead][k] += 3 * e
				errors[y+1][x+1][k] += 5 * e
				errors[y+1][x+1+ahead][k] += e
			}
		}
	}
	got := Dither(w, h, func(i int) ([3]uint8, bool) { return pixels[i], part[i] }, nearest)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want\n%v", got, want)
	}
}

// TestReduceClusters: colours that stand in groups become the means of the groups, pixels counted.
func TestReduceClusters(t *testing.T) {
	shades := []Shade{
		{[3]uint8{10, 0, 0}, 1}, {[3]uint8{13, 0, 0}, 2}, {[3]uint8{10, 3, 0}, 3},
		{[3]uint8{200, 100, 0}, 5}, {[3]uint8{200, 104, 0}, 5}, {[3]uint8{200, 102, 8}, 2},
		{[3]uint8{0, 0, 250}, 1}, {[3]uint8{0, 0, 255}, 4}, {[3]uint8{100, 100, 100}, 1},
	}
	for n, want := range map[int][][3]uint8{
		4: {{0, 0, 254}, {11, 2, 0}, {100, 100, 100}, {200, 102, 1}},
		1: {{107, 56, 58}}, 9: {{0, 0, 250}, {0, 0, 255}, {10, 0, 0}, {10, 3, 0}, {13, 0, 0}, {100, 100, 100}, {200, 100, 0}, {200, 102, 8}, {200, 104, 0}},
	} {
		if got := Reduce(shades, n); !slices.Equal(got, want) {
			t.Errorf("%d colours: %v, want %v", n, got, want)
		}
	}
}

// TestReduceStays: a picture that is brought in again gets the palette that it had, so that an archive does not change.
func TestReduceStays(t *testing.T) {
	for _, c := range []struct {
		shades, colours int
		sum             uint32
	}{{300, 2, 0xe10f9e8f}, {300, 16, 0xbe47ecb9}, {1000, 255, 0x253d098b}, {17000, 64, 0x993f9497}} {
		var all []byte
		for _, p := range Reduce(shadesOf(c.shades, 3), c.colours) {
			all = append(all, p[:]...)
		}
		if got := crc32.ChecksumIEEE(all); got != c.sum {
			t.Errorf("%d shades to %d colours: %d colours, 0x%08x, want 0x%08x", c.shades, c.colours, len(all)/3, got, c.sum)
		}
	}
}

// TestAlphaSeen tells pixels that are not seen from those that are seen in part.
func TestAlphaSeen(t *testing.T) {
	for _, c := range []struct {
		alphas      []byte
		clear, soft bool
	}{{[]byte{255, 255}, false, false}, {[]byte{255, 0}, true, false}, {[]byte{254, 255}, false, true}, {[]byte{1, 0}, true, true}} {
		m := grey(make([]byte, 2))
		m.Pix[3], m.Pix[7] = c.alphas[0], c.alphas[1]
		if clear, soft := Alpha(m, nil); clear != c.clear || soft != c.soft {
			t.Errorf("%v: clear %t, soft %t", c.alphas, clear, soft)
		}
	}
	if clear, soft := Alpha(&asset.Image{Width: 1, Height: 1, Format: asset.Gray8}, nil); clear || soft {
		t.Error("pixels that are not there have alpha")
	}
}

// TestPixelKinds: pictures of every kind of pixels become RGBA8 by the same rule, and keep what they are when they are read.
func TestPixelKinds(t *testing.T) {
	palette := []asset.RGBA{{1, 2, 3, 255}, {4, 5, 6, 128}}
	for _, c := range []struct {
		m    asset.Image
		want []byte
	}{
		{asset.Image{Width: 2, Height: 1, Format: asset.Gray8, Pix: []byte{7, 9}}, []byte{7, 7, 7, 255, 9, 9, 9, 255}},
		{asset.Image{Width: 1, Height: 2, Format: asset.Gray16, Pix: []byte{1, 7, 2, 9}}, []byte{7, 7, 7, 255, 9, 9, 9, 255}},
		{asset.Image{Width: 3, Height: 1, Format: asset.Indexed8, Pix: []byte{1, 0, 2}}, []byte{4, 5, 6, 128, 1, 2, 3, 255, 0, 0, 0, 0}},
	} {
		if got, err := RGBA(&c.m, palette); err != nil || !bytes.Equal(got.Pix, c.want) {
			t.Errorf("%+v: %v, %v", c.m, got.Pix, err)
		}
		c.m.Pix = c.m.Pix[1:]
		if _, err := RGBA(&c.m, palette); !errors.Is(err, schema.ErrValue) {
			t.Errorf("a byte too few: %v", err)
		}
	}

	rect := image.Rect(0, 0, 3, 2)
	gray, gray16, half, deep := image.NewGray(rect), image.NewGray16(rect), image.NewRGBA(rect), image.NewNRGBA64(rect)
	for i := range 6 {
		x, y := i%3, i/3
		gray.SetGray(x, y, color.Gray{byte(10 * i)})
		gray16.SetGray16(x, y, color.Gray16{uint16(0x1234 + 0x101*i)})
		half.SetRGBA(x, y, color.RGBA{byte(20 * i), 40, 60, 255})
		deep.SetNRGBA64(x, y, color.NRGBA64{uint16(0x2020 * i), 0x4040, 0x6060, 0x8080})
	}
	large := image.NewNRGBA(image.Rect(0, 0, 5, 4))
	for i := range large.Pix {
		large.Pix[i] = byte(3 * i)
	}
	for _, c := range []struct {
		what   string
		m      image.Image
		format asset.PixelFormat
		want   []byte
	}{
		{"grey", gray, asset.Gray8, []byte{0, 10, 20, 30, 40, 50}},
		{"grey of 16 bits", gray16, asset.Gray16, []byte{0x34, 0x12, 0x35, 0x13, 0x36, 0x14, 0x37, 0x15, 0x38, 0x16, 0x39, 0x17}},
		{"opaque", half, asset.RGBA8, []byte{0, 40, 60, 255, 20, 40, 60, 255, 40, 40, 60, 255, 60, 40, 60, 255, 80, 40, 60, 255, 100, 40, 60, 255}},
		{"deep, with alpha", deep, asset.RGBA8, []byte{0, 64, 96, 128, 32, 64, 96, 128, 64, 64, 96, 128, 96, 64, 96, 128, 128, 64, 96, 128, 160, 64, 96, 128}},
		{"a part of another", large.SubImage(image.Rect(1, 1, 3, 3)), asset.RGBA8, slices.Concat(large.Pix[24:32], large.Pix[44:52])},
		{"a part of grey", gray.SubImage(image.Rect(1, 0, 3, 2)), asset.Gray8, []byte{10, 20, 40, 50}},
	} {
		got, err := texture("x", c.m)
		if err != nil || got.Base().Format != c.format || !bytes.Equal(got.Base().Pix, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.what, got.Base(), err, c.want)
		}
	}
	short := image.NewPaletted(rect, color.Palette{color.NRGBA{9, 8, 7, 128}})
	short.Pix[5] = 2
	got, err := texture("x", short)
	if err != nil || !slices.Equal(got.Palette, []asset.RGBA{{9, 8, 7, 128}, {0, 0, 0, 255}, {0, 0, 0, 255}}) || got.Alpha == asset.Opaque {
		t.Errorf("a palette that is too short: %v, %v", got.Palette, err)
	}
}

// TestWhatIsRefused: errors of the image packages have a class and say their name once, and headers that promise more than
// the file can hold are not believed.
func TestWhatIsRefused(t *testing.T) {
	var b bytes.Buffer
	if err := gif.Encode(&b, paletted(), nil); err != nil {
		t.Fatal(err)
	}
	one := b.Bytes()
	wide := bytes.Clone(one)
	copy(wide[6:], []byte{0xA0, 0x0F, 0xA0, 0x0F})
	for _, c := range []struct {
		what  string
		b     []byte
		class error
		text  string
	}{
		{"cut off", one[:len(one)-40], schema.ErrTruncated, ""},
		{"a header cut off", one[:9], schema.ErrTruncated, ""},
		{"of another version", append([]byte("GIF80a"), one[6:]...), schema.ErrValue, `x.gif: can't recognize format "GIF80a"`},
		{"wide", wide, schema.ErrTruncated, fmt.Sprintf("x.gif: pixels: %d bytes cannot hold 4000 x 4000 pixels", len(wide))},
		{"a bitmap of 7 bits", append([]byte("BM\x3A\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x07\x00"), make([]byte, 30)...), schema.ErrUnsupported, "x.gif: unsupported BMP image"},
		{"nothing", nil, schema.ErrUnsupported, "x.gif: it is none of PNG, JPEG, GIF, DDS, BMP, PCX, TGA"},
	} {
		_, err := DecodeImage("x.gif", c.b)
		if !errors.Is(err, c.class) || c.text != "" && err.Error() != c.text {
			t.Errorf("%s: %v, want %v", c.what, err, c.class)
		}
	}
	b.Reset()
	if err := stdpng.Encode(&b, paletted()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{`a\b/c.d.png`: "c.d", "plain": "plain", `x\y.png`: "y"} {
		if got, err := DecodeImage(name, b.Bytes()); err != nil || got.Name != want {
			t.Errorf("%s is called %q, %v", name, got.Name, err)
		}
	}
}

// TestHeadersTold: a header is that of a TGA or PCX file if every one of its fields can be, and of none if one cannot.
func TestHeadersTold(t *testing.T) {
	tga, pcx := make([]byte, 18), make([]byte, media.PCXHeader)
	tga[2], tga[16] = 2, 24
	copy(pcx, []byte{0x0A, 5, 1, 8})
	pcx[65] = 3
	for _, c := range []struct {
		what  string
		is    func([]byte) bool
		b     []byte
		at    int
		taken []byte
	}{
		{"map of TGA", isTGA, tga, 1, []byte{0, 1}}, {"kind of TGA", isTGA, tga, 2, []byte{1, 2, 3, 9, 10, 11}}, {"bits of TGA", isTGA, tga, 16, []byte{8, 15, 16, 24, 32}},
		{"signature of PCX", isPCX, pcx, 0, []byte{10}}, {"version of PCX", isPCX, pcx, 1, []byte{0, 1, 2, 3, 4, 5}}, {"packing of PCX", isPCX, pcx, 2, []byte{0, 1}},
		{"bits of PCX", isPCX, pcx, 3, []byte{1, 2, 4, 8}}, {"planes of PCX", isPCX, pcx, 65, []byte{1, 2, 3, 4}},
	} {
		for v := range 256 {
			b := bytes.Clone(c.b)
			b[c.at] = byte(v)
			if got := c.is(b); got != slices.Contains(c.taken, byte(v)) {
				t.Errorf("%s %d: %t", c.what, v, got)
			}
		}
		if c.is(c.b[:len(c.b)-1]) || !c.is(c.b) {
			t.Errorf("%s: a byte too few is taken, or the whole is not", c.what)
		}
	}
}

// TestAlphaNobodyClaims: only a file of 32 bits that neither claims alpha nor has any is opaque.
func TestAlphaNobodyClaims(t *testing.T) {
	for _, c := range []struct {
		what       string
		descriptor uint8
		pixels     []byte
		alphas     []byte
		mode       asset.AlphaMode
	}{
		{"none claimed, none there", 0, []byte{1, 2, 3, 0, 4, 5, 6, 0}, []byte{255, 255}, asset.Opaque},
		{"none claimed, the last has some", 0, []byte{1, 2, 3, 0, 4, 5, 6, 9}, []byte{0, 9}, asset.Blend},
		{"claimed, none there", 8, []byte{1, 2, 3, 0, 4, 5, 6, 0}, []byte{0, 0}, asset.Mask},
		{"none claimed, all there", 0, []byte{1, 2, 3, 255, 4, 5, 6, 255}, []byte{255, 255}, asset.Opaque},
	} {
		b, err := write.TGA(&media.TGA{ImageType: 2, Bits: 32, Width: 2, Height: 1, Descriptor: c.descriptor, Pixels: c.pixels})
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeImage("x.tga", b)
		if err != nil {
			t.Fatal(err)
		}
		if p := got.Base().Pix; p[3] != c.alphas[0] || p[7] != c.alphas[1] || got.Alpha != c.mode {
			t.Errorf("%s: alphas %d, %d, mode %v", c.what, p[3], p[7], got.Alpha)
		}
	}
}

// TestWholeLevels: levels count as long as each is half of the one before, and none follows one pixel.
func TestWholeLevels(t *testing.T) {
	for _, c := range []struct {
		sizes string
		want  int
	}{
		{"8x4 4x2 2x1 1x1", 4}, {"8x4 4x2 2x1 1x1 1x1", 4}, {"8x4 4x2 3x1", 2}, {"8x4 4x1", 1}, {"1x1 1x1", 1}, {"1x8 1x4 1x2 1x1 1x1", 4}, {"5x3 2x1 1x1", 3}, {"2x2", 1}, {"2x1 1x1 1x1", 2},
		{"1x2 1x1 1x1", 2},
	} {
		var mips []asset.Image
		for s := range bytes.FieldsSeq([]byte(c.sizes)) {
			var m asset.Image
			fmt.Sscanf(string(s), "%dx%d", &m.Width, &m.Height)
			mips = append(mips, m)
		}
		if got := wholeLevels(mips); len(got) != c.want || cap(got) != c.want {
			t.Errorf("%s: %d levels, want %d", c.sizes, len(got), c.want)
		}
	}
}

// TestNearestEntry: of entries that are equally near the first is taken, also where the distance is as large as can be.
func TestNearestEntry(t *testing.T) {
	list := [][3]uint8{{10, 0, 0}, {0, 10, 0}, {0, 0, 10}, {10, 0, 0}, {255, 255, 255}}
	for c, want := range map[[3]uint8]int{{0, 0, 0}: 0, {10, 0, 0}: 0, {0, 9, 0}: 1, {0, 0, 200}: 2, {200, 200, 200}: 4, {4, 5, 5}: 1, {5, 5, 5}: 0} {
		if got := closest(c, list); got != want {
			t.Errorf("%v: entry %d, want %d", c, got, want)
		}
	}
}
