package find

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
)

// Files finds the files that an input refers to. It searches the given folders in order. It implements format.Files for
// every conversion from disk. Several goroutines may use it.
type Files struct {
	home  string // the folder of the input; empty when it has none
	stem  string // what the input is called
	dirs  []string
	named []string          // files and folders that the user named: they are opened as they are
	with  map[string]string // folded base name → path of files that come before those of the folders

	listings *Listings
	reads    *Reads // what was read is noted there; may be nil
	other    *Files // what that does not find is not found; may be nil

	mu     sync.Mutex
	open   map[string]*openFile
	unread error // of the first file that is there and could not be read
}

// Listings caches the contents of folders. The conversions of one run share it, since a folder may hold thousands of
// inputs.
type Listings struct {
	instead Instead

	mu sync.Mutex
	of map[string]map[string]string // folder → folded name → name as on disk

	trees treeListings
}

// NewListings returns an empty cache, for files of which some are read elsewhere.
func NewListings(instead Instead) *Listings {
	return &Listings{instead: instead, of: map[string]map[string]string{}, trees: treeListings{instead: instead}}
}

// openFile is a file that FindAt opened. It is closed when nothing refers to the Files any more.
type openFile struct {
	*os.File
	size int64
}

// NewFiles returns a finder that searches the folders, the most important first.
func NewFiles(dirs ...string) *Files { return Search{Folders: dirs}.Files() }

// Search says where to search for files.
type Search struct {
	Home     string    // the folder of the input; empty when it has none
	Stem     string    // what the input is called, without its extension; needed where there is another side
	Folders  []string  // most important first
	Named    []string  // files and folders that the user named, which are opened as they are
	With     []string  // files that are searched before the folders, by base name; a folder is searched as the first one
	Listings *Listings // cached folder contents; nil begins with an empty cache
	Reads    *Reads    // records which files were read; may be nil
	Other    *Search   // if set, a file that it does not find counts as missing
}

// Files returns a finder for the search.
func (s Search) Files() *Files {
	f := &Files{home: s.Home, stem: s.Stem, dirs: s.Folders, named: s.Named, listings: s.Listings, reads: s.Reads, open: map[string]*openFile{}}
	if f.listings == nil {
		f.listings = NewListings(nil)
	}
	f.addWith(s.With)
	if s.Other != nil {
		other := *s.Other
		other.Listings = f.listings
		f.other = other.Files()
	}
	return f
}

// addWith makes files that the user named be found by their base names, wherever they are; a folder becomes the first
// one to look in.
func (f *Files) addWith(paths []string) {
	var folders []string
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			folders = append(folders, p)
			continue
		}
		if f.with == nil {
			f.with = map[string]string{}
		}
		f.with[disk.Fold(filepath.Base(p))] = p
	}
	f.dirs = append(folders, f.dirs...)
}

// Find implements format.Files.
func (f *Files) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		if p, ok := f.Locate(name); ok {
			b, err := f.read(p)
			f.Note(p, err)
			return b, p, err
		}
	}
	return nil, "", fs.ErrNotExist
}

// FindAt implements format.FilesAt: large files are opened, not read.
func (f *Files) FindAt(names ...string) (io.ReaderAt, int64, string, error) {
	for _, name := range names {
		if p, ok := f.Locate(name); ok {
			file, err := f.openOnce(p)
			f.Note(p, err)
			if err != nil {
				return nil, 0, p, err
			}
			return file, file.size, p, nil
		}
	}
	return nil, 0, "", fs.ErrNotExist
}

// Note records the first error of a file that exists but cannot be read.
func (f *Files) Note(p string, err error) {
	if err == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.unread == nil {
		f.unread = fmt.Errorf("%s: %w", p, disk.PlainError(err))
	}
}

// Unread returns the error of the first file that was searched for and exists but could not be read. A result made without
// that file may be wrong, though not every conversion needs it.
func (f *Files) Unread() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unread
}

// Unread calls Files.Unread for the Files of an environment, if these are a *Files.
func Unread(env *format.Env) error {
	if env == nil {
		return nil
	}
	if f, ok := env.Files.(interface{ Unread() error }); ok {
		return f.Unread()
	}
	return nil
}

// Opened returns the files that FindAt opened.
func (f *Files) Opened() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.open))
}

// read reads a file, and notes it under its own path.
func (f *Files) read(p string) ([]byte, error) {
	at := f.listings.instead.of(p)
	if at == p {
		return f.reads.Read(p)
	}
	b, stamp, err := disk.ReadFile(at)
	if err == nil {
		f.reads.Note(p, stamp, false)
	}
	return b, err
}

func (f *Files) openOnce(p string) (*openFile, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if file, ok := f.open[p]; ok {
		return file, nil
	}
	file, err := os.Open(f.listings.instead.of(p))
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	f.open[p] = &openFile{file, info.Size()}
	return f.open[p], nil
}

// Locate returns the path of the first file that a name leads to. Names come from inside files, so both kinds of separators
// are accepted, and drive letters and ".." are removed.
func (f *Files) Locate(name string) (string, bool) {
	p, ok := f.locate(name)
	if ok && f.other != nil {
		_, ok = f.other.locate(f.otherName(name))
	}
	return p, ok
}

func (f *Files) locate(name string) (string, bool) {
	for _, root := range f.named {
		if below, ok := strings.CutPrefix(name, root); ok && (below == "" || below[0] == '/') {
			return f.descend(root, strings.FieldsFunc(below, func(r rune) bool { return r == '/' }))
		}
	}
	name = strings.ReplaceAll(name, `\`, "/")
	name = name[strings.LastIndexByte(name, ':')+1:]
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	if p, ok := f.with[disk.Fold(path.Base(name))]; ok {
		return p, true
	}
	for _, candidate := range []string{name, path.Base(name)} {
		for _, dir := range f.dirs {
			if p, ok := f.descend(dir, strings.Split(candidate, "/")); ok {
				return p, true
			}
		}
	}
	return "", false
}

// descend follows steps from dir, without regard to case where no name is written so, and returns the path of the regular file at their end.
func (f *Files) descend(dir string, steps []string) (string, bool) {
	for _, step := range steps {
		list, err := f.listings.get(dir)
		actual, ok := list[step]
		if !ok {
			actual, ok = list[disk.Fold(step)]
		}
		if errors.Is(err, fs.ErrPermission) { // it can be looked into for all that
			actual, ok, err = step, true, nil
		}
		if f.Note(dir, err); !ok {
			return "", false
		}
		dir = filepath.Join(dir, actual)
	}
	info, err := os.Stat(dir)
	return dir, err == nil && info.Mode().IsRegular()
}

// get returns what a folder holds, by folded names, and those that differ in case alone by their own as well; nothing when
// it is not there, or no folder.
func (l *Listings) get(dir string) (map[string]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if list, ok := l.of[dir]; ok {
		return list, nil
	}
	entries, err := disk.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return nil, err
	}
	list := map[string]string{}
	for _, e := range entries {
		name, key := e.Name(), disk.Fold(e.Name())
		if other, twice := list[key]; twice {
			list[other], list[name] = other, name
		} else {
			list[key] = name
		}
	}
	l.of[dir] = list
	return list, nil
}
