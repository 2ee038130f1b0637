package explain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/schema"
)

// Kind says how well a run of bytes is understood.
type Kind uint8

// The kinds.
const (
	Field Kind = iota // a reader decodes it, or knows it as pixels, samples, text or similar data
	Kept              // a reader keeps it without decoding: padding, unknown bytes, entries without a format
	Gap               // no reader looks at it
)

var kindNames = [...]string{"field", "kept", "gap"}

// String returns the kind's name.
func (k Kind) String() string { return kindNames[k] }

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Span is a run of bytes of one kind: a field, an array of elements, kept bytes, or a gap.
type Span struct {
	Offset int64  `json:"offset"` // in the file
	Size   int64  `json:"size"`   // in bytes, never 0
	Kind   Kind   `json:"kind"`
	Entry  string `json:"entry,omitempty"`  // entry of the archive; empty for the file itself
	Path   string `json:"path,omitempty"`   // structures around the field, from the outside in: "mesh 3/vertices"
	Field  string `json:"field,omitempty"`  // field name as in the format's reference
	Layout string `json:"layout,omitempty"` // of one element, in the words of schema.Layout…
	Count  int    `json:"count,omitempty"`  // of elements
	Means  string `json:"means,omitempty"`  // meaning of a number: the name that it is the index of
	Shared bool   `json:"shared,omitempty"` // earlier spans cover these bytes too, because the file uses them several times
	Note   string `json:"note,omitempty"`   // for a gap: its content, or why nobody reads it

	names *schema.SpanNames
}

// End returns the offset after the span.
func (s *Span) End() int64 { return s.Offset + s.Size }

// Name returns the full name of the span: entry, path and field.
func (s *Span) Name() string {
	name := s.Field
	if s.Path != "" {
		name = strings.TrimSuffix(s.Path+"/"+name, "/")
	}
	if s.Entry != "" {
		name = strings.TrimSuffix(s.Entry+": "+name, ": ")
	}
	return name
}

// Stop is a position where reading failed.
type Stop struct {
	Offset int64  // in the file: inside a span, or where a gap begins
	Entry  string // empty for the file itself
	Path   string
	Field  string // the field that could not be read
	Err    error

	last int64 // offset of what was read before
}

// MarshalJSON implements json.Marshaler.
func (s Stop) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Offset int64  `json:"offset"`
		Entry  string `json:"entry,omitempty"`
		Path   string `json:"path,omitempty"`
		Field  string `json:"field,omitempty"`
		Error  string `json:"error"`
	}{s.Offset, s.Entry, s.Path, s.Field, s.Err.Error()})
}

// Map explains every byte of a file, or of one entry.
type Map struct {
	Format string
	Offset int64  // of the first explained byte: that of the entry, 0 for a file
	Size   int64  // number of explained bytes
	Spans  []Span // ordered by offset; they cover every byte, each once except for shared ones
	Stops  []Stop // where reading failed, by entry
	// Unpacked is set for an entry that is not stored in one piece: offsets count from the start of its payload.
	Unpacked bool

	content content
	page    *codepage.Page // of texts with a byte a letter
}

// Coverage is the number of bytes of each [Kind]. Bytes that several entries share count once.
type Coverage [3]int64

// Coverage returns the coverage of all spans.
func (m *Map) Coverage() (c Coverage) {
	at := m.Offset
	for i := range m.Spans {
		s := &m.Spans[i]
		c[s.Kind] += max(s.End()-max(s.Offset, at), 0)
		at = max(at, s.End())
	}
	return c
}

// Share returns the share of a kind, from 0 to 1.
func (c Coverage) Share(k Kind) float64 {
	total := c[Field] + c[Kept] + c[Gap]
	if total == 0 {
		return 0
	}
	return float64(c[k]) / float64(total)
}

// At returns the spans that cover an offset: one, or several for shared bytes, or none outside the map.
func (m *Map) At(offset int64) (found []*Span) {
	end, _ := slices.BinarySearchFunc(m.Spans, offset+1, func(s Span, at int64) int { return cmp.Compare(s.Offset, at) })
	for i := end - 1; i >= 0; i-- {
		s := &m.Spans[i]
		if s.End() > offset {
			found = append(found, s)
		}
		if !s.Shared {
			break // what comes before it ends before it
		}
	}
	slices.Reverse(found)
	return found
}

// Bytes returns the bytes of a span, or nil if not all of them were read, as outside of a [Range].
func (m *Map) Bytes(s *Span) []byte {
	b := m.content.from(s.Offset, s.Size)
	if int64(len(b)) < s.Size {
		return nil
	}
	return b
}

// arrange orders what was noted, marks what the file shares, and fills the gaps.
func (m *Map) arrange() {
	slices.SortStableFunc(m.Spans, func(a, b Span) int { return cmp.Compare(a.Offset, b.Offset) })
	noted := m.Spans
	m.Spans = make([]Span, 0, len(noted))
	at := m.Offset
	for i := range noted {
		s := noted[i]
		if m.repeated(&s) {
			continue
		}
		if s.Offset > at {
			m.gap(at, s.Offset)
		}
		s.Shared = s.Offset < at
		at = max(at, s.End())
		m.Spans = append(m.Spans, s)
	}
	end := m.Offset + m.Size
	if at < end {
		m.gap(at, end)
	}
	for i := range m.Stops {
		s := &m.Stops[i]
		if s.Offset < m.Offset || s.Offset > end || s.Offset < end && !m.touched(s.Offset) {
			s.Offset = s.last // what was read last led to where nothing is
		}
	}
}

// touched reports whether an offset was read, or lies where reading ended.
func (m *Map) touched(offset int64) bool {
	for _, s := range m.At(offset) {
		if s.Kind != Gap || s.Offset == offset {
			return true
		}
	}
	return false
}

// repeated reports whether a span was noted before: some readers go over a part twice.
func (m *Map) repeated(s *Span) bool {
	for _, other := range slices.Backward(m.Spans) {
		if other.Offset != s.Offset {
			return false
		}
		if other.Size == s.Size && other.Field == s.Field && other.Path == s.Path && other.Entry == s.Entry {
			return true
		}
	}
	return false
}

func (m *Map) gap(from, to int64) {
	s := Span{Offset: from, Size: to - from, Kind: Gap}
	s.Note = m.gapNote(&s)
	m.Spans = append(m.Spans, s)
}

// gapNote says what is in a gap.
func (m *Map) gapNote(s *Span) string {
	for _, stop := range m.Stops {
		if stop.Offset == s.Offset {
			return "not read: " + stop.Err.Error()
		}
	}
	b := m.Bytes(s)
	for _, x := range b {
		if x != b[0] {
			return ""
		}
	}
	switch {
	case len(b) == 0:
		return ""
	case b[0] == 0:
		return "zeros"
	}
	return fmt.Sprintf("0x%02x throughout", b[0])
}

// take adds what a trace noted, as parts of an entry of the archive that the prefix names.
func (m *Map) take(spans []schema.Span, prefix, entry string) {
	for _, s := range spans {
		kind := Field
		if s.Layout == schema.LayoutBytes {
			kind = Kept
		}
		name, _, _ := strings.Cut(entry, "@")
		path := strings.TrimPrefix(s.Path, name) // some readers know which entry they read
		m.Spans = append(m.Spans, Span{Offset: s.Offset, Size: s.Size, Kind: kind, Entry: strings.TrimSuffix(prefix+entry, "/"), Path: strings.Trim(path, "/"),
			Field: s.Field, Layout: s.Layout, Count: s.Count, Means: s.Means, names: s.Names})
	}
}
