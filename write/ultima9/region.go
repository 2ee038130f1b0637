package ultima9

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// region is a part of a record, which lies where an offset says.
type region struct {
	at, size int
	gap      bool           // bytes that are outside of all parts
	write    func(b []byte) // fills as many bytes
}

// gaps appends the bytes that lie between the parts of a record.
func gaps(list []region, all []ultima9.Gap) []region {
	for _, g := range all {
		list = append(list, region{int(g.Offset), len(g.Data), true, func(b []byte) { copy(b, g.Data) }})
	}
	return list
}

// fill writes the regions of a record. Several parts may share bytes, as long as they say the same: else what was changed in
// one of them would be lost under the other. Gaps share none.
func fill(format string, b []byte, list []region) error {
	for _, r := range list {
		r.write(b[r.at:][:r.size])
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b region) int { return cmp.Compare(a.at, b.at) })
	shared, end, gap := false, 0, false
	for _, r := range sorted {
		overlaps := r.size > 0 && r.at < end
		if r.gap && (r.size == 0 || overlaps) || gap && overlaps {
			return schema.Errorf(format, schema.ErrMismatch, "Gaps", "the gap at 0x%x is empty, or another part has bytes of it", r.at)
		}
		shared = shared || overlaps
		if r.at+r.size > end {
			end, gap = r.at+r.size, r.gap
		}
	}
	if !shared {
		return nil
	}
	for _, r := range list {
		here := b[r.at:][:r.size]
		again := bytes.Clone(here)
		if r.write(again); !bytes.Equal(again, here) {
			return schema.Errorf(format, schema.ErrMismatch, "offset", "the part at 0x%x shares bytes with another that says something else", r.at)
		}
	}
	return nil
}
