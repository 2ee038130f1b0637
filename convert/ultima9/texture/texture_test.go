package texture

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image"
	stdpng "image/png"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// pngPixels reads a PNG file of the corpus with the standard library alone.
func pngPixels(t testing.TB, path string) ([]byte, int, int) {
	t.Helper()
	m := u9.Do(stdpng.Decode(bytes.NewReader(corpus.Bytes(t, path))))(t)
	b := m.Bounds()
	out := image.NewNRGBA(b)
	if n, ok := m.(*image.NRGBA); ok {
		return n.Pix, b.Dx(), b.Dy()
	}
	for y := range b.Dy() {
		for x := range b.Dx() {
			out.Set(x, y, m.At(x, y))
		}
	}
	return out.Pix, b.Dx(), b.Dy()
}

func TestTexturePictures(t *testing.T) {
	n := 0
	for _, path := range u9.TextureFiles(t) {
		a := u9.Do(liftTexture(u9.Do(read.Texture(corpus.Bytes(t, path), nil))(t), u9.Env(t, filepath.Base(path))))(t)
		var side struct {
			Frames []struct {
				PNG    string
				Levels []struct {
					SHA string `json:"rgba_sha256"`
				}
			}
			Tolerance int
		}
		corpus.JSON(t, path+".json", &side)
		if len(side.Frames) != len(a.Frames) {
			t.Errorf("%s: %d frames", path, len(a.Frames))
			continue
		}
		for i, f := range side.Frames {
			got := u9.RGBA(t, a, i)
			if side.Tolerance == 0 {
				if sum := sha256.Sum256(got); hex.EncodeToString(sum[:]) != f.Levels[0].SHA {
					t.Errorf("%s: frame %d: other pixels", path, i)
				}
			}
			if f.PNG == "" {
				continue
			}
			n++
			want, w, h := pngPixels(t, u9.Synthetic(t, f.PNG))
			if m := a.Frames[i].Mips[0]; m.Width != w || m.Height != h {
				t.Errorf("%s: frame %d is %d x %d", path, i, m.Width, m.Height)
				continue
			}
			if diff := largestDifference(got, want); diff > side.Tolerance {
				t.Errorf("%s: frame %d differs by %d", path, i, diff)
			} else if diff > 0 {
				t.Logf("%s: frame %d within %d", path, i, diff)
			}
		}
	}
	t.Logf("%d pictures", n)
}

