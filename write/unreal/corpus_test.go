package unreal_test

import (
	"bytes"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// packages returns the valid packages of the corpus.
func packages(t testing.TB) (list []corpus.Entry) {
	for _, e := range corpus.Manifest(t, "unreal") {
		if e.Expected == "ok" && e.Columns["sha256"] != "" && isPackage(e.File) {
			list = append(list, e)
		}
	}
	return list
}

func isPackage(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".u", ".unr", ".utx", ".uax", ".umx":
		return true
	}
	return false
}

func open(t testing.TB, b []byte) *unreal.Package {
	t.Helper()
	p, err := read.Package(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func save(t testing.TB, p *unreal.Package) []byte {
	t.Helper()
	var w bytes.Buffer
	if err := write.Package(&w, p); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

func TestCorpusPackages(t *testing.T) {
	canonical := 0
	for _, e := range packages(t) {
		b := corpus.Bytes(t, e.Path)
		p := open(t, b)
		corpus.SameBytes(t, e.File, save(t, p), b)
		if err := read.Relocations(p, nil); err != nil {
			t.Errorf("%s: %v", e.File, err)
		}
		var w bytes.Buffer
		if err := write.Rebuild(&w, p); err != nil {
			t.Errorf("%s: rebuild: %v", e.File, err)
		}
		if bytes.Equal(w.Bytes(), b) {
			canonical++
		} else if !strings.HasPrefix(e.File, "synthetic/") {
			corpus.SameBytes(t, e.File+" rebuilt", w.Bytes(), b)
		}
	}
	t.Logf("%d packages rebuilt in canonical order are identical", canonical)
}

func TestCorpusObjects(t *testing.T) {
	count, opaque := map[string]int{}, 0
	for _, e := range packages(t) {
		p := open(t, corpus.Bytes(t, e.Path))
		for i := range p.Exports {
			b, err := p.Payload(i)
			if err != nil {
				t.Fatal(err)
			}
			x := p.Context(i)
			o, err := read.Object(b, x, nil)
			if err != nil {
				t.Errorf("%s: %v", e.File, err)
				continue
			}
			got, err := write.Object(o)
			if err != nil {
				t.Errorf("%s: %s: %v", e.File, x.Path, err)
			}
			corpus.SameBytes(t, e.File+": "+x.Path, got, b)
			class := x.Class
			if unreal.Classes[class] == unreal.UnknownKind {
				class = "property lists"
				if len(o.Base().Tail) > 0 {
					opaque++
					t.Logf("%s: %s (%s) has %d bytes of native payload", e.File, x.Path, x.Class, len(o.Base().Tail))
				}
			} else if n := len(o.Base().Tail); n > 0 {
				t.Errorf("%s: %s: %d bytes left", e.File, x.Path, n)
			}
			count[class]++
		}
	}
	var lines []string
	for class := range count {
		lines = append(lines, class)
	}
	sort.Strings(lines)
	for _, class := range lines {
		t.Logf("%6d %s", count[class], class)
	}
	t.Logf("%6d with a native payload that stays opaque", opaque)
}
