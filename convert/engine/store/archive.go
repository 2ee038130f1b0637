package store

import (
	"fmt"
	"io"
	"iter"
	"os"
	"sync"
	"time"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// Archive is an open archive file. Its directory is in memory; payloads are read from disk on demand.
type Archive struct {
	format.ArchiveFile
	Format *format.Format
	Path   string
	Size   int64

	able    format.Abilities
	env     *format.Env // it was opened with
	at      io.ReaderAt
	file    *os.File  // at, where that is one that we opened
	changed time.Time // when it was opened
	hashed  *passed   // what was read of it, where that is hashed on the way; else nil

	mu    sync.Mutex
	index map[string]int // of the entries by path; nil until somebody looks for one
}

// OpenArchive opens the archive at path as format from. If from is nil, the format is recognised.
func OpenArchive(path string, from *format.Format, env *format.Env) (*Archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, disk.PlainError(err)
	}
	a, err := archiveFile(file, from, env)
	if err != nil {
		file.Close()
		return nil, err
	}
	a.Path = path
	return a, nil
}

func archiveFile(file *os.File, from *format.Format, env *format.Env) (*Archive, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, disk.PlainError(err)
	}
	a, err := OpenArchiveAt(file, info.Size(), from, env)
	if err != nil {
		return nil, err
	}
	a.file, a.changed = file, info.ModTime()
	return a, nil
}

// OpenArchiveAt opens an archive from r as [OpenArchive] opens a file. The name in env may help to recognise it. The caller
// closes r, after the archive.
func OpenArchiveAt(r io.ReaderAt, size int64, from *format.Format, env *format.Env) (*Archive, error) {
	if env == nil {
		env = &format.Env{}
	}
	if err := schema.CheckSource("", r, size); err != nil {
		return nil, err
	}
	f := from
	if f == nil {
		in, err := formats.ProbeInput(env.Name, r, size)
		if err != nil {
			return nil, disk.PlainError(err)
		}
		f = formats.Sniff(in)
	}
	if f == nil {
		return nil, interchange.Unknown(env.Name)
	}
	if f.Open == nil {
		return nil, fmt.Errorf("%s is not an archive", f.Name)
	}
	view, err := f.Open(r, size, env)
	if err != nil {
		return nil, err
	}
	return &Archive{ArchiveFile: view, Format: f, Path: env.Name, Size: size, able: view.Abilities(), env: env, at: r}, nil
}

// Abilities returns the abilities of the archive's file, which are asked for only once.
func (a *Archive) Abilities() format.Abilities { return a.able }

// Unread returns the error of a file beside the archive that exists but could not be read.
func (a *Archive) Unread() error { return find.Unread(a.env) }

// Close closes the file, if the archive opened one.
func (a *Archive) Close() error {
	if a.file == nil {
		return nil
	}
	return a.file.Close()
}

// Find returns the number of the entry at a path.
func (a *Archive) Find(path string) (int, error) {
	i, ok := a.lookup()[path]
	if !ok {
		if near := schema.Nearest(path, a.names()); near != "" {
			return 0, NoEntry(fmt.Sprintf("no entry %q in %s; the nearest is %q", path, a.Path, near))
		}
		return 0, NoEntry(fmt.Sprintf("no entry %q in %s; \"usher ls\" lists them", path, a.Path))
	}
	return i, nil
}

// NoEntry is the error for an entry that does not exist. It counts as [formats.ErrNothing].
type NoEntry string

// Error implements error.
func (e NoEntry) Error() string { return string(e) }

// Is reports whether the target is ErrNothing, for [errors.Is].
func (NoEntry) Is(target error) bool { return target == formats.ErrNothing }

// names yields what Find takes: the paths of the entries, and their titles.
func (a *Archive) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range a.Entries() {
			if !yield(e.Path) || e.Title != "" && !yield(e.Title) {
				return
			}
		}
	}
}

func (a *Archive) lookup() map[string]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.index == nil {
		a.index = make(map[string]int, len(a.Entries()))
		for i, e := range a.Entries() {
			a.index[e.Path] = i
		}
		for i, e := range a.Entries() { // a title will do where no path is called so
			if _, taken := a.index[e.Title]; e.Title != "" && !taken {
				a.index[e.Title] = i
			}
		}
	}
	return a.index
}

// Portable returns the payload of entry i in a form that does not depend on its place in the file.
func (a *Archive) Portable(i int) ([]byte, error) {
	if a.able.Portable != nil {
		return a.able.Portable(i)
	}
	return a.Payload(i)
}

// Reindex updates the index after a change of the entries.
func (a *Archive) Reindex() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.index = nil
}

// UnmovedAt is Unmoved for the case that the output file out may replace the archive itself.
func (a *Archive) UnmovedAt(out string) error {
	is, err1 := os.Lstat(a.Path)
	to, err2 := os.Lstat(out)
	if err1 != nil || err2 != nil || !os.SameFile(is, to) {
		return nil
	}
	return a.Unmoved()
}

// Unmoved returns an error if the file at the archive's path is no longer the one that was opened.
func (a *Archive) Unmoved() error {
	if a.file == nil { // in memory nobody changes it
		return nil
	}
	was, err := a.file.Stat()
	if err != nil {
		return err
	}
	is, err := os.Stat(a.Path)
	if err == nil && os.SameFile(was, is) && is.Size() == a.Size && is.ModTime().Equal(a.changed) {
		return nil
	}
	return fmt.Errorf("%s was changed by somebody else meanwhile: it is left alone", a.Path)
}
