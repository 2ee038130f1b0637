package archive

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// largeBank returns a voice bank that is larger than what is read at once, with a texture beside its lines.
func largeBank(t *testing.T) []byte {
	t.Helper()
	tree := freelancer.NewTree()
	tree.Root.Add(freelancer.NewLeaf("Exporter Version", []byte("usher\x00")))
	library := tree.Root.Add(freelancer.NewDir(freelancer.TextureLibrary, freelancer.NewLeaf("Texture count", []byte{1, 0, 0, 0})))
	texture := library.Add(freelancer.NewDir("icon.tga"))
	for i, side := range []int{4, 2} {
		texture.Add(freelancer.NewLeaf([]string{"MIP0", "MIP1"}[i], targaFile(side, 90)))
	}
	for i := range uint32(3) {
		tree.Root.Add(freelancer.NewLeaf(freelancer.VoiceName(i+1), append([]byte("RIFF"), make([]byte, 3<<20)...)))
	}
	b, err := write.UTF(tree)
	if err != nil || len(b) <= WholeUpTo {
		t.Fatalf("the bank has %d bytes, %v", len(b), err)
	}
	return b
}

// targaFile returns a picture of 24 bits a pixel.
func targaFile(side, step int) []byte {
	b := append([]byte{2: 2, 12: byte(side), 14: byte(side), 16: 24, 17: 0x20}, make([]byte, 3*side*side)...)
	for i := range b[18:] {
		b[18+i] = byte(i * step)
	}
	return b
}

// TestLargeFile opens a file whose payloads stay in it, as an archive, next to the same file in memory: entries, payloads
// and facts agree, and edits give the same bytes.
func TestLargeFile(t *testing.T) {
	b := largeBank(t)
	opened, err := Open(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	memory := &archive{tree: tree, voice: true, stale: true}
	memory.list()
	large := opened.(*archive)
	large.voice = true
	if len(large.Entries()) != 7 || !large.nodes[6].InFile() {
		t.Fatalf("%d entries; in the file: %v", len(large.Entries()), large.nodes[6].InFile())
	}
	for i, want := range memory.Entries() {
		if got := large.Entries()[i]; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		payload, err := large.Payload(i)
		if kept, _ := memory.Payload(i); err != nil || !bytes.Equal(payload, kept) {
			t.Errorf("%s: another payload, %v", want.Path, err)
		}
	}
	edit := func(a *archive) []byte {
		t.Helper()
		for i, e := range a.Entries() {
			if a.nodes[i].Name == "MIP0" {
				if err := a.Replace(i, targaFile(4, 10)); err != nil {
					t.Fatal(err)
				}
			}
			if e.Path == freelancer.VoiceName(2) {
				if err := a.Replace(i, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := a.Add("Texture library/new.txt", []byte("more"), nil); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := a.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	if got, want := edit(large), edit(memory); !bytes.Equal(got, want) {
		t.Errorf("%d bytes are written, want %d that are not the same", len(got), len(want))
	}
}

// Neither to open, to look at nor to write a large file takes memory for its payloads.
func TestLargeFileMemory(t *testing.T) {
	b := largeBank(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a, err := Open(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	a.(*archive).Facts()
	if n, err := a.(io.WriterTo).WriteTo(io.Discard); err != nil || n != int64(len(b)) {
		t.Fatalf("%d bytes are written, %v", n, err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
		t.Errorf("%d bytes of memory for a file of %d", used, len(b))
	}
	var out bytes.Buffer
	if _, err := a.(io.WriterTo).WriteTo(&out); err != nil || !bytes.Equal(out.Bytes(), b) {
		t.Errorf("%v; written, it is another file", err)
	}
	if _, err := write.UTF(a.(*archive).tree); err != nil {
		t.Error(err)
	}
}

// TestTargasForDDS: a Targa in the place of a DDS file becomes one leaf for each level; one that is cut off is refused.
func TestTargasForDDS(t *testing.T) {
	for _, whole := range []bool{true, false} {
		tree := freelancer.NewTree()
		icon := tree.Root.Add(freelancer.NewDir(freelancer.TextureLibrary)).Add(freelancer.NewDir("icon"))
		icon.Add(freelancer.NewLeaf("MIPS", []byte("DDS ")))
		a := &archive{tree: tree, stale: true, asked: texture.KindTGA}
		a.list()
		file := targaFile(4, 10)
		if !whole {
			file = file[:len(file)-5]
		}
		err := a.Replace(0, file)
		if (err == nil) != whole {
			t.Errorf("whole %v: %v", whole, err)
		}
		if !whole {
			continue
		}
		if e := a.Entries()[0]; e.Path != "Texture library/icon/MIP0" || e.Class != "MIP0" || e.Format != texture.TGA || e.Offset != -1 {
			t.Errorf("it is listed as %+v", e)
		}
		var out bytes.Buffer
		if _, err := a.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, n := range icon.Children {
			names = append(names, n.Name)
		}
		if got := strings.Join(names, " "); got != "MIP0 MIP1 MIP2" || !bytes.Equal(icon.Children[0].Data, file) {
			t.Errorf("leaves %s", got)
		}
	}
}
