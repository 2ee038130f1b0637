package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/freelancer"
)

// bytesAt is a file that counts what is read of it. It is no pointer and cannot be compared, as readers may be.
type bytesAt struct {
	b    []byte
	read *int
}

func (r bytesAt) ReadAt(p []byte, at int64) (int, error) {
	n, err := bytes.NewReader(r.b).ReadAt(p, at)
	*r.read += n
	return n, err
}

func mustReadAt(t testing.TB, b []byte) *freelancer.Tree {
	t.Helper()
	tree, err := read.UTFAt(bytesAt{b, new(int)}, int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// treeFiles returns UTF files: those of testdata and of the corpus, and some whose payloads and blocks lie over each other.
func treeFiles(t testing.TB) map[string][]byte {
	t.Helper()
	list := map[string][]byte{}
	names, err := filepath.Glob(corpus.Testdata(t, "freelancer", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if b := corpus.Bytes(t, name); bytes.HasPrefix(b, []byte(freelancer.Magic)) {
			list[filepath.Base(name)] = b
		}
	}
	if len(list) < 8 {
		t.Fatalf("testdata has %d UTF files", len(list))
	}
	good := mustWrite(t, sample())
	for name, child := range map[string]uint32{"a shared payload": 0, "overlapping payloads": 4, "a payload over the next one": 8} {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[freelancer.HeaderSize+3*freelancer.EntrySize+16:], child) // "second"
		list[name] = b
	}
	b := bytes.Clone(good)
	binary.LittleEndian.PutUint32(b[freelancer.HeaderSize+4*freelancer.EntrySize+16:], 4) // "third", which ends behind the others
	list["a payload reaching over the one before"] = b
	b = bytes.Clone(good)
	data := binary.LittleEndian.Uint32(b[36:])
	binary.LittleEndian.PutUint32(b[36:], 0) // payloads are told of from the start of the file, and one lies in the header
	for i, child := range map[int]uint32{2: data, 3: 48, 4: data + 12} {
		binary.LittleEndian.PutUint32(b[freelancer.HeaderSize+i*freelancer.EntrySize+16:], child)
	}
	list["a payload over the header"] = b
	removed := mustRead(t, good)
	removed.Root.Remove(removed.Root.Children[0])
	list["free lists"] = mustWrite(t, removed)
	return list
}

// nodesOf returns all nodes in the order of the tree.
func nodesOf(tree *freelancer.Tree) (list []*freelancer.Node) {
	tree.Root.Walk(func(_ string, n *freelancer.Node) bool { list = append(list, n); return true })
	return list
}

// edits of node i of a tree; what a payload was is given.
var edits = map[string]func(tree *freelancer.Tree, i int, was []byte){
	"none": func(*freelancer.Tree, int, []byte) {},
	"same": func(tree *freelancer.Tree, i int, was []byte) { nodesOf(tree)[i].Data = bytes.Clone(was) },
	"same length": func(tree *freelancer.Tree, i int, was []byte) {
		nodesOf(tree)[i].Data = bytes.Repeat([]byte{7}, len(was))
	},
	"longer": func(tree *freelancer.Tree, i int, was []byte) {
		nodesOf(tree)[i].Data = append(bytes.Clone(was), "some more"...)
	},
	"shorter": func(tree *freelancer.Tree, i int, was []byte) { nodesOf(tree)[i].Data = bytes.Clone(was[:len(was)/2]) },
	"emptied": func(tree *freelancer.Tree, i int, _ []byte) { nodesOf(tree)[i].Data = []byte{} },
	"renamed": func(tree *freelancer.Tree, i int, _ []byte) { nodesOf(tree)[i].Name = "another name, and a long one" },
	"removed": func(tree *freelancer.Tree, i int, _ []byte) {
		n := nodesOf(tree)[i]
		tree.Root.Walk(func(_ string, p *freelancer.Node) bool { return !p.Remove(n) })
	},
	"added": func(tree *freelancer.Tree, _ int, _ []byte) {
		tree.Root.Add(freelancer.NewDir("new", freelancer.NewLeaf("leaf", []byte("content"))))
	},
	"moved": func(tree *freelancer.Tree, i int, _ []byte) {
		n := nodesOf(tree)[i]
		tree.Root.Walk(func(_ string, p *freelancer.Node) bool { return !p.Remove(n) })
		n.Slot = &freelancer.Slot{Data: n.Slot.Data, Stored: n.Slot.Stored, Used: n.Slot.Used, Child: 1 << 30} // from another file
		tree.Root.Add(n)
	},
}

// TestUTFAt holds that a tree whose payloads stay in their file is written as one that is in memory is, after each
// edit of each leaf, whichever way it is written.
func TestUTFAt(t *testing.T) {
	for name, b := range treeFiles(t) {
		t.Run(name, func(t *testing.T) {
			whole := nodesOf(mustRead(t, b))
			for i := 1; i < len(whole); i += 1 + len(whole)/12 {
				if whole[i].IsDir() {
					continue
				}
				for edit, do := range edits {
					memory, at := mustRead(t, b), mustReadAt(t, b)
					do(memory, i, whole[i].Data)
					do(at, i, whole[i].Data)
					want, err := write.UTF(memory)
					if err != nil {
						t.Fatal(err)
					}
					got, err := write.UTF(at)
					if err != nil {
						t.Fatal(err)
					}
					what := fmt.Sprintf("node %d, %s", i, edit)
					corpus.SameBytes(t, what, got, want)
					var to bytes.Buffer
					if n, err := write.UTFTo(&to, at); err != nil || n != int64(to.Len()) {
						t.Fatalf("%s: %d, %v", what, n, err)
					}
					corpus.SameBytes(t, what+", to a writer", to.Bytes(), want)
					if want, err = write.UTFCompact(memory); err != nil {
						t.Fatal(err)
					}
					if got, err = write.UTFCompact(at); err != nil {
						t.Fatal(err)
					}
					corpus.SameBytes(t, what+", compact", got, want)
				}
			}
		})
	}
}

// A leaf of another file that was not read as a whole either brings its payload along, into a free block and over one of
// this file in whose place it was.
func TestUTFAtMoves(t *testing.T) {
	donor := sample()
	donor.Root.Find("directory/first").Data = []byte("abcdefg")
	donor.Root.Child("third").Data = []byte("another file")
	other := mustWrite(t, donor)
	for name, b := range treeFiles(t) {
		for _, path := range []string{"third", "directory/first"} {
			into := func(tree, from *freelancer.Tree) *freelancer.Tree {
				n := from.Root.Find(path)
				n.Name = "moved"
				tree.Root.Add(n)
				return tree
			}
			want := mustWrite(t, into(mustRead(t, b), mustRead(t, other)))
			corpus.SameBytes(t, name+", "+path, mustWrite(t, into(mustReadAt(t, b), mustReadAt(t, other))), want)
			var to bytes.Buffer
			if _, err := write.UTFTo(&to, into(mustReadAt(t, b), mustReadAt(t, other))); err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, name+", "+path+", to a writer", to.Bytes(), want)
		}
	}
}

// Payload and Load give what reading the whole file gives; what shares bytes in the file shares them in memory.
func TestUTFAtPayloads(t *testing.T) {
	for name, b := range treeFiles(t) {
		memory, at := mustRead(t, b), mustReadAt(t, b)
		nodes := nodesOf(at)
		for i, n := range nodesOf(memory) {
			got, err := nodes[i].Payload()
			if err != nil || !bytes.Equal(got, n.Data) || nodes[i].Length() != len(n.Data) || nodes[i].InFile() != (len(n.Data) > 0) {
				t.Errorf("%s, %s: %d bytes, %v; want %d", name, n.Name, len(got), err, len(n.Data))
			}
		}
		if err := at.Root.Load(); err != nil {
			t.Fatal(err)
		}
		if dump(at) != dump(memory) {
			t.Errorf("%s: loaded, it is another tree", name)
		}
		corpus.SameBytes(t, name+", loaded", mustWrite(t, at), b)
	}
	tree := mustReadAt(t, treeFiles(t)["overlapping payloads"])
	if err := tree.Root.Load(); err != nil {
		t.Fatal(err)
	}
	first, second := tree.Root.Find("directory/first"), tree.Root.Find("directory/second")
	if first.Data[4] = 'x'; second.Data[0] != 'x' {
		t.Error("payloads that overlap in the file are apart in memory")
	}
}

// Directory and names are all that is read until a payload is asked for.
func TestUTFAtReadsLittle(t *testing.T) {
	tree := freelancer.NewTree()
	for _, name := range []string{"0x00000001", "0x00000002"} {
		tree.Root.Add(freelancer.NewLeaf(name, make([]byte, 1<<20)))
	}
	b := mustWrite(t, tree)
	count := 0
	at, err := read.UTFAt(bytesAt{b, &count}, int64(len(b)), nil)
	if err != nil || count > 1024 {
		t.Fatalf("%d bytes are read of a directory, %v", count, err)
	}
	if _, err := at.Root.Child("0x00000002").Payload(); err != nil || count < 1<<20 || count > 1<<20+1024 {
		t.Errorf("%d bytes are read for a payload of %d, %v", count, 1<<20, err)
	}
	at.Root.Set("0x00000001", nil)
	small := mustReadAt(t, mustWrite(t, at))
	if n := small.Root.Child("0x00000001").Length(); n != 0 {
		t.Errorf("an emptied leaf has %d bytes", n)
	}
}

// shortAt is a file that becomes shorter.
type shortAt struct {
	b   []byte
	end *int64
}

func (r shortAt) ReadAt(p []byte, at int64) (int, error) {
	return io.NewSectionReader(bytes.NewReader(r.b), 0, *r.end).ReadAt(p, at)
}

// TestUTFAtErrors holds that UTFAt refuses what UTF refuses, in the same words, and that a file which is cut off behind
// its back is an error wherever a payload is wanted.
func TestUTFAtErrors(t *testing.T) {
	for name, b := range treeFiles(t) {
		for n := 0; n < len(b); n += 1 + len(b)/300 {
			_, want := read.UTF(b[:n], nil)
			_, got := read.UTFAt(bytesAt{b[:n], new(int)}, int64(n), nil)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s, %d bytes: %v, and in memory %v", name, n, got, want)
			}
		}
	}
	if _, err := read.UTFAt(bytesAt{nil, new(int)}, freelancer.MaxSize+1, nil); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("a file of 2 GiB: %v", err)
	}
	b := mustWrite(t, sample())
	end := int64(len(b))
	tree, err := read.UTFAt(shortAt{b, &end}, end, nil)
	if err != nil {
		t.Fatal(err)
	}
	end -= 4
	third := tree.Root.Child("third")
	_, payload := third.Payload()
	_, written := write.UTF(tree)
	_, to := write.UTFTo(io.Discard, tree)
	for what, err := range map[string]error{"payload": payload, "load": third.Load(), "written": written, "to": to} {
		if !errors.Is(err, schema.ErrTruncated) || strings.Count(err.Error(), "utf:") != 1 {
			t.Errorf("%s: %v", what, err)
		}
	}
	end = 60
	if _, err := read.UTFAt(shortAt{b, &end}, int64(len(b)), nil); !errors.Is(err, schema.ErrTruncated) {
		t.Errorf("a directory that is gone: %v", err)
	}
}
