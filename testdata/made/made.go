// Package made fills values with something in every field, so that tests can write them, read them again and hold them
// side by side: a field that a reader or a writer forgets, or takes for another, shows.
package made

import (
	"fmt"
	"reflect"
	"slices"
)

// Fill sets every exported field that v points to: numbers count up, slices get two elements, strings and bytes are all
// different. Fields of the given names, interfaces and functions stay as they are.
func Fill(v any, except ...string) {
	f := filler{except: except}
	f.fill(reflect.ValueOf(v).Elem())
}

type filler struct {
	n      int
	except []string
}

func (f *filler) next() int {
	f.n++
	return f.n
}

func (f *filler) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(int64(f.next() % 100))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		v.SetUint(uint64(f.next() % 200))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(f.next()) / 4)
	case reflect.String:
		v.SetString(fmt.Sprint("text ", f.next()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			f.fill(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if field.IsExported() && !slices.Contains(f.except, field.Name) {
				f.fill(v.Field(i))
			}
		}
	}
}

// Each calls do for every value of a type that v leads to.
func Each[T any](v any, do func(*T)) { each(reflect.ValueOf(v), do) }

func each[T any](v reflect.Value, do func(*T)) {
	if v.CanAddr() {
		if !v.Addr().CanInterface() {
			return
		}
		if x, ok := v.Addr().Interface().(*T); ok {
			do(x)
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			each(v.Elem(), do)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			each(v.Index(i), do)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			each(v.Field(i), do)
		}
	}
}

// Differences names the fields in which two values differ.
func Differences(a, b any) []string {
	return differences("", reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
}

func differences(at string, a, b reflect.Value) (list []string) {
	if reflect.DeepEqual(a.Interface(), b.Interface()) {
		return nil
	}
	if a.Kind() == reflect.Struct {
		for i := range a.NumField() {
			if field := a.Type().Field(i); field.IsExported() {
				list = append(list, differences(at+"."+field.Name, a.Field(i), b.Field(i))...)
			}
		}
		return list
	}
	return []string{fmt.Sprintf("%s: %+v became %+v", at, a.Interface(), b.Interface())}
}
