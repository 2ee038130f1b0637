package unreal_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/made"
	write "github.com/usher-assets/usher/write/unreal"
)

// roomy is a package with so many names and exports that any small index is good.
func roomy(version uint16) *unreal.Package {
	p := &unreal.Package{Version: version}
	p.Names = append(p.Names, unreal.Name{Text: "None"})
	for i := range 2000 {
		p.Names = append(p.Names, unreal.Name{Text: fmt.Sprint("name", i)})
	}
	p.Exports = make([]unreal.Export, 2000)
	return p
}

// madeOf returns an object of a class with something in all of its fields.
func madeOf(o unreal.AnyObject, class string, version uint16) unreal.AnyObject {
	made.Fill(o, "Object", "Old", "OldTail", "Odd", "Sparks")
	base := o.Base()
	*base = unreal.Object{Context: &unreal.Context{Package: roomy(version), Class: class}}
	return o
}

// madeVersions are those in which something begins or ends.
var madeVersions = []uint16{60, 61, 63, 65, 69}

// madeObjects has every class that is not met in the packages of testdata.
var madeObjects = []struct {
	class string
	make  func() unreal.AnyObject
}{
	{"Font", func() unreal.AnyObject { return new(unreal.Font) }},
	{"Level", func() unreal.AnyObject { return new(unreal.Level) }},
	{"Model", func() unreal.AnyObject { return new(unreal.Model) }},
	{"Polys", func() unreal.AnyObject { return new(unreal.Polys) }},
	{"Mesh", func() unreal.AnyObject { return new(unreal.Mesh) }},
	{"LodMesh", func() unreal.AnyObject { return new(unreal.LodMesh) }},
	{"SkeletalMesh", func() unreal.AnyObject { return new(unreal.SkeletalMesh) }},
	{"Animation", func() unreal.AnyObject { return new(unreal.Animation) }},
	{"Vectors", func() unreal.AnyObject { return new(unreal.Vectors) }},
	{"BspNodes", func() unreal.AnyObject { return new(unreal.BspNodes) }},
	{"BspSurfs", func() unreal.AnyObject { return new(unreal.BspSurfs) }},
	{"Verts", func() unreal.AnyObject { return new(unreal.Verts) }},
	{"Class", func() unreal.AnyObject { return new(unreal.Class) }},
	{"Function", func() unreal.AnyObject { return new(unreal.Function) }},
	{"State", func() unreal.AnyObject { return new(unreal.State) }},
	{"Struct", func() unreal.AnyObject { return new(unreal.Struct) }},
	{"Enum", func() unreal.AnyObject { return new(unreal.Enum) }},
	{"Const", func() unreal.AnyObject { return new(unreal.Const) }},
	{"ClassProperty", func() unreal.AnyObject { return new(unreal.PropertyDecl) }},
	{"FixedArrayProperty", func() unreal.AnyObject { return new(unreal.PropertyDecl) }},
	{"Sound", func() unreal.AnyObject { return new(unreal.Sound) }},
	{"Music", func() unreal.AnyObject { return new(unreal.Music) }},
	{"Palette", func() unreal.AnyObject { return new(unreal.Palette) }},
	{"Texture", func() unreal.AnyObject { return new(unreal.Texture) }},
	{"TextBuffer", func() unreal.AnyObject { return new(unreal.TextBuffer) }},
}

// TestMadeObjects writes objects of every class that is not met in the packages of testdata, and reads them again.
func TestMadeObjects(t *testing.T) {
	for _, tt := range madeObjects {
		for _, version := range madeVersions {
			t.Run(fmt.Sprint(tt.class, version), func(t *testing.T) {
				o := madeOf(tt.make(), tt.class, version)
				fit(o, version)
				b, err := write.Object(o)
				if err != nil {
					t.Fatal(err)
				}
				x := *o.Base().Context
				got, err := read.Object(b, &x, nil)
				if err != nil {
					t.Fatal(err)
				}
				got.Base().Context = o.Base().Context
				for _, line := range made.Differences(o, got) {
					t.Error(line)
				}
				if again, err := write.Object(got); err != nil || !bytes.Equal(again, b) {
					t.Errorf("written again as other bytes (%v)", err)
				}
			})
		}
	}
}

