package read

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/usher-assets/usher/schema"
)

// Cursor reads little-endian fields from a byte slice. It keeps the first error: after it, every method returns zero values
// and does not move. So a layout reads as a list of fields with one check of [Cursor.Err] at the end. Byte slices that it
// returns alias the input.
//
// Every read names its field as the format's reference does. The name only matters in errors and traces.
type Cursor struct {
	b       []byte
	off     int
	base    int64 // absolute offset of b[0]
	format  string
	path    []segment
	quickly int // how far numbers are read without a further look: len(b); -1 after an error, and where a trace notes what is read
	err     error
	trace   *schema.Trace // notes what is read; nil in normal runs
	origin  int64         // of b[0] in the traced file
}

// segment is one step of the field path: a label, or a label with an index when index >= 0.
type segment struct {
	label string
	index int
}

// NewCursor returns a cursor at the start of b, the whole input of the named format. d may be nil; if it has a trace, every
// read is recorded there.
func NewCursor(format string, b []byte, d *schema.Diagnostics) *Cursor {
	c := &Cursor{b: b, format: format, quickly: len(b)} // small enough to be inlined: most cursors need no heap
	c.heed(d)
	return c
}

// NewCursorAt returns a cursor over b, a part of a larger file. The part begins at the absolute offset base and is called
// path in errors.
func NewCursorAt(format, path string, b []byte, base int64, d *schema.Diagnostics) *Cursor {
	c := NewCursor(format, b, d)
	c.base = base
	if path != "" {
		c.path = []segment{{path, -1}}
	}
	return c
}

// heed makes c note what it reads where d has a trace that b lies in.
func (c *Cursor) heed(d *schema.Diagnostics) {
	t := d.Trace()
	if t == nil {
		return
	}
	if at, ok := t.Offset(c.b); ok {
		c.trace, c.origin, c.quickly = t, at, -1
	}
}

// Sub returns a cursor over the next n bytes and skips them in c. Its errors have c's path. It keeps an error to itself;
// [Cursor.Adopt] passes it on to c.
func (c *Cursor) Sub(n int, field string) *Cursor {
	start := c.Offset()
	return c.Within(c.next(n, field), start)
}

// Within returns a cursor over b, a part of c's slice that begins at the absolute offset base. c does not move.
func (c *Cursor) Within(b []byte, base int64) *Cursor {
	return &Cursor{
		b: b, base: base, format: c.format, path: slices.Clone(c.path), err: c.err, quickly: min(c.quickly, len(b)),
		trace: c.trace, origin: c.origin + base - c.base,
	}
}

// Adopt takes over the error of a cursor made by [Cursor.Sub].
func (c *Cursor) Adopt(sub *Cursor) {
	if c.err == nil && sub.err != nil {
		c.err, c.quickly = sub.err, -1
	}
}

// Enter adds a step to the field path, with an index unless that is negative. [Cursor.Leave] removes it.
func (c *Cursor) Enter(label string, index int) { c.path = append(c.path, segment{label, index}) }

// Leave removes the last step of the field path.
func (c *Cursor) Leave() { c.path = c.path[:len(c.path)-1] }

// Path returns the field path as text: "mesh 3/vertices".
func (c *Cursor) Path() string {
	var s []byte
	for i, p := range c.path {
		if i > 0 {
			s = append(s, '/')
		}
		s = append(s, p.label...)
		if p.index >= 0 {
			s = fmt.Appendf(s, " %d", p.index)
		}
	}
	return string(s)
}

// Err returns the first error, or nil.
func (c *Cursor) Err() error { return c.err }

// Offset returns the absolute position.
func (c *Cursor) Offset() int64 { return c.base + int64(c.off) }

// Pos returns the position within the cursor's own slice.
func (c *Cursor) Pos() int { return c.off }

// Left returns how many bytes remain; 0 after an error.
func (c *Cursor) Left() int {
	if c.err != nil {
		return 0
	}
	return len(c.b) - c.off
}

// Failf sets an error of the given class at the current position, unless there is one.
func (c *Cursor) Failf(class error, field, msg string, args ...any) {
	c.FailAtf(c.Offset(), class, field, msg, args...)
}

