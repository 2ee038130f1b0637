package unreal

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// shownFields returns the fields of a struct of the schema as a record shows them: references and names as text, words
// of 64 bits in hexadecimal, lists of anything. The object itself, which every payload begins with, is left out.
func shownFields(p *unreal.Package, o any) map[string]any {
	return shownValue(p, reflect.Indirect(reflect.ValueOf(o))).(map[string]any)
}

func shownValue(p *unreal.Package, v reflect.Value) any {
	switch x := v.Interface().(type) {
	case unreal.Ref:
		return p.RefText(x)
	case unreal.NameIndex:
		return p.Name(x)
	}
	switch v.Kind() {
	case reflect.Float32:
		return pack.FloatValue(math.Float32bits(float32(v.Float())))
	case reflect.Uint64:
		return fmt.Sprintf("%016x", v.Uint())
	case reflect.Slice, reflect.Array:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = shownValue(p, v.Index(i))
		}
		return list
	case reflect.Struct:
		m := map[string]any{}
		for i := range v.NumField() {
			if f := v.Type().Field(i); !f.Anonymous {
				m[f.Name] = shownValue(p, v.Field(i))
			}
		}
		return m
	}
	if v.CanUint() {
		return int64(v.Uint())
	}
	return v.Int()
}

// setFields is the way back from [shownFields]. Every field must be there; one that the struct does not have is an
// error, and so is a number that its field cannot hold.
func (a *archive) setFields(o any, shown any) error {
	return a.setValue(reflect.Indirect(reflect.ValueOf(o)), shown, "Native")
}

func (a *archive) setValue(v reflect.Value, shown any, path string) error {
	bad := schema.Errorf(objectName, schema.ErrValue, path, "%v is not what belongs here", shown)
	switch v.Interface().(type) {
	case unreal.Ref:
		text, ok := shown.(string)
		if !ok {
			return bad
		}
		r, err := a.named(text, path)
		if err != nil {
			return err
		}
		v.SetInt(int64(r))
		return nil
	case unreal.NameIndex:
		text, ok := shown.(string)
		if !ok {
			return bad
		}
		v.SetInt(int64(a.Spell(text)))
		return nil
	}
	switch v.Kind() {
	case reflect.Float32:
		if b, ok := hexBytes(shown); ok && len(b) == 4 {
			v.SetFloat(float64(math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)))
			return nil
		}
		x, ok := pack.Float32(shown)
		if !ok {
			return bad
		}
		v.SetFloat(float64(x))
		return nil
	case reflect.Uint64:
		text, _ := shown.(string)
		x, err := strconv.ParseUint(text, 16, 64)
		if err != nil {
			return bad
		}
		v.SetUint(x)
		return nil
	case reflect.Slice, reflect.Array:
		return a.setList(v, shown, path, bad)
	case reflect.Struct:
		return a.setStruct(v, shown, path, bad)
	}
	x, ok := pack.Number(shown)
	whole := int64(x)
	switch {
	case !ok || float64(whole) != x:
		return bad
	case v.CanUint() && (whole < 0 || v.OverflowUint(uint64(whole))), v.CanInt() && v.OverflowInt(whole):
		return bad
	case v.CanUint():
		v.SetUint(uint64(whole))
	default:
		v.SetInt(whole)
	}
	return nil
}

func (a *archive) setList(v reflect.Value, shown any, path string, bad error) error {
	list, ok := shown.([]any)
	if !ok || v.Kind() == reflect.Array && len(list) != v.Len() {
		return bad
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	}
	for i, x := range list {
		if err := a.setValue(v.Index(i), x, path+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	return nil
}

func (a *archive) setStruct(v reflect.Value, shown any, path string, bad error) error {
	m, ok := shown.(map[string]any)
	if !ok {
		return bad
	}
	known := 0
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous {
			continue
		}
		x, ok := m[f.Name]
		if !ok {
			return schema.Errorf(objectName, schema.ErrValue, path, "it lacks %q", f.Name)
		}
		if err := a.setValue(v.Field(i), x, path+"."+f.Name); err != nil {
			return err
		}
		known++
	}
	if known == len(m) {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if f, ok := v.Type().FieldByName(name); !ok || f.Anonymous {
			return schema.Errorf(objectName, schema.ErrValue, path, "there is no %q", name)
		}
	}
	return nil
}
