package schema

import (
	"slices"
	"unsafe"
)

// Span is a run of bytes that one field of a layout covers.
type Span struct {
	Offset int64  // in the file
	Size   int64  // in bytes, never 0
	Path   string // structure that the field is part of: "mesh 3"; may be empty
	Field  string // as the format's reference calls it
	Layout string // of one element, in the words below
	Count  int    // elements; 1 for a plain field
	Means  string // what a number stands for, such as the name that it is the index of; may be empty
}

// The words of layouts. A number before a word repeats it, a name may stand before it, and spaces separate the fields of
// an element: "position:3f32 colour:4u8". Text is Windows-1252, wide text UTF-16; an index is Unreal's compact one.
// Words in no list are data of their own kind, such as compressed pixels. Bytes are kept as they are.
const (
	LayoutU8    = "u8"
	LayoutI8    = "i8"
	LayoutU16   = "u16"
	LayoutI16   = "i16"
	LayoutU32   = "u32"
	LayoutI32   = "i32"
	LayoutU64   = "u64"
	LayoutF32   = "f32"
	LayoutIndex = "index"
	LayoutText  = "text"
	LayoutWide  = "wide"
	LayoutBytes = "bytes"
)

// Trace notes which field covers which bytes of a file while its readers run. They find it in their [Diagnostics]. It
// serves one goroutine.
//
// Readers take slices, and say little of where these come from. So a trace tells where a slice lies in the file by where
// it lies in memory: whoever loads a piece of the file says so with [Trace.Place]. What lies in no such piece, because it
// was unpacked or put together, is not noted.
type Trace struct {
	Spans []Span // as they were read
	Stop  *Span  // the field that reading failed at, its size unknown; nil when nothing failed

	From, To int64 // only spans that reach into these bytes are noted; all where To is 0

	pieces  []piece
	skipped bool // the last span was not noted
}

// piece is a part of the file in memory.
type piece struct {
	b      []byte
	offset int64
}

// Place says that b holds the bytes of the file from an offset on.
func (t *Trace) Place(b []byte, offset int64) {
	if len(b) > 0 {
		t.pieces = append(t.pieces, piece{b, offset})
	}
}

// Pieces returns how many pieces are placed, for [Trace.Forget].
func (t *Trace) Pieces() int { return len(t.pieces) }

// Forget drops all pieces but the first n, so that their memory can be used again.
func (t *Trace) Forget(n int) { t.pieces = slices.Delete(t.pieces, n, len(t.pieces)) }

// Offset tells where in the file the bytes b lie.
func (t *Trace) Offset(b []byte) (offset int64, ok bool) {
	if len(b) == 0 {
		return 0, false
	}
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	for _, p := range slices.Backward(t.pieces) { // the last to use some memory is right
		from := uintptr(unsafe.Pointer(unsafe.SliceData(p.b)))
		if at >= from && at < from+uintptr(len(p.b)) {
			return p.offset + int64(at-from), true
		}
	}
	return 0, false
}

// Note adds a span.
func (t *Trace) Note(s Span) {
	if s.Size <= 0 {
		return
	}
	if t.skipped = t.To > 0 && (s.Offset >= t.To || s.Offset+s.Size <= t.From); !t.skipped {
		t.Spans = append(t.Spans, s)
	}
}

// Explain says what the number of the last span stands for.
func (t *Trace) Explain(means string) {
	if n := len(t.Spans); n > 0 && !t.skipped {
		t.Spans[n-1].Means = means
	}
}

// NoteBytes adds a span for count elements of a layout, which b holds, and which no cursor reads. A nil trace takes
// nothing.
func (t *Trace) NoteBytes(b []byte, count int, layout, path, field string) {
	if t == nil {
		return
	}
	if at, ok := t.Offset(b); ok {
		t.Note(Span{Offset: at, Size: int64(len(b)), Path: path, Field: field, Layout: layout, Count: count})
	}
}

// Mark returns how much is noted, for [Trace.Rewind]. A nil trace has nothing.
func (t *Trace) Mark() int {
	if t == nil {
		return 0
	}
	return len(t.Spans)
}

// Rewind drops what was noted since the mark: a reader tries something else.
func (t *Trace) Rewind(mark int) {
	if t != nil {
		t.Spans, t.Stop = t.Spans[:mark], nil
	}
}

// Record makes the readers that are given d note what they read; nil ends that.
func (d *Diagnostics) Record(t *Trace) { d.trace = t }

// Trace returns the trace to note in; nil in normal runs.
func (d *Diagnostics) Trace() *Trace {
	for d != nil && d.parent != nil {
		d = d.parent
	}
	if d == nil {
		return nil
	}
	return d.trace
}
