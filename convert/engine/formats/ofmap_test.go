package formats

import (
	"testing"
)

// A file of a map says with its name what it holds, and with its number which map; others say nothing.
func TestFormatOfMap(t *testing.T) {
	for _, tt := range []struct{ stem, ext, want string }{
		{"terrain", ".9", "u9-terrain"}, {"fixed", ".22", "u9-fixed"}, {"nonfixed", ".0", "u9-nonfixed"},
		{"terrain", ".x", ""}, {"terrain", ".terrain", ""}, {"terrain", ".", ""}, {"terrain", "", ""}, {"notes", ".9", ""}, {"u3d", ".9", ""}, {"wav", ".1", ""}, {"snd", ".9", ""},
	} {
		got := ""
		if f := OfMap(tt.stem, tt.ext); f != nil {
			got = f.Name
		}
		if got != tt.want {
			t.Errorf("%s%s is %q, want %q", tt.stem, tt.ext, got, tt.want)
		}
	}
}
