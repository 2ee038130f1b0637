package made

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Change is one thing that is done to a value, and undone.
type Change struct {
	What     string
	Do, Undo func()
}

// Changes are those of everything that v leads to, each with what a person or another program might have done to it: gone,
// empty, doubled, out of order, a little more. What several fields lead to is met once. Of changes at the same place of a type the
// first and the last are taken; with named, things that have names are places of their own.
func Changes(v any, named bool) []Change {
	c := changer{named: named, seen: map[any]bool{}, places: map[string][]Change{}}
	c.change("", "", reflect.ValueOf(v))
	var list []Change
	for _, place := range c.order {
		all := c.places[place]
		list = append(list, all[0])
		if len(all) > 1 {
			list = append(list, all[len(all)-1])
		}
	}
	return list
}

type changer struct {
	named  bool
	seen   map[any]bool
	places map[string][]Change
	order  []string
}

// try adds a change: v becomes x.
func (c *changer) try(place, at, what string, v, x reflect.Value) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	c.add(place, at, what, func() { v.Set(x) }, func() { v.Set(was) })
}

func (c *changer) add(place, at, what string, do, undo func()) {
	place += " " + what
	if c.places[place] == nil {
		c.order = append(c.order, place)
	}
	c.places[place] = append(c.places[place], Change{at + " " + what, do, undo})
}

// change adds those of v, which stands at a place of its type, and at a path of the value.
func (c *changer) change(place, at string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		c.pointer(place, at, v)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				c.change(place+"."+f.Name, at+"."+f.Name, v.Field(i))
			}
		}
	case reflect.Slice:
		c.slice(place, at, v)
	case reflect.Array:
		for i := range min(v.Len(), 4) {
			c.change(place+fmt.Sprint("[", i, "]"), fmt.Sprint(at, "[", i, "]"), v.Index(i))
		}
	case reflect.Map:
		c.table(place, at, v)
	case reflect.Interface:
		c.held(place, at, v)
	default:
		if v.CanSet() {
			for what, x := range others(v) {
				c.try(place, at, what, v, x)
			}
		}
	}
}

// held adds the changes of what an interface holds.
func (c *changer) held(place, at string, v reflect.Value) {
	if v.IsNil() || !v.CanSet() {
		return
	}
	x := v.Elem()
	for what, other := range others(x) {
		c.try(place, at, what, v, other)
	}
	if x.Kind() == reflect.Slice && x.Len() > 0 {
		c.try(place, at, "is shorter", v, x.Slice3(0, x.Len()-1, x.Len()-1))
	}
	if x.Kind() == reflect.Map || x.Kind() == reflect.Slice {
		c.try(place, at, "is a number", v, reflect.ValueOf(7.5))
		c.change(place, at, x)
	}
}

func (c *changer) pointer(place, at string, v reflect.Value) {
	if v.IsNil() || c.seen[v.Interface()] {
		return
	}
	c.seen[v.Interface()] = true
	if v.CanSet() && !strings.HasSuffix(at, "]") { // lists have no holes
		c.try(place, at, "is nil", v, reflect.Zero(v.Type()))
	}
	if v.Elem().Kind() == reflect.Struct { // wherever it stands it is of that type
		if place = v.Elem().Type().Name(); c.named {
			place = at
		}
	}
	c.change(place, at, v.Elem())
}

// others yields values that v might have instead: what is done, and the value.
func others(v reflect.Value) func(yield func(string, reflect.Value) bool) {
	var list []any
	switch v.Kind() {
	case reflect.Bool:
		list = []any{!v.Bool()}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		list = []any{0, v.Int() + 1, -1 - v.Int()}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		list = []any{0, v.Uint() + 1, v.Uint() ^ 0x80}
	case reflect.Float32, reflect.Float64:
		list = []any{0, v.Float() + 0.25, -2 * v.Float(), math.Inf(1)}
	case reflect.String:
		list = []any{"", v.String() + "x", strings.ToUpper(v.String()), "other"}
	}
	return func(yield func(string, reflect.Value) bool) {
		for i, x := range list {
			x := reflect.ValueOf(x)
			if x = x.Convert(v.Type()); !x.Equal(v) && !yield(fmt.Sprint("is other ", i), x) {
				return
			}
		}
	}
}

