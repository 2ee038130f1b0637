package worktree

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/disk"
)

// file is a file of a manifest.
func file(name string, size, time int64, hash string) ManifestFile {
	return ManifestFile{name, disk.Stamp{Size: size, Time: time, Hash: hash}}
}

// TestManifestLines: an entry is the line that encoding/json makes of it, and is read from that by either.
func TestManifestLines(t *testing.T) {
	whole := file("a.png", 1, 2, "xxhash64:3")
	for _, e := range []ManifestEntry{
		{Path: "a", Kind: "raw", Size: 7, Files: []ManifestFile{whole}},
		{Path: "a", Title: "A b", Kind: "texture", Format: "flx", Size: 1 << 40, Files: []ManifestFile{whole, file("b/c.json", 10, 20, "x")}},
		{Path: "a", Kind: "sign", Format: "toy", Files: []ManifestFile{}}, {Path: "a", Kind: "raw"}, {},
		{Path: "a\"b", Kind: "raw", Files: []ManifestFile{whole}}, {Path: "a\\b", Kind: "raw", Files: []ManifestFile{whole}}, {Path: "a\x1fb", Kind: "raw", Files: []ManifestFile{whole}}, {Path: "a\x7fb", Kind: "raw", Files: []ManifestFile{whole}},
		{Path: "ä", Kind: "raw", Files: []ManifestFile{whole}}, {Path: "a b!~", Kind: "raw", Files: []ManifestFile{whole}}, {Path: "a", Title: "\n", Kind: "raw", Files: []ManifestFile{whole}},
		{Path: "a", Kind: "r\"aw", Files: []ManifestFile{whole}}, {Path: "a", Kind: "raw", Format: "\t", Files: []ManifestFile{whole}}, {Path: "a", Kind: "raw", Files: []ManifestFile{file("\\", 1, 2, "x")}}, {Path: "a", Kind: "raw", Files: []ManifestFile{file("a", 1, 2, "\\")}},
		{Path: "a", Kind: "raw", Files: []ManifestFile{file("a", 0, 0, "")}}, {Path: "a", Kind: "raw", Files: []ManifestFile{whole, file("b", 1, 2, "")}},
		{Path: "a", Kind: "raw", Files: []ManifestFile{whole}, Action: actionRename, From: "b", Before: "1", After: "2"},
	} {
		got, err := e.append([]byte("head"))
		if err != nil {
			t.Fatal(err)
		}
		var back ManifestEntry
		if err := json.Unmarshal(got[4:], &back); err != nil || !cmp.Equal(back, e) {
			t.Errorf("%+v became %s, %v", e, got, err)
		}
		own := ManifestEntry{}
		l := &line{b: got[4:]}
		if l.entry(&own) && !cmp.Equal(own, e) {
			t.Errorf("%s is read as %+v", got, own)
		}
		if quick := !l.bad; quick != (e.plain() || e.Kind == "raw" && e.Files == nil || cmp.Equal(e, ManifestEntry{}) || e.Path == "ä" || strings.Contains(e.Path, "\x7f")) {
			t.Errorf("%s is read quickly: %v", got, quick)
		}
	}
}

// TestManifestOtherLines: a line in any other form is left to encoding/json.
func TestManifestOtherLines(t *testing.T) {
	const good = `{"path":"a","title":"b","kind":"raw","format":"c","size":7,"files":[{"name":"d","size":1,"time":2,"hash":"e"},{"name":"f","size":3,"time":4,"hash":"g"}]}`
	want := ManifestEntry{Path: "a", Title: "b", Kind: "raw", Format: "c", Size: 7, Files: []ManifestFile{file("d", 1, 2, "e"), file("f", 3, 4, "g")}}
	read := func(text string) (ManifestEntry, bool) {
		e, l := ManifestEntry{}, &line{b: []byte(text)}
		return e, l.entry(&e)
	}
	e, l := ManifestEntry{}, &line{b: []byte(good)}
	if !l.entry(&e) || !cmp.Equal(e, want) {
		t.Errorf("%+v", e)
	}
	for n := range good {
		if _, ok := read(good[:n]); ok {
			t.Errorf("%s is taken for whole", good[:n])
		}
	}
	for _, edit := range [][2]string{
		{`"a"`, `"a\u0041"`}, {`"a"`, "\"\x01\""}, {`"a"`, "\"\xff\""}, {`"a"`, `a`}, {`7`, `07`}, {`7`, `-7`}, {`7`, `7.0`}, {`7`, `7e1`}, {`7`, ``}, {`7`, `99999999999999999999`}, {`]}`, `]} `}, {`]}`, `],"action":"add"}`}, {`},{`, `}{`}, {`},{`, `}, {`}, {`[`, ``}, {`"e"}`, `"e"`},
	} {
		text := strings.Replace(good, edit[0], edit[1], 1)
		if e, ok := read(text); ok {
			t.Errorf("%s is read as %+v", text, e)
		}
	}
	if _, ok := read(strings.Replace(good, "7", "0", 1)); !ok {
		t.Error("a size of 0 is not read")
	}
}

