package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
)

// OpenAny opens an archive. Any other file of a known format opens as an archive with one entry, which has the file's name.
// So whatever works for entries works for files.
func OpenAny(path string, from *format.Format, env *format.Env) (*Archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, disk.PlainError(err)
	}
	f := from
	if f == nil {
		f, _ = interchange.SniffFile(path)
	}
	switch {
	case f == nil:
		file.Close()
		return nil, interchange.Unknown(path)
	case f.Open != nil:
		file.Close()
		return OpenArchive(path, f, env)
	}
	content, err := io.ReadAll(file)
	if err != nil {
		file.Close()
		return nil, disk.PlainError(err)
	}
	s := &single{entry: format.Entry{Path: filepath.Base(path), Kind: f.Kind, Format: f, Size: int64(len(content))}, content: content}
	return &Archive{ArchiveFile: s, Format: f, Path: path, Size: int64(len(content)), env: env, file: file}, nil
}

// Single reports whether the archive is such a file with one entry.
func (a *Archive) Single() bool {
	_, ok := a.ArchiveFile.(*single)
	return ok
}

// single is a file as an archive of one entry.
type single struct {
	entry   format.Entry
	content []byte
}

var errSingle = errors.New("a file that is no archive holds itself alone")

func (s *single) Entries() []format.Entry     { return []format.Entry{s.entry} }
func (s *single) Payload(int) ([]byte, error) { return s.content, nil }
func (s *single) Facts() []format.Fact        { return nil }
func (s *single) Remove(int) error            { return errSingle }
func (s *single) Abilities() format.Abilities { return format.Abilities{} }

func (s *single) Add(path string, _ []byte, _ *format.Format) error {
	return fmt.Errorf("%s: %w", path, errSingle)
}

// Replace sets the whole content.
func (s *single) Replace(_ int, payload []byte) error {
	s.content, s.entry.Size = payload, int64(len(payload))
	return nil
}

// WriteTo writes the whole content.
func (s *single) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(s.content)
	return int64(n), err
}
