package freelancer

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// claim marks the entry at an offset as read. It fails for one that is there already and for one that overlaps it.
func (r *utfReader) claim(at uint32) bool {
	for other := max(at, freelancer.EntrySize-1) - (freelancer.EntrySize - 1); other < at+freelancer.EntrySize; other++ {
		if r.seen[other/64] == 0 {
			other |= 63
			continue
		}
		if r.seen[other/64]&(1<<(other%64)) == 0 {
			continue
		}
		if other == at {
			r.fail(schema.ErrCycle, at, "entry", "0x%x is reached a second time", at)
		} else {
			r.fail(schema.ErrMismatch, at, "entry", "0x%x overlaps the entry at 0x%x", at, other)
		}
		return false
	}
	r.seen[at/64] |= 1 << (at % 64)
	return true
}
