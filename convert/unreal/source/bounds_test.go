package source

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/unreal"
)

// defaultsOf returns what is said of a property P of a class that declares it.
func defaultsOf(t *testing.T, declare func(b builder, own unreal.Ref) unreal.Ref, p unreal.Property) (text string, unsaid []string) {
	t.Helper()
	b := build(t)
	mine := b.class("Mine", 0, func(own unreal.Ref) unreal.Ref { return declare(b, own) })
	c, err := pack.As[unreal.Class](b.File, int(mine-1))
	if err != nil {
		t.Fatal(err)
	}
	p.Name = b.AddName("P")
	c.Properties = []unreal.Property{p}
	lines, unsaid := Defaults(b.File, int(mine-1), c)
	return strings.TrimSpace(shown(lines)), unsaid
}

// TestOddDeclarations: what a declaration names is not of its kind, a name is none of the package, and many lists lie side by side.
func TestOddDeclarations(t *testing.T) {
	other := func(class string, dim int32, of func(b builder, own unreal.Ref) unreal.Ref) func(b builder, own unreal.Ref) unreal.Ref {
		return func(b builder, own unreal.Ref) unreal.Ref { return b.decl(class, "P", own, 0, dim, of(b, own)) }
	}
	enum := func(b builder, own unreal.Ref) unreal.Ref { return b.add("Enum", "E", own, &unreal.Enum{}) }
	structure := func(b builder, own unreal.Ref) unreal.Ref { return b.add("Struct", "S", own, &unreal.Struct{}) }
	plain := func(class string) func(b builder, own unreal.Ref) unreal.Ref {
		return func(b builder, own unreal.Ref) unreal.Ref { return b.decl(class, "P", own, 0, 1) }
	}
	const side = 300 // more than lists may lie in each other
	lists := func(b builder, own unreal.Ref) unreal.Ref {
		s := structure(b, own)
		x := &unreal.Struct{}
		list := b.add("ArrayProperty", "L", s, &unreal.PropertyDecl{ArrayDim: side, Refs: []unreal.Ref{0}})
		inner := b.decl("IntProperty", "I", list, 0, 1)
		b.put(list, &unreal.PropertyDecl{ArrayDim: side, Refs: []unreal.Ref{inner}})
		x.Children = list
		b.put(s, x)
		return b.decl("StructProperty", "P", own, 0, 1, s)
	}
	one := append([]byte{1, 7, 0, 0, 0}, make([]byte, side-1)...) // a list of 7, and empty ones
	for name, c := range map[string]struct {
		declare func(b builder, own unreal.Ref) unreal.Ref
		value   unreal.Property
		want    string // empty where it is not said
	}{
		"a byte of an enumeration of others": {other("ByteProperty", 1, func(b builder, _ unreal.Ref) unreal.Ref {
			return b.AddImport("Core", "Enum", b.AddClass("Elsewhere", "Base"), "E")
		}), property(unreal.ByteProperty, 1), "P=1 ?"},
		"a list of bytes": {func(b builder, own unreal.Ref) unreal.Ref {
			list := b.decl("ArrayProperty", "P", own, 0, 1)
			b.put(list, &unreal.PropertyDecl{ArrayDim: 1, Refs: []unreal.Ref{b.decl("ByteProperty", "I", list, 0, 1)}})
			return list
		}, unreal.Property{Type: unreal.ArrayProperty, Value: []byte{3, 1, 2, 3}}, "P=(1,2,3)"},
		"a byte of what is no enumeration":  {other("ByteProperty", 1, structure), property(unreal.ByteProperty, 1), "P=1"},
		"a byte beyond an enumeration":      {other("ByteProperty", 1, enum), property(unreal.ByteProperty, 1), "P=1"},
		"a struct of what is none":          {other("StructProperty", 1, enum), unreal.Property{Type: unreal.StructProperty, Value: []byte{}}, ""},
		"a name behind the table":           {plain("NameProperty"), property(unreal.NameProperty, 1<<20), ""},
		"a name before the table":           {plain("NameProperty"), property(unreal.NameProperty, -1), ""},
		"an object behind the table":        {plain("ObjectProperty"), property(unreal.ObjectProperty, 1<<20), ""},
		"many lists side by side":           {lists, unreal.Property{Type: unreal.StructProperty, Value: one}, "P=(L(0)=(7))"},
		"many lists, and a byte is missing": {lists, unreal.Property{Type: unreal.StructProperty, Value: one[:len(one)-1]}, ""},
		"many lists, and a byte is left":    {lists, unreal.Property{Type: unreal.StructProperty, Value: append(one[:len(one):len(one)], 0)}, ""},
	} {
		got, unsaid := defaultsOf(t, c.declare, c.value)
		if got != c.want || (len(unsaid) > 0) != (c.want == "") {
			t.Errorf("%s: %q, unsaid %v, want %q", name, got, unsaid, c.want)
		}
	}
}

// TestOffsets: offsets of byte code have four digits at least.
func TestOffsets(t *testing.T) {
	for n, want := range map[uint32]string{0: "0000", 0xA: "000A", 0x1234: "1234", 0xFEDC: "FEDC", 0x10000: "10000", 0xABCDEF01: "ABCDEF01"} {
		if got := string(appendHex([]byte("x"), n)); got != "x"+want {
			t.Errorf("%#x is %q", n, got)
		}
	}
}
