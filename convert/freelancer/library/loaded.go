package library

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
)

// loaded is what the records of a game say of the libraries of its models. It is made once a run.
type loaded struct {
	once  sync.Once
	names game.Loaded
	files map[string]func() *indexed // libraries, by path below DATA as names have them
}

// loadedKey is what it is shared under.
type loadedKey struct{ data string }

// filesLoaded returns the libraries that the INI records of a model name; none where no record has it.
func filesLoaded(t format.FileTree, data, model string) (list []*indexed) {
	x := t.Shared(loadedKey{data}, func() any { return new(loaded) }).(*loaded)
	x.once.Do(func() { x.read(t, data) })
	for _, name := range x.names[below(data, model)] {
		if index := x.files[name]; index != nil {
			if f := index(); f != nil {
				list = append(list, f)
			}
		}
	}
	return list
}

// read reads the records. They stand in the INI files of the folders in DATA, and no deeper.
func (x *loaded) read(t format.FileTree, data string) {
	x.names, x.files = game.Loaded{}, map[string]func() *indexed{}
	for _, l := range t.List(data, true, ".ini") {
		if strings.Count(below(data, l.Path), "/") > 1 {
			continue
		}
		if b, err := readListed(t, l.Path); err == nil {
			x.names.Add(b)
		}
	}
	for _, l := range t.List(data, true, libraryExtensions...) {
		x.files[below(data, l.Path)] = sync.OnceValue(func() *indexed { return indexFile(t, l) })
	}
}

// below returns the path of a file below DATA, as records have it.
func below(data, file string) string {
	rel, err := filepath.Rel(data, file)
	if err != nil {
		return ""
	}
	return game.Path(filepath.ToSlash(rel))
}
