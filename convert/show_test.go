package convert_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/sculpt"
)

// TestShow holds the files of testdata/show against what makes them. USHER_UPDATE=1 writes them anew.
func TestShow(t *testing.T) {
	files, err := sculpt.Files()
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		path := corpus.Testdata(t, "show", filepath.FromSlash(name))
		if os.Getenv("USHER_UPDATE") != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if runtime.GOARCH == "amd64" { // elsewhere sines differ in their last bits
			corpus.SameBytes(t, name, b, corpus.Bytes(t, path))
		}
	}
}

// TestFactsOnce: of no file that the tests have, and of no entry of one, is the same thing told twice.
func TestFactsOnce(t *testing.T) {
	told := 0
	for _, folder := range append(slices.Sorted(maps.Keys(families)), "show", "show/village") {
		files, err := filepath.Glob(corpus.Testdata(t, filepath.FromSlash(folder), "*.*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		for _, path := range files {
			for _, src := range withEntries(t, path) {
				l := &engine.Loader{Detail: true}
				d, err := l.Describe(src)
				if err != nil {
					continue // of an animation, say, whose model is another file
				}
				told += len(d.Facts)
				for _, name := range twice(d.Facts) {
					t.Errorf("%s: %q is told twice", src, name)
				}
			}
		}
	}
	if told < 1000 {
		t.Errorf("%d facts", told)
	}
}

// twice returns the names of facts that are there again. What is indented belongs to the fact above that is not.
func twice(facts []format.Fact) (names []string) {
	var part []format.Fact
	for _, f := range facts {
		if !strings.HasPrefix(f.Name, " ") {
			part = slices.DeleteFunc(part, func(o format.Fact) bool { return strings.HasPrefix(o.Name, " ") })
		}
		if slices.ContainsFunc(part, func(o format.Fact) bool { return reflect.DeepEqual(o, f) }) {
			names = append(names, f.Name)
		}
		part = append(part, f)
	}
	return names
}

// withEntries returns a file and its entries.
func withEntries(t *testing.T, path string) []engine.Source {
	list := []engine.Source{{Path: path}}
	a, err := store.OpenArchive(path, nil, new(engine.Loader).Env(path, nil))
	if err != nil {
		return list
	}
	defer a.Close()
	for _, e := range a.Entries() {
		list = append(list, engine.Source{Path: path, Entry: e.Path})
	}
	return list
}
