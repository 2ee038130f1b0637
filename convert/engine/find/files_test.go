package find

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestFilesFinds(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []string{"Stone.BMP", "Textures/Wood.png", "other/leaf.tga"} {
		p = filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(filepath.Base(p)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files := NewFiles(dir, filepath.Join(dir, "other"))
	for name, content := range map[string]string{"elsewhere/STONE.bmp": "named", "more/leaf.tga": "first", "more/Wood.png": "in a folder"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	with := Search{Folders: []string{dir, filepath.Join(dir, "other")}, With: []string{filepath.Join(dir, "elsewhere", "STONE.bmp"), filepath.Join(dir, "more"), filepath.Join(dir, "other", "leaf.tga")}}.Files()
	for name, want := range map[string]string{`C:\Games\Stone.bmp`: "named", "LEAF.tga": "leaf.tga", "wood.png": "in a folder", "textures/wood.png": "Wood.png"} {
		if b, _, err := with.Find(name); string(b) != want || err != nil {
			t.Errorf("with others: Find(%q) = %q, %v, want %q", name, b, err, want)
		}
	}
	for _, tt := range []struct{ name, want string }{
		{"stone.bmp", "Stone.BMP"},
		{`C:\Games\Stone.bmp`, "Stone.BMP"},
		{`textures\WOOD.PNG`, "Wood.png"},
		{"LEAF.tga", "leaf.tga"},
		{"../../stone.bmp", "Stone.BMP"},
		{"/Textures//./wood.png", "Wood.png"},
		{"textures", ""},
		{"nothing.png", ""},
		{"", ""},
	} {
		b, _, err := files.Find(tt.name)
		if string(b) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("Find(%q) = %q, %v, want %q", tt.name, b, err, tt.want)
		}
	}
}

// TestFilesFindsFirst: of several names the first that leads to a file counts; none is an error.
func TestFilesFindsFirst(t *testing.T) {
	dir := tree(t, "b.tga", "c.tga")
	files := NewFiles(dir)
	if b, p, err := files.Find("a.tga", "b.tga", "c.tga"); string(b) != "b.tga" || p != filepath.Join(dir, "b.tga") || err != nil {
		t.Errorf("%q of %s, %v", b, p, err)
	}
	if _, p, err := files.Find("a.tga"); !errors.Is(err, fs.ErrNotExist) || p != "" {
		t.Errorf("%q, %v", p, err)
	}
}

// TestFilesOfOneName finds a file among those whose names differ in case alone: the one that is written so.
func TestFilesOfOneName(t *testing.T) {
	dir := t.TempDir()
	names := []string{"SHIP.sur", "Ship.sur", "ship.sur"}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) < len(names) {
		t.Skip("names that differ in case alone are one here")
	}
	files := NewFiles(dir)
	for _, name := range names {
		if b, _, err := files.Find(name); string(b) != name || err != nil {
			t.Errorf("Find(%q) = %q, %v", name, b, err)
		}
	}
	if b, _, err := files.Find("sHIP.sur"); len(b) == 0 || err != nil {
		t.Errorf("any of them: %q, %v", b, err)
	}
}
