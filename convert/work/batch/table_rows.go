package batch

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// textColumn holds the body of a text; what else can be edited of it, such as a book's title, stands before it.
const textColumn = "text"

// archiveTable is an archive as one table.
type archiveTable struct {
	archive *store.Archive
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
	first       int         // its first row in the table of the archive
}

// readArchiveTable reads all entries of an archive, which it takes into its care when there is no error. What is odd about
// them is not told: it stays as it is.
func readArchiveTable(a *store.Archive, env *format.Env) (*archiveTable, error) {
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
func readEntryTable(a *store.Archive, i int, env *format.Env) (entryTable, error) {
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
	x := entryTable{path: e.Path, title: e.Title, format: f}
	if err := x.show(payload, entryEnv(a, e.Path, env)); err != nil {
		return entryTable{}, schema.In(e.Path, err)
	}
	if x.stored == nil {
		return entryTable{}, noTable
	}
	return x, nil
}

// show sets what a payload of the entry shows, nothing where that is no table.
func (e *entryTable) show(payload []byte, env *format.Env) error {
	v, err := e.format.Read(payload, nil)
	if err != nil {
		return err
	}
	a, err := e.format.Lift(v, env)
	if err != nil {
		return err
	}
	e.stored, _ = a.(*asset.Table)
	if e.text, _ = a.(*asset.Text); e.text != nil {
		e.stored = textTable(e.text)
	}
	return nil
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
		if text := rows.Text(t.Rows[0][k]); column == textColumn {
			out.Body = text
		} else {
			out.Native.Values[column] = text
		}
	}
	return out, nil
}

func entryEnv(a *store.Archive, entry string, env *format.Env) *format.Env {
	own := *env
	own.Archive, own.Entry, own.Diagnostics = a.ArchiveFile, entry, env.Diagnostics.In(entry)
	return &own
}

// table returns the whole archive as one table.
func (x *archiveTable) table() *asset.Table {
	name := baseName(x.archive.Path)
	t := &asset.Table{Columns: append([]string{slotColumn}, x.columns...), Keys: []string{slotColumn},
		Native: &asset.Native{Format: x.archive.Format.Name, Values: map[string]any{baseValue: name}}}
	if page := x.env.Options.CodePage; page != "" {
		scene.SetShown(t.Native, format.CodePageValue, page)
	}
	if len(x.entries) > 0 {
		like := x.entries[0].stored
		t.Keys, t.Held = append(t.Keys, like.Keys...), []int{1}
		for k := range like.Columns {
			held := len(like.Keys)
			if like.Held != nil {
				held = like.Held[k]
			}
			t.Held = append(t.Held, held+1)
		}
	}
	for i := range x.entries {
		e := &x.entries[i]
		e.first = len(t.Rows)
		for _, row := range e.stored.Rows {
			t.Rows = append(t.Rows, append([]any{e.path}, row...))
		}
	}
	return t
}

// replace brings the entries of the archive in line with a table. Those without a row are removed with prune, and else
// counted.
func (x *archiveTable) replace(edited *asset.Table, prune bool) error {
	whole := x.table()
	slot := slices.IndexFunc(edited.Columns, func(name string) bool { return rows.Column(name, whole.Keys[:1]) == slotColumn })
	var faults schema.Faults
	for i, cells := range edited.Rows {
		if slot < 0 || rows.Text(cells[slot]) == "" {
			faults.Add(&schema.FormatError{Path: rows.Place(edited, i), Offset: -1, Field: slotColumn, Class: schema.ErrValue, Msg: "there is no number of an entry"})
		}
	}
	m, err := rows.Merge(edited, whole, prune, x.env.Diagnostics)
	faults.Add(err)
	if err := faults.Err(); err != nil {
		return err
	}
	entries := map[string]int{}
	for i, e := range x.entries {
		entries[e.path] = i
	}
	partly, fresh := x.missing(m), []part(nil)
	for from := 0; from < len(m.Table.Rows); {
		p := partOf(m, from)
		from += len(p.table.Rows)
		if i, known := entries[p.slot]; !known {
			fresh = append(fresh, p)
		} else if p.changed || partly[i] {
			faults.Add(schema.In(p.slot, x.put(i, p)))
		}
	}
	if err := x.remove(m); err != nil { // before entries are added, which would change their numbers
		return err
	}
	for _, p := range fresh {
		faults.Add(schema.In(p.slot, x.add(p)))
	}
	return faults.Err()
}

