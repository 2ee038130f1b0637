package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/testdata/corpus"
)

// Only a regular file of the folder is opened as a control file.
func TestControlFiles(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "outside")
	write(t, outside, "secret")
	write(t, filepath.Join(dir, "file"), "text")
	corpus.Allowed(t, errors.Join(os.Mkdir(filepath.Join(dir, "folder"), 0o777), os.Symlink(outside, filepath.Join(dir, "link")), os.Symlink("none", filepath.Join(dir, "nowhere"))))
	for _, c := range []struct{ name, text, want string }{
		{"file", "text", ""},
		{"folder", "", "folder is a folder: usher keeps a file of its own under that name; take it away"},
		{"link", "", "link is a symbolic link: usher keeps a file of its own under that name; take it away"},
		{"nowhere", "", "nowhere is a symbolic link: usher keeps a file of its own under that name; take it away"},
	} {
		f := open(t, dir, true)
		staged := &Folder{dir: filepath.Join(dir, "shown"), place: &place{dir, true}}
		for what, read := range map[string]func() ([]byte, error){
			"open": func() ([]byte, error) { return f.ReadFile(c.name) }, "alone": func() ([]byte, error) { return ReadControl(dir, c.name) }, "dry": func() ([]byte, error) { return staged.ReadFile(c.name) },
		} {
			b, err := read()
			if string(b) != c.text || (err == nil) != (c.want == "") || err != nil && (!errors.Is(err, ErrNotOwn) || !strings.HasSuffix(err.Error(), c.want)) {
				t.Errorf("%s, %s: %q, %v", c.name, what, b, err)
			}
			if what == "dry" && err != nil && !strings.HasPrefix(err.Error(), staged.Path(c.name)+" is ") {
				t.Errorf("%s: %v", what, err)
			}
		}
		j, lines, err := f.OpenJournal(c.name)
		if (err == nil) != (c.want == "") || err == nil && len(lines) != 0 {
			t.Errorf("%s as a journal: %v, %q", c.name, err, lines)
		}
		if err == nil {
			j.Close()
		}
	}
	f := open(t, dir, true)
	if _, err := f.openControl("none", os.O_RDWR); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	for _, name := range []string{"made", "file"} {
		file, err := f.openControl(name, os.O_RDWR|os.O_CREATE)
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
	}
	holds(t, filepath.Join(dir, "file"), "text")
	if b, err := f.ReadFile("made"); err != nil || len(b) != 0 {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := ReadControl(filepath.Join(dir, "nothing"), "file"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no folder: %v", err)
	}
	steps(t, func(step, path string) error {
		if step == "read" && path == "file" {
			return syscall.EIO
		}
		return nil
	})
	if _, err := f.ReadFile("file"); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	if _, _, err := f.OpenJournal("file"); fmt.Sprint(err) != filepath.Join(dir, "file")+": "+syscall.EIO.Error() {
		t.Error(err)
	}
}

// A journal has the whole lines that were appended, by however many runs; the beginning of one is none.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, true)
	read := func(want ...string) *Journal {
		t.Helper()
		j, lines, err := f.OpenJournal("journal")
		var got []string
		for _, line := range lines {
			got = append(got, string(line))
		}
		if err != nil || strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
		return j
	}
	j := read()
	if !isMissing(filepath.Join(dir, "journal")) {
		t.Error("it is there before its first line")
	}
	if err := errors.Join(j.Append([]byte("one")), j.Append([]byte("two\nthree")), j.Append([]byte("four"))); err != nil {
		t.Fatal(err)
	}
	read("one", "two", "three", "four").Close()
	j.Close()
	j.Close()
	if err := j.Append([]byte("more")); err != nil {
		t.Error(err)
	}
	j.Close()
	holds(t, filepath.Join(dir, "journal"), "one\ntwo\nthree\nfour\nmore\n")
	write(t, filepath.Join(dir, "journal"), "one\n\ntwo\nthr")
	j = read("one", "two")
	if err := errors.Join(j.Append([]byte("four")), j.Append([]byte("five"))); err != nil {
		t.Fatal(err)
	}
	holds(t, filepath.Join(dir, "journal"), "one\n\ntwo\nthr\nfour\nfive\n")
	j.file.Close() // what is written fails
	if err := j.Append([]byte("six")); !errors.Is(err, fs.ErrClosed) || !strings.HasPrefix(err.Error(), filepath.Join(dir, "journal")+": ") {
		t.Error(err)
	}
	j.file = nil
	if err := j.Append([]byte("seven")); err != nil {
		t.Fatal(err)
	}
	read("one", "two", "thr", "four", "five", "seven").Close()
	steps(t, func(step, path string) error { return syscall.EIO })
	if err := j.Append([]byte("eight")); fmt.Sprint(err) != filepath.Join(dir, "journal")+": "+syscall.EIO.Error() {
		t.Error(err)
	}
	Fault = nil
	if err := j.Remove(); err != nil || !isMissing(filepath.Join(dir, "journal")) {
		t.Errorf("it is there: %v", err)
	}
	if err := j.Remove(); err != nil {
		t.Error(err)
	}
}

// Below reads regular files of its folder alone.
func TestBelow(t *testing.T) {
	dir := t.TempDir()
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret"), "secret")
	corpus.Allowed(t, errors.Join(os.MkdirAll(filepath.Join(dir, "in", "side"), 0o777), os.WriteFile(filepath.Join(dir, "in", "side", "file"), []byte("text"), 0o666),
		os.Symlink(outside, filepath.Join(dir, "out")), os.Symlink("in/side", filepath.Join(dir, "short")), os.Symlink("in/side/file", filepath.Join(dir, "link"))))
	b, err := OpenBelow(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for name, want := range map[string]error{
		"in/side/file": nil, "link": ErrLink, "out/secret": ErrLink, "short/file": ErrLink, "in": ErrSpecial, "in/none": fs.ErrNotExist, "none/none": fs.ErrNotExist,
	} {
		got, s, err := b.ReadFile(filepath.FromSlash(name))
		if !errors.Is(err, want) || want == nil && (string(got) != "text" || s.Size != 4 || s.Hash != HashText(xxhash.Sum64String("text"))) || want != nil && (got != nil || s != Stamp{}) {
			t.Errorf("%s: %q, %+v, %v; want %v", name, got, s, err, want)
		}
		if info, err := b.Lstat(filepath.FromSlash(name)); (err == nil) != (want == nil || name == "link" || name == "in") || err == nil && info.Name() != filepath.Base(name) {
			t.Errorf("%s is described: %v", name, err)
		}
	}
	for p, want := range map[string]string{
		filepath.Join(dir, "in", "side", "file"): "in/side/file", filepath.Join(dir, "none"): "none", dir: "", filepath.Join(outside, "secret"): "", filepath.Join(dir, "..", "x"): "",
	} {
		if name, inside := b.Name(p); inside != (want != "") || inside && filepath.ToSlash(name) != want {
			t.Errorf("%s: %s, %v", p, name, inside)
		}
	}
	var none *Below
	if _, inside := none.Name(dir); inside || none.Close() != nil {
		t.Error("there is something in nothing")
	}
	if _, err := OpenBelow(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, failing := range []string{"open", "read"} {
		steps(t, func(step, path string) error {
			if step == failing {
				return syscall.EIO
			}
			return nil
		})
		if got, _, err := b.ReadFile(filepath.FromSlash("in/side/file")); !errors.Is(err, syscall.EIO) || got != nil {
			t.Errorf("%s fails: %q, %v", failing, got, err)
		}
	}
}
