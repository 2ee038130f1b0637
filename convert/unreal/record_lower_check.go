package unreal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// wrongValue says that a property cannot have a value, and what it can have.
func wrongValue(r *RecordProperty) error {
	return schema.Errorf(objectName, schema.ErrValue, r.Name, "%s is no value of a %s property: expected %s", valueText(r.Value), r.Type, expectedValue(r))
}

// valueText shows a value of JSON in a few words.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(v)
	case map[string]any:
		return "{…}"
	case []any:
		return "[…]"
	}
	return fmt.Sprint(v)
}

func expectedValue(r *RecordProperty) string {
	switch r.Type {
	case unreal.ByteProperty.String():
		return "a whole number from 0 to 255"
	case unreal.IntProperty.String():
		return "a whole number"
	case unreal.BoolProperty.String():
		return "true or false"
	case unreal.FloatProperty.String():
		return "a number that 32 bits hold"
	case unreal.ObjectProperty.String(), unreal.ClassProperty.String():
		return `an object with its class, as "Texture'Package.Name'", or "None"`
	case unreal.NameProperty.String(), unreal.StrProperty.String(), unreal.StringProperty.String():
		return "text"
	}
	if fields := pack.Structs[r.Struct]; fields != nil {
		return "an object with the numbers " + fieldNames(fields)
	}
	if r.Struct == regionName {
		return "an object with Zone, iLeaf and ZoneNumber"
	}
	return `{"hex": "…"}`
}

func fieldNames(fields []pack.StructField) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// checkFields makes sure that a struct has its fields and no others.
func checkFields(property, name string, v map[string]any) error {
	fields := pack.Structs[name]
	if fields == nil {
		return schema.Errorf(objectName, schema.ErrValue, property, "the fields of a %s are not known: expected {\"hex\": \"…\"}", name)
	}
	var known []string
	for _, f := range fields {
		known = append(known, f.Name)
		if _, ok := v[f.Name]; !ok {
			return schema.Errorf(objectName, schema.ErrValue, property, "%s is missing: a %s has %s", f.Name, name, fieldNames(fields))
		}
	}
	return pack.CheckKeys(v, property, known...)
}

// checkNewName refuses names that the engine has no room for. What the package has already is as it is.
func (a *archive) checkNewName(property, text string) error {
	if _, ok := a.FindName(text); ok {
		return nil
	}
	if n := utf8.RuneCountInString(text); n == 0 || n > unreal.MaxName || strings.ContainsRune(text, 0) {
		return schema.Errorf(objectName, schema.ErrLimit, property, "%q has %d characters: a name has 1 to %d", text, n, unreal.MaxName)
	}
	return nil
}

// checkProperties reports what is added to an object, or edited in it, and lost in the game, which says nothing of it:
// a property that stands twice, and one of another type than elsewhere.
func (a *archive) checkProperties(path string, was, now []RecordProperty) {
	seen := map[string]bool{}
	for i := range now {
		r := &now[i]
		place := strings.TrimSuffix(fmt.Sprintf("%s(%d)", r.Name, r.Index), "(0)")
		key := strings.ToLower(place)
		if seen[key] && !slices.ContainsFunc(was, func(q RecordProperty) bool { return sameProperty(q, *r) }) {
			a.Env.Told().Warnf("property-twice", path, "%s stands there twice: the game takes the last one", place)
		}
		seen[key] = true
		if slices.ContainsFunc(was, func(q RecordProperty) bool { return q.Type == r.Type && strings.EqualFold(q.Name, r.Name) }) {
			continue
		}
		if types := a.usedTypes(r.Name); len(types) > 0 && !slices.Contains(types, r.Type) {
			a.Env.Told().Warnf("property-type", path, "%s is %s here, and %s in other objects of the package: the game passes over a value of another type", r.Name, r.Type, strings.Join(types, " or "))
		}
	}
}
