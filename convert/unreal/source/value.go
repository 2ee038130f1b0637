package source

import (
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/t3d"
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// value is a decoded value of a property: a text, or the members of a struct or of a list.
type value struct {
	text    string
	same    string // two values are the same where this is
	zero    bool
	members []member // of a struct
	list    []value  // of a dynamic array
	kind    valueKind
}

type valueKind uint8

const (
	single valueKind = iota
	structure
	array
)

type member struct {
	name string
	value
}

// number is a value whose text says all of it.
func number(n int64) value {
	text := strconv.FormatInt(n, 10)
	return value{text: text, same: text, zero: n == 0}
}

func floating(x float32) value {
	return value{text: t3d.Decimal(x), same: strconv.FormatFloat(float64(x), 'g', -1, 32), zero: x == 0}
}

func word(text, none string) value {
	return value{text: text, same: strings.ToLower(text), zero: strings.EqualFold(text, none)}
}

func boolean(on bool) value {
	if on {
		return value{text: "True", same: "1"}
	}
	return value{text: "False", same: "0", zero: true}
}

func quoted(text string) value { return value{text: `"` + text + `"`, same: text, zero: text == ""} }

// equal reports whether two values are the same. The other may be nil, which stands for nothing at all.
func (v *value) equal(o *value) bool {
	if o == nil {
		return v.empty()
	}
	if v.zero && o.zero {
		return true
	}
	if v.same != o.same || len(v.members) != len(o.members) || len(v.list) != len(o.list) {
		return false
	}
	for i := range v.members {
		if !v.members[i].equal(&o.members[i].value) {
			return false
		}
	}
	for i := range v.list {
		if !v.list[i].equal(&o.list[i]) {
			return false
		}
	}
	return true
}

func (v *value) empty() bool {
	for i := range v.members {
		if !v.members[i].empty() {
			return false
		}
	}
	return len(v.list) == 0 && (v.zero || v.kind != single)
}

// against returns the text of a value. Members of a struct that are the same in the value that it stands in place of are
// left out, as the engine does.
func (v *value) against(was *value) string {
	return v.write(func(i int) (*value, bool) {
		m := &v.members[i]
		if was == nil || len(was.members) != len(v.members) {
			return nil, !m.equal(nil)
		}
		old := &was.members[i].value
		return old, !m.equal(old)
	}, (*value).against)
}

// whole returns the text of a value with all members.
func (v *value) whole() string {
	return v.write(func(int) (*value, bool) { return nil, true }, func(v, _ *value) string { return v.whole() })
}

// write returns the text of a value. Of a struct it has the members for which shown is true, each written with write and the
// value that shown returns.
func (v *value) write(shown func(i int) (*value, bool), write func(v, was *value) string) string {
	if v.kind == single {
		return v.text
	}
	var parts []string
	for i := range v.list {
		parts = append(parts, write(&v.list[i], nil))
	}
	for i := range v.members {
		if was, ok := shown(i); ok {
			parts = append(parts, v.members[i].name+"="+write(&v.members[i].value, was))
		}
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// decoder reads the values of properties by what was declared of them.
type decoder struct {
	owner *pack.File // of the bytes
	*read.Cursor
	guessed bool // something that was declared is not at hand
	unknown bool // the value cannot be told at all
	depth   int
	left    *int // values of structs and arrays that the class may still have
}

// fail says that a value cannot be told.
func (d *decoder) fail() value {
	d.unknown = true
	return value{}
}

// packed reads one value as it lies in a struct or an array.
func (d *decoder) packed(decl pack.Declared) value {
	p := decl.Property()
	if p == nil {
		return d.fail()
	}
	switch p.Class {
	case "ByteProperty":
		return d.byte(decl, int32(d.U8("value")))
	case "IntProperty":
		return number(int64(d.I32("value")))
	case "BoolProperty":
		return boolean(d.U8("value") != 0)
	case "FloatProperty":
		return floating(d.F32("value"))
	case "ObjectProperty", "ClassProperty":
		v, _, _ := d.Compact("value")
		return d.object(unreal.Ref(v))
	case "NameProperty":
		v, _, _ := d.Compact("value")
		return d.name(v)
	case "StrProperty":
		return quoted(d.str())
	case "StructProperty":
		return d.structOf(decl)
	case "ArrayProperty":
		return d.arrayOf(decl)
	}
	return d.fail()
}

// str reads a string (reference section 6).
func (d *decoder) str() string {
	n, _, _ := d.Compact("length")
	if n >= 0 {
		return strings.TrimSuffix(schema.DecodeWindows1252(d.Bytes(int(n), "text")), "\x00")
	}
	text, _ := unreal.WideText(d.Bytes(-2*int(n), "text"))
	return strings.TrimSuffix(text, "\x00")
}

func (d *decoder) name(n int32) value {
	if n < 0 || int(n) >= len(d.owner.Names) {
		return d.fail()
	}
	return word(d.owner.Name(unreal.NameIndex(n)), "None")
}

func (d *decoder) object(r unreal.Ref) value {
	switch {
	case !d.owner.Valid(r):
		return d.fail()
	case r == 0:
		return word("None", "None")
	}
	return word(d.owner.ClassName(r)+"'"+d.owner.FullPath(r)+"'", "None")
}

// byte returns the word of an enumeration, where a byte is one that is at hand.
func (d *decoder) byte(decl pack.Declared, n int32) value {
	v := number(int64(n))
	p := decl.Property()
	if p == nil || len(p.Refs) == 0 || p.Refs[0] == 0 {
		return v
	}
	owner, at := decl.Owner.Resolve(p.Refs[0])
	if owner == nil {
		d.guessed = true
		return v
	}
	if e, err := pack.As[unreal.Enum](owner, at); err == nil && e != nil && n >= 0 && int(n) < len(e.Names) {
		v.text = owner.Name(e.Names[n])
	}
	return v
}

// maxValues bounds the values in the structs and arrays of a class: structs without members have no bytes that would.
const maxValues = 1 << 18

// structOf reads a struct by its declaration: its own members, then those of the structs that it extends.
func (d *decoder) structOf(decl pack.Declared) value {
	p := decl.Property()
	if d.depth >= schema.DefaultLimits.Depth {
		return d.fail()
	}
	owner, at := decl.Owner.Resolve(p.Refs[0])
	if owner == nil {
		return d.known(decl.Owner.ObjectName(p.Refs[0]))
	}
	d.depth++
	defer func() { d.depth-- }()
	v := value{kind: structure}
	for range schema.DefaultLimits.Depth {
		list, super, ok := owner.Members(at)
		if !ok {
			return d.fail()
		}
		for _, m := range list {
			if d.member(&v, m); d.unknown || d.Err() != nil {
				return d.fail()
			}
		}
		if super == 0 {
			return v
		}
		if owner, at = owner.Resolve(super); owner == nil {
			return d.fail()
		}
	}
	return d.fail()
}

func (d *decoder) member(v *value, m pack.Declared) {
	n := max(int(m.Property().ArrayDim), 1)
	if *d.left -= n; *d.left < 0 {
		d.fail()
		return
	}
	for i := range n {
		if d.unknown || d.Err() != nil {
			return
		}
		name := m.Name()
		if n > 1 {
			name += "(" + strconv.Itoa(i) + ")"
		}
		v.members = append(v.members, member{name, d.packed(m)})
	}
}

// known reads a struct whose declaration is not at hand, but which is one of the engine's own.
func (d *decoder) known(name string) value {
	d.guessed = true
	fields := pack.Structs[name]
	if fields == nil || name == "Scale" { // its first member is a struct in turn
		return d.fail()
	}
	v := value{kind: structure}
	for _, f := range fields {
		m := member{name: f.Name}
		switch f.Kind {
		case 'f':
			m.value = floating(d.F32(f.Name))
		case 'i':
			m.value = number(int64(d.I32(f.Name)))
		case 'b':
			m.value = number(int64(d.U8(f.Name)))
		}
		v.members = append(v.members, m)
	}
	return v
}

// arrayOf reads a dynamic array.
func (d *decoder) arrayOf(decl pack.Declared) value {
	p := decl.Property()
	if d.depth >= schema.DefaultLimits.Depth {
		return d.fail()
	}
	inner, _ := decl.Owner.DeclaredAt(p.Refs[0])
	d.depth++
	defer func() { d.depth-- }()
	n, _, _ := d.Compact("count")
	v := value{kind: array}
	count := d.Count(uint64(max(n, 0)), 1, "count")
	if *d.left -= count; *d.left < 0 {
		return d.fail()
	}
	for range count {
		v.list = append(v.list, d.packed(inner))
		if d.unknown || d.Err() != nil {
			return d.fail()
		}
	}
	return v
}
