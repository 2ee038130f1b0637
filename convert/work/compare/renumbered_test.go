package compare_test

import (
	"testing"

	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/testdata/lamp"
)

// TestRenumbered: an object that says the same with other numbers is told from one that says something else, even where
// only the class of what it refers to is another one.
func TestRenumbered(t *testing.T) {
	old := lamp.Package{Class: "Texture", Skin: "Wood", Brightness: 64}.File(t)
	for _, c := range []struct {
		name string
		made lamp.Package
		want compare.Status
	}{
		{"same, beside another name", lamp.Package{Class: "Texture", Skin: "Wood", Brightness: 64}, compare.Same},
		{"other numbers", lamp.Package{Before: []string{"Zone", "Wind"}, Class: "Texture", Skin: "Wood", Brightness: 64}, compare.Renumbered},
		{"another value", lamp.Package{Before: []string{"Zone"}, Class: "Texture", Skin: "Wood", Brightness: 65}, compare.Changed},
		{"another object", lamp.Package{Before: []string{"Zone"}, Class: "Texture", Skin: "Iron", Brightness: 64}, compare.Changed},
		{"another object in its place", lamp.Package{Class: "Texture", Skin: "Iron", Brightness: 64}, compare.Changed},
		{"an object of another class", lamp.Package{Class: "Mesh", Skin: "Wood", Brightness: 64}, compare.Changed},
	} {
		got := compare.Same // of files that are the same nothing is told
		for _, e := range compared(t, new(compare.Comparison), old, c.made.File(t)) {
			if e.Path == "Lamp" {
				got = e.Status
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
