package compare_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/testdata/corpus"
)

func compared(t testing.TB, c *compare.Comparison, a, b string) []compare.Entry {
	t.Helper()
	var list []compare.Entry
	if err := c.Run(context.Background(), a, b, func(e compare.Entry) { list = append(list, e) }); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRenamed: what has other bytes is not renamed, each is renamed once, and what is empty is not.
func TestRenamed(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"a/one": "same", "a/two": "same", "a/three": "other", "a/none": "", "a/stays": "x", "a/0first": "first", "a/1keep": "same", "b/1keep": "same",
		"b/0first": "first", "b/copy": "first", "b/eins": "same", "b/zwei": "same", "b/drei": "same", "b/vier": "OTHER", "b/leer": "", "b/stays": "x",
	} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, workers := range []int{1, 4} {
		c := &compare.Comparison{Session: batch.Session{Workers: workers}}
		var got []string
		for _, e := range compared(t, c, filepath.Join(dir, "a"), filepath.Join(dir, "b")) {
			got = append(got, strings.TrimSpace(fmt.Sprint(e.Status, " ", e.From, " ", e.Path)))
		}
		slices.Sort(got)
		want := []string{
			"same  0first", "same  1keep", "added  copy", "added  leer", "added  vier", "added  zwei", "removed  none", "removed  three", "renamed one drei", "renamed two eins", "same  stays", // in the order of both sides
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestUnknown: of files that nobody knows the bytes are compared, and that is not worth a note; of one that cannot be read
// it is.
func TestUnknown(t *testing.T) {
	dir := t.TempDir()
	bell := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "bell.snd"))
	flx := string(corpus.Bytes(t, corpus.Testdata(t, "ultima9", "sappear.flx")))
	for _, c := range []struct{ name, a, b, note string }{
		{"notes.xyz", "one", "two", ""},
		{"was.xyz", flx, "two", ""},
		{"is.xyz", "one", flx, ""},
		{"bell.snd", string(bell), string(bell[:20]), "the bytes alone are compared: "},
	} {
		got := compared(t, new(compare.Comparison), save(t, []byte(c.a), dir, "a", c.name), save(t, []byte(c.b), dir, "b", c.name))
		if len(got) != 1 || got[0].Status != compare.Changed || c.note == "" && got[0].Note != "" || !strings.HasPrefix(got[0].Note, c.note) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestOperands: what cannot be compared is refused.
func TestOperands(t *testing.T) {
	file, dir := corpus.Testdata(t, "ultima9", "ankh.pal"), corpus.Testdata(t, "unreal")
	for _, c := range []struct {
		a, b string
		want error
	}{
		{file, filepath.Join(dir, "absent"), os.ErrNotExist},
		{filepath.Join(dir, "absent"), file, os.ErrNotExist},
		{file, dir, compare.ErrKinds},
		{dir, file, compare.ErrKinds},
	} {
		err := new(compare.Comparison).Run(context.Background(), c.a, c.b, func(compare.Entry) {})
		if err == nil || c.want == compare.ErrKinds && !errors.Is(err, c.want) {
			t.Errorf("%s, %s: %v", c.a, c.b, err)
		}
	}
	c := &compare.Comparison{Selection: batch.Selection{Include: []string{"nothing"}}}
	if err := c.Run(context.Background(), dir, dir, func(compare.Entry) {}); !errors.Is(err, formats.ErrNothing) {
		t.Error(err)
	}
}

// TestDamage: each file of testdata is compared with itself after a byte was changed, at many places: nothing panics, and
// the difference is seen.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	for _, family := range corpus.Families(t) {
		found, err := filepath.Glob(corpus.Testdata(t, family, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found {
			if info, err := os.Stat(p); err != nil || info.IsDir() {
				continue
			}
			b := corpus.Bytes(t, p)
			other := filepath.Join(dir, filepath.Base(p))
			for _, share := range []int{3, 11, 37, 50, 71, 93} {
				at := len(b) * share / 100
				damaged := slices.Clone(b)
				damaged[at] ^= 0x11
				if err := os.WriteFile(other, damaged, 0o666); err != nil {
					t.Fatal(err)
				}
				seen := false
				for _, e := range compared(t, &compare.Comparison{Draw: sheet.Compared(16)}, p, other) {
					seen = seen || e.Status != compare.Same
					if e.Err != nil && strings.Contains(e.Err.Error(), "internal error") {
						t.Errorf("%s, byte %d: %v", p, at, e.Err)
					}
				}
				if !seen {
					t.Errorf("%s, byte %d: nothing differs", p, at)
				}
			}
		}
	}
}

// BenchmarkSame compares a folder with itself.
func BenchmarkSame(b *testing.B) {
	dir := corpus.Testdata(b, "ultima9")
	b.ReportAllocs()
	for b.Loop() {
		compared(b, new(compare.Comparison), dir, dir)
	}
}

// TestNothing: a file that is on one side alone came or went, with its entries.
func TestNothing(t *testing.T) {
	mill, walls := corpus.Testdata(t, "ultimate3d/windmill.u3d"), corpus.Testdata(t, "unreal/pictures.utx")
	for _, c := range []struct {
		old, now string
		status   compare.Status
		entries  int
	}{
		{"/dev/null", mill, compare.Added, 1},
		{mill, "/dev/null", compare.Removed, 1},
		{os.DevNull, walls, compare.Added, 6},
		{walls, "/dev/null", compare.Removed, 6},
	} {
		list := compared(t, &compare.Comparison{}, c.old, c.now)
		if len(list) != c.entries || list[0].Path != filepath.Base(strings.Replace(c.now, "/dev/null", c.old, 1)) {
			t.Errorf("%s against %s: %d entries, the first is %s", c.old, c.now, len(list), list[0].Path)
		}
		for _, e := range list {
			size, other := e.NewSize, e.OldSize
			if c.status == compare.Removed {
				size, other = other, size
			}
			if e.Status != c.status || e.Format == "" || size == 0 || other != 0 {
				t.Errorf("%s against %s: %+v", c.old, c.now, e)
			}
		}
	}
	for _, other := range []string{"/dev/null", t.TempDir()} {
		if err := (&compare.Comparison{}).Run(context.Background(), "/dev/null", other, nil); !errors.Is(err, compare.ErrKinds) {
			t.Errorf("nothing against %s: %v", other, err)
		}
	}
}
