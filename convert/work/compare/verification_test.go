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

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// save writes a file of a temporary folder and returns its path.
func save(t *testing.T, content []byte, elem ...string) string {
	t.Helper()
	p := filepath.Join(elem...)
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestVerification holds the result of each operand: the name, the format, how many entries were checked, and why not.
func TestVerification(t *testing.T) {
	dir := t.TempDir()
	sappear := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "sappear.flx"))
	entries := 0
	if _, n, err := compare.Verify(sappear, nil, new(engine.Loader).Env("sappear.flx", new(schema.Diagnostics))); err != nil {
		t.Fatal(err)
	} else if entries = n; n == 0 {
		t.Fatal("no entries")
	}
	a, err := store.OpenArchive(save(t, sappear, dir, "a", "sappear.flx"), nil, new(engine.Loader).Env("sappear.flx", nil))
	if err != nil {
		t.Fatal(err)
	}
	first := a.Entries()[0].Path
	var models []string // two records, each by itself
	for _, e := range a.Entries() {
		models = append(models, "a/sappear.flx:"+e.Path+" identical sappear 0")
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	save(t, corpus.Bytes(t, corpus.Testdata(t, "ultima9", "ankh.pal")), dir, "a", "ankh.pal")
	save(t, []byte("nothing that is known"), dir, "a", "notes.xyz")
	cut := save(t, sappear[:len(sappear)-1], dir, "cut.flx")
	model := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
	broken := save(t, model[:len(model)/2], dir, "half.cmp")
	ship := save(t, model, dir, "ship.cmp")
	parts, err := store.OpenArchive(ship, nil, new(engine.Loader).Env("ship.cmp", nil))
	if err != nil {
		t.Fatal(err)
	}
	leaves := len(parts.Entries())
	if err := parts.Close(); err != nil || leaves == 0 {
		t.Fatal(leaves, err)
	}
	bell := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "bell.snd"))
	for _, c := range []struct {
		name     string
		v        compare.Verification
		operands []string
		want     []string
	}{
		{"a folder", compare.Verification{}, []string{filepath.Join(dir, "a")},
			[]string{"a/ankh.pal identical u9-palette 0", fmt.Sprint("a/sappear.flx identical flx ", entries)}},
		{"what is not there, and what is", compare.Verification{}, []string{filepath.Join(dir, "absent"), filepath.Join(dir, "a", "ankh.pal")},
			[]string{"a/ankh.pal identical u9-palette 0", "absent failed  0: "}},
		{"entries of a kind", compare.Verification{Selection: batch.Selection{Kinds: []format.Kind{format.Model}}}, []string{filepath.Join(dir, "a", "sappear.flx")}, models},
		{"what nobody knows, by its name", compare.Verification{}, []string{filepath.Join(dir, "a", "notes.xyz")},
			[]string{"a/notes.xyz failed  0: "}},
		{"an archive without its end", compare.Verification{}, []string{cut}, []string{fmt.Sprint("cut.flx failed flx ", entries-1, ": ")}},
		{"a file without its end", compare.Verification{}, []string{broken}, []string{"half.cmp failed cmp 0: "}},
		{"what is read as a whole, and has entries", compare.Verification{}, []string{ship}, []string{fmt.Sprint("ship.cmp identical cmp ", leaves)}},
		{"an entry", compare.Verification{}, []string{filepath.Join(dir, "a", "sappear.flx") + ":" + first}, []string{"a/sappear.flx:" + first + " identical sappear 0"}},
		{"two patterns", compare.Verification{}, []string{filepath.Join(dir, "a", "sappear.flx") + ":*", filepath.Join(dir, "a", "sappear.flx") + ":*"},
			slices.Sorted(slices.Values(append(slices.Clone(models), models...)))},
		{"entries of another format than it is told", compare.Verification{From: formats.ByName("u9-sound")}, []string{filepath.Join(dir, "a", "sappear.flx")},
			[]string{"a/sappear.flx failed flx 0: "}},
		{"an entry that is not there", compare.Verification{}, []string{filepath.Join(dir, "a", "sappear.flx") + ":77*"}, []string{"a/sappear.flx:77* failed  0: "}},
	} {
		var got []string
		err := c.v.Run(context.Background(), c.operands, func(r batch.Result) {
			source, _ := filepath.Rel(dir, r.Source)
			line := fmt.Sprintf("%s %v %s %d", filepath.ToSlash(source), r.Status, r.Format, r.Entries)
			if r.Err != nil {
				line += ": " + r.Err.Error()
			}
			got = append(got, line)
		})
		slices.Sort(got)
		fits := func(got, want string) bool {
			return got == want || strings.HasSuffix(want, ": ") && strings.HasPrefix(got, want)
		}
		if err != nil || !slices.EqualFunc(got, c.want, fits) {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	err = (&compare.Verification{Selection: batch.Selection{Include: []string{"nothing"}}}).Run(context.Background(), []string{dir}, func(batch.Result) {})
	if !errors.Is(err, formats.ErrNothing) {
		t.Errorf("nothing is selected: %v", err)
	}
	f := *formats.ByName("u9-sound")
	f.Check = func(any) error { return schema.ErrValue }
	if _, n, err := compare.Verify(bell, &f, &format.Env{Name: "bell.snd", Diagnostics: new(schema.Diagnostics)}); !errors.Is(err, schema.ErrValue) || n != 0 {
		t.Errorf("what a format finds wrong: %d, %v", n, err)
	}
}
