package worktree

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
)

// copyAhead is a copy of the base, made while another core is still looking for what has changed: most often that is
// nothing, and the copy is what was asked for.
type copyAhead struct {
	archive ManifestArchive
	base    string // its path

	kept    chan struct{}
	dropped context.Context
	cancel  context.CancelFunc
	done    chan struct{}
	err     error
}

var errNotKept = errors.New("the copy is not kept")

// startCopy begins to copy the base to the file out, under a temporary name, as soon as the first lines of the manifest
// are read; they say which archive is the base. There is no copy when they do not, or when out is the base.
func (x *packing) startCopy(manifest []byte, out string) *copyAhead {
	archive, found := manifestHead(manifest)
	if !found || x.DryRun {
		return nil
	}
	base, err := x.findBase(archive)
	if err != nil || sameFile(out, base) {
		return nil
	}
	c := &copyAhead{archive: archive, base: base, kept: make(chan struct{}), done: make(chan struct{})}
	c.dropped, c.cancel = context.WithCancel(context.Background())
	force := x.Force // x changes while the copy is made
	go func() {
		defer close(c.done)
		c.err = c.copy(out, force)
	}()
	return c
}

func (c *copyAhead) copy(out string, force bool) error {
	folder, err := disk.Open(filepath.Dir(out), force)
	if err != nil {
		return err
	}
	defer folder.Close()
	p, err := folder.Durable().Prepare(filepath.Base(out), func(w io.Writer) error {
		if err := c.copyTo(w); err != nil {
			return err
		}
		select {
		case <-c.kept:
			return nil
		case <-c.dropped.Done():
			return errNotKept
		}
	})
	if err != nil {
		return err
	}
	var act disk.Act
	act.Add(p)
	defer act.Discard()
	if err := act.Keep(); err != nil {
		return err
	}
	return act.Commit()
}

func (c *copyAhead) copyTo(w io.Writer) error {
	from, err := os.Open(c.base)
	if err != nil {
		return err
	}
	defer from.Close()
	const step = 8 << 20 // after which it may turn out that the copy is not wanted
	for c.dropped.Err() == nil {
		_, err := io.CopyN(w, from, step)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return errNotKept
}

// keep waits for the end of the copy and gives it its name.
func (c *copyAhead) keep() error {
	close(c.kept)
	<-c.done
	return c.err
}

// drop ends the copy and leaves nothing of it. A copy that is dropped cannot fail.
func (c *copyAhead) drop() {
	if c == nil {
		return
	}
	c.cancel()
	<-c.done
}
