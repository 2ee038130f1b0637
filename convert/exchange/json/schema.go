package json

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
)

// Schema writes the JSON Schema (draft 2020-12) of the documents that EncodeDocument writes for values of v's type.
func Schema(w io.Writer, format, title string, v any) error {
	s := schemas{defs: map[string]any{}, names: map[reflect.Type]string{}}
	value := s.of(reflect.TypeOf(v))
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                title,
		"type":                 "object",
		"required":             []string{"usher", "value"},
		"additionalProperties": false,
		"properties":           map[string]any{"usher": map[string]any{"const": format}, "codepage": map[string]any{"type": "string"}, "value": value},
		"$defs":                s.defs,
	})
}

// schemas collects those of structs, which may contain each other.
type schemas struct {
	defs  map[string]any
	names map[reflect.Type]string
}

type object = map[string]any

func (s *schemas) of(t reflect.Type) object {
	if t == nil {
		return object{}
	}
	info := infoOf(t)
	if info.text {
		return object{"type": []string{"string", "integer"}}
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		bits := t.Bits() - 1
		return object{"type": "integer", "minimum": int64(-1) << bits, "maximum": uint64(1)<<bits - 1}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "minimum": 0, "maximum": uint64(math.MaxUint64) >> (64 - t.Bits())}
	case reflect.Float32, reflect.Float64:
		return object{"anyOf": []object{{"type": "number"}, {"type": "string", "pattern": "^(-?inf|nan:0x[0-9a-f]+)$"}}}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Struct:
		return s.structure(t, info)
	case reflect.Slice:
		if info.bytes {
			return object{"type": "string", "contentEncoding": "base64"}
		}
		return object{"type": "array", "items": s.element(t.Elem())}
	case reflect.Array:
		if info.hex {
			return object{"type": "string", "pattern": fmt.Sprintf("^[0-9a-fA-F]{%d}$", 2*t.Len())}
		}
		return object{"type": "array", "items": s.element(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.element(t.Elem())}
	case reflect.Pointer:
		return s.of(t.Elem())
	}
	return object{} // of any kind
}

// element is what a list or a map holds, which may be nothing where it is a pointer, a list or a map itself.
func (s *schemas) element(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return object{"anyOf": []object{s.of(t), {"type": "null"}}}
	}
	return s.of(t)
}

func (s *schemas) structure(t reflect.Type, info *typeInfo) object {
	name, known := s.names[t]
	if !known {
		name = t.Name()
		for n := 2; name == "" || s.defs[name] != nil; n++ {
			name = fmt.Sprintf("%s%d", strings.TrimRight(t.Name()+"Value", "0123456789"), n)
		}
		s.names[t] = name
		s.defs[name] = object{} // taken
		properties, required := object{}, []string{}
		for _, f := range info.fields {
			if properties[f.name] = s.of(t.Field(f.index).Type); !f.optional {
				required = append(required, f.name)
			}
		}
		s.defs[name] = object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	return object{"$ref": "#/$defs/" + name}
}
