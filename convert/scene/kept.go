package scene

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Kept reads the values of a Native, which a person may have edited, back into fields. The values may have gone through
// JSON and an editor, so a number may have any type, true may be 1, and a whole number may be a float. A value that its
// field cannot hold is an error and is not cut to size. The first error is kept, see [Kept.Err].
//
// [Fields] uses it.
type Kept struct {
	format, path string
	now, was     map[string]any
	err          error
}

// KeptOf returns a reader of the values of a Native of the named format. It has no values if n has another format or is
// nil. path names their owner in errors. was holds the values as they were written: if a value equals the one in was, its
// field keeps its bits, which JSON may not express, as with NaN. If was is nil, every value is taken.
func KeptOf(format, path string, n *asset.Native, was map[string]any) *Kept {
	k := &Kept{format: format, path: path, was: was}
	if n != nil && n.Format == format {
		k.now = n.Values
	}
	return k
}

// Err returns the first error. It names the field, its value, and its range.
func (k *Kept) Err() error { return k.err }

// fail keeps an error about a value.
func (k *Kept) fail(key, msg string, args ...any) {
	if k.err != nil {
		return
	}
	k.err = schema.Errorf(k.format, schema.ErrValue, key, msg, args...)
	if k.path != "" {
		k.err = schema.In(k.path, k.err)
	}
}

// Has reports whether there is a value under a key that is not null.
func (k *Kept) Has(key string) bool { return k.now[key] != nil }

// Edited reports whether there is a value that differs from the one that was written.
func (k *Kept) Edited(key string) bool {
	v, there := k.now[key]
	return there && (k.was == nil || v == nil || !SameKept(k.was[key], v))
}

// SameKept reports whether two values are equal apart from what JSON and editors change: it compares numbers to a
// millionth, booleans with 1 and 0, and lists and objects by their elements.
func SameKept(was, now any) bool {
	if a, ok := Number(was); ok {
		b, ok := Number(now)
		return ok && (a == b || math.Abs(a-b) <= 1e-6*max(1, math.Abs(a)))
	}
	if a, ok := elements(was); ok {
		b, ok := elements(now)
		if _, single := Number(now); single && !ok {
			b, ok = []any{now}, true
		}
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !SameKept(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	switch a := was.(type) {
	case nil:
		return now == nil
	case string:
		b, ok := now.(string)
		return ok && a == b
	case map[string]any:
		b, ok := now.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key := range a {
			if _, there := b[key]; !there || !SameKept(a[key], b[key]) {
				return false
			}
		}
		return true
	}
	return false
}

// Number converts a value that is a number or a boolean to a number.
func Number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case float32:
		return float64(v), true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case int32:
		return float64(v), true
	case uint32:
		return float64(v), true
	case uint64:
		return float64(v), true
	case json.Number:
		x, err := v.Float64()
		return x, err == nil
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// Numbers returns a value that is a list of numbers or a single number as a list; nil for any other value.
func Numbers(v any) []float64 {
	if x, ok := Number(v); ok {
		return []float64{x}
	}
	list, ok := elements(v)
	if !ok {
		return nil
	}
	out := make([]float64, len(list))
	for i, e := range list {
		if out[i], ok = Number(e); !ok {
			return nil
		}
	}
	return out
}

// Whole returns a value that is a whole number from 0 to 2³¹ − 1, and −1 for any other. It is meant for identifying
// numbers, which nobody edits.
func Whole(v any) int {
	if x, ok := Number(v); ok && x >= 0 && x <= math.MaxInt32 && x == math.Trunc(x) {
		return int(x)
	}
	return -1
}

// List converts numbers to a JSON value. Infinities and NaN become 0, since JSON cannot express them.
func List[T Field](list []T) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = Finite(float64(x))
	}
	return out
}

// Finite returns x, or 0 if it is infinite or NaN.
func Finite(x float64) float64 {
	if x-x != 0 {
		return 0
	}
	return x
}

func elements(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case []float64:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = x
		}
		return out, true
	}
	return nil, false
}

// Field is the type of a field that holds a number.
type Field interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~float32 | ~float64
}

// spanOf returns the least and the greatest number that a type holds, and whether it holds whole ones only.
func spanOf(t reflect.Type) (low, high float64, whole bool) {
	switch t.Kind() {
	case reflect.Float64:
		return -math.MaxFloat64, math.MaxFloat64, false
	case reflect.Float32:
		return -math.MaxFloat32, math.MaxFloat32, false
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return 0, math.Ldexp(1, t.Bits()) - 1, true
	default:
		bits := min(t.Bits(), 54) // beyond that floats skip numbers
		return -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1) - 1, true
	}
}

// holds reports whether a value is a number in a range, and keeps an error for one that is not.
func (k *Kept) holds(key string, v any, low, high float64, whole bool) bool {
	x, ok := Number(v)
	if ok && x >= low && x <= high && (!whole || x == math.Trunc(x)) {
		return true
	}
	kind := "number"
	if whole {
		kind = "whole number"
	}
	k.fail(key, "%s is no %s from %s to %s", show(v), kind, show(low), show(high))
	return false
}

// show returns a value as a person would write it.
func show(v any) string {
	x, ok := Number(v)
	switch {
	case ok && x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return fmt.Sprintf("%.0f", x)
	case ok:
		return fmt.Sprintf("%g", x)
	}
	switch s := v.(type) {
	case string:
		return fmt.Sprintf("%q", s)
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

// truth returns a truth value, which many editors know as 1 and 0 only.
func (k *Kept) truth(key string, v any) (value, ok bool) {
	x, ok := Number(v)
	if !ok || x != 0 && x != 1 {
		k.fail(key, "%s is neither true nor false", show(v))
		return false, false
	}
	return x != 0, true
}

// IsSpoiled reports whether an editor has turned usher's object in the properties of a node or material into text. Blender
// does so if a single value in it does not fit its own properties.
func IsSpoiled(extras map[string]any) bool {
	s, ok := extras["usher"].(string)
	return ok && strings.HasPrefix(s, "{'")
}
