package batch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// An archive all of whose entries are flat tables of one kind, or texts, can become one file: a CSV table, whose first
// column is the path of the entry, a PO file for translators, or a text with one line an entry. The file says which
// archive it was made from, a CSV or text in its sidecar; on the way back that is looked for beside it, and only entries
// that differ from it are made anew.

const (
	slotColumn = "slot"
	baseValue  = "base" // of the sidecar: the file name of the archive
)

// sheet is a kind of file that a whole archive can become.
type sheet struct {
	extensions []string
	// encode makes the files of the table of an archive.
	encode func(c *Conversion, all *archiveTable, env *format.Env) ([]format.File, error)
	// decode reads a file; base returns the table of the archive that it names.
	decode func(c *Conversion, p string, base func(name, codePage string) (*archiveTable, error), d *schema.Diagnostics) (*asset.Table, error)
}

// sheets are the kinds of files that a whole archive can become.
func sheets() []sheet {
	return []sheet{
		{[]string{".csv"}, encodeCSV, decodeCSV},
		{[]string{".po", ".pot"}, encodePO, decodePO},
		{[]string{".txt"}, encodeLines, decodeLines},
	}
}

func sheetOf(name string) *sheet {
	for _, s := range sheets() {
		if slices.Contains(s.extensions, strings.ToLower(path.Ext(name))) {
			return &s
		}
	}
	return nil
}

// tableJob returns the work when an archive is to become one file or the reverse, nil otherwise.
func (c *Conversion) tableJob(operands []string) func(context.Context) Result {
	if len(operands) != 1 {
		return nil
	}
	p, entry, err := engine.ParseOperand(operands[0])
	if err != nil || entry != "" {
		return nil
	}
	if c.Out == "" || isFolder(c.Out) {
		if c = c.asShown(p); c == nil {
			return nil
		}
	}
	job := func(do func(context.Context, *Result, *schema.Diagnostics) error) func(context.Context) Result {
		return func(ctx context.Context) (r Result) {
			d := new(schema.Diagnostics)
			r = Result{Source: operands[0], Status: Failed}
			defer Guard(&r)
			defer r.Tell(d)
			if r.Err = do(ctx, &r, d); r.Err == nil {
				r.Status = c.doneStatus()
			}
			return r
		}
	}
	if sheetOf(c.Out) != nil {
		f := c.Loader.From
		if f == nil {
			f, _ = interchange.SniffFile(p)
		}
		if f != nil && f.Kind == format.Archive {
			return job(func(ctx context.Context, r *Result, d *schema.Diagnostics) error {
				return c.archiveToSheet(ctx, r, p, f, d)
			})
		}
	}
	s := sheetOf(p)
	if s == nil || formats.VagueExtension(path.Ext(c.Out)) {
		return nil
	}
	if f := archiveFor(path.Ext(c.Out), p); f != nil {
		return job(func(ctx context.Context, r *Result, d *schema.Diagnostics) error {
			return c.sheetToArchive(ctx, r, p, f, s, d)
		})
	}
	return nil
}

// asShown returns the conversion of an archive to the one file that it becomes by default, in the folder Out; nil for one that
// becomes several.
func (c *Conversion) asShown(p string) *Conversion {
	f, _ := interchange.SniffFile(p)
	if f == nil || c.To != "" || c.Loader.From != nil || !ShownWhole(f, c.Selection) {
		return nil
	}
	one := *c
	one.Out = filepath.Join(c.Out, formats.Stem(filepath.Base(p))+f.Shown)
	return &one
}

// ShownWhole reports whether an archive becomes one file: its format says so, and nobody asks for some of its entries.
func ShownWhole(f *format.Format, s Selection) bool {
	return f.Kind == format.Archive && f.Shown != "" && !s.Filters() && len(s.Include)+len(s.Exclude) == 0
}

// Sheet makes the one file, called name, that a whole archive becomes, and its companion.
func (c *Conversion) Sheet(p, name string, f *format.Format) ([]format.File, error) {
	return c.sheetFiles(p, f, name, c.Loader.Env(p, new(schema.Diagnostics)))
}

// archiveFor returns the format of archives that a sheet becomes for an extension; nil if that means none. Where the
// extension is that of plain texts as well, a table means the archive.
func archiveFor(ext, sheet string) *format.Format {
	t, err := engine.ParseTarget(ext, nil)
	if err != nil || t.Format != nil && t.Format.Kind != format.Archive {
		return nil
	}
	if t.Format != nil || strings.EqualFold(path.Ext(sheet), ".txt") {
		return t.Format
	}
	for _, f := range formats.ByExtension(ext) {
		if f.Kind == format.Archive {
			return f
		}
	}
	return nil
}

// sheet is the job of an archive that becomes one file among others.
func (b *batch) sheet(src engine.Source, f *format.Format) Job {
	one := work{number: b.claims.begin(), source: src.String(), stem: b.reserve(src.Rel)}
	return b.fromWhole(src, f, one, f.Shown, func(_ []byte, env *format.Env) ([]format.File, error) {
		files, err := b.sheetFiles(src.Path, f, one.stem+f.Shown, env)
		for i := range files {
			files[i].Name = beside(one.stem, files[i].Name)
		}
		return files, err
	})
}

