package formats

import (
	"slices"
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
