//go:build !linux

package disk

import (
	"io/fs"
	"os"
	"path"
)

// openIn makes a file in an open folder.
func openIn(_ *os.File, root *os.Root, name string, mode fs.FileMode) (*os.File, error) {
	return root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// newFile is a file that is made by one goroutine, in one go.
type newFile struct{ *os.File }

// newFile makes a file in the folder itself.
func (f *Folder) newFile(name string) (newFile, error) {
	file, err := openIn(f.self, f.root, name, 0o666)
	return newFile{file}, err
}

// describe returns the size and the time of the last change.
func (n newFile) describe() (size, changed int64, err error) {
	info, err := n.Stat()
	if err != nil {
		return 0, 0, err
	}
	return info.Size(), info.ModTime().UnixNano(), nil
}

// renameFlat gives a temporary file its name in the folder itself, in place of another file only with over.
func (f *Folder) renameFlat(temporary, name string, over bool) error {
	if !over {
		if _, err := f.root.Lstat(name); err == nil {
			return fs.ErrExist
		}
	}
	return f.root.Rename(path.Join(f.temporary.name, temporary), name)
}

// syncAll has no equivalent here: new files reach the disk when the system writes them.
func (f *Folder) syncAll() error { return nil }

// changeTime returns when a file was last changed, in nanoseconds since 1970.
func changeTime(info fs.FileInfo) int64 { return info.ModTime().UnixNano() }

// missing reports whether there is surely nothing under a name.
func (f *Folder) missing(string) bool { return false }
