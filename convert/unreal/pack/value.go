package pack

import (
	"encoding/binary"
	"encoding/hex"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// RecordFormat is the name of the format of objects shown as records.
const RecordFormat = "unreal-object"

// LastName returns the last name of an object's path.
func LastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// CleanName returns a valid object name made from the first text that has letters or digits.
func CleanName(names ...string) string {
	for _, n := range names {
		var b []byte
		for _, r := range n {
			if r < 0x80 && unreal.CheckName(string(r)) == nil {
				b = append(b, byte(r))
			}
		}
		if len(b) > 0 {
			return string(b[:min(len(b), unreal.MaxName)])
		}
	}
	return "Skin"
}

// Native returns a Native with the stored bytes of an object.
func Native(format string, o unreal.AnyObject) (*asset.Native, error) {
	b, err := write.Object(o)
	if err != nil {
		return nil, err
	}
	return &asset.Native{Format: format, Values: scene.ForReading(map[string]any{"class": o.Base().Class}), Payload: b}, nil
}

// CheckKeys returns an error for unknown keys. It suggests the nearest known one.
func CheckKeys(m map[string]any, path string, known ...string) error {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(known, key) {
			return CheckNear(path, key, known...)
		}
	}
	return nil
}

// CheckValues returns an error for values of a sidecar that its format does not know.
func CheckValues(n *asset.Native, name string, known ...string) error {
	if n == nil || n.Format != name {
		return nil
	}
	return CheckKeys(n.Values, "Native.Values", append(known, scene.ReadOnly)...)
}

// CheckNear returns an error for an unknown word. It suggests the nearest known one.
func CheckNear(field, word string, known ...string) error {
	if near := schema.Nearest(word, slices.Values(known)); near != "" {
		return schema.Errorf(RecordFormat, schema.ErrValue, field, "there is no %q; did you mean %q?", word, near)
	}
	return schema.Errorf(RecordFormat, schema.ErrValue, field, "there is no %q", word)
}

// Number returns a JSON number.
func Number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	}
	return 0, false
}

// Float32 returns a JSON number that 32 bits hold.
func Float32(v any) (float32, bool) {
	x, ok := Number(v)
	return float32(x), ok && math.Abs(x) <= math.MaxFloat32
}

// Whole32 returns a JSON number that is whole and in the range of int32.
func Whole32(v any) (int32, bool) {
	x, ok := Number(v)
	if !ok || x != math.Trunc(x) || x < math.MinInt32 || x > math.MaxInt32 {
		return 0, false
	}
	return int32(x), true
}

// FloatValue returns a float as a JSON value. A float that is not a number is represented by its bits.
func FloatValue(bits uint32) any {
	f := float64(math.Float32frombits(bits))
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return map[string]any{"hex": hex.EncodeToString(binary.LittleEndian.AppendUint32(nil, bits))}
	}
	return f
}

// SameValue reports whether two JSON values are equal: numbers by value, and missing lists like empty ones.
func SameValue(a, b any) bool {
	switch x := a.(type) { // the types that records show
	case string:
		if y, ok := b.(string); ok {
			return x == y
		}
	case int64:
		if y, ok := b.(int64); ok && x == y {
			return true
		}
	case float64:
		if y, ok := b.(float64); ok && x == y {
			return true
		}
	case bool:
		if y, ok := b.(bool); ok {
			return x == y
		}
	case []string:
		if y, ok := b.([]string); ok {
			return slices.Equal(x, y)
		}
	case []any:
		if y, ok := b.([]any); ok {
			return slices.EqualFunc(x, y, SameValue)
		}
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			return maps.EqualFunc(x, y, SameValue)
		}
	}
	return reflect.DeepEqual(plain(reflect.ValueOf(a)), plain(reflect.ValueOf(b)))
}

// plain returns a value in the types of JSON.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return plain(v.Elem())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return float64(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return float64(v.Uint())
	case reflect.Float32, reflect.Float64:
		return v.Float()
	case reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			list = append(list, plain(v.Index(i)))
		}
		return list
	case reflect.Map:
		m := map[string]any{}
		for _, k := range v.MapKeys() {
			m[k.String()] = plain(v.MapIndex(k))
		}
		return m
	case reflect.Struct:
		m := map[string]any{}
		for i := range v.NumField() {
			m[v.Type().Field(i).Name] = plain(v.Field(i))
		}
		return m
	case reflect.Invalid:
		return nil
	}
	return v.Interface()
}
