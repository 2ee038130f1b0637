package freelancer

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Text reads a string leaf: the text up to the first zero or the end.
func Text(b []byte, d *schema.Diagnostics) (*freelancer.Text, error) {
	n := bytes.IndexByte(b, 0)
	if t := d.Trace(); n < 0 {
		t.NoteBytes(b, 1, schema.LayoutText, "", "text")
	} else {
		t.NoteBytes(b[:n+1], 1, schema.LayoutText, "", "text")
		t.NoteBytes(b[n+1:], 1, schema.LayoutBytes, "", "rest")
	}
	if n < 0 {
		return &freelancer.Text{Value: schema.DecodeWindows1252(b), Unterminated: true}, nil
	}
	t := &freelancer.Text{Value: schema.DecodeWindows1252(b[:n])}
	if n+1 < len(b) {
		t.Tail = b[n+1:]
	}
	return t, nil
}

// Floats reads a leaf of singles.
func Floats(b []byte, d *schema.Diagnostics) (*freelancer.Floats, error) {
	c := read.NewCursor("floats", b, d)
	return &freelancer.Floats{Values: c.F32s(len(b)/4, "values"), Tail: rest(c)}, nil
}

// Ints reads a leaf of 32-bit integers.
func Ints(b []byte, d *schema.Diagnostics) (*freelancer.Ints, error) {
	c := read.NewCursor("ints", b, d)
	return &freelancer.Ints{Values: c.U32s(len(b)/4, "values"), Tail: rest(c)}, nil
}

// Shorts reads a leaf of 16-bit integers.
func Shorts(b []byte, d *schema.Diagnostics) (*freelancer.Shorts, error) {
	c := read.NewCursor("shorts", b, d)
	return &freelancer.Shorts{Values: c.U16s(len(b)/2, "values"), Tail: rest(c)}, nil
}

// fields reads the value leaves of a directory and latches the first error. Missing leaves give zero values.
type fields struct {
	n   *freelancer.Node
	err error
}

func (f *fields) has(name string) bool { return f.n.Child(name) != nil }

// leaf returns the payload of a leaf, which must have at least n bytes when it exists.
func (f *fields) leaf(name string, n int) []byte {
	c := f.n.Child(name)
	if c == nil {
		return nil
	}
	if len(c.Data) < n && f.err == nil {
		f.err = &schema.FormatError{
			Format: freelancer.Format, Path: f.n.Name + `\` + c.Name, Offset: 0, Field: c.Name, Class: schema.ErrTruncated,
			Msg: fmt.Sprintf("needs %d bytes, %d left", n, len(c.Data)),
		}
	}
	if len(c.Data) < n {
		return nil
	}
	return c.Data
}

func (f *fields) text(name string) string {
	t, _ := Text(f.leaf(name, 0), nil)
	return t.Value
}

func (f *fields) float(name string) float32 {
	if b := f.leaf(name, 4); b != nil {
		return f32(b, 0)
	}
	return 0
}

func (f *fields) vec3(name string) (v [3]float32) {
	if b := f.leaf(name, 12); b != nil {
		v = [3]float32{f32(b, 0), f32(b, 4), f32(b, 8)}
	}
	return v
}

func (f *fields) matrix3(name string) (m [9]float32) {
	if b := f.leaf(name, 36); b != nil {
		for i := range m {
			m[i] = f32(b, 4*i)
		}
	}
	return m
}

func (f *fields) word(name string) uint32 {
	if b := f.leaf(name, 4); b != nil {
		return u32(b, 0)
	}
	return 0
}

func (f *fields) floats(name string) []float32 {
	v, _ := Floats(f.leaf(name, 0), nil)
	return v.Values
}

func (f *fields) words(name string) []uint32 {
	v, _ := Ints(f.leaf(name, 0), nil)
	return v.Values
}

func (f *fields) shorts(name string) []uint16 {
	b := f.leaf(name, 0)
	if len(b) < 2 {
		return nil
	}
	v := make([]uint16, len(b)/2)
	for i := range v {
		v[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return v
}

// tuples groups a list by n floats; what does not fill a group is left out.
func tuples[T any](v []float32, n int, set func(*T, []float32)) []T {
	out := make([]T, len(v)/n)
	for i := range out {
		set(&out[i], v[i*n:i*n+n])
	}
	return out
}
