package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/freelancer"
)

// laid writes a tree and reports whether it kept its layout: an entry size that only a file as it was read has.
func laid(t *testing.T, tree *freelancer.Tree) (b []byte, kept bool) {
	t.Helper()
	tree.Header.EntrySize = 40
	b = mustWrite(t, tree)
	return b, binary.LittleEndian.Uint32(b[20:]) == 40
}

// TestLayoutFits holds which layouts, which an edited JSON file may have changed, are taken for the file's.
func TestLayoutFits(t *testing.T) {
	for name, c := range map[string]struct {
		change func(tree *freelancer.Tree)
		kept   bool
	}{
		"as it was": {func(*freelancer.Tree) {}, true},
		"bytes that meet": {func(tree *freelancer.Tree) {
			end := tree.Layout.Size
			tree.Layout.Size += 8
			tree.Layout.Residue = append(tree.Layout.Residue, freelancer.Span{Offset: end, Bytes: []byte("1234")}, freelancer.Span{Offset: end + 4, Bytes: []byte("5678")})
		}, true},
		"bytes over others": {func(tree *freelancer.Tree) {
			end := tree.Layout.Size
			tree.Layout.Size += 8
			tree.Layout.Residue = append(tree.Layout.Residue, freelancer.Span{Offset: end, Bytes: []byte("1234")}, freelancer.Span{Offset: end + 3, Bytes: []byte("5678")})
		}, false},
		"bytes up to the end": {func(tree *freelancer.Tree) {
			tree.Layout.Residue = append(tree.Layout.Residue, freelancer.Span{Offset: tree.Layout.Size, Bytes: []byte("1234")}, freelancer.Span{Offset: tree.Layout.Size + 4})
			tree.Layout.Size += 4
		}, true},
		"bytes over the end": {func(tree *freelancer.Tree) {
			tree.Layout.Residue = append(tree.Layout.Residue, freelancer.Span{Offset: tree.Layout.Size, Bytes: []byte("12345")})
			tree.Layout.Size += 4
		}, false},
		"bytes behind the end": {func(tree *freelancer.Tree) {
			tree.Layout.Residue = append(tree.Layout.Residue, freelancer.Span{Offset: tree.Layout.Size + 1})
		}, false},
		"entries over each other": {func(tree *freelancer.Tree) {
			last := tree.Root.Child("third")
			last.Slot.Offset = tree.Root.Child("directory").Child("second").Slot.Offset + 43
		}, false},
		"the first entries over each other": {func(tree *freelancer.Tree) { tree.Root.Child("directory").Slot.Offset = 43 }, false},
		"a root elsewhere": {func(tree *freelancer.Tree) {
			tree.Root.Slot.Offset, tree.Root.Child("third").Slot.Offset = tree.Root.Child("third").Slot.Offset, 0
		}, false},
		"a root without a place": {func(tree *freelancer.Tree) { tree.Root.Slot = nil }, false},
		"a dictionary up to the end": {func(tree *freelancer.Tree) {
			tree.Header.NamesAllocated = uint32(tree.Layout.Size) - tree.Header.NamesOffset
		}, true},
		"a dictionary over the end": {func(tree *freelancer.Tree) {
			tree.Header.NamesAllocated = uint32(tree.Layout.Size) - tree.Header.NamesOffset + 1
		}, false},
		"payloads far behind the end":    {func(tree *freelancer.Tree) { tree.Header.DataOffset = 1 << 31 }, false},
		"no payloads, said to be behind": {func(tree *freelancer.Tree) { empty(tree); tree.Header.DataOffset = 1 << 31 }, true},
	} {
		tree := mustRead(t, mustWrite(t, sample()))
		c.change(tree)
		want := dump(tree)
		b, kept := laid(t, tree)
		if kept != c.kept {
			t.Errorf("%s: kept is %v", name, kept)
		}
		if got := dump(mustRead(t, b)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// empty takes the payloads out of a tree, as if it had been read without any.
func empty(tree *freelancer.Tree) {
	for _, n := range nodesOf(tree) {
		n.Data = nil
		n.Slot.Data, n.Slot.Used, n.Slot.Allocated, n.Slot.Uncompressed, n.Slot.Child = nil, 0, 0, 0, 0
	}
}

// TestLayoutBound holds how far behind the rest a damaged header may have payloads laid: a file grows to twice what is in it.
func TestLayoutBound(t *testing.T) {
	const payload = 8
	b := mustWrite(t, treeOf(freelancer.NewLeaf("leaf", nil), freelancer.NewDir("directory")))
	h := mustRead(t, b).Header
	most := 2 * (len(b) + payload + int(h.NamesAllocated) + 3*freelancer.EntrySize)
	for more, want := range map[int]bool{-4: true, 0: true, 4: false} {
		tree := mustRead(t, b)
		tree.Header.DataOffset = uint32(most + more - payload)
		tree.Root.Child("leaf").Data = bytes.Repeat([]byte{7}, payload)
		got, kept := laid(t, tree)
		if kept != want || kept && len(got) != most+more {
			t.Errorf("%d bytes above the bound: kept is %v, %d bytes", more, kept, len(got))
		}
	}
}

func treeOf(nodes ...*freelancer.Node) *freelancer.Tree {
	tree := freelancer.NewTree()
	for _, n := range nodes {
		tree.Root.Add(n)
	}
	return tree
}

// TestStaleFreeLists holds that lists of free entries and blocks that lead elsewhere count as empty.
func TestStaleFreeLists(t *testing.T) {
	le := binary.LittleEndian
	b := mustWrite(t, sample())
	h := mustRead(t, b).Header
	gap := append(bytes.Clone(b[:h.DataOffset]), make([]byte, 16)...) // looks like a free block, before the payloads
	le.PutUint32(gap[h.DataOffset:], 16)
	gap = append(gap, b[h.DataOffset:]...)
	le.PutUint32(gap[36:], h.DataOffset+16)
	le.PutUint32(gap[40:], h.DataOffset)
	le.PutUint32(gap[44:], 16)
	behind := bytes.Clone(b)
	le.PutUint32(behind[16:], h.TreeOffset+h.TreeSize)
	for name, b := range map[string][]byte{"a block before the payloads": gap, "an entry behind the tree": behind} {
		tree := mustRead(t, b)
		corpus.SameBytes(t, name, mustWrite(t, tree), b)
		tree.Root.Add(freelancer.NewLeaf("new", []byte("12345678")))
		want := dump(tree)
		got, err := write.UTF(tree)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) < len(b)+freelancer.EntrySize+8 {
			t.Errorf("%s: %d bytes became %d, though there is nothing free", name, len(b), len(got))
		}
		if again := dump(mustRead(t, got)); again != want {
			t.Errorf("%s: %s, want %s", name, again, want)
		}
	}
}

// TestALEWithoutTree: there is nothing to put the libraries into.
func TestALEWithoutTree(t *testing.T) {
	for _, tree := range []*freelancer.Tree{nil, {}} {
		if _, err := write.ALE(&freelancer.ALE{Tree: tree, Effects: &freelancer.EffectLibrary{Version: 1}}); !errors.Is(err, schema.ErrValue) {
			t.Errorf("%v: %v", tree, err)
		}
	}
}

// TestDictionarySize: a dictionary that does not grow is as large as the header said, whether that was true or not.
func TestDictionarySize(t *testing.T) {
	for _, c := range []struct {
		name      string
		allocated uint32 // less than what is used
		grows     bool
	}{{"third", 1, false}, {"another", 1, true}, {"third", 0, false}} {
		tree := mustRead(t, mustWrite(t, sample()))
		used := tree.Header.NamesUsed
		tree.Header.NamesAllocated = c.allocated
		tree.Root.Child("directory").Add(freelancer.NewLeaf(c.name, nil))
		want := dump(tree)
		b, kept := laid(t, tree)
		h := mustRead(t, b).Header
		if grows := h.NamesUsed > used && h.NamesAllocated >= h.NamesUsed; !kept || grows != c.grows || !grows && h.NamesAllocated != c.allocated {
			t.Errorf("%s with %d bytes: kept %v, %d bytes, %d used, %d before", c.name, c.allocated, kept, h.NamesAllocated, h.NamesUsed, used)
		}
		if got := dump(mustRead(t, b)); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
}

// TestTransformCurves: a transform has nine curves when its flags say that they are there, and none otherwise.
func TestTransformCurves(t *testing.T) {
	for _, c := range []struct {
		flags  uint32
		curves int
		want   string
	}{
		{0x80050304, 9, ""}, {0x00050304, 0, ""},
		{0x80050304, 8, "8 curves with flags 0x80050304, expected 9"}, {0x80050304, 10, "10 curves with flags 0x80050304, expected 9"}, {0x00050304, 1, "1 curves with flags 0x00050304, expected 0"},
	} {
		l := &freelancer.NodeLibrary{Version: 1.1, Nodes: []freelancer.EffectNode{{Properties: []freelancer.EffectProperty{
			{Hash: 5, Type: freelancer.EffectTransform, Transform: &freelancer.NodeTransform{Flags: c.flags, Curves: make([]freelancer.CurveAnimation, c.curves)}},
		}}}}
		_, err := write.NodeLibrary(l)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, schema.ErrMismatch) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d curves: %v, want %q", c.curves, err, c.want)
		}
	}
}

// TestFreeBlockAtEnd: a free block that ends where the file does is one, however small.
func TestFreeBlockAtEnd(t *testing.T) {
	tree := mustRead(t, mustWrite(t, treeOf(freelancer.NewLeaf("first", []byte("12345678")), freelancer.NewLeaf("last", []byte("abcdefgh")))))
	tree.Root.Remove(tree.Root.Child("last"))
	b := mustWrite(t, tree)
	if h := mustRead(t, b).Header; h.FreeDataSize != 8 || int(h.FirstFreeData) != len(b)-8 {
		t.Fatalf("%d bytes are free at %d of %d", h.FreeDataSize, h.FirstFreeData, len(b))
	}
	tree = mustRead(t, b)
	tree.Root.Add(freelancer.NewLeaf("last", []byte("ijklmnop"))) // a name may need some room
	again := mustWrite(t, tree)
	if h := mustRead(t, again).Header; len(again) >= len(b)+8 || h.FreeDataSize != 0 || string(again[len(again)-8:]) != "ijklmnop" {
		t.Errorf("%d bytes became %d, %d are free", len(b), len(again), h.FreeDataSize)
	}
}

// TestListTails: a list that holds its values keeps what follows them; one that gets others does not.
func TestListTails(t *testing.T) {
	for _, c := range []struct {
		first float32
		want  string
	}{{1, "\x00\x00\x80?\x00\x00\x00@abc"}, {2, "\x00\x00\x00@\x00\x00\x00@"}} {
		leaf := freelancer.NewLeaf("Fractions", []byte("\x00\x00\x80?\x00\x00\x00@abc"))
		root := freelancer.NewDir("", freelancer.NewDir("MultiLevel", leaf))
		if err := write.Deformable(root, &freelancer.Deformable{Fractions: []float32{c.first, 2}}); err != nil {
			t.Fatal(err)
		}
		if string(leaf.Data) != c.want {
			t.Errorf("%v: %q, want %q", c.first, leaf.Data, c.want)
		}
	}
}

// TestTextureDirectory: a texture gets a directory in the library where it has none.
func TestTextureDirectory(t *testing.T) {
	library := freelancer.NewDir(freelancer.TextureLibrary, freelancer.NewDir("old"))
	root := freelancer.NewDir("", library)
	for _, x := range []*freelancer.TextureEntry{{Name: "old", Node: library.Children[0]}, {Name: "new", Form: freelancer.DDSTexture, Leaves: []*freelancer.Node{freelancer.NewLeaf("MIPS", nil)}}} {
		for range 2 { // the second time it has one
			if err := write.Texture(root, x); err != nil {
				t.Fatal(err)
			}
		}
		if x.Node == nil || len(x.Node.Children) != len(x.Leaves) {
			t.Errorf("%s: %+v", x.Name, x.Node)
		}
	}
	if got := childNames(library); got != "old, new" {
		t.Errorf("the library has %s", got)
	}
}
