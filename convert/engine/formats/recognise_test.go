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

// TestDistance: the least number of letters added, left out, changed or swapped, up to a limit.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"abc", "xabc", 1}, {"abcd", "badc", 2},
		{"abcd", "dcba", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"ca", "abc", 3}, {"aab", "baa", 2}, {"äöü", "äüö", 1}, {"xaay", "xyaa", 2}, {"ab", "ba", 1}, {"aXb", "abX", 1},
	} {
		if got := distance([]rune(c.a), []rune(c.b), 9); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance([]rune(c.b), []rune(c.a), 9); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.b, c.a, got, c.want)
		}
		for limit := 1; limit < c.want; limit++ {
			if got := distance([]rune(c.a), []rune(c.b), limit); got < limit {
				t.Errorf("%q to %q: %d, below the limit of %d", c.a, c.b, got, limit)
			}
		}
	}
}

// TestNearestReach: a name is meant if no more than two letters, or a third of a long word, are otherwise, and something is left.
func TestNearestReach(t *testing.T) {
	for _, c := range []struct{ word, known, want string }{
		{"ab", "ax", "ax"}, {"ab", "xy", ""}, {"abc", "aqq", "aqq"}, {"abc", "qqq", ""}, {"abcdef", "abcdqq", "abcdqq"}, {"abcdef", "abcqqq", ""}, {"abcdefghi", "abcdefqqq", "abcdefqqq"},
		{"abcdefghi", "abcdexxxx", ""}, {"abcd", "abcdef", "abcdef"}, {"abcd", "abcdefg", ""}, {"abcdef", "abcd", "abcd"}, {"abcdef", "abc", ""}, {"a", "a", "a"}, {"a", "ab", ""}, {"äbc", "ÄBX", "ÄBX"},
		{"abcd", "abxd abcd", "abcd"}, {"abcd", "abxd axcd", "abxd"}, {"abcd", "xxcd abxd", "abxd"},
	} {
		if got := Nearest(c.word, slices.Values(strings.Fields(c.known))); got != c.want {
			t.Errorf("%q of %s: %q, want %q", c.word, c.known, got, c.want)
		}
	}
	if got := Nearest("a", nil); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

// TestNearestExtension: an extension with one letter otherwise or swapped, or one too few, is taken for the one that it nearly is.
func TestNearestExtension(t *testing.T) {
	for ext, want := range map[string]string{
		".sru": ".sur", ".cmq": ".cmp", ".3bd": ".3db", ".utff": "", ".u": "", ".xyzw": "", ".unx": ".unr", ".sur": ".sur", "": "", ".qqq": "", ".qq": "",
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
	ProbeFile(filepath.Join(t.TempDir(), "nothing"), func(*format.Input) { t.Error("a file that is not there is looked at") })
}

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, os.ErrClosed }

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
