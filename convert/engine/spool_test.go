package engine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
)

// TestSpool holds that a new archive whose payloads went to a file is listed, read, edited and written as one in memory.
func TestSpool(t *testing.T) {
	for _, name := range []string{"utf", "voice", "unreal-umod"} {
		file, err := os.Create(filepath.Join(t.TempDir(), "spool"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		made := 0
		spooled, plain := newArchive(t, name), newArchive(t, name)
		spooled.Abilities().SpoolTo(func() (*os.File, error) { made++; return file, nil })
		for i := range 12 {
			payload := append([]byte("RIFF"), bytes.Repeat([]byte{byte(i)}, 1<<20)...)
			for _, a := range []format.ArchiveFile{spooled, plain} {
				if err := a.Add(fmt.Sprintf("line %02d", i), payload, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		if info, err := file.Stat(); made != 1 || err != nil || info.Size() < 4<<20 {
			t.Errorf("%s: %d spools, %v of bytes, %v", name, made, info.Size(), err)
		}
		sameArchive(t, name, spooled, plain)
		for _, a := range []format.ArchiveFile{spooled, plain} {
			last := len(a.Entries()) - 1
			if err := errors.Join(a.Replace(last, []byte("short")), a.Replace(0, make([]byte, 1<<20)), a.Remove(last-1)); err != nil {
				t.Fatal(err)
			}
		}
		sameArchive(t, name+", edited", spooled, plain)

		full := errors.New("disk full")
		a := newArchive(t, name)
		a.Abilities().SpoolTo(func() (*os.File, error) { return nil, full })
		if err := a.Add("new", make([]byte, 9<<20), nil); !errors.Is(err, full) || len(a.Entries()) > 0 {
			t.Errorf("%s: %v and %d entries where there is no spool", name, err, len(a.Entries()))
		}
	}
}

func newArchive(t *testing.T, name string) format.ArchiveFile {
	t.Helper()
	a, err := formats.ByName(name).Create(&format.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// sameArchive holds two archives against each other: entries, payloads, and what they write.
func sameArchive(t *testing.T, name string, a, b format.ArchiveFile) {
	t.Helper()
	same := cmp.Comparer(func(f, g *format.Format) bool { return f == g })
	if diff := cmp.Diff(slices.Clone(b.Entries()), slices.Clone(a.Entries()), same); diff != "" {
		t.Errorf("%s: %s", name, diff)
		return
	}
	for i, e := range a.Entries() {
		x, err1 := a.Payload(i)
		y, err2 := b.Payload(i)
		if err := errors.Join(err1, err2); err != nil || !bytes.Equal(x, y) {
			t.Errorf("%s: the payload of %s is another one, %v", name, e.Path, err)
		}
	}
	var x, y bytes.Buffer
	_, err1 := a.WriteTo(&x)
	_, err2 := b.WriteTo(&y)
	if err := errors.Join(err1, err2); err != nil || x.Len() < 10<<20 || !bytes.Equal(x.Bytes(), y.Bytes()) {
		t.Errorf("%s: %d and %d bytes are written, %v", name, x.Len(), y.Len(), err)
	}
}
