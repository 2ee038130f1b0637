package read_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
)

// fields are all reads of a cursor, on the bytes 1, 2, 3 and so on.
var fields = []struct {
	name   string
	size   int // of one element
	count  int
	layout string // "" is not noted
	do     func(c *read.Cursor) any
	want   any
	zero   any
}{
	{"u8", 1, 1, schema.LayoutU8, func(c *read.Cursor) any { return c.U8("f") }, uint8(1), uint8(0)},
	{"i8", 1, 1, schema.LayoutI8, func(c *read.Cursor) any { return c.I8("f") }, int8(1), int8(0)},
	{"u16", 2, 1, schema.LayoutU16, func(c *read.Cursor) any { return c.U16("f") }, uint16(0x201), uint16(0)},
	{"i16", 2, 1, schema.LayoutI16, func(c *read.Cursor) any { return c.I16("f") }, int16(0x201), int16(0)},
	{"u32", 4, 1, schema.LayoutU32, func(c *read.Cursor) any { return c.U32("f") }, uint32(0x4030201), uint32(0)},
	{"i32", 4, 1, schema.LayoutI32, func(c *read.Cursor) any { return c.I32("f") }, int32(0x4030201), int32(0)},
	{"u64", 8, 1, schema.LayoutU64, func(c *read.Cursor) any { return c.U64("f") }, uint64(0x807060504030201), uint64(0)},
	{"f32", 4, 1, schema.LayoutF32, func(c *read.Cursor) any { return c.F32("f") }, single(0), float32(0)},
	{"vec2", 4, 2, schema.LayoutF32, func(c *read.Cursor) any { return c.Vec2("f") }, [2]float32{single(0), single(1)}, [2]float32{}},
	{"vec3", 4, 3, schema.LayoutF32, func(c *read.Cursor) any { return c.Vec3("f") }, [3]float32{single(0), single(1), single(2)}, [3]float32{}},
	{"vec4", 4, 4, schema.LayoutF32, func(c *read.Cursor) any { return c.Vec4("f") }, [4]float32{single(0), single(1), single(2), single(3)}, [4]float32{}},
	{"mat4", 4, 16, schema.LayoutF32, func(c *read.Cursor) any { return c.Mat4("f")[15] }, single(15), float32(0)},
	{"f32s", 4, 2, schema.LayoutF32, func(c *read.Cursor) any { return c.F32s(2, "f") }, []float32{single(0), single(1)}, []float32(nil)},
	{"vec2s", 8, 2, "2f32", func(c *read.Cursor) any { return c.Vec2s(2, "f") }, [][2]float32{{single(0), single(1)}, {single(2), single(3)}}, [][2]float32(nil)},
	{"vec3s", 12, 2, "3f32", func(c *read.Cursor) any { return c.Vec3s(2, "f") }, [][3]float32{{single(0), single(1), single(2)}, {single(3), single(4), single(5)}}, [][3]float32(nil)},
	{"u16s", 2, 3, schema.LayoutU16, func(c *read.Cursor) any { return c.U16s(3, "f") }, []uint16{0x201, 0x403, 0x605}, []uint16(nil)},
	{"units", 2, 2, schema.LayoutWide, func(c *read.Cursor) any { return c.Units(2, "f") }, []uint16{0x201, 0x403}, []uint16(nil)},
	{"u32s", 4, 2, schema.LayoutU32, func(c *read.Cursor) any { return c.U32s(2, "f") }, []uint32{0x4030201, 0x8070605}, []uint32(nil)},
	{"bytes", 5, 1, schema.LayoutBytes, func(c *read.Cursor) any { return c.Bytes(5, "f") }, []byte{1, 2, 3, 4, 5}, []byte(nil)},
	{"part", 5, 1, "", func(c *read.Cursor) any { return c.Part(5, "f") }, []byte{1, 2, 3, 4, 5}, []byte(nil)},
	{"data", 3, 1, "pixels", func(c *read.Cursor) any { return c.Data(3, "pixels", "f") }, []byte{1, 2, 3}, []byte(nil)},
	{"elements", 3, 2, "3u8", func(c *read.Cursor) any { return c.Elements(2, 3, "3u8", "f") }, []byte{1, 2, 3, 4, 5, 6}, []byte(nil)},
	{"text", 3, 1, schema.LayoutText, func(c *read.Cursor) any { return c.Text(3, "f") }, "\x01\x02\x03", ""},
	{"compact", 1, 1, schema.LayoutIndex, func(c *read.Cursor) any { v, _, _ := c.Compact("f"); return v }, int32(1), int32(0)},
}

