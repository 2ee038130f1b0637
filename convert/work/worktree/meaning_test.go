package worktree_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/lamp"
)

// TestPatchMeans: a patch changes what an object refers to, where its bytes are the same as well; it goes onto a version of the
// original in which all has other numbers, comes off again, and does not touch an object that refers to something else.
func TestPatchMeans(t *testing.T) {
	wood := lamp.Package{Class: "Texture", Skin: "Wood", Brightness: 64}
	iron := lamp.Package{Class: "Texture", Skin: "Iron", Brightness: 64}
	bright := lamp.Package{Class: "Texture", Skin: "Wood", Brightness: 65}
	both := lamp.Package{Class: "Texture", Skin: "Iron", Brightness: 65}
	mesh := lamp.Package{Class: "Mesh", Skin: "Wood", Brightness: 64}
	elsewhere := func(l lamp.Package) lamp.Package {
		l.Before = []string{"Zone", "Wind", "Rain"}
		return l
	}
	for _, c := range []struct {
		name         string
		old, now     lamp.Package // what the patch is made of
		base, become lamp.Package // what it is put onto, and what that becomes
		conflict     bool
	}{
		{"a value", wood, bright, wood, bright, false},
		{"what it refers to", wood, iron, wood, iron, false},
		{"both", wood, both, wood, both, false},
		{"its class", wood, mesh, wood, mesh, false},
		{"from other numbers", elsewhere(wood), iron, elsewhere(wood), iron, false},
		{"onto other numbers", wood, both, elsewhere(wood), both, false},
		{"of what it refers to onto other numbers", wood, iron, elsewhere(wood), iron, false},
		{"onto what it is already", wood, iron, elsewhere(iron), iron, false},
		{"onto the same bytes that mean something else", wood, bright, iron, iron, true},
		{"onto another class", wood, bright, mesh, mesh, true},
	} {
		old, now, base := c.old.File(t), c.now.File(t), c.base.File(t)
		dir := filepath.Join(t.TempDir(), "patch")
		patching := worktree.Patching{Reversible: true}
		if _, err := patching.Run(context.Background(), old, now, dir, new(schema.Diagnostics)); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		put := func(onto string, reverse bool) (out string, conflicts int) {
			out = filepath.Join(t.TempDir(), "out.u")
			packing := worktree.Packing{Base: onto, Reverse: reverse}
			done, err := packing.Run(context.Background(), dir, out, new(schema.Diagnostics))
			if err != nil && !strings.Contains(err.Error(), "nothing") && done == nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if done != nil {
				conflicts = len(done.Conflicts)
			}
			if _, err := os.Stat(out); err != nil { // nothing to do
				out = onto
			}
			return out, conflicts
		}
		out, conflicts := put(base, false)
		if c.conflict != (conflicts > 0) {
			t.Errorf("%s: %d conflicts", c.name, conflicts)
		}
		alike(t, c.name, out, c.become.File(t))
		if !c.conflict && c.base.Skin == c.old.Skin {
			back, _ := put(out, true)
			alike(t, c.name+", and back", back, base)
		}
	}
}

// alike makes sure that all objects of two packages mean the same.
func alike(t *testing.T, name, a, b string) {
	t.Helper()
	x, err1 := os.ReadFile(a)
	y, err2 := os.ReadFile(b)
	if err1 != nil || err2 != nil || bytes.Equal(x, y) {
		return
	}
	objects := 0
	c := new(compare.Comparison)
	if err := c.Run(context.Background(), a, b, func(e compare.Entry) {
		if e.Whole {
			return
		}
		if objects++; !e.Status.Alike() {
			t.Errorf("%s: %s is %s: %v", name, e.Path, e.Status, e.Details)
		}
	}); err != nil || objects == 0 {
		t.Errorf("%s: %d objects, %v", name, objects, err)
	}
}
