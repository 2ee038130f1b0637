package format

import "testing"

// TestUse: an entry is used by its class and its path, of which the group may be left out; capitals do not count.
func TestUse(t *testing.T) {
	for _, c := range []struct {
		path, class string
		entry       Entry
		want        bool
	}{
		{"Walls.Board", "Texture", Entry{Path: "Walls.Board", Class: "Texture"}, true},
		{"walls.BOARD", "texture", Entry{Path: "Walls.Board", Class: "Texture"}, true},
		{"Board", "Texture", Entry{Path: "Walls.Board", Class: "Texture"}, true},
		{"Walls.Board", "Texture", Entry{Path: "Walls.Board@Texture", Class: "Texture"}, true},
		{"Walls.Board", "Texture", Entry{Path: "Walls.Board", Class: "Palette"}, false},
		{"Floors.Board", "Texture", Entry{Path: "Walls.Board", Class: "Texture"}, false},
		{"oard", "Texture", Entry{Path: "Walls.Board", Class: "Texture"}, false},
	} {
		u := Use{Path: c.path, Class: c.class}
		if got := u.Names(&c.entry); got != c.want {
			t.Errorf("%s %s: %v is %v", c.class, c.path, c.entry, got)
		}
	}
}