// fit takes away what a version does not store, and makes sizes agree that have to.
func fit(o unreal.AnyObject, version uint16) {
	made.Each(o, func(s *unreal.Str) { s.Form, s.Raw = unreal.NameWide, nil })
	made.Each(o, func(m *unreal.Mip) { *m = unreal.Mip{Pixels: make([]byte, 8), USize: 4, VSize: 2, UBits: 2, VBits: 1} })
	if version < unreal.LazyVersion {
		made.Each(o, func(s *unreal.Sphere) { s.Radius = 0 })
	}
	made.Each(o, func(m *unreal.Mesh) {
		m.VertexBytes, m.Pad = 4, nil
		if version == 69 {
			m.VertexBytes, m.Pad = 8, []uint16{0, 7}
		}
		switch {
		case version < 65:
			m.TextureLOD = nil
		case version == 65:
			m.TextureLOD = m.TextureLOD[:1]
		}
	})
	made.Each(o, func(s *unreal.Struct) { s.Code, s.ScriptSize = []byte{0x1D, 1, 2, 3, 4, 0x24, 9}, 7 })
	made.Each(o, func(f *unreal.Function) {
		f.FuncFlags |= unreal.FunctionNet
		if version >= unreal.CountedVersion {
			f.OldParmSize, f.OldParms, f.OldReturnOffset = 0, 0, 0
		}
	})
	made.Each(o, func(p *unreal.PropertyDecl) {
		p.PropFlags |= unreal.PropertyNet
		p.Refs = p.Refs[:unreal.PropertyRefs(p.Class)]
		if p.Class != "FixedArrayProperty" {
			p.Count = 0
		}
	})
	switch o := o.(type) {
	case *unreal.Font:
		if version < unreal.CountedVersion {
			o.Pages, o.CharactersOnPage, o.Remap = nil, 0, nil
			compressed(o.Base())
		} else {
			o.Mips, o.Compressed, o.HasComp, o.Characters = nil, nil, false, nil
		}
	case *unreal.Texture:
		compressed(o.Base())
	case *unreal.Model:
		if version < unreal.LazyVersion {
			o.Old, o.OldTail = &unreal.OldModel{Vectors: 1, Points: 2, Nodes: 3, Surfs: 4, Verts: 5}, [2]int32{6, 7}
			o.Vectors, o.Points, o.Nodes, o.Surfs, o.Verts, o.SharedSides, o.Zones = nil, nil, nil, nil, nil, 0, nil
		}
	case *unreal.Level:
		if o.NoValues = false; version < unreal.TravelVersion {
			o.Travel = nil
		}
	case *unreal.Class:
		if version < unreal.LazyVersion {
			o.Within, o.Config = 0, 0
		} else {
			o.OldRecordSize = 0
		}
	}
}

// compressed gives an object the property that says that it has compressed levels.
func compressed(o *unreal.Object) {
	o.Properties = []unreal.Property{{Name: 5, Type: unreal.BoolProperty, SizeCode: 5, Number: 1}}
	o.Package.Names[5].Text = "bHasComp"
}

