package formats

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
)

// TestNearestExtension: an extension with one letter otherwise or swapped, or one too few, is taken for the one that it nearly is.
func TestNearestExtension(t *testing.T) {
	for ext, want := range map[string]string{
		".sru": ".sur", ".cmq": ".cmp", ".3bd": ".3db", ".utff": "", ".u": "", ".xyzw": "", ".unx": ".unr", ".sur": ".sur", "": "", ".qqq": "", ".qq": "",
		".cm": ".cmp", ".uu": ".uz", ".surx": "", "_a.3b": "",
	} {
		if got := NearestExtension(ext); got != want {
			t.Errorf("%q: %q, want %q", ext, got, want)
		}
	}
}

// TestVagueExtensions: extensions that all the world uses say nothing alone, and numbers do not.
func TestVagueExtensions(t *testing.T) {
	for ext, want := range map[string]bool{".dat": true, ".DAT": true, ".txt": true, ".tbl": true, ".bin": true, ".9": true, ".123": true, ".cmp": false, ".9a": false, "": false, ".": false} {
		if got := VagueExtension(ext); got != want {
			t.Errorf("%q: %t", ext, got)
		}
	}
}

// TestInputs: the probes see the beginning of a file, however it is opened, and its size.
func TestInputs(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789"), 7000)
	for _, b := range [][]byte{nil, []byte("x"), long[:headSize-1], long[:headSize], long[:headSize+1], long} {
		p := filepath.Join(t.TempDir(), "a.bin")
		if err := os.WriteFile(p, b, 0o666); err != nil {
			t.Fatal(err)
		}
		seen := 0
		look := func(in *format.Input, err error) {
			if seen++; err != nil || in.Name != "a.bin" || in.Size != int64(len(b)) || !bytes.Equal(in.Head, b[:min(len(b), headSize)]) {
				t.Errorf("%d bytes: %v", len(b), err)
			}
		}
		look(NewInput("a.bin", b), nil)
		look(ProbeInput("a.bin", bytes.NewReader(b), int64(len(b))))
		ProbeFile(p, func(in *format.Input) { look(in, nil) })
		if seen != 3 {
			t.Errorf("%d bytes: seen %d times", len(b), seen)
		}
		if _, err := ProbeInput("a.bin", bytes.NewReader(b), int64(len(b))+1); len(b) < headSize && err == nil {
			t.Errorf("%d bytes that claim to be more are read", len(b))
		}
	}
	if _, err := ProbeInput("a.bin", nil, 3); err == nil {
		t.Error("nothing is read")
	}
	if _, err := ProbeInput("a.bin", failing{}, 3); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a file that is closed: %v", err)
	}
	ProbeFile(t.TempDir(), func(*format.Input) { t.Error("a folder is looked at") })
	ProbeFile(filepath.Join(t.TempDir(), "nothing"), func(*format.Input) { t.Error("a file that is not there is looked at") })
}

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, os.ErrClosed }

// sureOf makes a format that is so sure of every input.
func sureOf(name string, c format.Confidence, kind format.Kind, extensions ...string) format.Format {
	return format.Format{Name: name, Kind: kind, Extensions: extensions, Probe: func(*format.Input) format.Confidence { return c }}
}

// among replaces the list of formats while a test runs.
func among(t *testing.T, list ...format.Format) {
	t.Helper()
	all := All
	t.Cleanup(func() { All = all })
	All = list
}

func nameOf(f *format.Format) string {
	if f == nil {
		return ""
	}
	return f.Name
}

