package find

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestListBoth: of two versions of a game those files count that both have, in the folders that correspond; what the user named
// belongs to neither, and another tree has nothing in common.
func TestListBoth(t *testing.T) {
	dir := tree(t, "old/game/data/ships/a.sur", "old/game/data/ships/b.sur", "old/game/data/c.sur", "new/game/data/ships/A.SUR", "new/game/data/c.sur", "new/game/data/d.sur", "named/a.sur", "named/e.sur")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	files := Search{Home: at("old/game/data/ships"), Other: &Search{Home: at("new/game/data/ships")}}.Files()
	for _, c := range []struct {
		folder string
		deep   bool
		want   string
	}{
		{"old/game/data/ships", false, "a.sur"}, {"old/game/data", false, "c.sur"}, {"old/game/data", true, "c.sur a.sur"}, {"old/game", true, "c.sur a.sur"}, {"old", true, ""}, {"old", false, ""},
		{"named", true, "a.sur e.sur"}, {"named", false, "a.sur e.sur"},
	} {
		var got []string
		for _, x := range files.List(at(c.folder), c.deep, ".sur") {
			got = append(got, filepath.Base(x.Path))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s, deep %t: %q, want %q", c.folder, c.deep, got, c.want)
		}
	}
	for folder, want := range map[string]string{"old/game/data/ships": "new/game/data/ships", "old/game": "new/game", "": ".", "old/game/data/other": "", "named": ""} {
		got, ok := files.counterpart(at(folder))
		if rel, _ := filepath.Rel(dir, got); ok != (want != "") || ok && filepath.ToSlash(rel) != want {
			t.Errorf("%s corresponds to %q, %t, want %q", folder, got, ok, want)
		}
	}
}

// TestOtherStem: what is called like one input corresponds to what is called like the other.
func TestOtherStem(t *testing.T) {
	dir := tree(t, "old/ship.cmp", "old/ship.mat", "old/same.mat", "new/boat.CMP", "new/ship.mat", "new/same.mat")
	old, with := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	files := Search{Home: old, Stem: "ship", Folders: []string{old}, Other: &Search{Home: with, Stem: "boat", Folders: []string{with}}}.Files()
	for name, want := range map[string]bool{"ship.cmp": true, "SHIP.cmp": true, "data/ship.cmp": true, "ship.mat": false, "same.mat": true, "boat.cmp": false} {
		if _, ok := files.Locate(name); ok != want {
			t.Errorf("%s is found: %t, want %t", name, ok, want)
		}
	}
	var got []string
	for _, x := range files.List(old, false, ".cmp", ".mat") {
		got = append(got, filepath.Base(x.Path))
	}
	if strings.Join(got, " ") != "same.mat ship.cmp" {
		t.Errorf("both have %q", got)
	}
}
