package explain

import (
	"io"
	"slices"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/schema"
)

// piece is a run of bytes of the file.
type piece struct {
	b      []byte
	offset int64
}

// content is what is known of the bytes of a file.
type content []piece

// from returns the size bytes at an offset, or those of them that are known, up to the first that is not.
func (c content) from(offset, size int64) []byte {
	var best []byte
	for _, p := range c {
		at := offset - p.offset
		if at < 0 || at >= int64(len(p.b)) {
			continue
		}
		if b := p.b[at:min(at+size, int64(len(p.b)))]; len(b) > len(best) {
			best = b
		}
	}
	return best
}

const (
	margin  = 4 << 10  // read around a range: elements of arrays reach out of it; and of what is long
	longest = 64 << 10 // a span that is read whole for a range that it reaches into
)

// load reads what a range of the file holds, and how those spans begin that reach into it from afar.
func (m *Map) load(r io.ReaderAt, within Range) error {
	read := func(from, to int64) error {
		from, to = max(from, 0), min(to, m.Size)
		b := make([]byte, max(to-from, 0))
		if n, err := r.ReadAt(b, from); n < len(b) {
			return disk.PlainError(err)
		}
		m.content = append(m.content, piece{b, from})
		return nil
	}
	around := Range{within.From - margin, within.To + margin}
	var long []*Span
	for i := range m.Spans {
		switch s := &m.Spans[i]; {
		case !within.meets(s.Offset, s.Size):
		case s.Size > longest:
			long = append(long, s)
		default:
			around.From, around.To = min(around.From, s.Offset), max(around.To, s.End())
		}
	}
	if err := read(around.From, around.To); err != nil {
		return err
	}
	for _, s := range long {
		if err := read(s.Offset, min(s.Offset+margin, s.End())); err != nil {
			return err
		}
	}
	for i := range m.Spans {
		if s := &m.Spans[i]; s.Kind == Gap && s.Note == "" {
			s.Note = m.gapNote(s)
		}
	}
	return nil
}

// around keeps what lies before and behind a range of a file that is no archive.
func (m *Map) around(within Range) {
	if within == (Range{}) {
		return
	}
	from, to := min(max(within.From, 0), m.Size), min(max(within.To, 0), m.Size)
	for _, s := range m.Spans {
		from, to = min(from, s.Offset), max(to, s.End())
	}
	kept := []schema.Span{
		{Offset: 0, Size: from, Layout: schema.LayoutBytes, Field: "before the range", Count: 1},
		{Offset: to, Size: m.Size - to, Layout: schema.LayoutBytes, Field: "behind the range", Count: 1},
	}
	m.take(slices.DeleteFunc(kept, func(s schema.Span) bool { return s.Size <= 0 }), "", "")
}
