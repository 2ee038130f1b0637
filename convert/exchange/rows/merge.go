package rows

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Merged is an edited table, completed so that it describes the whole record again.
type Merged struct {
	// Table has the columns of the edited table plus any missing key columns. Its rows are the stored rows in their order,
	// with the edits applied. A new row follows the rows with the same parent. Unchanged cells are the stored cells.
	Table   *asset.Table
	Changed []bool // for each row of Table: it is new, or a cell of it was changed
	Missing []int  // numbers of the stored rows that the edited table lacks
	Pruned  bool   // the missing rows are left out of Table
}

// Same reports whether the merged table equals the stored one.
func (m *Merged) Same() bool {
	return !slices.Contains(m.Changed, true) && (len(m.Missing) == 0 || !m.Pruned)
}

// Merge combines an edited table with the stored one. It finds the stored row of each edited row by the key columns, in any
// order; if the edited table lacks a key column, by row number. Stored rows missing from the edited table are kept, unless
// prune is set. If a value is repeated in several rows, the changed copy counts. The error lists all faults of the table.
func Merge(edited, stored *asset.Table, prune bool, d *schema.Diagnostics) (*Merged, error) {
	m := &merger{edited: edited, stored: stored, prune: prune, d: d, used: map[int]bool{}}
	if !m.columns() {
		return nil, m.faults.Err()
	}
	m.listKeys()
	if m.keyed() {
		m.byKey()
	} else {
		m.byOrder()
	}
	m.keep()
	m.group()
	m.hold()
	if err := m.faults.Err(); err != nil {
		return nil, err
	}
	return m.merged(), nil
}

// row is a row under way. Its keys are the texts of the cells of the keys, empty for something new.
type row struct {
	cells   []any
	keys    []string
	from    int // negative for a new one
	line    string
	number  int // of the line
	changed bool
}

type merger struct {
	edited, stored *asset.Table
	prune          bool
	d              *schema.Diagnostics

	names   []string          // of the edited columns, as the stored table has them
	at      map[string]int    // edited column by name
	stores  []int             // for each edited column: the stored one, negative for none
	likes   []any             // for each edited column: a stored cell of its kind
	keys    []int             // the stored columns of the keys
	known   []map[string]bool // for each key: what is stored
	rows    []row
	used    map[int]bool // stored rows
	missing []int
	faults  schema.Faults
}

func (m *merger) fault(line, field, msg string, args ...any) {
	m.faults.Add(&schema.FormatError{Path: line, Offset: -1, Field: field, Class: schema.ErrValue, Msg: fmt.Sprintf(msg, args...)})
}

// Place describes row i of a table for messages: its line in the file, or its number if the line is unknown.
func Place(t *asset.Table, i int) string {
	if i < len(t.Lines) && t.Lines[i] > 0 {
		return fmt.Sprintf("line %d", t.Lines[i])
	}
	return fmt.Sprintf("row %d", i+1)
}

// columns finds the stored columns that the edited ones are, and reports whether there are any. Capitals and blanks around a
// name do not count.
func (m *merger) columns() bool {
	m.at = map[string]int{}
	var strange []string
	for k, name := range m.edited.Columns {
		name = Column(name, m.stored.Columns)
		s := slices.Index(m.stored.Columns, name)
		if _, twice := m.at[name]; twice && s >= 0 {
			m.fault("line 1", name, "the column is there twice")
		}
		if s < 0 {
			strange = append(strange, name)
		} else {
			m.at[name] = k
		}
		m.names, m.stores, m.likes = append(m.names, name), append(m.stores, s), append(m.likes, m.like(s))
	}
	known := strings.Join(m.stored.Columns, ", ")
	if len(strange) > 0 && len(m.at) <= len(m.stored.Keys) {
		m.fault("line 1", "", "no column is known of %s: they are %s", strings.Join(strange, ", "), known)
		return false
	}
	for _, name := range strange {
		m.d.Lossf("unknown-column", "", "the column %q means nothing here: they are %s", name, known)
	}
	return true
}

// Column returns the element of names that equals name, ignoring case and surrounding blanks, or name itself if there is
// none.
func Column(name string, names []string) string {
	if slices.Contains(names, name) {
		return name
	}
	for _, n := range names {
		if strings.EqualFold(n, strings.TrimSpace(name)) {
			return n
		}
	}
	return name
}

// like returns a stored cell of a column that is not empty, nil where there is none.
func (m *merger) like(s int) any {
	for _, cells := range m.stored.Rows {
		if s >= 0 && cells[s] != nil {
			return cells[s]
		}
	}
	return nil
}

// keyed reports whether the edited table has all columns of the keys.
func (m *merger) keyed() bool {
	return !slices.ContainsFunc(m.stored.Keys, func(name string) bool { _, ok := m.at[name]; return !ok })
}

// listKeys finds the keys that are stored.
func (m *merger) listKeys() {
	for _, name := range m.stored.Keys {
		s, known := slices.Index(m.stored.Columns, name), map[string]bool{}
		for _, cells := range m.stored.Rows {
			known[Text(cells[s])] = true
		}
		m.keys, m.known = append(m.keys, s), append(m.known, known)
	}
}

// key returns the text of a cell of a key as the stored table has it: spreadsheets write numbers as they like.
func (m *merger) key(i int, cell any) string {
	text := Text(cell)
	if m.known[i][text] {
		return text
	}
	text = strings.TrimSpace(text)
	n, ok := whole(text)
	switch {
	case !ok:
		return text
	case n == 0 && !m.known[i]["0"]: // tables of before have a 0 for what is not there
		return ""
	}
	return fmt.Sprint(n)
}

