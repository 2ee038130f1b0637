package ultima9

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// The tables of the family become assets by the fields of their structs: a column for each field, for each element of an
// array, and for each field of a struct in it. Byte arrays and slices are left out; they stay as they are stored.

// tableFormat describes a format whose value is a table.
func tableFormat(name, title string, probe func(*format.Input) format.Confidence, extensions ...string) format.Format {
	return format.Format{Name: name, Family: family, Title: title, Kind: format.Table, Extensions: extensions, Probe: probe, SingleByte: true}
}

// recordTable has the functions of a format whose value is one row, or a row for each of the things in its lists.
func recordTable[T any](name string, read func([]byte, *schema.Diagnostics) (*T, error), write func(*T) ([]byte, error), facts func(*T) []format.Fact, levels ...level) format.Functions[T, *asset.Table] {
	l := layoutOf[T](levels...)
	return format.Functions[T, *asset.Table]{Read: read, Write: write, Facts: facts, Lift: nestedLifter(name, write, l), Lower: nestedLowerer(name, read, l)}
}

// listTable has the functions of a format whose value flatten makes rows of; put makes a value of rows again. The key
// names the column that tells them apart.
func listTable[T, R any](name, key string, read func([]byte, *schema.Diagnostics) (*T, error), write func(*T) ([]byte, error), flatten func(*T) []R, put func(*T, []R) error, facts func(*T) []format.Fact) format.Functions[T, *asset.Table] {
	return format.Functions[T, *asset.Table]{Read: read, Write: write, Facts: facts, Lift: listLifter(name, key, write, flatten), Lower: listLowerer(name, read, flatten, put, nil)}
}

// rowCells makes the cells of rows of R on first use.
func rowCells[R any]() func() []cell {
	return sync.OnceValue(func() []cell { return cellsOf(reflect.TypeFor[R](), nil) })
}

// listLifter makes the Lift of a format whose value flatten makes rows of.
func listLifter[T, R any](name, key string, write func(*T) ([]byte, error), flatten func(*T) []R) func(*T, *format.Env) (*asset.Table, error) {
	known := rowCells[R]()
	return func(x *T, env *format.Env) (*asset.Table, error) {
		cells := known()
		payload, err := write(x)
		if err != nil {
			return nil, err
		}
		list := flatten(x)
		a := &asset.Table{Name: env.EntryName(name), Columns: columnsOf(cells), Keys: []string{key}, Rows: make([][]any, len(list)),
			Native: &asset.Native{Format: name, Payload: payload}}
		for i := range list {
			a.Rows[i] = show(reflect.ValueOf(&list[i]).Elem(), cells, make([]any, 0, len(cells)))
		}
		return inPage(a, cells, env)
	}
}

// listLowerer makes the Lower of such a format. Missing columns keep what is stored. doubt warns of a row, by the stored one or
// nil; it may be nil itself.
func listLowerer[T, R any](name string, read func([]byte, *schema.Diagnostics) (*T, error), flatten func(*T) []R, put func(*T, []R) error,
	doubt func(was, now *R, place string, env *format.Env)) func(*asset.Table, *format.Env) (*T, error) {
	known := rowCells[R]()
	return func(shown *asset.Table, env *format.Env) (*T, error) {
		cells := known()
		a, err := outOfPage(shown, cells, env)
		if err != nil {
			return nil, err
		}
		x, err := stored(a, name, read)
		if err != nil {
			return nil, err
		}
		if err := (&columns{table: a, format: name}).known(env, columnsOf(cells)); err != nil {
			return nil, err
		}
		was, list := flatten(x), make([]R, len(a.Rows))
		s := setter{table: a, at: columnPlaces(a)}
		for i := range list {
			var stored *R
			if from := fromOf(a, i); from >= 0 && from < len(was) {
				stored, list[i] = &was[from], was[from]
			}
			s.set(i, reflect.ValueOf(&list[i]).Elem(), cells)
			if doubt != nil {
				doubt(stored, &list[i], rows.Place(a, i), env)
			}
		}
		if err := s.faults.Err(); err != nil {
			return nil, err
		}
		return x, put(x, list)
	}
}

// fromOf returns the stored row that a row was made from, negative for a new one.
func fromOf(a *asset.Table, row int) int {
	if a.From == nil {
		return row
	}
	return a.From[row]
}

func columnPlaces(a *asset.Table) map[string]int {
	at := map[string]int{}
	for k, name := range a.Columns {
		at[name] = k
	}
	return at
}

