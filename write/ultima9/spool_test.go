package ultima9

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/schema/ultima9"
)

// TestFLXSpool holds that an archive whose payloads went to a file is read, edited and written as one in memory.
func TestFLXSpool(t *testing.T) {
	const slots = 24 // of a megabyte: some of them stay in memory
	build := func(a *ultima9.Archive) []byte {
		t.Helper()
		for i := range slots {
			if err := a.Replace(i, bytes.Repeat([]byte{byte(i + 1)}, 1<<20)); err != nil {
				t.Fatal(err)
			}
		}
		for _, i := range []int{2, slots - 2} { // in memory, in the file
			if err := a.Replace(i, []byte("replaced")); err != nil {
				t.Fatal(err)
			}
			if err := a.Remove(i + 1); err != nil {
				t.Fatal(err)
			}
			if b, err := a.Payload(i); string(b) != "replaced" || a.Used(i+1) {
				t.Errorf("slot %d is %q, %v, and slot %d used: %v", i, b, err, i+1, a.Used(i+1))
			}
		}
		var w bytes.Buffer
		if err := FLX(&w, a); err != nil {
			t.Fatal(err)
		}
		return w.Bytes()
	}
	spooling := ultima9.NewArchive(slots)
	file, err := os.Create(filepath.Join(t.TempDir(), "spool"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	made := 0
	spooling.Spool = func() (ultima9.Spool, error) { made++; return file, nil }
	got := build(spooling)
	if !bytes.Equal(got, build(ultima9.NewArchive(slots))) {
		t.Error("the archive differs from the one that was kept in memory")
	}
	if info, err := file.Stat(); err != nil || made != 1 || info.Size() < 8<<20 {
		t.Errorf("%d files were made, of %v bytes, %v", made, info.Size(), err)
	}

	full := errors.New("no space left")
	spooling = ultima9.NewArchive(1)
	spooling.Spool = func() (ultima9.Spool, error) { return nil, full }
	if err := spooling.Replace(0, make([]byte, 32<<20)); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}
