package source

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/unreal"
)

// thing opens testdata/thing.u: what the game's own compiler (version 436) made of a class of ours.
func thing(t testing.TB) *pack.File {
	t.Helper()
	b, err := os.ReadFile("testdata/thing.u")
	if err != nil {
		t.Fatal(err)
	}
	f, err := pack.Open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "Thing.u"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCompiled holds the defaults of a compiled class. They are what the game's exporter writes, but for what the engine's own
// packages declare, which are not at hand here: a byte has its number there, and a struct all members.
func TestCompiled(t *testing.T) {
	f := thing(t)
	r := f.FindExport("UsherThing", "Class")
	c, err := pack.As[unreal.Class](f, int(r-1))
	if err != nil {
		t.Fatal(err)
	}
	lines, unsaid := Defaults(f, int(r-1), c)
	const want = `Colour=CO_Blue
Parts(1)=(Count=3,At=(Y=2.500000),Tag=Door) ?
Offset=(X=1.000000,Z=-2.000000) ?
Words="one two"
Kind=Class'Engine.Light'
Numbers(0)=7
Numbers(3)=-1
Weight=0.333333
DrawType=0 ?
RotationRate=(Pitch=0,Yaw=5000,Roll=0) ?
`
	if got := shown(lines); got != want || unsaid != nil {
		t.Errorf("%s\n%v", got, unsaid)
	}
}

func shown(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Key + "=" + l.Value)
		if l.Guessed {
			b.WriteString(" ?")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// builder makes a package of classes that declare properties.
type builder struct {
	*pack.File
	t testing.TB
}

func build(t testing.TB) builder {
	f := pack.New(&unreal.Package{Version: 69}, &format.Env{Name: "Made.u"})
	f.AddName("None")
	return builder{f, t}
}

func (b builder) add(class, name string, outer unreal.Ref, o unreal.AnyObject) unreal.Ref {
	b.t.Helper()
	var c unreal.Ref
	if class != "" {
		c = b.AddClass("Core", class)
	}
	r := b.AddExport(c, outer, name, 0)
	b.put(r, o)
	return r
}

func (b builder) put(r unreal.Ref, o unreal.AnyObject) {
	b.t.Helper()
	if err := b.Put(r, o); err != nil {
		b.t.Fatal(err)
	}
}

func (b builder) decl(class, name string, outer, next unreal.Ref, dim int32, refs ...unreal.Ref) unreal.Ref {
	if refs == nil {
		refs = make([]unreal.Ref, unreal.PropertyRefs(class))
	}
	p := &unreal.PropertyDecl{ArrayDim: dim, Refs: refs}
	p.Next = next
	return b.add(class, name, outer, p)
}

func (b builder) class(name string, super unreal.Ref, children func(own unreal.Ref) unreal.Ref) unreal.Ref {
	r := b.add("", name, 0, &unreal.Class{})
	b.Exports[r-1].Super = super
	c := &unreal.Class{}
	c.Super = super
	if children != nil {
		c.Children = children(r)
	}
	b.put(r, c)
	return r
}

// kinds are all kinds of properties: how one is declared, a value, its text and that of nothing.
type kind struct {
	name    string
	declare func(b builder, own unreal.Ref, dim int32) unreal.Ref
	value   func(b builder) unreal.Property
	zero    unreal.Property
	text    string // where it is declared
	guessed string // where it is not; empty is the same
}

func property(t unreal.PropertyType, n int32) unreal.Property {
	return unreal.Property{Type: t, Number: n}
}

func floats(list ...float32) (b []byte) {
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func simple(class string) func(b builder, own unreal.Ref, dim int32) unreal.Ref {
	return func(b builder, own unreal.Ref, dim int32) unreal.Ref { return b.decl(class, "P", own, 0, dim) }
}

func kinds() []kind {
	fixed := func(p unreal.Property) func(builder) unreal.Property {
		return func(builder) unreal.Property { return p }
	}
	structOf := func(name string, members func(b builder, s unreal.Ref) unreal.Ref) func(b builder, own unreal.Ref, dim int32) unreal.Ref {
		return func(b builder, own unreal.Ref, dim int32) unreal.Ref {
			s := b.add("Struct", name, own, &unreal.Struct{})
			x := &unreal.Struct{}
			x.Children = members(b, s)
			b.put(s, x)
			return b.decl("StructProperty", "P", own, 0, dim, s)
		}
	}
	vector := func(b builder, s unreal.Ref) unreal.Ref {
		return b.decl("FloatProperty", "X", s, b.decl("FloatProperty", "Y", s, b.decl("FloatProperty", "Z", s, 0, 1), 1), 1)
	}
	inStruct := func(name string, value []byte) func(b builder) unreal.Property {
		return func(b builder) unreal.Property {
			return unreal.Property{Type: unreal.StructProperty, Struct: b.AddName(name), Value: value}
		}
	}
	return []kind{
		{"byte", simple("ByteProperty"), fixed(property(unreal.ByteProperty, 200)), property(unreal.ByteProperty, 0), "200", ""},
		{"enum", func(b builder, own unreal.Ref, dim int32) unreal.Ref {
			e := b.add("Enum", "EKind", own, &unreal.Enum{Names: []unreal.NameIndex{b.AddName("K_One"), b.AddName("K_Two")}})
			return b.decl("ByteProperty", "P", own, 0, dim, e)
		}, fixed(property(unreal.ByteProperty, 1)), property(unreal.ByteProperty, 0), "K_Two", "1"},
		{"byte beyond its enum", func(b builder, own unreal.Ref, dim int32) unreal.Ref {
			e := b.add("Enum", "EKind", own, &unreal.Enum{Names: []unreal.NameIndex{b.AddName("K_One")}})
			return b.decl("ByteProperty", "P", own, 0, dim, e)
		}, fixed(property(unreal.ByteProperty, 1)), property(unreal.ByteProperty, 0), "1", ""},
		{"int", simple("IntProperty"), fixed(property(unreal.IntProperty, -7)), property(unreal.IntProperty, 0), "-7", ""},
		{"bool", simple("BoolProperty"), fixed(property(unreal.BoolProperty, 1)), property(unreal.BoolProperty, 0), "True", ""},
		{"float", simple("FloatProperty"), fixed(property(unreal.FloatProperty, int32(math.Float32bits(0.1)))), property(unreal.FloatProperty, math.MinInt32), "0.100000", ""}, // −0
		{"name", simple("NameProperty"), func(b builder) unreal.Property {
			return property(unreal.NameProperty, int32(b.AddName("Door")))
		}, property(unreal.NameProperty, 0), "Door", ""},
		{"object", simple("ObjectProperty"), func(b builder) unreal.Property {
			group := b.AddImport("Core", "Package", b.AddImport("Core", "Package", 0, "Skins"), "Wood")
			return property(unreal.ObjectProperty, int32(b.AddImport("Engine", "Texture", group, "Plank")))
		}, property(unreal.ObjectProperty, 0), "Texture'Skins.Wood.Plank'", ""},
		{"own object", simple("ObjectProperty"), func(b builder) unreal.Property {
			return property(unreal.ObjectProperty, int32(b.FindExport("Base", "Class")))
		}, property(unreal.ObjectProperty, 0), "Class'Made.Base'", ""},
		{"string", simple("StrProperty"), fixed(unreal.Property{Type: unreal.StrProperty, Value: []byte("\x05a \xe4b\x00")}), unreal.Property{Type: unreal.StrProperty, Value: []byte{0}}, `"a äb"`, ""},
		{"wide string", simple("StrProperty"), fixed(unreal.Property{Type: unreal.StrProperty, Value: []byte{0x82, 0x16, 0x04, 0, 0}}), unreal.Property{Type: unreal.StrProperty, Value: []byte{0}}, `"Ж"`, ""},
		{"old string", simple("StringProperty"), fixed(unreal.Property{Type: unreal.StringProperty, Value: []byte("old\x00")}), unreal.Property{Type: unreal.StringProperty, Value: []byte{0}}, `"old"`, ""},
		{"vector", structOf("Vector", vector), inStruct("Vector", floats(1, 0, -2.5)), unreal.Property{Type: unreal.StructProperty, Value: floats(0, 0, 0)},
			"(X=1.000000,Z=-2.500000)", "(X=1.000000,Y=0.000000,Z=-2.500000)"},
		{"struct in a struct", structOf("Pair", func(b builder, s unreal.Ref) unreal.Ref {
			v := b.add("Struct", "Vector", s, &unreal.Struct{})
			x := &unreal.Struct{}
			x.Children = vector(b, v)
			b.put(v, x)
			return b.decl("StructProperty", "A", s, b.decl("IntProperty", "B", s, b.decl("BoolProperty", "C", s, 0, 1), 2), 1, v)
		}), inStruct("Pair", append(floats(0, 3, 0), 0, 0, 0, 0, 5, 0, 0, 0, 1)), unreal.Property{Type: unreal.StructProperty, Value: make([]byte, 21)},
			"(A=(Y=3.000000),B(1)=5,C=True)", "-"},
		{"array", func(b builder, own unreal.Ref, dim int32) unreal.Ref {
			p := b.decl("ArrayProperty", "P", own, 0, dim, 0)
			inner := b.decl("IntProperty", "P", p, 0, 1)
			b.put(p, &unreal.PropertyDecl{ArrayDim: dim, Refs: []unreal.Ref{inner}})
			return p
		}, fixed(unreal.Property{Type: unreal.ArrayProperty, Value: []byte{2, 4, 0, 0, 0, 5, 0, 0, 0}}), unreal.Property{Type: unreal.ArrayProperty, Value: []byte{0}}, "(4,5)", "-"},
	}
}

// TestEveryKind tries each kind of property in each place: declared by the class itself, by the one above, twice, by nobody; as
// an element; with the value of the class above or another; with nothing.
func TestEveryKind(t *testing.T) {
	cases := 0
	for _, k := range kinds() {
		for _, dim := range []int32{1, 3} {
			if k.name == "bool" && dim > 1 { // there are no arrays of them
				continue
			}
			for _, place := range []string{"own", "above", "same above", "zero", "zero of another above", "declared again", "nobody", "gone above"} {
				t.Run(fmt.Sprint(k.name, " ", dim, " ", place), func(t *testing.T) {
					got, unsaid := k.lines(t, dim, place)
					want := k.want(dim, place)
					left := want == "" && (place == "nobody" || place == "gone above")
					if got != want || (unsaid != nil) != left {
						t.Errorf("got %q, unsaid %v, want %q", got, unsaid, want)
					}
				})
				cases++
			}
		}
	}
	t.Log(cases, "cases")
}

// lines makes a package in which class Mine stores the property in a place, and returns its defaults.
func (k *kind) lines(t *testing.T, dim int32, place string) (string, []string) {
	b := build(t)
	declare := func(own unreal.Ref) unreal.Ref { return k.declare(b, own, dim) }
	index := dim - 1
	named := func(p unreal.Property) unreal.Property {
		p.Name, p.Index = b.AddName("P"), index
		if p.Type == unreal.StructProperty {
			p.Struct = k.value(b).Struct
		}
		return p
	}
	var base unreal.Ref
	if place == "own" || place == "nobody" || place == "zero" {
		base = b.class("Base", 0, nil)
	} else {
		base = b.class("Base", 0, declare)
	}
	mine := b.class("Mine", base, nil)
	if place == "own" || place == "zero" || place == "declared again" {
		mine = b.class("Mine2", base, declare)
	}
	set := func(r unreal.Ref, p unreal.Property) {
		c, err := pack.As[unreal.Class](b.File, int(r-1))
		if err != nil {
			t.Fatal(err)
		}
		if c.Properties = []unreal.Property{named(p)}; place == "gone above" && r == mine {
			c.Super = b.AddClass("Elsewhere", "Base")
		}
		b.put(r, c)
	}
	value := k.value(b)
	switch place {
	case "same above", "zero of another above", "declared again":
		set(base, value)
	}
	if strings.HasPrefix(place, "zero") {
		value = k.zero
	}
	set(mine, value)
	c, err := pack.As[unreal.Class](b.File, int(mine-1))
	if err != nil {
		t.Fatal(err)
	}
	lines, unsaid := Defaults(b.File, int(mine-1), c)
	return strings.TrimSpace(shown(lines)), unsaid
}

func (k *kind) want(dim int32, place string) string {
	key := "P="
	if dim > 1 {
		key = "P(2)="
	}
	switch place {
	case "zero", "same above":
		return ""
	case "nobody", "gone above":
		text := k.guessed
		if text == "" {
			text = k.text
		}
		if text == "-" {
			return ""
		}
		return key + text + " ?"
	case "zero of another above":
		return key + zeros[k.name]
	}
	return key + k.text
}

// zeros are the texts of nothing, where the class above has something.
var zeros = map[string]string{"byte": "0", "enum": "K_One", "byte beyond its enum": "K_One", "int": "0", "bool": "False", "float": "-0.000000", "name": "None",
	"object": "None", "own object": "None", "string": `""`, "wide string": `""`, "old string": `""`, "vector": "(X=0.000000,Z=0.000000)",
	"struct in a struct": "(A=(Y=0.000000),B(1)=0,C=False)", "array": "()"}

// TestText holds what becomes of a source that somebody edited.
func TestText(t *testing.T) {
	has := []Line{{"A", "1", false}, {"B", "2", true}, {"C(1)", `"}"`, false}}
	const stored = "\r\n class X;\r\n// defaultproperties {\r\n "
	whole := Join(stored, has)
	if want := "class X;\r\n// defaultproperties {\r\n\r\ndefaultproperties\r\n{\r\n     A=1\r\n     B=2\r\n     C(1)=\"}\"\r\n}\r\n"; whole != want {
		t.Errorf("%q", whole)
	}
	for _, c := range []struct{ name, text, script, edited string }{
		{"as it was", whole, stored, ""},
		{"line ends of another system", strings.ReplaceAll(whole, "\r\n", "\n"), "\r\n class X;\n// defaultproperties {\r\n ", ""},
		{"script edited", strings.Replace(whole, "X;", "Y;", 1), "\r\n class Y;\r\n// defaultproperties {\r\n ", ""},
		{"a value edited", strings.Replace(whole, "A=1", "A=3", 1), stored, "A"},
		{"a guessed value edited", strings.Replace(whole, "B=2", "B=CO_Two", 1), stored, ""},
		{"a value gone", strings.Replace(whole, "     A=1\r\n", "", 1), stored, "A"},
		{"a value new", strings.Replace(whole, "     A=1", "     D=1\r\n A=1", 1), stored, "D"},
		{"in other words", strings.NewReplacer("defaultproperties\r\n{", "DefaultProperties {", "A=1", "a = 1").Replace(whole), stored, ""},
		{"no defaults", "class X;", "\r\n class X;\r\n ", "-"},
		{"the word without a block", "class X;\r\ndefaultproperties\r\nfoo()\r\n{\r\n}", "\r\n class X;\r\ndefaultproperties\r\nfoo()\r\n{\r\n}\r\n ", "-"},
		{"nothing", "", "\r\n \r\n ", "-"},
	} {
		script, lines, found := Split(c.text)
		edited := strings.Join(Edited(lines, has), " ")
		if !found {
			edited = "-"
		}
		if got := Restore(script, stored); got != c.script || edited != c.edited {
			t.Errorf("%s: %q, edited %q", c.name, got, edited)
		}
	}
	if got := Restore("class Z;", ""); got != "class Z;" {
		t.Errorf("of nothing: %q", got)
	}
	if got := Some(slices.Repeat([]string{"a"}, 7)); got != "a, a, a, a, a and 2 more" {
		t.Error(got)
	}
	if got := Some(slices.Repeat([]string{"a"}, 5)); got != "a, a, a, a, a" {
		t.Error(got)
	}
}

// TestHostile: structs that hold each other, or nothing, and values that are cut short are told and end.
func TestHostile(t *testing.T) {
	b := build(t)
	var s, again unreal.Ref
	mine := b.class("Mine", 0, func(own unreal.Ref) unreal.Ref {
		s = b.add("Struct", "S", own, &unreal.Struct{})
		again = b.decl("StructProperty", "Again", s, 0, 1000, s)
		x := &unreal.Struct{}
		x.Children = again
		b.put(s, x)
		return b.decl("StructProperty", "P", own, b.decl("StructProperty", "Q", own, b.decl("StructProperty", "R", own, 0, 1), 1<<30, s), 1, s)
	})
	c, _ := pack.As[unreal.Class](b.File, int(mine-1))
	for _, name := range []string{"P", "Q", "R", "S"} {
		for _, value := range [][]byte{{}, {1}, make([]byte, 100)} {
			for _, kind := range []unreal.PropertyType{unreal.ByteProperty, unreal.IntProperty, unreal.FloatProperty, unreal.ObjectProperty, unreal.NameProperty,
				unreal.StrProperty, unreal.ArrayProperty, unreal.StructProperty, unreal.VectorProperty, unreal.MapProperty, unreal.FixedArrayProperty} {
				c.Properties = append(c.Properties, unreal.Property{Name: b.AddName(name), Type: kind, Value: value, Number: 1 << 30})
			}
		}
		for _, kind := range []unreal.PropertyType{unreal.ObjectProperty, unreal.NameProperty} {
			c.Properties = append(c.Properties, unreal.Property{Name: b.AddName(name), Type: kind, Number: -1 << 30})
		}
	}
	lines, unsaid := Defaults(b.File, int(mine-1), c)
	if len(lines)+len(unsaid) != len(c.Properties) {
		t.Errorf("%d lines and %d unsaid of %d", len(lines), len(unsaid), len(c.Properties))
	}
	if len(lines) > 8 { // empty strings of each
		t.Errorf("%s", shown(lines))
	}
}

// TestEmptyStructs: structs without members take no bytes, so that nothing but a bound ends arrays of arrays of them.
func TestEmptyStructs(t *testing.T) {
	b := build(t)
	mine := b.class("Mine", 0, func(own unreal.Ref) unreal.Ref {
		inner := b.add("Struct", "S0", own, &unreal.Struct{})
		for _, name := range []string{"S1", "S2", "S3", "S4"} {
			s := b.add("Struct", name, own, &unreal.Struct{})
			x := &unreal.Struct{}
			x.Children = b.decl("StructProperty", "All", s, 0, 4000, inner)
			b.put(s, x)
			inner = s
		}
		return b.decl("StructProperty", "P", own, 0, 1, inner)
	})
	c, err := pack.As[unreal.Class](b.File, int(mine-1))
	if err != nil {
		t.Fatal(err)
	}
	c.Properties = []unreal.Property{{Name: b.AddName("P"), Type: unreal.StructProperty, Value: []byte{}}}
	if lines, unsaid := Defaults(b.File, int(mine-1), c); lines != nil || len(unsaid) != 1 {
		t.Errorf("%s and %v", shown(lines), unsaid)
	}
}
