// Package freelancer writes UTF trees and their payloads. [UTF] writes a tree; the other functions write the payload of a
// leaf, or what belongs to one directory of a tree. [Sur] and [BINI] write the files that are not trees.
package freelancer

import (
	"cmp"
	"encoding/binary"
	"io"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// UTF writes a tree. A tree that was read keeps its layout (reference section 1.10), so an unchanged tree gives the same
// bytes. An edited payload stays in its place; what follows moves if the payload needs more room. A new payload goes into a
// free block or to the end of the file. New entries take the places of deleted ones or make their block grow. Nothing else
// moves. A tree without a layout, or whose layout does not permit an edit, is written by [UTFCompact].
//
// It fails with ErrLimit if the tree is too deep or too large, and with ErrValue for a name that cannot be stored or a leaf
// with children.
func UTF(t *freelancer.Tree) ([]byte, error) {
	f, err := layOut(t, true)
	if err != nil {
		return nil, err
	}
	return f.bytes()
}

// UTFTo is UTF with an io.Writer as target. It returns the number of bytes written. Payloads that are still in the file
// they were read from are copied from there, so memory does not grow with them. Errors are those of UTF, of w and of that
// file.
func UTFTo(w io.Writer, t *freelancer.Tree) (int64, error) {
	f, err := layOut(t, true)
	if err != nil {
		return 0, err
	}
	return f.writeTo(w)
}

// UTFCompact writes a tree in the canonical layout (reference section 1.11): header, tree in pre-order, dictionary,
// payloads. Payloads are in the order of the tree and aligned to four bytes. Attributes and times are kept.
func UTFCompact(t *freelancer.Tree) ([]byte, error) {
	f, err := layOut(t, false)
	if err != nil {
		return nil, err
	}
	return f.bytes()
}

// layOut puts the file together, in the layout that it has if it can be kept and is wanted.
func layOut(t *freelancer.Tree, keep bool) (*image, error) {
	w, err := collect(t)
	if err != nil {
		return nil, err
	}
	if keep && t.Layout != nil {
		f, err := w.keep(t.Layout)
		if f != nil || err != nil {
			return f, err
		}
	}
	return w.compact()
}

// place is a node with its entry as it will be written.
type place struct {
	node        *freelancer.Node
	name        []byte
	slot        freelancer.Slot
	child, next int // places of the first child and the next sibling; 0 for none, since the root is nobody's child
}

func (p *place) leaf() bool { return !p.node.IsDir() }

// treeWriter holds the nodes in pre-order.
type treeWriter struct {
	h      freelancer.Header
	places []place
	bytes  int // of all payloads
}

func collect(t *freelancer.Tree) (*treeWriter, error) {
	if t.Root == nil {
		return nil, schema.Errorf(freelancer.Format, schema.ErrValue, "root", "a tree needs a root")
	}
	w := &treeWriter{h: t.Header}
	n := 16
	if t.Layout != nil {
		n += len(t.Layout.Slots)
	}
	w.places = make([]place, 0, n)
	if _, err := w.add(t.Root, 0); err != nil {
		return nil, err
	}
	if w.bytes > freelancer.MaxSize {
		return nil, schema.Errorf(freelancer.Format, schema.ErrLimit, "size", "%d bytes of payloads, at most %d", w.bytes, freelancer.MaxSize)
	}
	return w, nil
}

func (w *treeWriter) add(n *freelancer.Node, depth int) (int, error) {
	if n == nil {
		return 0, schema.Errorf(freelancer.Format, schema.ErrValue, "children", "an entry is nil")
	}
	if depth > schema.DefaultLimits.Depth {
		return 0, schema.Errorf(freelancer.Format, schema.ErrLimit, n.Name, "more than %d directories inside each other", schema.DefaultLimits.Depth)
	}
	name, ok := schema.EncodeWindows1252(n.Name)
	if !ok || len(name) > freelancer.MaxName || slices.Contains(name, 0) {
		return 0, schema.Errorf(freelancer.Format, schema.ErrValue, "name", "%.80q cannot be stored", n.Name)
	}
	if !n.IsDir() && len(n.Children) > 0 || n.IsDir() && n.Length() > 0 {
		return 0, schema.Errorf(freelancer.Format, schema.ErrValue, cmp.Or(n.Name, "root"), "an entry holds either children or data")
	}
	at := len(w.places)
	p := place{node: n, name: name}
	if n.Slot != nil {
		p.slot = *n.Slot
	}
	w.places = append(w.places, p)
	w.bytes += n.Length()
	last := 0
	for _, c := range n.Children {
		i, err := w.add(c, depth+1)
		if err != nil {
			return 0, err
		}
		if last == 0 {
			w.places[at].child = i
		} else {
			w.places[last].next = i
		}
		last = i
	}
	return at, nil
}

func align4(n int) int { return (n + 3) &^ 3 }

// compact lays everything out anew.
func (w *treeWriter) compact() (*image, error) {
	names, offsets := []byte{0}, map[string]int{"": 0}
	data := 0
	for i := range w.places {
		p := &w.places[i]
		at, known := offsets[string(p.name)]
		if !known {
			at = len(names)
			offsets[string(p.name)] = at
			names = append(append(names, p.name...), 0)
		}
		n := p.node.Length()
		p.slot = freelancer.Slot{Offset: uint32(i * freelancer.EntrySize), Name: uint32(at)}
		if p.leaf() && n > 0 {
			p.slot.Child, p.slot.Allocated = uint32(data), uint32(align4(n))
			data += align4(n)
		}
		p.slot.Used, p.slot.Uncompressed = uint32(n), uint32(n)
	}

	h := &w.h
	*h = freelancer.Header{Version: freelancer.Version, EntrySize: freelancer.EntrySize, FileTime: h.FileTime}
	h.TreeOffset, h.TreeSize = freelancer.HeaderSize, uint32(len(w.places)*freelancer.EntrySize)
	h.NamesOffset = h.TreeOffset + h.TreeSize
	h.NamesUsed, h.NamesAllocated = uint32(len(names)), uint32(align4(len(names)))
	h.DataOffset = h.NamesOffset + h.NamesAllocated
	size := int(h.DataOffset) + data
	if size > freelancer.MaxSize {
		return nil, schema.Errorf(freelancer.Format, schema.ErrLimit, "size", "%d bytes, at most %d", size, freelancer.MaxSize)
	}
	b := newImage(size, w.payloads())
	copy(b.part(int(h.NamesOffset), len(names)), names)
	w.entries(b)
	w.header(b)
	return b, nil
}

// payloads returns them in ascending order, each byte once even where many lie over each other.
func (w *treeWriter) payloads() []piece {
	order := make([]int, 0, len(w.places))
	for i := range w.places {
		if p := &w.places[i]; p.leaf() && p.node.Length() > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(w.places[a].slot.Child) - int(w.places[b].slot.Child) })
	list := make([]piece, 0, len(order))
	done := 0
	for _, i := range order {
		n := w.places[i].node
		at := int(w.h.DataOffset) + int(w.places[i].slot.Child)
		end, skip := at+n.Length(), max(0, done-at)
		if end <= done {
			continue
		}
		done = end
		if n.InFile() {
			list = append(list, piece{at: at + skip, stored: io.NewSectionReader(n.Slot.Stored, int64(skip), int64(end-at-skip))})
		} else {
			list = append(list, piece{at: at + skip, data: n.Data[skip:]})
		}
	}
	return list
}

