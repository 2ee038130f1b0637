package pack

import (
	"reflect"
	"strconv"
	"strings"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema/unreal"
)

// Stored objects name others, and themselves have names, by numbers that mean something in their own package alone. With the words
// for these numbers, another package can take the stored bytes.

// maxNumber bounds the tables that [File.Foreign] makes: those of packages with meshes are far smaller.
const maxNumber = 1 << 16

// Symbols returns the words for the numbers in an object, and where it was stored; nil for an object with properties, in whose
// values numbers lie unmarked.
func Symbols(o unreal.AnyObject) map[string]any {
	base := o.Base()
	if len(base.Properties) > 0 || base.Frame != nil || len(base.Tail) > 0 {
		return nil
	}
	p := base.Package
	names, objects := map[string]any{}, map[string]any{}
	eachNumber(reflect.ValueOf(o), func(n unreal.NameIndex) unreal.NameIndex {
		names[strconv.Itoa(int(n))] = p.Name(n)
		return n
	}, func(r unreal.Ref) unreal.Ref {
		if r != 0 {
			objects[strconv.Itoa(int(r))] = p.RefText(r)
		}
		return r
	})
	return map[string]any{"version": float64(p.Version), "licensee": float64(p.Licensee), "offset": float64(base.Offset), "names": names, "objects": objects}
}

// IsText reports whether a table of names can hold a text. Bones have names that no object could have.
func IsText(name string) bool { return len(name) <= unreal.MaxName && !strings.ContainsRune(name, 0) }

// words are what [Symbols] returned, in tables that are large enough for the numbers.
type words struct {
	pkg     *unreal.Package
	offset  int32
	names   map[unreal.NameIndex]string
	objects map[unreal.Ref]string
}

// wordsOf reads what [Symbols] returned; nil where it makes no sense.
func wordsOf(symbols any) *words {
	m, _ := symbols.(map[string]any)
	version, ok1 := Whole32(m["version"])
	licensee, ok2 := Whole32(m["licensee"])
	offset, ok3 := Whole32(m["offset"])
	if !ok1 || !ok2 || !ok3 {
		return nil
	}
	w := &words{&unreal.Package{Version: uint16(version), Licensee: uint16(licensee)}, offset, map[unreal.NameIndex]string{}, map[unreal.Ref]string{}}
	names, _ := m["names"].(map[string]any)
	for number, v := range names {
		n, err := strconv.Atoi(number)
		text, ok := v.(string)
		if err != nil || !ok || n < 0 || n >= maxNumber || !IsText(text) {
			return nil
		}
		w.names[unreal.NameIndex(n)] = text
		w.pkg.Names = append(w.pkg.Names, make([]unreal.Name, max(0, n+1-len(w.pkg.Names)))...)
		w.pkg.Names[n].Text = text
	}
	objects, _ := m["objects"].(map[string]any)
	for number, v := range objects {
		n, err := strconv.Atoi(number)
		text, ok := v.(string)
		if err != nil || !ok || n <= -maxNumber || n >= maxNumber {
			return nil
		}
		w.objects[unreal.Ref(n)] = text
		w.pkg.Exports = append(w.pkg.Exports, make([]unreal.Export, max(0, n-len(w.pkg.Exports)))...)
		w.pkg.Imports = append(w.pkg.Imports, make([]unreal.Import, max(0, -n-len(w.pkg.Imports)))...)
	}
	return w
}

// Foreign decodes the stored bytes of an object of another package for this one, with what [Symbols] returned of it. What it names
// is what find returns for the words. It is nil where the bytes mean nothing here.
func (f *File) Foreign(b []byte, class string, symbols any, find func(text string) unreal.Ref) unreal.AnyObject {
	w := wordsOf(symbols)
	if w == nil || w.pkg.Version != f.Version || w.pkg.Licensee != f.Licensee {
		return nil // another version may store it otherwise
	}
	o, err := read.Object(b, &unreal.Context{Package: w.pkg, Class: class, Offset: int64(w.offset)}, nil)
	if err != nil || Symbols(o) == nil || !w.knows(o) {
		return nil
	}
	f.adopt(o, func(n unreal.NameIndex) string { return w.names[n] }, func(r unreal.Ref) unreal.Ref { return find(w.objects[r]) })
	return o
}

// Adopt gives an object of another package the numbers that its words have in this one. What this one lacks, it does not name; its
// properties, in whose values numbers lie unmarked, stay behind.
func (f *File) Adopt(o unreal.AnyObject, owner *File) {
	base := o.Base()
	base.Properties, base.Frame, base.Tail = nil, nil, nil
	f.adopt(o, owner.Name, func(r unreal.Ref) unreal.Ref {
		own, _ := f.FindRef(owner.RefText(r))
		return own
	})
}

func (f *File) adopt(o unreal.AnyObject, name func(unreal.NameIndex) string, find func(unreal.Ref) unreal.Ref) {
	eachNumber(reflect.ValueOf(o), func(n unreal.NameIndex) unreal.NameIndex { return f.AddName(name(n)) }, func(r unreal.Ref) unreal.Ref {
		if r == 0 {
			return 0
		}
		return find(r)
	})
	o.Base().Odd = nil // forms of the old numbers
	o.Base().Context = &unreal.Context{Package: f.Package, Class: o.Base().Class}
}

// knows reports whether there are words for all numbers in an object.
func (w *words) knows(o unreal.AnyObject) bool {
	whole := true
	eachNumber(reflect.ValueOf(o), func(n unreal.NameIndex) unreal.NameIndex {
		_, ok := w.names[n]
		whole = whole && ok
		return n
	}, func(r unreal.Ref) unreal.Ref {
		_, ok := w.objects[r]
		whole = whole && (ok || r == 0)
		return r
	})
	return whole
}

// eachNumber puts what name and ref return in place of the numbers in a value.
func eachNumber(v reflect.Value, name func(unreal.NameIndex) unreal.NameIndex, ref func(unreal.Ref) unreal.Ref) {
	switch t := v.Type(); {
	case !hasNumbers(t):
	case t == reflect.TypeFor[unreal.NameIndex]():
		v.Set(reflect.ValueOf(name(v.Interface().(unreal.NameIndex))))
	case t == reflect.TypeFor[unreal.Ref]():
		v.Set(reflect.ValueOf(ref(v.Interface().(unreal.Ref))))
	case t.Kind() == reflect.Struct:
		for i := range v.NumField() {
			eachNumber(v.Field(i), name, ref)
		}
	case t.Kind() == reflect.Slice:
		for i := range v.Len() {
			eachNumber(v.Index(i), name, ref)
		}
	default: // a pointer to the object itself
		eachNumber(v.Elem(), name, ref)
	}
}

// hasNumbers reports whether values of a type can hold numbers of names and objects. Where an object is, and in which state, is no
// part of its value.
func hasNumbers(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[unreal.NameIndex](), reflect.TypeFor[unreal.Ref]():
		return true
	case reflect.TypeFor[*unreal.Context](), reflect.TypeFor[*unreal.StateFrame](), reflect.TypeFor[[]unreal.Property]():
		return false
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return hasNumbers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasNumbers(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
