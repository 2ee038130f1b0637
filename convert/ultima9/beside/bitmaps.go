package beside

import (
	"bytes"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// TextureNames are the file names of the texture archives, the one with the best pictures first. They hold the same
// textures in different pixel formats, but some slots are used in only some of them.
var TextureNames = []string{"bitmapC.flx", "bitmap16.flx", "bitmapsh.flx"}

// Archive is a texture archive that was found.
type Archive struct {
	*ultima9.Archive
	Name string // the name by which it was found
	Path string
}

// TextureArchives opens the texture archives at hand in order of preference: first the one that the user named, then those
// of TextureNames.
func TextureArchives(env *format.Env) (list []Archive) {
	if env == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, name := range textureNames(env) {
		r, size, path, err := env.FindAt(name)
		if err != nil || seen[path] {
			continue
		}
		seen[path] = true
		a, err := read.FLX(r, size, nil)
		if err != nil {
			env.Told().Warnf("textures", path, "%v", err)
			continue
		}
		list = append(list, Archive{a, name, path})
	}
	return list
}

// textureNames returns where to look for textures: what the user named, as an archive and as a folder, then the usual
// names.
func textureNames(env *format.Env) []string {
	named := env.Options.Textures
	if named == "" {
		return TextureNames
	}
	names := []string{named}
	for _, n := range TextureNames {
		names = append(names, named+"/"+n)
	}
	return append(names, TextureNames...)
}

// OtherDepths returns the names of the archives that hold the same textures as the named archive in other pixel formats.
func OtherDepths(archive string) []string {
	name := strings.ToLower(archive)
	if number, ok := strings.CutPrefix(name, "texture8."); ok {
		return []string{"texture16." + number}
	}
	if number, ok := strings.CutPrefix(name, "texture16."); ok {
		return []string{"texture8." + number}
	}
	if InfoArchive(archive) == "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(TextureNames), func(other string) bool { return InfoArchive(other) == InfoArchive(archive) })
}

// InfoArchive returns the name of the sdInfo archive for a texture archive, or "" for any other archive.
func InfoArchive(archive string) string {
	switch name := strings.ToLower(archive); {
	case strings.HasPrefix(name, "bitmapsh"):
		return "sdInfo.flx"
	case strings.HasPrefix(name, "bitmap16"):
		return "sdInfo16.flx"
	case strings.HasPrefix(name, "bitmapc"):
		return "sdInfoC.flx"
	}
	return ""
}

// Find returns the slot of a record with these bytes.
func (b Archive) Find(record []byte) (int, bool) {
	head := make([]byte, ultima9.TextureHeaderSize)
	for slot := range b.Len() {
		if b.Length(slot) != int64(len(record)) {
			continue
		}
		section, err := b.Section(slot)
		if err != nil {
			continue
		}
		if _, err := section.ReadAt(head, 0); err != nil || !bytes.Equal(head, record[:len(head)]) {
			continue
		}
		if stored, err := b.Payload(slot); err == nil && bytes.Equal(stored, record) {
			return slot, true
		}
	}
	return 0, false
}
