package batch

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// Conversion converts files, entries, whole archives and whole folders.
type Conversion struct {
	Loader    engine.Loader
	Selection Selection
	To        string // extension or format name; if empty, the extension of Out or the default of each input
	Out       string // a file if there is one input, otherwise a folder. Empty is the current folder.
	Used      bool   // also what archives use of others that are at hand
	Force     bool   // overwrite
	DryRun    bool   // do everything but write
	Session   Session
}

// Run converts the operands and calls emit with one result for each asset, in order.
func (c *Conversion) Run(ctx context.Context, operands []string, emit func(Result)) error {
	if err := c.Selection.Validate(); err != nil {
		return err
	}
	c.Loader = c.Loader.Sharing()
	if do := c.tableJob(operands); do != nil {
		return c.Session.Run(ctx, one(Job{0, do}), emit)
	}
	if do := c.fileJob(operands); do != nil {
		return c.Session.Run(ctx, one(Job{0, do}), emit)
	}
	if do := c.libraryJob(operands); do != nil {
		return c.Session.Run(ctx, one(Job{0, do}), emit)
	}
	if src, ok := c.single(operands); ok {
		return c.Session.Run(ctx, one(Job{src.Size, func(ctx context.Context) Result { return c.convertSingle(ctx, src) }}), emit)
	}
	out, err := c.openOut(operands)
	if err != nil {
		return err
	}
	defer out.Close()
	if !c.DryRun {
		lock, err := out.Lock("convert")
		if err != nil {
			return err
		}
		defer lock.Release()
	}
	b := &batch{Conversion: c, out: out, claims: newClaims()}
	if b.record, err = readRecord(out); err != nil {
		return err
	}
	tally := BareTally{Emit: emit}
	run := func() error {
		defer tally.Flush()
		return c.Session.Run(ctx, b.jobs(ctx, operands), func(r Result) {
			if r.Status != Skipped && r.Status != Opened {
				b.results++
			}
			tally.Take(r)
		})
	}
	err = run()
	switch {
	case err != nil || len(b.passed) == 0:
	case b.results == 0: // a folder of nothing but interchange files goes the way back
		b.back = true
		err = run()
	default:
		emit(b.passedOver(operands))
	}
	if saving := b.record.save(out, c.DryRun); err == nil {
		err = saving
	}
	if err == nil && b.results == 0 {
		err = formats.ErrNothing
	}
	return err
}

func one(j Job) iter.Seq[Job] { return func(yield func(Job) bool) { yield(j) } }

// single reports whether the operands are exactly one asset.
func (c *Conversion) single(operands []string) (engine.Source, bool) {
	if len(operands) != 1 {
		return engine.Source{}, false
	}
	p, entry, err := engine.ParseOperand(operands[0])
	if err != nil {
		return engine.Source{Path: operands[0], Rel: filepath.Base(operands[0])}, true // its job reports the error
	}
	info, err := os.Stat(p)
	if err != nil || info.IsDir() {
		return engine.Source{}, false
	}
	src := engine.Source{Path: p, Entry: entry, Rel: filepath.Base(p), Size: info.Size()}
	if entry != "" && !c.named(operands[0]) {
		return src, false
	}
	if entry != "" {
		src.Rel = formats.Stem(src.Rel) + "_" + disk.SafeName(entry)
		return src, !c.Used
	}
	f := c.Loader.From
	var x *interchange.Interchange
	if f == nil {
		f, x = interchange.SniffFile(p)
	}
	if (f == nil || f.Kind != format.Archive) && !c.Selection.MatchFile(f, x) {
		return src, false // nothing is left then
	}
	if f == nil || f.Kind != format.Archive || c.whole(f) {
		return src, true
	}
	src.Entry, src.Size = c.lead(p, f)
	return src, src.Entry != ""
}

// named reports whether ARCHIVE:ENTRY names one entry, and is no pattern for several.
func (c *Conversion) named(operand string) bool {
	p, pattern, ok := ParsePattern(operand)
	if !ok {
		return true
	}
	a, err := store.OpenInside(p, nil, c.Loader.Env(p, nil))
	if err != nil {
		return true // its job reports the error
	}
	defer a.Close()
	_, err = a.Find(pattern)
	return err == nil
}