// FailAtf sets an error of the given class at an absolute offset, unless there is one.
func (c *Cursor) FailAtf(offset int64, class error, field, msg string, args ...any) {
	if c.err == nil {
		c.quickly = -1
		c.err = &schema.FormatError{Format: c.format, Path: c.Path(), Offset: offset, Field: field, Class: class, Msg: fmt.Sprintf(msg, args...)}
		if c.trace != nil {
			c.trace.Stop = &schema.Span{Offset: c.origin + offset - c.base, Path: c.Path(), Field: field}
		}
	}
}

// Seek moves to a position within the cursor's own slice. The end of the slice is a valid position.
func (c *Cursor) Seek(pos int, field string) {
	if c.err != nil {
		return
	}
	if pos < 0 || pos > len(c.b) {
		c.Failf(schema.ErrRange, field, "position 0x%x is outside the data of 0x%x bytes", pos, len(c.b))
		return
	}
	c.off = pos
}

// Skip steps over n bytes.
func (c *Cursor) Skip(n int, field string) { c.Bytes(n, field) }

// Bytes returns the next n bytes without a copy and without spare capacity. Traces show them as uninterpreted bytes.
func (c *Cursor) Bytes(n int, field string) []byte {
	b := c.next(n, field)
	if c.trace != nil {
		c.note(b, 1, schema.LayoutBytes, field)
	}
	return b
}

// Part is Bytes for a part that another cursor reads: it is not recorded in the trace itself.
func (c *Cursor) Part(n int, field string) []byte { return c.next(n, field) }

// Data is Bytes for data that no field describes, such as compressed pixels. layout names it in traces.
func (c *Cursor) Data(n int, layout, field string) []byte {
	b := c.next(n, field)
	if c.trace != nil {
		c.note(b, 1, layout, field)
	}
	return b
}

// Elements returns the bytes of n elements of size bytes each, which the caller decodes. layout describes one element in
// the words of [schema.Span], for traces.
func (c *Cursor) Elements(n, size int, layout, field string) []byte {
	b := c.next(n*size, field)
	if c.trace != nil {
		c.note(b, n, layout, field)
	}
	return b
}

// note notes that b, which was just read, is count elements of a layout.
func (c *Cursor) note(b []byte, count int, layout, field string) {
	if len(b) > 0 {
		c.trace.Note(schema.Span{Offset: c.origin + int64(c.off-len(b)), Size: int64(len(b)), Path: c.Path(), Field: field, Layout: layout, Count: count})
	}
}

// Mark returns the current length of the trace, for [Cursor.Rewind].
func (c *Cursor) Mark() int { return c.trace.Mark() }

// Rewind drops whatever was recorded in the trace since the mark. A reader that tries a layout and fails uses it.
func (c *Cursor) Rewind(mark int) { c.trace.Rewind(mark) }

// Explain adds to the trace what the number just read means.
func (c *Cursor) Explain(means string) {
	if c.trace != nil && c.err == nil {
		c.trace.Explain(means)
	}
}

// Named adds to the trace what a number says that was just read, and returns it.
func Named[T fmt.Stringer](c *Cursor, v T) T {
	if c != nil && c.trace != nil {
		c.Explain(v.String())
	}
	return v
}

// Name adds to the trace how numbers in the elements just read are called.
func (c *Cursor) Name(names *schema.SpanNames) {
	if c.trace != nil && c.err == nil {
		c.trace.Name(names)
	}
}

// Noting reports whether there is a trace. Readers ask before they do costly work only for Explain.
func (c *Cursor) Noting() bool { return c.trace != nil }

// next returns the next n bytes.
func (c *Cursor) next(n int, field string) []byte {
	if c.err != nil {
		return nil
	}
	if n < 0 || n > len(c.b)-c.off {
		c.Failf(schema.ErrTruncated, field, "needs %d bytes, %d left", n, len(c.b)-c.off)
		return nil
	}
	b := c.b[c.off : c.off+n : c.off+n]
	c.off += n
	return b
}

// Rest returns all remaining bytes and moves to the end.
func (c *Cursor) Rest() []byte { return c.Bytes(c.Left(), "rest") }

