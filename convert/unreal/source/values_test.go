package source

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestEqual holds which values are the same, and what is written of one that stands in place of the other.
func TestEqual(t *testing.T) {
	pair := func(a, b value) value {
		return value{kind: structure, members: []member{{"A", a}, {"B", b}}}
	}
	list := func(all ...value) value { return value{kind: array, list: all} }
	for _, c := range []struct {
		v, was value
		text   string // empty where they are the same
	}{
		{number(5), number(5), ""},
		{number(5), number(7), "5"},
		{number(0), number(7), "0"},
		{number(0), boolean(false), ""}, // nothing is nothing
		{boolean(true), boolean(true), ""},
		{floating(0.5), floating(0.25), "0.500000"},
		{floating(0), floating(float32(math.Copysign(0, -1))), ""},
		{word("Door", "None"), word("DOOR", "None"), ""},
		{word("Door", "None"), word("Gate", "None"), "Door"},
		{quoted("a"), quoted("A"), `"a"`},
		{pair(number(1), number(2)), pair(number(1), number(2)), ""},
		{pair(number(1), number(2)), pair(number(1), number(3)), "(B=2)"},
		{pair(number(1), number(2)), pair(number(3), number(2)), "(A=1)"},
		{pair(number(1), number(0)), value{kind: structure}, "(A=1)"}, // of another struct: what is not nothing
		{list(number(1)), list(number(1)), ""},
		{list(number(1)), list(number(2)), "(1)"},
		{list(number(1)), list(number(1), number(2)), "(1)"},
		{list(), list(number(1)), "()"},
		{list(pair(number(1), number(0))), list(pair(number(2), number(0))), "((A=1))"},
	} {
		got := ""
		if !c.v.equal(&c.was) {
			got = c.v.against(&c.was)
		}
		if got != c.text {
			t.Errorf("%s in place of %s is %q, want %q", c.v.whole(), c.was.whole(), got, c.text)
		}
	}
}

// TestAbove holds what a class says of values that a class above it has: the last of two is the one, and what cannot be read is none.
func TestAbove(t *testing.T) {
	text := func(s string) unreal.Property { return unreal.Property{Type: unreal.StrProperty, Value: []byte(s)} }
	for _, c := range []struct {
		class string
		above []unreal.Property
		own   unreal.Property
		want  string
	}{
		{"IntProperty", []unreal.Property{property(unreal.IntProperty, 1)}, property(unreal.IntProperty, 2), "P=2"},
		{"IntProperty", []unreal.Property{property(unreal.IntProperty, 1), property(unreal.IntProperty, 2)}, property(unreal.IntProperty, 2), ""},
		{"IntProperty", []unreal.Property{property(unreal.IntProperty, 1), property(unreal.IntProperty, 2)}, property(unreal.IntProperty, 1), "P=1"},
		{"StrProperty", []unreal.Property{text("\x02a\x00")}, text("\x02a\x00"), ""},
		{"StrProperty", []unreal.Property{text("\x02a\x00more")}, text("\x02a\x00"), `P="a"`},
		{"StrProperty", []unreal.Property{text("\x02a\x00")}, text("\x84b\x00c\x00"), "P unsaid"}, // four wide characters in the room of two
		{"StrProperty", []unreal.Property{text("\x02a\x00")}, text("\x83b\x00c\x00\x00\x00"), `P="bc"`},
		{"StrProperty", []unreal.Property{text("\x02a\x00")}, text("\x82b\x00c\x00"), `P="bc"`},
	} {
		b := build(t)
		base := b.class("Base", 0, func(own unreal.Ref) unreal.Ref { return b.decl(c.class, "P", own, 0, 1) })
		mine := b.class("Mine", base, nil)
		for r, list := range map[unreal.Ref][]unreal.Property{base: c.above, mine: {c.own}} {
			x, err := pack.As[unreal.Class](b.File, int(r-1))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range list {
				p.Name = b.AddName("P")
				x.Properties = append(x.Properties, p)
			}
			b.put(r, x)
		}
		if got := defaultsText(t, b, mine); got != c.want {
			t.Errorf("%v below %v is %q, want %q", c.own, c.above, got, c.want)
		}
	}
}

// defaultsText returns the defaults of a class in one line, with what is unsaid.
func defaultsText(t *testing.T, b builder, mine unreal.Ref) string {
	t.Helper()
	c, err := pack.As[unreal.Class](b.File, int(mine-1))
	if err != nil {
		t.Fatal(err)
	}
	lines, unsaid := Defaults(b.File, int(mine-1), c)
	for _, key := range unsaid {
		lines = append(lines, Line{Key: key, Value: "unsaid"})
	}
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(shown(lines)), "=unsaid", " unsaid"), "\n", ", ")
}

