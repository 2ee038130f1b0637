package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/freelancer"
	"pgregory.net/rapid"
)

// files calls f for every file of the corpus.
func files(t *testing.T, f func(t *testing.T, e corpus.Entry, b []byte)) {
	for _, e := range corpus.Manifest(t, "freelancer") {
		t.Run(e.File, func(t *testing.T) { f(t, e, corpus.Bytes(t, e.Path)) })
	}
}

func file(t testing.TB, name string) []byte {
	return corpus.Bytes(t, corpus.Folder(t, "freelancer")+"/"+name)
}

func mustRead(t testing.TB, b []byte) *freelancer.Tree {
	t.Helper()
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func mustWrite(t testing.TB, tree *freelancer.Tree) []byte {
	t.Helper()
	b, err := write.UTF(tree)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// dump returns everything but the layout, one entry a line.
func dump(t *freelancer.Tree) string {
	var s strings.Builder
	t.Root.Walk(func(path string, n *freelancer.Node) bool {
		fmt.Fprintf(&s, "%s %x %x %x %x %d %x\n", path, uint32(n.Attributes), n.Created, n.Accessed, n.Modified, len(n.Data), crc32.ChecksumIEEE(n.Data))
		return true
	})
	return s.String()
}

func TestUTFRoundTrip(t *testing.T) {
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		tree := mustRead(t, b)
		corpus.SameBytes(t, e.File, mustWrite(t, tree), b)

		compact, err := write.UTFCompact(tree)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(dump(tree), dump(mustRead(t, compact))); diff != "" {
			t.Errorf("the compact file holds another tree: %s", diff)
		}
		again, err := write.UTFCompact(mustRead(t, compact))
		if err != nil {
			t.Fatal(err)
		}
		corpus.SameBytes(t, "compact of compact", again, compact)
		corpus.SameBytes(t, "layout of compact", mustWrite(t, mustRead(t, compact)), compact)

		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		var back freelancer.Tree
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		corpus.SameBytes(t, "from JSON", mustWrite(t, &back), b)
	})
}

// leaves returns the paths of all leaves with data.
func leaves(tree *freelancer.Tree) (all []*freelancer.Node) {
	tree.Root.Walk(func(_ string, n *freelancer.Node) bool {
		if len(n.Data) > 0 {
			all = append(all, n)
		}
		return true
	})
	return all
}

// TestUTFEdit makes one edit at a time in every file, by way of the file and by way of JSON, and expects the edited
// tree back, and the bytes of an edited payload of the same length to be the only ones that differ.
func TestUTFEdit(t *testing.T) {
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		all := leaves(mustRead(t, b))
		for i := 0; i < len(all); i += 1 + len(all)/4 {
			for _, edit := range []struct {
				name string
				do   func(tree *freelancer.Tree, n *freelancer.Node)
			}{
				{"same length", func(_ *freelancer.Tree, n *freelancer.Node) {
					n.Data = bytes.Clone(n.Data)
					n.Data[0] ^= 0xFF
				}},
				{"longer", func(_ *freelancer.Tree, n *freelancer.Node) { n.Data = append(bytes.Clone(n.Data), "and then some"...) }},
				{"shorter", func(_ *freelancer.Tree, n *freelancer.Node) { n.Data = bytes.Clone(n.Data[:len(n.Data)/2]) }},
				{"renamed", func(_ *freelancer.Tree, n *freelancer.Node) { n.Name += "-renamed" }},
				{"shorter name", func(_ *freelancer.Tree, n *freelancer.Node) { n.Name = "q" }},
				{"added", func(tree *freelancer.Tree, _ *freelancer.Node) {
					tree.Root.Add(freelancer.NewDir("new directory", freelancer.NewLeaf("new leaf", []byte("content")), freelancer.NewLeaf("empty", nil)))
				}},
				{"removed", func(tree *freelancer.Tree, n *freelancer.Node) {
					tree.Root.Walk(func(_ string, p *freelancer.Node) bool { return !p.Remove(n) })
				}},
				{"first child removed", func(tree *freelancer.Tree, _ *freelancer.Node) { tree.Root.Remove(tree.Root.Children[0]) }},
			} {
				what := fmt.Sprintf("leaf %d, %s", i, edit.name)
				tree := mustRead(t, b)
				n := leaves(tree)[i]
				edit.do(tree, n)
				want := dump(tree)
				got := mustWrite(t, tree)
				again := mustRead(t, got)
				if diff := cmp.Diff(want, dump(again)); diff != "" {
					t.Fatalf("%s: %s", what, diff)
				}
				corpus.SameBytes(t, what+", rewritten", mustWrite(t, again), got)
				if edit.name == "same length" {
					sameBut(t, what, got, b, int(tree.Header.DataOffset)+int(n.Slot.Child), len(n.Data), shared(tree, n))
				}

				text, err := json.Marshal(mustRead(t, b))
				if err != nil {
					t.Fatal(err)
				}
				var back freelancer.Tree
				if err := json.Unmarshal(text, &back); err != nil {
					t.Fatal(err)
				}
				edit.do(&back, leaves(&back)[i])
				if diff := cmp.Diff(dump(&back), dump(mustRead(t, mustWrite(t, &back)))); diff != "" {
					t.Fatalf("%s, JSON: %s", what, diff)
				}
			}
		}
	})
}

