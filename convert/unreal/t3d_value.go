package unreal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/t3d"
	"github.com/usher-assets/usher/schema/unreal"
)

// byteSettings are byte properties of actors that are no enumerations.
var byteSettings = map[string]bool{"lightbrightness": true, "lighthue": true, "lightsaturation": true, "lightradius": true, "lightperiod": true,
	"lightphase": true, "lightcone": true, "volumebrightness": true, "volumeradius": true, "volumefog": true, "soundradius": true, "soundvolume": true,
	"soundpitch": true, "ambientglow": true, "fatness": true, "numkeys": true, "keynum": true, "prevkeynum": true, "worldraytracekey": true,
	"brushraytracekey": true, "ambientbrightness": true, "ambienthue": true, "ambientsaturation": true, "teamnumber": true}

// property makes a property of what text says; ok is false where its type cannot be told, or the object that it names is
// not there. The text says nothing of types: a property of the same name elsewhere in the package does, or else the form
// of the value.
func (x *t3dReader) property(name string, index int, value string) (q unreal.Property, ok bool) {
	r := x.typed(name, value)
	r.Name, r.Index = name, index
	var known bool
	if r.Value, known = x.value(&r, value); !known {
		return q, false
	}
	q, err := x.a.property(&r, nil, nil, 0)
	if err != nil {
		x.values.Add(name)
		return q, false
	}
	if q.Index > 0 {
		q.Array = true
	}
	return q, true
}

// typed returns type and struct of a property.
func (x *t3dReader) typed(name, value string) RecordProperty {
	if x.types == nil {
		x.types = map[string]RecordProperty{}
		for i := range x.a.Exports {
			if x.a.gone[i] || !x.a.isActor(i) {
				continue
			}
			o, err := x.a.Object(i)
			if err != nil {
				continue
			}
			for k := range o.Base().Properties {
				p := &o.Base().Properties[k]
				r := RecordProperty{Type: p.Type.String()}
				if p.Type == unreal.StructProperty {
					r.Struct = x.a.Name(p.Struct)
				}
				if key := strings.ToLower(x.a.Name(p.Name)); x.types[key].Type == "" {
					x.types[key] = r
				}
			}
		}
	}
	if r, known := x.types[strings.ToLower(name)]; known {
		return r
	}
	return x.guess(name, value)
}

// guess tells the type of a property by the form of its value.
func (x *t3dReader) guess(name, value string) (r RecordProperty) {
	key := strings.ToLower(name)
	is := func(t unreal.PropertyType) RecordProperty { return RecordProperty{Type: t.String()} }
	_, err := strconv.Atoi(value)
	switch {
	case strings.HasPrefix(value, `"`) && x.a.Version < unreal.LazyVersion:
		return is(unreal.StringProperty)
	case strings.HasPrefix(value, `"`):
		return is(unreal.StrProperty)
	case strings.EqualFold(value, "True"), strings.EqualFold(value, "False"):
		return is(unreal.BoolProperty)
	case strings.HasPrefix(value, "("):
		r = is(unreal.StructProperty)
		r.Struct = structOf(key, value)
		return r
	case strings.HasSuffix(value, "'"), value == "None":
		return is(unreal.ObjectProperty)
	case enums[key] != nil, byteSettings[key]:
		return is(unreal.ByteProperty)
	case err == nil:
		return is(unreal.IntProperty)
	}
	if _, err := strconv.ParseFloat(value, 32); err == nil {
		return is(unreal.FloatProperty)
	}
	return is(unreal.NameProperty)
}

// structOf tells a struct by its members, or by the name of its property.
func structOf(name, value string) string {
	value = strings.ToLower(value)
	for _, x := range []struct{ member, name string }{
		{"pitch=", "Rotator"}, {"yaw=", "Rotator"}, {"roll=", "Rotator"}, {"zone=", regionName}, {"ileaf=", regionName}, {"sheer", "Scale"}, {"scale=", "Scale"},
		{"w=", "Plane"}, {"x=", "Vector"}, {"y=", "Vector"}, {"z=", "Vector"}, {"r=", "Color"}, {"g=", "Color"}, {"b=", "Color"},
	} {
		if strings.Contains(value, x.member) {
			return x.name
		}
	}
	switch {
	case strings.HasSuffix(name, "scale"):
		return "Scale"
	case strings.Contains(name, "rot"):
		return "Rotator"
	case strings.HasSuffix(name, "color"):
		return "Color"
	}
	return "Vector"
}

