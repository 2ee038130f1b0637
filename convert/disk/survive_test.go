package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/usher-assets/usher/testdata/corpus"
)

func open(t *testing.T, dir string, force bool) *Folder {
	t.Helper()
	f, err := Open(dir, force)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// What killed runs have left is removed by the next one in the folder; what a living one is at, and what only looks
// alike, is not.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	dead := filepath.Join(dir, ".usher-0123456789ab")
	for _, p := range []string{dead, filepath.Join(dir, ".usher-notes"), filepath.Join(dir, ".usher-1-1")} {
		if err := os.Mkdir(p, 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(p, "1"), "half")
	}
	living := open(t, dir, false)
	p, err := living.Prepare("a", func(w io.Writer) error { _, err := w.Write([]byte("a")); return err })
	if err != nil {
		t.Fatal(err)
	}
	other := open(t, dir, false)
	if err := other.Write("b", []byte("b")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a killed run left is there: %v", err)
	}
	if err := p.Commit(); err != nil {
		t.Errorf("what a living run was at is gone: %v", err)
	}
	for _, name := range []string{".usher-notes/1", ".usher-1-1/1", "a", "b"} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
}

// Two runs write into one folder at once, under names that do not meet.
func TestTwoRuns(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir, false), open(t, dir, false)
	fill := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := w.Write([]byte(text)); return err }
	}
	p, err1 := a.Prepare("one", fill("of a"))
	q, err2 := b.Prepare("one", fill("of b"))
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := p.Commit(); err != nil {
		t.Error(err)
	}
	if err := q.Commit(); !errors.Is(err, ErrExists) { // it came between
		t.Errorf("the second: %v", err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "one")); string(b) != "of a" {
		t.Errorf("%q", b)
	}
}

// Only regular files are overwritten.
func TestOverwritesRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mine"), "mine")
	corpus.Allowed(t, errors.Join(os.Symlink("mine", filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "folder"), 0o777)))
	f := open(t, dir, true)
	for name, want := range map[string]string{"link": "symbolic link", "folder": "is a folder"} {
		if err := f.Write(name, []byte("x")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "mine")); string(b) != "mine" {
		t.Errorf("written through a link: %q", b)
	}
}

// Resolve follows links to where the file is to be, even one that is not there yet, and does not run in circles.
func TestResolve(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	corpus.Allowed(t, errors.Join(os.Symlink("b", at("a")), os.Symlink(at("new"), at("b")), os.Symlink("round", at("round"))))
	for from, want := range map[string]string{"a": "new", "new": "new"} {
		if got, err := Resolve(at(from)); err != nil || got != at(want) {
			t.Errorf("%s: %s, %v; want %s", from, got, err, at(want))
		}
	}
	if got, err := Resolve(at("round")); err == nil {
		t.Errorf("a circle leads to %s", got)
	}
}

// A stamp trusts the time of a file only where that is clearly before the check; it always notices another size.
func TestSame(t *testing.T) {
	p := filepath.Join(t.TempDir(), "file")
	write(t, p, "text")
	s, err := NewStamp(p)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(p)
	if err != nil {
		t.Fatal(err)
	}
	write(t, p, "TEXT")
	if err := os.Chtimes(p, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	edited, err := os.Stat(p)
	if err != nil {
		t.Fatal(err)
	}
	changed := changeTime(edited)
	for _, tt := range []struct {
		checked int64
		same    bool
	}{{0, false}, {changed, false}, {changed + int64(tick(changed)), false}, {changed + int64(tick(changed)) + 1, true}, {Always, true}} {
		if same, err := s.Same(p, edited, tt.checked); err != nil || same != tt.same {
			t.Errorf("checked %d after the change: %v, %v", tt.checked-changed, same, err)
		}
	}
	write(t, p, "longer")
	longer, _ := os.Stat(p)
	if same, err := s.Same(p, longer, Always); same || err != nil {
		t.Errorf("another size: %v, %v", same, err)
	}
	if got := []int64{tick(int64(time.Second)), tick(1)}; !slices.Equal(got, []int64{2e9, 2e7}) {
		t.Errorf("ticks of %v", got)
	}
}
