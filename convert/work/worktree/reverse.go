package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/usher-assets/usher/convert/disk"
)

// reverseName is the folder of a patch that has the patch for the way back: what the original had where they differ.
const reverseName = "reverse"

// actionLost stands for what a patch without a way back cannot undo. No manifest has it.
const actionLost = "lost"

const reasonLost = "the patch does not hold what it was, as one that \"diff -o PATCH --reversible\" writes does"

// reverse turns the patch around. One that does not hold what the original had takes out what it added, and gives back
// old names; entry by entry, the rest cannot be undone.
func (x *packing) reverse() error {
	text, _, err := x.below.ReadFile(filepath.Join(reverseName, ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		for i, e := range x.manifest.Entries {
			x.manifest.Entries[i] = reversed(e)
		}
		return nil
	}
	if err == nil {
		x.manifest, err = decodeManifest(text)
	}
	if err == nil && x.manifest.Usher != patchMark {
		err = errors.New("it is no patch")
	}
	x.dir = filepath.Join(x.dir, reverseName)
	if err != nil {
		return fmt.Errorf("%s: %w", x.dir, disk.PlainError(err))
	}
	return nil
}

// lost reports whether the patch is taken back and does not hold all that the original had.
func (x *packing) lost() bool {
	return slices.ContainsFunc(x.manifest.Entries, func(e ManifestEntry) bool { return e.Action == actionLost })
}

// reversed returns the entry of a patch that undoes another one.
func reversed(e ManifestEntry) ManifestEntry {
	switch e.Action {
	case actionAdd:
		return ManifestEntry{Path: e.Path, Kind: e.Kind, Action: actionRemove, Before: e.After}
	case actionRename:
		e.Path, e.From = e.From, e.Path
		return e
	}
	return ManifestEntry{Path: e.Path, Kind: e.Kind, Action: actionLost, Before: e.Before, After: e.After}
}
