package main

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestDropped(t *testing.T) {
	dir := flatTestdata(t)
	a, b := filepath.Join(dir, "ball.u3d"), filepath.Join(dir, "reed.u3d")
	tests := []struct {
		name  string
		args  []string
		alone bool
		want  []string
	}{
		{"one file", []string{"usher", a}, true, []string{"usher", "drop", a}},
		{"two files", []string{"usher", a, b}, true, []string{"usher", "drop", a, b}},
		{"in a shell", []string{"usher", a}, false, nil},
		{"a double click", []string{"usher"}, true, []string{"usher", "view"}},
		{"the name alone in a shell", []string{"usher"}, false, nil},
		{"a verb", []string{"usher", "formats"}, true, nil},
		{"not there", []string{"usher", a + "x"}, true, nil},
	}
	for _, tt := range tests {
		if got := dropped(tt.args, tt.alone); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
