package freelancer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestRecordFacts: what is told of a model within a game, in a mod that lies over one, and outside of any.
func TestRecordFacts(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(corpus.Testdata(t, "check"))); err != nil {
		t.Fatal(err)
	}
	const heron = "DATA/SHIPS/HERON"
	for _, place := range []string{"mod/" + heron, "alone/HERON"} {
		if err := os.CopyFS(filepath.Join(dir, place), os.DirFS(filepath.Join(dir, "game", heron))); err != nil {
			t.Fatal(err)
		}
	}
	record, levels := "record [Ship] heron, in DATA/SHIPS/shiparch.ini", "  LODranges 0, 1000: for 1 of 1 levels"
	for _, c := range []struct {
		model   string
		install []string
		want    []string
	}{
		{"game/" + heron, nil, []string{record, levels}},
		{"mod/" + heron, nil, []string{record, levels, "  missing hardpoints [HpWeapon02 of [Ship] heron]"}},
		{"mod/" + heron, []string{"game"}, []string{record, levels, "  missing hardpoints [HpWeapon02 of [Ship] heron]"}},
		{"alone/HERON", nil, nil},
	} {
		o := format.Options{}
		for _, name := range c.install {
			o.Install = append(o.Install, filepath.Join(dir, name))
		}
		l := engine.Loader{Detail: true, Options: o}
		d, err := l.Describe(engine.Source{Path: filepath.Join(dir, filepath.FromSlash(c.model), "heron.cmp")})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range d.Facts {
			if slices.Contains([]string{"record", "  LODranges", "  missing hardpoints"}, f.Name) {
				got = append(got, fmt.Sprint(f.Name, " ", f.Value))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s over %v: %q, want %q", c.model, c.install, got, c.want)
		}
	}
}