// TestKeys: a property has the number of its element where the class declares several, or where a later one is stored of one that
// nobody declares.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		dim     int32 // 0 where it is not declared
		indices []int32
		want    string
	}{
		{1, []int32{0}, "P=9"},
		{1, []int32{1}, "P(1)=9"},
		{3, []int32{0}, "P(0)=9"},
		{0, []int32{0}, "P=9 ?"},
		{0, []int32{1}, "P(1)=9 ?"},
		{0, []int32{0, 1}, "P(0)=9 ?, P(1)=9 ?"},
		{0, []int32{0, 5}, "P(0)=9 ?, P(5)=9 ?"},
	} {
		b := build(t)
		mine := b.class("Mine", 0, func(own unreal.Ref) unreal.Ref {
			if c.dim == 0 {
				return 0
			}
			return b.decl("IntProperty", "P", own, 0, c.dim)
		})
		x, err := pack.As[unreal.Class](b.File, int(mine-1))
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range c.indices {
			p := property(unreal.IntProperty, 9)
			p.Name, p.Index = b.AddName("P"), i
			x.Properties = append(x.Properties, p)
		}
		b.put(mine, x)
		if got := defaultsText(t, b, mine); got != c.want {
			t.Errorf("%d elements, %v stored: %q, want %q", c.dim, c.indices, got, c.want)
		}
	}
}

// TestExtendedStructs: the members of a struct come before those of the struct that it extends.
func TestExtendedStructs(t *testing.T) {
	for _, c := range []struct {
		name  string
		super func(b builder, own unreal.Ref) unreal.Ref
		value []byte
		want  string
	}{
		{"extends nothing", func(builder, unreal.Ref) unreal.Ref { return 0 }, []byte{7, 0, 0, 0}, "P=(A=7)"},
		{"extends one at hand", func(b builder, own unreal.Ref) unreal.Ref {
			s := b.add("Struct", "Above", own, &unreal.Struct{})
			x := &unreal.Struct{}
			x.Children = b.decl("IntProperty", "B", s, 0, 1)
			b.put(s, x)
			return s
		}, []byte{7, 0, 0, 0, 8, 0, 0, 0}, "P=(A=7,B=8)"},
		{"extends one of others", func(b builder, _ unreal.Ref) unreal.Ref {
			return b.AddImport("Core", "Struct", b.AddClass("Elsewhere", "Base"), "Above")
		}, []byte{7, 0, 0, 0}, ""},
	} {
		got, unsaid := defaultsOf(t, func(b builder, own unreal.Ref) unreal.Ref {
			s := b.add("Struct", "S", own, &unreal.Struct{})
			x := &unreal.Struct{}
			x.Super = c.super(b, own)
			b.Exports[s-1].Super = x.Super
			x.Children = b.decl("IntProperty", "A", s, 0, 1)
			b.put(s, x)
			return b.decl("StructProperty", "P", own, 0, 1, s)
		}, unreal.Property{Type: unreal.StructProperty, Value: c.value})
		if got != c.want || (len(unsaid) > 0) != (c.want == "") {
			t.Errorf("%s: %q, unsaid %v, want %q", c.name, got, unsaid, c.want)
		}
	}
}

// nested declares a property that lies so deep in structs, or in lists, of which each has the next one, several times.
func nested(class string, deep int, dim int32) func(b builder, own unreal.Ref) unreal.Ref {
	return func(b builder, own unreal.Ref) unreal.Ref {
		if class == "ArrayProperty" { // a list of lists of lists
			inner := b.decl("IntProperty", "I", own, 0, 1)
			for range deep {
				inner = b.decl(class, "P", own, 0, dim, inner)
			}
			return inner
		}
		x := &unreal.Struct{}
		s := b.add("Struct", "S", own, x)
		x.Children = b.decl("IntProperty", "I", s, 0, 1)
		b.put(s, x)
		for range deep - 1 {
			above := b.add("Struct", "S", own, &unreal.Struct{})
			x := &unreal.Struct{}
			x.Children = b.decl(class, "M", above, 0, dim, s)
			b.put(above, x)
			s = above
		}
		return b.decl(class, "P", own, 0, 1, s)
	}
}

