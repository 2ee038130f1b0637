package download

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// installer returns an installer with a manifest and two maps of five bytes, the second of which may be unlisted.
func installer(t *testing.T, manifest string) format.ArchiveFile {
	t.Helper()
	a, err := createUMOD(&format.Env{Name: "mod.umod"})
	if err != nil {
		t.Fatal(err)
	}
	u := a.(*umodArchive)
	u.stored = map[string]bool{} // the manifest is taken as it is
	for _, f := range []struct{ path, text string }{{"System/Manifest.ini", manifest}, {"Maps/One.unr", "11111"}, {"Maps/Two Three.unr", "22222"}} {
		if err := a.Add(f.path, []byte(f.text), nil); err != nil {
			t.Fatal(err)
		}
	}
	u.unsettled = false
	return reopened(t, a, nil)
}

func reopened(t *testing.T, a format.ArchiveFile, d *schema.Diagnostics) format.ArchiveFile {
	t.Helper()
	var w bytes.Buffer
	if _, err := a.WriteTo(&w); err != nil {
		t.Fatal(err)
	}
	again, err := openUMOD(bytes.NewReader(w.Bytes()), int64(w.Len()), &format.Env{Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// Every edit of the files of an installer, under every way to write their list: what is installed follows, and no other line.
func TestManifestFollows(t *testing.T) {
	const one, two = "File=(Src=Maps\\One.unr,Size=5)", "File=(Src=\"Maps\\Two Three.unr\",Size=5)"
	manifests := map[string]string{
		"usual":         "[Setup]\r\nProduct=x\r\nGroup=G\r\n\r\n[G]\r\n" + one + "\r\n" + two + "\r\n",
		"two groups":    "[Setup]\nGroup=G\nGroup=H\n[G]\n" + one + "\n; a word\n[H]\n" + two + "\nDelete=System\\old.u\n",
		"no end":        "[Setup]\r\nGroup=G\r\n[G]\r\n" + two + "\r\n" + one,
		"blanks":        "[Setup]\r\nGroup=G\r\n[G]\r\n  file = ( size = 5, src = maps\\one.UNR )\r\n" + two + "\r\n",
		"one unlisted":  "[Setup]\r\nGroup=G\r\n[G]\r\n" + one + "\r\n",
		"of other size": "[Setup]\r\nGroup=G\r\n[G]\r\n" + strings.Replace(one, "=5", "=999", 1) + "\r\n" + two + "\r\n",
	}
	find := func(a format.ArchiveFile, path string) int {
		for i, e := range a.Entries() {
			if e.Path == path {
				return i
			}
		}
		t.Fatalf("there is no %s", path)
		return -1
	}
	edits := map[string]struct {
		do   func(a format.ArchiveFile) error
		want func(was string) []string // lines that are there then
		gone string                    // what no line has
	}{
		"grown": {func(a format.ArchiveFile) error { return a.Replace(find(a, "Maps/One.unr"), []byte("1234567")) },
			func(string) []string { return []string{"size=7"} }, ""},
		"added": {func(a format.ArchiveFile) error { return a.Add("System/New.u", []byte("new"), nil) },
			func(string) []string { return []string{`file=(src=system\new.u,size=3)`} }, ""},
		"added with a blank": {func(a format.ArchiveFile) error { return a.Add("System/New One.u", []byte("new"), nil) },
			func(string) []string { return []string{`file=(src="system\new one.u",size=3)`} }, ""},
		"removed": {func(a format.ArchiveFile) error { return a.Remove(find(a, "Maps/One.unr")) },
			func(string) []string { return nil }, "one.unr"},
		"the manifest": {func(a format.ArchiveFile) error {
			b, err := a.Payload(0)
			if err != nil {
				return err
			}
			return a.Replace(0, append(bytes.TrimRight(b, "\r\n"), "\r\n[Other]\r\nKey=1\r\n"...))
		}, func(string) []string { return []string{"key=1"} }, ""},
	}
	for style, text := range manifests {
		for what, edit := range edits {
			a := installer(t, text)
			if err := edit.do(a); err != nil {
				t.Errorf("%s, %s: %v", style, what, err)
				continue
			}
			b, err := reopened(t, a, nil).Payload(0)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.ToLower(strings.ReplaceAll(string(b), " ", ""))
			for _, line := range edit.want(text) {
				if strings.Count(got, strings.ReplaceAll(line, " ", "")) != 1 {
					t.Errorf("%s, %s: no line %s in\n%s", style, what, line, b)
				}
			}
			if edit.gone != "" && strings.Contains(got, edit.gone) || strings.Contains(got, "999") {
				t.Errorf("%s, %s: %s is still there:\n%s", style, what, edit.gone, b)
			}
			if style == "one unlisted" && strings.Contains(got, "three") {
				t.Errorf("%s, %s: what was not installed is:\n%s", style, what, b)
			}
			was := map[string]bool{}
			for line := range strings.Lines(text) {
				was[strings.TrimSpace(line)] = true
			}
			fresh := 0
			for line := range strings.Lines(string(b)) {
				if !was[strings.TrimSpace(line)] {
					fresh++
				}
			}
			most := 1
			if what == "the manifest" {
				most = 2
			}
			if style == "of other size" {
				most++
			}
			if fresh > most {
				t.Errorf("%s, %s: %d new lines:\n%s", style, what, fresh, b)
			}
		}
		if b, err := installer(t, text).Payload(0); err != nil || string(b) != text {
			t.Errorf("%s: untouched: %q, %v", style, b, err)
		}
	}
}

// An installer made of files alone gets the manifest that it lacks, which is told; one with a manifest of its own, none.
func TestNewManifest(t *testing.T) {
	d := new(schema.Diagnostics)
	a, _ := createUMOD(&format.Env{Name: "My Mod.umod", Diagnostics: d})
	if err := a.Add("System/My.u", []byte("code"), nil); err != nil {
		t.Fatal(err)
	}
	again := reopened(t, a, nil)
	var paths []string
	for _, e := range again.Entries() {
		paths = append(paths, e.Path)
	}
	if got := strings.Join(paths, " "); got != "System/Manifest.ini System/Manifest.int System/My.u" || !d.Has("manifest-new") {
		t.Errorf("%s, %v", got, d.All())
	}
	b, _ := again.Payload(0)
	for _, want := range []string{"Product=My Mod\r\n", "Group=FilesGroup\r\n", "[FilesGroup]\r\nFile=(Src=System\\My.u,Size=4)\r\n", `Copy=(Src=System\Manifest.int,Master=System\Manifest.int,Flags=3)`} {
		if strings.Count(string(b), want) != 1 {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
	if b, _ := again.Payload(2); string(b) != "code" {
		t.Errorf("%q", b)
	}
	// What the setup program shows may be there already.
	if err := a.Add("System/manifest.INT", []byte("words"), nil); err != nil {
		t.Fatal(err)
	}
	again = reopened(t, a, nil)
	if b, err := again.Payload(2); len(again.Entries()) != 3 || string(b) != "words" {
		t.Errorf("%q of %v, %v", b, again.Entries(), err)
	}
}

// A list takes new files and sizes where it has the others, and nothing else of it changes.
func TestListing(t *testing.T) {
	const line = "File=(Src=Maps\\a.unr,Size=12)"
	for _, c := range []struct{ was, want string }{
		{"[Setup]\r\nGroup=G\r\n[G]\r\n", "[Setup]\r\nGroup=G\r\n[G]\r\n" + line + "\r\n"},
		{"[Setup]\nGroup=G\n[G]\nCopy=x\n\n[H]\n", "[Setup]\nGroup=G\n[G]\nCopy=x\n" + line + "\n\n[H]\n"},
		{"[G]\n[Setup]\nGroup=G\n", "[G]\n" + line + "\n[Setup]\nGroup=G\n"},
		{"[Setup]\nGroup=F\nGroup=g\n[F]\n[G]\n", "[Setup]\nGroup=F\nGroup=g\n[F]\n[G]\n" + line + "\n"},
		{"[Setup]\nGroup=G\n", "[Setup]\nGroup=G\n\n[G]\n" + line + "\n"},
		{"[setup]\nKey=1", "[setup]\nGroup=FilesGroup\nKey=1\n\n[FilesGroup]\n" + line + "\n"},
		{"Key=1\n", "Key=1\n[Setup]\nGroup=FilesGroup\n\n[FilesGroup]\n" + line + "\n"},
		{"", "[Setup]\r\nGroup=FilesGroup\r\n\r\n[FilesGroup]\r\n" + line + "\r\n"},
		{"File=(Src=b.u,Size=3)\n[H]\n", "File=(Src=b.u,Size=3)\n" + line + "\n[H]\n"},
		{"File=(Src=b.u,Size=3)\n[H]", "File=(Src=b.u,Size=3)\n" + line + "\n[H]"},
		{"[G]\nFile=(Src=maps/A.unr,Size=7,Flags=1)\n", "[G]\nFile=(Src=maps/A.unr,Size=12,Flags=1)\n"},
		{"[G]\nFile=(Src=Maps\\a.unr)\n", "[G]\nFile=(Src=Maps\\a.unr)\n"},
	} {
		a, _ := createUMOD(nil)
		for path, size := range map[string]int{"Maps/a.unr": 12, "b.u": 3} {
			if size == 12 || strings.Contains(c.was, "b.u") {
				if err := a.Add(path, make([]byte, size), nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := a.(*umodArchive).listing(c.was); got != c.want {
			t.Errorf("%q became\n%q, want\n%q", c.was, got, c.want)
		}
	}
}

// Of a manifest of two bytes a letter nobody knows what it lists: one that takes its place lists all.
func TestManifestInPlaceOfWide(t *testing.T) {
	a := installer(t, "\xff\xfe[\x00S\x00")
	if err := a.Replace(0, []byte("[Setup]\nGroup=G\n[G]\n")); err != nil {
		t.Fatal(err)
	}
	want := "[Setup]\nGroup=G\n[G]\nFile=(Src=Maps\\One.unr,Size=5)\nFile=(Src=\"Maps\\Two Three.unr\",Size=5)\n"
	if b, err := reopened(t, a, nil).Payload(0); err != nil || string(b) != want {
		t.Errorf("%q, %v", b, err)
	}
}

// broken is an installer of which a range cannot be read any more.
type broken struct {
	*bytes.Reader
	from, to int64
}

func (b *broken) ReadAt(p []byte, at int64) (int, error) {
	if at < b.to && at+int64(len(p)) > b.from {
		return 0, errBroken
	}
	return b.Reader.ReadAt(p, at)
}

var errBroken = errors.New("broken")

// What cannot be read or written is an error, and no shorter installer; a manifest that cannot be read stays as it is.
func TestBrokenInstaller(t *testing.T) {
	const manifest = "[Setup]\r\nGroup=G\r\n[G]\r\nFile=(Src=Maps\\One.unr,Size=5)\r\n"
	var w bytes.Buffer
	if _, err := installer(t, manifest).WriteTo(&w); err != nil {
		t.Fatal(err)
	}
	n := int64(len(manifest))
	for _, c := range []struct {
		name     string
		from, to int64 // what cannot be read
		edit     bool
		fits     int  // what can be written
		want     bool // it is written whole
		told     bool // that the manifest could not follow
	}{
		{"whole", 0, 0, false, 1 << 20, true, false}, {"whole and edited", 0, 0, true, 1 << 20, true, false},
		{"a map", n, n + 5, true, 1 << 20, false, false}, {"a map of an unedited one", n, n + 5, false, 1 << 20, false, false},
		{"the manifest", 0, n, true, 1 << 20, false, true},
		{"no room for the files", 0, 0, true, int(n) + 2, false, false}, {"no room for an unedited one", 0, 0, false, int(n) + 2, false, false},
		{"no room for the list of files", 0, 0, true, w.Len() - 30, false, false},
	} {
		d := new(schema.Diagnostics)
		r := &broken{Reader: bytes.NewReader(w.Bytes())}
		a, err := openUMOD(r, int64(w.Len()), &format.Env{Diagnostics: d})
		if err != nil {
			t.Fatal(err)
		}
		r.from, r.to = c.from, c.to
		if c.edit {
			if err := a.Add("System/New.u", []byte("new"), nil); err != nil {
				t.Fatal(err)
			}
			if a.Entries(); d.Has("manifest-kept") != c.told {
				t.Errorf("%s: %v", c.name, d.All())
			}
		}
		if _, err := a.WriteTo(&tight{room: c.fits}); (err == nil) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// tight takes so many bytes, and refuses what comes then; behind that there is room again.
type tight struct{ room int }

func (w *tight) Write(b []byte) (int, error) {
	if w.room >= 0 {
		if w.room -= len(b); w.room < 0 {
			return 0, errBroken
		}
	}
	return len(b), nil
}
