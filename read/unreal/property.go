package unreal

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// properties reads a list of tagged properties up to and including "None" (reference section 8.2). The list is run
// through twice, so that it is allocated once.
func (r *reader) properties() ([]unreal.Property, unreal.NameIndex) {
	r.Enter("properties", -1)
	defer r.Leave()
	mark, indices, odd := r.Pos(), r.indices, len(r.odd)
	n, noted := 0, r.Mark()
	var p unreal.Property
	for r.property(&p) {
		n++
	}
	if r.Err() != nil || n == 0 {
		return nil, p.Name
	}
	end, endIndices := r.Pos(), r.indices
	ended := r.odd
	r.Seek(mark, "properties")
	r.Rewind(noted)
	r.indices, r.odd = indices, r.odd[:odd]
	all := make([]unreal.Property, n)
	for i := range all {
		r.property(&all[i])
	}
	if r.Noting() {
		r.Name("name") // the one that ends the list
	}
	r.Seek(end, "properties")
	r.indices, r.odd = endIndices, ended
	return all, p.Name
}

// property reads one property; false at the end of the list and after an error.
func (r *reader) property(p *unreal.Property) bool {
	*p = unreal.Property{Name: r.Name("name")}
	if r.Err() != nil || r.Package.IsNone(p.Name) {
		return false
	}
	at := r.Cursor.Offset()
	info := r.U8("info")
	p.Type = unreal.PropertyType(info & 15)
	p.SizeCode = info >> 4 & 7
	if p.Type == 0 {
		r.FailAtf(at, schema.ErrValue, "info", "property %s has type 0", r.Package.Name(p.Name))
	}
	if p.Type == unreal.StructProperty {
		p.Struct = r.Name("struct")
	}
	size := r.propertySize(p.SizeCode)
	if number := p.Type == unreal.IntProperty || p.Type == unreal.FloatProperty; number && p.SizeCode < 2 {
		p.Narrow, size = true, 4
	}
	if p.Type == unreal.BoolProperty {
		p.Number = int32(info >> 7)
	} else if info&0x80 != 0 {
		p.Array = true
		p.Index, p.IndexWidth = r.arrayIndex()
	}
	if uint64(size) > uint64(r.Left()) {
		r.Failf(schema.ErrTruncated, r.Package.Name(p.Name), "value of %d bytes, %d left", size, r.Left())
		return false
	}
	layout, field := schema.LayoutBytes, "value"
	if r.Noting() {
		layout, field = r.valueLayout(p, size)
	}
	noted := r.Mark()
	b := r.Data(int(size), layout, field)
	if r.value(p, b); r.Noting() {
		r.explainValue(p, b, field, noted)
	}
	return r.Err() == nil
}

func (r *reader) propertySize(code uint8) uint32 {
	switch code {
	case 5:
		return uint32(r.U8("size"))
	case 6:
		return uint32(r.U16("size"))
	case 7:
		return r.U32("size")
	}
	return uint32(unreal.FixedSizes[code])
}

// arrayIndex reads 7, 14 or 30 bits, big-endian.
func (r *reader) arrayIndex() (index int32, width uint8) {
	b := r.U8("array index")
	switch {
	case b < 0x80:
		return int32(b), 1
	case b < 0xC0:
		return int32(b&0x3F)<<8 | int32(r.U8("array index")), 2
	}
	rest := r.Elements(3, 1, schema.LayoutU8, "array index")
	if rest == nil {
		return 0, 4
	}
	return int32(b&0x3F)<<24 | int32(rest[0])<<16 | int32(rest[1])<<8 | int32(rest[2]), 4
}

// structLayouts are those of structs in properties (reference section 8.2).
var structLayouts = map[string]struct {
	layout string
	size   uint32
}{
	"vector":  {"x:f32 y:f32 z:f32", 12},
	"rotator": {"pitch:i32 yaw:i32 roll:i32", 12},
	"color":   {"4u8", 4},
	"plane":   {"x:f32 y:f32 z:f32 w:f32", 16},
	"scale":   {"x:f32 y:f32 z:f32 rate:f32 axis:u8", 17},
	"coords":  {"origin:3f32 x:3f32 y:3f32 z:3f32", 48},
}

