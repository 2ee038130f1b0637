package download

import (
	"bytes"
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
}

// What no line of a manifest can say, and a manifest of two bytes a letter, is told.
func TestManifestTells(t *testing.T) {
	for _, c := range []struct{ manifest, path, code string }{
		{"[Setup]\r\nGroup=G\r\n[G]\r\n", "Maps/a\"b.unr", "manifest-path"},
		{"[Setup]\r\nGroup=G\r\n[G]\r\n", "Maps/a\nFile=(x).unr", "manifest-path"},
		{"\xff\xfe[\x00S\x00", "Maps/a.unr", "manifest-wide"},
		{"", "Maps/a.unr", ""},
		{"File=(", "Maps/a.unr", ""},
		{"[Setup]\nGroup=Setup", "Maps/a.unr", ""},
		{"\x00\xff=[]\n[", "Maps/a.unr", ""},
	} {
		d := new(schema.Diagnostics)
		a := reopened(t, installer(t, c.manifest), d)
		if err := a.Add(c.path, []byte("x"), nil); err != nil {
			t.Fatal(err)
		}
		b, err := reopened(t, a, nil).Payload(0)
		if err != nil || (c.code != "") != d.Has(c.code) || len(d.All()) > 1 {
			t.Errorf("%q: %v, %v", c.manifest, d.All(), err)
		}
		if c.code == "" && strings.Count(string(b), `Src=Maps\a.unr,Size=1`) != 1 {
			t.Errorf("%q became %q", c.manifest, b)
		}
	}
}
