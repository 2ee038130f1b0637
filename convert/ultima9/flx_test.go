package ultima9

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

func openFile(t testing.TB, path string, env *format.Env) format.ArchiveFile {
	t.Helper()
	b := corpus.Bytes(t, path)
	if env == nil {
		env = &format.Env{}
	}
	if env.Name == "" {
		env.Name = filepath.Base(path)
	}
	return u9.Do(openFLX(bytes.NewReader(b), int64(len(b)), env))(t)
}

func input(path string, b []byte) *format.Input {
	return &format.Input{Name: filepath.Base(path), Head: b[:min(len(b), 1<<16)], Size: int64(len(b)), At: bytes.NewReader(b)}
}

// sniff returns the name of the format that is surest of the input.
func sniff(in *format.Input) string {
	best, top := "", format.No
	for i := range Formats {
		if c := Formats[i].Probe(in); c > top {
			best, top = Formats[i].Name, c
		}
	}
	return best
}

func TestSniff(t *testing.T) {
	want := map[string]string{".tex": "u9-texture", ".mesh": "sappear", ".anim": "u9-anim", ".pal": "u9-palette", ".flx": "flx", ".9": ""}
	for _, e := range corpus.Manifest(t, "ultima9") {
		ext := strings.ToLower(filepath.Ext(e.File))
		expected := want[ext]
		switch base := filepath.Base(e.File); {
		case strings.Contains(e.File, "malformed/"):
			continue
		case base == "indexed.mesh": // the older layout
			expected = "u9-indexed"
		case base == "types.dat":
			expected = "u9-types"
		case base == "registry.txt":
			expected = "u9-registry"
		case strings.HasPrefix(strings.ToLower(base), "texture") && ext == ".9":
			expected = "flx"
		}
		if expected == "" {
			continue
		}
		b := corpus.Bytes(t, e.Path)
		in := input(e.Path, b)
		if got := sniff(in); got != expected {
			t.Errorf("%s: %q, want %q", e.File, got, expected)
		}
		if ext == ".pal" || expected == "u9-registry" {
			continue
		}
		in.Name = "unnamed"
		if got := sniff(in); got != expected {
			t.Errorf("%s without its name: %q, want %q", e.File, got, expected)
		}
	}
}

// What the records of an archive are is told by the records, whatever the archive is called.
func TestArchiveKinds(t *testing.T) {
	for path, want := range map[string]string{
		"synthetic/texture/bitmap16.flx": "u9-texture", "synthetic/texture/sdInfo16.flx": "u9-sdinfo", "synthetic/texture/Texture8.9": "u9-texture",
		"synthetic/texture/texture16.9": "u9-texture", "synthetic/mesh/sappear.flx": "sappear", "synthetic/anim/anim.flx": "u9-anim",
		"synthetic/types/typename.flx": "u9-typename", "synthetic/install/static/sappear.flx": "sappear", "synthetic/install/static/bitmap16.flx": "u9-texture",
		"synthetic/install/static/anim.flx": "u9-anim", "synthetic/install/static/sdInfo16.flx": "u9-sdinfo", "real/typename.flx": "u9-typename",
	} {
		for _, name := range []string{filepath.Base(path), "other.flx"} {
			f := openFile(t, filepath.Join(corpus.Folder(t, "ultima9"), path), &format.Env{Name: name})
			for _, e := range f.Entries() {
				if e.Format == nil || e.Format.Name != want {
					t.Errorf("%s as %s: entry %s is %v, want %s", path, name, e.Path, e.Format, want)
					break
				}
			}
		}
	}
}

func TestArchiveEntries(t *testing.T) {
	f := openFile(t, u9.Synthetic(t, "flx", "mixed_empty.flx"), nil)
	want := []format.Entry{{Path: "0", Size: 4, Offset: 168}, {Path: "2", Size: 6, Offset: 172}, {Path: "4", Size: 8, Offset: 178}}
	for i, e := range f.Entries() {
		if w := want[i]; e.Path != w.Path || e.Size != w.Size || e.Offset != w.Offset {
			t.Errorf("entry %d is %+v, want %+v", i, e, w)
		}
	}
	if len(f.Entries()) != 3 {
		t.Errorf("%d entries", len(f.Entries()))
	}
}

func TestArchiveTitles(t *testing.T) {
	env := u9.Env(t, "sappear.flx", "install/static", "types")
	f := openFile(t, u9.Synthetic(t, "install", "static", "sappear.flx"), env)
	titles := 0
	for _, e := range f.Entries() {
		if e.Title != "" {
			titles++
		}
	}
	if titles == 0 {
		t.Error("no model has a name")
	}
	f = openFile(t, u9.Synthetic(t, "texture", "bitmap16.flx"), u9.Env(t, "bitmap16.flx", "types"))
	for _, e := range f.Entries() {
		if e.Title != "" {
			t.Errorf("texture %s is called %q: no icon of the table lies in the archive", e.Path, e.Title)
		}
	}
}