// valueLayout says what a property's value is, for a trace: its field bears the property's name.
func (r *reader) valueLayout(p *unreal.Property, size uint32) (layout, field string) {
	field = r.Package.Name(p.Name)
	if p.Array {
		field += "[" + strconv.Itoa(int(p.Index)) + "]"
	}
	switch p.Type {
	case unreal.ByteProperty:
		layout = schema.LayoutU8
		if size != 1 {
			layout = schema.LayoutBytes
		}
	case unreal.IntProperty, unreal.FloatProperty:
		layout = schema.LayoutI32
		if p.Type == unreal.FloatProperty {
			layout = schema.LayoutF32
		}
		if size != 4 {
			layout = schema.LayoutBytes
		}
	case unreal.ObjectProperty, unreal.ClassProperty, unreal.NameProperty:
		layout = schema.LayoutIndex
	case unreal.StrProperty, unreal.StringProperty:
		layout = "string"
	case unreal.StructProperty:
		layout = schema.LayoutBytes
		if s := structLayouts[strings.ToLower(r.Package.Name(p.Struct))]; s.size == size && size > 0 {
			layout = s.layout
		}
	default:
		layout = schema.LayoutBytes
	}
	return layout, field
}

// explainValue says what the number of a property stands for, and takes strings and regions apart. What was noted of the
// value was noted since the mark.
func (r *reader) explainValue(p *unreal.Property, b []byte, field string, mark int) {
	parts := objectReader(b, &unreal.Context{Package: r.Package}, r.d)
	switch {
	case p.Type == unreal.StrProperty:
		r.Rewind(mark)
		parts.Str(field)
	case p.Type == unreal.StructProperty && strings.EqualFold(r.Package.Name(p.Struct), "PointRegion"):
		r.Rewind(mark)
		parts.Enter(field, -1)
		parts.Ref("zone")
		parts.I32("leaf")
		parts.U8("zone number")
	case p.Value != nil:
	case p.Type == unreal.NameProperty && p.Number >= 0 && int(p.Number) < len(r.Package.Names):
		r.Explain(r.Package.Name(unreal.NameIndex(p.Number)))
	case p.Type == unreal.ObjectProperty || p.Type == unreal.ClassProperty:
		r.Explain(r.refText(unreal.Ref(p.Number)))
	}
	if parts.Err() != nil { // it is none of these
		r.Rewind(mark)
		r.Seek(r.Pos()-len(b), field)
		r.Bytes(len(b), field)
	}
}

// value splits values that are one number in its usual form from all others.
func (r *reader) value(p *unreal.Property, b []byte) {
	switch p.Type {
	case unreal.ByteProperty:
		if len(b) == 1 {
			p.Number = int32(b[0])
			return
		}
	case unreal.IntProperty, unreal.FloatProperty:
		if len(b) == 4 {
			p.Number = int32(binary.LittleEndian.Uint32(b))
			return
		}
	case unreal.BoolProperty:
		if len(b) == 0 {
			return
		}
	case unreal.ObjectProperty, unreal.ClassProperty, unreal.NameProperty:
		c := read.NewCursor(unreal.Format, b, nil)
		v, width, minus := c.Compact("value")
		if c.Err() == nil && c.Left() == 0 {
			p.Number = v
			if width == compactSize(v) && minus == (v < 0) {
				return
			}
		}
	}
	p.Value = b
}

// PointRegion reads the value of a PointRegion property, which fills b.
func PointRegion(b []byte, p *unreal.Package) (v unreal.PointRegion, err error) {
	r := objectReader(b, &unreal.Context{Package: p}, nil)
	v = unreal.PointRegion{Zone: r.Ref("zone"), Leaf: r.I32("leaf"), ZoneNumber: r.U8("zone number")}
	if r.Err() == nil && r.Left() > 0 {
		r.Failf(schema.ErrMismatch, "value", "%d bytes follow the zone number", r.Left())
	}
	return v, r.Err()
}

// StrValue reads the value of a Str property: one string that fills b.
func StrValue(b []byte, p *unreal.Package) (string, error) {
	r := objectReader(b, &unreal.Context{Package: p}, nil)
	s := r.Str("value")
	if r.Err() == nil && r.Left() > 0 {
		r.Failf(schema.ErrMismatch, "value", "%d bytes follow the string", r.Left())
	}
	return s.Text, r.Err()
}
