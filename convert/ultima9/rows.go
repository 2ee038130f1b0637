package ultima9

import (
	"fmt"
	"math"
	"reflect"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// The flat tables of the family (one record after the other, every field a number or a text) become assets by the
// fields of their structs: a column for each field, for each element of an array, and for each field of a struct in it.
// Byte arrays and slices are left out; they stay as they are stored.

// one shows a single record as a table of one row.
func one[T any](x *T) *[]T {
	row := []T{*x}
	return &row
}

// tableFormat describes a format whose value is a table.
func tableFormat(name, title string, probe func(*format.Input) format.Confidence, extensions ...string) format.Format {
	return format.Format{Name: name, Family: family, Title: title, Kind: format.Table, Extensions: extensions, Probe: probe}
}

// rowTable has the functions of a format whose value holds rows. rows returns where they are, or a copy of the value as the
// only row.
func rowTable[T, R any](name string, read func([]byte, *schema.Diagnostics) (*T, error), write func(*T) ([]byte, error), rows func(*T) *[]R, facts func(*T) []format.Fact) format.Functions[T, *asset.Table] {
	return format.Functions[T, *asset.Table]{Read: read, Write: write, Facts: facts, Lift: rowLifter(name, write, rows), Lower: rowLowerer(name, read, rows)}
}

// flatTable is rowTable for values that flatten makes rows of; put makes a value of rows again.
func flatTable[T, R any](name string, read func([]byte, *schema.Diagnostics) (*T, error), write func(*T) ([]byte, error), flatten func(*T) []R, put func(*T, []R) error, facts func(*T) []format.Fact) format.Functions[T, *asset.Table] {
	return format.Functions[T, *asset.Table]{Read: read, Write: write, Facts: facts, Lift: flatLifter(name, write, flatten), Lower: flatLowerer(name, read, flatten, put)}
}

// rowLifter makes the Lift of a format whose value holds rows. rows returns where they are, or a copy of the value as
// the only row.
func rowLifter[T, R any](name string, write func(*T) ([]byte, error), rows func(*T) *[]R) func(*T, *format.Env) (*asset.Table, error) {
	return flatLifter(name, write, func(x *T) []R { return *rows(x) })
}

// flatLifter is rowLifter for values that flatten makes rows of.
func flatLifter[T, R any](name string, write func(*T) ([]byte, error), flatten func(*T) []R) func(*T, *format.Env) (*asset.Table, error) {
	return func(x *T, env *format.Env) (*asset.Table, error) {
		payload, err := write(x)
		if err != nil {
			return nil, err
		}
		list := flatten(x)
		a := &asset.Table{Name: env.EntryName(name), Columns: columnsOf[R](), Rows: make([][]any, len(list)), Native: &asset.Native{Format: name, Payload: payload}}
		for i := range list {
			row := make([]any, 0, len(a.Columns))
			each(reflect.ValueOf(&list[i]).Elem(), func(v reflect.Value) { row = append(row, cellOf(v)) })
			a.Rows[i] = row
		}
		return a, nil
	}
}

// columnsOf returns the names of the columns of a record type.
func columnsOf[R any]() (names []string) {
	cells(reflect.TypeFor[R](), "", func(column string) { names = append(names, column) })
	return names
}

// rowLowerer makes the Lower of such a format. Rows beyond the stored ones are new; missing columns keep what is stored.
func rowLowerer[T, R any](name string, read func([]byte, *schema.Diagnostics) (*T, error), rows func(*T) *[]R) func(*asset.Table, *format.Env) (*T, error) {
	return flatLowerer(name, read, func(x *T) []R { return *rows(x) }, func(x *T, list []R) error {
		where := rows(x)
		if _, single := any(where).(*[]T); single {
			if len(list) != 1 {
				return schema.Errorf(name, schema.ErrValue, "rows", "%d rows, 1 expected", len(list))
			}
			*x = any(list[0]).(T)
			return nil
		}
		*where = list
		return nil
	})
}

// flatLowerer is rowLowerer for values that flatten makes rows of; put makes a value of rows again.
func flatLowerer[T, R any](name string, read func([]byte, *schema.Diagnostics) (*T, error), flatten func(*T) []R, put func(*T, []R) error) func(*asset.Table, *format.Env) (*T, error) {
	return func(a *asset.Table, env *format.Env) (*T, error) {
		x, err := stored(a, name, read)
		if err != nil {
			return nil, err
		}
		names := columnsOf[R]()
		if err := (&columns{table: a, format: name}).known(env, append(names, "slot")); err != nil { // slot: of a table of all records
			return nil, err
		}
		at := map[string]int{}
		for i, c := range a.Columns {
			at[c] = i
		}
		list := make([]R, len(a.Rows))
		copy(list, flatten(x))
		for i := range list {
			k := 0
			each(reflect.ValueOf(&list[i]).Elem(), func(v reflect.Value) {
				if j, ok := at[names[k]]; ok && j < len(a.Rows[i]) && err == nil {
					if err = setCell(v, a.Rows[i][j]); err != nil {
						err = schema.Errorf(name, schema.ErrValue, names[k], "row %d: %v", i, err)
					}
				}
				k++
			})
			if err != nil {
				return nil, err
			}
		}
		return x, put(x, list)
	}
}

var fixedText = reflect.TypeFor[ultima9.FixedText]()

// cells calls f for every column of a record type.
func cells(t reflect.Type, prefix string, f func(column string)) {
	switch {
	case t == fixedText:
		f(prefix)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			name := t.Field(i).Name
			if prefix != "" {
				name = prefix + " " + name
			}
			cells(t.Field(i).Type, name, f)
		}
	case t.Kind() == reflect.Array && t.Elem().Kind() != reflect.Uint8:
		for i := range t.Len() {
			cells(t.Elem(), fmt.Sprintf("%s %d", prefix, i+1), f)
		}
	case t.Kind() == reflect.Array && t.Len() <= 3: // percentages of three axes
		for i := range t.Len() {
			f(fmt.Sprintf("%s %d", prefix, i+1))
		}
	case isCell(t):
		f(prefix)
	}
}