// TestSniff: content that speaks for itself decides, the extension where two are as sure; else those with the extension are left, the
// surest of them first.
func TestSniff(t *testing.T) {
	silent := format.Format{Name: "silent", Extensions: []string{".si"}} // it has no probe
	for _, c := range []struct {
		file string
		list []format.Format
		want string
	}{
		{"a.x", []format.Format{sureOf("a", 60, format.Model, ".a"), sureOf("b", 80, format.Model, ".b"), sureOf("c", 60, format.Model, ".c")}, "b"},
		{"a.x", []format.Format{sureOf("a", 60, format.Model, ".a"), sureOf("b", 60, format.Model, ".b")}, "a"},
		{"a.b", []format.Format{sureOf("a", 60, format.Model, ".a"), sureOf("b", 60, format.Model, ".b")}, "b"},
		{"a.a", []format.Format{sureOf("a", 60, format.Model, ".a"), sureOf("b", 60, format.Model, ".a")}, "a"},
		{"a.b", []format.Format{sureOf("a", 80, format.Model, ".a"), sureOf("b", 60, format.Model, ".b")}, "a"},
		{"a.x", []format.Format{sureOf("a", 59, format.Model, ".a"), silent}, ""},
		{"a.b", []format.Format{sureOf("a", 59, format.Model, ".a"), sureOf("b", 0, format.Model, ".b")}, "b"},
		{"a.b", []format.Format{sureOf("a", 25, format.Model, ".b"), sureOf("b", 30, format.Model, ".b"), sureOf("c", 30, format.Model, ".b")}, "b"},
		{"a.b", []format.Format{sureOf("a", 0, format.Model, ".b"), sureOf("b", 0, format.Model, ".b")}, "a"},
		{"a.b", []format.Format{sureOf("a", 0, format.Model, ".a"), sureOf("b", 0, format.Model, ".b")}, "b"},
		{"a.si", []format.Format{sureOf("a", 25, format.Model, ".a"), silent}, "silent"},
		{"a.dat", []format.Format{sureOf("a", 0, format.Model, ".dat"), sureOf("b", 25, format.Model, ".dat")}, "b"},
		{"a.dat", []format.Format{sureOf("a", 0, format.Model, ".dat")}, ""},
		{"a.7", []format.Format{sureOf("a", 0, format.Model, ".*")}, ""},
		{"a.7", []format.Format{sureOf("a", 25, format.Model, ".*")}, "a"},
	} {
		among(t, c.list...)
		if got := nameOf(Sniff(NewInput(c.file, nil))); got != c.want {
			t.Errorf("%s of %d formats: %q, want %q", c.file, len(c.list), got, c.want)
		}
	}
}

// TestArchiveAround: an archive that is certain of an input is taken, other formats and archives that are less sure are not.
func TestArchiveAround(t *testing.T) {
	for _, c := range []struct {
		sure format.Format
		want string
	}{
		{sureOf("a", 100, format.Archive), "a"}, {sureOf("a", 99, format.Archive), ""}, {sureOf("a", 100, format.Model), ""}, {format.Format{Name: "a", Kind: format.Archive}, ""},
	} {
		among(t, sureOf("first", 80, format.Archive), c.sure)
		if got := nameOf(ArchiveAround(NewInput("a.x", nil))); got != c.want {
			t.Errorf("%d: %q, want %q", c.sure.Kind, got, c.want)
		}
	}
}

// TestLeafOfArchive: a format that was named is that of the entries where the file is structured as an archive.
func TestLeafOfArchive(t *testing.T) {
	leaf := sureOf("leaf", 0, format.Model)
	for c, want := range map[format.Confidence]string{100: "a", 60: "a", 59: "leaf"} {
		among(t, sureOf("a", c, format.Archive, ".a"))
		if f, _ := FormatAndLeaf(NewInput("x.a", nil), &leaf); f.Name != want {
			t.Errorf("an archive of confidence %d: %s, want %s", c, f.Name, want)
		}
	}
}

// TestStem: a name loses its last extension, but no number.
func TestStem(t *testing.T) {
	for name, want := range map[string]string{"a.png": "a", "a.b.png": "a.b", "terrain.9": "terrain.9", "a": "a", ".png": "", "a.9b": "a", "a.": "a"} {
		if got := Stem(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestFormatAndLeaf: a format that was named is that of the file, or that of the entries of an archive that the file is.
func TestFormatAndLeaf(t *testing.T) {
	utf := NewInput("a.utf", append([]byte("UTF \x01\x01\x00\x00"), make([]byte, 48)...))
	text := NewInput("a.xyz", []byte("text"))
	archive, leaf := ByName("utf"), ByName("sur")
	if archive == nil || leaf == nil || archive.Open == nil || leaf.Open != nil {
		t.Fatal("they are not what they were")
	}
	for _, c := range []struct {
		what    string
		in      *format.Input
		from    *format.Format
		f, leaf *format.Format
	}{
		{"nothing named", text, nil, nil, nil}, {"a leaf", text, leaf, leaf, nil}, {"an archive", text, archive, archive, nil}, {"an archive of itself", utf, archive, archive, nil},
		{"entries", utf, leaf, Sniff(utf), leaf},
	} {
		if f, l := FormatAndLeaf(c.in, c.from); f != c.f || l != c.leaf {
			t.Errorf("%s: %v, %v", c.what, f, l)
		}
	}
	if Sniff(nil) != nil || Sniff(text) != nil {
		t.Error("nothing is recognised")
	}
	for i := range All {
		f := &All[i]
		if ByName(f.Name) != f {
			t.Errorf("%s is called otherwise", f.Name)
		}
		for _, ext := range f.Extensions {
			if !slices.Contains(ByExtension(ext), f) || !slices.Contains(ByExtension(strings.ToUpper(ext)), f) || !HasExtension(f, ext) {
				t.Errorf("%s does not have %s", f.Name, ext)
			}
		}
		if HasExtension(f, ".none of it") {
			t.Errorf("%s has every extension", f.Name)
		}
	}
}