// shared reports whether another leaf has its payload in the same place.
func shared(tree *freelancer.Tree, n *freelancer.Node) bool {
	for _, m := range leaves(tree) {
		if m != n && m.Slot.Child < n.Slot.Child+n.Slot.Used && n.Slot.Child < m.Slot.Child+m.Slot.Used {
			return true
		}
	}
	return false
}

func sameBut(t *testing.T, what string, got, was []byte, at, n int, shared bool) {
	t.Helper()
	if shared { // the edited leaf has moved to the end; its entry and the header of free blocks aside nothing changed
		return
	}
	if len(got) != len(was) || !bytes.Equal(got[:at], was[:at]) || !bytes.Equal(got[at+n:], was[at+n:]) {
		t.Errorf("%s: bytes outside the payload at 0x%x differ", what, at)
	}
}

func TestUTFFreeLists(t *testing.T) {
	tree := freelancer.NewTree()
	for i := range 4 {
		tree.Root.Add(freelancer.NewLeaf(fmt.Sprint("leaf", i), bytes.Repeat([]byte{byte(i + 1)}, 40)))
	}
	first := mustWrite(t, tree)
	tree = mustRead(t, first)
	tree.Root.Remove(tree.Root.Children[1])
	tree.Root.Remove(tree.Root.Children[1])
	second := mustWrite(t, tree)
	h := mustRead(t, second).Header
	if len(second) != len(first) || h.FirstFreeEntry != freelancer.HeaderSize+2*44 || h.FirstFreeData != h.DataOffset+40 || h.FreeDataSize != 80 {
		t.Errorf("after removing two: %d bytes of %d, %+v", len(second), len(first), h)
	}
	if next := binary.LittleEndian.Uint32(second[h.FirstFreeEntry:]); next != 3*44 {
		t.Errorf("the second free entry is at %d", next)
	}

	tree = mustRead(t, second)
	tree.Root.Add(freelancer.NewLeaf("leaf1", bytes.Repeat([]byte{9}, 40)))
	tree.Root.Add(freelancer.NewLeaf("leaf2", bytes.Repeat([]byte{9}, 24)))
	third := mustWrite(t, tree)
	h = mustRead(t, third).Header
	if len(third) > len(second)+12 || h.FirstFreeEntry != 0 || h.FreeDataSize != 16 {
		t.Errorf("after adding two: %d bytes of %d, %+v", len(third), len(second), h)
	}
}

// TestUTFFreeRoom puts payloads into a free block of 40 bytes, the first of all or behind another one: what is left of it stays
// free where a block can say so, and a payload that is longer goes elsewhere.
func TestUTFFreeRoom(t *testing.T) {
	for gone := range 2 {
		tree := freelancer.NewTree()
		for i := range 3 {
			tree.Root.Add(freelancer.NewLeaf(fmt.Sprint("leaf", i), bytes.Repeat([]byte{byte(i + 1)}, 40)))
		}
		tree = mustRead(t, mustWrite(t, tree))
		tree.Root.Remove(tree.Root.Children[gone])
		b := mustWrite(t, tree)
		for length, free := range map[int]uint32{24: 16, 28: 12, 32: 8, 36: 0, 40: 0, 44: 40} {
			tree := mustRead(t, b)
			tree.Root.Add(freelancer.NewLeaf("new", bytes.Repeat([]byte{9}, length)))
			got := mustWrite(t, tree)
			again := mustRead(t, got)
			if again.Header.FreeDataSize != free || !bytes.Equal(again.Root.Child("new").Data, bytes.Repeat([]byte{9}, length)) || !bytes.Equal(again.Root.Child("leaf2").Data, bytes.Repeat([]byte{3}, 40)) {
				t.Errorf("leaf %d, %d bytes: %d are free, want %d", gone, length, again.Header.FreeDataSize, free)
			}
		}
	}
}