// value reads a value as records have it.
func (x *t3dReader) value(r *RecordProperty, text string) (any, bool) {
	switch r.Type {
	case unreal.ByteProperty.String():
		return x.byte(r.Name, text)
	case unreal.IntProperty.String(), unreal.FloatProperty.String():
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			x.values.Add(r.Name)
		}
		return v, err == nil
	case unreal.BoolProperty.String():
		return strings.EqualFold(text, "True") || text == "1", true
	case unreal.StrProperty.String(), unreal.StringProperty.String():
		return strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`), true
	case unreal.NameProperty.String():
		return strings.Trim(text, `'"`), true
	case unreal.ObjectProperty.String(), unreal.ClassProperty.String():
		return x.object(r.Name, text)
	case unreal.StructProperty.String(), unreal.VectorProperty.String(), unreal.RotatorProperty.String():
		return x.structure(r, text)
	}
	x.values.Add(r.Name)
	return nil, false
}

// byte reads a number, or a word of any enumeration that is known.
func (x *t3dReader) byte(name, text string) (any, bool) {
	if n, err := strconv.Atoi(text); err == nil {
		return float64(n), true
	}
	lists := [][]string{enums[strings.ToLower(name)]}
	for _, key := range slices.Sorted(keys(enums)) {
		lists = append(lists, enums[key])
	}
	for _, list := range lists {
		if i := slices.IndexFunc(list, func(w string) bool { return strings.EqualFold(w, text) }); i >= 0 {
			return float64(i), true
		}
	}
	x.values.Add(name)
	return nil, false
}

func keys(m map[string][]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// object reads the name of an object: of the text, of this package, or of another one.
func (x *t3dReader) object(property, text string) (any, bool) {
	class, path, ok := cutRef(text)
	if !ok {
		if strings.EqualFold(text, "None") || text == "" {
			return "None", true
		}
		class, path = propertyClass(property), text
	}
	if own, inner := strings.CutPrefix(strings.ToLower(path), strings.ToLower(levelPrefix)); inner {
		if r := x.refs[strings.ToLower(class)+"'"+own+"'"]; r != 0 {
			return x.a.RefText(r), true
		}
		path = path[len(levelPrefix):]
		for _, p := range []string{path, levelPrefix + path} {
			if r, ok := x.a.FindRef(class + "'" + p + "'"); ok {
				return x.a.RefText(r), true
			}
		}
		x.strays.Add(property)
		return nil, false
	}
	if r := x.refs[strings.ToLower(class+"'"+path+"'")]; r != 0 {
		return x.a.RefText(r), true
	}
	return class + "'" + path + "'", true
}

// structure reads "(X=1.000000,Z=2.000000)"; members that are left out are as usual.
func (x *t3dReader) structure(r *RecordProperty, text string) (any, bool) {
	name := r.Struct
	switch r.Type {
	case unreal.VectorProperty.String():
		name = "Vector"
	case unreal.RotatorProperty.String():
		name = "Rotator"
	}
	members, ok := t3d.CutStruct(text)
	if inner, nested := members["scale"]; ok && nested && name == "Scale" {
		var more map[string]string
		if more, ok = t3d.CutStruct(inner); ok {
			delete(members, "scale")
			for k, v := range more {
				members[k] = v
			}
		}
	}
	v := map[string]any{}
	switch {
	case !ok:
	case name == regionName:
		zone, known := any("None"), true
		if text := members["zone"]; text != "" {
			zone, known = x.object(r.Name, text)
		}
		leaf, err1 := strconv.Atoi(orZero(members["ileaf"]))
		number, err2 := strconv.Atoi(orZero(members["zonenumber"]))
		if !known {
			return nil, false
		}
		if err1 == nil && err2 == nil {
			return map[string]any{"Zone": zone, "iLeaf": float64(leaf), "ZoneNumber": float64(number)}, true
		}
	case pack.Structs[name] != nil:
		for _, f := range pack.Structs[name] {
			text := members[strings.ToLower(f.Name)]
			if text == "" && name == "Scale" && len(f.Name) == 1 {
				text = "1"
			}
			if f.Name == "SheerAxis" && text != "" {
				n, known := x.byte(f.Name, text)
				if !known {
					return nil, false
				}
				v[f.Name] = n
				continue
			}
			n, err := strconv.ParseFloat(orZero(text), 64)
			if err != nil {
				x.values.Add(r.Name)
				return nil, false
			}
			v[f.Name] = n
		}
		return v, true
	}
	x.values.Add(r.Name)
	return nil, false
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}
	return s
}
