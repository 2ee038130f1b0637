package format

import (
	"bytes"
	"io"
	"io/fs"
)

// FileTree is a Files that can list folders, so that files can be found by their content and not only by name.
type FileTree interface {
	Files
	// Home returns the folder of the input, as an absolute path.
	Home() string
	// Folder returns the absolute path of a folder that the user named; ok is false if path is not a folder.
	Folder(path string) (folder string, ok bool)
	// List returns the files in a folder that have one of the extensions (lower case, with the dot), in lexical order. With
	// deep it includes subfolders. Each folder is read once per run; at most a million files are listed.
	List(folder string, deep bool, extensions ...string) []Listed
	// OpenListed opens a file that List returned. The caller closes it.
	OpenListed(path string) (ListedFile, error)
	// FS returns a folder as a file system that nothing leads out of.
	FS(folder string) (fs.FS, error)
	// Shared returns the value stored under key, which all conversions of a run share. The first call creates it.
	Shared(key any, create func() any) any
}

// Listed is one file that List found.
type Listed struct {
	Path     string // absolute
	Size     int64
	Modified int64 // Unix time in nanoseconds
}

// ListedFile is an open file.
type ListedFile interface {
	io.ReaderAt
	io.Closer
}

// FilesAt is a Files that can open a file without reading it whole: a texture archive is large, and a model uses few of its
// entries. The reader that FindAt returns is valid as long as the FilesAt.
type FilesAt interface {
	Files
	FindAt(names ...string) (r io.ReaderAt, size int64, path string, err error)
}

// FindAt is Find for large files. It reads on demand if Files implements FilesAt, otherwise the whole file.
func (e *Env) FindAt(names ...string) (r io.ReaderAt, size int64, path string, err error) {
	if e != nil {
		if files, ok := e.Files.(FilesAt); ok {
			return files.FindAt(names...)
		}
	}
	b, path, err := e.Find(names...)
	if err != nil {
		return nil, 0, "", err
	}
	return bytes.NewReader(b), int64(len(b)), path, nil
}