// TestUTFLonger makes a payload longer again and again: the file grows by just as much, and no other payload is moved
// relative to its neighbours.
func TestUTFLonger(t *testing.T) {
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		first := mustRead(t, b)
		all := leaves(first)
		for i := 0; i < len(all); i += 1 + len(all)/8 {
			if shared(first, all[i]) {
				continue
			}
			was := b
			for round := range 3 {
				tree := mustRead(t, was)
				n := leaves(tree)[i]
				n.Data = append(bytes.Clone(n.Data), make([]byte, 1001)...)
				got := mustWrite(t, tree)
				if more := len(got) - len(was); more > 1001+3 {
					t.Fatalf("leaf %d, round %d: %d bytes became %d", i, round, len(was), len(got))
				}
				again := mustRead(t, got)
				if a, b := tree.Header, again.Header; a.FreeDataSize != b.FreeDataSize {
					t.Fatalf("leaf %d, round %d: %d free bytes became %d", i, round, a.FreeDataSize, b.FreeDataSize)
				}
				if x, y := order(tree), order(again); !slices.Equal(x, y) {
					t.Fatalf("leaf %d, round %d: the payloads lie as %v, were %v", i, round, y, x)
				}
				was = got
			}
		}
	})
}

// order returns the numbers of the leaves in the order in which they lie.
func order(tree *freelancer.Tree) (list []int) {
	all := leaves(tree)
	for i := range all {
		list = append(list, i)
	}
	slices.SortStableFunc(list, func(a, b int) int { return int(all[a].Slot.Child) - int(all[b].Slot.Child) })
	return list
}

func TestUTFShared(t *testing.T) {
	b := file(t, "syn_c_shared.3db")
	tree := mustRead(t, b)
	places := map[uint32][]*freelancer.Node{}
	for _, n := range leaves(tree) {
		places[n.Slot.Child] = append(places[n.Slot.Child], n)
	}
	for _, twins := range places {
		if len(twins) < 2 {
			continue
		}
		for _, n := range twins {
			n.Data = []byte("the same text in both of them, and longer than it was before, so that it moves")
		}
		again := mustRead(t, mustWrite(t, tree))
		var at []uint32
		for _, n := range leaves(again) {
			if strings.HasPrefix(string(n.Data), "the same text") {
				at = append(at, n.Slot.Child)
			}
		}
		if len(at) != len(twins) || at[0] != at[1] {
			t.Errorf("payloads at %v are not shared any more", at)
		}
		return
	}
	t.Error("no shared payloads found")
}

