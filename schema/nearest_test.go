package schema

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"--output", "--only", "--to", "--jobs", "--include", "Skins/Brick", "Skins/Brock", "u9-texture"}
	tests := []struct{ word, want string }{
		{"--ouptut", "--output"}, // two letters swapped
		{"--outptu", "--output"},
		{"--job", "--jobs"},
		{"--INCLUDE", "--include"},
		{"skins/brick", "Skins/Brick"},
		{"Skins/Brack", "Skins/Brick"}, // the first of two
		{"u9texture", "u9-texture"},
		{"x", ""},
		{"", ""},
		{"--nonsense", ""},
		{"Skins", ""},
	}
	for _, tt := range tests {
		if got := Nearest(tt.word, slices.Values(known)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.word, got, tt.want)
		}
	}
}

// TestDistance: the least number of letters added, left out, changed or swapped.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"abc", "xabc", 1}, {"abcd", "badc", 2},
		{"abcd", "dcba", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"ca", "abc", 3}, {"aab", "baa", 2}, {"äöü", "äüö", 1}, {"xaay", "xyaa", 2}, {"ab", "ba", 1}, {"aXb", "abX", 1},
	} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance([]rune(c.b), []rune(c.a)); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

// TestNearestReach: a name is meant if no more than two letters, or a third of a long word, are otherwise, and something is left.
func TestNearestReach(t *testing.T) {
	for _, c := range []struct{ word, known, want string }{
		{"ab", "ax", "ax"}, {"ab", "xy", ""}, {"abc", "aqq", "aqq"}, {"abc", "qqq", ""}, {"abcdef", "abcdqq", "abcdqq"}, {"abcdef", "abcqqq", ""}, {"abcdefghi", "abcdefqqq", "abcdefqqq"},
		{"abcdefghi", "abcdexxxx", ""}, {"abcd", "abcdef", "abcdef"}, {"abcd", "abcdefg", ""}, {"abcdef", "abcd", "abcd"}, {"abcdef", "abc", ""}, {"a", "a", "a"}, {"a", "ab", ""}, {"äbc", "ÄBX", "ÄBX"},
		{"abcd", "abxd abcd", "abcd"}, {"abcd", "abxd axcd", "abxd"}, {"abcd", "xxcd abxd", "abxd"},
	} {
		if got := Nearest(c.word, slices.Values(strings.Fields(c.known))); got != c.want {
			t.Errorf("%q of %s: %q, want %q", c.word, c.known, got, c.want)
		}
	}
	if got := Nearest("a", nil); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}
