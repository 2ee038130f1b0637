package batch

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// libraryJob returns the work when several files become one that holds what they share, such as a library of materials;
// nil otherwise.
func (c *Conversion) libraryJob(operands []string) func(context.Context) Result {
	if len(operands) < 2 || isFolder(c.Out) || interchange.ByExtension(path.Ext(c.Out)) != nil {
		return nil
	}
	t, err := engine.ParseTarget(path.Ext(c.Out), nil)
	if err != nil || t.Format == nil || t.Format.Gather == nil {
		return nil
	}
	for _, operand := range operands {
		p, _, err := engine.ParseOperand(operand)
		if err != nil {
			return nil
		}
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			return nil
		}
	}
	return func(ctx context.Context) (r Result) {
		d := new(schema.Diagnostics)
		r = Result{Source: strings.Join(operands, ", "), Format: t.Format.Name, Status: Failed}
		defer Guard(&r)
		defer r.Tell(d)
		if r.Err = c.gather(ctx, &r, operands, t, d); r.Err == nil {
			r.Status = c.doneStatus()
		}
		return r
	}
}

// gather makes one file of several.
func (c *Conversion) gather(ctx context.Context, r *Result, operands []string, t engine.Target, d *schema.Diagnostics) error {
	var list []format.Gathered
	for _, operand := range operands {
		p, entry, err := engine.ParseOperand(operand)
		if err != nil {
			return err
		}
		own := d.In(operand)
		it, err := c.Loader.Load(engine.Source{Path: p, Entry: entry, Rel: filepath.Base(p)}, own)
		if err != nil {
			return fmt.Errorf("%s: %w", operand, err)
		}
		defer it.Close()
		a, err := it.Lift()
		if err != nil {
			return fmt.Errorf("%s: %w", operand, err)
		}
		list = append(list, format.Gathered{Asset: a, Env: it.Env})
	}
	to, err := disk.Resolve(c.Out)
	if err != nil {
		return err
	}
	env := c.Loader.Env(to, d)
	env.Output = formats.Stem(filepath.Base(to))
	v, err := t.Format.Gather(list, env)
	if err != nil {
		return err
	}
	b, err := t.Format.Encode(v)
	if err != nil {
		return err
	}
	dir, name := filepath.Split(to)
	r.Outputs, err = c.write(ctx, orCurrent(dir), []format.File{{Name: name, Content: b}})
	return err
}
