package worktree_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/ultima9"
)

// TestManyEdits changes all texts of a large archive and adds others: each has to arrive as itself. A hash of few values
// passes every test of a small folder.
func TestManyEdits(t *testing.T) {
	entries, added := 8000, 500
	if testing.Short() {
		entries, added = 800, 50
	}
	records := make(map[int][]byte, entries)
	for i := range entries {
		records[i] = textRecord(t, fmt.Sprint("old ", i))
	}
	dir := unpack(t, newFLX(t, records), worktree.Unpacking{})
	want := map[int]string{}
	for i := range entries + added {
		want[i] = fmt.Sprint("new ", i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".txt")), []byte(want[i]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	done, out, err := pack(t, dir, worktree.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	if len(done.Changes) != entries+added || done.Unchanged != 0 {
		t.Errorf("%d changed, %d as they were; want %d and 0", len(done.Changes), done.Unchanged, entries+added)
	}
	slots := corpus.Slots(t, out)
	if len(slots) != entries+added {
		t.Errorf("%d entries, want %d", len(slots), entries+added)
	}
	for _, s := range slots {
		if !bytes.Equal(s.Payload, textRecord(t, want[s.Number])) {
			t.Fatalf("slot %d is not %q", s.Number, want[s.Number])
		}
	}
}

func textRecord(t *testing.T, text string) []byte {
	t.Helper()
	b, err := write.Text(&ultima9.Text{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// weak is a folder of testdata in which hashes say next to nothing, as an earlier version wrote them.
const weak = "../../../testdata/weak"

// TestWeakFolder packs a folder of an earlier version, untouched and with each file edited.
func TestWeakFolder(t *testing.T) {
	original := readFile(t, "../../../testdata/unreal/pictures.utx")
	for _, c := range []struct {
		name, file string
		edit       func([]byte) []byte
		want       []string
	}{
		{"untouched", "usher.json", nil, nil},
		{"a colour of a palette", "Walls.Palette2.json", swapped("#000000ff", "#00000aff"), []string{"replaced Walls.Palette2"}},
		{"a picture by another", "Walls.Board.png", func([]byte) []byte { return readFile(t, weak+"/folder/Walls.Holes.png") }, []string{"replaced Walls.Board", "replaced Walls.Palette1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "folder")
			if err := os.CopyFS(dir, os.DirFS(weak+"/folder")); err != nil {
				t.Fatal(err)
			}
			if c.edit != nil {
				p := filepath.Join(dir, c.file)
				if err := os.WriteFile(p, c.edit(readFile(t, p)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			base, out := filepath.Join(t.TempDir(), "pictures.utx"), filepath.Join(t.TempDir(), "out.utx")
			if err := os.WriteFile(base, original, 0o666); err != nil { // with another time
				t.Fatal(err)
			}
			d := new(schema.Diagnostics)
			p := worktree.Packing{Base: base}
			done, err := p.Run(context.Background(), dir, out, d)
			if err != nil {
				t.Fatal(err)
			}
			if got := actions(done); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
			if same := bytes.Equal(readFile(t, out), original); same != (c.want == nil) {
				t.Errorf("the archive is as it was: %v", same)
			}
			if !has(d, "base-unproven") {
				t.Error("nothing was said of an archive that the hash does not tell")
			}
		})
	}
}

// TestWeakPatch puts a patch of an earlier version onto its original, and onto what only looks like it.
func TestWeakPatch(t *testing.T) {
	for _, c := range []struct {
		name, base       string
		changes, unknown int
		fails            string
	}{
		{"its original", "../../../testdata/unreal/pictures.utx", 1, 1, ""},
		{"another", "../../../testdata/unreal/room61.unr", 0, 0, "is not what the patch is for"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := new(schema.Diagnostics)
			p := worktree.Packing{Base: c.base}
			done, err := p.Run(context.Background(), weak+"/patch", filepath.Join(t.TempDir(), "out"+filepath.Ext(c.base)), d)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("%v, want %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(done.Changes) != c.changes || has(d, "original-unproven") != (c.unknown > 0) {
				t.Errorf("%v, %v", actions(done), d.All())
			}
		})
	}
}

func swapped(old, now string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.Replace(b, []byte(old), []byte(now), 1) }
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func has(d *schema.Diagnostics, code string) bool {
	for _, x := range d.All() {
		if x.Code == code {
			return true
		}
	}
	return false
}
