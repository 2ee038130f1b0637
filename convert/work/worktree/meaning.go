package worktree

import (
	"bytes"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/store"
)

// meansTag begins the hash of what an entry means.
const meansTag = "means-"

// stateOf returns the hash of an entry as patches have it: of what it means if it refers to something by numbers, which are
// others in each file, else of its bytes.
func stateOf(a *store.Archive, n int) (string, error) {
	b, err := a.Meaning(n)
	if err != nil {
		return "", err
	}
	if b != nil {
		return meansTag + hashOf(b), nil
	}
	b, err = a.Portable(n)
	return hashOf(b), err
}

// compareState compares the hash that a patch has of an entry with what entry n is. Patches of earlier versions have the hash
// of the bytes.
func compareState(stored string, a *store.Archive, n int) (disk.Verdict, error) {
	if strings.HasPrefix(stored, meansTag) {
		is, err := stateOf(a, n)
		return disk.CompareHashes(stored, is), err
	}
	b, err := a.Portable(n)
	return disk.CompareHashes(stored, hashOf(b)), err
}

// sameMeaning reports whether two entries refer to the same things and say the same besides; of those that refer to nothing
// their bytes tell.
func sameMeaning(a *store.Archive, i int, b *store.Archive, k int, sameBytes bool) (bool, error) {
	x, err := a.Meaning(i)
	if err != nil {
		return false, err
	}
	y, err := b.Meaning(k)
	if x == nil && y == nil {
		return sameBytes, err
	}
	return bytes.Equal(x, y), err
}