// storedKeys returns the keys of a stored row.
func (m *merger) storedKeys(i int) []string {
	keys := make([]string, len(m.keys))
	for k, s := range m.keys {
		keys[k] = Text(m.stored.Rows[i][s])
	}
	return keys
}

// joined makes one text of keys.
func joined(keys []string) string { return strings.Join(keys, "\x00") }

// newRow begins a row of the edited table.
func (m *merger) newRow(i, from int, keys []string) row {
	r := row{cells: slices.Clone(m.edited.Rows[i]), keys: keys, from: from, line: Place(m.edited, i), changed: from < 0}
	if i < len(m.edited.Lines) {
		r.number = m.edited.Lines[i]
	}
	return r
}

// byKey finds the stored row of each edited one by its keys.
func (m *merger) byKey() {
	at := map[string][]int{}
	for i := range m.stored.Rows {
		key := joined(m.storedKeys(i))
		at[key] = append(at[key], i)
	}
	first := map[string]int{} // edited row by key
	for i, cells := range m.edited.Rows {
		keys := make([]string, len(m.stored.Keys))
		for k, name := range m.stored.Keys {
			keys[k] = m.key(k, cells[m.at[name]])
		}
		key := joined(keys)
		from := m.take(at, key, i)
		if from < 0 {
			was, twice := first[key]
			open := len(keys) > 0 && keys[len(keys)-1] == "" // something new, without a number yet
			if _, is := at[key]; twice && (is || !open) {
				m.twice(i, was, keys)
				continue
			}
		}
		if _, twice := first[key]; !twice {
			first[key] = i
		}
		m.rows = append(m.rows, m.settled(m.newRow(i, from, keys)))
	}
}

// twice says that two rows are one.
func (m *merger) twice(i, was int, keys []string) {
	if len(keys) == 0 {
		m.fault(Place(m.edited, i), "", "a second row, where one is all there is: %s is the first", Place(m.edited, was))
		return
	}
	m.fault(Place(m.edited, i), strings.Join(m.stored.Keys, ", "), "%s stands in %s already", strings.Join(keys, ", "), Place(m.edited, was))
}

// take returns the stored row with a key, and of several the one that the edited row equals, or else the first that is
// left; negative for none.
func (m *merger) take(at map[string][]int, key string, i int) int {
	list := at[key]
	if len(list) == 0 {
		return -1
	}
	n := 0
	if len(list) > 1 {
		n = max(0, slices.IndexFunc(list, func(from int) bool { return m.equal(i, from) }))
	}
	from := list[n]
	at[key] = slices.Delete(list, n, n+1)
	m.used[from] = true
	return from
}

// equal reports whether an edited row says what a stored one says.
func (m *merger) equal(i, from int) bool {
	for k, s := range m.stores {
		if s >= 0 && !same(m.edited.Rows[i][k], m.stored.Rows[from][s]) {
			return false
		}
	}
	return true
}

// byOrder takes rows as they are numbered, as tables had no keys before.
func (m *merger) byOrder() {
	if n, was := len(m.edited.Rows), len(m.stored.Rows); n < was && !m.prune {
		msg := fmt.Sprintf("there are %d rows of %d, and no column %q to tell which ones are missing: convert the original once more for a table that has it", n, was, m.stored.Keys[len(m.stored.Keys)-1])
		m.faults.Add(schema.Hinted(&schema.FormatError{Path: "line 1", Offset: -1, Class: schema.ErrValue, Msg: msg}, ", or take away the last ones with --prune"))
		return
	}
	for i, cells := range m.edited.Rows {
		from := -1
		keys := make([]string, len(m.stored.Keys))
		if i < len(m.stored.Rows) {
			from = i
			m.used[i] = true
			keys = m.storedKeys(i)
		} else if i > 0 {
			copy(keys[:len(keys)-1], m.rows[len(m.rows)-1].keys)
		}
		for k, name := range m.stored.Keys {
			if at, ok := m.at[name]; ok {
				if key := m.key(k, cells[at]); key != keys[k] {
					keys[k] = key
					clear(keys[k+1:])
				}
			}
		}
		m.rows = append(m.rows, m.settled(m.newRow(i, from, keys)))
	}
}

// settled gives the cells of a row that say what is stored the stored form, and the others that of their column.
func (m *merger) settled(r row) row {
	for k, s := range m.stores {
		if s < 0 {
			continue
		}
		if r.from >= 0 {
			was := m.stored.Rows[r.from][s]
			if same(r.cells[k], was) {
				r.cells[k] = was
				continue
			}
			if cutOff(r.cells[k], was) {
				m.d.Warnf("cell-cut", "", "%s, column %s: a spreadsheet has cut the text off after %d characters: it stays as it was", r.line, m.names[k], spreadsheetMost)
				r.cells[k] = was
				continue
			}
			r.changed = true
		} else if _, text := m.likes[k].(string); Text(r.cells[k]) == "" && !text {
			r.cells[k] = nil // a new record has what is usual
			continue
		}
		cell, err := typed(r.cells[k], m.likes[k])
		if err != nil {
			m.fault(r.line, m.names[k], "%v", err)
		}
		r.cells[k] = cell
	}
	return r
}
