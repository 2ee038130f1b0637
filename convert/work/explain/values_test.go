package explain

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestValues: a value is shown as what its layout says, long ones by their beginning.
func TestValues(t *testing.T) {
	long := strings.Repeat("x", 121)
	for _, c := range []struct {
		layout string
		count  int
		bytes  string
		want   string
	}{
		{"u8", 1, "\xFF", "255"}, {"i8", 1, "\xFF", "-1"}, {"u16", 1, "\x01\xFF", "65281"}, {"i16", 1, "\x01\xFF", "-255"}, {"u32", 1, "\x00\x00\x00\x80", "2147483648"},
		{"i32", 1, "\x00\x00\x00\x80", "-2147483648"}, {"u64", 1, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", "18446744073709551615"}, {"f32", 1, "\x00\x00\xC0\x3F", "1.5"},
		{"u8", 3, "\x01\x02\x03", "1 2 3"}, {"u8", 8, "\x01\x02\x03\x04\x05\x06\x07\x08", "1 2 3 4 5 6 7 8"}, {"u8", 9, "\x01\x02\x03\x04\x05\x06\x07\x08\x09", "1 2 3 4 5 6 7 8 … 9 in all"},
		{"2u8", 2, "\x01\x02\x03\x04", "1 2; 3 4"}, {"2u8", 3, "\x01\x02\x03\x04\x05\x06", "1 2; 3 4 … 3 in all"}, {"16u8", 1, strings.Repeat("\x07", 16), strings.TrimSpace(strings.Repeat("7 ", 16))},
		{"17u8", 1, strings.Repeat("\x07", 17), strings.Repeat("7 ", 16) + "…"}, {"a:u8 b:u16", 1, "\x01\x02\x00", "a 1, b 2"},
		{"a:u8 b:u8 c:u8 d:u8 e:u8 f:u8 g:u8", 1, "\x01\x02\x03\x04\x05\x06\x07", "a 1, b 2, c 3, d 4, e 5, f 6, g 7"},
		{"a:u8 b:u8 c:u8 d:u8 e:u8 f:u8 g:u8", 2, strings.Repeat("\x01", 14), "a 1, b 1, c 1, d 1, e 1, f 1, …; a 1, b 1, c 1, d 1, e 1, f 1, …"},
		{"a:u8 b:u8 c:u8 d:u8 e:u8 f:u8", 2, strings.Repeat("\x01", 12), "a 1, b 1, c 1, d 1, e 1, f 1; a 1, b 1, c 1, d 1, e 1, f 1"},
		{"text", 1, "a\"b\x80", `"a\"b€"`}, {"text", 1, "ab\x00\x00", `"ab"`}, {"text", 1, "ab\x00\x01", `"ab" and more behind its end`}, {"text", 1, long[:120], `"` + long[:120] + `"`},
		{"text", 1, long, `"` + long[:120] + `"…`}, {"wide", 1, "a\x00\x3D\xD8\x00\xDE", `"a😀"`}, {"utf-8", 1, "ä", `"ä"`},
		{"index", 1, "\x3F", "63"}, {"index", 1, "\x83", "-3"}, {"index", 1, "\x41\x02", "129"}, {"index", 1, "\x40\x80\x01", "8192"}, {"index", 1, "\x40\x80\x02", "16384"}, {"index", 1, "\x40\x80\x80\x80\x10", "2147483648"}, {"index", 1, "\xC0\x80\x80\x81", "-1048576"},
		{"bytes", 1, "\x01\xAB", "01ab"}, {"bytes", 1, strings.Repeat("\x01", 16), strings.Repeat("01", 16)}, {"bytes", 1, strings.Repeat("\x01", 17), strings.Repeat("01", 16) + "…"},
		{"u16", 1, "\x01\x02\x03", "010203"}, {"u8", 2, "\x01\x02\x03", "010203"},
	} {
		m := &Map{content: content{{[]byte("head" + c.bytes), 0}}, Size: int64(4 + len(c.bytes))}
		s := Span{Offset: 4, Size: int64(len(c.bytes)), Layout: c.layout, Count: c.count}
		if got := m.Value(&s); got != c.want {
			t.Errorf("%d × %s of % x: %q, want %q", c.count, c.layout, c.bytes, got, c.want)
		}
		s.Kind, s.Note = Gap, "nobody reads it"
		if got := m.Value(&s); got != s.Note {
			t.Errorf("a gap: %q", got)
		}
	}
	part := &Map{content: content{{[]byte{1, 2, 3}, 0}}, Size: 9}
	for want, s := range map[string]Span{"1 2 3 … 9 in all": {Size: 9, Layout: "u8", Count: 9}, "1 2 3 … 3 in all": {Size: 9, Layout: "3u8", Count: 3}} {
		if got := part.Value(&s); got != want {
			t.Errorf("the beginning of %s: %q, want %q", s.Layout, got, want)
		}
	}
	s := Span{Size: 8, Layout: "u32", Count: 2}
	if got := part.Value(&s); got != "010203" {
		t.Errorf("less than an element: %q", got)
	}
}

// TestValueAt: every offset of an array is in an element, and in a field of it, whose first and last byte count as well.
func TestValueAt(t *testing.T) {
	m := &Map{content: content{{[]byte{0, 0, 1, 2, 0, 3, 4, 5, 6, 0, 7, 8}, 0}}, Size: 12}
	pair := &Span{Offset: 2, Size: 10, Layout: "a:u8 b:u16 2u8", Count: 2}
	one := &Span{Offset: 2, Size: 5, Layout: "a:u8 b:u16 2u8", Count: 1}
	for _, c := range []struct {
		s           *Span
		at          int64
		name, value string
	}{
		{pair, 2, "0/a", "1"}, {pair, 3, "0/b", "2"}, {pair, 4, "0/b", "2"}, {pair, 5, "0", "3 4"}, {pair, 6, "0", "3 4"}, {pair, 7, "1/a", "5"}, {pair, 9, "1/b", "6"}, {pair, 11, "1", "7 8"},
		{one, 2, "a", "1"}, {one, 4, "b", "2"}, {one, 6, "", "3 4"}, {&Span{Offset: 2, Size: 1, Layout: "u8", Count: 1}, 2, "", "1"}, {&Span{Offset: 2, Size: 3, Layout: "u8", Count: 3}, 4, "2", "0"}, {&Span{Offset: 2, Size: 2, Layout: "u8", Count: 2}, 3, "1", "2"},
		{&Span{Offset: 2, Size: 2, Layout: "bytes", Count: 1}, 3, "", "0102"}, {&Span{Offset: 2, Size: 3, Layout: "u16", Count: 1}, 3, "", "010200"},
	} {
		if name, value := m.ValueAt(c.s, c.at); name != c.name || value != c.value {
			t.Errorf("%s at %d: %q is %q, want %q is %q", c.s.Layout, c.at, name, value, c.name, c.value)
		}
	}
}

// TestElements: a layout is taken apart into fields, one behind the other, or is said to be of another size.
func TestElements(t *testing.T) {
	s := &Span{Size: 30, Count: 2, Layout: "id:u16 3f32 flag:u8"}
	want := []Element{{"id", "u16", 1, 0, 2}, {"", "f32", 3, 2, 12}, {"flag", "u8", 1, 14, 1}}
	if got, err := s.Elements(); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, s := range []*Span{{Size: 31, Count: 2, Layout: s.Layout}, {Size: 28, Count: 2, Layout: s.Layout}, {Size: 3, Count: 2, Layout: "u8"}} {
		if got, err := s.Elements(); err == nil {
			t.Errorf("%d × %q in %d bytes: %v", s.Count, s.Layout, s.Size, got)
		}
	}
	for _, s := range []*Span{{Size: 4, Layout: "text"}, {Size: 4, Layout: "0u8"}, {Size: 4, Layout: "u8 bytes"}, {Size: 1, Count: 1, Layout: "u8", Kind: Gap}} {
		if got, err := s.Elements(); got != nil || err != nil {
			t.Errorf("%q: %v, %v", s.Layout, got, err)
		}
	}
	if s := (&Span{Size: 7}); s.Stride() != 7 {
		t.Errorf("what is no array has a stride of %d", s.Stride())
	}
}

// TestRanges: what lies in a range reaches into it, with one byte at least; nothing but zeros is everything.
func TestRanges(t *testing.T) {
	r := Range{10, 20}
	for _, c := range []struct {
		offset, size int64
		want         bool
	}{{0, 10, false}, {0, 11, true}, {19, 1, true}, {20, 5, false}, {12, 2, true}, {5, 30, true}} {
		if got := r.meets(c.offset, c.size); got != c.want {
			t.Errorf("%d bytes at %d: %t", c.size, c.offset, got)
		}
		if !(Range{}).meets(c.offset, c.size) {
			t.Errorf("%d bytes at %d are not in everything", c.size, c.offset)
		}
	}
}

// TestSpanNames: the name of a span leads from the entry to the field; what it has none of leaves no mark.
func TestSpanNames(t *testing.T) {
	for want, s := range map[string]Span{
		"a.txm: mesh 3/vertices": {Entry: "a.txm", Path: "mesh 3", Field: "vertices"}, "a.txm": {Entry: "a.txm"}, "mesh 3": {Path: "mesh 3"}, "vertices": {Field: "vertices"},
		"a: b": {Entry: "a", Path: "b"}, "": {},
	} {
		if got := s.Name(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// treeText shows a tree in a line: label, repeats and size, what is in it in brackets.
func treeText(nodes []*Node) string {
	var list []string
	for _, n := range nodes {
		text := fmt.Sprintf("%s %d+%d", n.Label, n.Offset, n.Size)
		if n.Repeats > 1 {
			text += fmt.Sprintf(" ×%d", n.Repeats)
		}
		if len(n.Children) > 0 {
			text += " (" + treeText(n.Children) + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// TestTreeText: structures hold what lies in them, and are as large as all of it; a run of like fields is one.
func TestTreeText(t *testing.T) {
	m := &Map{Size: 20, Spans: []Span{
		{Offset: 0, Size: 1, Field: "magic", Layout: "u8"}, {Offset: 1, Size: 2, Entry: "e", Path: "a/b", Field: "x", Layout: "u16"}, {Offset: 3, Size: 2, Entry: "e", Path: "a/b", Field: "x", Layout: "u16"},
		{Offset: 5, Size: 1, Entry: "e", Path: "a/b", Field: "x", Layout: "u8"}, {Offset: 6, Size: 1, Entry: "e", Path: "a", Field: "y"}, {Offset: 7, Size: 1, Entry: "e", Path: "a/b", Field: "x"},
		{Offset: 8, Size: 2, Entry: "f", Field: "x"}, {Offset: 10, Size: 3, Kind: Gap}, {Offset: 13, Size: 3, Kind: Gap}, {Offset: 16, Size: 2, Field: "z", Kind: Kept}, {Offset: 18, Size: 1, Field: "z"}, {Offset: 19, Size: 1, Field: "z"},
	}}
	for fold, want := range map[bool]string{
		false: "magic 0+1, e 1+7 (a 1+7 (b 1+5 (x 1+2, x 3+2, x 5+1), y 6+1, b 7+1 (x 7+1))), f 8+2 (x 8+2), gap 10+3, gap 13+3, z 16+2, z 18+1, z 19+1",
		true:  "magic 0+1, e 1+7 (a 1+7 (b 1+5 (x 1+4 ×2, x 5+1), y 6+1, b 7+1 (x 7+1))), f 8+2 (x 8+2), gap 10+3, gap 13+3, z 16+2, z 18+2 ×2",
	} {
		if got := treeText(m.Tree(fold)); got != want {
			t.Errorf("folded %t: %s, want\n%s", fold, got, want)
		}
	}
}

// TestFolded: of four or more structures in a row that hold the same fields the first is left, and it says how many follow it.
func TestFolded(t *testing.T) {
	spans := func(names ...string) (list []Span) {
		for i, name := range names {
			path, fields, _ := strings.Cut(name, ":")
			for _, f := range strings.Fields(fields) {
				list = append(list, Span{Offset: int64(len(list)), Size: 1, Path: path, Field: f, Layout: fmt.Sprint("of ", i)})
			}
		}
		return list
	}
	for _, c := range []struct {
		spans []Span
		want  string
		alike int
		until int64
	}{
		{spans("m 0:a b", "m 1:a b", "m 2:a b", "m 3:a b"), "m 0 0+2 (a 0+1, b 1+1)", 3, 8},
		{spans("m 0:a", "m 1:a", "m 2:a"), "m 0 0+1 (a 0+1), m 1 1+1 (a 1+1), m 2 2+1 (a 2+1)", 0, 0},
		{spans("m 0:a b", "m 1:a b", "m 2:a c", "m 3:a b"), "m 0 0+2 (a 0+1, b 1+1), m 1 2+2 (a 2+1, b 3+1), m 2 4+2 (a 4+1, c 5+1), m 3 6+2 (a 6+1, b 7+1)", 0, 0},
		{spans("m 0:a", "n 1:a", "m 2:a", "n 3:a"), "m 0 0+1 (a 0+1), n 1 1+1 (a 1+1), m 2 2+1 (a 2+1), n 3 3+1 (a 3+1)", 0, 0},
		{spans("0:a", "1:b", "2:c c", "3:d", "x:e"), "0 0+1 (a 0+1), x 5+1 (e 5+1)", 3, 5},
		{spans("m 0:a1 a2 b", "m 1:a1 b", "m 2:a7 b", "m 3:a1 a2 a3 b"), "m 0 0+3 (a1 0+1, a2 1+1, b 2+1)", 3, 11},
	} {
		got := (&Map{Spans: c.spans}).Tree(true)
		if text := treeText(got); text != c.want || got[0].Alike != c.alike || got[0].Until != c.until {
			t.Errorf("%s, %d alike until %d, want\n%s, %d until %d", text, got[0].Alike, got[0].Until, c.want, c.alike, c.until)
		}
	}
}
