package texture

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// contents are files by their names.
type contents map[string][]byte

// Find implements format.Files.
func (c contents) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		if b, ok := c[name]; ok {
			return b, name, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// madeEnv has a palette of 256 colours, no two of which are alike.
func madeEnv(t testing.TB, name string) *format.Env {
	p := new(ultima9.Palette)
	for i := range p.Colors {
		p.Colors[i] = [4]uint8{uint8(i), 255 - uint8(i), uint8(i * 7), 0}
	}
	return &format.Env{Name: name, Files: contents{"ankh.pal": u9.Do(write.Palette(p))(t)}, Diagnostics: new(schema.Diagnostics)}
}

// madeSet returns frames of 16 x 8 pixels with a level below, whose pixels another filter has made, as they are read.
func madeSet(t testing.TB, kind ultima9.PixelFormat, frames int) *ultima9.TextureSet {
	s := &ultima9.TextureSet{Mips: 1, Playback: ultima9.PlaybackFields{Mode: 3, FPS: 9, Last: uint8(frames - 1)}.Word()}
	if kind == ultima9.BC1 {
		s.Storage = ultima9.StorageBC1
	}
	for n := range frames {
		f := ultima9.TextureFrame{Width: 16, Height: 8, Flags: kind.Flags() | 77, AnchorX: 5, Rows: newRows(kind, 16, 8)}
		f.Rows[3]++ // they are unreliable
		for k := range 2 {
			level := make([]byte, kind.Size(16>>k, 8>>k))
			for i := range level {
				level[i] = byte(i*i*7 + 31*i + 3*k + 11*n)
			}
			f.Levels = append(f.Levels, level)
		}
		s.Frames = append(s.Frames, f)
	}
	s.Describe()
	return again(t, s)
}

// again returns a set as it is read when it was written.
func again(t testing.TB, s *ultima9.TextureSet) *ultima9.TextureSet {
	t.Helper()
	return u9.Do(read.Texture(u9.Do(write.Texture(s))(t), nil))(t)
}

var allKinds = []ultima9.PixelFormat{ultima9.P8, ultima9.RGB565, ultima9.ARGB1555, ultima9.AI44, ultima9.AI88, ultima9.A8, ultima9.BC1}

// Pictures that nobody edited come back as the bytes that they were, whatever is between and behind the frames.
func TestMadeUnedited(t *testing.T) {
	for _, kind := range allKinds {
		for _, c := range []struct {
			name string
			edit func(s *ultima9.TextureSet)
		}{
			{"plain", func(*ultima9.TextureSet) {}},
			{"a colour that is transparent", func(s *ultima9.TextureSet) {
				s.Frames[0].Flags, s.Frames[1].Flags = s.Frames[0].Flags&^ultima9.FlagNoKey, s.Frames[1].Flags&^ultima9.FlagNoKey
			}},
			{"in the second frame alone", func(s *ultima9.TextureSet) { s.Frames[1].Flags &^= ultima9.FlagNoKey }},
			{"bytes between the frames", func(s *ultima9.TextureSet) {
				s.Gaps = []ultima9.Gap{{Offset: s.Frames[1].Offset, Data: []byte("between")}}
				s.Frames[1].Offset += 7
			}},
			{"another size", func(s *ultima9.TextureSet) {
				f := &s.Frames[1]
				f.Width, f.Height, f.Rows = 8, 16, append(f.Rows, f.Rows...)
			}},
			{"without levels", func(s *ultima9.TextureSet) {
				s.Mips = 0
				for i := range s.Frames {
					s.Frames[i].Levels, s.Frames[i].Offset = s.Frames[i].Levels[:1], 0
				}
			}},
		} {
			s := madeSet(t, kind, 2)
			c.edit(s)
			want := u9.Do(write.Texture(s))(t)
			env := madeEnv(t, "")
			a := u9.Do(liftTexture(u9.Do(read.Texture(want, nil))(t), env))(t)
			for _, x := range []*asset.Texture{a, u9.ThroughPNG(t, a)} {
				if got := u9.Do(write.Texture(u9.Do(lowerTexture(x, env))(t)))(t); !bytes.Equal(got, want) {
					t.Errorf("%v, %s: other bytes", kind, c.name)
				}
			}
		}
	}
}

// outcome says what of a set is another one: its header, and of each frame the fields and levels that differ.
func outcome(was, now *ultima9.TextureSet) string {
	p := now.Playback.Fields()
	out := fmt.Sprintf("%dx%d mips %d storage %d mode %d fps %d to %d", now.MaxWidth, now.MaxHeight, now.Mips, now.Storage, p.Mode, p.FPS, p.Last)
	for i := range now.Frames {
		f := &now.Frames[i]
		kind, _ := now.Format(i)
		out += fmt.Sprintf("; %v %dx%d", kind, f.Width, f.Height)
		if i >= len(was.Frames) {
			out += " new"
			continue
		}
		g := &was.Frames[i]
		for _, x := range []struct {
			name     string
			was, now any
		}{{"flags", g.Flags, f.Flags}, {"anchor", [2]uint32{g.AnchorX, g.AnchorY}, [2]uint32{f.AnchorX, f.AnchorY}}, {"rows", g.Rows, f.Rows}} {
			if fmt.Sprint(x.was) != fmt.Sprint(x.now) {
				out += " " + x.name
			}
		}
		for k, level := range f.Levels {
			if k >= len(g.Levels) || !bytes.Equal(level, g.Levels[k]) {
				out += fmt.Sprintf(" level %d", k)
			}
		}
	}
	return out
}

// paint makes a picture of a frame, in one colour.
func paint(a *asset.Texture, frame, w, h int, c asset.RGBA) {
	a.Frames[frame].Mips = []asset.Image{{Width: w, Height: h, Pix: bytes.Repeat(c[:], w*h)}}
}

// dot changes the first pixel of a frame.
func dot(t testing.TB, a *asset.Texture, frame int, c asset.RGBA) {
	m := &a.Frames[frame].Mips[0]
	pix := bytes.Clone(u9.Do(picture.RGBA(m, a.Palette))(t).Pix)
	copy(pix, c[:])
	*m = asset.Image{Width: m.Width, Height: m.Height, Pix: pix}
}

// What becomes of a set of two frames when a person changes one thing of what is shown: that, what depends on it, and
// nothing else.
func TestMadeEdits(t *testing.T) {
	const header = "16x8 mips 1 storage 0 mode 3 fps 9 to 1"
	red := asset.RGBA{255, 0, 0, 255}
	frames := func(list ...any) func(a *asset.Texture) {
		return func(a *asset.Texture) { a.Native.Values["frames"] = list }
	}
	of := func(format string) any {
		return map[string]any{"format": format, "anchor": []any{5.0, 0.0}}
	}
	value := func(name string, v any) func(a *asset.Texture) {
		return func(a *asset.Texture) { a.Native.Values[name] = v }
	}
	play := func(name string, v any) func(a *asset.Texture) {
		return func(a *asset.Texture) { a.Native.Values["playback"].(map[string]any)[name] = v }
	}
	for _, c := range []struct {
		name string
		kind ultima9.PixelFormat
		edit func(a *asset.Texture)
		want string // the error where it begins with one
		told string
	}{
		{"nothing", ultima9.RGB565, func(*asset.Texture) {}, header + "; rgb565 16x8; rgb565 16x8", ""},
		{"a pixel", ultima9.RGB565, func(a *asset.Texture) { dot(t, a, 1, red) }, header + "; rgb565 16x8; rgb565 16x8 level 0 level 1", ""},
		{"a pixel of few alpha", ultima9.RGB565, func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{1, 2, 3, 127}) }, header + "; rgb565 16x8 flags level 0 level 1; rgb565 16x8", "alpha"},
		{"a pixel of more", ultima9.RGB565, func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{1, 2, 3, 128}) }, header + "; rgb565 16x8 level 0 level 1; rgb565 16x8", "alpha"},
		{"a hole where one is", ultima9.ARGB1555, func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{1, 2, 3, 0}) }, header + "; argb1555 16x8; argb1555 16x8", ""},
		{"a hole", ultima9.P8, func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{}) }, header + "; p8 16x8 flags level 0 level 1; p8 16x8", ""},
		{"half of it", ultima9.AI88, func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{8, 8, 8, 99}) }, header + "; ai88 16x8 level 0 level 1; ai88 16x8", ""},
		{"half of it", ultima9.AI44, func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{8, 8, 8, 99}) }, header + "; ai44 16x8 level 0 level 1; ai44 16x8", ""},
		{"half of it", ultima9.A8, func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{8, 8, 8, 99}) }, header + "; a8 16x8 level 0 level 1; a8 16x8", ""},
		{"half of it", ultima9.BC1, func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{8, 8, 8, 99}) }, "16x8 mips 1 storage 1 mode 3 fps 9 to 1; bc1 16x8 level 0 level 1; bc1 16x8", "alpha"},
		{"wider", ultima9.RGB565, func(a *asset.Texture) { paint(a, 0, 32, 8, red) }, "32x8 mips 1 storage 0 mode 3 fps 9 to 1; rgb565 32x8 rows level 0 level 1; rgb565 16x8", ""},
		{"higher", ultima9.RGB565, func(a *asset.Texture) { paint(a, 0, 16, 16, red) }, "16x16 mips 2 storage 0 mode 3 fps 9 to 1; rgb565 16x16 rows level 0 level 1 level 2; rgb565 16x8 level 2", ""},
		{"turned", ultima9.RGB565, func(a *asset.Texture) { paint(a, 0, 8, 16, red) }, "16x16 mips 1 storage 0 mode 3 fps 9 to 1; rgb565 8x16 rows level 0 level 1; rgb565 16x8", ""},
		{"the second one lower", ultima9.RGB565, func(a *asset.Texture) { paint(a, 1, 16, 4, red) }, "16x8 mips 1 storage 0 mode 3 fps 9 to 1; rgb565 16x8; rgb565 16x4 rows level 0 level 1", ""},
		{"of an odd width", ultima9.RGB565, func(a *asset.Texture) { paint(a, 1, 15, 8, red) }, header + "; rgb565 16x8; rgb565 15x8 rows level 0 level 1", "texture-sides"},
		{"no levels", ultima9.RGB565, value("mips", 0.0), "16x8 mips 0 storage 0 mode 3 fps 9 to 1; rgb565 16x8; rgb565 16x8", ""},
		{"more levels", ultima9.P8, value("mips", 3.0), "16x8 mips 3 storage 0 mode 3 fps 9 to 1; p8 16x8 level 2 level 3; p8 16x8 level 2 level 3", ""},
		{"more levels, and a pixel", ultima9.P8, func(a *asset.Texture) { a.Native.Values["mips"] = 3.0; dot(t, a, 0, red) }, "16x8 mips 3 storage 0 mode 3 fps 9 to 1; p8 16x8 level 0 level 1 level 2 level 3; p8 16x8 level 2 level 3", ""},
		{"higher, without levels", ultima9.RGB565, func(a *asset.Texture) { a.Native.Values["mips"] = 0.0; paint(a, 0, 16, 16, red) }, "16x16 mips 0 storage 0 mode 3 fps 9 to 1; rgb565 16x16 rows level 0; rgb565 16x8", ""},
		{"another format", ultima9.RGB565, value("format", "ai88"), header + "; ai88 16x8 flags rows level 0 level 1; ai88 16x8 flags rows level 0 level 1", ""},
		{"another format", ultima9.AI88, value("format", "p8"), header + "; p8 16x8 flags rows level 0 level 1; p8 16x8 flags rows level 0 level 1", "alpha alpha"},
		{"another format", ultima9.RGB565, value("format", "bc1"), "16x8 mips 1 storage 1 mode 3 fps 9 to 1; bc1 16x8 flags rows level 0 level 1; bc1 16x8 flags rows level 0 level 1", ""},
		{"no format", ultima9.RGB565, value("format", "dxt9"), `u9-texture: format: there is no pixel format "dxt9": they are p8, rgb565, argb1555, ai44, ai88, a8, bc1`, ""},
		{"a format of one frame", ultima9.RGB565, frames(nil, of("p8")), header + "; rgb565 16x8; p8 16x8 flags rows level 0 level 1", ""},
		{"no format of one frame", ultima9.RGB565, frames(nil, of("x")), `u9-texture: format: there is no pixel format "x": they are p8, rgb565, argb1555, ai44, ai88, a8, bc1`, ""},
		{"blocks in one frame", ultima9.RGB565, frames(nil, of("bc1")), "u9-texture: format: BC1 is for all frames of a set or none", ""},
		{"no blocks in one frame", ultima9.BC1, frames(of("p8")), "u9-texture: format: BC1 is for all frames of a set or none", ""},
		{"an anchor", ultima9.RGB565, frames(nil, map[string]any{"anchor": []any{-2147483648.0, 4294967295.0}}), header + "; rgb565 16x8; rgb565 16x8 anchor", ""},
		{"too low an anchor", ultima9.RGB565, frames(map[string]any{"anchor": []any{-2147483649.0, 0.0}}), "u9-texture: anchor: -2147483649 is no whole number from -2147483648 to 4294967295", ""},
		{"too high an anchor", ultima9.RGB565, frames(map[string]any{"anchor": []any{0.0, 4294967296.0}}), "u9-texture: anchor: 4294967296 is no whole number from -2147483648 to 4294967295", ""},
		{"no list", ultima9.RGB565, value("frames", "all"), "u9-texture: frames: all is no list of frames", ""},
		{"more values than pictures", ultima9.RGB565, frames(nil, nil, nil), header + "; rgb565 16x8; rgb565 16x8", "frames"},
		{"a picture more", ultima9.RGB565, func(a *asset.Texture) { a.Frames = append(a.Frames, a.Frames[1]) }, "16x8 mips 1 storage 0 mode 3 fps 9 to 2; rgb565 16x8; rgb565 16x8; rgb565 16x8 new", ""},
		{"a picture less", ultima9.RGB565, func(a *asset.Texture) { a.Frames = a.Frames[:1] }, "16x8 mips 1 storage 0 mode 3 fps 9 to 0; rgb565 16x8", "frames"},
		{"how they play", ultima9.RGB565, play("fps", 12.0), "16x8 mips 1 storage 0 mode 3 fps 12 to 1; rgb565 16x8; rgb565 16x8", ""},
		{"up to which", ultima9.RGB565, play("last", 0.0), "16x8 mips 1 storage 0 mode 3 fps 9 to 0; rgb565 16x8; rgb565 16x8", ""},
		{"the last way", ultima9.RGB565, play("mode", 7.0), "16x8 mips 1 storage 0 mode 7 fps 9 to 1; rgb565 16x8; rgb565 16x8", ""},
		{"a way that is none", ultima9.RGB565, play("mode", 8.0), "u9-texture: playback: mode: 8 is no whole number from 0 to 7", ""},
		{"nothing of playing", ultima9.RGB565, value("playback", "x"), "u9-texture: playback: x is no object", ""},
		{"a cube", ultima9.RGB565, func(a *asset.Texture) { a.Frames[1].Faces = make([]asset.Image, 5) }, "u9-texture: frames: cube maps do not exist here", ""},
		{"no picture", ultima9.RGB565, func(a *asset.Texture) { a.Frames[1].Mips = nil }, "u9-texture: frames: frame 1 has no picture", ""},
		{"no frames", ultima9.RGB565, func(a *asset.Texture) { a.Frames = nil }, "u9-texture: frames: a texture without a picture", ""},
		{"too long a side", ultima9.A8, func(a *asset.Texture) { paint(a, 0, 32769, 1, red) }, "u9-texture: size: 32769 x 1 pixels, at most 32768 a side", ""},
		{"the longest", ultima9.A8, func(a *asset.Texture) { paint(a, 0, 32768, 1, red) }, "32768x8 mips 0 storage 0 mode 3 fps 9 to 1; a8 32768x1 rows level 0; a8 16x8", ""},
	} {
		env := madeEnv(t, "")
		was := madeSet(t, c.kind, 2)
		a := u9.ThroughPNG(t, u9.Do(liftTexture(was, env))(t))
		c.edit(a)
		now, err := lowerTexture(a, env)
		got := fmt.Sprint(err)
		if err == nil {
			got = outcome(was, again(t, now))
		}
		if got != c.want {
			t.Errorf("%s of %v:\n got %s\nwant %s", c.name, c.kind, got, c.want)
		}
		if got := corpus.Codes(env.Diagnostics, schema.Note); got != c.told {
			t.Errorf("%s of %v: told %q, want %q", c.name, c.kind, got, c.told)
		}
	}
}

