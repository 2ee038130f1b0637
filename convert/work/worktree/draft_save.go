package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// errNoChanges is the error of a draft that has nothing to save.
var errNoChanges = errors.New("there are no changes")

// Save writes the original with all changes to the file out, as packing the patch does. Where out is the original itself,
// the draft is empty then; "usher undo" brings back what the file was.
func (d *Draft) Save(ctx context.Context, out string, force bool, told *schema.Diagnostics) (packed *Packed, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return nil, err
	}
	over := sameFile(out, d.base)
	job := Packing{Loader: d.loader, Base: d.base, Force: force}
	err = batch.Guarded(func() error {
		packed, err = job.Run(ctx, d.folder.Path(draftPatch), out, told)
		return err
	})
	if err != nil {
		return nil, plainFailure(err)
	}
	if over {
		return packed, d.clear(ctx)
	}
	d.journal.Saved = d.journal.At
	return packed, d.save()
}

// ready returns an error when the draft cannot be saved.
func (d *Draft) ready() error {
	if len(d.journal.current()) == 0 {
		return errNoChanges
	}
	if err := d.foreign(); err != nil {
		return err
	}
	if len(d.conflicts) > 0 {
		c := d.conflicts[0]
		return fmt.Errorf("%s: %s: take that change back first", c.Entry, c.Reason)
	}
	return nil
}

// Clear takes all changes out for good.
func (d *Draft) Clear(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.clear(ctx)
}

func (d *Draft) clear(ctx context.Context) error {
	d.journal = draftJournal{Usher: draftMark, Next: d.journal.Next}
	_, err := d.settle(ctx)
	if gone := os.RemoveAll(d.folder.Path(draftPatch)); err == nil {
		err = gone
	}
	return err
}

// Rebase makes the changes ones of the original as it is now. Those that do not fit it are its conflicts.
func (d *Draft) Rebase(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	stamp, err := disk.NewStamp(d.base)
	if err != nil {
		return fmt.Errorf("%s: %w", d.base, disk.PlainError(err))
	}
	was := d.journal.Archive
	d.journal.Archive.Stamp = stamp
	if _, err = d.settle(ctx); err != nil {
		d.journal.Archive = was
	}
	return err
}

// SavePatch writes the changes as a patch into the folder dir, which is to be new or empty: a copy of what the draft holds.
func (d *Draft) SavePatch(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return err
	}
	text, err := disk.ReadControl(d.folder.Path(draftPatch), ManifestName)
	if err != nil {
		return err
	}
	m, err := decodeManifest(text)
	if err != nil {
		return err
	}
	out, err := disk.Open(dir, false)
	if err != nil {
		return err
	}
	defer out.Close()
	p := Patching{}
	if err := p.checkFolder(dir); err != nil {
		return err
	}
	room, err := out.Room()
	if err != nil {
		return err
	}
	if err := d.copyFiles(m, room); err != nil {
		return err
	}
	if err := m.save(room.Folder, ""); err != nil {
		return err
	}
	return room.Commit(ManifestName)
}

// copyFiles copies the files of the draft under the names that a patch gives them.
func (d *Draft) copyFiles(m *Manifest, room *disk.Room) error {
	var names disk.Names
	names.Unique(ManifestName)
	for i := range m.Entries {
		e := &m.Entries[i]
		if len(e.Files) == 0 {
			continue
		}
		stem := names.Unique(disk.SafePath(e.Path))
		for k := range e.Files {
			f := &e.Files[k]
			local, err := localName(f.Name)
			if err != nil {
				return err
			}
			b, _, err := disk.ReadFile(filepath.Join(d.folder.Path(draftPatch), local))
			if err != nil {
				return disk.PlainError(err)
			}
			f.Name = stem + fileEnd(f.Name, k)
			if err := room.Put(f.Name, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileEnd is what stands behind the stem in the name of file k of an entry.
func fileEnd(name string, k int) string {
	if at := strings.Index(path.Base(name), ".usher."); k > 0 && at >= 0 { // what goes with a picture
		return path.Base(name)[at:]
	}
	return path.Ext(name)
}

// removeBelow removes a folder of the draft that was only in between.
func (d *Draft) removeBelow(name string) { _ = os.RemoveAll(d.folder.Path(name)) }
