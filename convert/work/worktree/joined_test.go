package worktree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/testdata/corpus"
)

// knowing is a packing of a folder whose manifest has entries of these files, with commas between them.
func knowing(dir string, entries ...string) (*packing, []fileState) {
	x := listing(dir)
	x.manifest = &Manifest{}
	for i, files := range entries {
		e := ManifestEntry{Path: fmt.Sprint(i), Kind: "texture", Format: "toy"}
		for _, name := range strings.Split(files, ",") {
			e.Files = append(e.Files, ManifestFile{Name: name})
		}
		x.manifest.Entries = append(x.manifest.Entries, e)
	}
	return x, make([]fileState, len(entries))
}

// TestJoin: further pictures and sidecars go to the entry beside which they stand; a gap in the numbers is told of.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		name, entry, added string
		files              int // of the entry then
		more               bool
		rest, failed       string
	}{
		{"a second frame", "5.png", "5.f001.png", 2, true, "", ""},
		{"further frames", "8.f000.png,8.f001.png", "8.f002.png", 3, true, "", ""},
		{"a gap", "8.f000.png,8.f001.png", "8.f003.png", 2, false, "", "the entry has 2 pictures: its frames are numbered without gaps"},
		{"a frame that is there", "8.f000.png,8.f001.png", "8.f001.png", 2, false, "", "the entry has 2 pictures"},
		{"a sidecar", "5.png", "5.usher.json", 1, true, "", ""},
		{"a sidecar of a sound", "5.wav", "5.usher.json", 1, true, "", ""},
		{"a sidecar of something else", "5.glb", "5.usher.json", 1, false, "", ""},
		{"a sidecar of nothing", "5.png", "6.usher.json", 1, false, "", ""},
		{"frames of something else", "5.glb", "5.f001.png", 1, false, "5.f001.png", ""},
		{"frames of nothing", "5.png", "6.f000.png", 1, false, "6.f000.png", ""},
		{"another file", "5.png", "6.png", 1, false, "6.png", ""},
	} {
		x, states := knowing(t.TempDir(), "4.png", c.entry)
		rest := x.join([]string{c.added}, states)
		failed := ""
		if len(x.done.Failures) > 0 {
			failed = x.done.Failures[0].Err.Error()
		}
		if got := x.manifest.Entries[1]; len(got.Files) != c.files || states[1].more != c.more || states[0].more || strings.Join(rest, " ") != c.rest || !strings.HasPrefix(failed, c.failed) || (failed == "") != (c.failed == "") {
			t.Errorf("%s: %+v, more %v, rest %v, %s", c.name, got.Files, states[1].more, rest, failed)
		}
	}
}

// TestCutFrames: the last pictures of a texture may go, and none before them.
func TestCutFrames(t *testing.T) {
	x, _ := knowing(t.TempDir(), "8.f000.png,8.f001.png,8.f002.png")
	e := x.manifest.Entries[0]
	for gone, left := range map[string]int{"": 3, "8.f002.png": 2, "8.f001.png,8.f002.png": 1, "8.f001.png": -1, "8.f000.png": -1, "8.f000.png,8.f002.png": -1} {
		var names []string
		if gone != "" {
			names = strings.Split(gone, ",")
		}
		got, err := cutFrames(e, names)
		if (err == nil) != (left >= 0) || err == nil && len(got.Files) != left || err != nil && !strings.HasSuffix(err.Error(), "is gone, but not the files after it: number those of entry 0 without gaps") {
			t.Errorf("without %q: %v, %v", gone, got.Files, err)
		}
		if err == nil && cap(got.Files) != left {
			t.Errorf("without %q: what is added would take the place of others", gone)
		}
	}
}

