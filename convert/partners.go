package convert

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
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
	base, ok := a.ArchiveFile.(format.Partnered)
	if !ok {
		return nil, nil
	}
	defer func() {
		if err != nil {
			ClosePartners(list)
		}
	}()
	for _, name := range base.Partners() {
		p, err := openPartner(base, name, a.Path, l, d)
		if err != nil {
			return list, err
		}
		if p != nil {
			p.Out = filepath.Join(filepath.Dir(out), filepath.Base(p.Path))
			list = append(list, p)
		}
	}
	return list, nil
}

// openPartner returns nil when the partner is not there, or need not change.
func openPartner(base format.Partnered, name, beside string, l *Loader, d *schema.Diagnostics) (*Partner, error) {
	path, ok := l.Env(beside, d).Files.(*Files).Locate(name)
	if !ok {
		d.Warnf("no-partner", "", "%s is not beside %s: it is not brought in line", name, beside)
		return nil, nil
	}
	a, err := OpenAny(path, nil, l.Env(path, d))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	before := sizes(a)
	changed, err := base.UpdatePartner(name, a.ArchiveFile)
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
		p.Close() // a second time when all is well
	}
}

// CheckPartners refuses partners that may not be overwritten.
func CheckPartners(list []*Partner, out string, force bool) error {
	for _, p := range list {
		if err := disk.Dry(filepath.Dir(p.Out), force).Check(filepath.Base(p.Out)); err != nil {
			return fmt.Errorf("%w, and has to change with %s", err, out)
		}
	}
	return nil
}

// WrittenPartners are partners that are whole and on the disk, but have not their names yet.
type WrittenPartners struct {
	list    []*Partner
	written []*WrittenArchive
}

// PreparePartners writes partners under temporary names.
func PreparePartners(ctx context.Context, list []*Partner, force bool) (*WrittenPartners, error) {
	w := &WrittenPartners{list: list}
	for _, p := range list {
		x, err := PrepareArchive(ctx, p, p.Out, force, false)
		if err != nil {
			w.Discard()
			return nil, err
		}
		w.written = append(w.written, x)
	}
	return w, nil
}

// Commit gives the partners their names.
func (w *WrittenPartners) Commit() error {
	for i, p := range w.list {
		if err := p.Close(); err != nil { // Windows does not replace an open file
			return err
		}
		if err := w.written[i].Commit(); err != nil {
			return err
		}
	}
	return nil
}

// Discard removes what was written and has no name.
func (w *WrittenPartners) Discard() {
	if w == nil {
		return
	}
	for _, x := range w.written {
		x.Discard()
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
	if err := CheckPartners(partners, w.Out, w.Force); err != nil {
		return nil, err
	}
	outputs := make([]Output, 1, 1+len(partners))
	if w.DryRun {
		for _, p := range partners {
			size, err := WriteArchive(ctx, p, p.Out, w.Force, true, nil)
			if err != nil {
				return nil, err
			}
			outputs = append(outputs, Output{p.Out, size})
		}
		size, err := WriteArchive(ctx, w.Archive, w.Out, w.Force, true, nil)
		outputs[0] = Output{w.Out, size}
		return outputs, err
	}
	beside, err := PreparePartners(ctx, partners, w.Force)
	if err != nil {
		return nil, err
	}
	defer beside.Discard()
	for i, p := range partners {
		outputs = append(outputs, Output{p.Out, beside.written[i].Size})
	}
	size, err := WriteArchive(ctx, w.Archive, w.Out, w.Force, false, func() error {
		if err := w.Archive.Close(); err != nil {
			return err
		}
		return beside.Commit()
	})
	outputs[0] = Output{w.Out, size}
	return outputs, err
}
