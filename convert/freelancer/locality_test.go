package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
)

// TestOneTextureChanged changes one texture of the largest material library, and one of a library of our own: the files
// differ in that leaf alone. When the new payload is longer, its entry and what must move differ too.
func TestOneTextureChanged(t *testing.T) {
	t.Run("testdata", func(t *testing.T) {
		oneTextureChanged(t, "tiles.txm", corpus.Bytes(t, corpus.Testdata(t, "freelancer", "tiles.txm")))
	})
	t.Run("corpus", func(t *testing.T) {
		name, largest := "", []byte(nil)
		for _, e := range corpus.Manifest(t, "freelancer") {
			if filepath.Ext(e.File) == ".mat" {
				if b := corpus.Bytes(t, e.Path); len(b) > len(largest) {
					name, largest = e.File, b
				}
			}
		}
		oneTextureChanged(t, name, largest)
	})
}

func oneTextureChanged(t *testing.T, name string, b []byte) {
	f := sniff(t, name, b)
	count := 0
	for i, e := range open(t, f, b).Entries() {
		if e.Kind != format.Texture || e.Format == nil || e.Format.Lower == nil {
			continue
		}
		count++
		t.Run(e.Path, func(t *testing.T) {
			a := open(t, f, b)
			payload, err := a.Payload(i)
			if err != nil {
				t.Fatal(err)
			}
			edited := recoloured(t, e.Format, payload)
			if len(edited) != len(payload) || bytes.Equal(edited, payload) {
				t.Fatalf("%d bytes became %d", len(payload), len(edited))
			}
			after := replaced(t, f, b, i, edited)
			if len(after) != len(b) {
				t.Fatalf("the file has %d bytes, had %d", len(after), len(b))
			}
			mine := leavesBelow(t, b, filepath.Dir(e.Path)) // smaller levels follow the largest
			outside := 0
			for at := range b {
				if b[at] != after[at] && !mine.hold(at) {
					outside++
				}
			}
			if outside > 0 {
				t.Errorf("%d bytes differ outside of the texture", outside)
			}
			longer(t, b, replaced(t, f, b, i, append(bytes.Clone(payload), make([]byte, 4096)...)), e)
		})
	}
	if count == 0 {
		t.Errorf("%s holds no texture", name)
	}
}

// longer checks what a longer payload may change: header, the leaf's own entry, and the data block from the leaf on.
func longer(t *testing.T, before, after []byte, e format.Entry) {
	t.Helper()
	a, err := read.UTF(before, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := read.UTF(after, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Header.TreeOffset != b.Header.TreeOffset || a.Header.NamesOffset != b.Header.NamesOffset || a.Header.DataOffset != b.Header.DataOffset {
		t.Error("the blocks moved")
	}
	names := before[a.Header.NamesOffset:][:a.Header.NamesAllocated]
	if !bytes.Equal(names, after[b.Header.NamesOffset:][:b.Header.NamesAllocated]) {
		t.Error("the dictionary changed")
	}
	changed := 0
	for at := a.Header.TreeOffset; at < a.Header.TreeOffset+a.Header.TreeSize; at += freelancer.EntrySize {
		x, y := before[at:at+freelancer.EntrySize], after[at:at+freelancer.EntrySize]
		if bytes.Equal(x, y) {
			continue
		}
		if binary.LittleEndian.Uint32(x[24:]) != binary.LittleEndian.Uint32(y[24:]) {
			changed++ // its size
			continue
		}
		x, y = bytes.Clone(x), bytes.Clone(y)
		clear(x[16:20])
		clear(y[16:20])
		if !bytes.Equal(x, y) {
			t.Errorf("an entry changed in more than its place: % x, was % x", y, x)
		}
	}
	if own := len(leavesBelow(t, before, filepath.Dir(e.Path))); changed < 1 || changed > own {
		t.Errorf("%d entries have another size; the texture has %d", changed, own)
	}
	x, y := leavesOf(t, before), leavesOf(t, after)
	for path := range x {
		if x[path] != y[path] && filepath.Dir(path) != filepath.Dir(e.Path) {
			t.Errorf("%s changed", path)
		}
	}
}

// spans are ranges of bytes of a file.
type spans [][2]int

func (s spans) hold(at int) bool {
	for _, x := range s {
		if at >= x[0] && at < x[1] {
			return true
		}
	}
	return false
}

// leavesBelow returns where the payloads below a directory lie in a file.
func leavesBelow(t *testing.T, b []byte, dir string) (out spans) {
	t.Helper()
	x, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	x.Root.Walk(func(path string, n *freelancer.Node) bool {
		if !n.IsDir() && filepath.Dir(path) == dir {
			at := int(x.Header.DataOffset + n.Slot.Child)
			out = append(out, [2]int{at, at + len(n.Data)})
		}
		return true
	})
	return out
}

func replaced(t *testing.T, f *format.Format, b []byte, i int, payload []byte) []byte {
	t.Helper()
	a := open(t, f, b)
	if err := a.Replace(i, payload); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := a.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// recoloured returns a picture's payload with its red turned over.
func recoloured(t *testing.T, f *format.Format, payload []byte) []byte {
	t.Helper()
	v, err := f.Read(payload, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := f.Lift(v, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := x.(*asset.Texture).Base()
	m.Pix = bytes.Clone(m.Pix)
	for k := range m.Width * m.Height {
		m.Pix[4*k] = 255 - m.Pix[4*k]
	}
	if v, err = f.Lower(x, nil); err != nil {
		t.Fatal(err)
	}
	out, err := f.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
