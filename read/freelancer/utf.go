// Package freelancer reads UTF trees and their payloads. [UTF] reads a tree, [UTFAt] a tree that is too large for memory.
// The other functions read the payload of a node, such as [VMesh], or a whole branch, such as [Textures]. [Sur] and [BINI]
// read the files that are not trees.
package freelancer

import (
	"bytes"
	"errors"
	"io"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// UTF reads a UTF tree (reference section 1). Payloads alias b. It tolerates the irregularities of section 1.9, with a
// warning for each. It fails with ErrBadMagic and ErrUnsupported (version) for other files, ErrRange for an entry, name or
// payload outside its block, ErrTruncated for one that is cut off by the end of the file, ErrCycle for an entry that is
// reached twice, ErrMismatch for entries that overlap, and ErrLimit for nesting beyond [schema.DefaultLimits] or an
// overlong name.
func UTF(b []byte, d *schema.Diagnostics) (*freelancer.Tree, error) {
	return readUTF(&utfReader{b: b, size: int64(len(b)), d: d})
}

// UTFAt is UTF for a file of size bytes that is too large for memory. It reads header, entries, names and unexplained
// bytes; payloads stay in r. [freelancer.Node.Payload] reads one of them. [freelancer.Node.Load] reads all payloads of a
// branch, which must be done before a function of this package reads that branch. Writing copies payloads from r. Errors
// are those of UTF and of r.
func UTFAt(r io.ReaderAt, size int64, d *schema.Diagnostics) (*freelancer.Tree, error) {
	if size > freelancer.MaxSize {
		return nil, schema.Errorf(freelancer.Format, schema.ErrLimit, "size", "%d bytes, at most %d", size, freelancer.MaxSize)
	}
	if err := schema.CheckSource(freelancer.Format, r, size); err != nil {
		return nil, err
	}
	return readUTF(&utfReader{at: io.NewSectionReader(r, 0, size), size: size, d: d})
}

// given returns a node, an empty one for none.
func given(n *freelancer.Node) *freelancer.Node {
	if n == nil {
		return new(freelancer.Node)
	}
	return n
}

func readUTF(r *utfReader) (*freelancer.Tree, error) {
	d := r.d
	head, err := r.part(0, min(r.size, freelancer.HeaderSize))
	if err != nil {
		return nil, err
	}
	r.c = read.NewCursor(freelancer.Format, head, d)
	t := &freelancer.Tree{Layout: &freelancer.Layout{Size: int(r.size)}}
	t.Header = utfHeader(r.c)
	r.h = &t.Header
	if r.c.Err() != nil {
		return nil, r.c.Err()
	}
	if err := r.blocks(); err != nil {
		return nil, err
	}
	t.Root = r.entry(0, 0)
	if t.Root == nil {
		return nil, r.c.Err()
	}
	for _, n := range r.nodes {
		t.Layout.Slots = append(t.Layout.Slots, n.Slot)
	}
	if t.Layout.Residue, err = r.residue(); err != nil {
		return nil, err
	}
	if trace := d.Trace(); trace != nil {
		r.note(trace, t.Layout.Residue)
	}
	return t, nil
}

func utfHeader(c *read.Cursor) (h freelancer.Header) {
	c.Magic(freelancer.Magic, "signature")
	h.Version = c.U32("version")
	if c.Err() == nil && h.Version != freelancer.Version {
		c.FailAtf(4, schema.ErrUnsupported, "version", "found 0x%x, expected 0x%x", h.Version, freelancer.Version)
	}
	h.TreeOffset = c.U32("treeOffset")
	h.TreeSize = c.U32("treeSize")
	h.FirstFreeEntry = c.U32("firstFreeEntry")
	h.EntrySize = c.U32("entrySize")
	h.NamesOffset = c.U32("namesOffset")
	h.NamesAllocated = c.U32("namesSizeAllocated")
	h.NamesUsed = c.U32("namesSizeUsed")
	h.DataOffset = c.U32("dataOffset")
	h.FirstFreeData = c.U32("firstFreeData")
	h.FreeDataSize = c.U32("freeDataSize")
	h.FileTime = c.U64("filetime")
	return h
}

type utfReader struct {
	b     []byte            // the file, when it is in memory
	at    *io.SectionReader // the file, when it is not; one value for all nodes
	size  int64
	c     *read.Cursor
	d     *schema.Diagnostics
	h     *freelancer.Header
	tree  []byte // the tree block
	names []byte // the dictionary
	text  string // the dictionary when it is ASCII, so that names need no copies
	seen  []uint64
	nodes []*freelancer.Node
	path  []string
}

// part returns n bytes of the file, which it has.
func (r *utfReader) part(at, n int64) ([]byte, error) {
	if r.at == nil {
		return r.b[at : at+n : at+n], nil
	}
	b := make([]byte, n)
	if got, err := r.at.ReadAt(b, at); int64(got) < n {
		if err == nil || errors.Is(err, io.EOF) {
			return nil, schema.Errorf(freelancer.Format, schema.ErrTruncated, "file", "it ends at 0x%x, and had 0x%x bytes", at+int64(got), r.size)
		}
		return nil, err
	}
	return b, nil
}

// blocks finds the tree and the dictionary in the file.
func (r *utfReader) blocks() (err error) {
	size := uint64(r.size)
	tree, names := uint64(r.h.TreeOffset), uint64(r.h.NamesOffset)
	if tree > size {
		r.c.FailAtf(8, schema.ErrRange, "treeOffset", "0x%x is past the end of the file at 0x%x", tree, size)
		return r.c.Err()
	}
	if names > size {
		r.c.FailAtf(24, schema.ErrRange, "namesOffset", "0x%x is past the end of the file at 0x%x", names, size)
		return r.c.Err()
	}
	length := size - tree
	if uint64(r.h.TreeSize) <= length && r.h.TreeSize >= freelancer.EntrySize {
		length = uint64(r.h.TreeSize)
	} else {
		r.d.WarnAtf("tree-size", "", 12, "the tree's size 0x%x does not fit the file; its rest is taken", r.h.TreeSize)
	}
	if r.tree, err = r.part(int64(tree), int64(length)); err != nil {
		return err
	}
	length = uint64(max(r.h.NamesAllocated, r.h.NamesUsed))
	if length > size-names {
		r.c.FailAtf(28, schema.ErrTruncated, "namesSizeAllocated", "the dictionary needs 0x%x bytes, 0x%x left", length, size-names)
		return r.c.Err()
	}
	if r.names, err = r.part(int64(names), int64(length)); err != nil {
		return err
	}
	if ascii(r.names) {
		r.text = string(r.names)
	}
	if r.h.NamesUsed > r.h.NamesAllocated {
		r.d.WarnAtf("names-size", "", 32, "the dictionary uses %d bytes of %d allocated", r.h.NamesUsed, r.h.NamesAllocated)
	}
	if r.h.EntrySize != freelancer.EntrySize {
		r.d.WarnAtf("entry-size", "", 20, "entries say to be of %d bytes; the game accepts %d only", r.h.EntrySize, freelancer.EntrySize)
	}
	r.seen = make([]uint64, len(r.tree)/64+1)
	r.nodes = make([]*freelancer.Node, 0, len(r.tree)/freelancer.EntrySize)
	return nil
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// fail latches an error at an offset within the tree block.
func (r *utfReader) fail(class error, at uint32, field, msg string, args ...any) {
	r.c.Enter(`\`+joinPath(r.path), -1)
	r.c.FailAtf(int64(r.h.TreeOffset)+int64(at), class, field, msg, args...)
	r.c.Leave()
}

func joinPath(names []string) string {
	var s []byte
	for i, n := range names {
		if i > 0 {
			s = append(s, '\\')
		}
		s = append(s, n...)
	}
	return string(s)
}

// entryLayout is the layout of an entry, for a trace.
const entryLayout = "next:u32 name:u32 attributes:u32 sharing:u32 child:u32 allocated:u32 used:u32 uncompressed:u32 created:u32 accessed:u32 modified:u32"

// entry reads the entry at a tree-relative offset and all that is below it.
func (r *utfReader) entry(at uint32, depth int) *freelancer.Node {
	if uint64(at)+freelancer.EntrySize > uint64(len(r.tree)) {
		r.fail(schema.ErrRange, at, "entry", "0x%x is outside the tree of 0x%x bytes", at, len(r.tree))
		return nil
	}
	if !r.claim(at) {
		return nil
	}
	if depth > schema.DefaultLimits.Depth {
		r.fail(schema.ErrLimit, at, "child", "more than %d directories inside each other", schema.DefaultLimits.Depth)
		return nil
	}

	e := r.tree[at : at+freelancer.EntrySize]
	s := &freelancer.Slot{Offset: at, Next: u32(e, 0), Name: u32(e, 4), Child: u32(e, 16), Allocated: u32(e, 20), Used: u32(e, 24), Uncompressed: u32(e, 28)}
	n := &freelancer.Node{
		Attributes: freelancer.Attributes(u32(e, 8)), Sharing: u32(e, 12), Slot: s,
		Created: freelancer.DOSTime(u32(e, 32)), Accessed: freelancer.DOSTime(u32(e, 36)), Modified: freelancer.DOSTime(u32(e, 40)),
	}
	name, ok := r.name(s)
	if !ok {
		return nil
	}
	n.Name = name
	r.d.Trace().NoteBytes(e, 1, entryLayout, "tree", joinPath(append(r.path[:len(r.path):len(r.path)], name)))
	r.nodes = append(r.nodes, n)
	if !n.IsDir() {
		return r.leaf(n)
	}
	if s.Child != 0 && !r.children(n, depth) {
		return nil
	}
	return n
}

func (r *utfReader) name(s *freelancer.Slot) (string, bool) {
	if uint64(s.Name) >= uint64(len(r.names)) {
		r.fail(schema.ErrRange, s.Offset+4, "name", "0x%x is outside the dictionary of 0x%x bytes", s.Name, len(r.names))
		return "", false
	}
	raw := r.names[s.Name:min(int(s.Name)+freelancer.MaxName+1, len(r.names))]
	if end := bytes.IndexByte(raw, 0); end >= 0 {
		raw = raw[:end]
	}
	if len(raw) > freelancer.MaxName {
		r.fail(schema.ErrLimit, s.Offset+4, "name", "longer than %d bytes", freelancer.MaxName)
		return "", false
	}
	if r.text != "" {
		return r.text[s.Name : int(s.Name)+len(raw)], true
	}
	return schema.DecodeWindows1252(raw), true
}

func (r *utfReader) leaf(n *freelancer.Node) *freelancer.Node {
	s := n.Slot
	if s.Used == 0 {
		return n
	}
	start, size := uint64(r.h.DataOffset)+uint64(s.Child), uint64(r.size)
	r.path = append(r.path, n.Name)
	if start >= size {
		r.fail(schema.ErrRange, s.Offset+16, "child", "payload at 0x%x is past the end of the file at 0x%x", start, size)
		return nil
	}
	if uint64(s.Used) > size-start {
		r.fail(schema.ErrTruncated, s.Offset+24, "sizeUsed", "payload at 0x%x needs %d bytes, %d left", start, s.Used, size-start)
		return nil
	}
	r.path = r.path[:len(r.path)-1]
	if r.at != nil {
		s.Stored = io.NewSectionReader(r.at, int64(start), int64(s.Used))
		return n
	}
	n.Data = r.b[start : start+uint64(s.Used) : start+uint64(s.Used)]
	s.Data = n.Data
	return n
}

// children reads the linked list of n's children.
func (r *utfReader) children(n *freelancer.Node, depth int) bool {
	if n.Slot.Offset != 0 {
		r.path = append(r.path, n.Name)
		defer func() { r.path = r.path[:len(r.path)-1] }()
	}
	for at := n.Slot.Child; ; {
		child := r.entry(at, depth+1)
		if child == nil {
			return false
		}
		n.Children = append(n.Children, child)
		if at = child.Slot.Next; at == 0 {
			break
		}
	}
	if r.d != nil {
		r.clashes(n)
	}
	return true
}

// clashes reports children that the game cannot tell apart or does not see.
func (r *utfReader) clashes(n *freelancer.Node) {
	seen := make(map[uint32]bool, len(n.Children))
	for _, c := range n.Children {
		at := int64(r.h.TreeOffset) + int64(c.Slot.Offset)
		if c.Name == "" {
			r.d.WarnAtf("empty-name", joinPath(r.path), at, "an entry without a name: the game skips it")
			continue
		}
		crc := freelancer.FLCRC(c.Name)
		if seen[crc] {
			r.d.WarnAtf("duplicate-name", joinPath(r.path), at, "a second entry called %q: the game sees the first one only", c.Name)
		}
		seen[crc] = true
	}
}

func u32(b []byte, at int) uint32 {
	return uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16 | uint32(b[at+3])<<24
}
