package format

import (
	"bytes"
	"io"
)

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
