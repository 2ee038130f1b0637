package schema

import (
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"
)

// Record is the layout of a struct whose fields are stored in order, little-endian and without gaps. The struct itself
// declares the layout: package read fills a struct by it, package write appends one, and both name a field in errors by its
// Go name in small words, "HealthMax" as "health max".
//
//	Name    FixedText `size:"33"`         // a text, and how many bytes it has
//	Pad22   [2]uint8                      // bytes called Pad or Unknown are kept, all others are numbers
//	Choices []Choice  `count:"u32"`       // a list; how many it holds stands before it, as 32 bits
//	Actions []Action  `count:"u32 Pad36"` // the same, but its count stands before the field Pad36
//	Rest    []byte    `record:"-"`        // not part of the record: the reader and the writer handle it themselves
//
// Numbers, arrays, structs and arrays of structs need no tag.
type Record struct {
	Parts  []RecordPart
	Size   int     // in the file, with all lists empty
	Stride uintptr // size of the struct in memory
	Flat   bool    // a list of it has the same bytes in memory and in the file
}

// RecordPart is a run of fields at fixed offsets, and the list that follows them.
type RecordPart struct {
	Fields []RecordField
	Size   int         // of the fields, in the file
	List   *RecordList // nil after the last fields of a record

	Runs   []RecordRun   // numbers with the same bytes in memory and in the file, which are only copied
	Others []RecordField // the fields outside of runs
}

// RecordRun is a run of bytes that are the same in memory and in the file.
type RecordRun struct {
	Offset int     // in the file, from the start of the part
	At     uintptr // in memory, from the start of the struct
	Size   int
}

// FieldKind is how a field of a record is stored.
type FieldKind uint8

// The kinds of fields.
const (
	FieldText    FieldKind = iota // a [FixedText]
	FieldBytes                    // an array of bytes
	Field8                        // one number of 8 bits
	Field16                       // one of 16 bits
	Field32                       // one of 32 bits
	Field64                       // one of 64 bits
	FieldNumbers                  // an array of numbers
	FieldLength                   // the number of elements in the list after this part
)

// RecordField is a run of bytes with one field name.
type RecordField struct {
	Name   string // as in errors, traces and references
	Go     string // name of the struct field, "Min.X" if nested
	Kind   FieldKind
	Offset int     // in the file, from the start of the part
	At     uintptr // in memory, from the start of the struct
	Count  int     // elements
	Width  int     // bytes of an element
	Word   int     // bytes of one number
	Layout string  // layout of an element, in the words of [Span]
	Type   reflect.Type
	Names  func(uint64) string // the text of a number that has one
}

// Size returns the number of bytes in the file.
func (f *RecordField) Size() int { return f.Count * f.Width }

// RecordList is a list of records or numbers. Its length is fixed, or stored in the part before it.
type RecordList struct {
	Name    string
	One     string       // singular name of an element
	Go      string       // name of the struct field
	At      uintptr      // in memory, from the start of the struct
	Type    reflect.Type // a slice, or an array
	Count   RecordField  // the field that holds the length of a slice
	Back    int          // distance from that field to the list in the file; 0 for an array
	Elem    *Record      // layout of an element; nil for numbers
	Numbers RecordField  // layout of an element that is numbers
	Len     int          // length of an array
	Size    int          // smallest size of an element in the file
}

// Field returns a field before the first list of a record by its Go name.
func (r *Record) Field(name string) RecordField {
	for _, f := range r.Parts[0].Fields {
		if f.Go == name {
			return f
		}
	}
	panic(fmt.Sprintf("a record without %s", name))
}

// records holds the layouts that are known, by what points to the structs or to slices of them.
var records atomic.Pointer[map[unsafe.Pointer]*Record]

// RecordOf returns the layout of a struct type. x points to such a struct, or to a slice of them. It panics for a type
// without a layout: this is a mistake in the program that every use reveals.
func RecordOf(x any) *Record {
	t := reflect.TypeOf(x)
	key := reflect.ValueOf(t).UnsafePointer()
	if known := records.Load(); known != nil {
		if r, ok := (*known)[key]; ok {
			return r
		}
	}
	t = t.Elem()
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return keep(key, newRecord(t))
}

