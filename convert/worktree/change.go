package worktree

import "hash/maphash"

// Change is what packing did to one entry.
type Change struct {
	Entry  string
	Action string // "replaced", "added", "removed", "renamed", "kept"; "updated" in the archive that describes this one
	Files  []string
	Before int64 // bytes of the stored payload
	After  int64

	sum uint64 // of the new payload, where there is one: two saves within one tick of the clock differ in nothing else
}

var sums = maphash.MakeSeed()

// newChange is a change that brings a payload.
func newChange(entry, action string, files []string, before int, payload []byte) Change {
	return Change{entry, action, files, int64(before), int64(len(payload)), maphash.Bytes(sums, payload)}
}
