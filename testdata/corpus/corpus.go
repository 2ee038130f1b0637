// Package corpus finds the files that tests run on: the small ones of testdata, which are always there, and the large
// collection beside the checkout, which is not. Tests alone import it.
package corpus

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// Root returns the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod in any parent folder")
		}
	}
}

// Folder returns the corpus folder of a family. The test is skipped when the collection is absent: it lies in
// ../shared/corpus beside the checkout, or where USHER_CORPUS says.
func Folder(t testing.TB, family string) string {
	t.Helper()
	base := os.Getenv("USHER_CORPUS")
	if base == "" {
		base = filepath.Join(Root(t), "..", "shared", "corpus")
	}
	dir := filepath.Join(base, family)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("corpus of %s not found at %s; set USHER_CORPUS to run this test", family, dir)
	}
	return dir
}

// Families are the families of formats: those that have a reference, which is the README of their schema.
func Families(t testing.TB) (list []string) {
	t.Helper()
	references, err := filepath.Glob(filepath.Join(Root(t), "schema", "*", "README.md"))
	if err != nil || len(references) == 0 {
		t.Fatalf("%d references of families, %v", len(references), err)
	}
	for _, p := range references {
		list = append(list, filepath.Base(filepath.Dir(p)))
	}
	return list
}

// Testdata returns a path below the module's testdata folder.
func Testdata(t testing.TB, elem ...string) string {
	t.Helper()
	return filepath.Join(append([]string{Root(t), "testdata"}, elem...)...)
}

// Entry is a row of a manifest.
type Entry struct {
	File     string            // path below the family's folder, slashes
	Expected string            // column "expected"; empty when the manifest has none
	Columns  map[string]string // every column by its heading
	Path     string            // path on this machine
}

// Manifest returns the rows of a family's MANIFEST.tsv, and of those of its folders for single topics that are named. The
// test is skipped when the collection is absent.
func Manifest(t testing.TB, family string, topics ...string) []Entry {
	t.Helper()
	dir := Folder(t, family)
	entries := manifest(t, dir, "")
	for _, topic := range topics {
		entries = append(entries, manifest(t, dir, topic)...)
	}
	return entries
}

func manifest(t testing.TB, dir, topic string) (entries []Entry) {
	t.Helper()
	lines := strings.Split(strings.TrimRight(string(Bytes(t, filepath.Join(dir, topic, "MANIFEST.tsv"))), "\r\n"), "\n")
	head := strings.Split(lines[0], "\t")
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, cell := range strings.Split(line, "\t") {
			row[head[i]] = cell
		}
		entries = append(entries, Entry{row["file"], row["expected"], row, filepath.Join(dir, filepath.FromSlash(row["file"]))})
	}
	return entries
}

// Bytes returns the content of a file.
func Bytes(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// JSON decodes a file into v.
func JSON(t testing.TB, path string, v any) {
	t.Helper()
	if err := json.Unmarshal(Bytes(t, path), v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// SameBytes fails the test at the first byte in which got differs from want.
func SameBytes(t testing.TB, what string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	t.Errorf("%s: differs at 0x%x: got %d bytes %x…, want %d bytes %x…", what, at,
		len(got), got[at:min(at+8, len(got))], len(want), want[at:min(at+8, len(want))])
}

// Scratch returns a folder for many files, which is removed after the test: in memory where the system has such a place,
// since disks take many times as long.
func Scratch(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "usher")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Allowed fails a test with the error of making a file that Windows does not have, or does not let everybody make: links, pipes,
// names with a colon. There it skips the test.
func Allowed(t testing.TB, err error) {
	t.Helper()
	switch {
	case err == nil:
	case runtime.GOOS == "windows":
		t.Skipf("Windows does not allow it: %v", err)
	default:
		t.Fatal(err)
	}
}

// Codes returns the codes of what was told of a severity or a higher one, in order.
func Codes(d *schema.Diagnostics, least schema.Severity) string {
	var list []string
	for _, x := range d.All() {
		if x.Severity >= least {
			list = append(list, x.Code)
		}
	}
	return strings.Join(list, " ")
}