// TestMadeUMOD has two files, and bytes between the directory and the trailer.
func TestMadeUMOD(t *testing.T) {
	want := new(unreal.UMOD)
	made.Fill(want, "Odd", "Fresh")
	made.Each(want, func(s *unreal.Str) { s.Form, s.Raw = unreal.NameBytes, nil })
	want.Version, want.Content = unreal.UMODVersion, []byte("the content of two files")
	want.Files[0].Offset, want.Files[0].Size = 0, 11
	want.Files[1].Offset, want.Files[1].Size = 11, 13 // to the very end
	b, err := write.UMOD(want)
	if err != nil {
		t.Fatal(err)
	}
	var d schema.Diagnostics
	got, err := read.UMOD(b, &d)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range made.Differences(want, got) {
		t.Error(line)
	}
	if !d.Has("check-sum") {
		t.Error("a wrong check sum is not told")
	}
	want.Fresh = true
	d = schema.Diagnostics{}
	if b, err = write.UMOD(want); err != nil {
		t.Fatal(err)
	}
	if _, err = read.UMOD(b, &d); err != nil || d.Has("check-sum") {
		t.Errorf("%v %v", err, d.All())
	}
	for _, tt := range []struct {
		name  string
		edit  func(b []byte) []byte
		class error
	}{
		{"cut at the front", func(b []byte) []byte { return b[1:] }, schema.ErrTruncated},
		{"only a trailer", func(b []byte) []byte { return b[len(b)-19:] }, schema.ErrTruncated},
		{"magic", func(b []byte) []byte { b[len(b)-20]++; return b }, schema.ErrBadMagic},
		{"version", func(b []byte) []byte { b[len(b)-8]++; return b }, schema.ErrUnsupported},
		{"directory", func(b []byte) []byte { b[len(b)-15] = 9; return b }, schema.ErrRange},
		{"a file past the content", func(b []byte) []byte {
			b[len(want.Content)+1+1+len("text 1")+1]++
			b[len(want.Content)+1+1+len("text 1")+1] = 14
			return b
		}, schema.ErrRange},
		{"count", func(b []byte) []byte { b[len(want.Content)] = 0x3F; return b }, schema.ErrCount},
	} {
		if _, err := read.UMOD(tt.edit(bytes.Clone(b)), nil); !errors.Is(err, tt.class) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.class)
		}
	}
	if !read.IsUMOD(b) || read.IsUMOD(b[:len(b)-1]) || read.IsUMOD(b[len(b)-19:]) {
		t.Error("is an installer or is not")
	}
}

// TestOldFontPixels has levels whose bytes are not one a pixel: fine in another format than P8, else refused.
func TestOldFontPixels(t *testing.T) {
	for format, class := range map[int32]error{0: schema.ErrMismatch, 3: nil} {
		o := madeOf(new(unreal.Font), "Font", 61).(*unreal.Font)
		fit(o, 61)
		o.Mips[1].Pixels = o.Mips[1].Pixels[:4]
		o.Properties = append(o.Properties, unreal.Property{Name: 6, Type: unreal.ByteProperty, Number: format})
		o.Package.Names[6].Text = "Format"
		b, err := write.Object(o)
		if err == nil {
			_, err = read.Object(b, o.Context, nil)
		}
		if !errors.Is(err, class) {
			t.Errorf("format %d: %v, want %v", format, err, class)
		}
	}
}

// TestFontTail: what follows a font and is no remap table is kept as it is, and no trace calls it a table.
func TestFontTail(t *testing.T) {
	for _, c := range []struct {
		name  string
		tail  []byte
		remap bool
	}{
		{"a table", []byte{1, 5, 0, 6, 0, 1, 0, 0, 0}, true},
		{"too short for its count", []byte{1, 5, 0, 6, 0}, false},
		{"a negative count", []byte{0x81, 5, 0, 6, 0, 1, 0, 0, 0}, false},
		{"a long count", []byte{0x41, 0}, false},
	} {
		o := madeOf(new(unreal.Font), "Font", 69).(*unreal.Font)
		fit(o, 69)
		o.Remap, o.Tail = nil, c.tail
		b, err := write.Object(o)
		if err != nil {
			t.Fatal(err)
		}
		trace, d := new(schema.Trace), new(schema.Diagnostics)
		trace.Place(b, 0)
		d.Record(trace)
		got, err := read.Font(b, o.Context, d)
		if err != nil {
			t.Fatal(err)
		}
		traced := slices.ContainsFunc(trace.Spans, func(s schema.Span) bool { return s.Field == "remap" })
		if (got.Remap != nil) != c.remap || traced != c.remap || c.remap && got.Tail != nil || !c.remap && !bytes.Equal(got.Tail, c.tail) || len(got.Odd) > 0 {
			t.Errorf("%s: remap %v, tail %x, traced %v, odd %v", c.name, got.Remap, got.Tail, traced, got.Odd)
		}
		if again, err := write.Object(got); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s: %x became %x (%v)", c.name, b, again, err)
		}
	}
}

