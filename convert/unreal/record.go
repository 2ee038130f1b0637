package unreal

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// Record is the readable form of an object that is not a picture, sound, text or mesh: an actor, a class, a palette, a
// procedural texture. Editable are its properties, the colours of a palette, the sparks of a fire, the sequences of an
// Animation and the parts of an old level. Everything else in it is for information.
type Record struct {
	Class      string
	Flags      []string
	Properties []RecordProperty
	Native     map[string]any // data of the class that is not a property
	Stored     []byte         // the payload

	ReadOnlyCode    *Code          `json:",omitempty"` // what the byte code says
	ReadOnlySymbols map[string]any `json:",omitempty"` // of an Animation: what another package needs to take it
}

// RecordProperty is a tagged property. Value is a number, a boolean, a text, the name of an object with its class
// ("Texture'Skins.Jskin'"), a map of fields for the structs that usher knows, or {"hex": "…"}.
type RecordProperty struct {
	Name   string
	Type   string
	Struct string `json:",omitzero"`
	Index  int    `json:",omitzero"`
	Value  any
}

// maxIndex is the highest index of an array that a property has room for (reference section 8.2).
const maxIndex = 1<<30 - 1

// recordFormat returns the format of export i as a record.
func recordFormat(a *archive, i int) format.Format {
	f := leaf(objectName, "object of an Unreal package: class, actor, palette, procedural texture", format.Table)
	f.New = func() any { return new(Record) }
	f = format.Of(f, format.Functions[Record, asset.Asset]{Facts: func(r *Record) []format.Fact {
		facts := []format.Fact{{Name: "class", Value: r.Class}, {Name: "object flags", Value: r.Flags}, {Name: "properties", Value: len(r.Properties)}}
		if unreal.Computed(r.Class) {
			facts = append(facts, format.Fact{Name: "picture", Value: "computed from these parameters, as the engine does it; no pixels are stored"})
		}
		if list, ok := r.Native["sequences"].([]any); ok {
			var names []string
			for _, v := range list {
				if m, ok := v.(map[string]any); ok {
					names = append(names, fmt.Sprint(m["name"]))
				}
			}
			facts = append(facts, format.Fact{Name: "sequences", Value: names})
		}
		return facts
	}})
	if a == nil {
		return f
	}
	f.Read = func(b []byte, d *schema.Diagnostics) (any, error) {
		a.mu.RLock()
		defer a.mu.RUnlock()
		return a.record(i, b, d)
	}
	f.Write = func(v any) ([]byte, error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		r, ok := v.(*Record)
		if !ok {
			return nil, noneOf(objectName, v)
		}
		return a.writeRecord(i, r)
	}
	f.Check = func(v any) error {
		a.mu.RLock()
		defer a.mu.RUnlock()
		r, ok := v.(*Record)
		if !ok {
			return noneOf(objectName, v)
		}
		return a.checkRecord(i, r)
	}
	return f
}

// checkRecord makes sure that an object is the same when it is written from its decoded values, and not from the bytes
// that its record carries along.
func (a *archive) checkRecord(i int, r *Record) error {
	o, err := a.Decode(i, r.Stored, nil)
	if err != nil {
		return err
	}
	b, err := write.Object(o)
	if err != nil || bytes.Equal(b, r.Stored) {
		return err
	}
	at := 0
	for at < len(b) && at < len(r.Stored) && b[at] == r.Stored[at] {
		at++
	}
	return schema.Errorf(objectName, schema.ErrMismatch, "", "%s is otherwise from byte %d on when it is written from its decoded values", o.Base().Path, at)
}

func (a *archive) record(i int, b []byte, d *schema.Diagnostics) (*Record, error) {
	o, err := a.Decode(i, b, d)
	if err != nil {
		return nil, err
	}
	return a.describe(i, o, b), nil
}

func (a *archive) describe(i int, o unreal.AnyObject, stored []byte) *Record {
	base := o.Base()
	r := &Record{Class: base.Class, Flags: unreal.FlagNames(base.Flags, unreal.ObjectFlags), Native: nativeValues(a.Package, o), Stored: stored, ReadOnlyCode: a.codeOf(i, o)}
	if _, ok := o.(*unreal.Animation); ok {
		r.ReadOnlySymbols = pack.Symbols(o)
	}
	for n := range base.Properties {
		r.Properties = append(r.Properties, describeProperty(a.Package, &base.Properties[n]))
	}
	return r
}

func describeProperty(p *unreal.Package, q *unreal.Property) RecordProperty {
	r := RecordProperty{Name: p.Name(q.Name), Type: q.Type.String(), Index: int(q.Index)}
	if q.Type == unreal.StructProperty {
		r.Struct = p.Name(q.Struct)
	}
	r.Value = readValue(p, q)
	return r
}

