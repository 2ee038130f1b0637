package main

import (
	"io"
	"path/filepath"
	"slices"
	"testing"
)

// TestDropLine: what is done with each kind of thing.
func TestDropLine(t *testing.T) {
	dir := flatTestdata(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	if status := run(t.Context(), []string{"usher", "unpack", at("pictures.utx"), "-o", at("walls"), "-q"}, nil, io.Discard, io.Discard); status != 0 {
		t.Fatal(status)
	}
	if status := run(t.Context(), []string{"usher", "convert", at("ball.u3d"), "-o", at("ball.glb"), "-q"}, nil, io.Discard, io.Discard); status != 0 {
		t.Fatal(status)
	}
	for _, tt := range []struct {
		path string
		want []string
	}{
		{"sounds.uax", []string{"unpack", "-o", at("sounds"), "--", at("sounds.uax")}},
		{"walls", []string{"pack", "-o", at("walls.new.utx"), "--", at("walls")}},
		{"", []string{"desk", "--", dir}},
		{"reed.u3d", []string{"convert", "-o", dir + string(filepath.Separator), "--", at("reed.u3d")}},
		{"ball.glb", []string{"convert", "-o", at("ball.new.u3d"), "--", at("ball.glb")}},
		{"ball.u3d", nil}, // ball.glb is there
	} {
		got, err := dropLine(t.Context(), at(tt.path))
		if !slices.Equal(got, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: %q, want %q; %v", tt.path, got, tt.want, err)
		}
	}
}

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
		{"a double click", []string{"usher"}, true, []string{"usher", "desk"}},
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
