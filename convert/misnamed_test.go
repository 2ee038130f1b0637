package convert_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

// modelExtensions are those of Freelancer's models, which people confuse.
var modelExtensions = []string{".3db", ".cmp", ".dfm", ".sph"}

// TestMisnamed: a model in a file with the extension of another one comes back as what it was, under the name that it had.
func TestMisnamed(t *testing.T) {
	for _, file := range []string{"crate.3db", "ship.cmp", "figure.dfm"} {
		content := corpus.Bytes(t, corpus.Testdata(t, "freelancer", file))
		for _, ext := range modelExtensions {
			native := put(t, "x"+ext, content)
			shown := becomes(t, native, "glb")
			glb := put(t, "x.glb", shown.Content)
			for _, target := range []string{"", ext} {
				if back := becomes(t, glb, target); back.Name != "x"+ext || !bytes.Equal(back.Content, content) {
					t.Errorf("%s called x%s, asked for %q: %d bytes called %s, want %d", file, ext, target, len(back.Content), back.Name, len(content))
				}
			}
			if copied := becomes(t, native, ext); !bytes.Equal(copied.Content, content) {
				t.Errorf("%s called x%s: the copy has other bytes", file, ext)
			}
		}
	}
}

// TestNamed: the name of a format asks for that, whatever a file was called.
func TestNamed(t *testing.T) {
	glb := put(t, "x.glb", becomes(t, put(t, "x.3db", corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))), "glb").Content)
	for _, name := range []string{"3db", "cmp"} {
		it := loaded(t, put(t, "y."+name, becomes(t, glb, name).Content))
		if it.Format.Name != name {
			t.Errorf("asked for %s, got %s", name, it.Format.Name)
		}
	}
}

func put(t *testing.T, name string, content []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func loaded(t *testing.T, path string) *interchange.Item {
	t.Helper()
	it, err := new(engine.Loader).Load(engine.Source{Path: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(it.Close)
	return it
}

// becomes returns what a file becomes; without a target, what usher makes of it unasked.
func becomes(t *testing.T, path, target string) format.File {
	t.Helper()
	it := loaded(t, path)
	to, err := engine.DefaultTarget(it)
	if target != "" {
		to, err = engine.ParseTarget(target, it)
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := engine.Export(it, to, "x")
	if err != nil {
		t.Fatalf("%s to %q: %v", path, target, err)
	}
	return files[0]
}
