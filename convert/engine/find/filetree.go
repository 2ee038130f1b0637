package find

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
)

// treeListings are what lies in and below folders, for all conversions of a run, and what they make of it.
type treeListings struct {
	instead Instead

	mu     sync.Mutex
	below  map[string][]format.Listed // all files below a folder
	in     map[string][]format.Listed // all files in a folder
	shared map[any]any
}

// maxListed bounds a walk: somebody's whole disk is no game. Tests set less.
var maxListed = 1_000_000

// Home implements format.FileTree.
func (f *Files) Home() string {
	if f.home == "" {
		return ""
	}
	p, _ := filepath.Abs(f.home) // empty when there is an error
	return p
}

// Folder implements format.FileTree.
func (f *Files) Folder(path string) (string, bool) {
	p, _ := filepath.Abs(path) // empty when there is an error, and then no folder
	info, err := os.Stat(p)
	return p, err == nil && info.IsDir()
}

// List implements format.FileTree.
func (f *Files) List(folder string, deep bool, extensions ...string) (list []format.Listed) {
	for _, x := range f.onBoth(folder, deep, f.listings.trees.list(folder, deep)) {
		if slices.Contains(extensions, strings.ToLower(filepath.Ext(x.Path))) {
			list = append(list, x)
		}
	}
	return list
}

// OpenListed implements format.FileTree.
func (f *Files) OpenListed(path string) (format.ListedFile, error) {
	return os.Open(f.listings.instead.of(path))
}

// FS implements format.FileTree.
func (f *Files) FS(folder string) (fs.FS, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	return f.listings.instead.under(folder, root.FS()), nil
}

// Shared implements format.FileTree.
func (f *Files) Shared(key any, create func() any) any {
	t := &f.listings.trees
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.shared[key]; ok {
		return v
	}
	if t.shared == nil {
		t.shared = map[any]any{}
	}
	t.shared[key] = create()
	return t.shared[key]
}

// list returns all files in or below a folder, walking it the first time.
func (t *treeListings) list(folder string, deep bool) []format.Listed {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.below == nil {
		t.below, t.in = map[string][]format.Listed{}, map[string][]format.Listed{}
	}
	known := t.in
	if deep {
		known = t.below
	}
	if list, ok := known[folder]; ok {
		return list
	}
	list := []format.Listed{}
	add := func(path string) {
		info, err := os.Stat(t.instead.of(path)) // of what a link leads to
		if err == nil && info.Mode().IsRegular() {
			list = append(list, format.Listed{Path: path, Size: info.Size(), Modified: info.ModTime().UnixNano()})
		}
	}
	if deep {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error { // what cannot be read is not there
			if err == nil && d.IsDir() && path != folder && disk.IsOwnFolder(d.Name()) {
				return fs.SkipDir
			}
			if err == nil && !d.IsDir() && wanted(path) {
				add(path)
			}
			if len(list) >= maxListed {
				return fs.SkipAll
			}
			return nil
		})
	} else {
		entries, _ := os.ReadDir(folder)
		for _, d := range entries {
			if path := filepath.Join(folder, d.Name()); !d.IsDir() && wanted(path) {
				add(path)
			}
		}
	}
	known[folder] = list
	return list
}

// wanted reports whether a file is one of a native format by its extension, so that it is worth a look.
func wanted(path string) bool { return len(formats.ByExtension(filepath.Ext(path))) > 0 }
