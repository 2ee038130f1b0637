package convert

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A record is read as it was written, and over an earlier one.
func TestRecord(t *testing.T) {
	out, err := OpenFolder(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var want map[string]recordEntry
	for _, stems := range [][]string{{}, {"one"}, {"one", `tw"o/x`}} {
		r := readRecord(out)
		for _, stem := range stems {
			r.add(stem, recordEntry{Key: "key of " + stem, Needs: []*need{{[]string{"a", "b"}, "hash"}}}, []File{{Name: stem + ".png"}}, []Output{{stem, 7}})
		}
		r.changed = true
		if err := r.save(out, false); err != nil {
			t.Fatal(err)
		}
		want = r.Outputs
	}
	if diff := cmp.Diff(want, readRecord(out).Outputs); diff != "" || len(want) != 2 {
		t.Errorf("%d outputs: %s", len(want), diff)
	}
}

// The conversions of one run list a folder once.
func TestSharedListings(t *testing.T) {
	dir := t.TempDir()
	l := Loader{}.sharing()
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
	again := l.sharing()
	if _, _, err := again.Env(filepath.Join(dir, "b.png"), nil).Find("late.pal"); err != nil {
		t.Errorf("another run: %v", err)
	}
}