func largestDifference(a, b []byte) int {
	d := 0
	for i := range a {
		d = max(d, int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return d
}

// Every level of every frame decodes to the pixels of the sidecar.
func TestTextureLevels(t *testing.T) {
	n := 0
	for _, path := range u9.TextureFiles(t) {
		env := u9.Env(t, "")
		s := u9.Do(read.Texture(corpus.Bytes(t, path), nil))(t)
		var side struct {
			Frames []struct {
				Levels []struct {
					SHA string `json:"rgba_sha256"`
				}
			}
		}
		corpus.JSON(t, path+".json", &side)
		colours, _ := PaletteOf(env, false)
		for i := range s.Frames {
			kind := u9.Do(s.Format(i))(t)
			for k, level := range s.Frames[i].Levels {
				w, h := s.Frames[i].LevelSize(k)
				sum := sha256.Sum256(u9.Do(decodePixels(nil, level, w, h, kind, s.Frames[i].Flags, colours))(t))
				if got := hex.EncodeToString(sum[:]); got != side.Frames[i].Levels[k].SHA {
					t.Errorf("%s: frame %d level %d: other pixels", path, i, k)
				}
				n++
			}
		}
	}
	t.Logf("%d levels", n)
}

func TestTextureUnedited(t *testing.T) {
	n := 0
	check := func(what string, b []byte) {
		n++
		env := u9.Env(t, "")
		a := u9.Do(liftTexture(u9.Do(read.Texture(b, nil))(t), env))(t)
		for _, x := range []*asset.Texture{a, u9.ThroughPNG(t, a)} {
			s, err := lowerTexture(x, env)
			if err != nil {
				t.Errorf("%s: %v", what, err)
				return
			}
			corpus.SameBytes(t, what, u9.Do(write.Texture(s))(t), b)
		}
	}
	for _, path := range u9.TextureFiles(t) {
		check(path, corpus.Bytes(t, path))
	}
	for _, name := range []string{"texture/bitmap16.flx", "texture/Texture8.9", "texture/texture16.9", "install/static/bitmap16.flx"} {
		b := corpus.Bytes(t, u9.Synthetic(t, name))
		a := u9.Do(read.FLX(bytes.NewReader(b), int64(len(b)), nil))(t)
		for i := range a.Len() {
			if a.Used(i) {
				check(fmt.Sprint(name, ":", i), u9.Do(a.Payload(i))(t))
			}
		}
	}
	t.Logf("%d textures", n)
}

func TestTextureScriptedEdit(t *testing.T) {
	var ops struct{ Input, PNG, Output string }
	corpus.JSON(t, u9.Synthetic(t, "edits", "texture.ops.json"), &ops)
	env := u9.Env(t, "")
	a := u9.Do(liftTexture(u9.Do(read.Texture(corpus.Bytes(t, u9.Synthetic(t, ops.Input)), nil))(t), env))(t)
	p := u9.Do(png.Decode(bytes.NewReader(corpus.Bytes(t, u9.Synthetic(t, ops.PNG)))))(t)
	a.Frames[0].Mips = p.Frames[0].Mips
	a.Palette = p.Palette
	s := u9.Do(lowerTexture(a, env))(t)
	corpus.SameBytes(t, "edited texture", u9.Do(write.Texture(s))(t), corpus.Bytes(t, u9.Synthetic(t, ops.Output)))
}

// An edit of one pixel changes that pixel and the mips, and nothing else of the record.
func TestTextureOnePixel(t *testing.T) {
	for _, name := range []string{"p8_mips", "p8_key", "rgb565_mips", "argb1555", "ai44", "ai88", "a8", "font", "anim", "bc1_opaque"} {
		b := corpus.Bytes(t, u9.Synthetic(t, "texture", name+".tex"))
		env := u9.Env(t, "")
		before := u9.Do(read.Texture(b, nil))(t)
		a := u9.ThroughPNG(t, u9.Do(liftTexture(before, env))(t))
		pix := bytes.Clone(u9.RGBA(t, a, 0))
		m := &a.Frames[0].Mips[0]
		pix[0], pix[1], pix[2], pix[3] = pix[0]^0x80, pix[1]^0x80, pix[2]^0x80, 255
		*m = asset.Image{Width: m.Width, Height: m.Height, Pix: pix}
		after := u9.Do(read.Texture(u9.Do(write.Texture(u9.Do(lowerTexture(a, env))(t)))(t), nil))(t)
		f, g := &before.Frames[0], &after.Frames[0]
		if f.Flags != g.Flags || fmt.Sprint(f.Rows) != fmt.Sprint(g.Rows) || len(f.Levels) != len(g.Levels) || before.Playback != after.Playback {
			t.Errorf("%s: the edit changed more than pixels: %+v, was %+v", name, g, f)
		}
		size := int(u9.Do(before.Format(0))(t).Size(4, 4)) / 16
		if name == "bc1_opaque" {
			size = 8
		}
		if bytes.Equal(f.Levels[0][:size], g.Levels[0][:size]) {
			t.Errorf("%s: the pixel is not in the record", name)
		}
		if name != "bc1_opaque" && !bytes.Equal(f.Levels[0][size:], g.Levels[0][size:]) {
			t.Errorf("%s: other pixels changed", name)
		}
		for i := 1; i < len(before.Frames); i++ {
			if !bytes.Equal(bytes.Join(before.Frames[i].Levels, nil), bytes.Join(after.Frames[i].Levels, nil)) {
				t.Errorf("%s: frame %d changed", name, i)
			}
		}
	}
}

// An edit of one pixel of a block-compressed picture, whoever encoded it, changes the block that the pixel is in.
func TestTextureOneBlock(t *testing.T) {
	const w, h = 14, 10 // 4 x 3 blocks
	blocks := make([]byte, ultima9.BC1.Size(w, h))
	for i := range blocks {
		blocks[i] = byte(i*i*7 + 31*i)
	}
	set := &ultima9.TextureSet{Storage: ultima9.StorageBC1, Frames: []ultima9.TextureFrame{{
		Width: w, Height: h, Flags: ultima9.BC1.Flags(), Rows: make([]uint32, h), Levels: [][]byte{blocks}}}}
	set.Describe()
	env := madeEnv(t, "")
	a := u9.ThroughPNG(t, u9.Do(liftTexture(set, env))(t))
	m := &a.Frames[0].Mips[0]
	pix := bytes.Clone(u9.RGBA(t, a, 0))
	copy(pix[4*(9*w+13):], []byte{1, 2, 250, 255})
	*m = asset.Image{Width: w, Height: h, Pix: pix}
	got := u9.Do(lowerTexture(a, env))(t).Frames[0].Levels[0]
	last := len(blocks) - 8
	if !bytes.Equal(got[:last], blocks[:last]) || bytes.Equal(got[last:], blocks[last:]) {
		t.Errorf("blocks are %x, were %x", got, blocks)
	}
}

// An edit of one pixel changes that pixel or block of each level, and nothing else of levels that another filter made.
func TestTextureOneBlockOfLevels(t *testing.T) {
	const w, h, px, py = 32, 16, 21, 9
	for _, kind := range []ultima9.PixelFormat{ultima9.BC1, ultima9.RGB565, ultima9.ARGB1555, ultima9.AI88, ultima9.P8} {
		f := ultima9.TextureFrame{Width: w, Height: h, Flags: kind.Flags(), Rows: make([]uint32, h)}
		for k := range 3 {
			level := make([]byte, kind.Size(w>>k, h>>k))
			for i := range level {
				level[i] = byte(i*i*7 + 31*i + k)
			}
			f.Levels = append(f.Levels, level)
		}
		set := &ultima9.TextureSet{Mips: 2, Frames: []ultima9.TextureFrame{f}}
		if kind == ultima9.BC1 {
			set.Storage = ultima9.StorageBC1
		}
		set.Describe()
		env := madeEnv(t, "")
		a := u9.ThroughPNG(t, u9.Do(liftTexture(set, env))(t))
		pix := bytes.Clone(u9.RGBA(t, a, 0))
		red := []byte{255, 0, 0, 255}
		for i := range 16 { // all that the pixels of smaller levels are made of
			copy(pix[4*((py&^3+i/4)*w+px&^3+i%4):], red)
		}
		a.Frames[0].Mips[0] = asset.Image{Width: w, Height: h, Pix: pix}
		got := u9.Do(lowerTexture(a, env))(t).Frames[0].Levels
		for k, level := range f.Levels {
			side, size := 4>>k, int(kind.Size(4, 4))/16
			x, y, across := (px&^3)>>k, (py&^3)>>k, w>>k
			if kind == ultima9.BC1 {
				x, y, across, side, size = x/4, y/4, across/4, 1, 8
			}
			same := bytes.Clone(got[k])
			for row := y; row < y+side; row++ {
				at, n := (row*across+x)*size, side*size
				if bytes.Equal(same[at:at+n], level[at:at+n]) {
					t.Errorf("%v: the edit is not in level %d", kind, k)
				}
				copy(same[at:at+n], level[at:at+n])
			}
			if !bytes.Equal(same, level) {
				t.Errorf("%v: level %d changed away from the edit", kind, k)
			}
		}
	}
}

func TestTextureNewFormatSizeAndFrames(t *testing.T) {
	env := u9.Env(t, "")
	b := corpus.Bytes(t, u9.Synthetic(t, "texture", "rgb565_mips.tex"))
	lift := func() *asset.Texture {
		return u9.ThroughPNG(t, u9.Do(liftTexture(u9.Do(read.Texture(b, nil))(t), env))(t))
	}
	lower := func(a *asset.Texture) *ultima9.TextureSet {
		return u9.Do(read.Texture(u9.Do(write.Texture(u9.Do(lowerTexture(a, env))(t)))(t), nil))(t)
	}
	for _, want := range []ultima9.PixelFormat{ultima9.P8, ultima9.RGB565, ultima9.ARGB1555, ultima9.AI44, ultima9.AI88, ultima9.A8, ultima9.BC1} {
		a := lift()
		a.Native.Values["format"] = want.String()
		s := lower(a)
		if got := u9.Do(s.Format(0))(t); got != want {
			t.Errorf("asked for %v, got %v", want, got)
		}
	}
	a := lift()
	a.Frames[0].Mips[0] = asset.NewImage(128, 32, asset.RGBA8)
	for i := range a.Frames[0].Mips[0].Pix {
		a.Frames[0].Mips[0].Pix[i] = 255
	}
	s := lower(a)
	if s.MaxWidth != 128 || s.MaxHeight != 32 || s.Frames[0].Width != 128 || s.Playback.Fields().Log2Width != 7 || s.Playback.Fields().Log2Height != 5 {
		t.Errorf("new size: %+v", s)
	}
	a = lift()
	a.Frames = append(a.Frames, a.Frames[0], a.Frames[0])
	if s = lower(a); len(s.Frames) != 3 || s.Playback.Fields().Last != 2 {
		t.Errorf("three frames: %d, last %d", len(s.Frames), s.Playback.Fields().Last)
	}
	a = lift()
	a.Native.Values["mips"] = 1.0
	if s = lower(a); s.Mips != 1 || len(s.Frames[0].Levels) != 2 {
		t.Errorf("one mip level: %d", s.Mips)
	}
	a = lift()
	a.Native.Values["playback"] = map[string]any{"fps": 12.0, "mode": 1.0}
	if p := lower(a).Playback.Fields(); p.FPS != 12 || p.Mode != 1 {
		t.Errorf("playback %+v", p)
	}
	a.Native.Values["format"] = "dxt9"
	if _, err := lowerTexture(a, env); schema.Class(err) != schema.ErrValue {
		t.Errorf("unknown format: %v", err)
	}
}

func TestTextureFromNothing(t *testing.T) {
	pix := make([]byte, 4*128*128)
	for i := range pix {
		pix[i] = 255
	}
	picture := func() *asset.Texture {
		return &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{{Width: 128, Height: 128, Pix: bytes.Clone(pix)}}}}}
	}
	for name, want := range map[string]ultima9.PixelFormat{"bitmap16.flx": ultima9.RGB565, "BITMAPC.FLX": ultima9.BC1, "bitmapsh.flx": ultima9.P8, "new.tex": ultima9.RGB565} {
		s := u9.Do(lowerTexture(picture(), madeEnv(t, name)))(t)
		if got := u9.Do(s.Format(0))(t); got != want || s.Mips != 5 || s.Frames[0].Flags != want.Flags() {
			t.Errorf("%s: %v with %d mips, flags %x", name, got, s.Mips, s.Frames[0].Flags)
		}
		if u9.Do(read.Texture(u9.Do(write.Texture(s))(t), nil))(t).MaxWidth != 128 {
			t.Errorf("%s: not read back", name)
		}
	}
	holes := picture()
	holes.Frames[0].Mips[0].Pix[3] = 0
	s := u9.Do(lowerTexture(holes, madeEnv(t, "")))(t)
	if f := s.Frames[0]; f.Flags != 0x20000400|0xF81F<<12 || binary.LittleEndian.Uint16(f.Levels[0]) != 0xF81F || f.Rows[1] != 20+4*128+256 {
		t.Errorf("a picture with holes: flags %x, first pixel %x, row 1 at %d", f.Flags, binary.LittleEndian.Uint16(f.Levels[0]), f.Rows[1])
	}
	for what, bad := range map[string]*asset.Texture{
		"no picture": {}, "no level": {Frames: make([]asset.Frame, 1)},
		"too few bytes": {Frames: []asset.Frame{{Mips: []asset.Image{{Width: 2, Height: 2, Pix: make([]byte, 3)}}}}},
		"no size":       {Frames: []asset.Frame{{Mips: []asset.Image{{}}}}},
	} {
		if _, err := lowerTexture(bad, nil); schema.Class(err) != schema.ErrValue {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Without ankh.pal 8-bit pictures are grey, say so, and still come back.
func TestTextureWithoutPalette(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "texture", "p8_mips.tex"))
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	a := u9.Do(liftTexture(u9.Do(read.Texture(b, nil))(t), env))(t)
	if !env.Diagnostics.Has("no-palette") {
		t.Error("nothing was said")
	}
	s := u9.Do(lowerTexture(u9.ThroughPNG(t, a), u9.Env(t, "")))(t)
	corpus.SameBytes(t, "grey lifted, lowered beside a palette", u9.Do(write.Texture(s))(t), b)
}

