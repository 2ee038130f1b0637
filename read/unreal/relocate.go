package unreal

import (
	"encoding/binary"
	"iter"
	"strings"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Fixups finds the absolute file positions in a payload (reference section 7). movable is false if there may be others: if
// the object cannot be decoded, or undecoded bytes look like positions inside it.
func Fixups(b []byte, x *unreal.Context) (fixups []unreal.Fixup, movable bool) {
	r := objectReader(b, x, nil)
	o, err := object(r)
	if err != nil {
		return nil, false
	}
	if o.Base().Opaque { // a script holds no position; of what a dialect has nobody knows
		return nil, !x.Package.Dialect()
	}
	return r.fixups, !holdsPosition(o.Base().Tail, x.Offset, x.Offset+int64(len(b)))
}

// holdsPosition reports whether any four bytes are a position between from and to.
func holdsPosition(b []byte, from, to int64) bool {
	for i := 0; i+4 <= len(b); i++ {
		if v := int64(binary.LittleEndian.Uint32(b[i:])); v > from && v <= to {
			return true
		}
	}
	return false
}

// References returns all references in a payload, with repetitions. The second result is the undecoded bytes that may
// contain more references.
func References(b []byte, x *unreal.Context) (refs []unreal.Ref, unknown [][]byte) {
	refs, _, unknown = numbers(b, x)
	return refs, unknown
}

// Names is like [References], for names: those that a payload holds, and the bytes that may hold more.
func Names(b []byte, x *unreal.Context) (names []unreal.NameIndex, unknown [][]byte) {
	_, names, unknown = numbers(b, x)
	return names, unknown
}

// numbers returns all references and names in a payload, and the undecoded bytes that may contain more.
func numbers(b []byte, x *unreal.Context) (refs []unreal.Ref, names []unreal.NameIndex, unknown [][]byte) {
	r := objectReader(b, x, nil)
	r.found, r.named = &refs, &names
	o, err := object(r)
	if err != nil {
		return nil, nil, [][]byte{b}
	}
	base := o.Base()
	if base.Opaque {
		return nil, nil, [][]byte{b}
	}
	for i := range base.Properties {
		p := &base.Properties[i]
		switch found, known := propertyReferences(p, x); {
		case p.Type == unreal.NameProperty:
			names = append(names, unreal.NameIndex(p.Number))
		case known:
			refs = append(refs, found...)
		default:
			unknown = append(unknown, p.Value)
		}
	}
	if len(base.Tail) > 0 {
		unknown = append(unknown, base.Tail)
	}
	return refs, names, unknown
}

// plainStructs are the structs that hold no references (reference section 8.2).
var plainStructs = map[string]bool{"vector": true, "rotator": true, "color": true, "scale": true, "adrop": true, "coords": true, "plane": true}

// propertyReferences returns what a property refers to; false where its value cannot be told.
func propertyReferences(p *unreal.Property, x *unreal.Context) (refs []unreal.Ref, known bool) {
	switch p.Type {
	case unreal.ObjectProperty, unreal.ClassProperty:
		return []unreal.Ref{unreal.Ref(p.Number)}, true
	case unreal.StructProperty:
		name := strings.ToLower(x.Package.Name(p.Struct))
		if name == "pointregion" {
			v, err := PointRegion(p.Value, x.Package)
			return []unreal.Ref{v.Zone}, err == nil
		}
		return nil, plainStructs[name]
	case unreal.ArrayProperty, unreal.MapProperty, unreal.FixedArrayProperty:
		return nil, false
	}
	return nil, true
}

// MayRefer reports whether undecoded bytes may contain the reference; or the name of that number.
func MayRefer(b []byte, ref unreal.Ref) bool {
	for r := range PossibleReferences(b) {
		if r == ref {
			return true
		}
	}
	return false
}

// PossibleReferences yields all references that undecoded bytes may contain: what each of them begins, read as one.
func PossibleReferences(b []byte) iter.Seq[unreal.Ref] {
	return func(yield func(unreal.Ref) bool) {
		for i := range b {
			c := read.NewCursor(unreal.Format, b[i:], nil)
			if v, _, _ := c.Compact("reference"); c.Err() == nil && !yield(unreal.Ref(v)) {
				return
			}
		}
	}
}

// Relocations prepares all exports of a package for being moved: it sets Fixups and Movable of every export whose payload
// is unchanged.
func Relocations(p *unreal.Package, d *schema.Diagnostics) error {
	if p == nil {
		return schema.Errorf(unreal.Format, schema.ErrValue, "", "there is no package")
	}
	for i := range p.Exports {
		e := &p.Exports[i]
		if e.Data != nil || e.Movable || e.Size == 0 {
			continue
		}
		b, err := p.Payload(i)
		if err != nil {
			return err
		}
		x := p.Context(i)
		e.Fixups, e.Movable = Fixups(b, x)
		if !e.Movable {
			d.Notef("immovable-object", x.Path, "%s may hold file positions that usher does not know; it stays where it is", p.ClassName(unreal.Ref(i+1)))
		}
	}
	return nil
}

// Replace sets the payload of export i. File positions in the payload may be relative to its old place, to the start of
// another file, or to 0, as long as they are consistent with each other.
func Replace(p *unreal.Package, i int, payload []byte, d *schema.Diagnostics) error {
	if p == nil || i < 0 || i >= len(p.Exports) {
		return schema.Errorf(unreal.Format, schema.ErrRange, "export", "there is no number %d", i)
	}
	x := p.Context(i)
	fixups, movable := Fixups(payload, x)
	if !movable {
		x.Offset = -1
		if other, ok := Fixups(payload, x); ok {
			fixups, movable = other, true
		}
	}
	if !movable && unreal.Classes[x.Class] != unreal.UnknownKind {
		x.Offset = 0
		_, err := Object(payload, x, d)
		if err == nil {
			err = schema.Errorf(unreal.Format, schema.ErrValue, "", "the payload ends in bytes that usher does not know")
		}
		return schema.In(x.Path, err)
	}
	if !movable {
		d.Warnf("unknown-payload", x.Path, "the new payload of class %s may hold file positions that usher does not know; they are kept as they are", x.Class)
	}
	e := &p.Exports[i]
	e.Data, e.Fixups, e.Movable = payload, fixups, movable
	return nil
}
