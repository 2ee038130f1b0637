package convert

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/usher-assets/usher/schema"
)

// Partner is a file beside an edited archive that was brought in line with it.
type Partner struct {
	*Archive
	Out     string // where it goes: beside the edited archive
	Changes []PartnerChange
}

// PartnerChange is an entry of a partner that changed.
type PartnerChange struct {
	Entry         string // "sdInfo16.flx:22"
	Before, After int64  // bytes of the payload; 0 where there is none
}

// OpenPartners brings the partners of an archive in line with its edits. There are none for what needs none, and those
// that are not beside it are named. The caller closes them.
func OpenPartners(a *Archive, out string, l *Loader, d *schema.Diagnostics) (list []*Partner, err error) {
	if a == nil || l == nil {
		return nil, errors.New("there is no archive, or nothing to load its partners with")
	}
	if a.able.Partners == nil {
		return nil, nil
	}
	defer func() {
		if err != nil {
			ClosePartners(list)
		}
	}()
	names := a.able.Partners()
	if err := Unread(a.env); err != nil { // one that it did not see may be missing
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
	return list, Unread(a.env)
}

// openPartner returns nil when the partner is not there, or need not change.
func openPartner(base *Archive, name string, l *Loader, d *schema.Diagnostics) (*Partner, error) {
	files := l.Env(base.Path, d).Files.(*Files)
	path, ok := files.Locate(name)
	if err := files.Unread(); err != nil {
		return nil, err
	}
	if !ok {
		d.Warnf("no-partner", "", "%s is not beside %s: it is not brought in line", name, base.Path)
		return nil, nil
	}
	a, err := OpenAny(path, nil, l.Env(path, d))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	before := sizes(a)
	changed, err := base.able.UpdatePartner(name, a.ArchiveFile)
	if err == nil {
		err = Unread(a.env)
	}
	if err != nil || len(changed) == 0 {
		a.Close()
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	p, after := &Partner{Archive: a}, sizes(a)
	for _, entry := range changed {
		c := PartnerChange{filepath.Base(path), before[entry], after[entry]}
		if !a.Single() {
			c.Entry += ":" + entry
		}
		p.Changes = append(p.Changes, c)
	}
	return p, nil
}

func sizes(a *Archive) map[string]int64 {
	m := make(map[string]int64, len(a.Entries()))
	for _, e := range a.Entries() {
		m[e.Path] = e.Size
	}
	return m
}

// ClosePartners releases what the partners read from.
func ClosePartners(list []*Partner) {
	for _, p := range list {
		if p != nil && p.Archive != nil {
			p.Close() // a second time when all is well
		}
	}
}

// ArchiveWriter writes an edited archive with its partners: all of them, or nothing when one may not be overwritten.
type ArchiveWriter struct {
	Archive       *Archive
	Loader        *Loader
	Out           string
	Force, DryRun bool
	Diagnostics   *schema.Diagnostics
}

// Write writes the files and closes the archive. The archive is the first of them.
func (w *ArchiveWriter) Write(ctx context.Context) ([]Output, error) {
	partners, err := OpenPartners(w.Archive, w.Out, w.Loader, w.Diagnostics)
	if err != nil {
		return nil, err
	}
	defer ClosePartners(partners)
	sizes, err := w.write(ctx, partners)
	if err != nil {
		return nil, err
	}
	outputs := []Output{{w.Out, sizes[0]}}
	for i, p := range partners {
		outputs = append(outputs, Output{p.Out, sizes[i+1]})
	}
	return outputs, nil
}

func (w *ArchiveWriter) write(ctx context.Context, partners []*Partner) ([]int64, error) {
	if w.DryRun {
		return PlanArchive(w.Archive, partners, w.Out, w.Force)
	}
	o, err := OpenArchiveOutput(w.Out, w.Force, "convert")
	if err != nil {
		return nil, err
	}
	defer o.Close()
	if err := o.Prepare(ctx, w.Archive, partners, false); err != nil {
		return nil, err
	}
	if err := w.Archive.unmovedAt(w.Out); err != nil {
		return nil, err
	}
	if err := w.Archive.Close(); err != nil {
		return nil, err
	}
	return o.Sizes, o.Commit()
}