// A picture in greys that comes back when the palette is there is not taken for one in colours, nor the other way.
func TestTexturePaletteComesAndGoes(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "texture", "p8_mips.tex"))
	stored := u9.Do(read.Texture(b, nil))(t)
	without, with := &format.Env{Diagnostics: new(schema.Diagnostics)}, u9.Env(t, "")
	edited := func(from, to *format.Env) *asset.Texture {
		a := u9.ThroughPNG(t, u9.Do(liftTexture(stored, from))(t))
		m := &a.Frames[0].Mips[0]
		m.Pix, m.Format = bytes.Clone(u9.RGBA(t, a, 0)), asset.RGBA8
		copy(m.Pix, m.Pix[len(m.Pix)-4:])
		a.Native = u9.Do(liftTexture(stored, to))(t).Native // as the archive has it
		return a
	}
	s := u9.Do(lowerTexture(edited(without, with), with))(t)
	got, was := s.Frames[0].Levels[0], stored.Frames[0].Levels[0]
	if !with.Diagnostics.Has("grey-picture") || got[0] != was[len(was)-1] || !bytes.Equal(got[1:], was[1:]) {
		t.Errorf("an edit in greys became %x, was %x: %v", got[:16], was[:16], with.Diagnostics.All())
	}
	if _, err := lowerTexture(edited(with, without), without); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("colours without a palette: %v", err)
	}
}