func (c *changer) slice(place, at string, v reflect.Value) {
	n := v.Len()
	if n == 0 {
		return
	}
	if v.CanSet() {
		c.try(place, at, "is nil", v, reflect.Zero(v.Type()))
		c.try(place, at, "is shorter", v, v.Slice3(0, n-1, n-1))
		c.try(place, at, "is longer", v, reflect.AppendSlice(copyOf(v), v.Slice(n-1, n)))
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		c.bytes(place, at, v)
		return
	}
	if n > 1 && v.CanSet() {
		turned := copyOf(v)
		reflect.Swapper(turned.Interface())(0, n-1)
		c.try(place, at, "has its ends swapped", v, turned)
		c.try(place, at, "lacks the first", v, v.Slice3(1, n, n))
	}
	simple := v.Type().Elem().Kind() < reflect.Array
	for i := range n {
		if simple && i > 0 && i < n-1 || i > 50 && i < n-50 {
			continue
		}
		path := fmt.Sprint(at, "[", i, "]")
		if name := nameOf(v.Index(i)); c.named && name != "" {
			path = at + "[" + name + "]"
		}
		c.change(place+"[]", path, v.Index(i))
	}
}

func copyOf(v reflect.Value) reflect.Value {
	return reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()+1), v)
}

// nameOf returns the field Name of a thing, if it has one.
func nameOf(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() == reflect.Struct {
		if name := v.FieldByName("Name"); name.IsValid() && name.Kind() == reflect.String {
			return name.String()
		}
	}
	return ""
}

// bytes adds changes of single words.
func (c *changer) bytes(place, at string, v reflect.Value) {
	n := v.Len()
	for _, i := range slices.Compact([]int{0, 3, n / 8 * 4, n/8*4 + 2, n / 2, n - 4, n - 1}) {
		if i < 0 || i >= n {
			continue
		}
		x := copyOf(v)
		x.Index(i).SetUint(x.Index(i).Uint() ^ 1<<(i%7))
		c.try(fmt.Sprint(place, "[", i, "]"), fmt.Sprint(at, "[", i, "]"), "is changed", v, x)
	}
	if n > 1 && v.CanSet() {
		c.try(place, at, "is half", v, v.Slice3(0, n/2, n/2))
	}
}

// table adds changes of what a map has: gone, or another.
func (c *changer) table(place, at string, v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	for _, k := range keys {
		was := v.MapIndex(k)
		back := func() { v.SetMapIndex(k, was) }
		here := func(s string) string { return fmt.Sprint(s, "[", k, "]") }
		c.add(here(place), here(at), "is gone", func() { v.SetMapIndex(k, reflect.Value{}) }, back)
		x := was
		if x.Kind() == reflect.Interface {
			x = x.Elem()
		}
		for what, other := range others(x) {
			c.add(here(place), here(at), what, func() { v.SetMapIndex(k, other) }, back)
		}
		if x.Kind() == reflect.Map || x.Kind() == reflect.Slice {
			c.change(here(place), here(at), x)
		}
	}
	if v.CanSet() && len(keys) > 0 {
		c.try(place, at, "is nil", v, reflect.Zero(v.Type()))
	}
}

// Copy returns a copy of all that v leads to. What several fields lead to is one thing in the copy as well; what is not
// exported is shared.
func Copy[T any](v T) T {
	return deepen(reflect.ValueOf(v), map[any]reflect.Value{}).Interface().(T)
}

func deepen(v reflect.Value, made map[any]reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		return deepenPointer(v, made)
	case reflect.Interface:
		if !v.IsNil() {
			x := reflect.New(v.Type()).Elem()
			x.Set(deepen(v.Elem(), made))
			return x
		}
	case reflect.Struct:
		x := reflect.New(v.Type()).Elem()
		x.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				x.Field(i).Set(deepen(v.Field(i), made))
			}
		}
		return x
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		x := copyOf(v)
		if x.Type().Elem().Kind() >= reflect.Array && x.Type().Elem().Kind() != reflect.String {
			for i := range x.Len() {
				x.Index(i).Set(deepen(v.Index(i), made))
			}
		}
		return x
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		x := reflect.MakeMap(v.Type())
		for _, k := range v.MapKeys() {
			x.SetMapIndex(k, deepen(v.MapIndex(k), made))
		}
		return x
	}
	return v
}

func deepenPointer(v reflect.Value, made map[any]reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	if x, ok := made[v.Interface()]; ok {
		return x
	}
	x := reflect.New(v.Type().Elem())
	made[v.Interface()] = x
	x.Elem().Set(deepen(v.Elem(), made))
	return x
}
