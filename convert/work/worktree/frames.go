package worktree

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine/interchange"
)

// join gives new files that belong to entries which are there to those: further frames of a texture, "8.f004.png" beside
// "8.f000.png" to "8.f003.png" or "5.f001.png" beside "5.png", and sidecars, "5.usher.json", that ask for another pixel
// format and the like. It returns the other files, without sidecars: new entries read theirs themselves.
func (x *packing) join(added []string, states []fileState) (rest []string) {
	var byStem map[string]int
	for _, name := range added {
		stem, frame := interchange.PictureStem(name), interchange.PictureFrame(name)
		if interchange.IsSidecar(name) {
			stem = strings.TrimSuffix(name, interchange.SidecarExtension)
		} else if frame < 0 {
			rest = append(rest, name)
			continue
		}
		if byStem == nil {
			byStem = x.byStem()
		}
		i, ok := byStem[stem]
		switch {
		case !ok && interchange.IsSidecar(name):
			continue
		case !ok:
			rest = append(rest, name)
			continue
		case frame >= 0:
			e := &x.manifest.Entries[i]
			if frame != len(e.Files) {
				x.fail(e.Path, fmt.Errorf("the entry has %d pictures: its frames are numbered without gaps", len(e.Files)), name)
				continue
			}
			e.Files = append(e.Files, ManifestFile{Name: name})
		}
		states[i].more = true
	}
	return rest
}

// byStem returns the entries whose files may have others beside them, by what the names of those begin with.
func (x *packing) byStem() map[string]int {
	m := map[string]int{}
	for i, e := range x.manifest.Entries {
		if len(e.Files) > 0 && slices.Contains([]string{".png", ".wav"}, path.Ext(e.Files[0].Name)) {
			m[interchange.PictureStem(e.Files[0].Name)] = i
		}
	}
	return m
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
