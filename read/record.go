package read

import (
	"encoding/binary"
	"reflect"
	"unsafe"

	"github.com/usher-assets/usher/schema"
)

// Record reads the fields of the struct that x points to; see [schema.Record].
func (c *Cursor) Record(x any) {
	c.record(schema.RecordOf(x), reflect.ValueOf(x).UnsafePointer())
}

// Records reads n structs into the slice that x points to. Each is a step of the field path, called label. The caller must
// have checked n, for example with [Cursor.Count].
func (c *Cursor) Records(x any, n int, label string) {
	list := reflect.ValueOf(x).Elem()
	makeList(list, n)
	c.records(schema.RecordOf(x), list.UnsafePointer(), n, label)
}

// makeList makes a list of n zeros. An empty one is not nil.
func makeList(list reflect.Value, n int) {
	if n == 0 {
		list.Set(reflect.MakeSlice(list.Type(), 0, 0))
		return
	}
	list.SetZero()
	list.Grow(n)
	list.SetLen(n)
}

func (c *Cursor) records(r *schema.Record, p unsafe.Pointer, n int, label string) {
	if r.Flat {
		if b := c.quick(n * r.Size); b != nil {
			copy(unsafe.Slice((*uint8)(p), len(b)), b)
			return
		}
	}
	for i := range n {
		c.Enter(label, i)
		c.record(r, unsafe.Add(p, uintptr(i)*r.Stride))
		c.Leave()
	}
}

func (c *Cursor) record(r *schema.Record, p unsafe.Pointer) {
	for i := range r.Parts {
		part := &r.Parts[i]
		c.fields(part, p)
		if part.List != nil {
			c.list(part.List, p)
		}
	}
}

// fields reads a part at once where nothing stands in the way of it, and field by field in all other cases.
func (c *Cursor) fields(part *schema.RecordPart, p unsafe.Pointer) {
	if b := c.quick(part.Size); b != nil {
		for _, r := range part.Runs {
			copy(unsafe.Slice((*uint8)(unsafe.Add(p, r.At)), r.Size), b[r.Offset:])
		}
		for i := range part.Others {
			f := &part.Others[i]
			set(f, unsafe.Add(p, f.At), b[f.Offset:])
		}
		return
	}
	for i := range part.Fields {
		f := &part.Fields[i]
		if b := c.Elements(f.Count, f.Width, f.Layout, f.Name); c.err == nil {
			set(f, unsafe.Add(p, f.At), b)
			c.named(f, b)
		}
	}
}

// named adds to the trace what the number in b says, if its type has names.
func (c *Cursor) named(f *schema.RecordField, b []byte) {
	if c.trace == nil || f.Names == nil {
		return
	}
	var word [8]byte
	copy(word[:], b)
	c.trace.Explain(f.Names(binary.LittleEndian.Uint64(word[:])))
}

// set puts what b begins with into a field.
func set(f *schema.RecordField, p unsafe.Pointer, b []byte) {
	switch f.Kind {
	case schema.Field8:
		*(*uint8)(p) = b[0]
	case schema.Field16:
		*(*uint16)(p) = binary.LittleEndian.Uint16(b)
	case schema.Field32:
		*(*uint32)(p) = binary.LittleEndian.Uint32(b)
	case schema.Field64:
		*(*uint64)(p) = binary.LittleEndian.Uint64(b)
	case schema.FieldBytes:
		copy(unsafe.Slice((*uint8)(p), f.Size()), b)
	case schema.FieldNumbers:
		setNumbers(p, f.Word, b[:f.Size()])
	case schema.FieldText:
		*(*schema.FixedText)(p) = schema.SplitFixedText(b[:f.Width])
	}
}

// setNumbers puts all of b into numbers of size bytes each.
func setNumbers(p unsafe.Pointer, size int, b []byte) {
	for i := 0; i < len(b); i += size {
		switch at := unsafe.Add(p, i); size {
		case 1:
			*(*uint8)(at) = b[i]
		case 2:
			*(*uint16)(at) = binary.LittleEndian.Uint16(b[i:])
		case 4:
			*(*uint32)(at) = binary.LittleEndian.Uint32(b[i:])
		case 8:
			*(*uint64)(at) = binary.LittleEndian.Uint64(b[i:])
		}
	}
}

// list reads the elements of a list. Their number, where it is not fixed, was read with the fields before.
func (c *Cursor) list(l *schema.RecordList, p unsafe.Pointer) {
	first, n := unsafe.Add(p, l.At), l.Len
	if l.Back > 0 {
		n = c.Count(c.length(l), l.Size, l.Count.Name)
		list := reflect.NewAt(l.Type, first).Elem()
		makeList(list, n)
		first = list.UnsafePointer()
	}
	if l.Elem != nil {
		c.records(l.Elem, first, n, l.One)
		return
	}
	if b := c.Elements(n*l.Numbers.Count, l.Numbers.Width, l.Numbers.Layout, l.Name); len(b) > 0 {
		setNumbers(first, l.Numbers.Word, b)
	}
}

// length returns the count that stands before a list.
func (c *Cursor) length(l *schema.RecordList) (n uint64) {
	if c.err == nil {
		for i, x := range c.b[c.off-l.Back:][:l.Count.Width] {
			n |= uint64(x) << (8 * i)
		}
	}
	return n
}
