package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/store"
)

// When an archive is packed over its base, the manifest has to follow it, and a run can be killed between the two. So
// the new manifest is on the disk before the archive gets its name, as usher.json.new; whichever of the two manifests
// knows the archive that is there is the right one.

// nextName is the manifest of the archive that is about to get its name.
const nextName = ManifestName + ".new"

// findManifest returns the manifest that knows the archive as it is.
func (x *packing) findManifest() ([]byte, error) {
	text, err := x.folder.ReadFile(ManifestName)
	if err != nil {
		return nil, err
	}
	next, err := x.folder.ReadFile(nextName)
	if errors.Is(err, fs.ErrNotExist) {
		return text, nil
	}
	if err != nil {
		return nil, err
	}
	if x.knows(next) {
		return next, x.adopt()
	}
	if x.knows(text) && !x.DryRun { // its archive never got its name
		return text, x.folder.Remove(nextName)
	}
	return text, nil
}

// knows reports whether the base is the archive that a manifest describes.
func (x *packing) knows(manifest []byte) bool {
	archive, found := manifestHead(manifest)
	if !found {
		return false
	}
	_, err := x.findBase(archive)
	return err == nil
}

// adopt makes the next manifest the one of the folder.
func (x *packing) adopt() error {
	if x.DryRun {
		return nil
	}
	if err := x.folder.Rename(nextName, ManifestName); err != nil {
		return err
	}
	return x.folder.Sync()
}

// write writes the edited archive, and the files beside it that have to follow. None is written when one of them may not
// be overwritten. Until all that is to be written is whole and on the disk, everything is as it was.
func (x *packing) write(ctx context.Context, out string) error {
	partners, err := x.openPartners(out)
	if err != nil {
		return err
	}
	defer store.ClosePartners(partners)
	sizes := []int64{0}
	if x.DryRun {
		sizes, err = store.PlanArchive(x.base, partners, out, x.Force)
	} else if err = x.out.Prepare(ctx, x.base, partners, x.over); err == nil {
		sizes, err = x.out.Sizes, x.commit(ctx, out)
	}
	x.done.Size = sizes[0]
	return err
}

// commit gives everything its name: the archive with its partners, then its manifest.
func (x *packing) commit(ctx context.Context, out string) (err error) {
	if sameFile(out, x.base.Path) {
		if err := x.base.Unmoved(); err != nil {
			return err
		}
	}
	if x.over {
		if err := x.prepareManifest(out, x.out.Stamp); err != nil {
			return err
		}
		defer func() {
			if err != nil && !x.knowsNext() {
				_ = x.folder.Remove(nextName) // the next run removes it otherwise
			}
		}()
	}
	if err := x.base.Close(); err != nil { // out may be the base, and Windows does not replace an open file
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := x.out.Commit(); err != nil || !x.over {
		return err
	}
	if err := x.adopt(); err != nil {
		return fmt.Errorf("%s is written, and the next run puts %s in its place: %w", out, x.folder.Path(nextName), err)
	}
	return nil
}

func (x *packing) knowsNext() bool {
	next, err := x.folder.ReadFile(nextName)
	return err != nil || x.knows(next)
}

// prepareManifest writes the manifest of the archive that is about to take the place of its base. The folder is then as
// if it came from the new one, and the next edit can be packed.
func (x *packing) prepareManifest(out string, archive disk.Stamp) error {
	m := *x.manifest
	renamed := x.renames()
	m.Archive.Path, m.Archive.Stamp, m.Time = relativePath(x.dir, out), archive, x.began
	for n := range m.Entries {
		e := &m.Entries[n]
		if isWhole(*e) {
			e.Size = archive.Size
		} else if i, err := x.base.Find(e.Path); err == nil {
			e.Size = x.base.Entries()[i].Size
		} else { // it went with another one; its files stay, and are no new ones
			e.Size = 0
		}
		if x.encoded[e.Path] {
			x.restamp(e.Files)
		}
		if to := renamed[e.Path]; to != "" {
			e.Path = to
		}
	}
	b, err := m.encode()
	if err != nil {
		return err
	}
	return x.folder.Write(nextName, b)
}

// restamp stamps the files of an entry that was encoded as they were when they were read, whatever they are by now.
func (x *packing) restamp(files []ManifestFile) {
	for k := range files {
		f := &files[k]
		was, read := x.Loader.Reads.Stamp(filepath.Join(x.dir, filepath.FromSlash(f.Name)))
		if read {
			f.Stamp = was
		}
	}
}

// unstamped returns files without the stamps of those that were edited: what is packed is stamped as it was when it was
// read.
func unstamped(files []ManifestFile, edited []bool) []ManifestFile {
	out := slices.Clone(files)
	for i, yes := range edited {
		if yes {
			out[i].Stamp = disk.Stamp{}
		}
	}
	return out
}
