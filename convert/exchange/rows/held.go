package rows

import (
	"cmp"
	"math"
	"slices"

	"github.com/usher-assets/usher/schema/asset"
)

// keep adds the stored rows that the edited table has not, and brings all into the stored order. New ones are last.
func (m *merger) keep() {
	for i, stored := range m.stored.Rows {
		if m.used[i] {
			continue
		}
		m.missing = append(m.missing, i)
		if m.prune {
			continue
		}
		r := row{cells: make([]any, len(m.names)), keys: m.storedKeys(i), from: i}
		for k, s := range m.stores {
			if s >= 0 {
				r.cells[k] = stored[s]
			}
		}
		m.rows = append(m.rows, r)
	}
	slices.SortStableFunc(m.rows, func(a, b row) int { return cmp.Compare(a.place(), b.place()) })
}

// place returns where a row stands among the stored ones, new rows behind them.
func (r row) place() int {
	if r.from < 0 {
		return math.MaxInt
	}
	return r.from
}

// group brings new rows to the others of what holds them.
func (m *merger) group() {
	if slices.ContainsFunc(m.rows, func(r row) bool { return r.from < 0 }) {
		m.rows = grouped(m.rows, 0)
	}
}

// grouped returns rows, one at least, with those together whose keys are the same, from the key of a number on but for the last one.
func grouped(list []row, k int) []row {
	if k >= len(list[0].keys)-1 {
		return list
	}
	at := map[string]int{}
	var groups [][]row
	for _, r := range list {
		n, ok := at[r.keys[k]]
		if !ok {
			n = len(groups)
			at[r.keys[k]] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], r)
	}
	out := make([]row, 0, len(list))
	for _, g := range groups {
		out = append(out, grouped(g, k+1)...)
	}
	return out
}

// hold brings together what several rows repeat: the copy that somebody changed counts for all, and two that were
// changed into different ones are a fault.
func (m *merger) hold() {
	for s, keys := range m.stored.Held {
		if k, ok := m.at[m.stored.Columns[s]]; ok && keys < len(m.keys) && !slices.Contains(m.keys, s) {
			m.holdColumn(k, s, keys)
		}
	}
}

// held is a value that several rows repeat.
type held struct {
	value   any
	line    string // where somebody changed it; empty where nobody did
	changed bool
}

func (m *merger) holdColumn(k, s, keys int) {
	values := map[string]*held{}
	for _, r := range m.rows { // what is stored
		if r.from >= 0 && values[joined(r.keys[:keys])] == nil {
			values[joined(r.keys[:keys])] = &held{value: m.stored.Rows[r.from][s]}
		}
	}
	for _, r := range m.rows {
		h := values[joined(r.keys[:keys])]
		switch {
		case h == nil:
			values[joined(r.keys[:keys])] = &held{value: r.cells[k], line: r.line, changed: true}
		case r.blank(k) || m.unchanged(r, k, s) || r.from < 0 && same(r.cells[k], h.value):
		case h.changed && Text(h.value) != "" && !same(r.cells[k], h.value):
			m.fault(r.line, m.names[k], "%v, and %v in %s: the rows share one value", r.cells[k], h.value, h.line)
		default:
			*h = held{r.cells[k], r.line, true}
		}
	}
	for i, r := range m.rows {
		if h := values[joined(r.keys[:keys])]; r.blank(k) {
			r.cells[k] = h.value
		} else if h.changed && !same(r.cells[k], h.value) {
			r.cells[k], m.rows[i].changed = h.value, true
		}
	}
}

// blank reports whether a new row leaves a cell to the rows that it shares it with.
func (r row) blank(k int) bool { return r.from < 0 && Text(r.cells[k]) == "" }

// unchanged reports whether a cell is the stored one of its row.
func (m *merger) unchanged(r row, k, s int) bool {
	return r.from >= 0 && same(r.cells[k], m.stored.Rows[r.from][s])
}

// merged returns the result.
func (m *merger) merged() *Merged {
	t := &asset.Table{Name: m.stored.Name, Rows: make([][]any, len(m.rows)), Keys: m.stored.Keys,
		Lines: make([]int, len(m.rows)), From: make([]int, len(m.rows)), Native: m.edited.Native}
	out := &Merged{Table: t, Changed: make([]bool, len(m.rows)), Missing: m.missing, Pruned: m.prune}
	var known, lacking []int // columns of the edited table, and keys without one
	for k, s := range m.stores {
		if s >= 0 {
			known, t.Columns = append(known, k), append(t.Columns, m.names[k])
		}
	}
	for i, name := range m.stored.Keys {
		if _, ok := m.at[name]; !ok {
			lacking, t.Columns = append(lacking, i), append(t.Columns, name)
		}
	}
	for i, r := range m.rows {
		cells := make([]any, 0, len(t.Columns))
		for _, k := range known {
			cells = append(cells, r.cells[k])
		}
		for _, k := range lacking {
			cells = append(cells, r.keys[k])
		}
		t.Rows[i], t.Lines[i], t.From[i], out.Changed[i] = cells, r.number, r.from, r.changed
	}
	return out
}
