package worktree

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestNewNames: of new files those are an entry's that have its path, and another title than before.
func TestNewNames(t *testing.T) {
	entry := func(path string, files ...string) ManifestEntry {
		e := ManifestEntry{Path: path}
		for _, name := range files {
			e.Files = append(e.Files, ManifestFile{Name: name})
		}
		return e
	}
	for _, c := range []struct {
		name    string
		e       ManifestEntry
		added   []string
		taken   string
		want    []string
		several bool
	}{
		{"another title", entry("107", "107_old.glb"), []string{"107_new.glb", "108_x.glb"}, "", []string{"107_new.glb"}, false},
		{"no title any more", entry("107", "107_old.glb"), []string{"107.glb"}, "", []string{"107.glb"}, false},
		{"a title at last", entry("107", "107.glb"), []string{"107_new.glb"}, "", []string{"107_new.glb"}, false},
		{"in a folder", entry("a/107", "a/107_old.glb"), []string{"107_new.glb", "a/107_new.glb"}, "", []string{"a/107_new.glb"}, false},
		{"another extension", entry("107", "107_old.glb"), []string{"107_new.gltf"}, "", nil, false},
		{"a longer number", entry("107", "107_old.glb"), []string{"1071.glb", "107new.glb"}, "", nil, false},
		{"two of them", entry("107", "107_old.glb"), []string{"107_new.glb", "107_newer.glb"}, "", []string{"107_new.glb", "107_newer.glb"}, true},
		{"two, and one is another entry's", entry("107", "107_old.glb"), []string{"107_new.glb", "107_newer.glb"}, "107_new.glb", []string{"107_newer.glb"}, false},
		{"two files", entry("107", "107_old.png", "107_old.json"), []string{"107_new.json", "107_new.png"}, "", []string{"107_new.png", "107_new.json"}, false},
		{"one of two files", entry("107", "107_old.png", "107_old.json"), []string{"107_new.png"}, "", nil, false},
		{"named otherwise", entry("107", "108_old.glb"), []string{"107_new.glb", "108_new.glb"}, "", nil, false},
		{"named otherwise by a part", entry("107", "1070.glb"), []string{"107_new.glb"}, "", nil, false},
	} {
		got, several := newNames(c.e, c.added, map[string]bool{c.taken: true})
		if !slices.Equal(got, c.want) || several != c.several {
			t.Errorf("%s: %v, several %v", c.name, got, several)
		}
	}
	for path, want := range map[string]bool{"": false, "0": true, "107": true, "10a": false, "a/1": false, "-1": false} {
		if got := numbered(path); got != want {
			t.Errorf("%q is numbered: %v", path, got)
		}
	}
}

// TestLister: which files of a folder are new ones, and what is said of the others.
func TestLister(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"known.png", "new.png", "b/new.png", "b/c/deep.txt", "old.bak", "x.blend1", "~$word.txt", ".hidden", ".git/config", "left.out", "b/left.out", "keep/a.tmp2", ManifestName, nextName, journalName, "b/" + ManifestName, ".usher-lock", ".usher-000000000000/1"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ignoreName), []byte("\ufeff# mine\n*.out\n!b/left.out\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	x := listing(dir)
	got, err := x.unknownFiles(map[string]bool{"known.png": true})
	want := []string{"b/c/deep.txt", "b/left.out", "b/new.png", "b/" + ManifestName, "keep/a.tmp2", "new.png"}
	slices.Sort(want)
	slices.Sort(got)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	var said []string
	for _, d := range x.diagnostics.All() {
		said = append(said, d.Code+" "+d.Path)
	}
	slices.Sort(said)
	if want := []string{"ignored left.out", "leftover .git", "leftover old.bak", "leftover x.blend1", "leftover ~$word.txt"}; !slices.Equal(said, want) {
		t.Errorf("said: %q, want %q", said, want)
	}
	x = listing(dir)
	x.Packing.Selection.Include = []string{"**/*.png"}
	got, err = x.unknownFiles(nil)
	if err != nil || !slices.Equal(got, []string{"b/new.png", "known.png", "new.png"}) || !x.diagnostics.Has("passed-over") {
		t.Errorf("of pictures: %v, %v", got, err)
	}
	if _, err := listing(filepath.Join(dir, "none")).unknownFiles(nil); err == nil {
		t.Error("no folder is listed")
	}
}