// part is what a table of an archive says of one entry.
type part struct {
	slot    string
	table   *asset.Table
	changed bool
}

// partOf returns the part that begins with a row.
func partOf(m *rows.Merged, from int) part {
	t := m.Table
	k := slices.Index(t.Columns, slotColumn)
	p := part{slot: rows.Text(t.Rows[from][k]), table: &asset.Table{Columns: slices.Delete(slices.Clone(t.Columns), k, k+1), Keys: t.Keys[1:]}}
	for i := from; i < len(t.Rows) && rows.Text(t.Rows[i][k]) == p.slot; i++ {
		p.table.Rows = append(p.table.Rows, slices.Delete(slices.Clone(t.Rows[i]), k, k+1))
		p.table.Lines, p.table.From = append(p.table.Lines, t.Lines[i]), append(p.table.From, t.From[i])
		p.changed = p.changed || m.Changed[i]
	}
	return p
}

// missing counts the stored rows that a table has not, where they stay, and returns the entries that lose some.
func (x *archiveTable) missing(m *rows.Merged) (partly map[int]bool) {
	partly = map[int]bool{}
	if len(m.Missing) == 0 {
		return partly
	}
	whole, others := 0, 0
	for i, n := range x.missingIn(m) {
		switch {
		case n == len(x.entries[i].stored.Rows):
			whole++
		case n > 0:
			others += n
			partly[i] = m.Pruned
		}
	}
	if whole > 0 && !m.Pruned {
		x.env.Told().Hint(": --prune removes what is missing").Warnf("row-missing", "", "%s", schema.Counted(whole, "entry has no row and stays", "entries have no row and stay"))
	}
	if others > 0 && !m.Pruned {
		x.env.Told().Hint(": --prune removes what is missing").Warnf("row-missing", "", "%s of %s", schema.Counted(others, "row is not in the table and stays", "rows are not in the table and stay"), schema.Counted(len(partly), "entry", "entries"))
	}
	return partly
}

// missingIn counts the rows that a table has not of each entry.
func (x *archiveTable) missingIn(m *rows.Merged) []int {
	counts := make([]int, len(x.entries))
	i := 0
	for _, row := range m.Missing {
		for row >= x.entries[i].first+len(x.entries[i].stored.Rows) {
			i++
		}
		counts[i]++
	}
	return counts
}

// remove takes out the entries without rows, where that was asked for.
func (x *archiveTable) remove(m *rows.Merged) error {
	if !m.Pruned {
		return nil
	}
	counts := x.missingIn(m)
	for i, n := range slices.Backward(counts) { // so that the numbers of the others stay
		if n > 0 && n == len(x.entries[i].stored.Rows) {
			if err := x.archive.Remove(i); err != nil {
				return schema.In(x.entries[i].path, err)
			}
		}
	}
	return nil
}

// put encodes an edited entry.
func (x *archiveTable) put(i int, p part) error {
	e := &x.entries[i]
	for k, from := range p.table.From {
		if from >= 0 {
			p.table.From[k] = from - e.first
		}
	}
	p.table.Name, p.table.Native = e.stored.Name, e.stored.Native
	payload, err := e.lower(p.table, entryEnv(x.archive, e.path, x.env))
	if err != nil {
		return err
	}
	return x.archive.Replace(i, payload)
}

// add makes an entry that is not there yet.
func (x *archiveTable) add(p part) error {
	if len(x.entries) == 0 {
		return errors.New("an archive without entries does not tell what its tables are")
	}
	like := x.entries[0]
	fresh := entryTable{path: p.slot, format: like.format}
	if like.text != nil {
		fresh.text = &asset.Text{Native: &asset.Native{Format: like.format.Name}}
	}
	payload, err := fresh.lower(p.table, entryEnv(x.archive, p.slot, x.env))
	if err != nil {
		return err
	}
	return x.archive.Add(p.slot, payload, like.format)
}

// lower encodes a table as the entry, in which every cell is to be found then.
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
	payload, err := e.format.Encode(v)
	if err != nil {
		return nil, err
	}
	made, quiet := *e, *env
	quiet.Diagnostics = nil
	if err := made.show(payload, &quiet); err != nil {
		return nil, err
	}
	return payload, rows.Verify(t, made.stored)
}
