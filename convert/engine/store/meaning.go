package store

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/usher-assets/usher/schema"
)

// SameTerms reports whether a number in a payload refers to the same thing in both archives, so that equal bytes mean the same.
func SameTerms(a, b *Archive) bool {
	if a.able.Meanings == nil || b.able.Meanings == nil {
		return true
	}
	return slices.Equal(a.able.Meanings(), b.able.Meanings())
}

// Meaning returns the payload of entry i with what it refers to in place of the numbers that stand for that, since these are
// others in each file. It is nil if the entry refers to nothing, or cannot be read.
func (a *Archive) Meaning(i int) ([]byte, error) {
	payload, err := a.Portable(i)
	if err != nil {
		return nil, err
	}
	f := a.Entries()[i].Format
	if f != nil {
		f = f.Of(i, payload)
	}
	if f == nil || f.Read == nil {
		return nil, nil
	}
	d, trace := new(schema.Diagnostics), new(schema.Trace)
	d.Record(trace)
	trace.Place(payload, 0)
	if _, err := f.Read(payload, d); err != nil {
		return nil, nil
	}
	return meaning(payload, trace.Spans), nil
}

// meaning replaces the indices among the spans of a payload by what they mean, each piece with its length in front.
func meaning(payload []byte, spans []schema.Span) (b []byte) {
	slices.SortStableFunc(spans, func(x, y schema.Span) int { return cmp.Compare(x.Offset, y.Offset) })
	at := int64(0)
	for _, s := range spans {
		if s.Layout != schema.LayoutIndex || s.Means == "" || s.Offset < at {
			continue
		}
		b = binary.AppendUvarint(b, uint64(s.Offset-at))
		b = append(b, payload[at:s.Offset]...)
		b = binary.AppendUvarint(b, uint64(len(s.Means)))
		b = append(b, s.Means...)
		at = s.Offset + s.Size
	}
	if at == 0 {
		return nil
	}
	return append(b, payload[at:]...)
}
