package scene

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema/asset"
)

// Fields maps names of values in a Native to the fields that they show. Each element points to a field of the stored
// structure (a number, a boolean or text), or is a slice of numbers. The same map works both ways: [Fields.Values] returns
// the values, and [Fields.Take] sets fields to edited values and refuses what a field cannot hold.
//
//	fields := scene.Fields{"flags": &m.Flags, "colorOp": m.ColorOp[:], scene.ReadOnly: map[string]any{"material": i}}
//
// Values below [ReadOnly] are written, but never taken.
type Fields map[string]any

// ReadOnly is the name of the object that holds the read-only values of a Native: those that identify a thing, and those
// that are derived from other data. [Shown] reads them.
const ReadOnly = "readonly"

// Shown returns a read-only value, or nil. In files of earlier versions it stands among the other values.
func Shown(n *asset.Native, key string) any {
	if n == nil {
		return nil
	}
	if list, ok := n.Values[ReadOnly].(map[string]any); ok {
		if v, there := list[key]; there {
			return v
		}
	}
	return n.Values[key]
}

// ShownWhole returns a read-only whole number, or otherwise if there is none.
func ShownWhole(n *asset.Native, key string, otherwise int) int {
	if i, ok := Integer(Shown(n, key)); ok {
		return i
	}
	return otherwise
}

// ShownText returns a read-only text, or "" if there is none.
func ShownText(n *asset.Native, key string) string {
	s, _ := Shown(n, key).(string)
	return s
}

// SetShown adds a read-only value.
func SetShown(n *asset.Native, key string, v any) {
	if n.Values == nil {
		n.Values = map[string]any{}
	}
	list, ok := n.Values[ReadOnly].(map[string]any)
	if !ok {
		list = map[string]any{}
		n.Values[ReadOnly] = list
	}
	list[key] = v
}

// ForReading returns the values of a Native that has read-only values only.
func ForReading(values map[string]any) map[string]any { return map[string]any{ReadOnly: values} }

// Spare returns a reduced copy of a Native to store in a second place, which is read if the first one was lost. It contains
// no editable values, so that each of those stands in one place.
func Spare(n *asset.Native) *asset.Native {
	spare := &asset.Native{Format: n.Format, Payload: n.Payload}
	if list, ok := n.Values[ReadOnly]; ok {
		spare.Values = map[string]any{ReadOnly: list}
	}
	return spare
}

// Values returns the values of all fields, as they are written to an interchange file.
func (f Fields) Values() map[string]any {
	values := make(map[string]any, len(f))
	for key, field := range f {
		if key == ReadOnly {
			values[key] = field
			continue
		}
		values[key] = valueOf(reflect.Indirect(reflect.ValueOf(field)))
	}
	return values
}

// truth is a stored truth value of more than one form: every one but zero is true, and shown as 1.
type truth interface{ True() bool }

func valueOf(v reflect.Value) any {
	if b, ok := v.Interface().(truth); ok {
		x, _ := Number(b.True())
		return x
	}
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint()) // of 32 bits at most
	case v.CanFloat():
		return Finite(v.Float())
	case v.Kind() != reflect.Slice:
		return v.Interface()
	}
	list := make([]any, v.Len())
	for i := range list {
		list[i] = valueOf(v.Index(i))
	}
	return list
}

// Take sets the fields to the edited values in a Native of the named format; see [KeptOf].
func (f Fields) Take(format, path string, n *asset.Native) error {
	k := KeptOf(format, path, n, f.Values())
	f.take(k)
	return k.Err()
}

// TakeObject is [Fields.Take] for an object inside the values of a Native, such as an element of a list of events. The
// object must have all fields, and no other keys than these and others.
func (f Fields) TakeObject(format, path string, object any, others ...string) error {
	values, ok := object.(map[string]any)
	k := KeptOf(format, path, &asset.Native{Format: format, Values: values}, f.Values())
	if !ok {
		k.fail("", "%s is no object", show(object))
		return k.Err()
	}
	for _, key := range slices.Sorted(maps.Keys(f)) {
		if _, there := values[key]; !there && key != ReadOnly {
			k.fail(key, "is missing")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		switch {
		case f[key] == nil && !slices.Contains(others, key):
			k.fail(key, "there is no such value: %s are known", strings.Join(append(slices.Sorted(maps.Keys(f)), others...), ", "))
		case key == ReadOnly && f[key] != nil && !SameKept(f[key], values[key]):
			k.fail(key, "%s is for reading only, and is %s", show(values[key]), show(f[key]))
		}
	}
	f.take(k)
	return k.Err()
}

func (f Fields) take(k *Kept) {
	for _, key := range slices.Sorted(maps.Keys(f)) {
		now, there := k.now[key]
		if key == ReadOnly || !there {
			continue
		}
		if v := reflect.Indirect(reflect.ValueOf(f[key])); v.Kind() == reflect.Slice {
			k.takeList(key, v)
		} else if !same(v, k.was[key], now) {
			k.set(key, now, v)
		}
	}
}

// same reports whether a value is what was written for a field: to the last digit for whole numbers, else see [SameKept].
func same(field reflect.Value, was, now any) bool {
	if field.CanInt() || field.CanUint() {
		a, ok := Number(was)
		b, isNumber := Number(now)
		return ok && isNumber && a == b
	}
	return now != nil && SameKept(was, now)
}

// takeList gives the elements of a slice those of the list under a key, where they are edited.
func (k *Kept) takeList(key string, fields reflect.Value) {
	list, ok := elements(k.now[key])
	if _, single := Number(k.now[key]); single && fields.Len() == 1 {
		list, ok = []any{k.now[key]}, true
	}
	if !ok || len(list) != fields.Len() {
		k.fail(key, "%s is no list of %d numbers", show(k.now[key]), fields.Len())
		return
	}
	was, _ := elements(k.was[key])
	for i, x := range list {
		if i >= len(was) || !same(fields.Index(i), was[i], x) {
			k.set(fmt.Sprintf("%s[%d]", key, i), x, fields.Index(i))
		}
	}
}

// set gives a field a value.
func (k *Kept) set(key string, now any, field reflect.Value) {
	if _, isTruth := field.Interface().(truth); isTruth || field.Kind() == reflect.Bool {
		if x, ok := k.truth(key, now); ok {
			setTruth(field, x)
		}
		return
	}
	if field.Kind() == reflect.String {
		if s, ok := now.(string); ok {
			field.SetString(s)
		} else {
			k.fail(key, "%s is no text", show(now))
		}
		return
	}
	low, high, whole := spanOf(field.Type())
	if x, _ := Number(now); k.holds(key, now, low, high, whole) {
		field.Set(reflect.ValueOf(x).Convert(field.Type()))
	}
}

func setTruth(field reflect.Value, x bool) {
	if field.Kind() == reflect.Bool {
		field.SetBool(x)
		return
	}
	n, _ := Number(x)
	field.Set(reflect.ValueOf(n).Convert(field.Type()))
}