func TestUTFMalformed(t *testing.T) {
	good := mustWrite(t, sample())
	le := binary.LittleEndian
	entry := func(b []byte, i, field int, v uint32) { le.PutUint32(b[freelancer.HeaderSize+44*i+field:], v) }
	for _, c := range []struct {
		name  string
		class error
		do    func(b []byte) []byte
	}{
		{"empty", schema.ErrTruncated, func(b []byte) []byte { return nil }},
		{"magic", schema.ErrBadMagic, func(b []byte) []byte { b[3] = '!'; return b }},
		{"version", schema.ErrUnsupported, func(b []byte) []byte { b[4] = 2; return b }},
		{"short header", schema.ErrTruncated, func(b []byte) []byte { return b[:55] }},
		{"tree past the end", schema.ErrRange, func(b []byte) []byte { le.PutUint32(b[8:], 1<<31); return b }},
		{"dictionary past the end", schema.ErrRange, func(b []byte) []byte { le.PutUint32(b[24:], 1<<31); return b }},
		{"dictionary too long", schema.ErrTruncated, func(b []byte) []byte { le.PutUint32(b[28:], 1<<31); return b }},
		{"no room for the root", schema.ErrRange, func(b []byte) []byte { le.PutUint32(b[8:], uint32(len(b)-40)); return b }},
		{"name outside", schema.ErrRange, func(b []byte) []byte { entry(b, 1, 4, 1<<20); return b }},
		{"child of root is root", schema.ErrCycle, func(b []byte) []byte { entry(b, 1, 16, 44); return b }},
		{"next is itself", schema.ErrCycle, func(b []byte) []byte { entry(b, 2, 0, 88); return b }},
		{"child outside", schema.ErrRange, func(b []byte) []byte { entry(b, 0, 16, 1<<20); return b }},
		{"child at the last byte", schema.ErrRange, func(b []byte) []byte { entry(b, 0, 16, 0xFFFFFFFF); return b }},
		{"overlapping entries", schema.ErrMismatch, func(b []byte) []byte { entry(b, 3, 0, 44*2+4); return b }},
		{"payload outside", schema.ErrRange, func(b []byte) []byte { entry(b, 2, 16, 1<<30); return b }},
		{"payload wraps around", schema.ErrRange, func(b []byte) []byte { entry(b, 2, 16, 0xFFFFFFF0); return b }},
		{"payload too long", schema.ErrTruncated, func(b []byte) []byte { entry(b, 2, 24, 1<<30); return b }},
	} {
		_, err := read.UTF(c.do(bytes.Clone(good)), nil)
		if !errors.Is(err, c.class) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.class)
		}
	}

	deep := freelancer.NewTree()
	n := deep.Root
	for range schema.DefaultLimits.Depth {
		n = n.Add(freelancer.NewDir("d"))
	}
	b := mustWrite(t, deep)
	mustRead(t, b)
	n.Add(freelancer.NewDir("d"))
	if _, err := write.UTF(deep); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("writing too deep a tree: %v", err)
	}
	if _, err := write.UTF(&freelancer.Tree{Root: freelancer.NewDir("\x00")}); !errors.Is(err, schema.ErrValue) {
		t.Errorf("a zero in a name: %v", err)
	}
	if _, err := write.UTF(&freelancer.Tree{Root: freelancer.NewDir("日本")}); !errors.Is(err, schema.ErrValue) {
		t.Errorf("a name outside the code page: %v", err)
	}
	if _, err := write.UTF(&freelancer.Tree{}); !errors.Is(err, schema.ErrValue) {
		t.Errorf("a tree without root: %v", err)
	}
	both := freelancer.NewTree()
	both.Root.Add(freelancer.NewLeaf("l", nil)).Add(freelancer.NewLeaf("m", nil))
	if _, err := write.UTF(both); !errors.Is(err, schema.ErrValue) {
		t.Errorf("a leaf with children: %v", err)
	}
}

