package compare_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// FuzzVerify gives any bytes, under any name, to whatever format takes them for its own: nothing panics, and what is
// read is written back.
func FuzzVerify(f *testing.F) {
	for _, family := range corpus.Families(f) {
		seeds, err := filepath.Glob(filepath.Join(corpus.Testdata(f, family), "*.*"))
		if err != nil {
			f.Fatal(err)
		}
		for _, p := range seeds {
			if info, err := os.Stat(p); err == nil && info.Size() < 16<<10 {
				f.Add(filepath.Base(p), corpus.Bytes(f, p))
			}
		}
	}
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		_, _, err := compare.Verify(b, nil, &format.Env{Name: name, Diagnostics: new(schema.Diagnostics)})
		var different *compare.DifferenceError
		if errors.As(err, &different) {
			t.Errorf("%s: %v", name, err)
		}
	})
}
