package library

import (
	"bytes"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
	"github.com/usher-assets/usher/convert/freelancer/ini"
)

// loaded is what the records of a game say of the libraries of its models. It is made once a run, and of an INI file only when a
// model is looked for that stands in it: a single conversion waits for a few of them.
type loaded struct {
	mu     sync.Mutex
	data   string
	files  fs.FS               // of data
	unread []unread            // nil before the first model
	names  game.Loaded         // of what was read
	index  map[string]*indexed // libraries by path below DATA
}

// unread is an INI file with records of models that was not looked at yet.
type unread struct {
	text  []byte
	words []byte // of it, in lower case
}

// loadedKey is what it is shared under.
type loadedKey struct{ data string }

// filesLoaded returns the libraries that the INI records of a model name; none where no record has it.
func filesLoaded(t format.FileTree, data, model string) (list []*indexed) {
	x := t.Shared(loadedKey{data}, func() any { return &loaded{data: data} }).(*loaded)
	x.mu.Lock()
	defer x.mu.Unlock()
	rel, err := filepath.Rel(data, model)
	if err != nil || !x.open(t) {
		return nil
	}
	key := game.Path(filepath.ToSlash(rel))
	x.look(path.Base(key))
	for _, name := range x.names[key] {
		if f := x.library(t, name); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// open reads the INI files of the folders in DATA, and no deeper; ok is false where there is no such folder.
func (x *loaded) open(t format.FileTree) (ok bool) {
	if x.names != nil {
		return x.files != nil
	}
	x.names, x.index = game.Loaded{}, map[string]*indexed{}
	files, err := t.FS(x.data)
	if err != nil {
		return false
	}
	x.files = files
	folders, _ := fs.ReadDir(files, ".") // what cannot be read is not there
	for _, folder := range folders {
		list, _ := fs.ReadDir(files, folder.Name())
		for _, e := range list {
			if strings.EqualFold(path.Ext(e.Name()), ini.Extension) {
				x.add(folder.Name() + "/" + e.Name())
			}
		}
	}
	return true
}

// add takes an INI file for later, if it has records of models.
func (x *loaded) add(name string) {
	b, err := fs.ReadFile(x.files, name)
	if err != nil {
		return
	}
	if words := game.Words(b); game.HasLibraries(words) {
		x.unread = append(x.unread, unread{b, words})
	}
}

// look reads the files in which the name of a model stands.
func (x *loaded) look(model string) {
	var rest []unread
	for _, u := range x.unread {
		if bytes.Contains(u.words, []byte(model)) {
			x.names.Add(u.text)
		} else {
			rest = append(rest, u)
		}
	}
	x.unread = rest
}

// library returns the index of a library, which is made once; nil where there is none.
func (x *loaded) library(t format.FileTree, name string) *indexed {
	if f, known := x.index[name]; known {
		return f
	}
	x.index[name] = nil
	actual, size, ok := locate(x.files, name)
	if ok {
		x.index[name] = indexFile(t, format.Listed{Path: filepath.Join(x.data, filepath.FromSlash(actual)), Size: size})
	}
	return x.index[name]
}

// locate returns a file as it is written on disk, whatever its case.
func locate(files fs.FS, name string) (actual string, size int64, ok bool) {
	actual = "."
	for step := range strings.SplitSeq(name, "/") {
		list, err := fs.ReadDir(files, actual)
		if err != nil {
			return "", 0, false
		}
		found := ""
		for _, e := range list {
			if e.Name() == step || found == "" && strings.EqualFold(e.Name(), step) {
				found = e.Name()
			}
		}
		if found == "" {
			return "", 0, false
		}
		actual = path.Join(actual, found)
	}
	info, err := fs.Stat(files, actual)
	if err != nil || !info.Mode().IsRegular() {
		return "", 0, false
	}
	return actual, info.Size(), true
}
