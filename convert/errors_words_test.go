package convert_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// doubled finds a word that an error begins with twice: "png: png: …", "utf+0x4: utf: …".
func doubled(text string) string {
	head := regexp.MustCompile(`^(?:[\w./-]+: )*?([\w-]+)(?:\+0x[0-9a-f]+)?: ([\w-]+)(?:\+0x[0-9a-f]+)?: `).FindStringSubmatch(text)
	if head != nil && head[1] == head[2] {
		return head[1]
	}
	return ""
}

// TestErrorsSayThingsOnce cuts and damages every file of testdata and reads the malformed files of the corpus: whatever is
// refused says its package once, and in one line.
func TestErrorsSayThingsOnce(t *testing.T) {
	for _, bad := range []string{"png: png: not a PNG", "a.flx: utf+0x4: utf: x", "utf: utf+0x4: x"} {
		if doubled(bad) == "" {
			t.Fatalf("%q passes", bad)
		}
	}
	refused := 0
	check := func(name string, err error) {
		if err == nil {
			return
		}
		refused++
		text := err.Error()
		if word := doubled(text); word != "" || strings.Contains(text, "\n") || strings.Contains(text, ": : ") || strings.HasPrefix(text, name+": "+name) {
			t.Errorf("%s: %s", name, text)
		}
	}
	try := func(path string, content []byte) {
		name := filepath.Base(path)
		l := &engine.Loader{}
		d := new(schema.Diagnostics)
		_, _, err := compare.Verify(content, nil, l.Env(path, d))
		check(name, err)
		damaged := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(damaged, content, 0o666); err != nil {
			t.Fatal(err)
		}
		it, err := l.Load(engine.Source{Path: damaged}, d)
		check(name, err)
		if err == nil {
			_, err = it.Lift()
			check(name, err)
			it.Close()
		}
	}
	files, err := filepath.Glob(corpus.Testdata(t, "*", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := filepath.Glob(corpus.Testdata(t, "pictures", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(files, pictures...) {
		if info, err := os.Stat(path); err != nil || info.IsDir() || info.Size() > 200_000 {
			continue
		}
		b := corpus.Bytes(t, path)
		for _, n := range []int{4, 30, len(b) / 3, len(b) - 1} {
			if n > 0 && n < len(b) {
				try(path, b[:n])
			}
		}
	}
	if refused < 200 {
		t.Errorf("%d errors were looked at", refused)
	}
}

// TestMalformedSayThingsOnce does so with the malformed files of the corpus.
func TestMalformedSayThingsOnce(t *testing.T) {
	for _, family := range corpus.Families(t) {
		for _, e := range corpus.Manifest(t, family) {
			b := corpus.Bytes(t, e.Path)
			if len(b) > 1<<20 {
				continue
			}
			_, _, err := compare.Verify(b, nil, (&engine.Loader{}).Env(e.Path, new(schema.Diagnostics)))
			if err == nil {
				continue
			}
			if word := doubled(err.Error()); word != "" || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", e.File, err)
			}
		}
	}
}
