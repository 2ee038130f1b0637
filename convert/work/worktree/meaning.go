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

// sameMeaning reports whether entries of the same bytes refer to the same things.
func sameMeaning(a *store.Archive, i int, b *store.Archive, k int) (bool, error) {
	x, err := a.Meaning(i)
	if err != nil {
		return false, err
	}
	y, err := b.Meaning(k)
	return bytes.Equal(x, y), err
}