// The flags that a frame gets: those of its new format, a key where there are holes, and what an editor is to see alone.
func TestMadeFlags(t *testing.T) {
	const key = ultima9.FrameFlags(ultima9.DefaultKey) << 12
	hole, none := asset.RGBA{1, 2, 3, 0}, asset.RGBA{1, 2, 3, 255}
	for _, c := range []struct {
		name   string
		flags  ultima9.FrameFlags // of the stored frame
		dot    asset.RGBA
		format string
		want   ultima9.FrameFlags
	}{
		{"as they were", ultima9.RGB565.Flags() | 77, none, "rgb565", ultima9.RGB565.Flags() | 77},
		{"a hole", ultima9.RGB565.Flags() | 77, hole, "rgb565", ultima9.RGB565.Flags()&^ultima9.FlagNoKey | 77 | key},
		{"a hole, and a key that nobody used", ultima9.RGB565.Flags() | 99<<12, hole, "rgb565", ultima9.RGB565.Flags()&^ultima9.FlagNoKey | 99<<12},
		{"a hole, and a key", ultima9.RGB565.Flags().WithKey(99), hole, "rgb565", ultima9.RGB565.Flags().WithKey(99)},
		{"a hole of indices", ultima9.P8.Flags(), hole, "p8", ultima9.P8.Flags() &^ ultima9.FlagNoKey},
		{"another format", ultima9.RGB565.Flags().WithKey(99) | 77 | ultima9.FlagEditorOnly, none, "ai88", ultima9.AI88.Flags() | ultima9.FlagEditorOnly},
		{"another format without that", ultima9.RGB565.Flags() | 77, none, "argb1555", ultima9.ARGB1555.Flags()},
	} {
		kind, _ := c.flags.Format()
		s := madeSet(t, kind, 1)
		s.Frames[0].Flags = c.flags
		env := madeEnv(t, "")
		a := u9.ThroughPNG(t, u9.Do(liftTexture(s, env))(t))
		dot(t, a, 0, none)
		for i, m := 3, a.Frames[0].Mips[0]; i < len(m.Pix); i += 4 {
			m.Pix[i] = 255
		}
		dot(t, a, 0, c.dot)
		a.Native.Values["format"] = c.format
		if got := u9.Do(lowerTexture(a, env))(t).Frames[0].Flags; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Frames that move leave no room for what was between them, which is told; those that stay keep it.
func TestMadeGaps(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(a *asset.Texture)
		told string
	}{
		{"a pixel", func(a *asset.Texture) { dot(t, a, 0, asset.RGBA{255, 0, 0, 255}) }, ""},
		{"a size", func(a *asset.Texture) { paint(a, 0, 32, 8, asset.RGBA{255, 0, 0, 255}) }, "gap"},
		{"a picture more", func(a *asset.Texture) { a.Frames = append(a.Frames, a.Frames[0]) }, "gap"},
		{"a picture less", func(a *asset.Texture) { a.Frames = a.Frames[:1] }, "frames gap"},
		{"levels", func(a *asset.Texture) { a.Native.Values["mips"] = 0.0 }, "gap"},
	} {
		s := madeSet(t, ultima9.RGB565, 2)
		s.Gaps = []ultima9.Gap{{Offset: s.Frames[1].Offset, Data: []byte("between")}}
		s.Frames[1].Offset += 7
		env := madeEnv(t, "")
		a := u9.ThroughPNG(t, u9.Do(liftTexture(again(t, s), env))(t))
		c.edit(a)
		b := u9.Do(write.Texture(u9.Do(lowerTexture(a, env))(t)))(t)
		if told := corpus.Codes(env.Diagnostics, schema.Note); told != c.told || bytes.Contains(b, []byte("between")) != (told == "") {
			t.Errorf("%s: told %q, want %q; %v", c.name, told, c.told, bytes.Contains(b, []byte("between")))
		}
	}
}

// What a texture of a picture alone is: by its archive's name, its size and its speed.
func TestMadeNew(t *testing.T) {
	white := func(n, w, h int, fps float32) *asset.Texture {
		a := &asset.Texture{FPS: fps, Frames: make([]asset.Frame, n)}
		for i := range a.Frames {
			paint(a, i, w, h, asset.RGBA{255, 255, 255, 255})
		}
		return a
	}
	for _, c := range []struct {
		archive string
		picture *asset.Texture
		want    string
		told    string
	}{
		{"bitmap16.flx", white(1, 16, 8, 0), "16x8 mips 1 storage 0 mode 0 fps 0 to 0; rgb565 16x8 new", ""},
		{"bitmap16.flx", white(2, 8, 7, 12), "8x7 mips 0 storage 0 mode 0 fps 12 to 1; rgb565 8x7 new; rgb565 8x7 new", "texture-sides texture-sides"},
		{"BITMAPC.FLX", white(1, 8, 8, -3), "8x8 mips 1 storage 1 mode 0 fps 0 to 0; bc1 8x8 new", ""},
		{"BitmapSH.flx", white(1, 7, 64, 300), "7x64 mips 0 storage 0 mode 0 fps 255 to 0; p8 7x64 new", "texture-sides"},
		{"Texture8.9", white(1, 64, 64, 0), "64x64 mips 0 storage 0 mode 0 fps 0 to 0; p8 64x64 new", ""},
		{"texture16.9", white(1, 64, 64, 0), "64x64 mips 0 storage 0 mode 0 fps 0 to 0; rgb565 64x64 new", ""},
		{"other.png", white(1, 64, 64, 0), "64x64 mips 4 storage 0 mode 0 fps 0 to 0; rgb565 64x64 new", ""},
	} {
		env := madeEnv(t, c.archive)
		if got := outcome(new(ultima9.TextureSet), again(t, u9.Do(lowerTexture(c.picture, env))(t))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.archive, got, c.want)
		}
		if got := corpus.Codes(env.Diagnostics, schema.Note); got != c.told {
			t.Errorf("%s: told %q, want %q", c.archive, got, c.told)
		}
	}
	if s := u9.Do(lowerTexture(white(1, 8, 8, 1), nil))(t); u9.Do(s.Format(0))(t) != ultima9.RGB565 || s.Mips != 1 {
		t.Errorf("without an archive: %+v", s)
	}
	many := u9.Do(lowerTexture(white(300, 1, 1, 1), madeEnv(t, "")))(t)
	if many.Playback.Fields().Last != 255 {
		t.Errorf("of 300 frames %d are shown", many.Playback.Fields().Last)
	}
	foreign := white(1, 8, 8, 1)
	foreign.Native = &asset.Native{Format: "unreal-texture", Payload: []byte("x"), Values: map[string]any{"format": "p8"}}
	if s, err := lowerTexture(foreign, nil); err != nil || s.Storage != 0 || s.Frames[0].Flags != ultima9.RGB565.Flags() {
		t.Errorf("values of another format: %+v, %v", s, err)
	}
	foreign.Native.Format = Name
	if _, err := lowerTexture(foreign, nil); err == nil {
		t.Error("a payload that is no texture")
	}
	env := &format.Env{Name: "bitmapsh.flx", Diagnostics: new(schema.Diagnostics)}
	if _, err := lowerTexture(white(1, 8, 8, 1), env); err != nil || corpus.Codes(env.Diagnostics, schema.Note) != "no-palette" {
		t.Errorf("without a palette: %v, %v", env.Diagnostics.All(), err)
	}
}