func single(i int) float32 {
	return read.NewCursor("", []byte{byte(4*i + 1), byte(4*i + 2), byte(4*i + 3), byte(4*i + 4)}, nil).F32("")
}

// counting returns before bytes of 0xEE and then n that count up from 1.
func counting(before, n int) []byte {
	b := bytes.Repeat([]byte{0xEE}, before)
	for i := range n {
		b = append(b, byte(i+1))
	}
	return b
}

// TestCursorFields reads each field: in the middle of a file, with a trace that notes it and without, at an end that cuts
// it off, and after an error.
func TestCursorFields(t *testing.T) {
	for _, f := range fields {
		size := f.size * f.count
		for _, traced := range []bool{false, true} {
			for left := range size + 3 {
				name := fmt.Sprintf("%s, %d bytes left, traced %v", f.name, left, traced)
				b := counting(7, left)
				d, trace := new(schema.Diagnostics), new(schema.Trace)
				if traced {
					trace.Place(b, 0x1000)
					d.Record(trace)
				}
				c := read.NewCursorAt("test", "entry", b, 100, d)
				if c.Noting() != traced {
					t.Errorf("%s: noting %v", name, c.Noting())
				}
				c.Enter("mesh", 0)
				c.Part(7, "before")
				got := f.do(c)
				if left < size {
					want := &schema.FormatError{Format: "test", Path: "entry/mesh 0", Offset: 107, Field: "f", Class: schema.ErrTruncated}
					var err *schema.FormatError
					if !errors.As(c.Err(), &err) || err.Path != want.Path || err.Offset != want.Offset || err.Field != want.Field || err.Class != want.Class || err.Format != want.Format || err.Msg == "" {
						t.Errorf("%s: %+v", name, c.Err())
					}
					if !reflect.DeepEqual(got, f.zero) || c.Pos() != 7 || c.Left() != 0 || len(trace.Spans) != 0 || !reflect.DeepEqual(f.do(c), f.zero) || c.Pos() != 7 {
						t.Errorf("%s: %v at %d, spans %v", name, got, c.Pos(), trace.Spans)
					}
					if stop := (schema.Span{Offset: 0x1007, Path: "entry/mesh 0", Field: "f"}); traced && (trace.Stop == nil || *trace.Stop != stop) {
						t.Errorf("%s: stopped at %+v", name, trace.Stop)
					}
					continue
				}
				if !reflect.DeepEqual(got, f.want) || c.Err() != nil || c.Pos() != 7+size || c.Offset() != int64(107+size) || c.Left() != left-size {
					t.Errorf("%s: %v, want %v; at %d, %d left, %v", name, got, f.want, c.Pos(), c.Left(), c.Err())
				}
				var spans []schema.Span
				if traced && f.layout != "" {
					spans = []schema.Span{{Offset: 0x1007, Size: int64(size), Path: "entry/mesh 0", Field: "f", Layout: f.layout, Count: f.count}}
				}
				if d := cmp.Diff(spans, trace.Spans); d != "" || trace.Stop != nil {
					t.Errorf("%s: %s", name, d)
				}
			}
		}
	}
}

