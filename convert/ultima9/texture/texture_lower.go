package texture

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// lowerTexture makes a texture set of a texture (reference section 4.4). What Native holds stays where the picture is
// still the stored one: an unedited texture returns the stored bytes, an edited frame is encoded in its own format, and
// Native's values may ask for another format, number of mips, playback or anchors.
func lowerTexture(a *asset.Texture, env *format.Env) (*ultima9.TextureSet, error) {
	l := textureLowerer{asset: a, env: env, values: map[string]any{}}
	if n := a.Native; n != nil && n.Format == Name {
		if n.Values != nil {
			l.values = n.Values
		}
		if len(n.Payload) > 0 {
			base, err := read.Texture(n.Payload, nil)
			if err != nil {
				return nil, err
			}
			l.base = base
		}
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	t, err := l.lower()
	if err == nil && env != nil && env.Options.Ultima9.AllDepths {
		if f, ok := env.Archive.(keeper); ok {
			f.KeepGiven(env.Entry, a)
		}
	}
	return t, err
}

// keeper is an archive that keeps the pictures of its entries as they were given.
type keeper interface {
	KeepGiven(entry string, t *asset.Texture)
}

type textureLowerer struct {
	asset  *asset.Texture
	env    *format.Env
	values map[string]any
	base   *ultima9.TextureSet // as stored; nil for a new texture
	mended *ultima9.TextureSet // base with the flags that its pictures were lifted by
	before *asset.Texture      // base, lifted
	usual  ultima9.PixelFormat // of frames that nothing else decides on
	moved  bool                // frames no longer lie where they lay
}

// check looks at the pictures before anything is made of them.
func (l *textureLowerer) check() error {
	if len(l.asset.Frames) == 0 {
		return schema.Errorf(Name, schema.ErrValue, "frames", "a texture without a picture")
	}
	for i := range l.asset.Frames {
		f := &l.asset.Frames[i]
		if len(f.Mips) == 0 {
			return schema.Errorf(Name, schema.ErrValue, "frames", "frame %d has no picture", i)
		}
		if len(f.Faces) > 0 {
			return schema.Errorf(Name, schema.ErrUnsupported, "frames", "cube maps do not exist here")
		}
		m := &f.Mips[0]
		if err := schema.DefaultLimits.Picture(Name, m.Width, m.Height, 4); err != nil {
			return err
		}
	}
	return nil
}

func (l *textureLowerer) lower() (*ultima9.TextureSet, error) {
	t := &ultima9.TextureSet{}
	if l.base != nil {
		env := l.env
		if l.shown("palette") == "grey" || l.paletteMissing() { // that was told when it was lifted; its own colours tell what was edited
			env = env.Quiet()
		}
		before, err := Pictures(l.base, env, l.shown("palette") == "grey")
		if err != nil {
			return nil, err
		}
		l.before, l.mended = before, repaired(l.base, l.env.Quiet())
		*t = *l.base
	}
	t.Frames = make([]ultima9.TextureFrame, len(l.asset.Frames))
	if err := l.settings(t); err != nil {
		return nil, err
	}
	if l.base != nil {
		if err := l.chooseGreys(); err != nil {
			return nil, err
		}
	}
	for i := range t.Frames {
		if err := l.frame(t, i); err != nil {
			return nil, err
		}
	}
	if l.base != nil && !l.moved && len(t.Frames) == len(l.base.Frames) {
		return t, nil
	}
	for i := range t.Frames {
		t.Frames[i].Offset = 0
	}
	for _, g := range t.Gaps {
		l.env.Told().Lossf("gap", "", "%d bytes between the frames have no place any more", len(g.Data))
	}
	t.Gaps = nil
	l.tellSides(t)
	t.Describe()
	return t, nil
}

// settings sets the fields of the whole set: storage, mips and playback.
func (l *textureLowerer) settings(t *ultima9.TextureSet) error {
	l.usual = l.newFormat()
	if name := scene.TextOf(l.values, "format"); name != "" {
		f, ok := ultima9.ParsePixelFormat(name)
		if !ok {
			return unknownFormat(name)
		}
		l.usual = f
	}
	t.Storage = 0
	if l.usual == ultima9.BC1 {
		t.Storage = ultima9.StorageBC1
	}
	t.Mips = uint8(l.mips())
	if err := (scene.Fields{"mips": &t.Mips}).Take(Name, "", &asset.Native{Format: Name, Values: l.values}); err != nil {
		return err
	}
	if l.base != nil && t.Mips == l.base.Mips && l.resized() && int(l.base.Mips) == usualMips(l.base.Frames[0].LevelSize(0)) {
		t.Mips = uint8(usualMips(l.size()))
	}
	if list, ok := l.values["frames"].([]any); !ok && l.values["frames"] != nil {
		return schema.Errorf(Name, schema.ErrValue, "frames", "%v is no list of frames", l.values["frames"])
	} else if l.base != nil && ok && len(list) > len(t.Frames) {
		l.env.Told().Warnf("frames", "", "%d frames have values, and there are %d pictures", len(list), len(t.Frames))
	}
	if p, ok := l.values["playback"]; ok {
		f := t.Playback.Fields()
		was := f
		values, ok := p.(map[string]any)
		if !ok {
			return schema.Errorf(Name, schema.ErrValue, "playback", "%v is no object", p)
		}
		if err := playbackFields(&f).Take(Name, "playback", &asset.Native{Format: Name, Values: values}); err != nil {
			return err
		}
		if f.Mode > 7 {
			return schema.Errorf(Name, schema.ErrValue, "playback", "mode: %d is no whole number from 0 to 7", f.Mode)
		}
		if f != was {
			t.Playback = f.Word()
		}
	}
	if n := len(l.asset.Frames); l.base == nil && l.values["playback"] == nil || l.base != nil && n != len(l.base.Frames) {
		f := t.Playback.Fields()
		f.Last = uint8(min(n-1, math.MaxUint8))
		if l.base == nil {
			f.FPS = uint8(min(max(l.asset.FPS, 0), math.MaxUint8))
		}
		t.Playback = f.Word()
	}
	return nil
}

// tellSides warns of new sizes that are no powers of two, if those before were.
func (l *textureLowerer) tellSides(t *ultima9.TextureSet) {
	odd := func(f *ultima9.TextureFrame) bool { return f.Width&(f.Width-1) != 0 || f.Height&(f.Height-1) != 0 }
	for i := range t.Frames {
		f := &t.Frames[i]
		if was := l.base; odd(f) && (was == nil || !odd(&was.Frames[min(i, len(was.Frames)-1)])) {
			l.env.Told().Warnf("texture-sides", fmt.Sprintf("frame %d", i), "%d x %d pixels: the game knows the sides of textures by powers of two, such as 64 or 128", f.Width, f.Height)
		}
	}
}

// size returns the width and height of the first picture.
func (l *textureLowerer) size() (w, h int) {
	m := l.asset.Base()
	return m.Width, m.Height
}

func (l *textureLowerer) resized() bool {
	w, h := l.size()
	bw, bh := l.base.Frames[0].LevelSize(0)
	return w != bw || h != bh
}

// mips returns the number of levels below the base that nothing else decides on.
func (l *textureLowerer) mips() int {
	if l.base != nil {
		return int(l.base.Mips)
	}
	if l.env != nil && strings.HasPrefix(strings.ToLower(l.env.Name), "texture") {
		return 0 // pictures of terrain tiles have none
	}
	return usualMips(l.size())
}

// usualMips counts levels until the next one would be smaller than 4 in either direction (reference section 4.4).
func usualMips(w, h int) int {
	n := 0
	for w >= 8 && h >= 8 {
		w, h, n = w/2, h/2, n+1
	}
	return n
}

// newFormat returns the pixel format of a texture without a stored form: that of the archive's other textures.
func (l *textureLowerer) newFormat() ultima9.PixelFormat {
	if l.base != nil {
		f, _ := l.base.Format(0)
		return f
	}
	if l.env == nil {
		return ultima9.RGB565
	}
	switch name := strings.ToLower(l.env.Name); {
	case strings.HasPrefix(name, "bitmapc"):
		return ultima9.BC1
	case strings.HasPrefix(name, "bitmapsh"), strings.HasPrefix(name, "texture8"):
		return ultima9.P8
	}
	return ultima9.RGB565
}

// frame makes frame i: the stored one while its picture is unchanged, else a new one.
func (l *textureLowerer) frame(t *ultima9.TextureSet, i int) error {
	f := &t.Frames[i]
	stored := l.base != nil && i < len(l.base.Frames)
	if stored {
		*f = l.base.Frames[i]
	}
	value := l.frameValues(i)
	if value != nil {
		at := []int64{int64(f.AnchorX), int64(f.AnchorY)}
		fields := anchorFields(at)
		if stored {
			fields[scene.ReadOnly] = keyedOf(l.mended, i)
		}
		if err := fields.TakeObject(Name, fmt.Sprintf("frame %d", i), value, "format", "keyed", scene.ReadOnly); err != nil {
			return err
		}
		for _, x := range at {
			if x < math.MinInt32 || x > math.MaxUint32 { // nobody knows whether it has a sign
				return schema.Errorf(Name, schema.ErrValue, "anchor", "%d is no whole number from %d to %d", x, math.MinInt32, math.MaxUint32)
			}
		}
		f.AnchorX, f.AnchorY = uint32(at[0]), uint32(at[1])
	}
	kind, err := l.frameFormat(value, i, stored)
	if err != nil {
		return err
	}
	m := &l.asset.Frames[i].Mips[0]
	pix, err := ToRGBA(m, l.asset.Palette)
	if err != nil {
		return err
	}
	if stored && kind == ultima9.P8 && l.paletteMissing() {
		if !l.sameIndices(i, m) {
			return ErrNoPalette(Name)
		}
		return l.lowerMips(t, i, kind)
	}
	if stored {
		same, err := l.unchanged(i, kind, pix, m)
		if err != nil {
			return err
		}
		if same {
			return l.lowerMips(t, i, kind)
		}
	}
	return l.encode(t, i, kind, pix, m)
}

// ErrNoPalette is the error for 8-bit pixels without a palette.
func ErrNoPalette(name string) error {
	err := schema.Errorf(name, schema.ErrMismatch, "palette", "the picture was edited, and ankh.pal, whose colours it has, is not beside it")
	return schema.Hinted(err, ": --texture-dir names its folder")
}

// paletteMissing reports whether the pictures were lifted with the colours of a palette that is not found now.
func (l *textureLowerer) paletteMissing() bool {
	if l.shown("palette") == "grey" {
		return false
	}
	_, found := PaletteOf(l.env, false)
	return !found && l.shown("colours") != ""
}

// sameIndices reports whether a picture is still the stored 8-bit one, with the colours that it was lifted with.
func (l *textureLowerer) sameIndices(i int, m *asset.Image) bool {
	return m.Format == asset.Indexed8 && bytes.Equal(m.Pix, l.base.Frames[i].Levels[0]) && !l.kindChanged(i, ultima9.P8) &&
		coloursText(l.asset.Palette) == l.shown("colours")
}

func (l *textureLowerer) frameValues(i int) any {
	if list := scene.ListOf(l.values, "frames"); i < len(list) {
		return list[i]
	}
	return nil
}

// shown returns a text among the values that is for reading only.
func (l *textureLowerer) shown(key string) string {
	return scene.ShownText(&asset.Native{Values: l.values}, key)
}

func (l *textureLowerer) frameFormat(value any, i int, stored bool) (ultima9.PixelFormat, error) {
	kind := l.usual
	name := scene.TextOf(value, "format")
	switch {
	case name != "":
		var ok bool
		if kind, ok = ultima9.ParsePixelFormat(name); !ok {
			return 0, unknownFormat(name)
		}
	case stored && scene.TextOf(l.values, "format") == "":
		kind, _ = l.base.Format(i)
	}
	if (kind == ultima9.BC1) != (l.usual == ultima9.BC1) {
		return 0, schema.Errorf(Name, schema.ErrUnsupported, "format", "BC1 is for all frames of a set or none")
	}
	return kind, nil
}

func unknownFormat(name string) error {
	var known []string
	for f := ultima9.P8; f <= ultima9.BC1; f++ {
		known = append(known, f.String())
	}
	return schema.Errorf(Name, schema.ErrValue, "format", "there is no pixel format %q: they are %s", name, strings.Join(known, ", "))
}

// unchanged reports whether frame i still shows what is stored, in the format asked for.
func (l *textureLowerer) unchanged(i int, kind ultima9.PixelFormat, pix []byte, m *asset.Image) (bool, error) {
	old := &l.before.Frames[i].Mips[0]
	if old.Width != m.Width || old.Height != m.Height {
		return false, nil
	}
	if was, _ := l.base.Format(i); was != kind {
		return l.sameStored(i, kind, pix), nil
	}
	before, err := ToRGBA(old, l.before.Palette)
	return err == nil && SamePixels(before, pix), err
}

// sameStored reports whether the stored bytes of a frame show the picture in another format than their flags say: so it
// is with a frame whose damaged flags were mended when it was lifted.
func (l *textureLowerer) sameStored(i int, kind ultima9.PixelFormat, pix []byte) bool {
	f := &l.base.Frames[i]
	w, h := f.LevelSize(0)
	if i == 0 || kind == ultima9.P8 || kind.Size(uint64(w), uint64(h)) != uint64(len(f.Levels[0])) {
		return false
	}
	got, err := decodePixels(nil, f.Levels[0], w, h, kind, f.Flags, nil)
	return err == nil && SamePixels(got, pix)
}

// lowerMips makes the number of levels of an unchanged frame that of the set.
func (l *textureLowerer) lowerMips(t *ultima9.TextureSet, i int, kind ultima9.PixelFormat) error {
	f := &t.Frames[i]
	have, want := len(f.Levels), 1+int(t.Mips)
	if have == want {
		return nil
	}
	l.moved = true
	if have > want {
		f.Levels = f.Levels[:want:want]
		return nil
	}
	w, h := f.LevelSize(0)
	colours, _ := PaletteOf(l.env, l.shown("palette") == "grey")
	pix, err := decodePixels(nil, f.Levels[0], w, h, kind, f.Flags, colours)
	if err != nil {
		return err
	}
	levels, err := levelsOf(newEncoder(kind, f.Flags, pix, colours, l.env.Effort()), pix, w, h, int(t.Mips), nil)
	if err != nil {
		return err
	}
	f.Levels = append(f.Levels[:have:have], levels[have:]...)
	return nil
}

// encode stores a new picture in frame i.
func (l *textureLowerer) encode(t *ultima9.TextureSet, i int, kind ultima9.PixelFormat, pix []byte, m *asset.Image) error {
	f := &t.Frames[i]
	if m.Width > math.MaxUint16 || m.Height > math.MaxUint16 {
		return schema.Errorf(Name, schema.ErrRange, "size", "%d x %d pixels, at most 65535 a side", m.Width, m.Height)
	}
	flags := kind.Flags()
	stored := l.base != nil && i < len(l.base.Frames)
	if stored {
		flags = l.mended.Frames[i].Flags
		if was, _ := l.mended.Format(i); was != kind {
			flags = flags&ultima9.FlagEditorOnly | kind.Flags()
		}
	}
	colours, found := PaletteOf(l.env, l.shown("palette") == "grey")
	if kind == ultima9.P8 && !found && !stored {
		l.env.Told().Warnf("no-palette", "", "ankh.pal was not found: colours become greys")
	}
	l.reportAlpha(kind, i, pix)
	e := newEncoder(kind, flags, pix, colours, l.env.Effort())
	if e.match != nil {
		e.match.stored = l.storedIndices(i, kind, m)
	}
	before, err := l.storedLevels(i, kind, m, colours)
	if err != nil {
		return err
	}
	levels, err := levelsOf(e, pix, m.Width, m.Height, int(t.Mips), before)
	if err != nil {
		return err
	}
	was := f.Length()
	if !stored || f.Width != uint32(m.Width) || f.Height != uint32(m.Height) || l.kindChanged(i, kind) {
		f.Rows = newRows(kind, m.Width, m.Height)
	}
	f.Flags, f.Width, f.Height, f.Levels = e.flags, uint32(m.Width), uint32(m.Height), levels
	if !stored || f.Length() != was {
		l.moved = true
	}
	return nil
}
