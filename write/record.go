package write

import (
	"encoding/binary"
	"errors"
	"reflect"
	"unsafe"

	"github.com/usher-assets/usher/schema"
)

// Record appends the fields of the struct that x points to; see [schema.Record].
func (w *Buffer) Record(x any) {
	w.record(schema.RecordOf(x), reflect.ValueOf(x).UnsafePointer())
}

// Records appends all structs of the slice that x points to.
func (w *Buffer) Records(x any) {
	first, n := elements(reflect.ValueOf(x).UnsafePointer())
	w.records(schema.RecordOf(x), first, n)
}

// elements returns where the elements of a slice of any type lie, and how many they are.
func elements(slice unsafe.Pointer) (first unsafe.Pointer, n int) {
	s := *(*[]struct{})(slice)
	return unsafe.Pointer(unsafe.SliceData(s)), len(s)
}

func (w *Buffer) records(r *schema.Record, p unsafe.Pointer, n int) {
	if r.Flat {
		w.b = append(w.b, unsafe.Slice((*uint8)(p), n*r.Size)...)
		return
	}
	for i := range n {
		w.record(r, unsafe.Add(p, uintptr(i)*r.Stride))
	}
}

func (w *Buffer) record(r *schema.Record, p unsafe.Pointer) {
	for i := range r.Parts {
		part := &r.Parts[i]
		start := len(w.b)
		w.b = append(w.b, make([]byte, part.Size)...)
		for _, r := range part.Runs {
			copy(w.b[start+r.Offset:], unsafe.Slice((*uint8)(unsafe.Add(p, r.At)), r.Size))
		}
		for k := range part.Others {
			f := &part.Others[k]
			w.put(f, unsafe.Add(p, f.At), start+f.Offset)
		}
		if part.List != nil {
			w.list(part.List, p)
		}
	}
}

// put writes a field over the room that was made for it.
func (w *Buffer) put(f *schema.RecordField, p unsafe.Pointer, at int) {
	b := w.b[at:]
	switch f.Kind {
	case schema.Field8:
		b[0] = *(*uint8)(p)
	case schema.Field16:
		binary.LittleEndian.PutUint16(b, *(*uint16)(p))
	case schema.Field32:
		binary.LittleEndian.PutUint32(b, *(*uint32)(p))
	case schema.Field64:
		binary.LittleEndian.PutUint64(b, *(*uint64)(p))
	case schema.FieldBytes:
		copy(b, unsafe.Slice((*uint8)(p), f.Size()))
	case schema.FieldNumbers:
		putNumbers(b[:f.Size()], f.Word, p)
	case schema.FieldText:
		w.putText(f, (*schema.FixedText)(p), at)
	case schema.FieldLength:
		_, n := elements(p)
		w.putLength(f, n, at)
	}
}

// putNumbers fills b with numbers of size bytes each.
func putNumbers(b []byte, size int, p unsafe.Pointer) {
	for i := 0; i < len(b); i += size {
		switch at := unsafe.Add(p, i); size {
		case 1:
			b[i] = *(*uint8)(at)
		case 2:
			binary.LittleEndian.PutUint16(b[i:], *(*uint16)(at))
		case 4:
			binary.LittleEndian.PutUint32(b[i:], *(*uint32)(at))
		case 8:
			binary.LittleEndian.PutUint64(b[i:], *(*uint64)(at))
		}
	}
}

func (w *Buffer) putText(f *schema.RecordField, text *schema.FixedText, at int) {
	b, err := text.Bytes(f.Width, f.Name)
	copy(w.b[at:], b)
	var fe *schema.FormatError
	if errors.As(err, &fe) {
		w.failAtf(at, fe.Class, fe.Field, "%s", fe.Msg)
	}
}

func (w *Buffer) putLength(f *schema.RecordField, n, at int) {
	if most := 1<<(8*f.Width) - 1; n > most {
		w.failAtf(at, schema.ErrRange, f.Name, "%d does not fit, at most %d", n, most)
	}
	for i := range f.Width {
		w.b[at+i] = byte(n >> (8 * i))
	}
}

func (w *Buffer) list(l *schema.RecordList, p unsafe.Pointer) {
	first, n := unsafe.Add(p, l.At), l.Len
	if l.Back > 0 {
		first, n = elements(first)
	}
	if l.Elem != nil {
		w.records(l.Elem, first, n)
		return
	}
	start := len(w.b)
	w.b = append(w.b, make([]byte, n*l.Size)...)
	putNumbers(w.b[start:], l.Numbers.Word, first)
}