// TestCompanions: buffers and pictures that a glTF file names belong to it, whether it is new or an entry's.
func TestCompanions(t *testing.T) {
	dir := t.TempDir()
	const gltf = `{"asset":{"version":"2.0"},"buffers":[{"uri":"m.bin","byteLength":4},{"uri":"m.bin","byteLength":4}],"images":[{"uri":"tex/a.png"},{"uri":"../out.png"},{"uri":"m.gltf"}]}`
	for _, name := range []string{"m.gltf", "in/m.GLTF", "m.txt"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(gltf), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	x, _ := knowing(dir)
	for name, want := range map[string]string{"m.gltf": "m.bin tex/a.png", "in/m.GLTF": "in/m.bin in/tex/a.png out.png in/m.gltf", "m.txt": "", "none.gltf": "", "../m.gltf": ""} {
		if got := strings.Join(x.companions(name), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, c := range []struct {
		name  string
		entry string
		gone  bool
		added []string
		rest  string
		files int
	}{
		{"beside an entry", "m.gltf", false, []string{"m.bin", "other.bin", "tex/a.png"}, "other.bin", 3},
		{"beside an entry in other letters", "in/m.GLTF", false, []string{"in/m.bin", "m.bin"}, "m.bin", 2},
		{"beside an entry whose file is gone", "m.gltf", true, []string{"m.bin"}, "m.bin", 1},
		{"beside another entry", "m.txt", false, []string{"m.bin"}, "m.bin", 1},
		{"beside a new file", "m.txt", false, []string{"m.gltf", "m.bin"}, "m.gltf", 1},
		{"nothing new", "m.gltf", false, nil, "", 1},
	} {
		x, states := knowing(dir, c.entry)
		if c.gone {
			states[0].gone = []string{c.entry}
		}
		rest := strings.Join(x.withCompanions(c.added, states), " ")
		if rest != c.rest || len(x.manifest.Entries[0].Files) != c.files || states[0].more != (c.files > 1) || x.diagnostics.Has("companion") != (len(c.added) > len(strings.Fields(c.rest))) {
			t.Errorf("%s: %s left, %+v, more %v", c.name, rest, x.manifest.Entries[0].Files, states[0].more)
		}
	}
}

// TestResaved: a file in the place of one that is gone is that entry's, in the form that an editor has given it.
func TestResaved(t *testing.T) {
	for _, c := range []struct {
		name, entry string
		gone        bool
		added       string
		file, rest  string
		failed      bool
	}{
		{"another form", "8.png", true, "8.tga", "8.tga", "", false},
		{"both are there", "8.png", false, "8.tga", "8.png", "", true},
		{"a form of something else", "8.png", true, "8.wav", "8.png", "8.wav", false},
		{"another name", "8.png", true, "9.tga", "8.png", "9.tga", false},
		{"no form", "8.png", true, "8.xyz", "8.png", "8.xyz", false},
		{"a JSON beside it", "8.png", false, "8.json", "8.png", "8.json", false},
		{"several files", "8.f000.png,8.f001.png", true, "8.f000.tga", "8.f000.png", "8.f000.tga", false},
	} {
		x, states := knowing(t.TempDir(), c.entry)
		if c.gone {
			states[0].gone = []string{x.manifest.Entries[0].Files[0].Name}
		}
		rest := strings.Join(x.resaved([]string{c.added}, states), " ")
		if got := x.manifest.Entries[0].Files[0].Name; got != c.file || rest != c.rest || (len(x.done.Failures) > 0) != c.failed {
			t.Errorf("%s: %s, rest %q, %v", c.name, got, rest, x.done.Failures)
		}
	}
	for _, gone := range []bool{true, false} { // music of another kind is no file that an editor has made
		x, states := knowing(t.TempDir(), "8.mod")
		x.manifest.Entries[0].Kind = "sound"
		if gone {
			states[0].gone = []string{"8.mod"}
		}
		rest := x.resaved([]string{"8.s3m"}, states)
		if got := x.manifest.Entries[0].Files[0].Name; (got == "8.s3m") != gone || (len(rest) == 0) != gone || len(x.done.Failures) > 0 {
			t.Errorf("music, gone %v: %s, rest %q, %v", gone, got, rest, x.done.Failures)
		}
	}
	x, states := knowing(t.TempDir(), "8.png")
	x.manifest.Entries[0].Format, states[0].gone = "", []string{"8.png"} // raw bytes are no picture
	if rest := x.resaved([]string{"8.tga"}, states); !slices.Equal(rest, []string{"8.tga"}) || x.resaved(nil, states) != nil {
		t.Errorf("%v", rest)
	}
}

// TestStates: what has become of the files of an entry.
func TestStates(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a": "text", "b": "text", "c": "longer"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	corpus.Allowed(t, errors.Join(os.Mkdir(filepath.Join(dir, "folder"), 0o777), os.Symlink("a", filepath.Join(dir, "link")), os.Symlink("folder", filepath.Join(dir, "way")), os.WriteFile(filepath.Join(dir, "folder", "a"), []byte("text"), 0o666)))
	stamp, err := disk.NewStamp(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		files  string
		follow bool
		edited string
		gone   string
		err    string
	}{
		{"a,b", false, "[]", "[]", ""}, {"a,c", false, "[false true]", "[]", ""}, {"c,b", false, "[true false]", "[]", ""}, {"none,a,none2", false, "[]", "[none none2]", ""}, {"none,c", false, "[false true]", "[none]", ""},
		{"../a", false, "[]", "[]", `../a: usher.json: file name "../a" leaves the folder`}, {"folder", false, "[]", "[]", "folder: " + disk.ErrSpecial.Error()}, {"folder", true, "[]", "[]", "folder: " + disk.ErrSpecial.Error()},
		{"link", false, "[]", "[]", "link: " + errLink.Error()}, {"link", true, "[]", "[]", ""}, {"way/a", false, "[]", "[]", "way/a: way: " + errLink.Error()}, {"way/a", true, "[]", "[]", ""}, {"folder/a", false, "[]", "[]", ""},
	} {
		x, _ := knowing(dir, c.files)
		x.FollowLinks = c.follow
		e := x.manifest.Entries[0]
		for i := range e.Files {
			e.Files[i].Stamp = stamp
		}
		for range 2 { // the second time links are known
			s := x.state(e)
			text := ""
			if s.err != nil {
				text = s.err.Error()
			}
			if fmt.Sprint(s.edited) != c.edited || fmt.Sprint(s.gone) != c.gone || text != c.err || s.touched() != (c.edited != "[]") {
				t.Errorf("%s, links followed %v: edited %v, gone %v, %v", c.files, c.follow, s.edited, s.gone, s.err)
			}
		}
	}
	if !(fileState{more: true}).touched() {
		t.Error("what has more files is as it was")
	}
	files := []ManifestFile{{"a", stamp}, {"b", stamp}}
	if got := unstamped(files, []bool{false, true}); got[0].Stamp != stamp || got[1].Stamp != (disk.Stamp{}) || files[1].Stamp != stamp {
		t.Errorf("%+v of %+v", got, files)
	}
}
