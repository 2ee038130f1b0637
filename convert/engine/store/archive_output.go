package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
)

// ArchiveOutput is the output file of an archive, with its partners. All of them get their names together, and what they
// replace is kept for undo. Until Close, no other run can write to them.
type ArchiveOutput struct {
	Sizes []int64    // of the archive and its partners
	Stamp disk.Stamp // stamp of the archive, if requested

	out      string
	command  string
	folder   *disk.Folder
	locks    []*disk.Lock
	act      disk.Act
	partners []*Partner
}

// OpenArchiveOutput locks the file out for a run of the command. It fails if out exists, unless force is set.
func OpenArchiveOutput(out string, force bool, command string) (*ArchiveOutput, error) {
	folder, err := disk.Open(filepath.Dir(out), force)
	if err != nil {
		return nil, err
	}
	o := &ArchiveOutput{out: out, command: command, folder: folder.Durable()}
	if err := o.claim(filepath.Base(out)); err != nil {
		o.Close()
		return nil, err
	}
	return o, nil
}

func (o *ArchiveOutput) claim(name string) error {
	if err := o.folder.Check(name); err != nil {
		return err
	}
	lock, err := o.folder.LockFile(name, o.command)
	if err == nil {
		o.locks = append(o.locks, lock)
	}
	return err
}

// Prepare writes the archive and its partners under temporary names, and computes the archive's stamp if requested. Their
// sources may be the files that they replace, so these must stay open until Commit.
func (o *ArchiveOutput) Prepare(ctx context.Context, a format.ArchiveFile, partners []*Partner, stamp bool) error {
	o.partners = partners
	for _, p := range partners {
		if err := o.claim(filepath.Base(p.Out)); err != nil {
			return besideError(err, o.out)
		}
	}
	hash := xxhash.New()
	var also io.Writer
	if stamp {
		also = hash
	}
	first, err := o.prepare(ctx, a, filepath.Base(o.out), also)
	if err != nil {
		return err
	}
	o.Sizes, o.Stamp = []int64{first.Size}, disk.Stamp{Size: first.Size, Time: first.Time, Hash: disk.HashText(hash.Sum64())}
	for _, p := range partners {
		written, err := o.prepare(ctx, p, filepath.Base(p.Out), nil)
		if err != nil {
			return err
		}
		o.Sizes = append(o.Sizes, written.Size)
	}
	return o.act.Keep()
}

func (o *ArchiveOutput) prepare(ctx context.Context, a format.ArchiveFile, name string, also io.Writer) (*disk.Pending, error) {
	p, err := o.folder.Prepare(name, func(to io.Writer) error {
		if also != nil {
			to = io.MultiWriter(to, also)
		}
		if _, err := a.WriteTo(to); err != nil {
			return err
		}
		return context.Cause(ctx)
	})
	if err != nil {
		return nil, err
	}
	o.act.Add(p)
	return p, nil
}

// Commit gives the files their names. Close the archive's base first, because Windows does not replace open files.
func (o *ArchiveOutput) Commit() error {
	for _, p := range o.partners {
		if err := p.UnmovedAt(p.Out); err != nil {
			return err
		}
	}
	for _, p := range o.partners {
		if err := p.Close(); err != nil {
			return err
		}
	}
	return o.act.Commit()
}

// Close unlocks the files and removes those without their final names.
func (o *ArchiveOutput) Close() {
	if o.folder == nil { // nothing was claimed
		return
	}
	o.act.Discard()
	for _, l := range o.locks {
		l.Release()
	}
	o.folder.Close()
}

// besideError says why a partner is to be written.
func besideError(err error, out string) error {
	return fmt.Errorf("%w, and has to change with %s", err, out)
}

// WriteArchive writes an archive to the file out, and returns its size.
func WriteArchive(ctx context.Context, a format.ArchiveFile, out string, force, dryRun bool) (int64, error) {
	if dryRun {
		sizes, err := PlanArchive(a, nil, out, force)
		return sizes[0], err
	}
	o, err := OpenArchiveOutput(out, force, "convert")
	if err != nil {
		return 0, err
	}
	defer o.Close()
	if err := o.Prepare(ctx, a, nil, false); err != nil {
		return 0, err
	}
	return o.Sizes[0], o.Commit()
}

// PlanArchive returns the sizes that an archive and its partners would have, or the error that writing them would return
// because a file exists.
func PlanArchive(a format.ArchiveFile, partners []*Partner, out string, force bool) ([]int64, error) {
	sizes := make([]int64, 1+len(partners))
	if a == nil || slices.Contains(partners, nil) {
		return sizes, errNoArchive
	}
	there := disk.Dry(filepath.Dir(out), force)
	for _, p := range partners {
		if err := there.Check(filepath.Base(p.Out)); err != nil {
			return sizes, besideError(err, out)
		}
	}
	err := there.Check(filepath.Base(out))
	if err == nil {
		sizes[0], err = a.WriteTo(io.Discard)
	}
	for i, p := range partners {
		if err == nil {
			sizes[i+1], err = p.WriteTo(io.Discard)
		}
	}
	return sizes, err
}

// Partner is a file beside an edited archive that was updated with it.
type Partner struct {
	*Archive
	Out     string // where it goes: beside the edited archive
	Changes []PartnerChange
}

// PartnerChange is a changed entry of a partner.
type PartnerChange struct {
	Entry         string // "sdInfo16.flx:22"
	Before, After int64  // size of the old payload; 0 if there was none
}

// ClosePartners closes the files that the partners read from.
func ClosePartners(list []*Partner) {
	for _, p := range list {
		if p != nil && p.Archive != nil {
			p.Close() // a second time when all is well
		}
	}
}

var errNoArchive = errors.New("there is no archive to write")
