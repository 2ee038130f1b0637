package worktree

import (
	"bytes"
	"path/filepath"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
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
	movable := x.base.Abilities().Movable
	if o := x.Loader.Options; movable == nil || len(added) == 0 || o.Encoding != "" || o.Unreal.TextureEncoding != "" { // new ones are to be of another kind
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
		for _, i := range byHash[hashOf(b)] {
			e := x.manifest.Entries[i]
			if filepath.Ext(e.Files[0].Name) != filepath.Ext(name) {
				continue
			}
			if !x.isFileOf(e, states[i], name, b) {
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
		if found != nil && found.payload != nil && movable(found.format) {
			x.stored[name] = *found
		}
	}
	return nil
}

// isFileOf reports whether the content b of a new file is, byte for byte, what an entry became; so far only the hashes
// agree. The entry's own file tells, or, where that is gone, what the new one is encoded to.
func (x *packing) isFileOf(e ManifestEntry, state fileState, name string, b []byte) bool {
	if len(state.gone) == 0 {
		own, err := x.folder.ReadFile(e.Files[0].Name)
		return err == nil && bytes.Equal(own, b)
	}
	e.Files = []ManifestFile{{Name: name}}
	var r replacement
	err := batch.Guarded(func() (err error) {
		r, err = x.encode(e, func() {})
		return err
	})
	return err == nil && bytes.Equal(r.before, r.after)
}

func (x *packing) storedIn(e ManifestEntry, gone bool) (stored, error) {
	i, err := x.base.Find(e.Path)
	if err != nil {
		return stored{}, err
	}
	payload, err := x.base.Payload(i)
	return stored{payload, x.base.Entries()[i].Format.Of(i, payload), gone}, err
}
