package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/schema"
)

// OpenPartners updates the partners of an archive according to its edits. Partners that are not beside the archive are
// reported. The caller closes them.
func OpenPartners(a *store.Archive, out string, l *Loader, d *schema.Diagnostics) (list []*store.Partner, err error) {
	if a == nil || l == nil {
		return nil, errors.New("there is no archive, or nothing to load its partners with")
	}
	if a.Abilities().Partners == nil {
		return nil, nil
	}
	defer func() {
		if err != nil {
			store.ClosePartners(list)
		}
	}()
	names := a.Abilities().Partners()
	if err := a.Unread(); err != nil { // one that it did not see may be missing
		return nil, err
	}
	for _, name := range names {
		p, err := openPartner(a, name, l, d)
		if err != nil {
			return list, err
		}
		if p != nil {
			p.Out = filepath.Join(filepath.Dir(out), filepath.Base(p.Path))
			list = append(list, p)
		}
	}
	return list, a.Unread()
}

// openPartner returns nil when the partner is not there, or need not change.
func openPartner(base *store.Archive, name string, l *Loader, d *schema.Diagnostics) (*store.Partner, error) {
	files := l.Env(base.Path, d).Files.(*find.Files)
	path, ok := files.Locate(name)
	if err := files.Unread(); err != nil {
		return nil, err
	}
	if !ok {
		d.Warnf("no-partner", "", "%s is not beside %s: it is not brought in line", name, base.Path)
		return nil, nil
	}
	a, err := store.OpenAny(path, nil, l.Env(path, d))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	before := sizes(a)
	changed, err := base.Abilities().UpdatePartner(name, a.ArchiveFile)
	if err == nil {
		err = a.Unread()
	}
	if err != nil || len(changed) == 0 {
		a.Close()
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	p, after := &store.Partner{Archive: a}, sizes(a)
	for _, entry := range changed {
		c := store.PartnerChange{Entry: filepath.Base(path), Before: before[entry], After: after[entry]}
		if !a.Single() {
			c.Entry += ":" + entry
		}
		p.Changes = append(p.Changes, c)
	}
	return p, nil
}

func sizes(a *store.Archive) map[string]int64 {
	m := make(map[string]int64, len(a.Entries()))
	for _, e := range a.Entries() {
		m[e.Path] = e.Size
	}
	return m
}

// ArchiveWriter writes an edited archive with its partners. It writes nothing if one of the files may not be overwritten.
type ArchiveWriter struct {
	Archive       *store.Archive
	Loader        *Loader
	Out           string
	Force, DryRun bool
	Diagnostics   *schema.Diagnostics
}

// Write writes the files, the archive first, and closes the archive.
func (w *ArchiveWriter) Write(ctx context.Context) ([]store.Output, error) {
	partners, err := OpenPartners(w.Archive, w.Out, w.Loader, w.Diagnostics)
	if err != nil {
		return nil, err
	}
	defer store.ClosePartners(partners)
	sizes, err := w.write(ctx, partners)
	if err != nil {
		return nil, err
	}
	outputs := []store.Output{{Path: w.Out, Size: sizes[0]}}
	for i, p := range partners {
		outputs = append(outputs, store.Output{Path: p.Out, Size: sizes[i+1]})
	}
	return outputs, nil
}

func (w *ArchiveWriter) write(ctx context.Context, partners []*store.Partner) ([]int64, error) {
	if w.DryRun {
		return store.PlanArchive(w.Archive, partners, w.Out, w.Force)
	}
	o, err := store.OpenArchiveOutput(w.Out, w.Force, "convert")
	if err != nil {
		return nil, err
	}
	defer o.Close()
	if err := o.Prepare(ctx, w.Archive, partners, false); err != nil {
		return nil, err
	}
	if err := w.Archive.UnmovedAt(w.Out); err != nil {
		return nil, err
	}
	if err := w.Archive.Close(); err != nil {
		return nil, err
	}
	return o.Sizes, o.Commit()
}
