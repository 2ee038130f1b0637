package batch

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// An archive all of whose entries are flat tables of one kind can become one CSV file: the first column is the path of
// the entry, then come the columns that the tables share. The sidecar names the archive; on the way back it is looked
// for beside the CSV file, and only entries that differ from it are made anew.

const (
	slotColumn = "slot"
	baseValue  = "base" // of the sidecar: the file name of the archive
)

// tableJob returns the work when an archive is to become one CSV file or the reverse, nil otherwise.
func (c *Conversion) tableJob(operands []string) func(context.Context) Result {
	if len(operands) != 1 || isFolder(c.Out) {
		return nil
	}
	p, entry, err := convert.ParseOperand(operands[0])
	if err != nil || entry != "" {
		return nil
	}
	isCSV := func(name string) bool { return strings.EqualFold(path.Ext(name), ".csv") }
	job := func(do func(context.Context, *Result, *schema.Diagnostics) error) func(context.Context) Result {
		return func(ctx context.Context) (r Result) {
			d := new(schema.Diagnostics)
			r = Result{Source: operands[0], Status: Failed}
			defer Guard(&r)
			defer func() { r.Diagnostics = d.All() }()
			if r.Err = do(ctx, &r, d); r.Err == nil {
				r.Status = c.doneStatus()
			}
			return r
		}
	}
	if isCSV(c.Out) {
		f := c.Loader.From
		if f == nil {
			f, _ = convert.SniffFile(p)
		}
		if f != nil && f.Kind == format.Archive {
			return job(func(ctx context.Context, r *Result, d *schema.Diagnostics) error {
				return c.archiveToTable(ctx, r, p, f, d)
			})
		}
	}
	if !isCSV(p) || convert.VagueExtension(path.Ext(c.Out)) {
		return nil
	}
	if t, err := convert.ParseTarget(path.Ext(c.Out), nil); err == nil && t.Format != nil && t.Format.Kind == format.Archive {
		return job(func(ctx context.Context, r *Result, d *schema.Diagnostics) error {
			return c.tableToArchive(ctx, r, p, t.Format, d)
		})
	}
	return nil
}

// archiveToTable writes the CSV file.
func (c *Conversion) archiveToTable(ctx context.Context, r *Result, p string, f *format.Format, d *schema.Diagnostics) error {
	env := c.Loader.Env(p, d)
	a, err := convert.OpenArchive(p, f, env)
	if err != nil {
		return err
	}
	defer a.Close() // was only read from
	r.Format = f.Name
	all := &asset.Table{Native: &asset.Native{Format: f.Name, Values: map[string]any{baseValue: filepath.Base(p)}}}
	for i, e := range a.Entries() {
		_, t, err := entryTable(a, i, env)
		if err != nil {
			return err
		}
		columns := append([]string{slotColumn}, t.Columns...)
		if all.Columns == nil {
			all.Columns = columns
		}
		if !slices.Equal(all.Columns, columns) {
			return fmt.Errorf("%s: it has other columns than the entries before it", e.Path)
		}
		for _, row := range t.Rows {
			all.Rows = append(all.Rows, append([]any{e.Path}, row...))
		}
	}
	if len(all.Rows) == 0 {
		return convert.ErrNothing
	}
	csv, err := convert.ParseTarget("csv", nil)
	if err != nil {
		return err
	}
	base := filepath.Base(c.Out)
	csv.Extension = path.Ext(base) // as the user writes it
	files, err := (&convert.Item{Asset: all, Env: env}).Export(csv, convert.Stem(base))
	if err != nil {
		return err
	}
	r.Outputs, err = c.write(ctx, filepath.Dir(c.Out), files)
	return err
}

// entryTable lifts an entry of an archive to a table, and returns the format of the entry.
func entryTable(a *convert.Archive, i int, env *format.Env) (*format.Format, *asset.Table, error) {
	e := a.Entries()[i]
	payload, err := a.Payload(i)
	if err != nil {
		return nil, nil, err
	}
	f := e.Format.Of(i, payload)
	if f == nil || f.Kind != format.Table || f.Lift == nil || f.Lower == nil {
		return nil, nil, fmt.Errorf("%s: it is no flat table, so that the archive cannot become one", e.Path)
	}
	v, err := f.Read(payload, env.Diagnostics)
	if err != nil {
		return nil, nil, schema.In(e.Path, err)
	}
	x, err := f.Lift(v, entryEnv(a, e.Path, env))
	if err != nil {
		return nil, nil, schema.In(e.Path, err)
	}
	t, ok := x.(*asset.Table)
	if !ok {
		return nil, nil, fmt.Errorf("%s: it is no flat table, so that the archive cannot become one", e.Path)
	}
	return f, t, nil
}

