package find

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/usher-assets/usher/convert/disk"
)

// put writes a file, an hour after the last time.
func put(t *testing.T, path, content string) {
	t.Helper()
	at := time.Unix(1e9, 0)
	if info, err := os.Stat(path); err == nil {
		at = info.ModTime().Add(time.Hour)
	}
	if err := errors.Join(os.WriteFile(path, []byte(content), 0o666), os.Chtimes(path, at, at)); err != nil {
		t.Fatal(err)
	}
}

// TestReads: the stamp is that of what was read. A file that was read twice and was not the same has none.
func TestReads(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	put(t, a, "one")
	put(t, b, "two")
	r := new(Reads)
	read := func(path, want string) {
		t.Helper()
		if got, err := r.Read(path); string(got) != want || err != nil {
			t.Fatalf("%s: %q, %v", path, got, err)
		}
	}
	read(b, "two")
	read(dir+"/./a", "one")
	if _, err := r.Read(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if got := r.Paths(); !slices.Equal(got, []string{a, b}) {
		t.Errorf("read were %q", got)
	}
	_, was, err := disk.ReadFile(a)
	if err != nil || was.Hash == "" {
		t.Fatal(was, err)
	}
	stamped := func(what string, want disk.Stamp, read bool) {
		t.Helper()
		if s, ok := r.Stamp(dir + "//a"); s != want || ok != read {
			t.Errorf("%s: %+v, %t, want %+v", what, s, ok, want)
		}
	}
	stamped("read once", was, true)
	read(a, "one")
	stamped("read twice", was, true)
	put(t, a, "onE")
	stamped("changed behind", was, true)
	read(a, "onE")
	stamped("changed between", disk.Stamp{}, true)
	put(t, a, "one")
	read(a, "one")
	stamped("changed back", disk.Stamp{}, true)
	if s, ok := r.Stamp(filepath.Join(dir, "none")); s != (disk.Stamp{}) || ok {
		t.Errorf("what was never read: %+v, %t", s, ok)
	}
}

// TestReadsOpen: what is read piece by piece has a stamp as long as the file is as it was, and is open however often it is read.
func TestReadsOpen(t *testing.T) {
	for _, c := range []struct {
		what  string
		then  func(path string) error
		again bool
		known bool
	}{
		{"left alone", func(string) error { return nil }, false, true},
		{"left alone and read whole", func(string) error { return nil }, true, true},
		{"another size", func(p string) error {
			return errors.Join(os.Truncate(p, 2), os.Chtimes(p, time.Unix(1e9, 0), time.Unix(1e9, 0)))
		}, false, false},
		{"another time", func(p string) error { return os.Chtimes(p, time.Unix(2e9, 0), time.Unix(2e9, 0)) }, false, false},
		{"another time and read whole", func(p string) error { return os.Chtimes(p, time.Unix(2e9, 0), time.Unix(2e9, 0)) }, true, false},
		{"gone", os.Remove, false, false},
	} {
		path := filepath.Join(t.TempDir(), "a")
		put(t, path, "one")
		_, s, err := disk.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := new(Reads)
		r.Note(path, s, true)
		if c.again {
			r.Note(path, s, false)
		}
		if err := c.then(path); err != nil {
			t.Fatal(err)
		}
		if got, read := r.Stamp(path); !read || (got == s) != c.known || (got == disk.Stamp{}) == c.known {
			t.Errorf("%s: %+v, %t", c.what, got, read)
		}
	}
}

// TestReadsConfined: below a folder links are not followed; what lies elsewhere is read as it is, and so is all when nobody keeps account.
func TestReadsConfined(t *testing.T) {
	dir := tree(t, "in/a", "out/b", "in/link -> ../out/b")
	below, err := disk.OpenBelow(filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer below.Close()
	confined := new(Reads)
	confined.Confine(below)
	for _, c := range []struct {
		r    *Reads
		name string
		want string
		err  error
	}{
		{confined, "in/a", "in/a", nil}, {confined, "out/b", "out/b", nil}, {confined, "in/link", "", disk.ErrLink}, {new(Reads), "in/link", "out/b", nil}, {nil, "in/link", "out/b", nil},
		{nil, "none", "", fs.ErrNotExist},
	} {
		if b, err := c.r.Read(filepath.Join(dir, filepath.FromSlash(c.name))); string(b) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v, want %q, %v", c.name, b, err, c.want, c.err)
		}
	}
}
