package unreal

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Fixups finds the absolute file positions that a payload holds (reference section 7). Movable is false where the
// object cannot be decoded, or where bytes that usher does not understand look as if they held a position in it.
func Fixups(b []byte, x *unreal.Context) (fixups []unreal.Fixup, movable bool) {
	r := objectReader(b, x, nil)
	o, err := object(r)
	if err != nil {
		return nil, false
	}
	return r.fixups, !holdsPosition(o.Base().Tail, x.Offset, x.Offset+int64(len(b)))
}

// holdsPosition tells whether any four bytes are a position between from and to.
func holdsPosition(b []byte, from, to int64) bool {
	for i := 0; i+4 <= len(b); i++ {
		if v := int64(binary.LittleEndian.Uint32(b[i:])); v > from && v <= to {
			return true
		}
	}
	return false
}

// Relocations prepares all exports of a package for being moved: it fills Fixups and Movable of those whose payloads
// are as stored.
func Relocations(p *unreal.Package, d *schema.Diagnostics) error {
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

// Replace sets the payload of export i. Positions in it may be relative to its old place, to the start of any other
// file, or to nothing: what counts is that they agree with each other.
func Replace(p *unreal.Package, i int, payload []byte, d *schema.Diagnostics) error {
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
