package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
)

// packedSides replaces an unpacked folder that is held against an archive by what it packs into: an archive of its own,
// which done removes.
func (p *printer) packedSides(c *cli.Context, l engine.Loader, old, now string) (sides [2]string, done func(), err error) {
	sides, done = [2]string{old, now}, func() {}
	for i := range sides {
		dir, archive := sides[i], sides[1-i]
		if !isUnpacked(dir) || isFolder(archive) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, filepath.Base(archive))); err == nil {
			continue // it is compared with the file of its name
		}
		room, err := os.MkdirTemp("", "usher-diff-")
		if err != nil {
			return sides, done, err
		}
		done = func() { _ = os.RemoveAll(room) }
		sides[i] = filepath.Join(room, filepath.Base(archive))
		return sides, done, p.packAside(c, worktree.Packing{Loader: l}, dir, archive, sides[i])
	}
	return sides, done, nil
}

// packAside packs a folder onto the archive that it came from, or else onto the one that it is held against.
func (p *printer) packAside(c *cli.Context, job worktree.Packing, dir, archive, out string) error {
	var d *schema.Diagnostics
	var packed *worktree.Packed
	pack := func(base string) error {
		d, job.Base = new(schema.Diagnostics), base
		return batch.Guarded(func() (err error) { packed, err = job.Run(c.Context, dir, out, d); return err })
	}
	err := pack("")
	if err != nil && (packed == nil || len(packed.Failures) == 0) {
		err = pack(archive)
	}
	p.diagnostics(dir, d.All())
	if packed != nil {
		for _, f := range packed.Failures {
			p.unpacked(dir, f)
		}
	}
	var failed worktree.FailedError
	if errors.As(err, &failed) { // told of already
		return errSomeFailed
	}
	return err
}

// isUnpacked reports whether a folder is one that an archive was taken apart into.
func isUnpacked(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, worktree.ManifestName))
	return err == nil && isFolder(dir)
}
