package explain_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/explain"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// covered fails unless the spans of a map are ordered and cover every byte.
func covered(t *testing.T, name string, m *explain.Map) {
	t.Helper()
	at := m.Offset
	for i := range m.Spans {
		s := &m.Spans[i]
		if s.Size < 1 || s.Offset > at || !s.Shared && s.Offset != at {
			t.Errorf("%s: %q at 0x%x, %d bytes, behind 0x%x", name, s.Name(), s.Offset, s.Size, at)
		}
		at = max(at, s.End())
		m.Value(s)
		m.ValueAt(s, s.Offset+s.Size/2)
	}
	if at != m.Offset+m.Size {
		t.Errorf("%s: the spans end at 0x%x of 0x%x", name, at, m.Offset+m.Size)
	}
	m.Tree(true)
	m.Tree(false)
}

func filesOf(t testing.TB, elem ...string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(corpus.Testdata(t, elem...), func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// corpusOnly are the formats of which testdata has no file; u9-heights is a view of terrains, which no file is.
var corpusOnly = strings.Fields("mat sph ale vwire aleffects alenodes flpris flcyl fltrans unreal-font module unreal-uz unreal-umod u9-types u9-heights u9-dimension u9-processes")

// TestFormats: every native format is explained somewhere in testdata, as a file or as an entry, with fields.
func TestFormats(t *testing.T) {
	seen := map[string]bool{}
	for _, family := range corpus.Families(t) {
		explainAll(t, seen, filesOf(t, family))
	}
	for i := range formats.All {
		if name := formats.All[i].Name; !seen[name] && !slices.Contains(corpusOnly, name) {
			t.Errorf("no file or entry of testdata is explained as %s", name)
		}
	}
}

// TestCorpusFormats: so are those that only the corpus has.
func TestCorpusFormats(t *testing.T) {
	seen := map[string]bool{"u9-heights": true, "fltrans": true} // nobody has seen a joint of kind Trans
	module := filepath.Join(t.TempDir(), "tune.it")
	if err := os.WriteFile(module, append([]byte("IMPM"), make([]byte, 300)...), 0o666); err != nil {
		t.Fatal(err)
	}
	list := []string{module}
	for _, glob := range []string{"freelancer/*.ale", "freelancer/*.mat", "freelancer/*.sph", "freelancer/syn_joints.cmp", "freelancer/fr_valor.cmp",
		"unreal/uz/*.uz", "unreal/umod/*.umod", "unreal/synthetic/syn_font*.utx", "ultima9/synthetic/install/static/types.dat", "ultima9/synthetic/*/*.dat", "ultima9/synthetic/save/*.sav"} {
		family, pattern, _ := strings.Cut(glob, "/")
		found, err := filepath.Glob(filepath.Join(corpus.Folder(t, family), filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %v, %v", glob, found, err)
		}
		list = append(list, found...)
	}
	explainAll(t, seen, list)
	for _, name := range corpusOnly {
		if !seen[name] {
			t.Errorf("no file or entry of the corpus is explained as %s", name)
		}
	}
}

// explainAll explains files and their entries, and notes the formats of which fields were found.
func explainAll(t *testing.T, seen map[string]bool, files []string) {
	t.Helper()
	for _, p := range files {
		f, _ := interchange.SniffFile(p)
		if f == nil {
			continue
		}
		explained(t, seen, engine.Source{Path: p})
		if f.Open == nil {
			continue
		}
		a, err := store.OpenArchive(p, nil, new(engine.Loader).Env(p, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range a.Entries() {
			if e.Format != nil && seen[e.Format.Name] {
				continue
			}
			explained(t, seen, engine.Source{Path: p, Entry: e.Path})
		}
		a.Close()
	}
}

func explained(t *testing.T, seen map[string]bool, src engine.Source) {
	t.Helper()
	m, err := explain.Source(new(engine.Loader), src, explain.Range{})
	if err != nil {
		t.Errorf("%s: %v", src, err)
		return
	}
	covered(t, src.String(), m)
	if c := m.Coverage(); c[explain.Field] > 0 {
		seen[m.Format] = true
	}
	if len(m.Stops) > 0 {
		t.Errorf("%s: stopped: %v", src, m.Stops[0].Err)
	}
}

// TestOutside: interchange files are explained to their last byte.
func TestOutside(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x02\x00\x00\x00\x03\x08\x02\x00\x00\x00crc!\x00\x00\x00\x00IENDcrc!")
	write("a.glb", "glTF\x02\x00\x00\x00\x28\x00\x00\x00\x04\x00\x00\x00JSON{}  \x08\x00\x00\x00BIN\x00abcdefgh")
	write("a.wav", "RIFF\x30\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x22\x56\x00\x00\x44\xac\x00\x00\x02\x00\x10\x00data\x02\x00\x00\x00\x01\x02odd \x01\x00\x00\x00x\x00")
	write("a.txt", "text")
	write("a.gif", "GIF89a\x01\x00\x01\x00\x00\x00\x00;")
	for _, c := range []struct{ file, want string }{
		{"a.png", "signature, chunk 0/length, chunk 0/type, chunk 0/width, chunk 0/height, chunk 0/bits, chunk 0/colour type, chunk 0/compression, " +
			"chunk 0/filter, chunk 0/interlace, chunk 0/CRC, chunk 1/length, chunk 1/type, chunk 1/CRC"},
		{"a.glb", "magic, version, length, chunk 0/length, chunk 0/type, chunk 0/JSON, chunk 1/length, chunk 1/type, chunk 1/data"},
		{"a.wav", "signature, size, form, fmt /id, fmt /size, fmt /format, data/id, data/size, data/samples, odd /id, odd /size, odd /data, odd /pad"},
		{"a.txt", "text"},
		{"a.gif", "gif"},
	} {
		m, err := explain.Source(new(engine.Loader), engine.Source{Path: filepath.Join(dir, c.file)}, explain.Range{})
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		covered(t, c.file, m)
		var names []string
		for i := range m.Spans {
			names = append(names, m.Spans[i].Name())
		}
		if got := strings.Join(names, ", "); got != c.want || len(m.Stops) > 0 {
			t.Errorf("%s: %s\nwant %s\n%v", c.file, got, c.want, m.Stops)
		}
	}
}

// TestOutsideDamaged: what is behind the last chunk is told of.
func TestOutsideDamaged(t *testing.T) {
	for name, content := range map[string]string{
		"a.png": "\x89PNG\r\n\x1a\n\x00\x00\x00\x00IENDcrc!",
		"a.glb": "glTF\x02\x00\x00\x00\x18\x00\x00\x00\x04\x00\x00\x00JSON{}  ",
	} {
		for _, more := range []string{"", "x"} {
			b := content + more
			m, err := explain.Reader(strings.NewReader(b), int64(len(b)), nil, &format.Env{Name: name, Diagnostics: new(schema.Diagnostics)}, "", explain.Range{})
			if err != nil || len(m.Stops) != len(more) {
				t.Errorf("%s with %q behind it: %v, %v", name, more, m, err)
				continue
			}
			covered(t, name, m)
			if len(m.Stops) > 0 && (m.Stops[0].Path != "chunk 1" || m.Stops[0].Field != "length" || m.Stops[0].Offset != int64(len(content))) {
				t.Errorf("%s stops at %+v", name, m.Stops[0])
			}
		}
	}
}

// TestNothingToExplain: what cannot be explained is said in a word.
func TestNothingToExplain(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.xyz"), []byte("nobody knows it"), 0o666); err != nil {
		t.Fatal(err)
	}
	leaf := corpus.Testdata(t, "freelancer", "parts.vms")
	for _, c := range []struct {
		src  engine.Source
		want string
	}{
		{engine.Source{Path: filepath.Join(dir, "b.xyz")}, "no such file"},
		{engine.Source{Path: dir}, "is a folder: name a file"},
		{engine.Source{Path: filepath.Join(dir, "a.xyz")}, "not recognised"},
		{engine.Source{Path: corpus.Testdata(t, "ultima9", "greeting.u9text"), Entry: "x"}, "is not an archive"},
		{engine.Source{Path: leaf, Entry: "no entry"}, "no entry"},
	} {
		if _, err := explain.Source(new(engine.Loader), c.src, explain.Range{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.src, err, c.want)
		}
	}
}

// TestNested: an archive inside another one is explained with the offsets of the outer one.
func TestNested(t *testing.T) {
	found, err := filepath.Glob(filepath.Join(corpus.Folder(t, "unreal"), "umod", "*.umod"))
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	m, err := explain.Source(new(engine.Loader), engine.Source{Path: found[0]}, explain.Range{})
	if err != nil {
		t.Fatal(err)
	}
	covered(t, found[0], m)
	i := slices.IndexFunc(m.Spans, func(s explain.Span) bool {
		return strings.HasSuffix(s.Entry, ".utx") && s.Path == "header" && s.Field == "magic"
	})
	if i < 0 || !bytes.Equal(m.Bytes(&m.Spans[i]), []byte("\xC1\x83\x2A\x9E")) {
		t.Errorf("the package in it has no header: %d", i)
	}
}

// TestTogether: leaves that mean something together are taken apart, each with its own fields.
func TestTogether(t *testing.T) {
	p := corpus.Testdata(t, "freelancer", "walk.anm")
	m, err := explain.Source(new(engine.Loader), engine.Source{Path: p}, explain.Range{})
	if err != nil {
		t.Fatal(err)
	}
	frames, headers := 0, 0
	for i := range m.Spans {
		switch s := &m.Spans[i]; {
		case strings.HasSuffix(s.Entry, "Channel/Frames") && s.Field == "frames" && s.Kind == explain.Field && s.Count > 1:
			frames++
		case strings.HasSuffix(s.Entry, "Channel/Header") && s.Field == "frame count":
			headers++
		case strings.Contains(s.Entry, "Channel/") && s.Kind == explain.Kept:
			t.Errorf("%s is kept as it is", s.Name())
		}
	}
	if frames == 0 || frames != headers {
		t.Errorf("%d channels with frames, %d with headers", frames, headers)
	}
}

// TestPlace: what lies at an offset, in an archive with entries that share nothing with it.
func TestPlace(t *testing.T) {
	p := corpus.Testdata(t, "ultima9", "sappear.flx")
	all, err := explain.Source(new(engine.Loader), engine.Source{Path: p}, explain.Range{})
	if err != nil {
		t.Fatal(err)
	}
	for at := int64(0); at < all.Size; at += 61 {
		some, err := explain.Source(new(engine.Loader), engine.Source{Path: p}, explain.Range{From: at, To: at + 1})
		if err != nil {
			t.Fatal(err)
		}
		x, y := all.At(at), some.At(at)
		if len(x) != 1 || len(y) != 1 || *x[0] != *y[0] {
			t.Fatalf("0x%x: %v, and of the range alone %v", at, x, y)
		}
	}
	if len(all.At(-1)) != 0 || len(all.At(all.Size)) != 0 {
		t.Error("something lies outside of the file")
	}
}

// TestWindows: a range of a file holds what the whole file does there, with the same values, and the map still covers all.
func TestWindows(t *testing.T) {
	for _, family := range corpus.Families(t) {
		for _, p := range filesOf(t, family) {
			all, err := explain.Source(new(engine.Loader), engine.Source{Path: p}, explain.Range{})
			if err != nil {
				continue // nothing knows it
			}
			step := max(all.Size/7, 1)
			for from := int64(0); from < all.Size; from += step {
				window(t, p, all, explain.Range{From: from, To: from + step})
			}
		}
	}
}

func window(t *testing.T, p string, all *explain.Map, r explain.Range) {
	t.Helper()
	part, err := explain.Source(new(engine.Loader), engine.Source{Path: p}, r)
	if err != nil {
		t.Fatal(err)
	}
	covered(t, p, part)
	spans := func(m *explain.Map) (list []string) {
		for i := range m.Spans {
			if s := m.Spans[i]; s.Offset < r.To && s.End() > r.From {
				list = append(list, fmt.Sprint(s, m.Value(&s)))
			}
		}
		return list
	}
	if want, got := spans(all), spans(part); !slices.Equal(want, got) {
		t.Errorf("%s, %v: %d spans, and of the range alone %d:\n%s\n%s", p, r, len(want), len(got), strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
}

// TestArrays: an offset inside an array is that of an element and its field.
func TestArrays(t *testing.T) {
	m, err := explain.Source(new(engine.Loader), engine.Source{Path: corpus.Testdata(t, "freelancer", "parts.vms")}, explain.Range{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(m.Spans, func(s explain.Span) bool { return s.Field == "vertices" })
	if i < 0 {
		t.Fatal("there are no vertices")
	}
	s := &m.Spans[i]
	if s.Count < 3 || s.Stride() != s.Size/int64(s.Count) {
		t.Fatalf("%d vertices of %d bytes in %d", s.Count, s.Stride(), s.Size)
	}
	if name, value := m.ValueAt(s, s.Offset+2*s.Stride()+5); name != "2/position" || len(strings.Fields(value)) != 3 {
		t.Errorf("%q is %q", name, value)
	}
}

// FuzzReader gives damaged files to whatever takes them for its own: nothing panics, and the spans cover every byte.
func FuzzReader(f *testing.F) {
	for _, family := range corpus.Families(f) {
		for _, p := range filesOf(f, family) {
			if info, err := os.Stat(p); err == nil && info.Size() < 16<<10 && filepath.Ext(p) != ".png" {
				f.Add(filepath.Base(p), corpus.Bytes(f, p))
			}
		}
	}
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		m, err := explain.Reader(bytes.NewReader(b), int64(len(b)), nil, &format.Env{Name: name, Diagnostics: new(schema.Diagnostics)}, "", explain.Range{})
		if err != nil {
			if strings.Contains(err.Error(), "internal error") {
				t.Error(err)
			}
			return
		}
		covered(t, name, m)
		for _, s := range m.Stops {
			if s.Offset < 0 || s.Offset > m.Size {
				t.Errorf("%s: stopped at 0x%x of 0x%x", name, s.Offset, m.Size)
			}
			if strings.Contains(s.Err.Error(), "internal error") {
				t.Error(s.Err)
			}
		}
	})
}

// BenchmarkExplain explains a package of many small fields.
func BenchmarkExplain(b *testing.B) {
	p := corpus.Testdata(b, "unreal", "made69.u")
	b.SetBytes(int64(len(corpus.Bytes(b, p))))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := explain.Source(new(engine.Loader), engine.Source{Path: p}, explain.Range{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLevels: the smaller Targas of a texture are taken apart as the largest one is.
func TestLevels(t *testing.T) {
	m, err := explain.Source(new(engine.Loader), engine.Source{Path: corpus.Testdata(t, "freelancer", "tiles.txm")}, explain.Range{})
	if err != nil {
		t.Fatal(err)
	}
	widths := map[string]string{}
	for i := range m.Spans {
		s := &m.Spans[i]
		if s.Field == "width" {
			widths[s.Entry] = m.Value(s)
		}
		if s.Kind == explain.Kept {
			t.Errorf("%s is kept as it is", s.Name())
		}
	}
	for level, want := range []string{"8", "4", "2"} {
		for _, name := range [...]string{"red", "green"} {
			if entry := fmt.Sprintf("Texture library/%s.tga/MIP%d", name, level); widths[entry] != want {
				t.Errorf("%s is %q wide, want %s", entry, widths[entry], want)
			}
		}
	}
}