// writeRecord returns the stored bytes with the properties that were edited, and the sequences of an Animation.
// Everything else must be as it was.
func (a *archive) writeRecord(i int, r *Record) ([]byte, error) {
	o, err := a.Decode(i, r.Stored, nil)
	if err != nil {
		return nil, err
	}
	was := a.describe(i, o, r.Stored)
	changed := !pack.SameValue(r.Native, was.Native)
	if changed {
		if err := a.editNative(o, was, r); err != nil {
			return nil, err
		}
	}
	if r.Class != was.Class || !pack.SameValue(r.Native, was.Native) || !pack.SameValue(r.Flags, was.Flags) || !r.ReadOnlyCode.same(was.ReadOnlyCode) ||
		r.ReadOnlySymbols != nil && !pack.SameValue(r.ReadOnlySymbols, was.ReadOnlySymbols) {
		return nil, schema.Errorf(objectName, schema.ErrUnsupported, "", "of a %s only the properties can be edited", was.Class)
	}
	if slices.EqualFunc(r.Properties, was.Properties, sameProperty) {
		if changed {
			return write.Object(o)
		}
		return r.Stored, nil
	}
	if o.Base().Opaque {
		return nil, schema.Errorf(objectName, schema.ErrUnsupported, "", "%s has a layout that usher does not know; it cannot be edited", o.Base().Path)
	}
	base := o.Base()
	old := base.Properties
	class := a.Exports[i].Class
	if class == 0 { // the defaults of a class are of what it declares itself
		class = unreal.Ref(i + 1)
	}
	a.checkNames(class, base.Path, recordNames(was.Properties), recordNames(r.Properties))
	a.checkProperties(base.Path, was.Properties, r.Properties)
	base.Properties = nil
	for n := range r.Properties {
		q, err := a.property(&r.Properties[n], old, was.Properties, n)
		if err != nil {
			return nil, err
		}
		base.Properties = append(base.Properties, q)
	}
	return write.Object(o)
}

func sameProperty(a, b RecordProperty) bool {
	return a.Name == b.Name && a.Type == b.Type && a.Struct == b.Struct && a.Index == b.Index && pack.SameValue(a.Value, b.Value)
}

// property turns an edited property back. One that is as it was keeps its stored form.
func (a *archive) property(r *RecordProperty, old []unreal.Property, was []RecordProperty, n int) (unreal.Property, error) {
	for _, k := range append([]int{n}, indices(len(was))...) {
		if k < len(was) && sameProperty(*r, was[k]) {
			return old[k], nil
		}
	}
	for _, name := range []string{r.Name, r.Struct} {
		if err := a.checkNewName("Name", name); err != nil && name != "" {
			return unreal.Property{}, err
		}
	}
	q := unreal.Property{Name: a.AddName(r.Name), Index: int32(r.Index)}
	for t := unreal.ByteProperty; t <= unreal.FixedArrayProperty; t++ {
		if t.String() == r.Type {
			q.Type = t
		}
	}
	if q.Type == 0 && r.Type != "" {
		return q, pack.CheckNear(r.Name+".Type", r.Type, typeNames()...)
	}
	if q.Type == 0 || r.Name == "" {
		return q, schema.Errorf(objectName, schema.ErrValue, r.Name, "property %q of type %q", r.Name, r.Type)
	}
	if r.Struct != "" && q.Type != unreal.StructProperty {
		return q, schema.Errorf(objectName, schema.ErrValue, r.Name+".Struct", "%q: a property of type %s is no struct", r.Struct, r.Type)
	}
	if r.Index < 0 || r.Index > maxIndex {
		return q, schema.Errorf(objectName, schema.ErrRange, r.Name+".Index", "%d: expected 0 to %d", r.Index, maxIndex)
	}
	if q.Type == unreal.BoolProperty {
		q.SizeCode = 5
	}
	if q.Type == unreal.StructProperty {
		q.Struct = a.AddName(r.Struct)
	}
	return q, a.writeValue(&q, r)
}

