package ultima9

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// folders finds files in folders, without regard to case, as the program does.
type folders []string

func (f folders) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		for _, dir := range f {
			list, _ := os.ReadDir(dir)
			for _, e := range list {
				if strings.EqualFold(e.Name(), filepath.Base(name)) {
					path := filepath.Join(dir, e.Name())
					b, err := os.ReadFile(path)
					return b, path, err
				}
			}
		}
	}
	return nil, "", fs.ErrNotExist
}

func synthetic(t testing.TB, elem ...string) string {
	return filepath.Join(append([]string{corpus.Folder(t, "ultima9"), "synthetic"}, elem...)...)
}

// testEnv looks into the corpus's folder of palettes and those named.
func testEnv(t testing.TB, name string, dirs ...string) *format.Env {
	f := folders{synthetic(t, "palette")}
	for _, d := range dirs {
		f = append(f, synthetic(t, d))
	}
	return &format.Env{Name: name, Files: f, Diagnostics: new(schema.Diagnostics)}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func do[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// keep writes a file into the folder $USHER_OUT, where the Khronos validator or a person looks at what tests make.
func keep(t testing.TB, name string, content []byte) {
	t.Helper()
	if dir := os.Getenv("USHER_OUT"); dir != "" {
		must(t, os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, ":", "_")), content, 0o644))
	}
}
