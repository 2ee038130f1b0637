package worktree

import (
	"bytes"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
)

// A file under another name that is, byte for byte, what an entry became is that entry in another place: its payload is
// taken as it is stored, with what the file does not hold.

// stored is a payload as the base has it.
type stored struct {
	payload []byte
	format  *format.Format
	gone    bool // the entry's own file is no longer there
}

// findStored looks for new files that are what entries became. Of several alike the one whose file is gone is meant.
func (x *packing) findStored(added []string, states []fileState) error {
	a, ok := x.base.ArchiveFile.(format.Movable)
	if o := x.Loader.Options; !ok || len(added) == 0 || o.Encoding != "" || o.Unreal.TextureEncoding != "" { // new ones are to be of another kind
		return nil
	}
	byHash := map[string][]int{}
	for i, e := range x.manifest.Entries {
		if len(e.Files) == 1 && e.Format != "" && !isWhole(e) && !states[i].touched() && e.Files[0].Hash != "" {
			byHash[e.Files[0].Hash] = append(byHash[e.Files[0].Hash], i)
		}
	}
	x.stored = map[string]stored{}
	for _, name := range added {
		b, err := x.Loader.ReadFile(filepath.Join(x.dir, filepath.FromSlash(name)))
		if err != nil {
			continue // told when it is added
		}
		var found *stored
		for _, i := range byHash[disk.HashText(xxhash.Sum64(b))] {
			e := x.manifest.Entries[i]
			if filepath.Ext(e.Files[0].Name) != filepath.Ext(name) {
				continue
			}
			next, err := x.storedIn(e, len(states[i].gone) > 0)
			if err != nil {
				return err
			}
			if found == nil || next.gone && !found.gone {
				found = &next
			} else if next.gone == found.gone && !bytes.Equal(next.payload, found.payload) {
				found.payload = nil // nobody can tell which is meant
			}
		}
		if found != nil && found.payload != nil && a.Movable(found.format) {
			x.stored[name] = *found
		}
	}
	return nil
}

func (x *packing) storedIn(e ManifestEntry, gone bool) (stored, error) {
	i, err := x.base.Find(e.Path)
	if err != nil {
		return stored{}, err
	}
	payload, err := x.base.Payload(i)
	return stored{payload, x.base.Entries()[i].Format.Of(i, payload), gone}, err
}
