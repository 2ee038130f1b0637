package ultima9

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// partners are the files that follow the archive: textures have sizes in an sdInfo archive, and lie in other archives in other
// depths; spoken lines have hashes in text.dat; and models bring new textures.
func (f *flxFile) partners() (names []string) {
	if len(f.archive.Edited()) == 0 {
		return nil
	}
	switch f.leaf {
	case &textureFormat:
		if own := beside.InfoArchive(f.name); own != "" {
			names = append(names, own)
		}
		others := f.sharing()
		if len(others) > 0 && !f.env.Options.Ultima9.AllDepths {
			var slots []string
			for _, slot := range f.archive.Edited() {
				slots = append(slots, strconv.Itoa(slot))
			}
			f.env.Told().Hint(": --all-depths writes them too (slots %s)", few(slots)).Warnf("other-depths", "", "the same textures in %s stay as they were", strings.Join(others, " and "))
			return names
		}
		if all := beside.OtherDepths(f.name); len(others) == 0 && len(all) > 0 && f.env.Options.Ultima9.AllDepths {
			f.env.Told().Warnf("no-depths", "", "--all-depths writes this archive alone: %s, which would hold the same textures, are not beside it, or have not these slots", strings.Join(all, " and "))
		}
		for _, other := range others {
			names = append(names, withInfo(other)...)
		}
	case &textRecordFormat:
		if strings.HasPrefix(strings.ToLower(f.name), "text.") {
			names = append(names, textTableFile)
		}
	case &sappearFormat:
		if len(f.brought.Textures) > 0 {
			for _, b := range beside.TextureArchives(f.env) {
				names = append(names, withInfo(b.Name)...)
			}
		}
	}
	return names
}

// withInfo returns the name of an archive of textures, and that of its sdInfo, which lies beside it.
func withInfo(archive string) []string {
	base := format.BaseName(archive)
	if info := beside.InfoArchive(base); info != "" {
		return []string{archive, strings.TrimSuffix(archive, base) + info}
	}
	return []string{archive}
}

// sharing returns the archives of other depths that are at hand and concerned by the edits.
func (f *flxFile) sharing() (names []string) {
	if f.env == nil {
		return nil
	}
	for _, name := range beside.OtherDepths(f.name) {
		r, size, _, err := f.env.FindAt(name)
		if err != nil {
			continue
		}
		a, err := read.FLX(r, size, nil)
		concerned := func(slot int) bool {
			_, err := f.archive.Stored(slot)
			return a.Used(slot) || err != nil // or new
		}
		if err == nil && slices.ContainsFunc(f.archive.Edited(), concerned) {
			names = append(names, name)
		}
	}
	return names
}

// updatePartner brings one of them in line.
func (f *flxFile) updatePartner(name string, partner format.ArchiveFile) (changed []string, err error) {
	base := format.BaseName(name)
	other, _ := partner.(*flxFile)
	switch {
	case base == textTableFile:
		return f.updateHashes(partner)
	case base == beside.InfoArchive(f.name):
		return f.updateInfos(partner)
	case f.siblings[base] != nil:
		return f.siblings[base].updateInfos(partner)
	case other == nil:
		return nil, schema.Errorf("flx", schema.ErrUnsupported, "", "is no archive of textures")
	case f.leaf == &sappearFormat:
		changed, err = f.putBrought(other)
	default:
		changed, err = f.putDepths(other)
	}
	if info := beside.InfoArchive(format.BaseName(name)); info != "" {
		if f.siblings == nil {
			f.siblings = map[string]*flxFile{}
		}
		f.siblings[info] = other
	}
	return changed, err
}

// textureEnv is what a texture of an archive is encoded with.
func (f *flxFile) textureEnv(slot int) *format.Env {
	own := *f.env
	own.Entry, own.Archive = strconv.Itoa(slot), f
	return &own
}

// putDepths puts the textures of edited slots into an archive of another depth. Slots that it leaves empty stay so,
// unless they are new here as well.
func (f *flxFile) putDepths(other *flxFile) (changed []string, err error) {
	for _, slot := range f.archive.Edited() {
		payload, _ := f.archive.Edit(slot)
		_, missing := f.archive.Stored(slot)
		used, path := other.archive.Used(slot), strconv.Itoa(slot)
		if !used && (payload == nil || missing == nil) {
			continue
		}
		if payload == nil {
			if err := other.Remove(other.index(slot)); err != nil {
				return changed, err
			}
			changed = append(changed, path)
			continue
		}
		now, err := f.inDepth(other, slot, payload)
		if err != nil {
			return changed, schema.In(path, err)
		}
		if now == nil {
			continue
		}
		if used {
			err = other.Replace(other.index(slot), now)
		} else {
			err = other.Add(path, now, &textureFormat)
		}
		if err != nil {
			return changed, err
		}
		changed = append(changed, path)
	}
	return changed, nil
}

// index returns the number of the entry of a slot in use.
func (f *flxFile) index(slot int) int {
	return slices.IndexFunc(f.entries, func(e format.Entry) bool { return e.Path == strconv.Itoa(slot) })
}

