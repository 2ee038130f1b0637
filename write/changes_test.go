package write_test

import (
	"fmt"
	"math"
	"reflect"
)

// change is one thing that a caller may do to a value: what, to which field, on which way from the top.
type change struct {
	field string // "freelancer.Hardpoint.Name": the type and the field that hold what is changed
	why   string // the tag of a field that says nothing by itself
	what  string
	way   []int // the index of a field or an element at each step; of a pointer any
	at    string
	do    func(v reflect.Value)
}

// changes lists what may be changed of a value: every exported field of every struct that it leads to, of lists the first
// and the last element.
func changes(v any) []change {
	l := lister{open: map[uintptr]bool{}}
	l.list(reflect.ValueOf(v), holder{}, nil, "")
	return l.found
}

// apply makes the change in a value that was read like the one that it was listed for.
func (c change) apply(v any) {
	x := reflect.ValueOf(v)
	for _, step := range c.way {
		switch x.Kind() {
		case reflect.Pointer, reflect.Interface:
			x = x.Elem()
		case reflect.Struct:
			x = x.Field(step)
		default:
			x = x.Index(step)
		}
	}
	c.do(x)
}

// holder is the field that a value belongs to.
type holder struct{ name, unwritten string }

type lister struct {
	found []change
	open  map[uintptr]bool // pointers on the way
}

func (l *lister) list(v reflect.Value, in holder, way []int, at string) {
	if in.unwritten != "" && v.Kind() == reflect.Pointer && !l.open[v.Pointer()] {
		l.open[v.Pointer()] = true // what it leads to is no part of the value
		defer delete(l.open, v.Pointer())
	}
	add := func(what string, do func(v reflect.Value)) {
		l.found = append(l.found, change{in.name, in.unwritten, what, append([]int(nil), way...), at, do})
	}
	switch v.Kind() {
	case reflect.Bool:
		add("flipped", func(v reflect.Value) { v.SetBool(!v.Bool()) })
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		add("another number", func(v reflect.Value) { v.SetInt(v.Int() ^ 1) })
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		add("another number", func(v reflect.Value) { v.SetUint(v.Uint() ^ 1) })
	case reflect.Float32, reflect.Float64:
		add("another number", func(v reflect.Value) { v.SetFloat(otherFloat(v.Float())) })
	case reflect.String:
		add("longer", func(v reflect.Value) { v.SetString(v.String() + "x") })
		if v.Len() > 0 {
			add("empty", func(v reflect.Value) { v.SetString("") })
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				l.list(v.Field(i), holder{v.Type().String() + "." + f.Name, f.Tag.Get("unwritten")}, append(way, i), at+"."+f.Name)
			}
		}
	case reflect.Array:
		l.elements(v, in, way, at)
	case reflect.Slice:
		if n := v.Len(); n > 0 {
			add("none", func(v reflect.Value) { v.SetZero() })
			add("cut", func(v reflect.Value) { v.Set(v.Slice3(0, n-1, n-1)) })
		}
		add("extended", func(v reflect.Value) { v.Set(reflect.Append(v.Slice3(0, v.Len(), v.Len()), another(v))) })
		l.elements(v, in, way, at)
	case reflect.Pointer, reflect.Interface:
		l.behind(v, in, way, at, add)
	}
}

func (l *lister) elements(v reflect.Value, in holder, way []int, at string) {
	if n := v.Len(); n > 0 {
		l.list(v.Index(0), in, append(way, 0), at+"[0]")
		if n > 1 {
			l.list(v.Index(n-1), in, append(way, n-1), fmt.Sprintf("%s[%d]", at, n-1))
		}
	}
}

func (l *lister) behind(v reflect.Value, in holder, way []int, at string, add func(string, func(reflect.Value))) {
	if v.IsNil() {
		if v.Kind() == reflect.Pointer && v.CanSet() {
			add("made", func(v reflect.Value) {
				v.Set(reflect.New(v.Type().Elem()))
				fill(v.Elem())
			})
		}
		return
	}
	if v.CanSet() {
		add("nil", func(v reflect.Value) { v.SetZero() })
	}
	if v.Kind() == reflect.Interface {
		if v.Elem().Kind() == reflect.Pointer {
			l.list(v.Elem(), in, append(way, 0), at)
		}
		return
	}
	if p := v.Pointer(); !l.open[p] {
		l.open[p] = true
		l.list(v.Elem(), in, append(way, 0), at)
		delete(l.open, p)
	}
}

// another returns one more element for a list: a copy of its last one, or an empty one.
func another(list reflect.Value) reflect.Value {
	e := reflect.New(list.Type().Elem()).Elem()
	if n := list.Len(); n > 0 {
		e.Set(copyOf(list.Index(n - 1)))
	} else if e.Kind() == reflect.Pointer {
		e.Set(reflect.New(e.Type().Elem()))
	} else {
		fill(e)
	}
	return e
}

// fill makes a number one that is not there by chance.
func fill(e reflect.Value) {
	switch {
	case e.CanInt():
		e.SetInt(37)
	case e.CanUint():
		e.SetUint(37)
	case e.CanFloat():
		e.SetFloat(37)
	}
}

// copyOf returns v, of a pointer one to a copy, of which nobody knows where it is yet.
func copyOf(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return v
	}
	c := reflect.New(v.Type().Elem())
	c.Elem().Set(v.Elem())
	for i := range c.Elem().NumField() {
		if f := c.Type().Elem().Field(i); f.Tag.Get("unwritten") != "" && f.Type.Kind() == reflect.Pointer {
			c.Elem().Field(i).SetZero()
		}
	}
	return c
}

// otherFloat returns a number that differs in every width of storage.
func otherFloat(x float64) float64 {
	switch {
	case x == 0 || math.IsNaN(x) || math.IsInf(x, 0):
		return 1
	case math.Abs(x) > 1e30:
		return x / 2
	}
	return x * 2
}
