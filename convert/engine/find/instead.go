package find

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Instead says where files are read that have changes which nobody has saved, by their absolute paths. Whatever refers to such a file
// sees it with them. It is not changed any more once somebody has it.
type Instead map[string]string

// of returns the path that is read for a file.
func (x Instead) of(path string) string {
	if len(x) == 0 {
		return path
	}
	if abs, err := filepath.Abs(path); err == nil && x[abs] != "" {
		return x[abs]
	}
	return path
}

// under returns a folder in which the files are read that it says.
func (x Instead) under(folder string, files fs.FS) fs.FS {
	if len(x) == 0 {
		return files
	}
	return insteadFS{files, folder, x}
}

type insteadFS struct {
	fs.FS
	folder  string
	instead Instead
}

// Open implements fs.FS.
func (x insteadFS) Open(name string) (fs.File, error) {
	path := filepath.Join(x.folder, filepath.FromSlash(name))
	if at := x.instead.of(path); at != path && fs.ValidPath(name) {
		return os.Open(at)
	}
	return x.FS.Open(name)
}
