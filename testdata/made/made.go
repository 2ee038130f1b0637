// Package made fills values with something in every field, so that tests can write them, read them again and hold them
// side by side: a field that a reader or a writer forgets, or takes for another, shows.
package made

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
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

// Vary calls do for v as it is, and with one of the fields that it leads to changed, for each field and several values:
// lists and texts that are empty, shorter, longer and too long for counts of 8 and 16 bits, numbers at their limits,
// pointers to nothing. Of a list the first and the last element are taken, of an
// array the first eight and the last, and fields of the names left out are left alone. It leaves v as it was.
func Vary(v any, do func(what string), except ...string) {
	do("as it is")
	varier{do, except}.vary("", reflect.ValueOf(v).Elem())
}

type varier struct {
	do     func(what string)
	except []string
}

func (r varier) vary(at string, v reflect.Value) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	try := func(what string, x reflect.Value) {
		v.Set(x.Convert(v.Type()))
		r.do(at + " " + what)
		v.Set(was)
	}
	switch v.Kind() {
	case reflect.Bool:
		try("flipped", reflect.ValueOf(!v.Bool()))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		low := int64(-1) << min(v.Type().Bits()-1, 40)
		for _, x := range []int64{0, -1, low, -(low + 1), v.Int() + 1} {
			try(fmt.Sprint("is ", x), reflect.ValueOf(x))
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		high := uint64(1) << (v.Type().Bits() - 1)
		for _, x := range []uint64{0, high, high | (high - 1), v.Uint() + 1} {
			try(fmt.Sprint("is ", x), reflect.ValueOf(x))
		}
	case reflect.Float32, reflect.Float64:
		for _, x := range []float64{0, -1e30, math.Inf(1), math.NaN()} {
			try(fmt.Sprint("is ", x), reflect.ValueOf(x))
		}
	case reflect.String:
		for _, x := range []string{"", strings.Repeat("x", 300), strings.Repeat("x", 1<<16), "é\u0416", v.String() + "\x00z"} {
			try(fmt.Sprintf("is %.5q of %d", x, len(x)), reflect.ValueOf(x))
		}
	case reflect.Slice:
		r.slice(at, v, try)
	case reflect.Array:
		for i := range v.Len() {
			if i < 8 || i == v.Len()-1 {
				r.vary(fmt.Sprint(at, "[", i, "]"), v.Index(i))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			if !strings.HasSuffix(at, "]") { // lists have no holes
				try("is nil", reflect.Zero(v.Type()))
			}
			r.vary(at, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && !slices.Contains(r.except, field.Name) {
				r.vary(at+"."+field.Name, v.Field(i))
			}
		}
	}
}

func (r varier) slice(at string, v reflect.Value, try func(what string, x reflect.Value)) {
	n := v.Len()
	if n == 0 {
		return
	}
	try("is nil", reflect.Zero(v.Type()))
	try("is shorter", v.Slice3(0, n-1, n-1))
	for _, size := range []int{n + 1, 1 << 8, 1 << 16} {
		x := reflect.MakeSlice(v.Type(), size, size)
		for i := range size {
			x.Index(i).Set(v.Index(min(i, n-1)))
		}
		try(fmt.Sprint("has ", size), x)
	}
	r.vary(at+"[0]", v.Index(0))
	if n > 1 {
		r.vary(at+"[last]", v.Index(n-1))
	}
}