func typeNames() (list []string) {
	for t := unreal.ByteProperty; t <= unreal.FixedArrayProperty; t++ {
		list = append(list, t.String())
	}
	return list
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// hexValue stands for bytes that usher does not interpret.
func hexValue(b []byte) map[string]any { return map[string]any{"hex": hex.EncodeToString(b)} }

// refTexts names the objects of references.
func refTexts(p *unreal.Package, refs []unreal.Ref) []any {
	list := []any{}
	for _, r := range refs {
		list = append(list, p.RefText(r))
	}
	return list
}

// nameTexts returns names as text.
func nameTexts(p *unreal.Package, names []unreal.NameIndex) []any {
	list := []any{}
	for _, n := range names {
		list = append(list, p.Name(n))
	}
	return list
}

// nativeValues describes what a class stores beside its properties.
func nativeValues(p *unreal.Package, o unreal.AnyObject) map[string]any {
	switch o := o.(type) {
	case *unreal.Palette:
		colors := []any{}
		for _, c := range o.Colors {
			colors = append(colors, "#"+hex.EncodeToString(c[:]))
		}
		return map[string]any{"colors": colors}
	case *unreal.Texture:
		mips := []any{}
		for _, m := range o.Mips {
			mips = append(mips, []any{int64(m.USize), int64(m.VSize), int64(len(m.Pixels))})
		}
		v := map[string]any{"mips": mips}
		if o.Sparks != nil {
			sparks := []any{}
			for _, s := range o.Sparks {
				sparks = append(sparks, hex.EncodeToString(s[:]))
			}
			v["sparks"] = sparks
		}
		return v
	case *unreal.Animation:
		return animationValues(p, o)
	case *unreal.Vectors, *unreal.BspNodes, *unreal.BspSurfs, *unreal.Verts:
		return shownFields(p, o)
	}
	return scriptValues(p, o)
}

func animationValues(p *unreal.Package, o *unreal.Animation) map[string]any {
	bones, moves := []any{}, []any{}
	for _, b := range o.Bones {
		bones = append(bones, p.Name(b.Name))
	}
	for i := range o.Sequences {
		moves = append(moves, mesh.SequenceValues(p, &o.Sequences[i]))
	}
	return map[string]any{"bones": bones, "sequences": moves}
}

// scriptValues describes script objects (reference section 13).
func scriptValues(p *unreal.Package, o unreal.AnyObject) map[string]any {
	v := map[string]any{}
	field := func(f *unreal.Field) {
		v["super"], v["next"] = p.RefText(f.Super), p.RefText(f.Next)
	}
	structure := func(s *unreal.Struct) {
		field(&s.Field)
		v["scriptText"], v["children"], v["friendlyName"] = p.RefText(s.ScriptText), p.RefText(s.Children), p.Name(s.FriendlyName)
		v["line"], v["codeBytes"] = int64(s.Line), int64(len(s.Code))
	}
	switch o := o.(type) {
	case *unreal.Class:
		structure(&o.Struct)
		v["stateFlags"], v["classFlags"] = unreal.FlagNames(o.StateFlags, unreal.StateFlags), unreal.FlagNames(o.ClassFlags, unreal.ClassFlags)
		v["guid"], v["within"], v["config"] = unreal.GUIDText(o.GUID), p.RefText(o.Within), p.Name(o.Config)
		v["packageImports"] = nameTexts(p, o.PackageImports)
		dependencies := []any{}
		for _, d := range o.Dependencies {
			dependencies = append(dependencies, map[string]any{"class": p.RefText(d.Class), "deep": int64(d.Deep), "crc": fmt.Sprintf("%08X", d.CRC)})
		}
		v["dependencies"] = dependencies
	case *unreal.Function:
		structure(&o.Struct)
		v["native"], v["precedence"] = int64(o.Native), int64(o.Precedence)
		v["functionFlags"] = unreal.FlagNames(o.FuncFlags, unreal.FunctionFlags)
	case *unreal.State:
		structure(&o.Struct)
		v["stateFlags"] = unreal.FlagNames(o.StateFlags, unreal.StateFlags)
	case *unreal.Struct:
		structure(o)
	case *unreal.Enum:
		field(&o.Field)
		v["names"] = nameTexts(p, o.Names)
	case *unreal.Const:
		field(&o.Field)
		v["value"] = o.Value.Text
	case *unreal.PropertyDecl:
		field(&o.Field)
		v["arrayDim"], v["category"] = int64(o.ArrayDim), p.Name(o.Category)
		v["propertyFlags"], v["types"] = unreal.FlagNames(o.PropFlags, unreal.PropertyFlags), refTexts(p, o.Refs)
	case *unreal.Object:
		if o.Opaque {
			return map[string]any{"opaque": int64(len(o.Tail))}
		}
		if len(o.Tail) > 0 {
			v["unknown"] = hexValue(o.Tail)
		}
		if f := o.Frame; f != nil {
			v["state"] = p.RefText(f.State)
		}
	}
	if len(v) == 0 {
		return nil
	}
	return v
}

// stringReader reads values that are packed into a property.
func stringReader(p *unreal.Package, b []byte) (string, bool) {
	s, err := read.StrValue(b, p)
	if err != nil {
		return "", false
	}
	again, err := write.StrValue(unreal.Str{Text: s}, p)
	return s, err == nil && bytes.Equal(again, b)
}
