package convert

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync/atomic"
)

// ErrExists is the error of an output that is there already and was not to be overwritten.
var ErrExists = errors.New("exists already")

// Folder is an output folder. Every file is written under a temporary name and renamed when it is whole; no name leads
// out of the folder, whatever it holds.
type Folder struct {
	root  *os.Root
	dir   string
	force bool
}

// OpenFolder opens the folder dir for output and makes it if need be. With force, existing files are overwritten.
func OpenFolder(dir string, force bool) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{root, dir, force}, nil
}

// Close releases the folder.
func (f *Folder) Close() error { return f.root.Close() }

// Path returns the path of a file of the folder as a user would type it.
func (f *Folder) Path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// Check returns an error that wraps ErrExists when name is there and may not be overwritten.
func (f *Folder) Check(name string) error {
	if f.force {
		return nil
	}
	if _, err := f.root.Lstat(filepath.FromSlash(name)); err == nil {
		return fmt.Errorf("%s %w", f.Path(name), ErrExists)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Write writes one file; name is relative, with slashes.
func (f *Folder) Write(name string, content []byte) error {
	return f.Create(name, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

var temporaries atomic.Uint64

// Create writes one file through fill. When fill fails, nothing is left of it.
func (f *Folder) Create(name string, fill func(io.Writer) error) error {
	if err := f.Check(name); err != nil {
		return err
	}
	local := filepath.FromSlash(name)
	if parent := path.Dir(name); parent != "." {
		if err := f.root.MkdirAll(filepath.FromSlash(parent), 0o777); err != nil {
			return err
		}
	}
	temporary := filepath.Join(filepath.Dir(local), fmt.Sprintf(".usher-%d-%d", os.Getpid(), temporaries.Add(1)))
	out, err := f.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = fill(out)
	if closing := out.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = f.root.Rename(temporary, local)
	}
	if err != nil {
		f.root.Remove(temporary) // best effort: the first error is the one to tell
		return err
	}
	return nil
}
