package compare_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// edited returns a file of testdata with its tree edited.
func edited(t *testing.T, name string, edit func(root *freelancer.Node)) []byte {
	t.Helper()
	tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", name)), nil)
	if err != nil {
		t.Fatal(err)
	}
	edit(tree.Root)
	b, err := write.UTF(tree)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// find returns the path of the first leaf of a name.
func find(t *testing.T, root *freelancer.Node, name string) (path string, leaf *freelancer.Node) {
	t.Helper()
	root.Walk(func(p string, n *freelancer.Node) bool {
		if leaf == nil && n.Name == name {
			path, leaf = p, n
		}
		return true
	})
	if leaf == nil {
		t.Fatalf("there is no %s", name)
	}
	return path, leaf
}

// TestModelsAsAWhole: a hardpoint that moved is told of as the leaf that it is, and as what it does to the model.
func TestModelsAsAWhole(t *testing.T) {
	dir := t.TempDir()
	path := ""
	old := save(t, edited(t, "ship.cmp", func(*freelancer.Node) {}), dir, "old", "ship.cmp")
	now := save(t, edited(t, "ship.cmp", func(root *freelancer.Node) {
		p, leaf := find(t, root, "Position")
		path = p
		x := math.Float32frombits(binary.LittleEndian.Uint32(leaf.Data))
		leaf.Data = append(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x+2)), leaf.Data[4:]...)
	}), dir, "new", "ship.cmp")
	check := func(what, a, b string) {
		t.Helper()
		var got []string
		for _, e := range compared(t, new(compare.Comparison), a, b) {
			if e.Status != compare.Same {
				got = append(got, fmt.Sprint(e.Status, " ", e.Path, " ", e.Format, " whole ", e.Whole, " ", e.Err, " ", len(e.Details) > 0))
			}
		}
		slices.Sort(got)
		want := []string{"changed " + path + " flfloats whole false <nil> true", "changed ship.cmp cmp whole true <nil> true"}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	check("two files", old, now)
	check("a folder and a file", filepath.Dir(old), now)
	check("a file and a folder", old, filepath.Dir(now))

	entry := compared(t, new(compare.Comparison), old+":"+path, now+":"+path)
	if len(entry) == 1 && entry[0].Pictures != nil {
		t.Error("pictures that nobody asked for")
	}
	if len(entry) != 1 || entry[0].Status != compare.Changed || entry[0].Format != "flfloats" || entry[0].Path != path || entry[0].Err != nil {
		t.Errorf("an entry: %+v", entry)
	}
}

// An entry that is the same in two archives is the same, though the archives are not.
func TestSameEntry(t *testing.T) {
	dir, path := t.TempDir(), ""
	a := save(t, edited(t, "crate.3db", func(root *freelancer.Node) { path, _ = find(t, root, "VMeshData") }), dir, "a.3db")
	b := save(t, edited(t, "crate.3db", func(root *freelancer.Node) { root.Set("note", []byte("new")) }), dir, "b.3db")
	e := compared(t, new(compare.Comparison), a+":"+path, b+":"+path)
	if len(e) != 1 || e[0].Status != compare.Same || e[0].Err != nil || len(e[0].Details) > 0 {
		t.Errorf("%+v", e)
	}
}

// TestNoPictures: a texture that differs has pictures where they are asked for, and else none.
func TestNoPictures(t *testing.T) {
	dir := t.TempDir()
	b := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "ankh.pal"))
	now := slices.Clone(b)
	now[len(now)-8] ^= 0xFF
	old, other := save(t, b, dir, "a.pal"), save(t, now, dir, "b.pal")
	for wanted, c := range map[bool]*compare.Comparison{true: {Draw: sheet.Compared(32)}, false: {}} {
		e := compared(t, c, old, other)
		if len(e) != 1 || e[0].Status != compare.Changed || (e[0].Pictures != nil) != wanted {
			t.Errorf("wanted %v: %+v", wanted, e)
		}
	}
}

// An archive that became one of another format says so.
func TestOtherFormat(t *testing.T) {
	dir := t.TempDir()
	a := save(t, edited(t, "crate.3db", func(*freelancer.Node) {}), dir, "x.3db")
	b := save(t, edited(t, "crate.3db", func(root *freelancer.Node) { root.Dir("Cmpnd").Dir("Root").Set("Index", make([]byte, 4)) }), dir, "x.cmp")
	said := false
	for _, e := range compared(t, new(compare.Comparison), a, b) {
		for _, d := range e.Details {
			said = said || e.Whole && e.Status == compare.Changed && d.Where == "format" && fmt.Sprint(d.Old, d.New) == "3dbcmp"
		}
	}
	if !said {
		t.Errorf("3db became cmp, and nothing says so: %+v", compared(t, new(compare.Comparison), a, b))
	}
}

// A leaf that is damaged is of the format that its entry has.
func TestDamagedEntry(t *testing.T) {
	dir := t.TempDir()
	path := ""
	a := save(t, edited(t, "crate.3db", func(*freelancer.Node) {}), dir, "a.3db")
	b := save(t, edited(t, "crate.3db", func(root *freelancer.Node) {
		p, leaf := find(t, root, "VMeshData")
		path, leaf.Data = p, leaf.Data[:9]
	}), dir, "b.3db")
	for _, e := range compared(t, new(compare.Comparison), a, b) {
		if strings.HasSuffix(e.Path, path) && !e.Whole && e.Format != "vmesh" {
			t.Errorf("%+v", e)
		}
	}
}

// Two pictures of a model that moved are taken from one place: they differ.
func TestPicturesOfAMove(t *testing.T) {
	dir := t.TempDir()
	move := func(by float32) []byte {
		return edited(t, "crate.3db", func(root *freelancer.Node) {
			_, leaf := find(t, root, "VMeshData")
			m, err := read.VMesh(leaf.Data, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range m.Positions {
				m.Positions[i][0] += by
			}
			if leaf.Data, err = write.VMesh(m); err != nil {
				t.Fatal(err)
			}
		})
	}
	drawn := false
	for _, e := range compared(t, &compare.Comparison{Draw: sheet.Compared(32)}, save(t, move(0), dir, "a.3db"), save(t, move(30), dir, "b.3db")) {
		if p := e.Pictures; p != nil && e.Whole {
			drawn = true
			if p.Before == nil || p.After == nil || bytes.Equal(p.Before.Pix, p.After.Pix) {
				t.Error("the pictures are the same, or one is missing")
			}
		}
	}
	if !drawn {
		t.Error("there are no pictures of the whole")
	}
}
