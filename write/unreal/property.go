package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/write"
)

// properties appends a property list with its "None".
func (w *writer) properties(o *unreal.Object) {
	for i := range o.Properties {
		w.property(&o.Properties[i])
	}
	if o.End != 0 && !w.Package.IsNone(o.End) {
		w.Failf(schema.ErrMismatch, "End", "the name %d is %q, and None ends the properties", o.End, w.Package.Name(o.End))
	}
	if w.Package.IsNone(o.End) {
		w.Name(o.End)
		return
	}
	none, ok := w.Package.FindName("None")
	if !ok {
		w.Failf(schema.ErrMismatch, "properties", "the name table lacks %q", "None")
	}
	w.Name(none)
}

func (w *writer) property(p *unreal.Property) {
	if p.Type > 0xF {
		w.Failf(schema.ErrRange, "property type", "%d does not fit into 4 bits", p.Type)
	}
	w.checkNumber(p)
	size := valueSize(p)
	code := w.sizeCode(p, size)
	info := uint8(p.Type) | code<<4
	array := p.Type != unreal.BoolProperty && (p.Array || p.Index != 0)
	if array || p.Type == unreal.BoolProperty && p.Number != 0 {
		info |= 0x80
	}
	w.Name(p.Name)
	w.U8(info)
	if p.Type == unreal.StructProperty {
		w.Name(p.Struct)
	}
	switch code {
	case 5:
		w.U8(uint8(size))
	case 6:
		w.U16(uint16(size))
	case 7:
		w.U32(uint32(size))
	}
	if array {
		w.arrayIndex(p)
	}
	switch {
	case p.Value != nil:
		w.Bytes(p.Value)
	case p.Type == unreal.ByteProperty:
		w.U8(uint8(p.Number))
	case p.Type == unreal.IntProperty, p.Type == unreal.FloatProperty:
		w.I32(p.Number)
	case isReference(p.Type):
		w.Compact(p.Number)
	}
}

// checkNumber refuses what a property of its type has no place for, and a number that its value is not.
func (w *writer) checkNumber(p *unreal.Property) {
	if p.Type != unreal.StructProperty && p.Struct != 0 {
		w.NoPlace("Struct", "a property that is no struct")
	}
	switch {
	case p.Type == unreal.BoolProperty:
		if p.Array || p.Index != 0 || p.Number&^1 != 0 {
			w.NoPlace("Index", "a bool, which is 0 or 1 and in no array,")
		}
	case p.Value != nil && isReference(p.Type):
		if v, ok := compactValue(p.Value); v != p.Number || !ok && p.Number != 0 {
			w.Failf(schema.ErrMismatch, "Number", "%d, and Value is %d", p.Number, v)
		}
	case p.Type == unreal.ByteProperty && p.Value == nil:
		if p.Number&^0xFF != 0 {
			w.Failf(schema.ErrRange, "Number", "%d is no byte", p.Number)
		}
	case p.Number != 0 && (p.Value != nil || p.Type != unreal.IntProperty && p.Type != unreal.FloatProperty && !isReference(p.Type)):
		w.NoPlace("Number", "a property with a Value, or of a type that has one,")
	}
}

// compactValue returns the number that b is as a compact index of any width.
func compactValue(b []byte) (v int32, ok bool) {
	if len(b) == 0 || len(b) > 5 || b[0]&0x40 == 0 != (len(b) == 1) {
		return 0, false
	}
	v = int32(b[0] & 0x3F)
	for i, x := range b[1:] {
		if last := i+2 == len(b); x&0x80 != 0 == last && i < 3 {
			return 0, false
		}
		v |= int32(x&0x7F) << (6 + 7*i)
	}
	if b[0]&0x80 != 0 {
		v = -v
	}
	return v, true
}

func isReference(t unreal.PropertyType) bool {
	return t == unreal.ObjectProperty || t == unreal.ClassProperty || t == unreal.NameProperty
}

// valueSize returns the bytes of the value.
func valueSize(p *unreal.Property) int {
	switch {
	case p.Value != nil:
		return len(p.Value)
	case p.Type == unreal.ByteProperty:
		return 1
	case p.Type == unreal.IntProperty, p.Type == unreal.FloatProperty:
		return 4
	case isReference(p.Type):
		return write.CompactSize(p.Number)
	}
	return 0
}

// sizeCode returns the stored size code where it fits the size, else the shortest one.
func (w *writer) sizeCode(p *unreal.Property, size int) uint8 {
	if p.Narrow {
		if p.Type != unreal.IntProperty && p.Type != unreal.FloatProperty || p.Value != nil || p.SizeCode > 1 {
			w.NoPlace("Narrow", "anything but an Int or a Float with a Number and a SizeCode of 0 or 1")
		}
		return p.SizeCode & 1
	}
	limits := [3]int{1 << 8, 1 << 16, 1 << 32}
	if c := p.SizeCode; c < 5 && unreal.FixedSizes[c] == size || c >= 5 && c <= 7 && size < limits[c-5] {
		return c
	}
	for c, fixed := range unreal.FixedSizes {
		if size == fixed {
			return uint8(c)
		}
	}
	switch {
	case size < 1<<8:
		return 5
	case size < 1<<16:
		return 6
	}
	return 7
}

// arrayIndex appends the array index in its stored width where it fits, else in the shortest.
func (w *writer) arrayIndex(p *unreal.Property) {
	i := p.Index
	switch {
	case i < 0 || i >= 1<<30:
		w.Failf(schema.ErrRange, "array index", "%d does not fit into 30 bits", i)
	case i < 0x80 && p.IndexWidth <= 1:
		w.U8(uint8(i))
	case i < 0x4000 && p.IndexWidth <= 2:
		w.Bytes([]byte{byte(i>>8) | 0x80, byte(i)})
	default:
		w.Bytes([]byte{byte(i>>24) | 0xC0, byte(i >> 16), byte(i >> 8), byte(i)})
	}
}

// PointRegion returns the value of a PointRegion property.
func PointRegion(v unreal.PointRegion, p *unreal.Package) ([]byte, error) {
	w := newWriter(&unreal.Context{Package: p}, 10)
	w.Ref(v.Zone)
	w.I32(v.Leaf)
	w.U8(v.ZoneNumber)
	return w.Finish()
}

// StrValue returns the value of a Str property.
func StrValue(s unreal.Str, p *unreal.Package) ([]byte, error) {
	w := newWriter(&unreal.Context{Package: p}, len(s.Text)+8)
	w.Str(s, "value")
	return w.Finish()
}
