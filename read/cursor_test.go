package read_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/write"
)

// TestCursorMirrorsBuffer writes one field of every kind and reads them back.
func TestCursorMirrorsBuffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.Uint64().Draw(t, "u")
		f := math.Float32frombits(rapid.Uint32().Draw(t, "f"))
		text := schema.DecodeWindows1252(rapid.SliceOf(rapid.ByteRange(1, 255)).Draw(t, "text"))
		words := rapid.SliceOf(rapid.Uint16()).Draw(t, "words")
		w := write.NewBuffer("test", 0)
		w.U8(uint8(u))
		w.I8(int8(u))
		w.U16(uint16(u))
		w.I16(int16(u))
		w.U32(uint32(u))
		w.I32(int32(u))
		w.U64(u)
		w.F32(f)
		w.CString(text, "text")
		w.Count16(len(words), "words")
		w.U16s(words)
		w.Vec3s([][3]float32{{1, 2, f}})
		b, err := w.Finish()
		if err != nil {
			t.Fatal(err)
		}
		c := read.NewCursor("test", b, nil)
		check(t, "u8", c.U8("") == uint8(u))
		check(t, "i8", c.I8("") == int8(u))
		check(t, "u16", c.U16("") == uint16(u))
		check(t, "i16", c.I16("") == int16(u))
		check(t, "u32", c.U32("") == uint32(u))
		check(t, "i32", c.I32("") == int32(u))
		check(t, "u64", c.U64("") == u)
		check(t, "f32", math.Float32bits(c.F32("")) == math.Float32bits(f))
		check(t, "text", c.CString("") == text)
		check(t, "words", slices.Equal(c.U16s(int(c.U16("")), ""), words))
		v := c.Vec3s(1, "")
		check(t, "vec3s", len(v) == 1 && v[0][1] == 2 && math.Float32bits(v[0][2]) == math.Float32bits(f))
		check(t, "end", c.Left() == 0 && c.Err() == nil)
	})
}

func check(t *rapid.T, what string, ok bool) {
	if !ok {
		t.Fatalf("%s differs", what)
	}
}

func TestCursorErrors(t *testing.T) {
	tests := []struct {
		name  string
		do    func(c *read.Cursor)
		class error
		text  string
	}{
		{"bytes", func(c *read.Cursor) { c.Bytes(9, "body") }, schema.ErrTruncated, "test+0x0: body: needs 9 bytes, 8 left"},
		{"negative", func(c *read.Cursor) { c.Bytes(-1, "body") }, schema.ErrTruncated, "test+0x0: body: needs -1 bytes, 8 left"},
		{"count", func(c *read.Cursor) { c.Skip(4, ""); c.Count(2, 4, "items") }, schema.ErrCount, "test+0x4: items: 2 elements of 4 bytes do not fit into the 4 bytes left"},
		{"extent", func(c *read.Cursor) { c.Extent(math.MaxUint64, 8, "items") }, schema.ErrTruncated, "test+0x0: items: 18446744073709551615 elements of 8 bytes do not fit into the 8 bytes left"},
		{"array", func(c *read.Cursor) { c.Vec3s(1, "vertices") }, schema.ErrTruncated, "test+0x0: vertices: 1 elements of 12 bytes do not fit into the 8 bytes left"},
		{"magic", func(c *read.Cursor) { c.Magic("RIFF", "magic") }, schema.ErrBadMagic, `test+0x0: magic: found "abcd", expected "RIFF"`},
		{"string", func(c *read.Cursor) { c.CString("name") }, schema.ErrTruncated, "test+0x0: name: no terminating zero in the 8 bytes left"},
		{"array later", func(c *read.Cursor) { c.Skip(4, ""); c.F32s(2, "items") }, schema.ErrTruncated, "test+0x4: items: 2 elements of 4 bytes do not fit into the 4 bytes left"},
		{"string later", func(c *read.Cursor) { c.Skip(3, ""); c.CString("name") }, schema.ErrTruncated, "test+0x3: name: no terminating zero in the 5 bytes left"},
		{"magic cut", func(c *read.Cursor) { c.Skip(6, ""); c.Magic("RIFF", "magic") }, schema.ErrTruncated, "test+0x6: magic: needs 4 bytes, 2 left"},
		{"seek", func(c *read.Cursor) { c.Seek(9, "offset") }, schema.ErrRange, "test+0x0: offset: position 0x9 is outside the data of 0x8 bytes"},
		{"path", func(c *read.Cursor) {
			c.Enter("mesh", 3)
			c.Enter("vertices", -1)
			c.U32("")
			c.Vec3("position")
		}, schema.ErrTruncated, "mesh 3/vertices+0x4: position: needs 12 bytes, 4 left"},
		{"sub", func(c *read.Cursor) {
			c.Skip(4, "")
			s := c.Sub(2, "block")
			s.U32("value")
			c.Adopt(s)
		}, schema.ErrTruncated, "test+0x4: value: needs 4 bytes, 2 left"},
	}
	for _, tt := range tests {
		c := read.NewCursor("test", []byte("abcdefgh"), nil)
		tt.do(c)
		if err := c.Err(); !errors.Is(err, tt.class) || err.Error() != tt.text {
			t.Errorf("%s: got  %v\nwant %s", tt.name, err, tt.text)
		}
	}
}

func TestCursorStaysAtItsFirstError(t *testing.T) {
	c := read.NewCursorAt("test", "entry", []byte{1, 2, 3}, 100, nil)
	c.U16("first")
	c.U32("second")
	c.U8("third")
	if c.U8("fourth") != 0 || c.Left() != 0 || c.Rest() != nil || c.Vec3("") != [3]float32{} || c.CString("") != "" {
		t.Error("a failed cursor still reads")
	}
	if got, want := c.Err().Error(), "entry+0x66: second: needs 4 bytes, 1 left"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A cursor that failed reads zeros, though there are bytes left.
func TestCursorReadsNothingAfterAnError(t *testing.T) {
	c := read.NewCursor("test", bytes.Repeat([]byte{1}, 64), nil)
	c.Failf(schema.ErrValue, "field", "wrong")
	at := c.Offset()
	if c.U8("") != 0 || c.I8("") != 0 || c.U16("") != 0 || c.I16("") != 0 || c.U32("") != 0 || c.I32("") != 0 || c.U64("") != 0 || c.F32("") != 0 || c.Bytes(3, "") != nil {
		t.Error("a number is there")
	}
	if c.Offset() != at {
		t.Errorf("it went on from 0x%x to 0x%x", at, c.Offset())
	}
}

func TestCursorAliases(t *testing.T) {
	b := []byte("abcdef")
	part := read.NewCursor("test", b, nil).Bytes(3, "part")
	if &part[0] != &b[0] || cap(part) != 3 {
		t.Error("the slice is a copy, or can grow over what follows")
	}
}
