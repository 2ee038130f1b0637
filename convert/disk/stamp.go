package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"
)

// Stamp says which content a file had. The time spares reading the file; the hash decides when the time differs, or
// says too little.
type Stamp struct {
	Size int64  `json:"size,omitempty"`
	Time int64  `json:"time,omitempty"` // of the last change, nanoseconds since 1970
	Hash string `json:"hash,omitempty"` // as HashText writes it; empty for a file that was never seen whole
}

// hashFile returns the hash of an open file's content.
func hashFile(r io.ReaderAt, size int64) (string, error) {
	h := xxhash.New()
	if _, err := io.CopyBuffer(h, io.NewSectionReader(r, 0, size), make([]byte, 256<<10)); err != nil {
		return "", err
	}
	return HashText(h.Sum64()), nil
}

// NewStamp returns the stamp of the file at path.
func NewStamp(path string) (Stamp, error) {
	if err := fault("open", path); err != nil {
		return Stamp{}, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	file, err := os.Open(path)
	if err != nil {
		return Stamp{}, err
	}
	defer file.Close()
	return StampOf(file)
}

// StampOf returns the stamp of an open file.
func StampOf(file *os.File) (Stamp, error) {
	info, err := file.Stat()
	if err != nil {
		return Stamp{}, err
	}
	hash, err := hashFile(file, info.Size())
	return Stamp{info.Size(), info.ModTime().UnixNano(), hash}, err
}

// ReadFile reads a file whole, and returns the stamp of what was read: not that of what the file is by now.
func ReadFile(path string) ([]byte, Stamp, error) {
	if err := fault("open", path); err != nil {
		return nil, Stamp{}, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, Stamp{}, err
	}
	defer file.Close()
	return readAll(file)
}

// readAll returns the content of an open file, and its stamp.
func readAll(file *os.File) ([]byte, Stamp, error) {
	info, err := file.Stat() // before the content: a later change has a later time
	if err != nil {
		return nil, Stamp{}, err
	}
	if err := fault("read", file.Name()); err != nil {
		return nil, Stamp{}, &fs.PathError{Op: "read", Path: file.Name(), Err: err}
	}
	b := make([]byte, 0, info.Size()+1)
	for {
		n, err := file.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, Stamp{int64(len(b)), info.ModTime().UnixNano(), HashText(xxhash.Sum64(b))}, nil
		}
		if err != nil {
			return nil, Stamp{}, err
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}

// Stat describes the file at path, which it leads to when it is a symbolic link.
func Stat(path string) (fs.FileInfo, error) {
	if err := fault("stat", path); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return os.Stat(path)
}

// Lstat describes what is at path.
func Lstat(path string) (fs.FileInfo, error) {
	if err := fault("stat", path); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return os.Lstat(path)
}

// ReadDir lists a folder.
func ReadDir(dir string) ([]fs.DirEntry, error) {
	if err := fault("list", dir); err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: dir, Err: err}
	}
	return os.ReadDir(dir)
}

// Always is a time before which all files were changed: what has the size and time of its stamp is the same.
const Always = 1<<63 - 1

// Resolve returns the path of the file that a path leads to when it is a symbolic link, even to a file that is not there
// yet, and the path itself otherwise: what is written through a link is not to take its place.
func Resolve(path string) (string, error) {
	for range 40 { // as many as Linux follows
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// tick returns by how much the time of a file must lie before another one to be earlier: within a tick, a file can
// change and keep its time. Times without a fraction come from file systems that have whole seconds, or every other one.
func tick(nanoseconds int64) int64 {
	if nanoseconds%int64(time.Second) == 0 {
		return int64(2 * time.Second)
	}
	return int64(20 * time.Millisecond)
}

// Same reports whether the file at path, described by info, is certainly still the one of the stamp. See Compare.
func (s Stamp) Same(path string, info fs.FileInfo, checked int64) (bool, error) {
	v, err := s.Compare(path, info, checked)
	return v == Same, err
}

// Compare compares the file at path, described by info, with the stamp. Its size and time suffice when nothing has changed
// it since the moment of the check at which the stamps were known to be true: clearly before that, in nanoseconds since
// 1970. Otherwise it is read. That is what git does with files that it calls racily clean.
func (s Stamp) Compare(path string, info fs.FileInfo, checked int64) (Verdict, error) {
	if info.Size() != s.Size || s.Hash == "" {
		return Different, nil
	}
	last := changeTime(info)
	if info.ModTime().UnixNano() == s.Time && (checked == Always || last+tick(last) < checked) {
		return Same, nil
	}
	now, err := NewStamp(path)
	if err != nil {
		return Unknown, err
	}
	return CompareHashes(s.Hash, now.Hash), nil
}

// Ours reports whether the file of that name is one that was stamped when it was written, and nobody has changed since, or
// not there: it may be replaced without asking. Its time suffices, since what a failing disk left of it may be less than
// was written.
func (f *Folder) Ours(name string, s Stamp) bool {
	info, err := f.lstat(name)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	if info.ModTime().UnixNano() == s.Time {
		return true
	}
	same, err := s.Same(f.Place(name), info, 0)
	return same && err == nil
}

// Damaged reports whether a file that was stamped when it was written is no longer that, though nobody has changed it
// since: the power failed before it was on the disk. In a folder that has not its name yet nobody is at work but runs,
// and one of them may have been killed while it wrote the file anew.
func (f *Folder) Damaged(name string, s Stamp) bool {
	info, err := f.lstat(name)
	if err != nil || !f.staged && info.ModTime().UnixNano() != s.Time {
		return false
	}
	same, err := s.Same(f.Place(name), info, 0)
	return !same || err != nil
}