func TestArchiveEditing(t *testing.T) {
	path := u9.Synthetic(t, "flx", "gaps.flx")
	f := openFile(t, path, nil)
	var w bytes.Buffer
	n := u9.Do(f.WriteTo(&w))(t)
	corpus.SameBytes(t, "unedited", w.Bytes(), corpus.Bytes(t, path))
	if n != int64(w.Len()) {
		t.Errorf("%d bytes reported, %d written", n, w.Len())
	}
	u9.Must(t, f.Replace(1, []byte("two"))) // slot 2
	u9.Must(t, f.Remove(0))                 // slot 0
	u9.Must(t, f.Add("3", []byte("three"), nil))
	u9.Must(t, f.Add("20", []byte("twenty"), nil))
	u9.Must(t, f.Add("", []byte("first free"), nil)) // slot 0 again
	w.Reset()
	u9.Do(f.WriteTo(&w))(t)
	g := u9.Do(openFLX(bytes.NewReader(w.Bytes()), int64(w.Len()), nil))(t)
	for _, list := range [][]format.Entry{f.Entries(), g.Entries()} {
		var got []string
		for _, e := range list {
			got = append(got, e.Path)
		}
		if want := "0 2 3 5 6 7 20"; strings.Join(got, " ") != want {
			t.Errorf("entries %v, want %s", got, want)
		}
	}
	for i, want := range map[int]string{0: "first free", 1: "two", 2: "three", 6: "twenty"} {
		if got := u9.Do(g.Payload(i))(t); string(got) != want {
			t.Errorf("entry %d is %q, want %q", i, got, want)
		}
	}
	for what, c := range map[string]struct{ err, class error }{
		"taken slot":  {f.Add("5", []byte("x"), nil), schema.ErrMismatch},
		"no number":   {f.Add("five", []byte("x"), nil), schema.ErrValue},
		"huge number": {f.Add("99999999", []byte("x"), nil), schema.ErrLimit},
		"no entry":    {f.Remove(99), schema.ErrRange},
	} {
		if schema.Class(c.err) != c.class {
			t.Errorf("%s: %v", what, c.err)
		}
	}
}

func TestCreateArchive(t *testing.T) {
	f := u9.Do(createFLX(&format.Env{Name: "bitmap16.flx"}))(t)
	u9.Must(t, f.Add("4", []byte("picture"), nil))
	if e := f.Entries()[0]; e.Format != &textureFormat || e.Kind != format.Texture {
		t.Errorf("%+v", e)
	}
	var w bytes.Buffer
	u9.Do(f.WriteTo(&w))(t)
	if want := 128 + 8*5 + 7; w.Len() != want {
		t.Errorf("%d bytes, want %d", w.Len(), want)
	}
}

// countingFile tells how many bytes were read from it.
type countingFile struct {
	io.ReaderAt
	n int
}

func (f *countingFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.ReaderAt.ReadAt(b, off)
	f.n += n
	return n, err
}

// Listing reads the directory, and of a few records the beginning.
func TestListingReadsLittle(t *testing.T) {
	a := ultima9.NewArchive(10000)
	record := make([]byte, 2<<10)
	for i := range 10000 {
		u9.Must(t, a.Replace(i, record))
	}
	f := u9.Do(os.Create(filepath.Join(t.TempDir(), "big.flx")))(t)
	defer f.Close()
	u9.Must(t, write.FLX(f, a))
	size := u9.Do(f.Seek(0, io.SeekEnd))(t)
	r := &countingFile{ReaderAt: f}
	list := u9.Do(openFLX(r, size, nil))(t)
	if len(list.Entries()) != 10000 || r.n > 128+8*10000+probeRecords*probeHead {
		t.Errorf("%d entries, %d bytes read", len(list.Entries()), r.n)
	}
}

// BenchmarkOpenArchive reads a directory of 10,000 slots; bytes are those of the directory.
func BenchmarkOpenArchive(b *testing.B) {
	a := ultima9.NewArchive(10000)
	for i := range 10000 {
		u9.Must(b, a.Replace(i, make([]byte, 64)))
	}
	var w bytes.Buffer
	u9.Must(b, write.FLX(&w, a))
	b.SetBytes(10000 * ultima9.FLXSlotSize)
	b.ReportAllocs()
	for b.Loop() {
		u9.Do(openFLX(bytes.NewReader(w.Bytes()), int64(w.Len()), nil))(b)
	}
}

// The types of the synthetic installation take their models in turn, so that several show the same one.
func TestRelatedTypes(t *testing.T) {
	path := u9.Synthetic(t, "install", "static", "sappear.flx")
	b := corpus.Bytes(t, path)
	env := &format.Env{Name: "sappear.flx", Files: u9.Folders{filepath.Dir(path)}}
	a := u9.Do(openFLX(bytes.NewReader(b), int64(len(b)), env))(t)
	for i, e := range a.Entries() {
		facts := a.Abilities().Related(i)
		switch e.Path {
		case "0":
			if facts != nil {
				t.Errorf("the debug cube belongs to %v", facts)
			}
		case "5":
			if got := fmt.Sprint(facts); !strings.HasPrefix(got, "[{types [2 type 2 10 type 10 18 type 18 ") {
				t.Error(got)
			}
		}
	}
}

// TestSniffDamaged holds that a record that was cut off is still one of its kind, so that its reader can say what is
// wrong with it.
func TestSniffDamaged(t *testing.T) {
	bell := u9.Do(os.ReadFile("../../testdata/ultima9/bell.snd"))(t)
	for n, want := range map[int]string{len(bell): "u9-sound", len(bell) - 1: "u9-sound", 0x44: "u9-sound"} {
		if got := sniff(input("", bell[:n])); got != want {
			t.Errorf("%d bytes of a sound: %q, want %q", n, got, want)
		}
	}
}
