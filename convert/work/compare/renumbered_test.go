package compare_test

import (
	"testing"

	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/testdata/lamp"
)

// TestRenumbered: an object that says the same with other numbers is told from one that says something else, even where
// only the class of what it refers to is another one.
func TestRenumbered(t *testing.T) {
	wood, odd := lamp.Package{Class: "Texture", Skin: "Wood", Brightness: 64}, lamp.Package{Class: "Texture", Skin: "Wo'd", Brightness: 64}
	for _, c := range []struct {
		name string
		old  lamp.Package
		made lamp.Package
		want compare.Status
	}{
		{"same, beside another name", wood, lamp.Package{Class: "Texture", Skin: "Wood", Brightness: 64}, compare.Same},
		{"other numbers", wood, lamp.Package{Before: []string{"Zone", "Wind"}, Class: "Texture", Skin: "Wood", Brightness: 64}, compare.Renumbered},
		{"another value", wood, lamp.Package{Before: []string{"Zone"}, Class: "Texture", Skin: "Wood", Brightness: 65}, compare.Changed},
		{"another object", wood, lamp.Package{Before: []string{"Zone"}, Class: "Texture", Skin: "Iron", Brightness: 64}, compare.Changed},
		{"another object in its place", wood, lamp.Package{Class: "Texture", Skin: "Iron", Brightness: 64}, compare.Changed},
		{"an object of another class", wood, lamp.Package{Class: "Mesh", Skin: "Wood", Brightness: 64}, compare.Changed},
		{"an odd name in the place of another", odd, lamp.Package{Class: "Texture", Skin: "Ir'n", Brightness: 64}, compare.Changed},
		{"an odd name with another number", odd, lamp.Package{Before: []string{"Zone"}, Class: "Texture", Skin: "Wo'd", Brightness: 64}, compare.Renumbered},
	} {
		got := compare.Same // of files that are the same nothing is told
		for _, e := range compared(t, new(compare.Comparison), c.old.File(t), c.made.File(t)) {
			if e.Path == "Lamp" {
				got = e.Status
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
