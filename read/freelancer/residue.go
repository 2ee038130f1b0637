package freelancer

import (
	"bytes"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// residue returns the bytes of the file that no field, entry, name or payload explains.
func (r *utfReader) residue() (spans []freelancer.Span, err error) {
	type extent struct{ from, to int }
	used := make([]extent, 0, 3*len(r.nodes)+1)
	used = append(used, extent{0, freelancer.HeaderSize})
	for _, n := range r.nodes {
		s := n.Slot
		entry, name := int(r.h.TreeOffset)+int(s.Offset), int(r.h.NamesOffset)+int(s.Name)
		used = append(used, extent{entry, entry + freelancer.EntrySize})
		end := bytes.IndexByte(r.names[s.Name:], 0)
		if end < 0 {
			end = len(r.names) - int(s.Name)
		}
		used = append(used, extent{name, name + end})
		if s.Used > 0 && !n.IsDir() {
			data := int(r.h.DataOffset) + int(s.Child)
			used = append(used, extent{data, data + int(s.Used)})
		}
	}
	slices.SortFunc(used, func(a, b extent) int { return a.from - b.from })

	at := 0
	for _, u := range used {
		if u.from > at {
			if spans, err = r.appendSpan(spans, at, u.from); err != nil {
				return nil, err
			}
		}
		at = max(at, u.to)
	}
	return r.appendSpan(spans, at, int(r.size))
}

// note tells a trace of the names and of the bytes that nothing explains. Names may be parts of others.
func (r *utfReader) note(t *schema.Trace, residue []freelancer.Span) {
	starts := make([]int, 0, len(r.nodes))
	for _, n := range r.nodes {
		starts = append(starts, int(n.Slot.Name))
	}
	slices.Sort(starts)
	end := 0
	for _, at := range starts {
		if at < end {
			continue
		}
		if end = len(r.names); bytes.IndexByte(r.names[at:], 0) >= 0 {
			end = at + bytes.IndexByte(r.names[at:], 0) + 1
		}
		t.NoteBytes(r.names[at:end], 1, schema.LayoutText, "names", "name")
	}
	for _, s := range residue {
		t.NoteBytes(s.Bytes, 1, schema.LayoutBytes, "", "residue")
	}
}

// appendSpan adds the bytes of [from, to) without the zeros around them.
func (r *utfReader) appendSpan(spans []freelancer.Span, from, to int) ([]freelancer.Span, error) {
	b, err := r.part(int64(from), int64(to-from))
	if err != nil {
		return nil, err
	}
	b = bytes.TrimRight(b, "\x00")
	bare := bytes.TrimLeft(b, "\x00")
	if len(bare) == 0 {
		return spans, nil
	}
	return append(spans, freelancer.Span{Offset: from + len(b) - len(bare), Bytes: bare[:len(bare):len(bare)]}), nil
}
