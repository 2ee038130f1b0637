package layout

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// Field is an item as it lies in a file.
type Field struct {
	Item         *Item
	Path         string // of the record, as in what readers note
	Offset, Size int64
}

// Fields takes bytes apart as the layout says.
func (l *Layout) Fields(b []byte) ([]Field, error) {
	r := &reading{b: b}
	err := r.record(l.Items, &frame{}, "")
	return r.fields, err
}

// reading is what has been read of a file.
type reading struct {
	b      []byte
	at     int64
	fields []Field
}

// frame has the numbers of a record.
type frame struct {
	numbers map[*Item]int64
	inner   map[*Item]*frame // records that are there once
	parent  *frame
}

// number is the number at a place; it is not there where a condition does not hold.
func (f *frame) number(p Place) (int64, bool) {
	for range p.Up {
		f = f.parent
	}
	for _, x := range p.In {
		if f = f.inner[x]; f == nil {
			return 0, false
		}
	}
	v, ok := f.numbers[p.Item]
	return v, ok
}

func (r *reading) record(items []*Item, f *frame, path string) error {
	f.numbers, f.inner = map[*Item]int64{}, map[*Item]*frame{}
	for _, x := range items {
		if c := x.If; c != nil {
			if v, ok := f.number(c.Place); !ok || !c.Holds(v) {
				continue
			}
		}
		read := r.field
		if x.Record != nil {
			read = r.records
		}
		if err := read(x, f, path); err != nil {
			return err
		}
	}
	return nil
}

var errShort = errors.New("the file ends before")

// field reads values.
func (r *reading) field(x *Item, f *frame, path string) error {
	left := int64(len(r.b)) - r.at
	size := r.size(x, f)
	if size < 0 || size > left {
		return fmt.Errorf("%w %s/%s: %d bytes, %d left", errShort, path, x.Name, size, left)
	}
	if size == 0 {
		return nil
	}
	if x.scalar() {
		f.numbers[x] = x.number(r.b[r.at : r.at+size])
	}
	r.fields = append(r.fields, Field{x, path, r.at, size})
	r.at += size
	return nil
}

// size returns the bytes of a field.
func (r *reading) size(x *Item, f *frame) int64 {
	left := r.b[r.at:]
	switch x.Count.Kind {
	case Zero:
		if n := bytes.IndexByte(left, 0); n >= 0 {
			return int64(n) + 1
		}
		return int64(len(left))
	case Rest:
		return int64(len(left) - len(left)%x.Size())
	case Bytes:
		return f.count(x.Count)
	}
	if x.Words[0].Kind == schema.LayoutIndex {
		return indexSize(left)
	}
	n := f.count(x.Count)
	if n > int64(len(r.b)) {
		return n
	}
	return n * int64(x.Size())
}

// indexSize is how many bytes the compact index has that b begins with: the first byte says by another bit than the others that
// one more follows, and there are five at most.
func indexSize(b []byte) int64 {
	more := byte(0x40)
	for i := range min(len(b), 4) {
		if b[i]&more == 0 {
			return int64(i + 1)
		}
		more = 0x80
	}
	return 5
}

// count returns how many values there are, or bytes.
func (f *frame) count(c Count) int64 {
	if c.Kind == Once {
		return 1
	}
	n := c.Number
	if len(c.Places) > 0 {
		product := int64(1)
		for _, p := range c.Places {
			v, _ := f.number(p)
			product *= v
		}
		n += product
	}
	return max(n, 0)
}

// records reads a record, or several.
func (r *reading) records(x *Item, f *frame, path string) error {
	if path != "" {
		path += "/"
	}
	path += x.Name
	if x.Count.Kind == Once {
		f.inner[x] = &frame{parent: f}
		return r.record(x.Record, f.inner[x], path)
	}
	for i := int64(0); ; i++ {
		switch {
		case (x.Count.Kind == Rest || x.Count.Kind == Until && i > 0) && r.at == int64(len(r.b)):
			return nil
		case (x.Count.Kind == Fixed || x.Count.Kind == Read) && i >= f.count(x.Count):
			return nil
		}
		one, at := &frame{parent: f}, r.at
		if err := r.record(x.Record, one, fmt.Sprintf("%s %d", path, i)); err != nil {
			return err
		}
		if x.Count.Kind == Until {
			if v, ok := one.number(x.Count.Places[0]); ok && v == x.Count.Number {
				return nil
			}
		}
		if r.at == at {
			return fmt.Errorf("a %s of no bytes", x.Name)
		}
	}
}

// ErrRefused means that the reader does not take a file.
var ErrRefused = errors.New("the reader refuses it")

// indices are the steps of a path that have numbers. The others can be names that stand in the file.
func indices(path string) (list []string) {
	for i := range strings.Count(path, "/") + 1 {
		if label, n, ok := step(path, i); ok && n >= 0 {
			list = append(list, fmt.Sprint(label, n))
		}
	}
	return list
}

// Agrees reports where a layout and the reader of a sample first say something else; it is nil if they agree as far as the
// layout goes.
func (l *Layout) Agrees(s *Sample) error {
	trace, d := new(schema.Trace), new(schema.Diagnostics)
	trace.Place(s.Bytes, 0)
	d.Record(trace)
	if err := s.Read(s.Bytes, d); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	want := joined(trace.Spans)
	got, err := l.Fields(s.Bytes)
	for i, f := range got {
		if i == len(want) {
			return fmt.Errorf("%s/%s at %d is more than the reader saw", f.Path, f.Item.Name, f.Offset)
		}
		if w := want[i]; !slices.Equal(indices(w.Path), indices(f.Path)) || w.Field != f.Item.Name || w.Offset != f.Offset || w.Size != f.Size || !slices.Equal(words(w.Layout), f.Item.Words) {
			return fmt.Errorf("%s/%s at %d, %d bytes; the reader saw %s/%s at %d, %d bytes of %s", f.Path, f.Item.Name, f.Offset, f.Size, w.Path, w.Field, w.Offset, w.Size, w.Layout)
		}
	}
	if err == nil && l.Whole && len(got) < len(want) {
		return fmt.Errorf("%s/%s at %d is missing", want[len(got)].Path, want[len(got)].Field, want[len(got)].Offset)
	}
	return err
}