// TestMadeStrings has a string in each form that a payload knows.
func TestMadeStrings(t *testing.T) {
	for _, tt := range []struct {
		str  unreal.Str
		want string // the stored bytes
	}{
		{unreal.Str{Text: "usual"}, "\x06usual\x00"},
		{unreal.Str{}, "\x00"},
		{unreal.Str{Text: "wide", Form: unreal.NameWide}, "\x85w\x00i\x00d\x00e\x00\x00\x00"},
		{unreal.Str{Text: "\u0416"}, "\x82\x16\x04\x00\x00"},
		{unreal.Str{Text: "no end", Form: unreal.NameRaw, Raw: []byte("no end")}, "\x06no end"},
		{unreal.Str{Text: "no", Form: unreal.NameRawWide, Raw: []byte("n\x00o\x00")}, "\x82n\x00o\x00"},
	} {
		o := madeOf(new(unreal.Const), "Const", 69).(*unreal.Const)
		o.Super, o.Next, o.Value = 0, 0, tt.str
		b, err := write.Object(o)
		if err != nil {
			t.Fatal(err)
		}
		if want := "\x00\x00\x00" + tt.want; string(b) != want {
			t.Errorf("%+v: %q, want %q", tt.str, b, want)
		}
		got, err := read.Object(b, o.Context, nil)
		if err != nil {
			t.Fatal(err)
		}
		if value := got.(*unreal.Const).Value; value.Text != tt.str.Text || string(value.Raw) != string(tt.str.Raw) {
			t.Errorf("%+v became %+v", tt.str, value)
		}
	}
}

// TestImpossibleValues has what an edited JSON may say and no payload can.
func TestImpossibleValues(t *testing.T) {
	property := func(p unreal.Property) unreal.AnyObject {
		return &unreal.Object{Context: &unreal.Context{Package: roomy(69), Class: "Light"}, Properties: []unreal.Property{p}}
	}
	mesh := func(edit func(m *unreal.Mesh)) unreal.AnyObject {
		o := madeOf(new(unreal.Mesh), "Mesh", 69).(*unreal.Mesh)
		fit(o, 69)
		edit(o)
		return o
	}
	for name, tt := range map[string]struct {
		o     unreal.AnyObject
		class error
	}{
		"size code":         {property(unreal.Property{Name: 1, Type: unreal.IntProperty, SizeCode: 200}), nil},
		"property type":     {property(unreal.Property{Name: 1, Type: 16, Value: []byte{1}}), schema.ErrRange},
		"array index":       {property(unreal.Property{Name: 1, Type: unreal.IntProperty, Index: 1 << 30}), schema.ErrRange},
		"fewer pads":        {mesh(func(m *unreal.Mesh) { m.Pad = m.Pad[:1] }), schema.ErrMismatch},
		"no pads":           {mesh(func(m *unreal.Mesh) { m.Pad = nil }), nil},
		"huge vertices":     {mesh(func(m *unreal.Mesh) { m.VertexBytes = 1 << 40 }), schema.ErrValue},
		"one odd vertex":    {mesh(func(m *unreal.Mesh) { m.VertexBytes, m.Vertices = 5, m.Vertices[:1] }), schema.ErrValue},
		"negative vertices": {mesh(func(m *unreal.Mesh) { m.VertexBytes = -8 }), schema.ErrValue},
	} {
		if _, err := write.Object(tt.o); schema.Class(err) != tt.class {
			t.Errorf("%s: %v, want %v", name, err, tt.class)
		}
	}
}
