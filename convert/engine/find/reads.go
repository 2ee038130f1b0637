package find

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/usher-assets/usher/convert/disk"
)

// Reads records which files a run has read, with the stamps of their content at that time. So the run does not take credit
// for content that was saved later. Several goroutines may use it; a nil Reads records nothing.
type Reads struct {
	mu    sync.Mutex
	of    map[string]readFile // by path
	below *disk.Below         // through which what is in its folder is read; may be nil
}

// Confine makes reads of files below a folder go through it, so that links inside it are not followed. Call it before the
// first read.
func (r *Reads) Confine(below *disk.Below) { r.below = below }

type readFile struct {
	stamp disk.Stamp
	open  bool // it is read piece by piece, later
	moved bool // it was read twice, and was not the same
}

// Note records a file that was read. open means that it is still open and is read piece by piece.
func (r *Reads) Note(path string, s disk.Stamp, open bool) {
	if r == nil {
		return
	}
	path = filepath.Clean(path)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]readFile{}
	}
	was, again := r.of[path]
	r.of[path] = readFile{s, open || was.open, was.moved || again && was.stamp.Hash != s.Hash}
}

// Paths returns the paths of the files that were read.
func (r *Reads) Paths() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.of))
}

// Stamp returns the stamp of what was read from path, and whether the file was read. The stamp has no hash if the file
// changed while it was read.
func (r *Reads) Stamp(path string) (s disk.Stamp, read bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	was, read := r.of[filepath.Clean(path)]
	if was.moved {
		return disk.Stamp{}, read
	}
	if was.open {
		info, err := os.Stat(path)
		if err != nil || info.Size() != was.stamp.Size || info.ModTime().UnixNano() != was.stamp.Time {
			return disk.Stamp{}, read
		}
	}
	return was.stamp, read
}

// Read reads a whole file and records it.
func (r *Reads) Read(path string) ([]byte, error) {
	b, s, err := r.content(path)
	if err != nil {
		return nil, err
	}
	r.Note(path, s, false)
	return b, nil
}

func (r *Reads) content(path string) ([]byte, disk.Stamp, error) {
	if r != nil {
		if name, inside := r.below.Name(path); inside {
			return r.below.ReadFile(name)
		}
	}
	return disk.ReadFile(path)
}
