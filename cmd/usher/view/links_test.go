package view

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestLinks: a texture knows the models that wear it, and they know it.
func TestLinks(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t, "unreal"))
	wearers := 0
	for _, r := range allRows(t, v) {
		if r.Kind != "texture" {
			continue
		}
		var l Links
		for start := time.Now(); ; {
			getJSON(t, v, fmt.Sprintf("/api/links/%d", r.ID), &l)
			if !l.Busy || time.Since(start) > time.Minute {
				break
			}
			time.Sleep(time.Millisecond)
		}
		for _, m := range l.UsedBy {
			wearers++
			var back Links
			getJSON(t, v, fmt.Sprintf("/api/links/%d", m.ID), &back)
			found := false
			for _, x := range back.Uses {
				found = found || x.ID == r.ID
			}
			if !found {
				t.Errorf("%s is worn by %s, which does not know it: %v", r.Name, m.Name, back.Uses)
			}
		}
		t.Logf("%s: %v", r.Name, l.UsedBy)
	}
	if wearers == 0 {
		t.Error("no texture is worn")
	}
	if got := strings.Join(linkNames(`Textures\Walls.Brick.tga`, "12", "a"), " "); got != "textures/walls.brick.tga walls.brick.tga walls.brick" {
		t.Errorf("names %q", got)
	}
}

// TestLinksByNumber: where textures have numbers for names, a model finds those of the archive that it reads.
func TestLinksByNumber(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t, "show", "village"))
	worn := map[string]string{}
	for _, r := range allRows(t, v) {
		if r.Kind != "model" {
			continue
		}
		var l Links
		getJSON(t, v, fmt.Sprintf("/api/links/%d", r.ID), &l)
		var names []string
		for _, x := range l.Uses {
			names = append(names, filepath.Base(x.Name))
		}
		slices.Sort(names)
		worn[r.Name] = strings.Join(names, " ")
	}
	want := map[string]string{"1": "bitmap16.flx:1 bitmap16.flx:2 bitmap16.flx:3 bitmap16.flx:4 bitmap16.flx:5", "2": "bitmap16.flx:6"}
	if !maps.Equal(worn, want) {
		t.Errorf("worn: %q, want %q", worn, want)
	}
}

// TestLinksElsewhere: of two ships with textures of the same names each wears its own, which are worn by it alone; the
// other one's are told apart from them.
func TestLinksElsewhere(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		b := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
		if err := os.WriteFile(filepath.Join(dir, name, "ship.cmp"), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	v := newViewer(t, dir)
	for _, r := range allRows(t, v) {
		n, _ := v.tree.get(r.ID)
		var l Links
		for getJSON(t, v, fmt.Sprintf("/api/links/%d?like=1", r.ID), &l); l.Busy; getJSON(t, v, fmt.Sprintf("/api/links/%d?like=1", r.ID), &l) {
			time.Sleep(time.Millisecond)
		}
		var own, others []Step
		switch r.Kind {
		case "model":
			for _, x := range l.Uses {
				own = append(own, x.Step)
			}
		case "texture":
			own = l.UsedBy
		}
		others = l.Like
		if want := map[string]int{"model": 2, "texture": 1}[r.Kind]; len(own) != want || len(others) != want {
			t.Errorf("%s: %v, and elsewhere %v", n.source(), own, others)
		}
		for _, s := range own {
			if m, _ := v.tree.get(s.ID); m.path != n.path {
				t.Errorf("%s and %s", n.source(), s.Name)
			}
		}
		for _, s := range others {
			if m, _ := v.tree.get(s.ID); m.path == n.path {
				t.Errorf("%s and, elsewhere, %s", n.source(), s.Name)
			}
		}
	}
}

// TestHomeCounts: what is told of a folder is what is in it, and its cards tell of what is in them.
func TestHomeCounts(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t))
	all := allRows(t, v)
	var h Home
	getJSON(t, v, "/api/home/0", &h)
	want := map[string]int{}
	for _, r := range all {
		n, _ := v.tree.get(r.ID)
		want[familyTitles[familyOf(r.Format)]+" "+n.sort()]++
	}
	for _, f := range h.Families {
		for _, c := range f.Kinds {
			if what := f.Name + " " + c.Kind; want[what] != c.Count {
				t.Errorf("%s: %d, there are %d", what, c.Count, want[what])
			}
			delete(want, f.Name+" "+c.Kind)
		}
	}
	if len(want) > 0 {
		t.Errorf("nothing is told of %v", want)
	}
	var drawn Listing
	getJSON(t, v, "/api/list?under=0&flat=1&drawn=1&count=500", &drawn)
	sum := 0
	for _, k := range h.Kinds {
		sum += k.Count
	}
	inside := 0 // textures of models are counted, and are no pictures of the folder's own
	for _, r := range all {
		if n, _ := v.tree.get(r.ID); n.kind == format.Texture && n.place == entry && !strings.Contains(n.path, ".txm") && v.tree.nodes[n.parent].leaf() {
			inside++
		}
	}
	if sum != drawn.Total+inside {
		t.Errorf("%d are told of, %d are drawn and %d are in models", sum, drawn.Total, inside)
	}
	last := -2
	for _, r := range drawn.Rows {
		if n, _ := v.tree.get(r.ID); n.rank() < last {
			t.Errorf("%s comes too late", r.Name)
		} else {
			last = n.rank()
		}
	}
}
