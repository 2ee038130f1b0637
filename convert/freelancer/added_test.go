package freelancer_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/usher-assets/usher/convert/format"
)

// TestAddedEntries adds many entries in an order that is not the file's: they are listed as in the file that is written.
func TestAddedEntries(t *testing.T) {
	wave := []byte("RIFF\x04\x00\x00\x00WAVE")
	for name, paths := range map[string][]string{
		"voice": {"0x00000007", "0x00000003", "0x00000009", "0x00000001"},
		"utf":   {"b", "a/x", "a/y", "c", "a/z/deep", "d", "a/w", "%25"},
		"txm":   {"Texture library/one/MIPS", "Texture library/two/MIPS", "last", "Texture library/three/MIPS"},
	} {
		f := byName(t, name)
		a, err := f.Create(&format.Env{})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range paths {
			if err := a.Add(p, wave, nil); err != nil {
				t.Fatalf("%s: %s: %v", name, p, err)
			}
			if i%2 == 0 && len(a.Entries()) != i+1 { // listed now and then
				t.Errorf("%s: %d entries after %d were added", name, len(a.Entries()), i+1)
			}
		}
		var file bytes.Buffer
		got := listing(a)
		if _, err := a.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		again, err := f.Open(bytes.NewReader(file.Bytes()), int64(file.Len()), &format.Env{})
		if err != nil {
			t.Fatal(err)
		}
		if want := listing(again); got != want {
			t.Errorf("%s: listed as\n%s\nand in the file as\n%s", name, got, want)
		}
	}
}

func listing(a format.ArchiveFile) (text string) {
	for i, e := range a.Entries() {
		b, err := a.Payload(i)
		text += fmt.Sprintln(e.Path, e.Kind, e.Size, e.Class, e.Title, len(b), err)
	}
	return text
}