func entryEnv(a *convert.Archive, entry string, env *format.Env) *format.Env {
	own := *env
	own.Archive, own.Entry = a.ArchiveFile, entry
	return &own
}

// tableToArchive writes the archive. Entries without a row are taken out, and slots that the archive lacks are added.
func (c *Conversion) tableToArchive(ctx context.Context, r *Result, p string, f *format.Format, d *schema.Diagnostics) error {
	it, err := c.Loader.Load(convert.Source{Path: p}, d)
	if err != nil {
		return err
	}
	all, ok := it.Asset.(*asset.Table)
	if !ok || len(all.Columns) < 2 || all.Columns[0] != slotColumn {
		return fmt.Errorf("the first column of a table that becomes an archive is %q", slotColumn)
	}
	base, ok := c.tableBase(it)
	if !ok {
		return errors.New("the archive that the table was made from is neither beside it nor below --install; the .usher.json of the table names it")
	}
	env := c.Loader.Env(base, d)
	a, err := convert.OpenArchive(base, f, env)
	if err != nil {
		return err
	}
	defer a.Close() // a second time when all is well
	if err := replaceRows(a, all, env); err != nil {
		return err
	}
	size, err := convert.WriteArchive(ctx, a, c.Out, c.Force, c.DryRun, a.Close)
	r.Format, r.Outputs = f.Name, []convert.Output{{Path: c.Out, Size: size}}
	return err
}

// tableBase finds the archive that a table was made from.
func (c *Conversion) tableBase(it *convert.Item) (string, bool) {
	n := convert.NativeOf(it.Asset)
	if n == nil {
		return "", false
	}
	name, _ := n.Values[baseValue].(string)
	files, ok := it.Env.Files.(*convert.Files)
	if !ok || name == "" {
		return "", false
	}
	return files.Locate(name)
}

// replaceRows brings the entries of an archive in line with a table.
func replaceRows(a *convert.Archive, all *asset.Table, env *format.Env) error {
	rows := map[string][][]any{} // by slot
	var order []string
	for _, row := range all.Rows {
		slot := convert.CellText(row[0])
		if rows[slot] == nil {
			order = append(order, slot)
		}
		rows[slot] = append(rows[slot], row[1:])
	}
	var leaf *format.Format
	var gone []string
	for i, e := range a.Entries() {
		f, stored, err := entryTable(a, i, env)
		if err != nil {
			return err
		}
		leaf = f
		if rows[e.Path] == nil {
			gone = append(gone, e.Path)
			continue
		}
		edited := &asset.Table{Name: stored.Name, Columns: all.Columns[1:], Rows: rows[e.Path], Native: stored.Native}
		if sameCells(edited, stored) {
			continue
		}
		payload, err := lowerEntry(f, edited, entryEnv(a, e.Path, env))
		if err == nil {
			err = a.Replace(i, payload)
		}
		if err != nil {
			return schema.In(e.Path, err)
		}
	}
	for _, slot := range order {
		if _, err := a.Find(slot); err == nil {
			continue
		}
		if leaf == nil {
			return fmt.Errorf("%s: an archive without entries does not tell what its tables are", slot)
		}
		payload, err := lowerEntry(leaf, &asset.Table{Columns: all.Columns[1:], Rows: rows[slot]}, entryEnv(a, slot, env))
		if err == nil {
			err = a.Add(slot, payload, leaf)
		}
		if err != nil {
			return schema.In(slot, err)
		}
	}
	for _, slot := range gone {
		a.Reindex()
		i, err := a.Find(slot)
		if err == nil {
			err = a.Remove(i)
		}
		if err != nil {
			return schema.In(slot, err)
		}
	}
	return nil
}

func lowerEntry(f *format.Format, t *asset.Table, env *format.Env) ([]byte, error) {
	v, err := f.Lower(t, env)
	if err != nil {
		return nil, err
	}
	return f.Write(v)
}

// sameCells tells whether a table from a CSV file says what the stored one says. Cells that do are replaced by the
// stored ones, since CSV changes line ends.
func sameCells(edited, stored *asset.Table) bool {
	same := len(edited.Rows) == len(stored.Rows)
	plain := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	for k, column := range edited.Columns {
		from := slices.Index(stored.Columns, column)
		if from < 0 {
			continue
		}
		for i := range min(len(edited.Rows), len(stored.Rows)) {
			if was := stored.Rows[i][from]; plain(convert.CellText(edited.Rows[i][k])) == plain(convert.CellText(was)) {
				edited.Rows[i][k] = was
			} else {
				same = false
			}
		}
	}
	return same
}
