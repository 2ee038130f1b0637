package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Control files are those by which runs speak to each other and remember things: locks, journals, manifests, lists. They
// may come with a folder that a stranger has made. So they are never opened blindly: what is called like one has to be a
// regular file of the folder itself. A link would lead somewhere else, and a pipe would keep the run waiting.

// ErrNotOwn is the error for something that has the name of a control file and is not one.
var ErrNotOwn = errors.New("usher keeps a file of its own under that name")

// openControl opens a control file of the folder, or makes it.
func (f *Folder) openControl(name string, flags int) (*os.File, error) {
	return openControl(f.root, name, f.Path(name), flags)
}

// openControl opens a control file of root, which a user would call shown.
func openControl(root *os.Root, name, shown string, flags int) (*os.File, error) {
	local := filepath.FromSlash(name)
	info, err := root.Lstat(local)
	if err == nil {
		err = checkControl(shown, info)
	}
	if err != nil && !(errors.Is(err, fs.ErrNotExist) && flags&os.O_CREATE != 0) {
		return nil, err
	}
	file, err := root.OpenFile(local, flags|openFlags, 0o666)
	if err != nil {
		return nil, err
	}
	is, err := file.Stat()
	if err == nil {
		err = checkControl(shown, is)
	}
	if err == nil && info != nil && !os.SameFile(info, is) { // somebody has put a link there meanwhile
		info, err = root.Lstat(local)
		if err == nil {
			err = checkControl(shown, info)
		}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// checkControl refuses what no control file can be.
func checkControl(shown string, info fs.FileInfo) error {
	what := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	default:
		what = "no regular file"
	}
	return fmt.Errorf("%s is %s: %w; take it away", shown, what, ErrNotOwn)
}

// ReadControl reads a control file of the folder dir without locking the folder.
func ReadControl(dir, name string) ([]byte, error) { return Dry(dir, false).ReadFile(name) }

// ReadFile returns the content of a control file of the folder.
func (f *Folder) ReadFile(name string) ([]byte, error) {
	if err := fault("read", name); err != nil {
		return nil, err
	}
	root := f.openedRoot()
	if root == nil {
		r, err := os.OpenRoot(f.at)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		root = r
	}
	file, err := openControl(root, name, f.Path(name), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	_, err = b.ReadFrom(file)
	return b.Bytes(), err
}

// openedRoot returns nil in a dry run.
func (f *Folder) openedRoot() *os.Root {
	if f.opened == nil {
		return nil
	}
	return f.root
}