// whole reports whether an archive becomes one JSON document, as its format allows, instead of a file for each entry.
func (c *Conversion) whole(f *format.Format) bool {
	if f.New == nil || len(c.Selection.Include)+len(c.Selection.Exclude) > 0 || c.Selection.Filters() {
		return false
	}
	to := c.To
	if to == "" && !isFolder(c.Out) {
		to = path.Ext(c.Out)
	}
	return strings.EqualFold(strings.TrimPrefix(to, "."), "json")
}

// isFolder reports whether Out names a folder: one that exists, a path that ends with a separator, or one whose last step
// has no extension and that is no file yet. So one input goes where several would go.
func isFolder(out string) bool {
	if out == "" || os.IsPathSeparator(out[len(out)-1]) || strings.HasSuffix(out, "/") {
		return true
	}
	info, err := os.Stat(out)
	if err != nil {
		return filepath.Ext(out) == ""
	}
	return info.IsDir()
}

func (c *Conversion) openOut(operands []string) (*disk.Folder, error) {
	if info, err := os.Stat(c.Out); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file; several inputs need a folder", c.Out)
	}
	if !isFolder(c.Out) && interchange.ByExtension(path.Ext(c.Out)) != nil {
		return nil, fmt.Errorf("%s would be a file, and several inputs need a folder; end its name with / if it is to be one", c.Out)
	}
	if t, err := engine.ParseTarget(path.Ext(c.Out), nil); err == nil && !isFolder(c.Out) && t.Format != nil && t.Format.Create != nil {
		do, folder := "put the files into a folder, and make it", "FOLDER"
		if len(operands) == 1 && isFolder(operands[0]) {
			do, folder = "make it", operands[0]
		}
		return nil, fmt.Errorf("%s would be an archive: %s with \"usher pack %s -o %s\"; end its name with / if it is to be a folder", c.Out, do, folder, c.Out)
	}
	if c.DryRun {
		return disk.Dry(orCurrent(c.Out), c.Force), nil
	}
	return disk.Open(orCurrent(c.Out), c.Force)
}

func orCurrent(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// convertSingle converts one asset to the file or into the folder that Out names.
func (c *Conversion) convertSingle(ctx context.Context, src engine.Source) (r Result) {
	d := new(schema.Diagnostics)
	r = Result{Source: src.String(), Status: Failed}
	defer Guard(&r)
	defer r.Tell(d)
	it, err := c.Loader.Load(src, d)
	if err != nil {
		r.Err = err
		return r
	}
	defer it.Close()
	if it.Format != nil {
		r.Format = it.Format.Name
	}
	dir, stem, want := c.Out, formats.Stem(src.Rel), c.To
	if src.Entry != "" {
		stem = src.Rel
	}
	if !isFolder(c.Out) {
		to, err := disk.Resolve(c.Out)
		if err != nil {
			r.Err = err
			return r
		}
		dir, _ = filepath.Split(to)
		_, stem = filepath.Split(c.Out)
		if want == "" {
			want = path.Ext(stem)
		}
		stem = strings.TrimSuffix(stem, path.Ext(stem))
	}
	target, err := c.target(it, want)
	if err != nil {
		r.Err = err
		return r
	}
	if f := formats.OfMap(stem, want); it.Asset != nil && f != nil {
		target.Format = f
	}
	if f := engine.Compiled(it, target); f != nil && c.To == "" {
		target = engine.Target{Extension: target.Extension, Format: f}
	}
	files, err := engine.Export(it, target, stem)
	if err != nil {
		r.Err = err
		return r
	}
	if to, err := disk.Resolve(c.Out); err == nil && !isFolder(c.Out) {
		files[0].Name = filepath.Base(to)
	}
	if r.Outputs, r.Err = c.write(ctx, orCurrent(dir), files); r.Err == nil {
		r.Status = c.doneStatus()
	}
	return r
}

func (c *Conversion) target(it *interchange.Item, want string) (engine.Target, error) {
	switch {
	case want == "" && c.Selection.asSeen(it.Format):
		return engine.DefaultTarget(it.Seen())
	case want == "":
		return engine.DefaultTarget(it)
	}
	return engine.ParseTarget(want, it)
}

func (c *Conversion) doneStatus() Status {
	if c.DryRun {
		return Planned
	}
	return Done
}

func (c *Conversion) write(ctx context.Context, dir string, files []format.File) ([]store.Output, error) {
	if c.DryRun {
		return store.Plan(disk.Dry(dir, c.Force), files)
	}
	out, err := disk.Open(dir, c.Force)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	return store.WriteFiles(ctx, out, files)
}