// TestUTFDeep reads a chain of directories one deeper than allowed, made by hand since the writer refuses it.
func TestUTFDeep(t *testing.T) {
	le := binary.LittleEndian
	n := schema.DefaultLimits.Depth + 2
	b := make([]byte, 56+44*n+4)
	copy(b, freelancer.Magic)
	for i, v := range []uint32{0x101, 56, uint32(44 * n), 0, 44, uint32(56 + 44*n), 4, 3, uint32(len(b))} {
		le.PutUint32(b[4+4*i:], v)
	}
	copy(b[56+44*n:], `\`)
	for i := range n {
		le.PutUint32(b[56+44*i+8:], 0x10)
		if i+1 < n {
			le.PutUint32(b[56+44*i+16:], uint32(44*(i+1)))
		}
	}
	if _, err := read.UTF(b, nil); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("got %v, want %v", err, schema.ErrLimit)
	}
}

// sample is a small tree: root, a directory with two leaves, a leaf.
func sample() *freelancer.Tree {
	t := freelancer.NewTree()
	t.Root.Add(freelancer.NewDir("directory", freelancer.NewLeaf("first", []byte("1234567")), freelancer.NewLeaf("second", []byte("12"))))
	t.Root.Add(freelancer.NewLeaf("third", []byte("123456789012")))
	return t
}

func TestUTFTruncated(t *testing.T) {
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		tree := mustRead(t, b)
		end := 0 // of everything that must be there
		for _, n := range leaves(tree) {
			end = max(end, int(tree.Header.DataOffset+n.Slot.Child+n.Slot.Used))
		}
		for n := 0; n < len(b); n += 1 + len(b)/500 {
			_, err := read.UTF(b[:n:n], nil)
			if err == nil && n < end {
				t.Errorf("%d of %d bytes read without an error", n, len(b))
			}
			if err != nil && schema.Class(err) == nil {
				t.Errorf("%d bytes: error without a class: %v", n, err)
			}
		}
	})
}

func genNode(t *rapid.T, depth int) *freelancer.Node {
	name := rapid.StringMatching(`[A-Za-zé _.-]{0,12}`).Draw(t, "name")
	var n *freelancer.Node
	if depth < 4 && rapid.Bool().Draw(t, "dir") {
		n = freelancer.NewDir(name)
		for range rapid.IntRange(0, 4).Draw(t, "children") {
			n.Add(genNode(t, depth+1))
		}
	} else {
		n = freelancer.NewLeaf(name, rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "data"))
	}
	n.Attributes |= freelancer.Attributes(rapid.SampledFrom([]uint32{0, 0x08000000, 0x20}).Draw(t, "attributes"))
	n.Created = freelancer.DOSTime(rapid.Uint32().Draw(t, "time"))
	return n
}

func TestUTFProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tree := freelancer.NewTree()
		for range rapid.IntRange(0, 5).Draw(rt, "roots") {
			tree.Root.Add(genNode(rt, 0))
		}
		b := mustWrite(t, tree)
		again := mustRead(t, b)
		if diff := cmp.Diff(dump(tree), dump(again)); diff != "" {
			rt.Fatal(diff)
		}
		// A few random edits, each written and read again.
		for range rapid.IntRange(1, 5).Draw(rt, "edits") {
			var nodes []*freelancer.Node
			again.Root.Walk(func(_ string, n *freelancer.Node) bool { nodes = append(nodes, n); return true })
			n := rapid.SampledFrom(nodes).Draw(rt, "node")
			switch rapid.IntRange(0, 3).Draw(rt, "edit") {
			case 0:
				n.Name = rapid.StringMatching(`[a-z]{0,20}`).Draw(rt, "new name")
			case 1:
				if n.IsDir() {
					n.Add(genNode(rt, 3))
				} else {
					n.Data = rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(rt, "new data")
				}
			case 2:
				if len(n.Children) > 0 {
					n.Remove(n.Children[rapid.IntRange(0, len(n.Children)-1).Draw(rt, "child")])
				}
			}
			want := dump(again)
			out := mustWrite(t, again)
			again = mustRead(t, out)
			if diff := cmp.Diff(want, dump(again)); diff != "" {
				rt.Fatal(diff)
			}
			if !bytes.Equal(mustWrite(t, again), out) {
				rt.Fatal("rewriting the edited file changed it")
			}
		}
	})
}

func FuzzUTF(f *testing.F) {
	b, err := write.UTF(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	tree, err := read.UTF(b, nil)
	if err != nil {
		f.Fatal(err)
	}
	tree.Root.Remove(tree.Root.Children[1]) // leaves free lists
	if b, err = write.UTF(tree); err != nil {
		f.Fatal(err)
	}
	f.Add(append(b, "tail"...))
	f.Fuzz(func(t *testing.T, b []byte) {
		tree, err := read.UTF(b, &schema.Diagnostics{})
		at, atErr := read.UTFAt(bytesAt{b, new(int)}, int64(len(b)), &schema.Diagnostics{})
		if fmt.Sprint(atErr) != fmt.Sprint(err) {
			t.Fatalf("left in its file: %v; in memory: %v", atErr, err)
		}
		if err != nil {
			if schema.Class(err) == nil {
				t.Fatalf("error without a class: %v", err)
			}
			return
		}
		out, err := write.UTF(tree)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out, b) {
			t.Fatal("rewriting changed the file")
		}
		if out, err = write.UTF(at); err != nil || !bytes.Equal(out, b) {
			t.Fatalf("rewriting changed the file that it was left in: %v", err)
		}
		for _, n := range leaves(tree) {
			n.Data = append(bytes.Clone(n.Data), 1, 2, 3)
			n.Name += "x"
			break
		}
		tree.Root.Add(freelancer.NewLeaf("new", []byte("data")))
		want := dump(tree)
		out, err = write.UTF(tree)
		if err != nil {
			return // a name may have become too long
		}
		if again := mustRead(t, out); dump(again) != want {
			t.Fatal("the edit was not written")
		}
	})
}
