package convert

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
)

// joinFrames gives new pictures whose names say so to the textures that they are further frames of: "8.f004.png" to the
// one that came out as "8.f000.png" to "8.f003.png", "5.f001.png" to "5.png". It returns the other files.
func (x *packing) joinFrames(added []string, states []fileState) (rest []string, err error) {
	byStem := map[string]int{}
	for _, name := range added {
		frame, ok := frameOf(name)
		if !ok {
			rest = append(rest, name)
			continue
		}
		if len(byStem) == 0 {
			for i, e := range x.manifest.Entries {
				if e.Kind == format.Texture.String() && len(e.Files) > 0 && path.Ext(e.Files[0].Name) == ".png" {
					byStem[plainStem(e.Files[0].Name)] = i
				}
			}
		}
		i, ok := byStem[plainStem(name)]
		if !ok {
			rest = append(rest, name)
			continue
		}
		e := &x.manifest.Entries[i]
		if frame != len(e.Files) {
			return nil, fmt.Errorf("%s: entry %s has %d pictures: its frames are numbered without gaps", name, e.Path, len(e.Files))
		}
		e.Files = append(e.Files, ManifestFile{Name: name})
		states[i].edited = true
	}
	return rest, nil
}

// frameOf returns the number of the frame in the name of a picture, if there is one.
func frameOf(name string) (n int, ok bool) {
	if !strings.EqualFold(path.Ext(name), ".png") {
		return 0, false
	}
	number, ok := strings.CutPrefix(path.Ext(stemOf(name)), ".f")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(number)
	return n, err == nil && pictureSuffix.MatchString(stemOf(name))
}

// cutFrames returns an entry without the pictures that are gone, which are the last ones.
func cutFrames(e ManifestEntry, gone []string) (ManifestEntry, error) {
	left := len(e.Files) - len(gone)
	for _, f := range e.Files[:left] {
		if slices.Contains(gone, f.Name) {
			return e, fmt.Errorf("%s is gone, but not the files after it: number those of entry %s without gaps", f.Name, e.Path)
		}
	}
	e.Files = e.Files[:left:left]
	return e, nil
}
