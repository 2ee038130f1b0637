package sheet_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestHullsBeside: the picture of a ship is the same whether its hulls lie beside it or not, and they have no cell of
// their own there; where they are asked for they are seen.
func TestHullsBeside(t *testing.T) {
	ship, hulls := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), corpus.Bytes(t, corpus.Testdata(t, "freelancer", "gunship.sur"))
	ball := corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "ball.u3d"))
	draw := func(options format.Options, files map[string][]byte) (string, []byte) {
		t.Helper()
		in, out := t.TempDir(), filepath.Join(t.TempDir(), "sheet.png")
		for name, b := range files {
			if err := os.WriteFile(filepath.Join(in, name), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cells, _, err := run(t, &sheet.Drawing{Loader: engine.Loader{Options: options}, Out: out}, in)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, c := range cells {
			list = append(list, filepath.Base(c.Source)+" "+strings.Join(slices.Concat(c.Facts, c.Notes), ", "))
		}
		return strings.Join(list, "; "), corpus.Bytes(t, out)
	}
	show := func(list ...string) format.Options { return format.Options{GLTF: format.GLTFOptions{Show: list}} }
	_, alone := draw(format.Options{}, map[string][]byte{"ship.cmp": ship})
	for _, c := range []struct {
		name    string
		options format.Options
		files   map[string][]byte
		want    string
		same    bool // as the ship alone
	}{
		{"beside", format.Options{}, map[string][]byte{"ship.cmp": ship, "ship.sur": hulls}, "ship.cmp 36 triangles", true},
		{"in other letters", format.Options{}, map[string][]byte{"ship.cmp": ship, "SHIP.SUR": hulls}, "ship.cmp 36 triangles", true},
		{"show none", show("none"), map[string][]byte{"ship.cmp": ship, "ship.sur": hulls}, "ship.cmp 36 triangles", true},
		{"show hardpoints", show("hardpoints"), map[string][]byte{"ship.cmp": ship, "ship.sur": hulls}, "ship.cmp 36 triangles", true},
		{"show hulls", show("hulls"), map[string][]byte{"ship.cmp": ship, "ship.sur": hulls}, "ship.cmp 100 triangles", false},
		{"show all", show("all"), map[string][]byte{"ship.cmp": ship, "ship.sur": hulls}, "ship.cmp 100 triangles", false},
		{"all levels", format.Options{GLTF: format.GLTFOptions{Levels: "all"}}, map[string][]byte{"ball.u3d": ball}, "ball.u3d 756 triangles", false},
		{"the best level", format.Options{}, map[string][]byte{"ball.u3d": ball}, "ball.u3d 576 triangles", false},
		{"apart", format.Options{}, map[string][]byte{"ship.cmp": ship, "other.sur": hulls}, "other.sur 80 triangles; ship.cmp 36 triangles", false},
	} {
		got, page := draw(c.options, c.files)
		if got != c.want || bytes.Equal(page, alone) != c.same {
			t.Errorf("%s: %q, want %q; as without hulls: %v, want %v", c.name, got, c.want, bytes.Equal(page, alone), c.same)
		}
	}
}

// TestTold: "info" tells of as many triangles as its picture on a sheet has, of every model in testdata.
func TestTold(t *testing.T) {
	told := 0
	for _, family := range corpus.Families(t) {
		dir := corpus.Testdata(t, family)
		cells, _, err := run(t, &sheet.Drawing{Kinds: []format.Kind{format.Model}, Out: filepath.Join(t.TempDir(), "sheet.png"), DryRun: true}, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cells {
			if len(c.Facts) == 0 || !strings.Contains(c.Facts[0], " triangle") {
				continue
			}
			path, entry, err := engine.ParseOperand(c.Source)
			if err != nil {
				t.Fatal(err)
			}
			d, err := (&engine.Loader{Detail: true}).Describe(engine.Source{Path: path, Entry: entry})
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(d.Facts, func(f format.Fact) bool { return f.Name == "drawn" })
			if i < 0 {
				if _, x := interchange.SniffFile(path); x == nil {
					t.Errorf("%s: not a word of what is drawn", c.Source)
				}
				continue
			}
			if told++; !strings.HasPrefix(d.Facts[i].Value.(string), c.Facts[0]+",") {
				t.Errorf("%s: %v, and its picture has %s", c.Source, d.Facts[i].Value, c.Facts[0])
			}
		}
	}
	if told < 20 {
		t.Errorf("%d models", told)
	}
}
