package worktree_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/ultima9"
)

// TestMovedEntries renames and copies files of an unpacked archive. A text file does not hold what stands behind the end of
// its record; the record in its new place does.
func TestMovedEntries(t *testing.T) {
	record := func(text string, rest ...uint16) []byte {
		b, err := write.Text(&ultima9.Text{Text: text, Rest: rest})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	one, two, plain := record("same", 'a', 0), record("same", 'b', 0), record("same")
	alone := record("alone", 'c', 0)
	for _, c := range []struct {
		name string
		edit func(from, to string) error
		file string // that is renamed or copied to 9.txt
		want []byte // of slot 9
	}{
		{"moved", os.Rename, "3.txt", alone},
		{"copied", os.Link, "3.txt", alone},
		{"moved, though others look like it", os.Rename, "1.txt", two},
		{"copied, and others look like it", os.Link, "1.txt", plain},
	} {
		t.Run(c.name, func(t *testing.T) {
			archive := newFLX(t, map[int][]byte{0: one, 1: two, 3: alone})
			dir := unpack(t, archive, worktree.Unpacking{})
			if err := c.edit(filepath.Join(dir, c.file), filepath.Join(dir, "9.txt")); err != nil {
				t.Fatal(err)
			}
			_, out, err := pack(t, dir, worktree.Packing{Prune: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range corpus.Slots(t, out) {
				if s.Number == 9 {
					corpus.SameBytes(t, c.name, s.Payload, c.want)
					return
				}
			}
			t.Error("slot 9 is empty")
		})
	}
}

// TestMovedTexture renames the folder of a texture in an unpacked library: its blocks are the stored ones, in the kind that
// a new picture would not have.
func TestMovedTexture(t *testing.T) {
	dir := t.TempDir()
	source, library := filepath.Join(dir, "paint.bmp"), filepath.Join(dir, "paint.txm")
	runOne(t, &batch.Conversion{Out: source}, corpus.Testdata(t, "ultimate3d", "windmill.png"))
	runOne(t, &batch.Conversion{Out: library, Loader: engine.Loader{Options: format.Options{Encoding: "dxt3"}}}, source)
	only := func(path string) (string, []byte) {
		a := openFLX(t, path)
		defer a.Close()
		payload, err := a.Payload(0)
		if err != nil || len(a.Entries()) != 1 {
			t.Fatal(a.Entries(), err)
		}
		return a.Entries()[0].Path, payload
	}
	folder := unpack(t, library, worktree.Unpacking{})
	textures := filepath.Join(folder, "Texture library")
	if err := os.Rename(filepath.Join(textures, "paint.dds"), filepath.Join(textures, "other.dds")); err != nil {
		t.Fatal(err)
	}
	_, want := only(library)
	for _, asked := range []string{"", "dxt1"} {
		_, out, err := pack(t, folder, worktree.Packing{Prune: true, Loader: engine.Loader{Options: format.Options{Encoding: asked}}})
		if err != nil {
			t.Fatal(err)
		}
		entry, payload := only(out)
		if entry != "Texture library/other.dds/MIPS" || bytes.Equal(payload, want) != (asked == "") {
			t.Errorf("asked for %q: %s of %d bytes, the stored ones: %v", asked, entry, len(payload), bytes.Equal(payload, want))
		}
	}
}