// keeping is an archive that keeps what it is given.
type keeping struct {
	format.ArchiveFile
	kept []string
}

func (k *keeping) KeepGiven(entry string, t *asset.Texture) {
	k.kept = append(k.kept, fmt.Sprint(entry, " ", len(t.Frames)))
}

// Pictures are kept for the other depths where these are asked for, and the texture is made.
func TestMadeKept(t *testing.T) {
	for _, c := range []struct {
		asked, good bool
		want        string
	}{{false, true, "[]"}, {true, true, "[7 2]"}, {true, false, "[]"}} {
		k := new(keeping)
		env := madeEnv(t, "bitmap16.flx")
		env.Archive, env.Entry, env.Options.Ultima9.AllDepths = k, "7", c.asked
		a := u9.Do(liftTexture(madeSet(t, ultima9.RGB565, 2), env))(t)
		if !c.good {
			a.Native.Values["format"] = "x"
		}
		if _, err := lowerTexture(a, env); (err == nil) != c.good || fmt.Sprint(k.kept) != c.want {
			t.Errorf("%+v: %v, %v", c, k.kept, err)
		}
	}
}

// With and without ankh.pal: what pictures of indices become, edited and not, is right or refused.
func TestMadePalettes(t *testing.T) {
	for _, c := range []struct {
		name         string
		lift, lower  bool // with the palette
		values       bool // as they were shown; otherwise those of a new look at the stored texture
		edit, colour bool
		want, told   string
	}{
		{"with it", true, true, true, true, true, "p8 16x8 level 0 level 1", ""},
		{"gone, untouched", true, false, true, false, false, "p8 16x8", ""},
		{"gone, edited", true, false, true, true, false, "u9-texture: palette: the picture was edited, and ankh.pal", ""},
		{"never there", false, false, true, true, false, "p8 16x8 level 0 level 1", "no-palette"},
		{"never there, and colours", false, false, true, true, true, "u9-texture: palette: frame 0 has colours", "no-palette"},
		{"there now, untouched", false, true, true, false, false, "p8 16x8", "no-palette"},
		{"there now, edited", false, true, true, true, false, "p8 16x8 level 0 level 1", "no-palette"},
		{"there now, and colours", false, true, true, true, true, "u9-texture: palette: frame 0 has colours", "no-palette"},
		{"a picture of greys alone", false, true, false, true, false, "p8 16x8 level 0 level 1", "no-palette grey-picture"},
		{"a picture of greys with a colour", false, true, false, true, true, "u9-texture: palette: frame 0 has colours", "no-palette grey-picture"},
	} {
		s := madeSet(t, ultima9.P8, 1)
		envs := map[bool]*format.Env{true: madeEnv(t, ""), false: {Files: contents{}}}
		d := new(schema.Diagnostics)
		envs[true].Diagnostics, envs[false].Diagnostics = d, d
		a := u9.ThroughPNG(t, u9.Do(liftTexture(s, envs[c.lift]))(t))
		if !c.values {
			quiet := *envs[c.lower]
			quiet.Diagnostics = nil
			a.Native = u9.Do(liftTexture(s, &quiet))(t).Native
		}
		if c.edit {
			x := asset.RGBA{99, 99, 107, 255} // as grey as an editor may leave it
			if c.colour {
				x = asset.RGBA{99, 99, 108, 255}
			}
			dot(t, a, 0, x)
		}
		now, err := lowerTexture(a, envs[c.lower])
		got := fmt.Sprint(err)
		if err == nil {
			_, got, _ = strings.Cut(outcome(s, again(t, now)), "; ")
		}
		if !strings.HasPrefix(got, c.want) || err == nil && got != c.want || corpus.Codes(d, schema.Note) != c.told {
			t.Errorf("%s:\n got %s, told %q\nwant %s, told %q", c.name, got, corpus.Codes(d, schema.Note), c.want, c.told)
		}
	}
}

