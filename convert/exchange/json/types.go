package json

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

const name = "json"

// typeInfo is what the walkers need to know of a type.
type typeInfo struct {
	text   bool    // MarshalText and UnmarshalText
	bytes  bool    // []byte
	hex    bool    // [n]byte
	scalar bool    // one word
	flat   bool    // stands on one line
	brief  bool    // does so where what it holds is short: see [Brief]
	fields []field // of structs
	index  map[string]int
	hidden []int // unexported fields
}

// Brief marks structs that are written on one line if all their fields are short: words, short lists, other such structs.
type Brief interface{ Brief() }

// step is one step of a path: a name, or an index when index >= 0.
type step struct {
	name  string
	index int
}

func pathText(path []step) string {
	var b []byte
	for i, s := range path {
		switch {
		case s.index >= 0:
			b = fmt.Appendf(b, "[%d]", s.index)
		case i > 0:
			b = append(append(b, '.'), s.name...)
		default:
			b = append(b, s.name...)
		}
	}
	return string(b)
}

type field struct {
	name     string
	index    int
	optional bool // may be missing
	none     bool // can be none, and is left out then
	list     bool // is always written, if it is empty too
}

var (
	marshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	infos       sync.Map // reflect.Type → *typeInfo
)

func infoOf(t reflect.Type) *typeInfo {
	if s, ok := infos.Load(t); ok {
		return s.(*typeInfo)
	}
	s := makeInfo(t)
	infos.Store(t, s)
	return s
}

// isText reports whether a type is text in JSON. Pointers and interfaces are followed instead.
func isText(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return false
	}
	p := reflect.PointerTo(t)
	return p.Implements(marshaler) && p.Implements(unmarshaler)
}

func isByte(t reflect.Type) bool { return t.Kind() == reflect.Uint8 && !isText(t) }

func makeInfo(t reflect.Type) *typeInfo {
	s := &typeInfo{text: isText(t), brief: t.Implements(reflect.TypeFor[Brief]())}
	if s.text {
		s.scalar, s.flat = true, true
		return s
	}
	switch t.Kind() {
	case reflect.Struct:
		s.structure(t)
	case reflect.Slice:
		s.bytes = isByte(t.Elem())
		s.flat = s.bytes || isScalar(t.Elem())
	case reflect.Array:
		const shortest = 16
		s.hex = isByte(t.Elem())
		s.scalar = s.hex
		// Vectors, quaternions and matrices, also of rows.
		s.flat = isScalar(t.Elem()) || t.Elem().Kind() == reflect.Array && isScalar(t.Elem().Elem()) && t.Len()*t.Elem().Len() <= shortest
	default:
		s.scalar = isScalar(t)
		s.flat = s.scalar
	}
	return s
}

// isScalar reports whether a value is one word of text.
func isScalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return isText(t) || isByte(t.Elem())
	case reflect.Struct, reflect.Slice:
		return isText(t)
	case reflect.Map, reflect.Pointer, reflect.Interface:
		return false
	}
	return true
}

// structure lists the fields. A struct of a few scalars and vectors stands on one line.
func (s *typeInfo) structure(t reflect.Type) {
	const few = 8
	s.index = map[string]int{}
	s.flat = true
	for i := range t.NumField() {
		f := t.Field(i)
		tag, mode, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == "-" {
			continue
		}
		if !f.IsExported() {
			s.hidden = append(s.hidden, i)
			continue
		}
		if tag == "" {
			tag = f.Name
		}
		s.index[tag] = len(s.fields)
		s.fields = append(s.fields, fieldOf(tag, mode, i, f.Type))
		short := f.Type.Kind() == reflect.Array && isScalar(f.Type.Elem()) && f.Type.Len() <= 4
		s.flat = s.flat && (isScalar(f.Type) || short)
	}
	s.flat = s.flat && len(s.fields) <= few
}

// fieldOf returns what is to be known of a field. With "omitzero" or "omitempty" in its tag a number may be missing: zero is meant then. A
// list is always written, so that one that somebody took out is missed, unless its tag says "omitempty".
func fieldOf(name, mode string, index int, t reflect.Type) field {
	f := field{name: name, index: index, optional: mode == "omitzero" || mode == "omitempty"}
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Interface:
		f.optional, f.none = true, true
	case reflect.Slice:
		f.list = mode != "omitempty" && !isByte(t.Elem()) && !isText(t)
		f.optional, f.none = true, true
	}
	return f
}
