package worktree

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/store"
)

// checkAfter makes sure that every entry that a patch was put onto has become what the patch says. Onto another version of
// the original, payloads that refer to tables of their archive may come out otherwise, and that is said.
func (x *packing) checkAfter(put []ManifestEntry) error {
	x.base.Reindex()
	renamed := x.renames()
	for _, e := range put {
		if slices.ContainsFunc(x.done.Failures, func(f Failure) bool { return f.Entry == e.Path }) {
			continue // told already, and left out
		}
		wrong, err := becameOther(x.base, e, renamed)
		if err != nil {
			return err
		}
		if !wrong {
			continue
		}
		stamp, err := x.base.Stamp()
		if err != nil {
			return err
		}
		if disk.CompareHashes(x.manifest.Archive.Hash, stamp.Hash) != disk.Different {
			return fmt.Errorf("%s: entry %s does not become what the patch says: its files or %s are damaged, and nothing is written", x.dir, e.Path, ManifestName)
		}
		x.diagnostics.Warnf("after-differs", e.Path, "put onto another version of %s, it is not byte for byte what it became there", x.manifest.Archive.Path)
	}
	return nil
}

// becameOther reports whether an entry that a patch was put onto is not what the patch says that it becomes.
func becameOther(a *store.Archive, e ManifestEntry, renamed map[string]string) (bool, error) {
	name, want := e.Path, e.After
	switch e.Action {
	case actionRemove:
		return false, nil
	case actionRename:
		want = cmp.Or(e.After, e.Before) // it may have been changed as well
		if renamed[e.From] == e.Path {   // it has its old path until it is written
			name = e.From
		}
	}
	n, err := a.Find(name)
	if err != nil {
		return true, nil
	}
	is, err := compareState(want, a, n)
	return is == disk.Different, err
}