// A later frame whose flags name another format than the first one's has that of the first where sdInfo says so, and the bytes of
// that size; it comes back as it was, and an edit of it is stored in the format that it is shown in.
func TestMadeRepaired(t *testing.T) {
	const damaged = ultima9.FrameFlags(0x20000500) // ARGB1555
	for _, c := range []struct {
		name    string
		archive string
		entry   string
		edit    func(i *ultima9.SDInfo)
		flags   ultima9.FrameFlags
		want    string
	}{
		{"as sdInfo says", "bitmap16.flx", "1", nil, damaged, "rgb565 frame-flags"},
		{"no bitmaps", "other.flx", "1", nil, damaged, "argb1555 "},
		{"no entry", "bitmap16.flx", "one", nil, damaged, "argb1555 "},
		{"another entry", "bitmap16.flx", "0", nil, damaged, "argb1555 "},
		{"no such entry", "bitmap16.flx", "7", nil, damaged, "argb1555 "},
		{"sdInfo of the other depth", "bitmapsh.flx", "1", nil, damaged, "argb1555 "},
		{"another format there", "bitmap16.flx", "1", func(i *ultima9.SDInfo) { i.Format = 1 }, damaged, "argb1555 "},
		{"other frames there", "bitmap16.flx", "1", func(i *ultima9.SDInfo) { i.Frames = 3 }, damaged, "argb1555 "},
		{"flags that differ in nothing but a key", "bitmap16.flx", "1", nil, ultima9.RGB565.Flags().WithKey(5), "rgb565 "},
	} {
		s := madeSet(t, ultima9.RGB565, 2)
		s.Frames[1].Flags = c.flags
		want := u9.Do(write.Texture(s))(t)
		info := &ultima9.SDInfo{}
		info.Describe(s)
		if c.edit != nil {
			c.edit(info)
		}
		a := ultima9.NewArchive(2)
		u9.Must(t, a.Replace(1, u9.Do(write.SDInfo(info))(t)))
		var flx bytes.Buffer
		u9.Must(t, write.FLX(&flx, a))
		env := madeEnv(t, c.archive)
		env.Entry = c.entry
		env.Files.(contents)["sdInfo16.flx"] = flx.Bytes()
		x := u9.Do(liftTexture(u9.Do(read.Texture(want, nil))(t), env))(t)
		if got := x.Frames[1].Mips[0].Stored.Encoding + " " + corpus.Codes(env.Diagnostics, schema.Note); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		x = u9.ThroughPNG(t, x)
		if got := u9.Do(write.Texture(u9.Do(lowerTexture(x, env))(t)))(t); !bytes.Equal(got, want) {
			t.Errorf("%s: untouched, it has other bytes", c.name)
		}
		dot(t, x, 1, asset.RGBA{255, 0, 0, 255})
		now := again(t, u9.Do(lowerTexture(x, env))(t))
		kind, _ := now.Format(1)
		if shown, _, _ := strings.Cut(c.want, " "); kind.String() != shown || !bytes.Equal(now.Frames[1].Levels[0][2:], s.Frames[1].Levels[0][2:]) {
			t.Errorf("%s: edited, it is %v", c.name, kind)
		}
		if got := now.Frames[1].Flags; got&^0x700 != c.flags&^0x700 {
			t.Errorf("%s: edited, its flags are %v, and were %v", c.name, got, c.flags)
		}
	}
}