func TestDamagedFrameFlags(t *testing.T) {
	s := u9.Do(read.Texture(corpus.Bytes(t, u9.Synthetic(t, "texture", "anim.tex")), nil))(t)
	b := u9.Do(write.Texture(s))(t)
	at := int(s.Frames[1].Offset) + 1
	b[at] = 0x01 // one byte a pixel with code 1 has no meaning
	d := new(schema.Diagnostics)
	damaged := u9.Do(read.Texture(b, d))(t)
	if got := u9.Do(damaged.Format(1))(t); got != ultima9.RGB565 || !d.Has("frame-flags") {
		t.Errorf("%v, %v", got, d.All())
	}
	corpus.SameBytes(t, "damaged flags", u9.Do(write.Texture(damaged))(t), b)
	env := u9.Env(t, "")
	a := u9.Do(liftTexture(damaged, env))(t)
	corpus.SameBytes(t, "damaged flags, lifted", u9.Do(write.Texture(u9.Do(lowerTexture(a, env))(t)))(t), b)
}

// Each format returns what it can hold: decoding what was encoded gives what decoding gave.
func TestPixelsThereAndBack(t *testing.T) {
	colours := new([256]asset.RGBA)
	for i := range colours {
		colours[i] = asset.RGBA{uint8(i * 7), uint8(i * 13), uint8(i), 255}
	}
	rapid.Check(t, func(t *rapid.T) {
		kind := ultima9.PixelFormat(rapid.IntRange(int(ultima9.P8), int(ultima9.A8)).Draw(t, "format"))
		w, h := rapid.IntRange(1, 9).Draw(t, "width"), rapid.IntRange(1, 9).Draw(t, "height")
		n := int(kind.Size(uint64(w), uint64(h)))
		src := rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "pixels")
		flags := kind.Flags()
		if rapid.Bool().Draw(t, "keyed") {
			flags = flags.WithKey(binary.LittleEndian.Uint16(append(bytes.Clone(src), 0)))
		}
		pix, err := decodePixels(nil, src, w, h, kind, flags, colours)
		if err != nil {
			t.Fatal(err)
		}
		e := newEncoder(kind, flags, pix, colours, media.Quick)
		if e.match != nil {
			e.match.stored = src
		}
		got, err := e.encode(pix, w, h)
		if err != nil || !bytes.Equal(got, src) && kind != ultima9.A8 {
			t.Fatalf("%v: %x became %x (%v)", kind, src, got, err)
		}
		again, err := decodePixels(nil, got, w, h, kind, e.flags, colours)
		if err != nil || !bytes.Equal(again, pix) {
			t.Fatalf("%v: other pixels (%v)", kind, err)
		}
	})
}

