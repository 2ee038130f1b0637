package unreal

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/usher-assets/usher/convert/unreal/pack"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

func structSize(fields []pack.StructField) (n int) {
	for _, f := range fields {
		if f.Kind == 'b' {
			n++
		} else {
			n += 4
		}
	}
	return n
}

// readValue returns a property's value in readable form; what would not come back as it is stored is hexadecimal.
func readValue(p *unreal.Package, q *unreal.Property) any {
	switch q.Type {
	case unreal.StructProperty, unreal.VectorProperty, unreal.RotatorProperty:
		return readStruct(p, structName(p, q), q.Value)
	case unreal.StrProperty:
		if s, ok := stringReader(p, q.Value); ok {
			return s
		}
	case unreal.StringProperty:
		if n := len(q.Value) - 1; n >= 0 && bytes.IndexByte(q.Value, 0) == n {
			return schema.DecodeWindows1252(q.Value[:n])
		}
	}
	if q.Value != nil {
		return hexValue(q.Value)
	}
	switch q.Type {
	case unreal.BoolProperty:
		return q.Number != 0
	case unreal.FloatProperty:
		return pack.FloatValue(uint32(q.Number))
	case unreal.ObjectProperty, unreal.ClassProperty:
		if p.Valid(unreal.Ref(q.Number)) {
			return p.RefText(unreal.Ref(q.Number))
		}
	case unreal.NameProperty:
		if q.Number >= 0 && int(q.Number) < len(p.Names) {
			return p.Name(unreal.NameIndex(q.Number))
		}
	}
	return int64(q.Number)
}

func structName(p *unreal.Package, q *unreal.Property) string {
	switch q.Type {
	case unreal.VectorProperty:
		return "Vector"
	case unreal.RotatorProperty:
		return "Rotator"
	}
	return p.Name(q.Struct)
}

// regionName is the struct that names an object.
const regionName = "PointRegion"

// readRegion returns a PointRegion; false for one that would not come back as it is stored.
func readRegion(p *unreal.Package, b []byte) (map[string]any, bool) {
	v, err := read.PointRegion(b, p)
	if err != nil {
		return nil, false
	}
	again, err := write.PointRegion(v, p)
	if err != nil || !bytes.Equal(again, b) {
		return nil, false
	}
	return map[string]any{"Zone": p.RefText(v.Zone), "iLeaf": int64(v.Leaf), "ZoneNumber": int64(v.ZoneNumber)}, true
}

// writeRegion is the way back.
func (a *archive) writeRegion(q *unreal.Property, v map[string]any, bad error) error {
	zone, ok := v["Zone"].(string)
	leaf, ok1 := pack.Whole32(v["iLeaf"])
	number, ok2 := pack.Whole32(v["ZoneNumber"])
	if !ok || !ok1 || !ok2 || number < 0 || number > math.MaxUint8 || len(v) != 3 {
		return bad
	}
	r, err := a.named(zone, a.Name(q.Name))
	if err == nil {
		q.Value, err = write.PointRegion(unreal.PointRegion{Zone: r, Leaf: leaf, ZoneNumber: uint8(number)}, a.Package)
	}
	return err
}

func readStruct(p *unreal.Package, name string, b []byte) any {
	if name == regionName {
		if v, ok := readRegion(p, b); ok {
			return v
		}
	}
	fields := pack.Structs[name]
	if fields == nil || structSize(fields) != len(b) {
		return hexValue(b)
	}
	v := map[string]any{}
	for _, f := range fields {
		switch f.Kind {
		case 'b':
			v[f.Name] = int64(b[0])
			b = b[1:]
			continue
		case 'i':
			v[f.Name] = int64(int32(binary.LittleEndian.Uint32(b)))
		case 'f':
			v[f.Name] = pack.FloatValue(binary.LittleEndian.Uint32(b))
		}
		b = b[4:]
	}
	return v
}

// writeValue sets a property's value from its readable form.
func (a *archive) writeValue(q *unreal.Property, r *RecordProperty) error {
	if b, ok := hexBytes(r.Value); ok {
		q.Value = b
		return nil
	}
	bad := wrongValue(r)
	switch v := r.Value.(type) {
	case bool:
		if q.Type != unreal.BoolProperty {
			return bad
		}
		if v {
			q.Number = 1
		}
		return nil
	case string:
		return a.writeText(q, v, bad)
	case map[string]any:
		if name := structName(a.Package, q); name != regionName {
			return writeStruct(q, r.Name, name, v)
		}
		return a.writeRegion(q, v, bad)
	}
	if _, ok := pack.Number(r.Value); ok && q.Type == unreal.FloatProperty {
		x, ok := pack.Float32(r.Value)
		if !ok {
			return bad
		}
		q.Number = int32(math.Float32bits(x))
		return nil
	}
	n, ok := pack.Whole32(r.Value)
	if !ok || q.Type != unreal.IntProperty && (q.Type != unreal.ByteProperty || n < 0 || n > 255) {
		return bad
	}
	q.Number = n
	return nil
}

func (a *archive) writeText(q *unreal.Property, text string, bad error) error {
	switch q.Type {
	case unreal.NameProperty:
		if err := a.checkNewName(a.Name(q.Name), text); err != nil {
			return err
		}
		q.Number = int32(a.Spell(text))
	case unreal.ObjectProperty, unreal.ClassProperty:
		r, err := a.named(text, a.Name(q.Name))
		if err != nil {
			return err
		}
		q.Number = int32(r)
	case unreal.StrProperty:
		b, err := write.StrValue(unreal.Str{Text: text}, a.Package)
		q.Value = b
		return err
	case unreal.StringProperty: // text and its zero, nothing else
		b, ok := schema.EncodeWindows1252(text)
		if !ok || bytes.IndexByte(b, 0) >= 0 {
			return bad
		}
		q.Value = append(b, 0)
	default:
		return bad
	}
	return nil
}

// hexBytes returns the bytes of {"hex": "…"}.
func hexBytes(v any) ([]byte, bool) {
	m, ok := v.(map[string]any)
	if !ok || len(m) != 1 {
		return nil, false
	}
	s, ok := m["hex"].(string)
	if !ok {
		return nil, false
	}
	b, err := hex.DecodeString(s)
	return b, err == nil
}

func writeStruct(q *unreal.Property, property, name string, v map[string]any) error {
	if err := checkFields(property, name, v); err != nil {
		return err
	}
	var out []byte
	for _, f := range pack.Structs[name] {
		b, ok := fieldBytes(f.Kind, v[f.Name])
		if !ok {
			return wrongValue(&RecordProperty{Name: property + "." + f.Name, Type: fieldTypes[f.Kind].String(), Value: v[f.Name]})
		}
		out = append(out, b...)
	}
	q.Value = out
	return nil
}

// fieldTypes are the properties that hold what a field of a struct holds.
var fieldTypes = map[byte]unreal.PropertyType{'f': unreal.FloatProperty, 'i': unreal.IntProperty, 'b': unreal.ByteProperty}

// fieldBytes returns a field of a struct as it is stored; false where the value does not suit.
func fieldBytes(kind byte, v any) ([]byte, bool) {
	if kind == 'f' {
		if b, ok := hexBytes(v); ok && len(b) == 4 {
			return b, true
		}
		x, ok := pack.Float32(v)
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)), ok
	}
	n, ok := pack.Whole32(v)
	if kind == 'b' {
		return []byte{byte(n)}, ok && n >= 0 && n <= math.MaxUint8
	}
	return binary.LittleEndian.AppendUint32(nil, uint32(n)), ok
}