// What is told of a set: its size, frames and levels, its format and key, and its speed where it has one.
func TestMadeFacts(t *testing.T) {
	s := madeSet(t, ultima9.RGB565, 2)
	if got := fmt.Sprint(textureFacts(s)); got != "[{size 16 x 8} {frames 2} {mips 1} {format rgb565} {colour key false} {frames per second 9}]" {
		t.Error(got)
	}
	s.Frames[0].Flags = s.Frames[0].Flags.WithKey(7)
	s.Playback = ultima9.PlaybackFields{FPS: 1}.Word()
	if got := fmt.Sprint(textureFacts(s)[4:]); got != "[{colour key true} {frames per second 1}]" {
		t.Error(got)
	}
	s.Playback, s.Storage = 0, 2
	if got := fmt.Sprint(textureFacts(s)); got != "[{size 16 x 8} {frames 2} {mips 1}]" {
		t.Error(got)
	}
	if got := fmt.Sprint(textureFacts(&ultima9.TextureSet{})); got != "[{size 0 x 0} {frames 0} {mips 0}]" {
		t.Error(got)
	}
}

// The values that are shown: a format where all frames have it, else those of the frames; that a colour is transparent is for
// reading only.
func TestMadeValues(t *testing.T) {
	s := madeSet(t, ultima9.RGB565, 2)
	const play = "mips:1 playback:map[first:0 fps:9 last:1 mode:3 reverse:false]"
	if got := fmt.Sprint(textureValues(s)); got != "map[format:rgb565 frames:[map[anchor:[5 0]] map[anchor:[5 0]]] "+play+"]" {
		t.Error(got)
	}
	s.Frames[0].Flags = s.Frames[0].Flags.WithKey(7)
	s.Frames[1].Flags = ultima9.AI88.Flags().WithKey(7)
	if got := fmt.Sprint(textureValues(s)); got != "map[frames:[map[anchor:[5 0] format:rgb565 readonly:map[keyed:true]] map[anchor:[5 0] format:ai88]] "+play+"]" {
		t.Error(got)
	}
	for kind, want := range map[ultima9.PixelFormat]asset.AlphaMode{ultima9.RGB565: asset.Opaque, ultima9.ARGB1555: asset.Mask, ultima9.A8: asset.Blend, ultima9.AI44: asset.Blend, ultima9.AI88: asset.Blend} {
		if a := u9.Do(liftTexture(madeSet(t, kind, 1), madeEnv(t, "")))(t); a.Alpha != want || a.FPS != 9 || a.Name != "texture" {
			t.Errorf("%v: alpha %v, %v frames a second, %s", kind, a.Alpha, a.FPS, a.Name)
		}
	}
	s = madeSet(t, ultima9.P8, 1)
	s.Frames[0].Flags &^= ultima9.FlagNoKey
	a := u9.Do(liftTexture(s, madeEnv(t, "")))(t)
	if a.Alpha != asset.Mask || a.Palette[ultima9.KeyIndex][3] != 0 || a.Palette[ultima9.KeyIndex-1][3] != 255 || a.Frames[0].Mips[0].Format != asset.Indexed8 {
		t.Errorf("alpha %v, %v", a.Alpha, a.Palette[ultima9.KeyIndex])
	}
}
