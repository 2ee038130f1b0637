package docs

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/usher-assets/usher/cmd/usher/docs/layout"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/testdata/corpus"
)

// layouts are those of testdata.
func layouts(t *testing.T) map[string]*layout.Layout {
	t.Helper()
	all, err := learned(t)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var once sync.Once
var ofTestdata struct {
	layouts map[string]*layout.Layout
	err     error
}

func learned(t *testing.T) (map[string]*layout.Layout, error) {
	once.Do(func() {
		ofTestdata.layouts, ofTestdata.err = (&Site{Examples: testdata(t)}).layouts(context.Background(), new(engine.Loader))
	})
	return ofTestdata.layouts, ofTestdata.err
}

// agrees holds the layouts to files and entries, and returns how many of these were read.
func agrees(t *testing.T, layouts map[string]*layout.Layout, files []string) (read int) {
	t.Helper()
	all, err := samplesOf(context.Background(), new(engine.Loader), files)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, s := range all[name] {
			l := layouts[name]
			if l == nil {
				continue
			}
			switch err := l.Agrees(&s); {
			case errors.Is(err, layout.ErrRefused):
			case err != nil:
				t.Errorf("%s of %d bytes: %v", name, len(s.Bytes), err)
			default:
				read++
			}
		}
	}
	return read
}

// TestLearned: layouts agree with the readers in everything that they were learned from, and in the corpus, which they were not learned from.
func TestLearned(t *testing.T) {
	layouts := layouts(t)
	if n := agrees(t, layouts, testdata(t)); n < 200 || len(layouts) < 60 {
		t.Errorf("%d layouts, %d files", len(layouts), n)
	}
	var files []string
	for _, family := range corpus.Families(t) {
		_ = filepath.WalkDir(corpus.Folder(t, family), func(p string, d fs.DirEntry, err error) error {
			if i, _ := os.Stat(p); err == nil && !d.IsDir() && i.Size() < 4<<20 && filepath.Base(filepath.Dir(p)) != "malformed" {
				files = append(files, p)
			}
			return nil
		})
	}
	if n := agrees(t, layouts, files); n < 400 {
		t.Errorf("%d files of the corpus", n)
	}
}
