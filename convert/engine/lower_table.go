package engine

import (
	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

// lowerTable makes a record of a table that somebody may have edited: first the rows find their places in the stored
// record, and in the end every cell is to be found in the new one.
func lowerTable(f *format.Format, t *asset.Table, env *format.Env) (any, error) {
	stored, err := storedTable(f, t.Native, env)
	if err != nil {
		return nil, err
	}
	if stored == nil {
		return f.Lower(t, env)
	}
	m, err := rows.Merge(t, stored, env.Options.Prune, env.Told())
	if err != nil {
		return nil, err
	}
	if n := len(m.Missing); n > 0 && !m.Pruned {
		env.Told().Hint("; --prune removes them").Warnf("row-missing", "", "%d of %d stored rows are not in the table and stay", n, len(stored.Rows))
	}
	v, err := f.Lower(m.Table, env)
	if err != nil || m.Same() {
		return v, err
	}
	got, err := madeTable(f, v, env)
	if err != nil {
		return nil, err
	}
	return v, rows.Verify(m.Table, got)
}

// tableOf returns what shows values of a format as a table; nil where nothing does.
func tableOf(f *format.Format) *format.Format {
	for _, v := range append([]*format.Format{f}, f.Views...) {
		if v.Kind == format.Table && v.Lift != nil {
			return v
		}
	}
	return nil
}

// storedTable returns the table that shows what a native holds: the original of an edited one. It has no rows where there
// is no original, and is nil where nobody knows what it looks like.
func storedTable(f *format.Format, n *asset.Native, env *format.Env) (*asset.Table, error) {
	view := tableOf(f)
	if view == nil || f.Read == nil || f.New == nil {
		return nil, nil
	}
	if n == nil || n.Format != f.Name || len(n.Payload) == 0 {
		t, err := lifted(view, f.New(), env)
		if err != nil || t == nil {
			return nil, nil
		}
		t.Rows = nil
		return t, nil
	}
	v, err := f.Read(n.Payload, nil)
	if err != nil {
		return nil, err
	}
	return lifted(view, v, env)
}

// madeTable returns the table that shows what was made of one. It is read once more, unless the table is a view of the
// value, which may be stored in another order.
func madeTable(f *format.Format, v any, env *format.Env) (*asset.Table, error) {
	view := tableOf(f)
	if view != f {
		return lifted(view, v, env)
	}
	b, err := f.Write(v)
	if err != nil {
		return nil, err
	}
	again, err := f.Read(b, nil)
	if err != nil {
		return nil, err
	}
	return lifted(view, again, env)
}

// lifted returns a value as a table, nil where it becomes something else.
func lifted(f *format.Format, v any, env *format.Env) (*asset.Table, error) {
	own := *env
	own.Diagnostics = nil
	a, err := f.Lift(v, &own)
	t, _ := a.(*asset.Table)
	return t, err
}
