package convert

import (
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// Stamp tells whether a file is still the same. The time spares reading it; the hash decides when the time differs.
type Stamp struct {
	Size int64  `json:"size,omitempty"`
	Time int64  `json:"time,omitempty"` // of the last change, nanoseconds since 1970
	Hash string `json:"hash,omitempty"` // "xxh64:" and 16 hexadecimal digits
}

// HashText returns a hash as manifests have it.
func HashText(sum uint64) string { return fmt.Sprintf("xxh64:%016x", sum) }

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
	file, err := os.Open(path)
	if err != nil {
		return Stamp{}, err
	}
	defer file.Close()
	return stampOf(file)
}

// Stamp returns the stamp of the archive as it is on disk.
func (a *Archive) Stamp() (Stamp, error) { return stampOf(a.file) }

func stampOf(file *os.File) (Stamp, error) {
	info, err := file.Stat()
	if err != nil {
		return Stamp{}, err
	}
	hash, err := hashFile(file, info.Size())
	return Stamp{info.Size(), info.ModTime().UnixNano(), hash}, err
}

// Same tells whether the file at path is still the one of the stamp.
func (s Stamp) Same(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	if info.Size() != s.Size {
		return false, nil
	}
	if info.ModTime().UnixNano() == s.Time {
		return true, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	hash, err := hashFile(file, info.Size())
	return hash == s.Hash, err
}