// inDepth encodes the texture of a slot as another archive stores it; nil when it is that already. Frames that were not
// edited stay there as they are.
func (f *flxFile) inDepth(other *flxFile, slot int, payload []byte) ([]byte, error) {
	set, err := read.Texture(payload, nil)
	if err != nil {
		return nil, err
	}
	now, err := f.given8888(slot, set)
	if err != nil {
		return nil, err
	}
	anchors := make([]any, len(set.Frames))
	for i := range set.Frames {
		anchors[i] = texture.FrameValues(set, i)
	}
	a := &asset.Texture{Name: now.Name, Palette: now.Palette, FPS: now.FPS, Frames: slices.Clone(now.Frames),
		Native: &asset.Native{Format: texture.Name, Values: map[string]any{"playback": texture.Playback(set.Playback.Fields()), "frames": anchors}}}
	env := other.textureEnv(slot)
	if _, found := texture.PaletteOf(env, false); !found && strings.HasPrefix(strings.ToLower(other.name), "bitmapsh") {
		return nil, texture.ErrNoPalette(texture.Name)
	}
	var stored []byte
	if other.archive.Used(slot) {
		if stored, err = other.archive.Payload(slot); err != nil {
			return nil, err
		}
		if err := f.keepFrames(a, slot, set, stored, env); err != nil {
			return nil, err
		}
		a.Native.Payload = stored
	}
	t, err := texture.Set.Lower(a, env)
	if err != nil {
		return nil, err
	}
	b, err := write.Texture(t)
	if bytes.Equal(b, stored) {
		return nil, err
	}
	return b, err
}

// given8888 returns the pictures of an edited slot: as they came from a file where that is known, else as they are stored.
func (f *flxFile) given8888(slot int, set *ultima9.TextureSet) (*asset.Texture, error) {
	if x, ok := f.edited.Load(strconv.Itoa(slot)); ok {
		if t := x.(*asset.Texture); len(t.Frames) == len(set.Frames) {
			return t, nil
		}
	}
	return texture.Pictures(set, f.textureEnv(slot), false)
}

// keepFrames puts the other archive's own picture in the place of each frame that was not edited.
func (f *flxFile) keepFrames(a *asset.Texture, slot int, set *ultima9.TextureSet, stored []byte, env *format.Env) error {
	b, err := f.archive.Stored(slot)
	if err != nil {
		return nil // it is new here
	}
	was, err := read.Texture(b, nil)
	if err != nil {
		return nil
	}
	there, err := read.Texture(stored, nil)
	if err != nil {
		return err
	}
	quiet := *env
	quiet.Diagnostics = nil
	own, err := texture.Pictures(there, &quiet, false)
	if err != nil {
		return err
	}
	for i := range min(len(a.Frames), len(was.Frames), len(own.Frames)) {
		if same := slices.EqualFunc(set.Frames[i].Levels[:1], was.Frames[i].Levels[:1], bytes.Equal); !same || set.Frames[i].Width != was.Frames[i].Width || set.Frames[i].Flags != was.Frames[i].Flags {
			continue
		}
		m := own.Frames[i].Mips[0]
		pix, err := texture.ToRGBA(&m, own.Palette)
		if err != nil {
			return err
		}
		a.Frames[i] = asset.Frame{Mips: []asset.Image{{Width: m.Width, Height: m.Height, Format: asset.RGBA8, Pix: pix}}}
	}
	return nil
}

// putBrought puts the new textures of models into an archive of textures.
func (f *flxFile) putBrought(other *flxFile) (changed []string, err error) {
	env := *other.env
	if _, found := texture.PaletteOf(&env, false); !found && strings.HasPrefix(strings.ToLower(other.name), "bitmapsh") {
		f.env.Told().Warnf("no-palette", "", "ankh.pal was not found: %s gets none of the new textures", other.name)
		return nil, nil
	}
	var told []string
	for _, x := range f.brought.Textures {
		set, err := texture.Set.Lower(&asset.Texture{Frames: x.Texture.Frames, Palette: x.Texture.Palette}, &env)
		if err != nil {
			return changed, err
		}
		b, err := write.Texture(set)
		if err != nil {
			return changed, err
		}
		path := strconv.Itoa(x.Slot)
		if err := other.Add(path, b, &textureFormat); err != nil {
			return changed, err
		}
		changed, told = append(changed, path), append(told, fmt.Sprintf("%q slot %d", x.Name, x.Slot))
	}
	if len(f.siblings) == 0 { // once
		f.env.Told().Warnf("texture-new", "", "new textures of models: %s; a picture called texture_21 is the one of slot 21 instead", few(told))
	}
	return changed, nil
}

// Brought returns what the archive keeps of the new textures of its models.
func (f *flxFile) Brought() *look.Brought { return &f.brought }

// KeepGiven keeps the pictures of an entry as they were given, for archives of the same textures in other pixels.
func (f *flxFile) KeepGiven(entry string, t *asset.Texture) { f.edited.Store(entry, t) }