func isCell(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer, reflect.Interface:
		return false
	}
	return true
}

// each calls f for every cell of a record, in the order of cells.
func each(v reflect.Value, f func(v reflect.Value)) {
	t := v.Type()
	switch {
	case t == fixedText:
		f(v)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			each(v.Field(i), f)
		}
	case t.Kind() == reflect.Array && (t.Elem().Kind() != reflect.Uint8 || t.Len() <= 3):
		for i := range t.Len() {
			each(v.Index(i), f)
		}
	case isCell(t):
		f(v)
	}
}

func cellOf(v reflect.Value) any {
	switch {
	case v.Type() == fixedText:
		return v.Interface().(ultima9.FixedText).Text
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	case v.CanFloat():
		return v.Float()
	case v.Kind() == reflect.Bool:
		return v.Bool()
	}
	return v.String()
}

// setCell sets a cell when it is another value than the stored one.
func setCell(v reflect.Value, cell any) error {
	if was := cellOf(v); was == cell {
		return nil
	} else if x, ok := was.(float64); ok && math.IsNaN(x) {
		if y, ok := cell.(float64); ok && math.IsNaN(y) {
			return nil
		}
	}
	switch {
	case v.Type() == fixedText:
		text, ok := cell.(string)
		if !ok {
			return fmt.Errorf("%v is not text", cell)
		}
		t := v.Addr().Interface().(*ultima9.FixedText)
		t.Text = text
		return nil
	case v.CanFloat():
		x, ok := scene.CellNumber(cell)
		if !ok {
			return fmt.Errorf("%v is not a number", cell)
		}
		v.SetFloat(x)
		return nil
	}
	if text, ok := cell.(string); ok && v.Kind() == reflect.String {
		v.SetString(text)
		return nil
	}
	n, ok := scene.CellInteger(cell)
	switch {
	case !ok:
		return fmt.Errorf("%v is not a whole number", cell)
	case v.CanInt() && !v.OverflowInt(n):
		v.SetInt(n)
	case v.CanUint() && n >= 0 && !v.OverflowUint(uint64(n)):
		v.SetUint(uint64(n))
	default:
		return fmt.Errorf("%d does not fit into %s", n, v.Kind())
	}
	return nil
}
