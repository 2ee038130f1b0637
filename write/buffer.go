package write

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/usher-assets/usher/schema"
)

// Buffer appends little-endian fields to a byte slice. It can reserve room for offsets that are not known yet. It keeps the
// first error, so that a layout reads as a list of fields with one check at the end, in [Buffer.Finish]. It mirrors
// read.Cursor.
type Buffer struct {
	b      []byte
	format string
	err    error
}

// NewBuffer returns an empty buffer for the named format, with a capacity of size bytes.
func NewBuffer(format string, size int) *Buffer {
	return &Buffer{b: make([]byte, 0, max(size, 0)), format: format}
}

// Finish returns all bytes written, or the first error.
func (w *Buffer) Finish() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	return w.b, nil
}

// Err returns the first error.
func (w *Buffer) Err() error { return w.err }

// Failf sets an error of the given class, unless there is one.
func (w *Buffer) Failf(class error, field, msg string, args ...any) {
	w.failAtf(len(w.b), class, field, msg, args...)
}

func (w *Buffer) failAtf(at int, class error, field, msg string, args ...any) {
	if w.err == nil {
		w.err = &schema.FormatError{Format: w.format, Offset: int64(at), Field: field, Class: class, Msg: fmt.Sprintf(msg, args...)}
	}
}

// NoPlace sets ErrMismatch if a field has a value that the output has no place for. The words say which value that is.
func (w *Buffer) NoPlace(field, what string, args ...any) {
	w.Failf(schema.ErrMismatch, field, "%s has no place for it", fmt.Sprintf(what, args...))
}

// Len returns the number of bytes written so far, which is the position of the next field.
func (w *Buffer) Len() int { return len(w.b) }

// Bytes appends b.
func (w *Buffer) Bytes(b []byte) { w.b = append(w.b, b...) }

// Raw appends the bytes of s unchanged, without terminator.
func (w *Buffer) Raw(s string) { w.b = append(w.b, s...) }

// Fill appends n copies of c.
func (w *Buffer) Fill(n int, c byte) {
	for range n {
		w.b = append(w.b, c)
	}
}

// U8 appends an unsigned byte.
func (w *Buffer) U8(v uint8) { w.b = append(w.b, v) }

// I8 appends a signed byte.
func (w *Buffer) I8(v int8) { w.b = append(w.b, byte(v)) }

// U16 appends an unsigned 16-bit integer.
func (w *Buffer) U16(v uint16) { w.b = binary.LittleEndian.AppendUint16(w.b, v) }

// I16 appends a signed 16-bit integer.
func (w *Buffer) I16(v int16) { w.U16(uint16(v)) }

// U32 appends an unsigned 32-bit integer.
func (w *Buffer) U32(v uint32) { w.b = binary.LittleEndian.AppendUint32(w.b, v) }

// I32 appends a signed 32-bit integer.
func (w *Buffer) I32(v int32) { w.U32(uint32(v)) }

// U64 appends an unsigned 64-bit integer.
func (w *Buffer) U64(v uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, v) }

// F32 appends an IEEE 754 single with all its bits.
func (w *Buffer) F32(v float32) { w.U32(math.Float32bits(v)) }

// Floats appends any number of singles, such as a vector or a matrix.
func (w *Buffer) Floats(v ...float32) {
	for _, x := range v {
		w.F32(x)
	}
}

// Vec2s appends pairs of floats.
func (w *Buffer) Vec2s(v [][2]float32) {
	for i := range v {
		w.Floats(v[i][:]...)
	}
}

// Vec3s appends triples of floats.
func (w *Buffer) Vec3s(v [][3]float32) {
	for i := range v {
		w.Floats(v[i][:]...)
	}
}

// U16s appends unsigned 16-bit integers.
func (w *Buffer) U16s(v []uint16) {
	for _, x := range v {
		w.U16(x)
	}
}

// U32s appends unsigned 32-bit integers.
func (w *Buffer) U32s(v []uint32) {
	for _, x := range v {
		w.U32(x)
	}
}

// Count8 appends n as a byte, or sets ErrRange if it does not fit.
func (w *Buffer) Count8(n int, field string) { w.U8(uint8(w.count(n, math.MaxUint8, field))) }

// Count16 appends n as 16 bits, or sets ErrRange if it does not fit.
func (w *Buffer) Count16(n int, field string) { w.U16(uint16(w.count(n, math.MaxUint16, field))) }

// Count32 appends n as 32 bits, or sets ErrRange if it does not fit.
func (w *Buffer) Count32(n int, field string) { w.U32(uint32(w.count(n, math.MaxUint32, field))) }

func (w *Buffer) count(n, limit int, field string) int {
	if n < 0 || n > limit {
		w.Failf(schema.ErrRange, field, "%d does not fit, at most %d", n, limit)
		return 0
	}
	return n
}

// CString appends s in Windows-1252 and a zero byte. It sets ErrValue if s contains a zero or a character outside the code
// page.
func (w *Buffer) CString(s, field string) {
	w.Text(s, field)
	for i := range len(s) {
		if s[i] == 0 {
			w.Failf(schema.ErrValue, field, "%q holds a zero character", s)
		}
	}
	w.U8(0)
}

// Text appends s in Windows-1252, without a terminator.
func (w *Buffer) Text(s, field string) {
	b, ok := schema.EncodeWindows1252(s)
	if !ok {
		w.Failf(schema.ErrValue, field, "%q holds a character that Windows-1252 lacks", s)
	}
	w.Bytes(b)
}

// FixedText appends s in Windows-1252, padded with zeros to exactly n bytes. It sets ErrRange if s is longer.
func (w *Buffer) FixedText(s string, n int, field string) {
	start := len(w.b)
	w.Text(s, field)
	if len(w.b)-start > n {
		w.Failf(schema.ErrRange, field, "%q is longer than %d bytes", s, n)
	}
	w.Fill(n-(len(w.b)-start), 0)
}

// Mark is the position of a reserved field.
type Mark int

// Reserve32 appends four zero bytes and returns their position, for [Buffer.Patch32].
func (w *Buffer) Reserve32() Mark {
	m := Mark(len(w.b))
	w.U32(0)
	return m
}

// Patch32 writes v at a reserved position.
func (w *Buffer) Patch32(m Mark, v int, field string) {
	binary.LittleEndian.PutUint32(w.b[m:], uint32(w.count(v, math.MaxUint32, field)))
}
