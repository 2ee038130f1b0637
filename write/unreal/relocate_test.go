package unreal_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// TestReplaceOfUnknownClasses: a payload that may hold positions is taken where nobody knows its class, and it is told.
func TestReplaceOfUnknownClasses(t *testing.T) {
	for _, c := range []struct {
		payload string
		told    []string
		movable bool
	}{
		{"\x00", nil, true}, {"\x00plain bytes", nil, true},
		{"\xFF", []string{"unknown-payload"}, false}, // properties that cannot be read
	} {
		p := small(t, 69, nil)
		i := int(p.FindExport("Gadget0", "Gadget") - 1)
		d := new(schema.Diagnostics)
		if err := read.Replace(p, i, []byte(c.payload), d); err != nil {
			t.Errorf("%q: %v", c.payload, err)
			continue
		}
		var told []string
		for _, x := range d.All() {
			told = append(told, x.Code)
		}
		if e := p.Exports[i]; string(e.Data) != c.payload || e.Movable != c.movable || fmt.Sprint(told) != fmt.Sprint(c.told) {
			t.Errorf("%q: %+v, told %v, want %v", c.payload, e, told, c.told)
		}
	}
}

// TestStructLayouts: a trace takes apart the structs of properties whose size is that of their kind, and no others.
func TestStructLayouts(t *testing.T) {
	for _, c := range []struct {
		kind   string
		size   int
		layout string
	}{
		{"Vector", 12, "x:f32 y:f32 z:f32"}, {"rotator", 12, "pitch:i32 yaw:i32 roll:i32"}, {"Color", 4, "4u8"},
		{"Plane", 16, "x:f32 y:f32 z:f32 w:f32"}, {"Scale", 17, "x:f32 y:f32 z:f32 rate:f32 axis:u8"}, {"COORDS", 48, "origin:3f32 x:3f32 y:3f32 z:3f32"},
		{"Vector", 13, schema.LayoutBytes}, {"Vector", 11, schema.LayoutBytes}, {"Gizmo", 12, schema.LayoutBytes},
	} {
		p := small(t, 69, nil)
		o := &unreal.Object{Context: p.Context(int(p.FindExport("Gadget0", "Gadget") - 1))}
		o.SetStruct("Thing", c.kind, bytes.Repeat([]byte{1}, c.size))
		b, err := write.Object(o)
		if err != nil {
			t.Fatal(err)
		}
		trace, d := new(schema.Trace), new(schema.Diagnostics)
		trace.Place(b, 0)
		d.Record(trace)
		if _, err := read.Base(b, o.Context, d); err != nil {
			t.Fatal(err)
		}
		for _, s := range trace.Spans {
			if s.Field == "Thing" && s.Layout == c.layout && s.Size == int64(c.size) {
				c.layout = ""
			}
		}
		if c.layout != "" {
			t.Errorf("%d bytes of a %s are not %s: %+v", c.size, c.kind, c.layout, trace.Spans)
		}
	}
}

// TestLongRows: the tables are read to their end where every index in them takes five bytes, and come back as they were.
func TestLongRows(t *testing.T) {
	const header, names = 36 + 16 + 4 + 8, 5 + 1 + 4
	le := binary.LittleEndian
	none, one := "\x40\x80\x80\x80\x00", "\x41\x80\x80\x80\x00"
	imports := strings.Repeat(none+none+"\x00\x00\x00\x00"+none, 2)
	exports := strings.Repeat("\xC1\x80\x80\x80\x00"+none+"\x00\x00\x00\x00"+none+"\x00\x00\x00\x00"+one+one, 2)
	b := le.AppendUint32(nil, unreal.Magic)
	for _, v := range []uint32{69, 0, 1, header, 2, uint32(header + names + len(imports)), 2, header + names} {
		b = le.AppendUint32(b, v)
	}
	b = append(b, make([]byte, 16)...)
	for _, v := range []uint32{1, 2, 1} {
		b = le.AppendUint32(b, v)
	}
	b = append(b, "\x05None\x00\x00\x00\x00\x00"+imports+exports...)
	p := open(t, b)
	if len(p.Imports) != 2 || len(p.Exports) != 2 || p.Exports[1].Class != -1 || p.Exports[1].Size != 1 || p.Exports[1].Offset != 1 {
		t.Errorf("imports %v, exports %v", p.Imports, p.Exports)
	}
	corpus.SameBytes(t, "long rows", save(t, p), b)
}

// TestSourceEndsEarly: a package whose source has become shorter is not written with less in it.
func TestSourceEndsEarly(t *testing.T) {
	b := append(save(t, small(t, 69, nil)), "tail"...)
	p := open(t, b)
	p.Source = bytes.NewReader(b[:len(b)-1])
	if err := write.Package(io.Discard, p); schema.Class(err) != schema.ErrTruncated {
		t.Errorf("a byte short: %v", err)
	}
}

// TestNarrowFaces: a file with faces of sixteen bits keeps them up to the last wedge that they can name.
func TestNarrowFaces(t *testing.T) {
	for wedge, class := range map[uint32]error{0xFFFF: nil, 0x10000: schema.ErrRange} {
		x := smallPSK()
		b, err := write.PSK(x)
		if err != nil {
			t.Fatal(err)
		}
		if x, err = read.PSK(b, nil); err != nil {
			t.Fatal(err)
		}
		x.Wedges = make([]unreal.PSKWedge, wedge+1)
		x.Faces[0].Wedges[1] = wedge
		if _, err := write.PSK(x); schema.Class(err) != class {
			t.Errorf("wedge %d: %v, want %v", wedge, err, class)
		}
	}
}

// TestWidePadding: what fills the eight bytes of a vertex is zero where nothing else is said.
func TestWidePadding(t *testing.T) {
	b, err := write.MeshAniv(&unreal.MeshAniv{VertexBytes: 8, FrameBytes: 8, Frames: [][][3]int16{{{1, 2, 3}}}})
	if err != nil || !bytes.Equal(b, []byte{1, 0, 8, 0, 1, 0, 2, 0, 3, 0, 0, 0}) {
		t.Errorf("%x, %v", b, err)
	}
}
