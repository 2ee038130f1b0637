package worktree

import (
	"hash/maphash"
	"slices"

	"github.com/usher-assets/usher/convert/format"
)

// Change describes what packing did to one entry.
type Change struct {
	Entry  string
	Action string // "replaced", "added", "removed", "renamed", "kept"; "updated" for an entry of a partner
	Files  []string
	Before int64 // size of the stored payload
	After  int64

	sum uint64 // of the new payload, where there is one: two saves within one tick of the clock differ in nothing else
}

var sums = maphash.MakeSeed()

// newChange is a change that brings a payload.
func newChange(entry, action string, files []string, before int, payload []byte) Change {
	return Change{entry, action, files, int64(before), int64(len(payload)), maphash.Bytes(sums, payload)}
}

// noteOthers reports entries that were not asked for but had to change with those that were: the motions of a model,
// the texture that a new material needs.
func (x *packing) noteOthers(before []format.Entry) {
	known := make(map[string]format.Entry, len(before))
	for _, e := range before {
		known[e.Path] = e
	}
	told := map[string]bool{}
	for _, c := range x.done.Changes {
		told[c.Entry] = true
	}
	for i, e := range x.base.Entries() {
		was, old := known[e.Path]
		delete(known, e.Path)
		switch {
		case told[e.Path]:
		case !old:
			x.note(Change{Entry: e.Path, Action: "added", After: e.Size})
		case x.replaced(i, &was, &e):
			x.note(Change{Entry: e.Path, Action: "replaced", Before: was.Size, After: e.Size})
			x.done.Unchanged--
		}
	}
	for _, e := range before {
		if _, gone := known[e.Path]; gone && !told[e.Path] && !slices.Contains(x.left, e.Path) {
			x.note(Change{Entry: e.Path, Action: "removed", Before: e.Size})
			x.done.Unchanged--
		}
	}
	x.noteRenamed()
}