// TestListerLinks: links are told of, or followed where somebody wants that, but not in circles.
func TestListerLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	corpus.Allowed(t, errors.Join(os.WriteFile(filepath.Join(outside, "far.txt"), nil, 0o666), os.Mkdir(at("in"), 0o777), os.WriteFile(at("file"), nil, 0o666),
		os.Symlink(outside, at("out")), os.Symlink("file", at("link")), os.Symlink("..", at("in/up")), os.Symlink("nothing", at("none")), os.Symlink(".", at("in/self"))))
	for _, c := range []struct {
		follow bool
		files  []string
		failed map[string]string
	}{
		{false, []string{"file"}, map[string]string{"out": "--follow-links", "link": "--follow-links", "in/up": "--follow-links", "in/self": "--follow-links", "none": "--follow-links"}},
		{true, []string{"file", "link", "out/far.txt"}, map[string]string{"in/up": "a folder that it is in", "in/self": "a folder that it is in", "none": "no such file"}},
	} {
		x := listing(dir)
		x.FollowLinks = c.follow
		got, err := x.unknownFiles(nil)
		if slices.Sort(got); err != nil || !slices.Equal(got, c.files) || len(x.done.Failures) != len(c.failed) {
			t.Errorf("follow %v: %v, %v, %v", c.follow, got, x.done.Failures, err)
		}
		for _, f := range x.done.Failures {
			if want := c.failed[f.File]; want == "" || !strings.Contains(f.Err.Error(), want) {
				t.Errorf("follow %v: %+v", c.follow, f)
			}
		}
	}
}

// TestPicturesCounted: a texture has its frames, and each of these its faces, all but one of which stand apart.
func TestPicturesCounted(t *testing.T) {
	for n, a := range map[int]asset.Asset{0: &asset.Sound{}, 1: &asset.Texture{Frames: make([]asset.Frame, 1)}, 8: &asset.Texture{Frames: []asset.Frame{{}, {Faces: make([]asset.Image, 5)}, {}}}} {
		if got := pictures(a); got != n {
			t.Errorf("%d pictures, want %d", got, n)
		}
	}
}

// TestCheckExtension: an archive is not written under the extension of something else.
func TestCheckExtension(t *testing.T) {
	a := &store.Archive{Path: "dir/ship.CMP", Format: formats.ByName("cmp")}
	for out, want := range map[string]string{
		"x.cmp": "", "x.Cmp": "", "x": "", "x.unknown": "", "x.3db": "", "x.png": "x.png: .png is the extension of png files, and this is a ", "x.GLB": "x.GLB: .glb is the extension of ", "x.flx": "x.flx: .flx is the extension of a ", "x.u": "x.u: .u is the extension of a ", "x.dat": "",
	} {
		err := checkExtension(out, a)
		if want == "" && out == "x.3db" { // another format of the family, or the same
			continue
		}
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", out, err, want)
		}
	}
}

// TestEntryNames: a file says which entry it is by its path, with the title that the entry has, another one, or none.
func TestEntryNames(t *testing.T) {
	x := &entryNames{map[string]int{"1": 0, "1_2": 1, "a/b": 2, "file.txt": 3}, map[string]int{"1_title": 0, "1_2_other": 1}}
	for name, want := range map[string]int{
		"1.png": 0, "1_title.png": 0, "1_new.png": 0, "1_2.png": 1, "1_2_new_title.png": 1, "1_2_other.glb": 1, "a/b.json": 2, "a/b_x.json": 2, "file.txt": 3, "2.png": -1, "_1.png": -1, "b.png": -1, "12.png": -1,
	} {
		got, ok := x.find(name)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %d, %v; want %d", name, got, ok, want)
		}
	}
}

// TestLeafFormat: an archive stores a kind as its first entry of that kind.
func TestLeafFormat(t *testing.T) {
	a, b := &format.Format{Name: "a"}, &format.Format{Name: "b"}
	archive := entries{list: []format.Entry{{Kind: format.Texture}, {Kind: format.Texture, Format: a}, {Kind: format.Texture, Format: b}, {Kind: format.Sound, Format: b}}}
	for kind, want := range map[format.Kind]*format.Format{format.Texture: a, format.Sound: b, format.Model: nil} {
		if got := leafFormat(archive, kind); got != want {
			t.Errorf("%s: %v", kind, got)
		}
	}
}

// entries is an archive of which only the entries are known.
type entries struct {
	format.ArchiveFile
	list []format.Entry
}

func (e entries) Entries() []format.Entry     { return e.list }
func (e entries) Abilities() format.Abilities { return format.Abilities{} }

// listing is a packing that lists a folder.
func listing(dir string) *packing {
	return &packing{Packing: new(Packing), dir: dir, folder: disk.Dry(dir, true), diagnostics: new(schema.Diagnostics), done: new(Packed)}
}