// keep adds a layout to those that are known. They are few, and soon all known: so they are copied for each new one, and
// read without a lock.
func keep(key unsafe.Pointer, r *Record) *Record {
	for {
		old, fresh := records.Load(), map[unsafe.Pointer]*Record{key: r}
		if old != nil {
			maps.Copy(fresh, *old)
		}
		if records.CompareAndSwap(old, &fresh) {
			return fresh[key]
		}
	}
}

func newRecord(t reflect.Type) *Record {
	l := layouter{of: t, record: Record{Parts: make([]RecordPart, 1), Stride: t.Size()}, lengths: map[string]int{}}
	l.structure(t, 0, "", "")
	if n := len(l.record.Parts); n > 1 && l.part().Size == 0 {
		l.record.Parts = l.record.Parts[:n-1]
	}
	for i := range l.record.Parts {
		l.record.Parts[i].copied()
	}
	first := l.record.Parts[0]
	l.record.Flat = len(l.record.Parts) == 1 && first.List == nil && len(first.Runs) == 1 && first.Runs[0].Size == int(l.record.Stride)
	return &l.record
}

// littleEndian reports whether memory holds numbers as files do.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// copied finds the runs of a part.
func (p *RecordPart) copied() {
	for _, f := range p.Fields {
		if !littleEndian || f.Kind == FieldText || f.Kind == FieldLength {
			p.Others = append(p.Others, f)
			continue
		}
		if n := len(p.Runs); n > 0 {
			if last := &p.Runs[n-1]; last.Offset+last.Size == f.Offset && last.At+uintptr(last.Size) == f.At {
				last.Size += f.Size()
				continue
			}
		}
		p.Runs = append(p.Runs, RecordRun{f.Offset, f.At, f.Size()})
	}
}

// layouter makes a record of a struct.
type layouter struct {
	of      reflect.Type
	record  Record
	lengths map[string]int // which fields of the last part are counts of lists to come, by the lists
}

func (l *layouter) panicf(msg string, args ...any) {
	panic(fmt.Sprintf("record %v: %s", l.of, fmt.Sprintf(msg, args...)))
}

func (l *layouter) part() *RecordPart { return &l.record.Parts[len(l.record.Parts)-1] }

// structure adds the fields of a struct that lies at a place in the one that is laid out, under a name there.
func (l *layouter) structure(t reflect.Type, at uintptr, name, path string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("record") == "-" {
			continue
		}
		if !f.IsExported() {
			l.panicf("%s is not exported", f.Name)
		}
		for k := range t.NumField() {
			l.length(t.Field(k), f.Name, at, path)
		}
		l.field(f, at+f.Offset, strings.TrimPrefix(name+" "+Words(f.Name), " "), path+f.Name)
	}
}

// length adds the count of a list, when it stands before a field.
func (l *layouter) length(list reflect.StructField, before string, at uintptr, path string) {
	tag, ok := list.Tag.Lookup("count")
	layout, place, elsewhere := strings.Cut(tag, " ")
	if !elsewhere {
		place = list.Name
	}
	if !ok || place != before {
		return
	}
	width := map[string]int{LayoutU8: 1, LayoutU16: 2, LayoutU32: 4}[layout]
	if width == 0 {
		l.panicf("a count of type %q", layout)
	}
	l.lengths[path+list.Name] = len(l.part().Fields)
	l.add(RecordField{Name: Words(list.Name), Go: path + list.Name, Kind: FieldLength, At: at + list.Offset, Count: 1, Width: width, Word: width, Layout: layout, Type: list.Type})
}

func (l *layouter) add(f RecordField) {
	p := l.part()
	f.Offset = p.Size
	p.Fields = append(p.Fields, f)
	p.Size += f.Size()
	l.record.Size += f.Size()
}