// TestDepth: structs and lists are told as deep as trees may be, and no deeper; how many lie side by side does not count.
func TestDepth(t *testing.T) {
	const most = 256
	if schema.DefaultLimits.Depth != most {
		t.Fatal(schema.DefaultLimits.Depth)
	}
	seven := []byte{7, 0, 0, 0}
	for _, deep := range []int{1, 2, most, most + 1} {
		structs := "P=" + strings.Repeat("(M=", deep-1) + "(I=7)" + strings.Repeat(")", deep-1)
		lists := "P=" + strings.Repeat("(", deep) + "7" + strings.Repeat(")", deep)
		for class, want := range map[string]string{"StructProperty": structs, "ArrayProperty": lists} {
			p := unreal.Property{Type: unreal.StructProperty, Value: seven}
			if class == "ArrayProperty" {
				p = unreal.Property{Type: unreal.ArrayProperty, Value: append(bytes.Repeat([]byte{1}, deep), seven...)}
			}
			if deep > most {
				want = ""
			}
			got, unsaid := defaultsOf(t, nested(class, deep, 1), p)
			if got != want || (len(unsaid) > 0) != (want == "") {
				t.Errorf("%d of %s: %.80q, unsaid %v", deep, class, got, unsaid)
			}
		}
	}
	got, unsaid := defaultsOf(t, nested("StructProperty", 2, most+44), unreal.Property{Type: unreal.StructProperty, Value: bytes.Repeat(seven, most+44)})
	if len(unsaid) > 0 || strings.Count(got, "=(I=7)") != most+44 {
		t.Errorf("side by side: %.80q, unsaid %v", got, unsaid)
	}
}

// TestRoomOfValues: a value takes off what the others of its class may have, and is unsaid where nothing is left; a damaged one ends
// at its fault.
func TestRoomOfValues(t *testing.T) {
	list := func(b builder, own unreal.Ref) unreal.Ref {
		return b.decl("ArrayProperty", "P", own, 0, 1, b.decl("IntProperty", "I", own, 0, 1))
	}
	names := func(b builder, own unreal.Ref) unreal.Ref {
		return b.decl("ArrayProperty", "P", own, 0, 1, b.decl("NameProperty", "I", own, 0, 1))
	}
	// An element is a name and five structs without members: a byte.
	element := func(b builder, own unreal.Ref) unreal.Ref {
		none := b.add("Struct", "E", own, &unreal.Struct{})
		s := b.add("Struct", "T", own, &unreal.Struct{})
		x := &unreal.Struct{}
		x.Children = b.decl("NameProperty", "N", s, b.decl("StructProperty", "Z", s, 0, 5, none), 1)
		b.put(s, x)
		return s
	}
	elements := func(b builder, own unreal.Ref) unreal.Ref {
		s := b.add("Struct", "O", own, &unreal.Struct{})
		x := &unreal.Struct{}
		x.Children = b.decl("StructProperty", "All", s, 0, 4, element(b, own))
		b.put(s, x)
		return b.decl("StructProperty", "P", own, 0, 1, s)
	}
	several := func(b builder, own unreal.Ref) unreal.Ref {
		return b.decl("ArrayProperty", "P", own, 0, 1, b.decl("StructProperty", "I", own, 0, 1, element(b, own)))
	}
	for _, c := range []struct {
		name    string
		declare func(b builder, own unreal.Ref) unreal.Ref
		value   unreal.Property
		takes   int
		ok      bool
	}{
		{"a list", list, unreal.Property{Type: unreal.ArrayProperty, Value: []byte{2, 4, 0, 0, 0, 5, 0, 0, 0}}, 2, true},
		{"an empty list", list, unreal.Property{Type: unreal.ArrayProperty, Value: []byte{0}}, 0, true},
		{"a list of less than nothing", list, unreal.Property{Type: unreal.ArrayProperty, Value: []byte{0x82}}, 0, true},
		{"a list of strange names", names, unreal.Property{Type: unreal.ArrayProperty, Value: []byte{3, 63, 63, 63}}, 3, false},
		{"a list of nobody knows what", func(b builder, own unreal.Ref) unreal.Ref { return b.decl("ArrayProperty", "P", own, 0, 1, own) }, unreal.Property{Type: unreal.ArrayProperty, Value: []byte{1, 0}}, 1, false},
		{"a list of structs", several, unreal.Property{Type: unreal.ArrayProperty, Value: []byte{3, 0, 0, 0}}, 3 + 3*6, true},
		{"of which the first is strange", several, unreal.Property{Type: unreal.ArrayProperty, Value: []byte{3, 63, 0, 0}}, 3 + 1, false},
		{"an empty one", func(b builder, own unreal.Ref) unreal.Ref { return b.decl("ArrayProperty", "P", own, 0, 1, 0) }, unreal.Property{Type: unreal.ArrayProperty, Value: []byte{0}}, 0, true},
		{"structs in structs", elements, unreal.Property{Type: unreal.StructProperty, Value: make([]byte, 4)}, 4 + 4*6, true},
		{"the first is strange", elements, unreal.Property{Type: unreal.StructProperty, Value: []byte{63, 0, 0, 0}}, 4 + 1, false},
		{"the second is not there", elements, unreal.Property{Type: unreal.StructProperty, Value: []byte{0}}, 4 + 6 + 1, false},
	} {
		b := build(t)
		mine := b.class("Mine", 0, func(own unreal.Ref) unreal.Ref { return c.declare(b, own) })
		d, known := b.Declared(mine, "P")
		if !known {
			t.Fatal(c.name)
		}
		for _, room := range []int{c.takes - 1, c.takes, c.takes + 7} {
			left := room
			_, _, ok := decode(b.File, &c.value, d, &left)
			if want := c.ok && room >= c.takes; ok != want || room >= c.takes && left != room-c.takes {
				t.Errorf("%s with room for %d: %v, %d left", c.name, room, ok, left)
			}
		}
	}
}

