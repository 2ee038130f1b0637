package ultima9

import (
	"cmp"
	"slices"
)

// Gap is a run of bytes that no known structure covers. It is kept so that the record can be written back unchanged. The
// offset counts from the start of the record or block that has the gap.
type Gap struct {
	Offset uint32
	Data   []byte
}

// Span is the range [Start, End) of a record.
type Span struct{ Start, End uint32 }

// Uncovered returns the parts of b that no span covers. Spans may overlap and come in any order; Uncovered sorts them.
func Uncovered(b []byte, spans []Span) []Gap {
	byStart := func(x, y Span) int { return cmp.Compare(x.Start, y.Start) }
	if !slices.IsSortedFunc(spans, byStart) {
		slices.SortFunc(spans, byStart)
	}
	var gaps []Gap
	at := uint32(0)
	for _, s := range spans {
		if s.Start > at {
			gaps = append(gaps, Gap{at, b[at:s.Start:s.Start]})
		}
		at = max(at, s.End)
	}
	if int64(at) < int64(len(b)) {
		gaps = append(gaps, Gap{at, b[at:]})
	}
	return gaps
}