// Peek returns up to n of the next bytes without moving.
func (c *Cursor) Peek(n int) []byte {
	if c.err != nil {
		return nil
	}
	return c.b[c.off : c.off+min(n, len(c.b)-c.off)]
}

// Count checks that the remaining bytes can hold n elements of at least size bytes each, and returns n as an int. Call it
// before allocating memory for them. If they cannot, it sets ErrCount and returns 0.
func (c *Cursor) Count(n uint64, size int, field string) int {
	return c.count(n, size, field, schema.ErrCount)
}

// Extent is Count with ErrTruncated instead of ErrCount, for formats whose reference calls an impossible count a
// truncation.
func (c *Cursor) Extent(n uint64, size int, field string) int {
	return c.count(n, size, field, schema.ErrTruncated)
}

func (c *Cursor) count(n uint64, size int, field string, class error) int {
	if c.err != nil {
		return 0
	}
	left := uint64(len(c.b) - c.off)
	if size > 0 && n > left/uint64(size) {
		c.Failf(class, field, "%d elements of %d bytes do not fit into the %d bytes left", n, size, left)
		return 0
	}
	if n > math.MaxInt32 {
		c.Failf(schema.ErrLimit, field, "%d elements", n)
		return 0
	}
	return int(n)
}

// Magic reads len(want) bytes and sets ErrBadMagic if they differ from want.
func (c *Cursor) Magic(want, field string) {
	at := c.Offset()
	got := c.Data(len(want), schema.LayoutText, field)
	if c.err == nil && string(got) != want {
		c.FailAtf(at, schema.ErrBadMagic, field, "found %q, expected %q", got, want)
	}
}

// quick returns the next n bytes where nothing stands in the way of it: no error, no trace, no end.
func (c *Cursor) quick(n int) []byte {
	at := c.off
	if n > c.quickly-at {
		return nil
	}
	c.off += n
	return c.b[at : at+n]
}

// slow reads a number of n bytes in all other cases.
func (c *Cursor) slow(n int, layout, field string) (v uint64) {
	for i, x := range c.Data(n, layout, field) {
		v |= uint64(x) << (8 * i)
	}
	return v
}

// U8 reads an unsigned byte.
func (c *Cursor) U8(field string) uint8 {
	if b := c.quick(1); b != nil {
		return b[0]
	}
	return uint8(c.slow(1, schema.LayoutU8, field))
}

// I8 reads a signed byte.
func (c *Cursor) I8(field string) int8 {
	if b := c.quick(1); b != nil {
		return int8(b[0])
	}
	return int8(c.slow(1, schema.LayoutI8, field))
}

