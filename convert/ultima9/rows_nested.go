package ultima9

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Lists in lists as flat tables: a row for each of the innermost things, which repeats what holds it. What holds nothing
// has one row, whose other cells are empty.

// level is a list, of the record or of the things of the level before it.
type level struct {
	list  string            // the field
	key   string            // the column that tells its things apart: the number of each, unless it is one of their own
	first int64             // the number of the first thing
	names map[string]string // of the things' columns, see cellsOf
}

// layout is how a type of records becomes rows.
type layout struct {
	levels  []level
	cells   [][]cell // of the record, and of the things of each level
	columns []string
	keys    []string
	held    []int
	own     []bool // for each level: the key is a column of its things
}

// newLayout makes the layout of a type. A level without a list names the record's own columns.
func newLayout(t reflect.Type, levels []level) *layout {
	var names map[string]string
	if len(levels) > 0 && levels[0].list == "" {
		names, levels = levels[0].names, levels[1:]
	}
	l := &layout{levels: levels}
	l.add(cellsOf(t, names))
	for _, x := range levels {
		f, ok := t.FieldByName(x.list)
		if !ok {
			panic(fmt.Sprintf("%v has no list %s", t, x.list))
		}
		t = f.Type.Elem()
		l.keys = append(l.keys, x.key)
		cells := cellsOf(t, x.names)
		own := slices.Contains(columnsOf(cells), x.key)
		if !own {
			l.columns, l.held = append(l.columns, x.key), append(l.held, len(l.keys))
		}
		l.own = append(l.own, own)
		l.add(cells)
	}
	return l
}

// layoutOf makes the layout of T on first use: programs that have no such table need not wait for it.
func layoutOf[T any](levels ...level) func() *layout {
	return sync.OnceValue(func() *layout { return newLayout(reflect.TypeFor[T](), levels) })
}

func (l *layout) add(cells []cell) {
	l.cells = append(l.cells, cells)
	l.columns = append(l.columns, columnsOf(cells)...)
	for range cells {
		l.held = append(l.held, len(l.keys))
	}
}

// nestedLifter makes the Lift of a format with a layout.
func nestedLifter[T any](name string, write func(*T) ([]byte, error), laidOut func() *layout) func(*T, *format.Env) (*asset.Table, error) {
	return func(x *T, env *format.Env) (*asset.Table, error) {
		l := laidOut()
		payload, err := write(x)
		if err != nil {
			return nil, err
		}
		a := &asset.Table{Name: env.EntryName(name), Columns: slices.Clone(l.columns), Keys: l.keys, Held: l.held, Native: &asset.Native{Format: name, Payload: payload}}
		l.walk(reflect.ValueOf(x).Elem(), nil, nil, func(row []any, _ []int) { a.Rows = append(a.Rows, row) })
		return inPage(a, slices.Concat(l.cells...), env)
	}
}

// walk calls f for every row that a value has from a level on, with the numbers of the things that it is of. head has the
// cells of what holds it.
func (l *layout) walk(v reflect.Value, head []any, path []int, f func(row []any, path []int)) {
	depth := len(path)
	head = show(v, l.cells[depth], head[:len(head):len(head)])
	if depth == len(l.levels) {
		f(head, path)
		return
	}
	x := l.levels[depth]
	list := v.FieldByName(x.list)
	for i := range list.Len() {
		row := head
		if !l.own[depth] {
			row = append(row[:len(row):len(row)], int64(i)+x.first)
		}
		l.walk(list.Index(i), row, append(path, i), f)
	}
	if list.Len() == 0 && len(head) > 0 {
		f(append(head, make([]any, len(l.columns)-len(head))...), path)
	}
}

// nestedLowerer makes the Lower of a format with a layout.
func nestedLowerer[T any](name string, read func([]byte, *schema.Diagnostics) (*T, error), laidOut func() *layout) func(*asset.Table, *format.Env) (*T, error) {
	return func(shown *asset.Table, env *format.Env) (*T, error) {
		l := laidOut()
		a, err := outOfPage(shown, slices.Concat(l.cells...), env)
		if err != nil {
			return nil, err
		}
		x, err := stored(a, name, read)
		if err != nil {
			return nil, err
		}
		if err := (&columns{table: a, format: name}).known(env, l.columns); err != nil {
			return nil, err
		}
		if len(l.levels) == 0 && len(a.Rows) != 1 {
			return nil, schema.Errorf(name, schema.ErrValue, "rows", "%d rows, 1 expected", len(a.Rows))
		}
		b := &nester{layout: l, setter: setter{table: a, at: columnPlaces(a)}}
		v := reflect.ValueOf(x).Elem()
		l.walk(v, nil, nil, func(_ []any, path []int) { b.paths = append(b.paths, slices.Clone(path)) })
		all := make([]int, len(a.Rows))
		for i := range all {
			all[i] = i
		}
		b.fill(v, 0, all)
		return x, b.faults.Err()
	}
}

// nester makes a value of the rows of a table.
type nester struct {
	*layout
	setter
	paths [][]int // of the stored rows
}

// fill puts rows into what holds them all, and makes its list of them. A thing that was there keeps what is not shown.
func (b *nester) fill(v reflect.Value, depth int, list []int) {
	if len(list) > 0 {
		b.set(list[0], v, b.cells[depth])
	}
	if depth == len(b.levels) {
		return
	}
	field := v.FieldByName(b.levels[depth].list)
	was, things := field, reflect.Zero(field.Type())
	for len(list) > 0 {
		n := b.alike(list, depth)
		if !b.empty(list[0], depth) {
			thing := reflect.New(field.Type().Elem()).Elem()
			if i := b.from(list[:n], depth); i >= 0 && i < was.Len() {
				thing.Set(was.Index(i))
			}
			b.fill(thing, depth+1, list[:n])
			things = reflect.Append(things, thing)
		}
		list = list[n:]
	}
	field.Set(things)
}

// alike returns how many of the first rows are of the same thing.
func (b *nester) alike(list []int, depth int) (n int) {
	if depth == len(b.levels)-1 {
		return 1
	}
	n = 1
	for n < len(list) && b.key(list[n], depth) == b.key(list[0], depth) {
		n++
	}
	return n
}

func (b *nester) key(row, depth int) string {
	k, ok := b.at[b.keys[depth]]
	if !ok {
		return ""
	}
	return rows.Text(b.table.Rows[row][k])
}

// empty reports whether a row is that of something that holds nothing: all its cells from a level on are empty.
func (b *nester) empty(row, depth int) bool {
	for k, held := range b.held {
		at, ok := b.at[b.columns[k]]
		if held > depth && ok && rows.Text(b.table.Rows[row][at]) != "" {
			return false
		}
	}
	return true
}

// from returns the number of the stored thing that rows were made from, negative for none.
func (b *nester) from(list []int, depth int) int {
	for _, row := range list {
		if from := fromOf(b.table, row); from >= 0 && from < len(b.paths) && len(b.paths[from]) > depth {
			return b.paths[from][depth]
		}
	}
	return -1
}