// TestStrangeNames: the names of a package end with its last one.
func TestStrangeNames(t *testing.T) {
	b := build(t)
	last := int32(b.AddName("Last"))
	for n, want := range map[int32]string{0: "None", last: "Last", last + 1: "", -1: ""} {
		d := &decoder{owner: b.File}
		if got := d.name(n); got.text != want || d.unknown != (want == "") {
			t.Errorf("name %d is %q, unknown %v", n, got.text, d.unknown)
		}
	}
}

// TestCodeOfCore: a call of a native function is listed with the name that the package declares, and objects with their class and
// path.
func TestCodeOfCore(t *testing.T) {
	f := pack.New(&unreal.Package{Version: 69}, &format.Env{Name: "Core.u"})
	f.AddName("None")
	b := builder{f, t}
	for _, c := range []struct {
		name, operator string
		number         uint16
	}{{"Multiply", "Times", 0x90}, {"Far", "Farther", 0x123}} {
		x := &unreal.Function{Native: c.number}
		x.FriendlyName = b.AddName(c.operator)
		b.add("Function", c.name, 0, x)
	}
	for _, c := range []struct {
		code []byte
		want string
	}{
		{[]byte{0x90, 0x16}, "0000  " + unreal.Ops[0x90].Name + " 144 Times"},
		{[]byte{0x91, 0x16}, "0000  " + unreal.Ops[0x91].Name + " 145"},
		{[]byte{0x61, 0x23, 0x16}, "0000  " + unreal.Ops[0x61].Name + " 291 Farther"},
		{[]byte{0x20, 0x00}, "0000  ObjectConst None"},
		{[]byte{0x20, 0x01}, "0000  ObjectConst Function'Core.Multiply'"},
		{[]byte{0x20, 0x02}, "0000  ObjectConst Function'Core.Far'"},
	} {
		if got := Listing(f, c.code); len(got) == 0 || got[0] != c.want {
			t.Errorf("% x: %q, want %q", c.code, got, c.want)
		}
	}
	deep := Listing(f, append(bytes.Repeat([]byte{0x2D}, 60), 0x25)) // each of which has an expression
	for _, at := range []int{0, 1, 39, 40, 41, 60} {
		name := "BoolVariable"
		if at == 60 {
			name = "IntZero"
		}
		if want := fmt.Sprintf("%04X  %s%s", at, strings.Repeat("  ", min(at, 40)), name); len(deep) != 61 || deep[at] != want {
			t.Errorf("%d lines, at %d %q, want %q", len(deep), at, deep[min(at, len(deep)-1)], want)
		}
	}
}

// TestSplit holds where the defaults of a source begin and end, and TestText what is stored of an edited one.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text, script string
		lines        []Line
		found        bool
	}{
		{"class X;\ndefaultproperties {A=1}", "class X;\n", []Line{{Key: "A", Value: "1"}}, true},
		{"class X;\ndefaultproperties{A=1\n B = 2\n}\n\n", "class X;\n", []Line{{Key: "A", Value: "1"}, {Key: "B", Value: "2"}}, true},
		{"defaultproperties{}", "", nil, true},
		{"class X;\ndefaultproperties\n{\nA=1\n", "class X;\ndefaultproperties\n{\nA=1\n", nil, false},
		{"}", "}", nil, false},
		{"\n}", "\n}", nil, false},
		{"", "", nil, false},
	} {
		script, lines, found := Split(c.text)
		if script != c.script || fmt.Sprint(lines) != fmt.Sprint(c.lines) || found != c.found || HasDefaults(c.text) != found {
			t.Errorf("%q: %q, %v, %v", c.text, script, lines, found)
		}
	}
	for _, c := range []struct{ script, stored, want string }{
		{"class X;", "\r\nclass X;\r\n ", "\r\nclass X;\r\n "},
		{"class Y;\n", "\r\nclass X;\r\n ", "\r\nclass Y;\r\n "},
		{"", "\r\n", "\r\n"},
		{"class X;", "\r\n", "class X;\r\n"},
		{"class X;\n", "", "class X;"},
		{"X X;", "X", "X X;"},
	} {
		if got := Restore(c.script, c.stored); got != c.want {
			t.Errorf("%q over %q is %q, want %q", c.script, c.stored, got, c.want)
		}
	}
}
