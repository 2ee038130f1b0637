package convert

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// ErrExists is the error of an output that is there already and was not to be overwritten.
var ErrExists = errors.New("exists already")

// Folder is an output folder. No name leads out of the folder, whatever it holds. What is overwritten stays whole until
// the new file is: that is written under a temporary name and renamed. So are the files that Create makes.
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

// DryFolder stands for a folder into which nothing is written: it need not be there.
func DryFolder(dir string, force bool) *Folder { return &Folder{dir: dir, force: force} }

// Close releases the folder.
func (f *Folder) Close() error {
	if f.root == nil { // a dry run
		return nil
	}
	return f.root.Close()
}

// Forced returns the same folder with leave to overwrite.
func (f *Folder) Forced() *Folder {
	own := *f
	own.force = true
	return &own
}

// Path returns the path of a file of the folder as a user would type it.
func (f *Folder) Path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// ReadFile returns the content of a file of the folder; fs.ErrNotExist in a dry run.
func (f *Folder) ReadFile(name string) ([]byte, error) {
	if f.root == nil {
		return nil, fs.ErrNotExist
	}
	return f.root.ReadFile(filepath.FromSlash(name))
}

// Stat describes a file of the folder; fs.ErrNotExist in a dry run.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	if f.root == nil {
		return nil, fs.ErrNotExist
	}
	return f.root.Stat(filepath.FromSlash(name))
}

// Check returns an error that wraps ErrExists when name is there and may not be overwritten.
func (f *Folder) Check(name string) error {
	if f.force {
		return nil
	}
	if _, err := f.root.Lstat(filepath.FromSlash(name)); err == nil {
		return fmt.Errorf("%s %w", f.Path(name), ErrExists)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", f.Path(name), PlainError(err))
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

// Put is Write for the thousands of small files of an unpacked archive, where renaming takes longer than writing: a new
// file is written at once under its own name, and removed again when that fails. It describes the file.
func (f *Folder) Put(name string, fill func(io.Writer) error) (fs.FileInfo, error) {
	out, err := f.open(name)
	if errors.Is(err, fs.ErrExist) {
		return f.replace(name, fill)
	}
	if err != nil {
		return nil, err
	}
	info, err := fillFile(out, fill)
	if err != nil {
		f.root.Remove(filepath.FromSlash(name)) // best effort: the first error is the one to tell
	}
	return info, err
}

// open makes a new file, and its folder if need be.
func (f *Folder) open(name string) (*os.File, error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	local := filepath.FromSlash(name)
	out, err := f.root.OpenFile(local, flags, 0o666)
	if parent := path.Dir(name); parent != "." && errors.Is(err, fs.ErrNotExist) {
		if err := f.root.MkdirAll(filepath.FromSlash(parent), 0o777); err != nil {
			return nil, err
		}
		return f.root.OpenFile(local, flags, 0o666)
	}
	return out, err
}

func fillFile(out *os.File, fill func(io.Writer) error) (info fs.FileInfo, err error) {
	if err = fill(out); err == nil {
		info, err = out.Stat()
	}
	if closing := out.Close(); err == nil {
		err = closing
	}
	return info, err
}

// replace overwrites a file, if that is allowed.
func (f *Folder) replace(name string, fill func(io.Writer) error) (fs.FileInfo, error) {
	if err := f.Create(name, fill); err != nil {
		return nil, err
	}
	return f.Stat(name)
}

var temporaries atomic.Uint64

const temporaryPrefix = ".usher-"

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
	temporary := filepath.Join(filepath.Dir(local), fmt.Sprintf("%s%d-%d", temporaryPrefix, os.Getpid(), temporaries.Add(1)))
	out, err := f.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return f.named(name, err)
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
		return f.named(name, err)
	}
	return nil
}

// named returns an error of the temporary file as one of the file that it was to become.
func (f *Folder) named(name string, err error) error {
	var of *fs.PathError
	if errors.As(err, &of) && strings.HasPrefix(filepath.Base(of.Path), temporaryPrefix) {
		return &fs.PathError{Op: "write", Path: f.Path(name), Err: of.Err}
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return &fs.PathError{Op: "write", Path: f.Path(name), Err: link.Err}
	}
	return err
}