// TestCursorNone reads no elements: there is nothing, and no error, not even at the end.
func TestCursorNone(t *testing.T) {
	for name, do := range map[string]func(c *read.Cursor) int{
		"f32s": func(c *read.Cursor) int { return len(c.F32s(0, "")) }, "vec2s": func(c *read.Cursor) int { return len(c.Vec2s(0, "")) },
		"vec3s": func(c *read.Cursor) int { return len(c.Vec3s(0, "")) }, "u16s": func(c *read.Cursor) int { return len(c.U16s(0, "")) },
		"u32s": func(c *read.Cursor) int { return len(c.U32s(0, "")) }, "rest": func(c *read.Cursor) int { return len(c.Rest()) },
		"peek": func(c *read.Cursor) int { return len(c.Peek(4)) }, "bytes": func(c *read.Cursor) int { return len(c.Bytes(0, "")) },
		"elements": func(c *read.Cursor) int { return len(c.Elements(0, 3, "3u8", "")) },
	} {
		d, trace := new(schema.Diagnostics), new(schema.Trace)
		file := make([]byte, 4)
		trace.Place(file, 0)
		d.Record(trace)
		for what, c := range map[string]*read.Cursor{"an empty file": read.NewCursor("test", nil, nil), "a trace": read.NewCursor("test", file, d)} {
			if what == "a trace" {
				c.Part(4, "")
			}
			if n := do(c); n != 0 || c.Err() != nil || len(trace.Spans) != 0 {
				t.Errorf("%s in %s: %d, %v, spans %v", name, what, n, c.Err(), trace.Spans)
			}
		}
	}
	for name, do := range map[string]func(c *read.Cursor){
		"f32s": func(c *read.Cursor) { c.F32s(-1, "f") }, "u16s": func(c *read.Cursor) { c.U16s(-1, "f") }, "elements": func(c *read.Cursor) { c.Elements(-1, 4, "", "f") },
	} {
		c := read.NewCursor("test", make([]byte, 8), nil)
		if do(c); !errors.Is(c.Err(), schema.ErrTruncated) {
			t.Errorf("less than none as %s: %v", name, c.Err())
		}
	}
}

// TestCursorCounts holds the ends of what a count may be.
func TestCursorCounts(t *testing.T) {
	for _, tt := range []struct {
		n     uint64
		size  int
		want  int
		class error
	}{
		{0, 4, 0, nil}, {2, 4, 2, nil}, {3, 3, 3, nil}, {3, 4, 0, schema.ErrCount}, {11, 1, 11, nil}, {12, 1, 0, schema.ErrCount},
		{1<<31 - 1, 0, 1<<31 - 1, nil}, {1 << 31, 0, 0, schema.ErrLimit}, {1 << 63, 2, 0, schema.ErrCount},
	} {
		for _, extent := range []bool{false, true} {
			c := read.NewCursor("test", make([]byte, 12), nil)
			c.U8("")
			count, class := c.Count, tt.class
			if extent {
				count = c.Extent
				if class == schema.ErrCount {
					class = schema.ErrTruncated
				}
			}
			if got := count(tt.n, tt.size, "n"); got != tt.want || schema.Class(c.Err()) != class || c.Pos() != 1 {
				t.Errorf("%d of %d bytes: %d, %v", tt.n, tt.size, got, c.Err())
			}
			if tt.class != nil && count(1, 1, "n") != 0 {
				t.Errorf("a count after an error")
			}
		}
	}
}

