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

// Stamp identifies the content of a file by size, time and hash. If size and time are unchanged, the file need not be read;
// otherwise the hash decides.
type Stamp struct {
	Size int64  `json:"size,omitempty"`
	Time int64  `json:"time,omitempty"` // modification time, nanoseconds since 1970
	Hash string `json:"hash,omitempty"` // as HashText returns it; empty if the file was never read completely
}

// hashFile returns the hash of an open file's content.
func hashFile(r io.ReaderAt, size int64) (string, error) {
	h := xxhash.New()
	if _, err := io.CopyBuffer(h, io.NewSectionReader(r, 0, size), make([]byte, max(1, min(size, 256<<10)))); err != nil {
		return "", err
	}
	return HashText(h.Sum64()), nil
}

// NewStamp returns the stamp of the file at path. It reads the file.
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

// ReadFile reads a whole file and returns the stamp of exactly what it read, even if the file changes meanwhile.
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

// Stat describes the file at path. It follows links.
func Stat(path string) (fs.FileInfo, error) {
	if err := fault("stat", path); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return os.Stat(path)
}

// Lstat describes what is at path. It does not follow links.
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

// Always is a check time later than any change of a file: with it, equal size and time mean an equal file.
const Always = 1<<63 - 1

// Resolve returns the path that a path leads to through links, even if that file does not exist. Write to the result, so
// that the link itself is not replaced.
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

// Same reports whether the file at path, described by info, is certainly the one of the stamp. See Compare.
func (s Stamp) Same(path string, info fs.FileInfo, checked int64) (bool, error) {
	v, err := s.Compare(path, info, checked)
	return v == Same, err
}

// Compare compares the file at path, described by info, with the stamp. checked is the time, in nanoseconds since 1970,
// when the stamp was known to be true. Equal size and time suffice if the file was last changed clearly before that;
// otherwise the file is read. Git does the same with files that it calls racily clean.
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

// Ours reports whether a file is unchanged since it was stamped when it was written, or does not exist. Such a file may be
// replaced without asking. Only its time is compared, because after a failure of the disk it may be shorter than what was
// written.
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

// Damaged reports whether a file differs from its stamp although nobody has changed it: the power failed before it was on
// disk. In a folder with a temporary name only runs change files, and one of them may have been killed while it rewrote the
// file.
func (f *Folder) Damaged(name string, s Stamp) bool {
	info, err := f.lstat(name)
	if err != nil || !f.staged && info.ModTime().UnixNano() != s.Time {
		return false
	}
	same, err := s.Same(f.Place(name), info, 0)
	return !same || err != nil
}
