package find

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

// tree makes files below a folder; what ends in a slash is a folder, "a -> b" a link.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		link, to, isLink := strings.Cut(name, " -> ")
		p := filepath.Join(dir, filepath.FromSlash(link))
		err := os.MkdirAll(filepath.Dir(p), 0o777)
		switch {
		case strings.HasSuffix(name, "/"):
			err = errors.Join(err, os.MkdirAll(p, 0o777))
		case isLink:
			corpus.Allowed(t, os.Symlink(filepath.FromSlash(to), p))
		default:
			err = errors.Join(err, os.WriteFile(p, []byte(name), 0o666))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestList: the files of a native format in a folder or below it, in the order of their paths, links to files among them, folders not.
func TestList(t *testing.T) {
	dir := tree(t, "b.sur", "a.SUR", "c.cmp", "notes.md", "deep/d.sur", "deep/er/e.sur", "deep/er/f.doc", "folder.sur/g.sur", "h.sur -> c.cmp", "i.sur -> nothing", "j.sur -> deep", "k.sur/", ".usher-desk/b.sur/now/b.sur", "deep/.usher-undo/b.sur")
	at := time.Unix(1e9, 5000)
	if err := os.Chtimes(filepath.Join(dir, "b.sur"), at, at); err != nil {
		t.Fatal(err)
	}
	files := NewFiles(dir)
	for _, c := range []struct {
		folder string
		deep   bool
		ext    string
		want   string
	}{
		{"", false, ".sur", "a.SUR b.sur h.sur"}, {"", true, ".sur", "a.SUR b.sur deep/d.sur deep/er/e.sur folder.sur/g.sur h.sur"}, {"", false, ".cmp .sur", "a.SUR b.sur c.cmp h.sur"},
		{"", false, ".md", ""}, {"", true, ".md", ""}, {"deep", false, ".sur", "deep/d.sur"}, {"deep/er", true, ".sur .cmp", "deep/er/e.sur"}, {"nothing", true, ".sur", ""}, {"nothing", false, ".sur", ""}, {"", true, "", ""}, {".usher-desk", true, ".sur", ".usher-desk/b.sur/now/b.sur"},
	} {
		for range 2 { // the second time from what is known
			var got []string
			for _, x := range files.List(filepath.Join(dir, filepath.FromSlash(c.folder)), c.deep, strings.Fields(c.ext)...) {
				name, err := filepath.Rel(dir, x.Path)
				if got = append(got, filepath.ToSlash(name)); err != nil {
					t.Fatal(err)
				}
				want := int64(len(filepath.ToSlash(name)))
				if name == "h.sur" {
					want = int64(len("c.cmp"))
				}
				if x.Size != want || name == "b.sur" && x.Modified != at.UnixNano() {
					t.Errorf("%s has %d bytes, of %d", name, x.Size, x.Modified)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, deep %t, %s: %q, want %q", c.folder, c.deep, c.ext, got, c.want)
			}
		}
	}
	later := filepath.Join(dir, "late.sur")
	if err := os.WriteFile(later, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := files.List(dir, false, ".sur"); len(got) != 3 {
		t.Errorf("a folder is walked once a run: %v", got)
	}
	listed, err := files.OpenListed(filepath.Join(dir, "c.cmp"))
	if err != nil {
		t.Fatal(err)
	}
	defer listed.Close()
	b := make([]byte, 5)
	if n, err := listed.ReadAt(b, 0); n != 5 || string(b) != "c.cmp" {
		t.Errorf("%q, %v", b, err)
	}
}

// TestListOfHome: without another version everything counts, the folder of the input as well.
func TestListOfHome(t *testing.T) {
	dir := tree(t, "a.sur")
	if got := (Search{Home: dir}).Files().List(dir, false, ".sur"); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// TestListBounded: a walk ends when enough was found.
func TestListBounded(t *testing.T) {
	defer func(n int) { maxListed = n }(maxListed)
	maxListed = 2
	dir := tree(t, "a.sur", "b.sur", "c.sur", "d/e.sur")
	if got := NewFiles().List(dir, true, ".sur"); len(got) != 2 {
		t.Errorf("%d files", len(got))
	}
}

// TestFolders: folders are absolute, files and what is not there are none.
func TestFolders(t *testing.T) {
	dir := tree(t, "sub/a.sur")
	t.Chdir(dir)
	where, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for home, want := range map[string]string{"": "", "sub": filepath.Join(where, "sub"), dir: dir} {
		if got := (Search{Home: home}).Files().Home(); got != want {
			t.Errorf("home %q is %q, want %q", home, got, want)
		}
	}
	files := NewFiles()
	for name, want := range map[string]bool{"sub": true, dir: true, "sub/a.sur": false, "nothing": false} {
		got, ok := files.Folder(name)
		if ok != want || ok && !filepath.IsAbs(got) {
			t.Errorf("%q: %q, %t", name, got, ok)
		}
	}
}

// TestShared: what is made under a key is made once, for all who share the listings.
func TestShared(t *testing.T) {
	l := NewListings(nil)
	made := 0
	create := func() any { made++; return made }
	for _, c := range []struct {
		key  any
		want int
	}{{"a", 1}, {"a", 1}, {"b", 2}, {"a", 1}, {"b", 2}} {
		if got := (Search{Listings: l}).Files().Shared(c.key, create); got != c.want {
			t.Errorf("%v: %v, want %d", c.key, got, c.want)
		}
	}
	if got := NewFiles().Shared("a", create); got != 3 {
		t.Errorf("another run: %v", got)
	}
}

// TestFindAt: a large file is opened once, however often it is asked for, and the first name that leads to one counts.
func TestFindAt(t *testing.T) {
	dir := tree(t, "one.utx", "two.utx", "sub/")
	files := NewFiles(dir)
	var first any
	for _, names := range [][]string{{"one.utx"}, {"none.utx", `Textures\ONE.utx`, "two.utx"}} {
		r, size, p, err := files.FindAt(names...)
		if err != nil || size != 7 || filepath.Base(p) != "one.utx" {
			t.Fatalf("%v: %d bytes of %q, %v", names, size, p, err)
		}
		b := make([]byte, 7)
		if _, err := r.ReadAt(b, 0); string(b) != "one.utx" {
			t.Errorf("%q, %v", b, err)
		}
		if first == nil {
			first = r
		} else if r != first {
			t.Error("the file is opened twice")
		}
	}
	if _, _, _, err := files.FindAt("none.utx", "sub"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing of that name: %v", err)
	}
	if got := files.Opened(); !slices.Equal(got, []string{filepath.Join(dir, "one.utx")}) {
		t.Errorf("open are %q", got)
	}
}

// TestLocateNamed: a path that the user named, and what lies below it, is taken as it is; another one that begins so is not.
func TestLocateNamed(t *testing.T) {
	dir := tree(t, "in/b.sur", "in/sub/c.sur", "into/d.sur", "other/c.sur")
	in := filepath.ToSlash(filepath.Join(dir, "in"))
	with := func(other ...string) *Files {
		s := Search{Folders: []string{filepath.Join(dir, "other")}, Named: []string{in}}
		if other != nil {
			s.Other = &Search{Folders: other}
		}
		return s.Files()
	}
	for _, c := range []struct{ name, want string }{
		{in + "/b.sur", "in/b.sur"}, {in + "/sub/c.sur", "in/sub/c.sur"}, {in + "/SUB//C.sur", "in/sub/c.sur"}, {in + "/none.sur", ""}, {in, ""}, {in + "to/c.sur", "other/c.sur"},
		{"x:c.sur", "other/c.sur"}, {`..\..\sub\c.sur`, "other/c.sur"}, {"/", ""}, {"..", ""}, {"x:", ""},
	} {
		got, ok := with().Locate(c.name)
		if rel, _ := filepath.Rel(dir, got); ok != (c.want != "") || ok && filepath.ToSlash(rel) != c.want {
			t.Errorf("%q is %q, %t, want %q", c.name, got, ok, c.want)
		}
	}
	for other, want := range map[string]bool{filepath.Join(dir, "other"): true, filepath.Join(dir, "into"): false} {
		if _, ok := with(other).Locate("c.sur"); ok != want {
			t.Errorf("with %s besides: %t", other, ok)
		}
	}
}

// TestUnread: the first file that is there and cannot be read is remembered.
func TestUnread(t *testing.T) {
	files := NewFiles()
	if files.Note("a", nil); files.Unread() != nil || Unread(nil) != nil {
		t.Error("what could be read is told of")
	}
	if err := Unread(&format.Env{Files: nothing{}}); err != nil {
		t.Errorf("files that keep no account: %v", err)
	}
	files.Note("a", fs.ErrPermission)
	files.Note("b", fs.ErrClosed)
	if err := files.Unread(); !errors.Is(err, fs.ErrPermission) || !strings.HasPrefix(err.Error(), "a: ") {
		t.Errorf("%v", err)
	}
}

// nothing is format.Files in which nothing is found.
type nothing struct{}

func (nothing) Find(...string) ([]byte, string, error) { return nil, "", fs.ErrNotExist }