// field adds a field of any type.
func (l *layouter) field(f reflect.StructField, at uintptr, name, path string) {
	x := RecordField{Name: name, Go: path, At: at, Type: f.Type}
	switch kind := f.Type.Kind(); {
	case f.Type == reflect.TypeFor[FixedText]():
		x.Kind, x.Count, x.Word, x.Layout = FieldText, 1, 1, LayoutText
		x.Width, _ = strconv.Atoi(f.Tag.Get("size"))
		if x.Width <= 0 {
			l.panicf("%s has no size", path)
		}
		l.add(x)
	case kind == reflect.Slice || kind == reflect.Array && f.Type.Elem().Kind() == reflect.Struct:
		l.list(&x)
	case kind == reflect.Struct:
		l.structure(f.Type, at, name, path+".")
	default:
		l.numbers(&x, strings.HasPrefix(f.Name, "Pad") || strings.HasPrefix(f.Name, "Unknown"))
		l.add(x)
	}
}

// list adds a list, and begins the part behind it.
func (l *layouter) list(f *RecordField) {
	x := &RecordList{Name: f.Name, One: Singular(f.Name), Go: f.Go, At: f.At, Type: f.Type}
	if f.Type.Kind() == reflect.Slice {
		i, ok := l.lengths[f.Go]
		if !ok {
			l.panicf("%s has no count", f.Go)
		}
		x.Count = l.part().Fields[i]
		x.Back = l.part().Size - x.Count.Offset
		delete(l.lengths, f.Go)
	}
	if len(l.lengths) > 0 {
		l.panicf("a count and its list have %s between them", f.Go)
	}
	if e := f.Type.Elem(); e.Kind() == reflect.Struct {
		x.Elem = newRecord(e)
		x.Size = x.Elem.Size
	} else {
		x.Numbers = RecordField{Name: f.Name, Go: f.Go, Type: e}
		l.numbers(&x.Numbers, false)
		x.Size = x.Numbers.Size()
	}
	if f.Type.Kind() == reflect.Array {
		x.Len = f.Type.Len()
		l.record.Size += x.Len * x.Size
	}
	l.part().List = x
	l.record.Parts = append(l.record.Parts, RecordPart{})
}

// numbers describes a field of numbers: one, an array, or an array of arrays. Bytes that are kept are one element.
func (l *layouter) numbers(f *RecordField, kept bool) {
	t, n := f.Type, []int{1, 1}
	for i := 1; i >= 0 && t.Kind() == reflect.Array; i-- {
		n[i] = t.Len()
		t = t.Elem()
	}
	f.Layout, f.Word = layouts[t.Kind()], int(t.Size())
	if f.Layout == "" {
		l.panicf("%s is a %v", f.Go, f.Type)
	}
	f.Count, f.Width = n[0]*n[1], f.Word
	if n[0] > 1 { // rows
		f.Count, f.Width, f.Layout = n[1], n[0]*f.Word, strconv.Itoa(n[0])+f.Layout
	}
	switch {
	case f.Word == 1 && f.Type.Kind() == reflect.Array:
		f.Kind = FieldBytes
		if kept {
			f.Count, f.Width, f.Layout = 1, f.Size(), LayoutBytes
		}
	case f.Type.Kind() == reflect.Array:
		f.Kind = FieldNumbers
	default:
		f.Names = namesOf(f.Type)
		f.Kind = map[int]FieldKind{1: Field8, 2: Field16, 4: Field32, 8: Field64}[f.Word]
	}
}

// namesOf returns how numbers of a type with a String method are called.
func namesOf(t reflect.Type) func(uint64) string {
	if !t.Implements(reflect.TypeFor[fmt.Stringer]()) || !t.ConvertibleTo(reflect.TypeFor[uint64]()) {
		return nil
	}
	return func(v uint64) string { return reflect.ValueOf(v).Convert(t).Interface().(fmt.Stringer).String() }
}

var layouts = map[reflect.Kind]string{
	reflect.Uint8: LayoutU8, reflect.Int8: LayoutI8, reflect.Uint16: LayoutU16, reflect.Int16: LayoutI16,
	reflect.Uint32: LayoutU32, reflect.Int32: LayoutI32, reflect.Uint64: LayoutU64, reflect.Float32: LayoutF32,
}
