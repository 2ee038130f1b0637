package texture

import (
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// Name is the name of the format of texture sets.
const Name = "u9-texture"

// PaletteOf returns the palette for 8-bit textures: that of ankh.pal beside the input, or greys with a warning. A texture
// that was lifted with greys is lowered with greys.
func PaletteOf(env *format.Env, grey bool) (colours *[256]asset.RGBA, found bool) {
	colours = new([256]asset.RGBA)
	if !grey {
		if b, path, err := env.Find("ankh.pal", "static/ankh.pal", "../static/ankh.pal"); err == nil {
			p, err := read.Palette(b, nil)
			if err == nil {
				for i, c := range p.Colors {
					colours[i] = asset.RGBA{c[0], c[1], c[2], 255}
				}
				return colours, true
			}
			env.Told().Warnf("palette", path, "%v", err)
		}
	}
	for i := range colours {
		colours[i] = asset.RGBA{uint8(i), uint8(i), uint8(i), 255}
	}
	return colours, false
}

func scratch(env *format.Env) *format.Scratch {
	if env == nil {
		return nil
	}
	return env.Scratch
}

// liftTexture decodes the base level of every frame (reference section 4.4). 8-bit frames keep their indices.
func liftTexture(t *ultima9.TextureSet, env *format.Env) (*asset.Texture, error) {
	out, err := Pictures(t, env, false)
	if err != nil {
		return nil, err
	}
	if env != nil && env.Stored != nil {
		out.Native.Payload = env.Stored
		return out, nil
	}
	out.Native.Payload, err = write.Texture(t)
	return out, err
}

// Pictures lifts a texture set without the payload.
func Pictures(t *ultima9.TextureSet, env *format.Env, grey bool) (*asset.Texture, error) {
	if len(t.Frames) == 0 {
		return nil, schema.Errorf(Name, schema.ErrUnsupported, "frame count", "a set without frames is no picture")
	}
	t = repaired(t, env)
	out := &asset.Texture{Name: env.EntryName("texture"), FPS: float32(t.Playback.Fields().FPS)}
	l := textureLifter{set: t, env: env, grey: grey, out: out}
	out.Frames = make([]asset.Frame, len(t.Frames))
	for i := range t.Frames {
		m, err := l.frame(i)
		if err != nil {
			return nil, err
		}
		out.Frames[i].Mips = []asset.Image{m}
	}
	out.Native = &asset.Native{Format: Name, Values: textureValues(t)}
	if l.colours != nil && !l.missing {
		scene.SetShown(out.Native, "colours", coloursText(out.Palette))
	}
	if l.missing {
		scene.SetShown(out.Native, "palette", "grey")
		env.Told().Warnf("no-palette", "", "ankh.pal was not found: 8-bit colours are shown as greys")
	}
	return out, nil
}

// coloursText stands for the colours of a palette, so that a picture shows whether it still has those that it was lifted
// with, even where the palette is not at hand.
func coloursText(palette []asset.RGBA) string {
	h := crc32.NewIEEE()
	for _, c := range palette {
		_, _ = h.Write(c[:3]) // cannot fail
	}
	return fmt.Sprintf("crc32:%08x", h.Sum32())
}

type textureLifter struct {
	set     *ultima9.TextureSet
	env     *format.Env
	grey    bool
	out     *asset.Texture
	colours *[256]asset.RGBA
	missing bool // the palette
	keyed   bool // entry 254 of the palette is transparent
}

func (l *textureLifter) frame(i int) (asset.Image, error) {
	f := &l.set.Frames[i]
	kind, err := l.set.Format(i)
	if err != nil {
		return asset.Image{}, err
	}
	w, h := f.LevelSize(0)
	m := asset.Image{Width: w, Height: h, Stored: &asset.Stored{Encoding: kind.String(), Data: f.Levels[0]}}
	if kind == ultima9.P8 {
		l.palette(f.Flags.Keyed())
		if l.keyed == f.Flags.Keyed() {
			m.Format, m.Pix = asset.Indexed8, f.Levels[0]
			return m, schema.DefaultLimits.Picture(Name, w, h, 1)
		}
	}
	m.Pix, err = decodePixels(scratch(l.env), f.Levels[0], w, h, kind, f.Flags, l.colours)
	l.alpha(kind, f.Flags, m.Pix)
	return m, err
}

// palette sets the texture's palette at the first 8-bit frame, whose key test decides over entry 254.
func (l *textureLifter) palette(keyed bool) {
	if l.colours != nil {
		return
	}
	var found bool
	l.colours, found = PaletteOf(l.env, l.grey)
	l.missing, l.keyed = !found, keyed
	l.out.Palette = append([]asset.RGBA(nil), l.colours[:]...)
	if keyed {
		l.out.Palette[ultima9.KeyIndex][3] = 0
		l.out.Alpha = max(l.out.Alpha, asset.Mask)
	}
}

func (l *textureLifter) alpha(kind ultima9.PixelFormat, flags ultima9.FrameFlags, pix []byte) {
	mode := asset.Opaque
	switch {
	case kind == ultima9.A8 || kind == ultima9.AI44 || kind == ultima9.AI88:
		mode = asset.Blend
	case kind == ultima9.ARGB1555, kind == ultima9.BC1, flags.Keyed():
		if hasHoles(pix) {
			mode = asset.Mask
		}
	}
	l.out.Alpha = max(l.out.Alpha, mode)
}

// repaired corrects the pixel format code of a later frame that differs from the first frame's, when the sdInfo file
// beside the archive says that the first is right: two frames of the game have damaged flags. It returns t itself when
// there is nothing to correct.
func repaired(t *ultima9.TextureSet, env *format.Env) *ultima9.TextureSet {
	const bits = 0x700
	first := t.Frames[0].Flags
	differs := func(f ultima9.TextureFrame) bool { return f.Flags&bits != first&bits }
	if env == nil || beside.InfoArchive(env.Name) == "" || t.Storage != 0 || !slices.ContainsFunc(t.Frames, differs) {
		return t
	}
	slot, err := beside.ParseSlot(env.Entry)
	if err != nil {
		return t
	}
	b, err := beside.Record(env, slot, beside.InfoArchive(env.Name))
	if err != nil {
		return t
	}
	info, err := read.SDInfo(b, nil)
	kind, ok := first.Format()
	if err != nil || !ok || info.Format != first.Code() || int(info.Frames) != len(t.Frames) {
		return t
	}
	fixed := *t
	fixed.Frames = slices.Clone(t.Frames)
	for i := range fixed.Frames {
		f := &fixed.Frames[i]
		if w, h := f.LevelSize(0); differs(*f) && kind.Size(uint64(w), uint64(h)) == uint64(len(f.Levels[0])) {
			env.Told().Warnf("frame-flags", "", "the pixel format of frame %d is damaged; sdInfo has the right one", i)
			f.Flags = f.Flags&^bits | first&bits
		}
	}
	return &fixed
}

// Playback returns how a texture plays, as editable values.
func Playback(p ultima9.PlaybackFields) map[string]any { return playbackFields(&p).Values() }

func playbackFields(p *ultima9.PlaybackFields) scene.Fields {
	return scene.Fields{"mode": &p.Mode, "reverse": &p.Reverse, "fps": &p.FPS, "first": &p.First, "last": &p.Last}
}

// FrameValues returns the editable values of frame i: its anchor.
func FrameValues(t *ultima9.TextureSet, i int) map[string]any {
	f := &t.Frames[i]
	values := anchorFields([]int64{int64(f.AnchorX), int64(f.AnchorY)}).Values()
	if shown := keyedOf(t, i); len(shown) > 0 {
		values[scene.ReadOnly] = shown
	}
	return values
}

// keyedOf says of a frame whether one colour is transparent, which is for reading only.
func keyedOf(t *ultima9.TextureSet, i int) map[string]any {
	if kind, _ := t.Format(i); (kind == ultima9.RGB565 || kind == ultima9.P8) && t.Frames[i].Flags.Keyed() {
		return map[string]any{"keyed": true}
	}
	return map[string]any{}
}

func anchorFields(at []int64) scene.Fields { return scene.Fields{"anchor": at} }

// textureValues returns what a person may edit: "format" of all frames, number of "mips", "playback", and for each of
// the "frames" its anchor, and its own format where the frames differ.
func textureValues(t *ultima9.TextureSet) map[string]any {
	first, _ := t.Format(0)
	same := true
	frames := make([]any, len(t.Frames))
	for i := range t.Frames {
		kind, _ := t.Format(i)
		same = same && kind == first
		v := FrameValues(t, i)
		v["format"] = kind.String()
		frames[i] = v
	}
	values := map[string]any{"mips": float64(t.Mips), "playback": Playback(t.Playback.Fields()), "frames": frames}
	if same {
		values["format"] = first.String()
		for _, v := range frames {
			delete(v.(map[string]any), "format")
		}
	}
	return values
}

// Set holds the typed functions for one format: texture set.
var Set = format.Functions[ultima9.TextureSet, *asset.Texture]{
	Read:  read.Texture,
	Write: write.Texture,
	Facts: textureFacts,
	Lift:  liftTexture,
	Lower: lowerTexture,
}

func textureFacts(t *ultima9.TextureSet) []format.Fact {
	facts := []format.Fact{
		{Name: "size", Value: fmt.Sprintf("%d x %d", t.MaxWidth, t.MaxHeight)},
		{Name: "frames", Value: len(t.Frames)},
		{Name: "mips", Value: int(t.Mips)},
	}
	if len(t.Frames) > 0 {
		if kind, err := t.Format(0); err == nil {
			facts = append(facts, format.Fact{Name: "format", Value: kind.String()}, format.Fact{Name: "colour key", Value: t.Frames[0].Flags.Keyed()})
		}
	}
	if fps := t.Playback.Fields().FPS; fps > 0 {
		facts = append(facts, format.Fact{Name: "frames per second", Value: int(fps)})
	}
	return facts
}
