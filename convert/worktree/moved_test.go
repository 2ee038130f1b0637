package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/worktree"
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
