package format

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// deaf is a file system in which some paths cannot be opened.
type deaf struct {
	fstest.MapFS
	paths string
}

func (d deaf) Open(name string) (fs.File, error) {
	if slices.Contains(strings.Fields(d.paths), name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.MapFS.Open(name)
}

func (d deaf) Stat(name string) (fs.FileInfo, error) { return d.MapFS.Stat(name) }

func (d deaf) ReadDir(name string) ([]fs.DirEntry, error) {
	if slices.Contains(strings.Fields(d.paths), name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.MapFS.ReadDir(name)
}

// TestGameUnread: what cannot be read of a game is known, whoever asked for it first, and each once.
func TestGameUnread(t *testing.T) {
	file := &fstest.MapFile{Data: []byte("x")}
	files := fstest.MapFS{"DATA/a/1": file, "DATA/b/2": file, "DATA/3": file, "other/4": file}
	for _, c := range []struct {
		deaf string
		want string
	}{
		{"", ""},
		{"DATA/a", "1 DATA/a"},
		{"DATA/3", "1 DATA/3"},
		{"DATA/a DATA/3", "1 DATA/a, 1 DATA/3"},
		{"other", ""},
	} {
		g, err := NewGame([]string{"DATA"}, Layer{FS: fstest.MapFS{"DATA/0": file}}, Layer{FS: deaf{files, c.deaf}})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for _, f := range g.Files("") {
				_, _ = g.Read(f)
			}
		}
		var got []string
		for _, x := range g.Without().Unread() {
			if !errors.Is(x.Err, fs.ErrPermission) {
				t.Error(x.Err)
			}
			got = append(got, fmt.Sprint(x.Layer, " ", x.Name))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q: %q, want %q", c.deaf, got, c.want)
		}
	}
}

// shaky is a file system whose files can be opened, and read up to a place; those that are plain cannot be read at any place.
type shaky struct {
	fstest.MapFS
	good  int64
	err   error
	plain bool
}

type shakyFile struct {
	fs.File
	fs shaky
}

func (s shaky) Open(name string) (fs.File, error) {
	file, err := s.MapFS.Open(name)
	if info, _ := fs.Stat(s.MapFS, name); err != nil || info.IsDir() {
		return file, err
	}
	if s.plain {
		return struct{ fs.File }{file}, nil
	}
	return shakyFile{file, s}, nil
}

func (f shakyFile) ReadAt(b []byte, at int64) (int, error) {
	if n := f.fs.good - at; n < int64(len(b)) {
		return copy(b[:max(0, n)], "aaaaaaaa"), f.fs.err
	}
	return f.File.(io.ReaderAt).ReadAt(b, at)
}

// TestGameReader: a file is read at any place, whatever its file system can do, and what fails then is known.
func TestGameReader(t *testing.T) {
	broken := errors.New("the disk is broken")
	for name, c := range map[string]struct {
		fs   shaky
		read string
		want string
	}{
		"whole":            {shaky{good: 8}, "aaaaaaaa", ""},
		"plain":            {shaky{good: 8, plain: true}, "aaaaaaaa", ""},
		"broken":           {shaky{good: 3, err: broken}, "aaa", "DATA/f: the disk is broken"},
		"shorter than was": {shaky{good: 3, err: io.EOF}, "aaa", "DATA/f: EOF"},
	} {
		c.fs.MapFS = fstest.MapFS{"DATA/f": &fstest.MapFile{Data: []byte("aaaaaaaa")}}
		g, err := NewGame(nil, Layer{FS: c.fs})
		if err != nil {
			t.Fatal(err)
		}
		at, _ := g.Find("data/F")
		r, err := g.OpenAt(at)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 9) // the end of the file is no fault
		n, _ := r.ReadAt(b, 0)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		got := ""
		for _, x := range g.Unread() {
			got = fmt.Sprint(x.Name, ": ", x.Err)
		}
		if string(b[:n]) != c.read || got != c.want {
			t.Errorf("%s: %q, %q, want %q, %q", name, b[:n], got, c.read, c.want)
		}
	}
}
