package engine

import (
	"os"
	"path/filepath"
	"testing"
)

// The conversions of one run list a folder once.
func TestSharedListings(t *testing.T) {
	dir := t.TempDir()
	l := Loader{}.Sharing()
	before := l.Env(filepath.Join(dir, "a.png"), nil)
	if _, _, err := before.Find("late.pal"); err == nil {
		t.Fatal("found what is not there")
	}
	if err := os.WriteFile(filepath.Join(dir, "late.pal"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Env(filepath.Join(dir, "b.png"), nil).Find("late.pal"); err == nil {
		t.Error("the folder was listed again")
	}
	if new(Loader).Shares() || !l.Shares() {
		t.Error("it does not know whether it shares")
	}
	again := l.Sharing()
	if _, _, err := again.Env(filepath.Join(dir, "b.png"), nil).Find("late.pal"); err != nil {
		t.Errorf("another run: %v", err)
	}
}
