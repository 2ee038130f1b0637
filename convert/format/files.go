package format

import (
	"bytes"
	"io"
	"io/fs"
)

// FileTree is Files that knows where its input lies, so that files can be found by what they hold and not by their names
// alone.
type FileTree interface {
	Files
	// Home returns the folder of the input, as an absolute path.
	Home() string
	// Folder returns a path that the user named as an absolute one; ok is false when it is no folder.
	Folder(path string) (folder string, ok bool)
	// List returns the files in a folder or, where deep is set, anywhere below it, that have one of the extensions (lower
	// case, with the dot), in lexical order. Folders are walked once a run, and no further than a million files.
	List(folder string, deep bool, extensions ...string) []Listed
	// OpenListed opens a file that List returned. Its caller closes it.
	OpenListed(path string) (ListedFile, error)
	// FS returns a folder as a file system that nothing leads out of.
	FS(folder string) (fs.FS, error)
	// Shared returns the value that all conversions of a run share under a key; create makes it the first time.
	Shared(key any, create func() any) any
}

// Listed is a file of a folder.
type Listed struct {
	Path     string // absolute
	Size     int64
	Modified int64 // nanoseconds
}

// ListedFile is an open file.
type ListedFile interface {
	io.ReaderAt
	io.Closer
}

// FilesAt is a Files that opens files without reading them whole: an archive of textures is large, and a model uses a
// few of its records. What FindAt returned stays readable for as long as the Files lives.
type FilesAt interface {
	Files
	FindAt(names ...string) (r io.ReaderAt, size int64, path string, err error)
}

// FindAt is Find for large files: it reads on demand where Files can, and the whole file otherwise.
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
