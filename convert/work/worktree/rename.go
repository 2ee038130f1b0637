package worktree

import (
	"maps"
	"path"
	"slices"

	"github.com/usher-assets/usher/convert/engine/formats"
)

// hashed is what two files have to share for one of them to be the other under a new name.
type hashed struct{ hash, extension string }

// moveFiles renames entries whose only file was renamed, if deleted entries are to be removed: a new file with exactly the
// bytes of a deleted one is that file. It returns the other new files.
func (x *packing) moveFiles(added []string, states []fileState) (rest []string) {
	if x.base.Abilities().Rename == nil || !x.Prune || len(added) == 0 {
		return added
	}
	byHash := map[hashed][]string{}
	for _, name := range added {
		if b, err := x.folder.ReadFile(name); err == nil {
			h := hashed{hashOf(b), path.Ext(name)}
			byHash[h] = append(byHash[h], name)
		}
	}
	moved := map[string]bool{}
	for i := range states {
		e := &x.manifest.Entries[i]
		if len(e.Files) != 1 || len(states[i].gone) != 1 {
			continue
		}
		f := &e.Files[0]
		names := byHash[hashed{f.Hash, path.Ext(f.Name)}]
		if len(names) != 1 || moved[names[0]] || !x.wanted(*e) {
			continue
		}
		if _, err := x.rename(e.Path, formats.Stem(names[0])); err != nil {
			x.fail(e.Path, err, names[0])
		}
		moved[names[0]] = true
		f.Name = names[0]
		states[i] = fileState{edited: []bool{true}} // that the hashes agree is not enough: it is encoded, and compared
	}
	return slices.DeleteFunc(added, func(name string) bool { return moved[name] })
}

// rename gives an entry another path, in an archive that knows how. done is false in others.
func (x *packing) rename(from, to string) (done bool, err error) {
	rename := x.base.Abilities().Rename
	if rename == nil {
		return false, nil
	}
	i, err := x.base.Find(from)
	if err != nil {
		return false, err
	}
	return true, rename(i, to)
}

// noteRenamed reports the renamed entries.
func (x *packing) noteRenamed() {
	told := map[string]bool{}
	for _, c := range x.done.Changes {
		told[c.Entry] = true
	}
	renamed := x.renames()
	for _, from := range slices.Sorted(maps.Keys(renamed)) {
		i, err := x.base.Find(from)
		if err != nil {
			continue
		}
		size := x.base.Entries()[i].Size
		x.done.Changes = append(x.done.Changes, Change{Entry: from, Action: "renamed", Files: []string{renamed[from]}, Before: size, After: size})
		if !told[from] {
			x.done.Unchanged--
		}
		if x.over {
			x.diagnostics.Notef("renamed", from, "it is called %s now: JSON and GLB files of the folder that name it still call it %s; unpack the new archive before you edit those", renamed[from], from)
		}
	}
}

// renames returns the new paths of entries that are called otherwise now, by their old ones.
func (x *packing) renames() map[string]string {
	if renamed := x.base.Abilities().Renamed; renamed != nil {
		return renamed()
	}
	return nil
}
