package batch

import (
	"fmt"
	"maps"
	"slices"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// textColumn holds the body of a text; what else can be edited of it, such as a book's title, stands before it.
const textColumn = "text"

// archiveTable is an archive as one table.
type archiveTable struct {
	archive *convert.Archive
	env     *format.Env
	columns []string // without the slot
	entries []entryTable
}

// entryTable is an entry of an archive as a table.
type entryTable struct {
	path, title string
	format      *format.Format
	stored      *asset.Table
	text        *asset.Text // what stored was made of; nil for what is a table itself
}

// readArchiveTable reads all entries of an archive, which it takes into its care when there is no error. What is odd about
// them is not told: it stays as it is.
func readArchiveTable(a *convert.Archive, env *format.Env) (*archiveTable, error) {
	all, quiet := &archiveTable{archive: a, env: env}, *env
	quiet.Diagnostics = nil
	for i := range a.Entries() {
		e, err := readEntryTable(a, i, &quiet)
		if err != nil {
			return nil, err
		}
		if all.columns == nil {
			all.columns = e.stored.Columns
		}
		if !slices.Equal(all.columns, e.stored.Columns) {
			return nil, fmt.Errorf("%s: it has other columns than the entries before it", e.path)
		}
		all.entries = append(all.entries, e)
	}
	return all, nil
}

// readEntryTable lifts an entry of an archive to a table.
func readEntryTable(a *convert.Archive, i int, env *format.Env) (entryTable, error) {
	e := a.Entries()[i]
	payload, err := a.Payload(i)
	if err != nil {
		return entryTable{}, err
	}
	f := e.Format.Of(i, payload)
	noTable := fmt.Errorf("%s: it is no flat table, so that the archive cannot become one", e.Path)
	if f == nil || f.Kind != format.Table && f.Kind != format.Text || f.Lift == nil || f.Lower == nil {
		return entryTable{}, noTable
	}
	v, err := f.Read(payload, nil)
	if err != nil {
		return entryTable{}, schema.In(e.Path, err)
	}
	x, err := f.Lift(v, entryEnv(a, e.Path, env))
	if err != nil {
		return entryTable{}, schema.In(e.Path, err)
	}
	switch x := x.(type) {
	case *asset.Table:
		return entryTable{path: e.Path, title: e.Title, format: f, stored: x}, nil
	case *asset.Text:
		return entryTable{path: e.Path, title: e.Title, format: f, stored: textTable(x), text: x}, nil
	}
	return entryTable{}, noTable
}

// textTable shows a text as a table of one row.
func textTable(t *asset.Text) *asset.Table {
	out := &asset.Table{Name: t.Name, Native: t.Native, Rows: [][]any{nil}}
	if t.Native != nil {
		for _, key := range slices.Sorted(maps.Keys(t.Native.Values)) {
			if s, ok := t.Native.Values[key].(string); ok {
				out.Columns, out.Rows[0] = append(out.Columns, key), append(out.Rows[0], s)
			}
		}
	}
	out.Columns, out.Rows[0] = append(out.Columns, textColumn), append(out.Rows[0], t.Body)
	return out
}

// asText is the reverse of textTable. stored is the text as it is in the archive; nil for a new one.
func asText(t *asset.Table, f *format.Format, stored *asset.Text) (*asset.Text, error) {
	if len(t.Rows) != 1 {
		return nil, fmt.Errorf("%d rows; a text is one", len(t.Rows))
	}
	out := &asset.Text{Extension: ".txt", Native: &asset.Native{Format: f.Name, Values: map[string]any{}}}
	if stored != nil && stored.Native != nil {
		own := *stored.Native
		if own.Values = maps.Clone(own.Values); own.Values == nil {
			own.Values = map[string]any{}
		}
		out.Name, out.Body, out.Native = stored.Name, stored.Body, &own
	}
	for k, column := range t.Columns {
		if text := convert.CellText(t.Rows[0][k]); column == textColumn {
			out.Body = text
		} else {
			out.Native.Values[column] = text
		}
	}
	return out, nil
}

func entryEnv(a *convert.Archive, entry string, env *format.Env) *format.Env {
	own := *env
	own.Archive, own.Entry = a.ArchiveFile, entry
	return &own
}

// table returns the whole archive as one table.
func (x *archiveTable) table() *asset.Table {
	name := baseName(x.archive.Path)
	t := &asset.Table{Columns: append([]string{slotColumn}, x.columns...),
		Native: &asset.Native{Format: x.archive.Format.Name, Values: map[string]any{baseValue: name}}}
	for _, e := range x.entries {
		for _, row := range e.stored.Rows {
			t.Rows = append(t.Rows, append([]any{e.path}, row...))
		}
	}
	return t
}

// replace brings the entries of the archive in line with a table. Those that have no row any more are removed, or else
// returned.
func (x *archiveTable) replace(all *asset.Table, prune bool) (without []string, err error) {
	for _, column := range all.Columns[1:] {
		if len(x.columns) > 0 && !slices.Contains(x.columns, column) {
			return nil, fmt.Errorf("the entries have no column %q", column)
		}
	}
	rows := map[string][][]any{} // by slot
	var order []string
	for _, row := range all.Rows {
		slot := convert.CellText(row[0])
		if slot == "" {
			return nil, fmt.Errorf("a row has no %s: %v", slotColumn, row[1:])
		}
		if rows[slot] == nil {
			order = append(order, slot)
		}
		rows[slot] = append(rows[slot], row[1:])
	}
	known := map[string]bool{}
	var gone []int
	for i := range x.entries {
		e := &x.entries[i]
		known[e.path] = true
		if rows[e.path] == nil {
			gone = append(gone, i)
			continue
		}
		edited := &asset.Table{Name: e.stored.Name, Columns: all.Columns[1:], Rows: rows[e.path], Native: e.stored.Native}
		if convert.SettleCells(edited, e.stored, x.env.Diagnostics.In(e.path)) {
			continue
		}
		if err := x.put(i, e, edited); err != nil {
			return nil, schema.In(e.path, err)
		}
	}
	slices.Reverse(gone) // so that the numbers of the others stay
	for _, i := range gone {
		if !prune {
			without = append(without, x.entries[i].path)
			continue
		}
		if err := x.archive.Remove(i); err != nil {
			return nil, schema.In(x.entries[i].path, err)
		}
	}
	return without, x.add(all, order, rows, known)
}

// put encodes an edited entry.
func (x *archiveTable) put(i int, e *entryTable, edited *asset.Table) error {
	payload, err := e.lower(edited, entryEnv(x.archive, e.path, x.env))
	if err != nil {
		return err
	}
	return x.archive.Replace(i, payload)
}

// add makes the entries that are not there yet.
func (x *archiveTable) add(all *asset.Table, order []string, rows map[string][][]any, known map[string]bool) error {
	for _, slot := range order {
		if known[slot] {
			continue
		}
		if len(x.entries) == 0 {
			return fmt.Errorf("%s: an archive without entries does not tell what its tables are", slot)
		}
		like := x.entries[0]
		fresh := entryTable{path: slot, format: like.format}
		if like.text != nil {
			fresh.text = &asset.Text{Native: &asset.Native{Format: like.format.Name}}
		}
		payload, err := fresh.lower(&asset.Table{Columns: all.Columns[1:], Rows: rows[slot]}, entryEnv(x.archive, slot, x.env))
		if err == nil {
			err = x.archive.Add(slot, payload, like.format)
		}
		if err != nil {
			return schema.In(slot, err)
		}
	}
	return nil
}

// lower encodes a table as the entry.
func (e *entryTable) lower(t *asset.Table, env *format.Env) ([]byte, error) {
	var a asset.Asset = t
	if e.text != nil {
		text, err := asText(t, e.format, e.text)
		if err != nil {
			return nil, err
		}
		a = text
	}
	v, err := e.format.Lower(a, env)
	if err != nil {
		return nil, err
	}
	return e.format.Encode(v)
}