// TestDecodeLines: a manifest as it is written is read line by line; one that somebody has touched is read as well as it can
// be, and nothing behind its end is passed over.
func TestDecodeLines(t *testing.T) {
	m := &Manifest{Usher: manifestMark, Time: 5, Archive: ManifestArchive{Path: "a.flx", Format: "flx", Stamp: disk.Stamp{Size: 1, Time: 2, Hash: "3"}}}
	for i := range 3 {
		m.Entries = append(m.Entries, ManifestEntry{Path: fmt.Sprint(i), Kind: "raw", Size: 7, Files: []ManifestFile{file(fmt.Sprint(i, ".bin"), 7, 8, "9")}})
	}
	b, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, c := range []struct {
		name, text string
		ours       bool
		entries    int
	}{
		{"as it is written", text, true, 3}, {"with blank lines", strings.ReplaceAll(text, "\n", "\n\n") + "\n \n", true, 3}, {"with the line ends of Windows", strings.ReplaceAll(text, "\n", "\r\n"), true, 3},
		{"a comma too many", strings.Replace(text, "]}\n ]}", "]},\n ]}", 1), true, 3}, {"a comma missing", strings.Replace(text, "]},\n", "]}\n", 1), true, 3},
		{"an entry with blanks", strings.Replace(text, `{"path":"1"`, `{"path": "1"`, 1), true, 3}, {"an entry taken out", text[:strings.Index(text, "  {\"path\":\"1\"")] + text[strings.Index(text, "  {\"path\":\"2\""):], true, 2},
		{"no end", strings.TrimSuffix(text, "]}\n"), false, 0}, {"no line end", strings.TrimSuffix(text, "\n"), false, 0}, {"something behind it", text + "x\n", false, 0}, {"no entry", strings.Replace(text, `{"path":"1"`, `"path":"1"`, 1), false, 0},
		{"another layout", strings.Replace(text, "\"entries\": [", "\"entries\":[", 1), false, 0}, {"no head", strings.Replace(text, "{\"usher\"", "\"usher\"", 1), false, 0}, {"a head without an end", strings.Repeat("{", 64<<10) + text, false, 0},
	} {
		got, ours := decodeLines([]byte(c.text))
		if ours != c.ours || ours && (len(got.Entries) != c.entries || got.Usher != m.Usher || got.Archive != m.Archive || got.Time != 5 || !cmp.Equal(got.Entries[c.entries-1], m.Entries[2])) {
			t.Errorf("%s: %v, %+v", c.name, ours, got)
		}
	}
}

// TestManifestHead: what a manifest says of its archive stands before its entries.
func TestManifestHead(t *testing.T) {
	archive := ManifestArchive{Path: "a.flx", Format: "flx", Stamp: disk.Stamp{Size: 1, Time: 2, Hash: "3"}}
	text, err := json.Marshal(archive)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text  string
		found bool
	}{
		{`{"usher":"x","archive":` + string(text) + `,"entries":[`, true}, {"\ufeff" + `{"archive":` + string(text), true}, {`{"entries":[],"archive":` + string(text) + `}`, false}, {`{"archive":7}`, false}, {`{"usher":"x"}`, false}, {``, false}, {`{"archive"`, false},
	} {
		got, found := manifestHead([]byte(c.text))
		if found != c.found || found && got != archive {
			t.Errorf("%s: %+v, %v", c.text, got, found)
		}
	}
}

// TestSameArchive: an archive is the one of a manifest by its size and content, that of a journal by its time.
func TestSameArchive(t *testing.T) {
	is := ManifestArchive{Path: "a", Stamp: disk.Stamp{Size: 4, Time: 5, Hash: "xxhash64:0123456789abcdef"}}
	for _, c := range []struct {
		stored disk.Stamp
		want   disk.Verdict
	}{
		{is.Stamp, disk.Same}, {disk.Stamp{Size: 4, Time: 6, Hash: is.Hash}, disk.Same}, {disk.Stamp{Size: 5, Time: 5, Hash: is.Hash}, disk.Different}, {disk.Stamp{Size: 4, Time: 5, Hash: "xxhash64:0"}, disk.Different},
		{disk.Stamp{Size: 4, Time: 5}, disk.Same}, {disk.Stamp{Size: 4, Time: 6}, disk.Different}, {disk.Stamp{Size: 5, Time: 5}, disk.Different},
	} {
		if got := is.compare(ManifestArchive{Path: "b", Stamp: c.stored}); got != c.want {
			t.Errorf("%+v: %d, want %d", c.stored, got, c.want)
		}
	}
}