// U16 reads an unsigned 16-bit integer.
func (c *Cursor) U16(field string) uint16 {
	if b := c.quick(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return uint16(c.slow(2, schema.LayoutU16, field))
}

// I16 reads a signed 16-bit integer.
func (c *Cursor) I16(field string) int16 {
	if b := c.quick(2); b != nil {
		return int16(binary.LittleEndian.Uint16(b))
	}
	return int16(c.slow(2, schema.LayoutI16, field))
}

// U32 reads an unsigned 32-bit integer.
func (c *Cursor) U32(field string) uint32 {
	if b := c.quick(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return uint32(c.slow(4, schema.LayoutU32, field))
}

// I32 reads a signed 32-bit integer.
func (c *Cursor) I32(field string) int32 {
	if b := c.quick(4); b != nil {
		return int32(binary.LittleEndian.Uint32(b))
	}
	return int32(c.slow(4, schema.LayoutI32, field))
}

// U64 reads an unsigned 64-bit integer.
func (c *Cursor) U64(field string) uint64 {
	if b := c.quick(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return c.slow(8, schema.LayoutU64, field)
}

// F32 reads an IEEE 754 single, NaN payloads included.
func (c *Cursor) F32(field string) float32 {
	if b := c.quick(4); b != nil {
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
	return math.Float32frombits(uint32(c.slow(4, schema.LayoutF32, field)))
}

// Vec2 reads two floats.
func (c *Cursor) Vec2(field string) (v [2]float32) { c.floats(v[:], field); return v }

// Vec3 reads three floats.
func (c *Cursor) Vec3(field string) (v [3]float32) { c.floats(v[:], field); return v }

// Vec4 reads four floats.
func (c *Cursor) Vec4(field string) (v [4]float32) { c.floats(v[:], field); return v }

// Mat4 reads sixteen floats in stored order.
func (c *Cursor) Mat4(field string) (m [16]float32) { c.floats(m[:], field); return m }

func (c *Cursor) floats(dst []float32, field string) {
	b := c.quick(4 * len(dst))
	if b == nil {
		b = c.Elements(len(dst), 4, schema.LayoutF32, field)
	}
	if b == nil {
		return
	}
	for i := range dst {
		dst[i] = float(b[4*i:])
	}
}

func float(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// F32s reads n floats.
func (c *Cursor) F32s(n int, field string) []float32 {
	b := c.array(n, 4, schema.LayoutF32, field)
	if b == nil {
		return nil
	}
	v := make([]float32, n)
	for i := range v {
		v[i] = float(b)
		b = b[4:]
	}
	return v
}

// Vec2s reads n pairs of floats.
func (c *Cursor) Vec2s(n int, field string) [][2]float32 {
	b := c.array(n, 8, "2f32", field)
	if b == nil {
		return nil
	}
	v := make([][2]float32, n)
	for i := range v {
		e := b[8*i : 8*i+8]
		v[i] = [2]float32{float(e), float(e[4:])}
	}
	return v
}

// Vec3s reads n triples of floats.
func (c *Cursor) Vec3s(n int, field string) [][3]float32 {
	b := c.array(n, 12, "3f32", field)
	if b == nil {
		return nil
	}
	v := make([][3]float32, n)
	for i := range v {
		e := b[12*i : 12*i+12]
		v[i] = [3]float32{float(e), float(e[4:]), float(e[8:])}
	}
	return v
}

// U16s reads n unsigned 16-bit integers.
func (c *Cursor) U16s(n int, field string) []uint16 {
	return words(c.array(n, 2, schema.LayoutU16, field))
}

// Units reads n unsigned 16-bit integers of UTF-16 text.
func (c *Cursor) Units(n int, field string) []uint16 {
	return words(c.array(n, 2, schema.LayoutWide, field))
}

func words(b []byte) []uint16 {
	if b == nil {
		return nil
	}
	v := make([]uint16, len(b)/2)
	for i := range v {
		v[i] = binary.LittleEndian.Uint16(b[2*i : 2*i+2])
	}
	return v
}

// U32s reads n unsigned 32-bit integers.
func (c *Cursor) U32s(n int, field string) []uint32 {
	b := c.array(n, 4, schema.LayoutU32, field)
	if b == nil {
		return nil
	}
	v := make([]uint32, n)
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(b)
		b = b[4:]
	}
	return v
}

// array returns the bytes of n elements of the given size; nil for none and on failure.
func (c *Cursor) array(n, size int, layout, field string) []byte {
	if c.err != nil || n == 0 {
		return nil
	}
	if n < 0 || n > (len(c.b)-c.off)/size {
		c.Failf(schema.ErrTruncated, field, "%d elements of %d bytes do not fit into the %d bytes left", n, size, len(c.b)-c.off)
		return nil
	}
	return c.Elements(n, size, layout, field)
}

// CString reads Windows-1252 text up to and including the next zero byte, and returns it without the zero.
func (c *Cursor) CString(field string) string {
	if c.err != nil {
		return ""
	}
	n := bytes.IndexByte(c.b[c.off:], 0)
	if n < 0 {
		c.Failf(schema.ErrTruncated, field, "no terminating zero in the %d bytes left", len(c.b)-c.off)
		return ""
	}
	b := c.Data(n+1, schema.LayoutText, field)
	return schema.DecodeWindows1252(b[:n])
}

// Text reads n bytes of Windows-1252 text, zeros included.
func (c *Cursor) Text(n int, field string) string {
	return schema.DecodeWindows1252(c.Data(n, schema.LayoutText, field))
}