// setter puts the cells of a table into records, and collects what does not fit.
type setter struct {
	table  *asset.Table
	at     map[string]int // of columns
	faults schema.Faults
}

// set puts the cells of a row into a value. What the table has no column or no cell for stays.
func (s *setter) set(row int, v reflect.Value, cells []cell) {
	for _, c := range cells {
		k, ok := s.at[c.column]
		if !ok || k >= len(s.table.Rows[row]) || s.table.Rows[row][k] == nil {
			continue
		}
		given := s.table.Rows[row][k]
		if at := c.in(v, given != ""); at.IsValid() {
			if err := setCell(at, given); err != nil {
				s.faults.Add(&schema.FormatError{Path: rows.Place(s.table, row), Offset: -1, Field: c.column, Class: schema.ErrValue, Msg: err.Error()})
			}
		}
	}
}

// cell is a column of a record type, and the fields and elements that lead to it.
type cell struct {
	column string
	path   []int
	room   int // for the bytes of a text; 0 where nothing limits them
}

var fixedText = reflect.TypeFor[ultima9.FixedText]()

// cellsOf returns the cells of a record type. Columns are called by the fields, or as names says: a whole column, or the
// first word of several. One that is called "" there is left out.
func cellsOf(t reflect.Type, names map[string]string) (list []cell) {
	walkCells(t, "", nil, func(column string, path []int, byteOf bool) {
		name, ok := names[column]
		if !ok && byteOf {
			return
		}
		if first, rest, _ := strings.Cut(column, " "); !ok {
			if name, ok = names[first]; ok && name != "" {
				name = strings.TrimSpace(name + " " + rest)
			}
		}
		if !ok {
			name = column
		}
		if name != "" {
			list = append(list, cell{name, slices.Clone(path), roomOf(t, path)})
		}
	})
	return list
}

// walkCells calls f for every cell of a type. Those of byte arrays of more than three are told apart: they are shown only
// where they have names.
func walkCells(t reflect.Type, prefix string, path []int, f func(column string, path []int, byteOf bool)) {
	switch {
	case t == fixedText:
		f(prefix, path, false)
	case t.Kind() == reflect.Pointer:
		walkCells(t.Elem(), prefix, path, f)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			walkCells(t.Field(i).Type, strings.TrimSpace(prefix+" "+t.Field(i).Name), append(path, i), f)
		}
	case t.Kind() == reflect.Array && t.Elem().Kind() == reflect.Uint8:
		for i := range t.Len() {
			f(fmt.Sprintf("%s %d", prefix, i+1), append(path, i), t.Len() > 3) // three are percentages of axes
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			walkCells(t.Elem(), fmt.Sprintf("%s %d", prefix, i+1), append(path, i), f)
		}
	case t.Kind() != reflect.Slice && t.Kind() != reflect.Map && t.Kind() != reflect.Interface:
		f(prefix, path, false)
	}
}

// roomOf returns how many bytes the text at the end of a path may have, 0 for anything else.
func roomOf(t reflect.Type, path []int) (room int) {
	for _, i := range path {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			t = t.Elem()
			continue
		}
		f := t.Field(i)
		t = f.Type
		if size, err := strconv.Atoi(f.Tag.Get("size")); err == nil && t == fixedText {
			return size - 1 // a zero ends it
		}
	}
	return 0
}

func columnsOf(cells []cell) []string {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = c.column
	}
	return names
}

// in returns where the cell is in a value; nowhere behind a nil pointer, unless something is to be made there.
func (c cell) in(v reflect.Value, anew bool) reflect.Value {
	for _, i := range c.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() && !anew {
				return reflect.Value{}
			}
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		if v.Kind() == reflect.Struct {
			v = v.Field(i)
		} else {
			v = v.Index(i)
		}
	}
	return v
}

// show appends the cells of a value to a row.
func show(v reflect.Value, cells []cell, row []any) []any {
	for _, c := range cells {
		if at := c.in(v, false); at.IsValid() {
			row = append(row, cellOf(at))
		} else {
			row = append(row, nil)
		}
	}
	return row
}

func cellOf(v reflect.Value) any {
	if named, ok := v.Interface().(rows.Named); ok {
		return named
	}
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
	if text, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok && v.Type() != fixedText {
		return text.UnmarshalText([]byte(rows.Text(cell)))
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
		if v.OverflowFloat(x) {
			return fmt.Errorf("%v is no number from %g to %g", cell, -math.MaxFloat32, math.MaxFloat32)
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
