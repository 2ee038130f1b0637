package batch

import (
	"bytes"
	"context"
	"errors"
	"path"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// Archives that stand for what is in them: containers of whole files, which come out and go in as they are, and
// archives that one entry speaks for.

// fileJob returns the work when files come out of a container, or one goes into a new one; nil otherwise.
func (c *Conversion) fileJob(operands []string) func(context.Context) Result {
	if len(operands) != 1 {
		return nil
	}
	p, entry, err := engine.ParseOperand(operands[0])
	if err != nil || entry != "" {
		return nil
	}
	f, foreign := c.Loader.From, interchange.ByExtension(path.Ext(p)) != nil
	if f == nil {
		f, _ = interchange.SniffFile(p)
	}
	job := func(do func(context.Context, *Result, *schema.Diagnostics) error) func(context.Context) Result {
		return func(ctx context.Context) (r Result) {
			d := new(schema.Diagnostics)
			r = Result{Source: operands[0], Status: Failed}
			if f != nil {
				r.Format = f.Name
			}
			defer Guard(&r)
			defer r.Tell(d)
			if r.Err = do(ctx, &r, d); r.Err == nil {
				r.Status = c.doneStatus()
			}
			return r
		}
	}
	if f != nil && f.Kind == format.Archive && container(f, c.Loader.Env(p, nil)) && !c.looksThrough() {
		return job(func(ctx context.Context, r *Result, d *schema.Diagnostics) error { return c.takeOut(ctx, r, p, f, d) })
	}
	if isFolder(c.Out) || foreign {
		return nil
	}
	t, err := engine.ParseTarget(path.Ext(c.Out), nil)
	if err != nil || t.Format == nil || !container(t.Format, c.Loader.Env(p, nil)) {
		return nil
	}
	return job(func(ctx context.Context, r *Result, d *schema.Diagnostics) error {
		return c.putIn(ctx, r, p, t.Format, d)
	})
}

// looksThrough reports whether what is in the files of a container is asked for, and not those files: assets of a kind, say.
func (c *Conversion) looksThrough() bool {
	return c.To != "" || len(c.Selection.Kinds)+len(c.Selection.Formats) > 0
}

// wrapper returns the format of archives of one file each that inputs are to become; nil if they are to become others.
func (c *Conversion) wrapper() *format.Format {
	if c.To == "" {
		return nil
	}
	t, err := engine.ParseTarget(c.To, nil)
	if err != nil || t.Format == nil || t.Format.Create == nil {
		return nil
	}
	a, err := t.Format.Create(c.Loader.Env("", nil))
	if err != nil || !a.Abilities().One {
		return nil
	}
	return t.Format
}

// wrap returns the job that makes an archive of one file.
func (b *batch) wrap(src engine.Source, f *format.Format) Job {
	name := b.names.Unique(disk.SafePath(src.Rel) + f.Extensions[0])
	one := work{number: b.claims.begin(), source: src.String(), stem: name}
	return b.fromWhole(src, f, one, f.Extensions[0], func(content []byte, env *format.Env) ([]format.File, error) {
		packed, err := wrapped(f, filepath.Base(src.Path), content, env)
		return []format.File{{Name: name, Content: packed}}, err
	})
}

// fromWhole returns the job that makes files with an extension of a file as a whole, whatever it holds. One that holds nothing is
// passed over unless it was named.
func (b *batch) fromWhole(src engine.Source, f *format.Format, one work, extension string, files func(content []byte, env *format.Env) ([]format.File, error)) Job {
	return Job{src.Size, func(ctx context.Context) (r Result) {
		d := new(schema.Diagnostics)
		r = Result{Source: one.source, Format: f.Name, Status: Failed}
		defer b.claims.end(one.number)
		defer Guard(&r)
		defer r.Tell(d)
		env := b.Loader.Env(src.Path, d)
		content, err := b.Loader.ReadFile(src.Path)
		if err != nil {
			r.Err = err
			return r
		}
		key := b.key(content, engine.Target{Extension: extension})
		if current, outputs := b.record.current(b.out, one.stem, key, env); current != nil && !b.Force {
			r.Status, r.Outputs, r.Err = UpToDate, outputs, b.claims.claim(one.number, one.source, current)
			return r
		}
		made, err := files(content, env)
		if errors.Is(err, formats.ErrNothing) && !src.Named {
			r.Status = Skipped
			return r
		}
		if err != nil {
			r.Err = err
			return r
		}
		if r.Outputs, r.Err = b.write(ctx, one, made, recordEntry{Key: key}); r.Err == nil {
			r.Status = b.doneStatus()
		}
		return r
	}}
}

// wrapped returns an archive that holds one file.
func wrapped(f *format.Format, name string, content []byte, env *format.Env) ([]byte, error) {
	a, err := f.Create(env)
	if err != nil {
		return nil, err
	}
	if err := a.Add(name, content, nil); err != nil {
		return nil, err
	}
	var w bytes.Buffer
	_, err = a.WriteTo(&w)
	return w.Bytes(), err
}

// container reports whether archives of a format hold whole files.
func container(f *format.Format, env *format.Env) bool {
	if f.Create == nil {
		return false
	}
	a, err := f.Create(env)
	return err == nil && a.Abilities().Files
}

// takeOut writes the files of a container into the folder Out; the one file of a container to the file Out.
func (c *Conversion) takeOut(ctx context.Context, r *Result, p string, f *format.Format, d *schema.Diagnostics) error {
	a, err := store.OpenArchive(p, f, c.Loader.Env(p, d))
	if err != nil {
		return err
	}
	defer a.Close() // was only read from
	var names disk.Names
	var files []format.File
	for i, e := range a.Entries() {
		if !c.Selection.MatchEntry(&e) {
			continue
		}
		b, err := a.Payload(i)
		if err != nil {
			return schema.In(e.Path, err)
		}
		files = append(files, format.File{Name: names.Unique(disk.SafePath(e.Path)), Content: b})
	}
	if len(files) == 0 {
		return formats.ErrNothing
	}
	dir := c.Out
	if !isFolder(c.Out) && len(files) == 1 {
		dir, files[0].Name = filepath.Split(c.Out)
	}
	r.Outputs, err = c.write(ctx, orCurrent(dir), files)
	return err
}

// putIn makes a container of one file.
func (c *Conversion) putIn(ctx context.Context, r *Result, p string, f *format.Format, d *schema.Diagnostics) error {
	content, err := c.Loader.ReadFile(p)
	if err != nil {
		return err
	}
	a, err := f.Create(c.Loader.Env(p, d))
	if err != nil {
		return err
	}
	if err := a.Add(filepath.Base(p), content, nil); err != nil {
		return err
	}
	size, err := store.WriteArchive(ctx, a, c.Out, c.Force, c.DryRun)
	r.Outputs = []store.Output{{Path: c.Out, Size: size}}
	return err
}

// lead returns the path of the entry that speaks for an archive, where Out is a file that can show it.
func (c *Conversion) lead(p string, f *format.Format) (entry string, size int64) {
	if isFolder(c.Out) || path.Ext(c.Out) == "" {
		return "", 0
	}
	t, err := engine.ParseTarget(path.Ext(c.Out), nil)
	if err != nil || t.Format != nil && (t.Format.Create != nil || t.Format.Lower == nil) {
		return "", 0
	}
	a, err := store.OpenArchive(p, f, c.Loader.Env(p, nil))
	if err != nil {
		return "", 0
	}
	defer a.Close()
	lead := a.Abilities().Lead
	if lead == nil {
		return "", 0
	}
	i := lead()
	if i < 0 {
		return "", 0
	}
	e := a.Entries()[i]
	if e.Format == nil || !t.Carries(e.Format) && (t.Format == nil || t.Format.Kind != e.Kind) {
		return "", 0
	}
	return e.Path, e.Size
}
