package freelancer

import (
	"bytes"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// Text writes a string leaf. It fails with ErrValue for a zero or a character outside Windows-1252.
func Text(t *freelancer.Text) ([]byte, error) {
	w := write.NewBuffer("text", len(t.Value)+1+len(t.Tail))
	if t.Unterminated {
		if len(t.Tail) > 0 {
			w.Failf(schema.ErrMismatch, "tail", "%d bytes behind the zero of a text that has none", len(t.Tail))
		}
		w.Text(t.Value, "value")
		return w.Finish()
	}
	w.CString(t.Value, "value")
	w.Bytes(t.Tail)
	return w.Finish()
}

// Floats writes a leaf of singles.
func Floats(v *freelancer.Floats) ([]byte, error) {
	w := write.NewBuffer("floats", 4*len(v.Values)+len(v.Tail))
	w.Floats(v.Values...)
	w.Bytes(v.Tail)
	return w.Finish()
}

// Ints writes a leaf of 32-bit integers.
func Ints(v *freelancer.Ints) ([]byte, error) {
	w := write.NewBuffer("ints", 4*len(v.Values)+len(v.Tail))
	w.U32s(v.Values)
	w.Bytes(v.Tail)
	return w.Finish()
}

// Shorts writes a leaf of 16-bit integers.
func Shorts(v *freelancer.Shorts) ([]byte, error) {
	w := write.NewBuffer("shorts", 2*len(v.Values)+len(v.Tail))
	w.U16s(v.Values)
	w.Bytes(v.Tail)
	return w.Finish()
}

// fields sets value leaves of a directory: a leaf that holds the value already keeps its bytes, one that is longer
// than the value keeps the rest, and a missing one is added unless its value is that of a missing leaf.
type fields struct {
	n   *freelancer.Node
	err error
}

// put makes value the beginning of a leaf.
func (f *fields) put(name string, value []byte) {
	c := f.n.Child(name)
	if c == nil {
		f.n.Add(freelancer.NewLeaf(name, value))
		return
	}
	if bytes.HasPrefix(c.Data, value) {
		return
	}
	c.Data = append(bytes.Clone(value), c.Data[min(len(value), len(c.Data)):]...)
}

// set makes value the whole of a leaf, but for the up to 3 bytes that do not fill an element of a list.
func (f *fields) set(name string, value []byte, size int) {
	c := f.n.Child(name)
	if c == nil && len(value) == 0 {
		return
	}
	if c != nil && len(c.Data)/size*size == len(value) && bytes.HasPrefix(c.Data, value) {
		return
	}
	f.n.Set(name, value)
}

// all makes value the whole of a leaf of 32-bit values, which is added where it is missing; up to 3 bytes that fill no value
// stay behind it.
func (f *fields) all(name string, value []byte) {
	c := f.n.Child(name)
	if c == nil {
		f.n.Add(freelancer.NewLeaf(name, value))
		return
	}
	whole := len(c.Data) / 4 * 4
	if !bytes.Equal(c.Data[:whole], value) {
		c.Data = append(bytes.Clone(value), c.Data[whole:]...)
	}
}

func (f *fields) text(name, s string) {
	if c := f.n.Child(name); c != nil || s != "" {
		f.textIn(c, name, s)
	}
}

// textIn makes s the text of a leaf; of a new one of that name where c is nil.
func (f *fields) textIn(c *freelancer.Node, name, s string) {
	w := write.NewBuffer("text", len(s)+1)
	w.CString(s, name)
	b, err := w.Finish()
	if err != nil {
		if f.err == nil {
			f.err = err
		}
		return
	}
	switch {
	case c == nil:
		f.n.Add(freelancer.NewLeaf(name, b))
	case !bytes.Equal(upToZero(c.Data), b[:len(b)-1]):
		c.Data = b
	}
}

func upToZero(b []byte) []byte {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return b[:i]
	}
	return b
}

func (f *fields) floats(name string, v ...float32) { f.put(name, floatBytes(v)) }

func (f *fields) words(name string, v ...uint32) { f.put(name, wordBytes(v)) }

func (f *fields) floatList(name string, v []float32) { f.set(name, floatBytes(v), 4) }

func (f *fields) wordList(name string, v []uint32) { f.set(name, wordBytes(v), 4) }

func (f *fields) shortList(name string, v []uint16) {
	b, _ := Shorts(&freelancer.Shorts{Values: v}) // numbers alone cannot fail, here and below
	f.set(name, b, 2)
}

// has reports whether a leaf exists, or must exist because v is not zero.
func (f *fields) has(name string, v ...float32) bool {
	for _, x := range v {
		if x != 0 {
			return true
		}
	}
	return f.n.Child(name) != nil
}

func floatBytes(v []float32) []byte {
	b, _ := Floats(&freelancer.Floats{Values: v})
	return b
}

func wordBytes(v []uint32) []byte {
	b, _ := Ints(&freelancer.Ints{Values: v})
	return b
}

// rename gives the directory of a value the value's name.
func rename(n *freelancer.Node, field, name string) error {
	if name == "" {
		return schema.Errorf(freelancer.Format, schema.ErrValue, field, "%q has no name any more, which its directory needs", n.Name)
	}
	n.Name = name
	return nil
}

// keep removes the children of a directory that are one of a list's values, as its reader sees it, and that the list does
// not have any more.
func keep[T any](dir *freelancer.Node, list []T, nodeOf func(T) *freelancer.Node, isOne func(*freelancer.Node) bool) {
	if dir == nil {
		return
	}
	kept := make(map[*freelancer.Node]bool, len(list))
	for _, v := range list {
		kept[nodeOf(v)] = true
	}
	gone := func(n *freelancer.Node) bool { return !kept[n] && isOne(n) }
	if slices.ContainsFunc(dir.Children, gone) {
		dir.Children = slices.DeleteFunc(slices.Clone(dir.Children), gone)
	}
}

// noHoles refuses a list with nil among its values.
func noHoles[T any](field string, list []*T) error {
	if i := slices.Index(list, nil); i >= 0 {
		return schema.Errorf(freelancer.Format, schema.ErrValue, field, "element %d is nil", i)
	}
	return nil
}
