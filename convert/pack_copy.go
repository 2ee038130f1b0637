package convert

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// copyAhead is a copy of the base, made while another core is still looking for what has changed: most often that is
// nothing, and the copy is what was asked for.
type copyAhead struct {
	size int64
	keep chan bool
	done chan error
}

var errNotKept = errors.New("the copy is not kept")

// startCopy begins to copy the base to the file out, under a temporary name.
func (x *packing) startCopy(out string) *copyAhead {
	c := &copyAhead{x.base.Size, make(chan bool, 1), make(chan error, 1)}
	go func() { c.done <- c.copy(x.base, out, x.Force) }()
	return c
}

func (c *copyAhead) copy(base *Archive, out string, force bool) error {
	folder, err := OpenFolder(filepath.Dir(out), force)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Create(filepath.Base(out), func(w io.Writer) error {
		from, err := os.Open(base.Path)
		if err != nil {
			return err
		}
		defer from.Close()
		const step = 8 << 20 // after which it may turn out that the copy is not wanted
		for left := c.size; left > 0; left -= step {
			select {
			case keep := <-c.keep:
				if !keep {
					return errNotKept
				}
				c.keep <- keep
			default:
			}
			if _, err := io.CopyN(w, from, min(left, step)); err != nil {
				return err
			}
		}
		if !<-c.keep {
			return errNotKept
		}
		return errors.Join(from.Close(), base.Close()) // out may be the base, and Windows does not replace an open file
	})
}

// finish keeps the copy or throws it away. A copy that is thrown away cannot fail.
func (c *copyAhead) finish(keep bool) error {
	c.keep <- keep
	if err := <-c.done; keep {
		return err
	}
	return nil
}