func TestNearestColour(t *testing.T) {
	colours := new([256]asset.RGBA)
	for i := range colours {
		colours[i] = asset.RGBA{uint8(i), uint8(i), uint8(i), 255}
	}
	colours[3], colours[254] = asset.RGBA{200, 0, 0, 255}, asset.RGBA{0, 200, 0, 255}
	m := newMatcher(colours, true)
	for _, c := range []struct {
		colour [3]uint8
		want   uint8
	}{
		{[3]uint8{200, 0, 0}, 3},       // exact, though outside the usual range
		{[3]uint8{0, 200, 0}, 67},      // the key is no colour: the nearest grey
		{[3]uint8{0, 0, 0}, 0},         // exact
		{[3]uint8{255, 255, 254}, 245}, // nearest of 10 … 245
		{[3]uint8{100, 101, 100}, 100}, // nearest
	} {
		if got := m.nearest(c.colour); got != c.want {
			t.Errorf("%v: index %d, want %d", c.colour, got, c.want)
		}
	}
}

func TestPalettePicture(t *testing.T) {
	for _, name := range []string{"ankh.pal", "extra.pal"} {
		b := corpus.Bytes(t, u9.Synthetic(t, "palette", name))
		a := u9.Do(liftPalette(u9.Do(read.Palette(b, nil))(t), nil))(t)
		for _, x := range []*asset.Texture{a, u9.ThroughPNG(t, a)} {
			corpus.SameBytes(t, name, u9.Do(write.Palette(u9.Do(lowerPalette(x, nil))(t)))(t), b)
		}
		x := u9.ThroughPNG(t, a)
		x.Palette[5] = asset.RGBA{1, 2, 3, 255}
		p := u9.Do(lowerPalette(x, nil))(t)
		if c := p.Colors[5]; [3]uint8(c[:3]) != [3]uint8{1, 2, 3} || c[3] != b[23] {
			t.Errorf("edited colour is %v", c)
		}
	}
}

