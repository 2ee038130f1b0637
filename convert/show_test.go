package convert_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

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