// sheetFiles makes the file called name of an archive, and its companion.
func (c *Conversion) sheetFiles(p string, f *format.Format, name string, env *format.Env) ([]format.File, error) {
	a, err := store.OpenArchive(p, f, env)
	if err != nil {
		return nil, err
	}
	defer a.Close() // was only read from
	all, err := readArchiveTable(a, env)
	if err != nil {
		return nil, err
	}
	if len(all.entries) == 0 {
		return nil, formats.ErrNothing
	}
	one := *c
	one.Out = name
	return sheetOf(name).encode(&one, all, env)
}

// archiveToSheet writes the file.
func (c *Conversion) archiveToSheet(ctx context.Context, r *Result, p string, f *format.Format, d *schema.Diagnostics) error {
	r.Format = f.Name
	files, err := c.sheetFiles(p, f, c.Out, c.Loader.Env(p, d))
	if err != nil {
		return err
	}
	dir := filepath.Dir(c.Out)
	files = slices.DeleteFunc(files, func(f format.File) bool { // the table and the text of an archive share a sidecar
		was, err := os.ReadFile(filepath.Join(dir, f.Name))
		return err == nil && interchange.IsSidecar(f.Name) && bytes.Equal(was, f.Content)
	})
	r.Outputs, err = c.write(ctx, dir, files)
	return err
}

// sheetToArchive writes the archive. Entries without a row stay, or go with --prune; slots that the archive lacks are added.
func (c *Conversion) sheetToArchive(ctx context.Context, r *Result, p string, f *format.Format, s *sheet, d *schema.Diagnostics) error {
	var stored *archiveTable
	defer func() {
		if stored != nil {
			stored.archive.Close() // a second time when all is well
		}
	}()
	edited, err := s.decode(c, p, func(name, codePage string) (*archiveTable, error) {
		base, ok := c.tableBase(p, name, d)
		if !ok {
			return nil, schema.Hinted(errors.New("the archive that the table was made from is not beside it"), " nor below --install; --base names it, or the .usher.json of the table")
		}
		env := c.Loader.Env(base, d)
		env.Options.CodePage = cmp.Or(codePage, env.Options.CodePage)
		a, err := store.OpenArchive(base, f, env)
		if err != nil {
			return nil, err
		}
		all, err := readArchiveTable(a, env)
		if err != nil {
			a.Close()
			return nil, err
		}
		stored = all
		return all, nil
	}, d)
	if err != nil {
		return err
	}
	if err := stored.replace(edited, c.Loader.Options.Prune); err != nil {
		return err
	}
	w := engine.ArchiveWriter{Archive: stored.archive, Loader: &c.Loader, Out: c.Out, Force: c.Force, DryRun: c.DryRun, Diagnostics: d}
	r.Format = f.Name
	r.Outputs, err = w.Write(ctx)
	return err
}

// tableBase finds the archive that a file was made from: the one that the user names, the one that it names itself, else one that is called like the one to
// be made.
func (c *Conversion) tableBase(p, name string, d *schema.Diagnostics) (string, bool) {
	if c.Loader.Options.Base != "" {
		base, entry, err := engine.ParseOperand(c.Loader.Options.Base)
		return base, err == nil && entry == ""
	}
	files, ok := c.Loader.Env(p, d).Files.(*find.Files)
	if !ok {
		return "", false
	}
	for _, name := range []string{name, filepath.Base(c.Out)} {
		if name == "" {
			continue
		}
		if found, ok := files.Locate(name); ok {
			return found, true
		}
	}
	return "", false
}

// encodeCSV makes a CSV table with a sidecar.
func encodeCSV(c *Conversion, all *archiveTable, env *format.Env) ([]format.File, error) {
	csv, err := engine.ParseTarget("csv", nil)
	if err != nil {
		return nil, err
	}
	base := filepath.Base(c.Out)
	csv.Extension = path.Ext(base) // as the user writes it
	return engine.Export(&interchange.Item{Asset: all.table(), Env: env}, csv, strings.TrimSuffix(base, path.Ext(base)))
}

// decodeCSV reads a CSV table, whose cells it brings in line with what is stored.
func decodeCSV(c *Conversion, p string, base func(name, codePage string) (*archiveTable, error), d *schema.Diagnostics) (*asset.Table, error) {
	it, err := c.Loader.LoadEdited(p, d)
	if err != nil {
		return nil, err
	}
	t, ok := it.Asset.(*asset.Table)
	if !ok || !slices.ContainsFunc(t.Columns, func(name string) bool { return rows.Column(name, []string{slotColumn}) == slotColumn }) {
		return nil, fmt.Errorf("a table that becomes an archive has a column %q, the numbers of its entries", slotColumn)
	}
	_, err = base(baseOf(it), codePageOf(it))
	return t, err
}

// baseOf returns the name of the archive that the sidecar of a file tells.
func baseOf(it *interchange.Item) string {
	n := interchange.NativeOf(it.Asset)
	if n == nil {
		return ""
	}
	name, _ := n.Values[baseValue].(string)
	return name
}

// codePageOf returns the code page that the sidecar of a file tells.
func codePageOf(it *interchange.Item) string {
	return scene.ShownText(interchange.NativeOf(it.Asset), format.CodePageValue)
}
