package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The errors for something other than the expected file.
var (
	ErrLink    = errors.New("it is a symbolic link")
	ErrSpecial = errors.New("it is no regular file")
)

// Below reads the files of a folder that may come from somebody else. It follows no link inside the folder and opens only
// regular files. So a name in a manifest can lead neither out of the folder nor to a device.
type Below struct {
	dir  string
	root *os.Root
}

// OpenBelow opens a folder for reading.
func OpenBelow(dir string) (*Below, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		root.Close()
		return nil, err
	}
	return &Below{full, root}, nil
}

// Close closes the folder. A nil Below needs no Close.
func (b *Below) Close() error {
	if b == nil {
		return nil
	}
	return b.root.Close()
}

// Name returns the name that a path has in the folder; the second result is false if the path is elsewhere.
func (b *Below) Name(path string) (name string, inside bool) {
	if b == nil {
		return "", false
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	name, err = filepath.Rel(b.dir, full)
	return name, err == nil && name != "." && filepath.IsLocal(name)
}

// Lstat describes a file of the folder. It fails for files in subfolders that are links.
func (b *Below) Lstat(name string) (fs.FileInfo, error) {
	for at := filepath.Dir(name); at != "."; at = filepath.Dir(at) {
		if info, err := b.root.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, fmt.Errorf("%s: %w", at, ErrLink)
		}
	}
	return b.root.Lstat(name)
}

// ReadFile reads a file of the folder like the function [ReadFile].
func (b *Below) ReadFile(name string) ([]byte, Stamp, error) {
	if err := fault("open", name); err != nil {
		return nil, Stamp{}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	info, err := b.Lstat(name)
	switch {
	case err != nil:
		return nil, Stamp{}, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, Stamp{}, ErrLink
	case !info.Mode().IsRegular():
		return nil, Stamp{}, ErrSpecial
	}
	file, err := b.root.OpenFile(name, os.O_RDONLY|openFlags, 0) // it may be another one by now
	if err != nil {
		return nil, Stamp{}, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, Stamp{}, ErrSpecial
	}
	return readAll(file)
}