func BenchmarkTexturePixels(b *testing.B) {
	const side = 512
	colours := new([256]asset.RGBA)
	for kind := ultima9.P8; kind <= ultima9.BC1; kind++ {
		src := make([]byte, kind.Size(side, side))
		for i := range src {
			src[i] = byte(i*7 ^ i>>6)
		}
		pix := u9.Do(decodePixels(nil, src, side, side, kind, kind.Flags(), colours))(b)
		b.Run("decode/"+kind.String(), func(b *testing.B) {
			b.SetBytes(4 * side * side)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = decodePixels(nil, src, side, side, kind, kind.Flags(), colours)
			}
		})
		b.Run("encode/"+kind.String(), func(b *testing.B) {
			b.SetBytes(4 * side * side)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = newEncoder(kind, kind.Flags(), pix, colours, media.Quick).encode(pix, side, side)
			}
		})
	}
}

// TestSides: new sizes that are no powers of two are warned of, and those that were stored so are not.
func TestSides(t *testing.T) {
	for _, c := range []struct {
		was, is [2]int // was is zero for a new texture
		warned  bool
	}{
		{[2]int{}, [2]int{64, 1}, false}, {[2]int{}, [2]int{100, 64}, true}, {[2]int{}, [2]int{64, 60}, true},
		{[2]int{64, 64}, [2]int{64, 128}, false}, {[2]int{64, 64}, [2]int{64, 96}, true},
		{[2]int{12, 16}, [2]int{12, 16}, false}, {[2]int{12, 16}, [2]int{13, 16}, false}, // a letter
	} {
		d := new(schema.Diagnostics)
		l := &textureLowerer{env: &format.Env{Diagnostics: d}}
		if c.was != [2]int{} {
			l.base = &ultima9.TextureSet{Frames: []ultima9.TextureFrame{{Width: uint32(c.was[0]), Height: uint32(c.was[1])}}}
		}
		l.tellSides(&ultima9.TextureSet{Frames: []ultima9.TextureFrame{{Width: uint32(c.is[0]), Height: uint32(c.is[1])}}})
		if d.Has("texture-sides") != c.warned {
			t.Errorf("%v becomes %v: %v", c.was, c.is, d.All())
		}
	}
}