// TestCursorMoves holds where a cursor and those made of it stand, and what they and the trace say of it.
func TestCursorMoves(t *testing.T) {
	b := counting(0, 20)
	d, trace := new(schema.Diagnostics), new(schema.Trace)
	trace.Place(b, 0x1000)
	d.Record(trace)
	c := read.NewCursorAt("test", "entry", b, 50, d)
	for pos, ok := range map[int]bool{-1: false, 0: true, 20: true, 21: false} {
		x := read.NewCursor("test", b, nil)
		if x.Seek(pos, "to"); (x.Err() == nil) != ok || ok && x.Pos() != pos || !ok && !errors.Is(x.Err(), schema.ErrRange) {
			t.Errorf("seek %d: %d, %v", pos, x.Pos(), x.Err())
		}
		x.Failf(schema.ErrValue, "f", "no")
		if x.Seek(3, "to"); x.Pos() == 3 {
			t.Error("a failed cursor moves")
		}
	}
	c.Seek(4, "to")
	if got := c.Peek(3); !bytes.Equal(got, []byte{5, 6, 7}) || c.Pos() != 4 {
		t.Errorf("peek %v", got)
	}
	if got := c.Peek(100); len(got) != 16 {
		t.Errorf("peek %v", got)
	}
	c.Enter("block", 2)
	sub := c.Sub(6, "block")
	c.Leave()
	if c.Pos() != 10 || sub.Pos() != 0 || sub.Offset() != 54 || sub.Left() != 6 || sub.Path() != "entry/block 2" || c.Path() != "entry" {
		t.Errorf("at %d; sub at %d, %d left, path %q", c.Pos(), sub.Offset(), sub.Left(), sub.Path())
	}
	mark := c.Mark()
	sub.U16("noted")
	sub.Explain("a thing")
	if want := (schema.Span{Offset: 0x1004, Size: 2, Path: "entry/block 2", Field: "noted", Layout: schema.LayoutU16, Count: 1, Means: "a thing"}); len(trace.Spans) != mark+1 || trace.Spans[mark] != want {
		t.Errorf("noted %+v", trace.Spans)
	}
	c.Rewind(mark)
	if len(trace.Spans) != mark {
		t.Errorf("not rewound: %v", trace.Spans)
	}
	sub.U64("too long")
	if sub.Explain("no thing"); c.Err() != nil || sub.Err() == nil || trace.Stop == nil || trace.Stop.Offset != 0x1006 {
		t.Errorf("%v, %v, stopped at %+v", c.Err(), sub.Err(), trace.Stop)
	}
	c.Adopt(sub)
	first := c.Err()
	other := read.NewCursor("other", nil, nil)
	other.U8("x")
	if c.Adopt(other); first == nil || c.Err() != first || c.Left() != 0 || c.Peek(1) != nil {
		t.Errorf("adopted %v, then %v", first, c.Err())
	}
	if after := c.Sub(1, "block"); after.Err() == nil {
		t.Error("a cursor of a failed one reads")
	}
}

// TestCursorStrings holds texts to their ends.
func TestCursorStrings(t *testing.T) {
	for text, want := range map[string]string{"ab\x00c": "ab", "\x00": "", "\xE9\x00": "é"} {
		trace, d := new(schema.Trace), new(schema.Diagnostics)
		b := []byte(text)
		trace.Place(b, 0)
		d.Record(trace)
		c := read.NewCursor("test", b, d)
		if got := c.CString("name"); got != want || c.Pos() != bytes.IndexByte(b, 0)+1 || len(trace.Spans) != 1 || trace.Spans[0].Size != int64(c.Pos()) {
			t.Errorf("%q: %q, at %d, %v", text, got, c.Pos(), trace.Spans)
		}
	}
	c := read.NewCursor("test", []byte("x\x00ab"), nil)
	c.CString("first")
	if got := c.CString("second"); got != "" || c.Pos() != 2 || !errors.Is(c.Err(), schema.ErrTruncated) {
		t.Errorf("%q at %d, %v", got, c.Pos(), c.Err())
	}
	c = read.NewCursor("test", []byte("xRIFX"), nil)
	c.U8("")
	var err *schema.FormatError
	if c.Magic("RI", "magic"); c.Err() != nil || c.Pos() != 3 {
		t.Errorf("the magic that is there: %v", c.Err())
	}
	c.Seek(1, "")
	if c.Magic("RIFF", "magic"); !errors.As(c.Err(), &err) || err.Offset != 1 || err.Class != schema.ErrBadMagic {
		t.Error(c.Err())
	}
}