// entries writes the tree into the file.
func (w *treeWriter) entries(f *image) {
	le := binary.LittleEndian
	for i := range w.places {
		p := &w.places[i]
		s, n := &p.slot, p.node
		child, next := s.Child, uint32(0)
		if n.IsDir() {
			child = 0
			if p.child != 0 {
				child = w.places[p.child].slot.Offset
			}
		}
		if p.next != 0 {
			next = w.places[p.next].slot.Offset
		}
		if i == 0 {
			next = s.Next
		}
		e := f.part(int(w.h.TreeOffset+s.Offset), freelancer.EntrySize)
		le.PutUint32(e, next)
		le.PutUint32(e[4:], s.Name)
		le.PutUint32(e[8:], uint32(n.Attributes))
		le.PutUint32(e[12:], n.Sharing)
		le.PutUint32(e[16:], child)
		le.PutUint32(e[20:], s.Allocated)
		le.PutUint32(e[24:], s.Used)
		le.PutUint32(e[28:], s.Uncompressed)
		le.PutUint32(e[32:], uint32(n.Created))
		le.PutUint32(e[36:], uint32(n.Accessed))
		le.PutUint32(e[40:], uint32(n.Modified))
	}
}

func (w *treeWriter) header(f *image) {
	le, h := binary.LittleEndian, &w.h
	b := f.part(0, freelancer.HeaderSize)
	copy(b, freelancer.Magic)
	for i, v := range [...]uint32{
		h.Version, h.TreeOffset, h.TreeSize, h.FirstFreeEntry, h.EntrySize, h.NamesOffset, h.NamesAllocated,
		h.NamesUsed, h.DataOffset, h.FirstFreeData, h.FreeDataSize,
	} {
		le.PutUint32(b[4+4*i:], v)
	}
	le.PutUint64(b[48:], h.FileTime)
}
