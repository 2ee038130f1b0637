package format

import (
	"errors"
	"fmt"
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
