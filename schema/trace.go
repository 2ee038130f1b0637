package schema

import (
	"fmt"
	"slices"
	"unsafe"
)

// Span is a run of bytes that one field covers.
type Span struct {
	Offset int64      // in the file
	Size   int64      // in bytes, never 0
	Path   string     // structure that the field belongs to: "mesh 3"; may be empty
	Field  string     // field name as in the format's reference
	Layout string     // layout of one element, in the words below
	Count  int        // elements; 1 for a plain field
	Means  string     // meaning of a number, such as the name that it is the index of; may be empty
	Names  *SpanNames // nil where numbers have none
}

// SpanNames says what the numbers in some fields of the elements mean.
type SpanNames struct {
	Fields []string // of the layout; "" is that of elements that have one without a name
	Size   int      // of a number, in bytes
	Text   func(uint64) string
}

// NamesOf returns the names that a type has for the numbers of fields.
func NamesOf[T interface {
	word
	fmt.Stringer
}](fields ...string) *SpanNames {
	return &SpanNames{fields, int(unsafe.Sizeof(T(0))), func(v uint64) string { return T(v).String() }}
}

// The words of layouts. A number before a word repeats it, a name may precede it, and spaces separate the fields of an
// element: "position:3f32 colour:4u8". Text is Windows-1252, wide text UTF-16; an index is Unreal's compact index. A word
// that is not in this list stands for data such as compressed pixels. Bytes are uninterpreted.
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

// Trace records which field covers which bytes of a file while its readers run. Readers find it in their [Diagnostics].
// Only one goroutine may use a trace.
//
// Readers get slices and do not know where in the file these lie. A trace finds that out by memory address: whoever loads a
// piece of the file announces it with [Trace.Place]. Bytes outside of all pieces, because they were unpacked or put
// together, are not recorded.
type Trace struct {
	Spans []Span // in the order of reading
	Stop  *Span  // the field where reading failed, its size unknown; nil if nothing failed

	From, To int64 // record only spans that overlap From … To; all spans if To is 0

	pieces  []piece
	skipped bool // the last span was not noted
}

// piece is a part of the file in memory.
type piece struct {
	b      []byte
	offset int64
}

// Place announces that b holds the bytes of the file from offset on.
func (t *Trace) Place(b []byte, offset int64) {
	if len(b) > 0 {
		t.pieces = append(t.pieces, piece{b, offset})
	}
}

// Pieces returns the number of pieces announced so far, for [Trace.Forget].
func (t *Trace) Pieces() int { return len(t.pieces) }

// Forget drops all pieces but the first n, so that their memory can be reused.
func (t *Trace) Forget(n int) { t.pieces = slices.Delete(t.pieces, n, len(t.pieces)) }

// Offset returns where in the file the bytes b lie; ok is false if that is unknown.
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

// Explain sets the meaning of the number in the last span.
func (t *Trace) Explain(means string) {
	if n := len(t.Spans); n > 0 && !t.skipped {
		t.Spans[n-1].Means = means
	}
}

// Name sets how numbers of the last span are called.
func (t *Trace) Name(names *SpanNames) {
	if n := len(t.Spans); n > 0 && !t.skipped {
		t.Spans[n-1].Names = names
	}
}

// NoteBytes adds a span for count elements in b that are read without a cursor. A nil trace ignores it.
func (t *Trace) NoteBytes(b []byte, count int, layout, path, field string) {
	t.NoteNamed(b, count, layout, path, field, nil)
}

// NoteNamed is [Trace.NoteBytes] for elements whose numbers have names.
func (t *Trace) NoteNamed(b []byte, count int, layout, path, field string, names *SpanNames) {
	if t == nil {
		return
	}
	if at, ok := t.Offset(b); ok {
		t.Note(Span{Offset: at, Size: int64(len(b)), Path: path, Field: field, Layout: layout, Count: count, Names: names})
	}
}

// Mark returns the current number of spans, for [Trace.Rewind]. It is 0 for a nil trace.
func (t *Trace) Mark() int {
	if t == nil {
		return 0
	}
	return len(t.Spans)
}

// Rewind drops the spans added since the mark, before a reader tries another layout.
func (t *Trace) Rewind(mark int) {
	if t != nil {
		t.Spans, t.Stop = t.Spans[:mark], nil
	}
}

// Record makes readers that get d record what they read in t; nil ends the recording.
func (d *Diagnostics) Record(t *Trace) { d.trace = t }

// Trace returns the trace that readers record in; nil in normal runs.
func (d *Diagnostics) Trace() *Trace {
	for d != nil && d.parent != nil {
		d = d.parent
	}
	if d == nil {
		return nil
	}
	return d.trace
}
