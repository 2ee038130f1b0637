package gltf

import (
	"fmt"
	"math"
	"reflect"

	"github.com/usher-assets/usher/schema"
)

// checkNumbers refuses numbers that 32 bits do not hold, which is all that a scene has for them: they would become endless.
func (d *decoder) checkNumbers() error {
	doc := d.doc
	for _, err := range []error{checkList("cameras", doc.Cameras), checkList("materials", doc.Materials), checkList("meshes", doc.Meshes), checkList("nodes", doc.Nodes)} {
		if err != nil {
			return err
		}
	}
	return nil
}

func checkList[T any](name string, list []*T) error {
	for i, x := range list {
		if err := checkFloats(fmt.Sprint(name, "/", i), x); err != nil {
			return err
		}
	}
	return nil
}

// checkFloats looks at the numbers in what x points to. Extras, and extensions that are not decoded, are not looked at.
func checkFloats(at string, x any) error {
	if f, found := tooLarge(reflect.ValueOf(x)); found {
		return pathError(at, schema.ErrValue, "%g is no number from %g to %g", f, -math.MaxFloat32, math.MaxFloat32)
	}
	return nil
}

func tooLarge(v reflect.Value) (x float64, found bool) {
	switch v.Kind() {
	case reflect.Float64:
		return v.Float(), math.Abs(v.Float()) > math.MaxFloat32
	case reflect.Pointer:
		if !v.IsNil() {
			return tooLarge(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if x, found = tooLarge(v.Field(i)); found {
				return x, true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if x, found = tooLarge(v.Index(i)); found {
				return x, true
			}
		}
	}
	return 0, false
}
