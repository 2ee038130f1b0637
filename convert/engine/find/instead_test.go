package find

import (
	"io"
	"io/fs"
	"path/filepath"
	"testing"
)

// TestInstead: whoever refers to a file gets what is read in its place, with the size of that, and hears of it by its own path; other
// files are what they are.
func TestInstead(t *testing.T) {
	dir := tree(t, "a.sur", "sub/b.sur", "now/longer than it was")
	now := filepath.Join(dir, "now", "longer than it was")
	t.Chdir(dir)
	for _, c := range []struct {
		home, name, path, want string
	}{
		{dir, "a.sur", filepath.Join(dir, "a.sur"), "now/longer than it was"}, {dir, "sub/b.sur", filepath.Join(dir, "sub", "b.sur"), "sub/b.sur"}, {".", "a.sur", "a.sur", "now/longer than it was"},
	} {
		reads := new(Reads)
		files := Search{Home: c.home, Folders: []string{c.home}, Reads: reads, Listings: NewListings(Instead{filepath.Join(dir, "a.sur"): now})}.Files()
		b, path, err := files.Find(c.name)
		if string(b) != c.want || path != c.path || err != nil {
			t.Errorf("%s: %q of %s, %v", c.name, b, path, err)
		}
		if _, read := reads.Stamp(c.path); !read || len(reads.Paths()) != 1 {
			t.Errorf("%s: %q were read", c.name, reads.Paths())
		}
		at, size, path, err := files.FindAt(c.name)
		if err != nil || path != c.path || size != int64(len(c.want)) || readAll(t, at, size) != c.want {
			t.Errorf("%s: %d bytes of %s, %v", c.name, size, path, err)
		}
		for _, deep := range []bool{false, true} {
			for _, x := range files.List(filepath.Dir(c.path), deep, ".sur") {
				if x.Path != c.path {
					continue
				}
				listed, err := files.OpenListed(x.Path)
				if err != nil {
					t.Fatal(err)
				}
				if x.Size != int64(len(c.want)) || readAll(t, listed, x.Size) != c.want {
					t.Errorf("%s is listed with %d bytes", c.name, x.Size)
				}
				listed.Close()
			}
		}
		folder, err := files.FS(c.home)
		if err != nil {
			t.Fatal(err)
		}
		info, err := fs.Stat(folder, c.name)
		if b, bad := fs.ReadFile(folder, c.name); err != nil || bad != nil || string(b) != c.want || info.Size() != int64(len(c.want)) {
			t.Errorf("%s in its folder: %q, %v, %v", c.name, b, err, bad)
		}
	}
}

// TestInsteadStays: a folder with files that are read elsewhere is still one that nothing leads out of.
func TestInsteadStays(t *testing.T) {
	dir := tree(t, "in/a.sur", "out.sur")
	files := Search{Listings: NewListings(Instead{filepath.Join(dir, "out.sur"): filepath.Join(dir, "in", "a.sur")})}.Files()
	folder, err := files.FS(filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	if f, err := folder.Open("../out.sur"); err == nil {
		t.Errorf("%v was opened", f)
	}
}

func readAll(t *testing.T, from io.ReaderAt, size int64) string {
	t.Helper()
	b := make([]byte, size)
	if _, err := from.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	return string(b)
}
