package freelancer

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sort"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// rest returns n bytes of the file as if it had nothing but its residue.
func (k *keeper) rest(at, n int) []byte {
	b := make([]byte, n)
	spans := k.layout.Residue
	first := sort.Search(len(spans), func(i int) bool { return spans[i].Offset+len(spans[i].Bytes) > at })
	for _, s := range spans[first:] {
		if s.Offset >= at+n {
			break
		}
		copy(b[max(0, s.Offset-at):], s.Bytes[max(0, at-s.Offset):])
	}
	return b
}

// image puts the file together. It returns nil when a block must grow but others are in its way.
func (k *keeper) image() (*image, error) {
	h, old := &k.h, &k.old
	treeEnd, namesEnd := int(old.TreeOffset)+k.treeEnd(), int(old.NamesOffset)+k.names()
	growTree, growNames := 0, len(k.dict)-k.names()
	if h.TreeSize != old.TreeSize {
		growTree = int(h.TreeSize) - k.treeEnd()
	}
	if growTree+growNames > 0 {
		apart := treeEnd <= int(old.NamesOffset) || namesEnd <= int(old.TreeOffset)
		if !apart || int(old.DataOffset) < max(treeEnd, namesEnd) || k.entangled {
			return nil, nil
		}
	}
	k.cuts = append(k.cuts, cut{treeEnd, growTree}, cut{namesEnd, growNames})
	shift := k.cuts.shift()
	size := max(shift(k.layout.Size), shift(int(old.DataOffset)+k.dataEnd))
	if k.dataEnd == 0 {
		size = shift(k.layout.Size)
	}
	h.TreeOffset, h.NamesOffset = uint32(shift(int(old.TreeOffset))), uint32(shift(int(old.NamesOffset)))
	h.DataOffset = uint32(shift(int(old.DataOffset)))
	most := 2 * (k.layout.Size + k.bytes + len(k.dict) + len(k.places)*freelancer.EntrySize)
	if size > min(most, freelancer.MaxSize) {
		return nil, nil // the data block of a damaged header may be far behind the end of the file
	}
	if old.FirstFreeEntry != 0 {
		h.FirstFreeEntry = uint32(shift(int(old.FirstFreeEntry)))
	}
	if old.FirstFreeData != 0 {
		h.FirstFreeData = uint32(shift(int(old.FirstFreeData)))
	}

	k.slide(shift)
	payloads := k.payloads()
	if k.entangled { // parts may lie over each other, so none is left out
		if err := fill(payloads); err != nil {
			return nil, err
		}
	}
	b := newImage(size, payloads)
	for _, s := range k.layout.Residue {
		for at, left := s.Offset, s.Bytes; len(left) > 0; {
			n := k.cuts.whole(at, len(left))
			b.put(shift(at), left[:n])
			at, left = at+n, left[n:]
		}
	}
	b.paint(payloads)
	k.nameTexts(b)
	k.freeLists(b)
	if root := &k.places[0].slot; int(root.Used) == k.layout.Size && root.Allocated == root.Used && root.Uncompressed == root.Used {
		root.Allocated, root.Used, root.Uncompressed = uint32(size), uint32(size), uint32(size)
	}
	k.entries(b)
	k.header(b)
	if k.entangled && !k.intact(b, payloads) {
		return nil, nil
	}
	return b, nil
}

// slide takes what lies in the data block along when the file grows before it.
func (k *keeper) slide(shift func(at int) int) {
	to := func(at int) int { return shift(int(k.old.DataOffset)+at) - int(k.h.DataOffset) }
	for i := range k.places {
		if p := &k.places[i]; p.leaf() && p.node.Length() > 0 {
			p.slot.Child = uint32(to(int(p.slot.Child)))
		}
	}
	for i, f := range k.freeData {
		at := to(f.from)
		k.freeData[i] = extent{at, at + f.to - f.from}
	}
}

// cut is an offset in the file as it was read, from which on everything moves by some bytes.
type cut struct{ at, by int }

type cuts []cut

// shift sorts the cuts and returns where an offset lies after all of them.
func (c cuts) shift() func(at int) int {
	slices.SortFunc(c, func(a, b cut) int { return a.at - b.at })
	sums := make([]int, len(c)+1)
	for i, x := range c {
		sums[i+1] = sums[i] + x.by
	}
	return func(at int) int { return at + sums[c.after(at)] }
}

// after returns the first of the sorted cuts that lies behind an offset.
func (c cuts) after(at int) int {
	return sort.Search(len(c), func(i int) bool { return c[i].at > at })
}

// whole returns how many of n bytes at an offset stay together.
func (c cuts) whole(at, n int) int {
	if i := c.after(at); i < len(c) {
		return min(n, c[i].at-at)
	}
	return n
}

// nameTexts writes the names and the zeros that end them.
func (k *keeper) nameTexts(f *image) {
	dict := f.part(int(k.h.NamesOffset), len(k.dict))
	for i := range k.places {
		p := &k.places[i]
		at := int(p.slot.Name)
		copy(dict[at:], p.name)
		if end := at + len(p.name); end < len(dict) {
			dict[end] = 0
		}
	}
}

// intact reports whether nothing was written over something else: writing each part again must change nothing.
func (k *keeper) intact(f *image, payloads []piece) bool {
	again := &image{b: bytes.Clone(f.b)}
	paint := func(f *image) { f.paint(payloads) }
	for _, part := range []func(*image){paint, k.nameTexts, k.entries} {
		if part(again); !bytes.Equal(again.b, f.b) {
			return false
		}
	}
	return true
}

// freeLists writes the lists of deleted entries and free data blocks, where an edit changed them.
func (k *keeper) freeLists(f *image) {
	le := binary.LittleEndian
	h := &k.h
	if len(k.dead) > 0 {
		h.FirstFreeEntry = h.TreeOffset + uint32(k.dead[0])
		for i, at := range k.dead {
			e := f.part(int(h.TreeOffset)+at, freelancer.EntrySize)
			clear(e)
			if i+1 < len(k.dead) {
				le.PutUint32(e, uint32(k.dead[i+1]))
			}
			le.PutUint32(e[8:], uint32(freelancer.Free))
		}
	} else if k.usedFreeEntry() {
		h.FirstFreeEntry = 0
	}
	if !k.freeEdits {
		return
	}
	h.FirstFreeData, h.FreeDataSize = 0, 0
	for i, x := range k.freeData {
		e := f.part(int(h.DataOffset)+x.from, x.to-x.from)
		le.PutUint32(e, uint32(len(e)))
		le.PutUint32(e[4:], 0)
		if i == 0 {
			h.FirstFreeData = h.DataOffset + uint32(x.from)
		} else {
			le.PutUint32(f.part(int(h.DataOffset)+k.freeData[i-1].from+4, 4), uint32(x.from))
		}
		h.FreeDataSize += uint32(len(e))
	}
}

// usedFreeEntry reports whether a new entry took the place at which the list of deleted ones began.
func (k *keeper) usedFreeEntry() bool {
	for i := range k.places {
		if k.h.TreeOffset+k.places[i].slot.Offset == k.h.FirstFreeEntry && k.places[i].node.Slot == nil {
			return true
		}
	}
	return false
}

// image is a file to be: bytes at hand, and holes for payloads that are copied from where they are stored.
type image struct {
	b     []byte // without the holes
	holes []hole // in ascending order
}

// hole is a run of the file that b leaves out.
type hole struct {
	at     int
	stored *io.SectionReader
	before int // how much the holes before it leave out
}

func (h hole) size() int { return int(h.stored.Size()) }

// piece is a payload, or what of it no other one has written: data, or where it is stored.
type piece struct {
	at     int
	data   []byte
	stored *io.SectionReader
}

// newImage returns an image of size bytes with its payloads.
func newImage(size int, payloads []piece) *image {
	f := &image{}
	out := 0
	for _, p := range payloads {
		if p.stored != nil {
			f.holes = append(f.holes, hole{p.at, p.stored, out})
			out += int(p.stored.Size())
		}
	}
	f.b = make([]byte, size-out)
	f.paint(payloads)
	return f
}

// paint writes the payloads that are in memory.
func (f *image) paint(payloads []piece) {
	for _, p := range payloads {
		copy(f.part(p.at, len(p.data)), p.data)
	}
}

// fill reads the payloads that are still in their file.
func fill(payloads []piece) error {
	for i := range payloads {
		p := &payloads[i]
		if p.stored == nil {
			continue
		}
		p.data = make([]byte, p.stored.Size())
		if n, err := p.stored.ReadAt(p.data, 0); n < len(p.data) {
			return gone(err)
		}
		p.stored = nil
	}
	return nil
}

// gone is the error of a source that is shorter than when it was read.
func gone(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return schema.Errorf(freelancer.Format, schema.ErrTruncated, "source", "the file ends before a payload does")
	}
	return err
}

// after returns the first hole that ends behind an offset.
func (f *image) after(at int) int {
	return sort.Search(len(f.holes), func(i int) bool { return f.holes[i].at+f.holes[i].size() > at })
}

// part returns n bytes of the file to write to, none of which are in a hole.
func (f *image) part(at, n int) []byte {
	if i := f.after(at); i > 0 {
		at -= f.holes[i-1].before + f.holes[i-1].size()
	}
	return f.b[at : at+n]
}

// put writes what is not in a hole.
func (f *image) put(at int, b []byte) {
	for len(b) > 0 {
		n := len(b)
		if i := f.after(at); i < len(f.holes) {
			h := f.holes[i]
			if n = min(n, h.at-at); n <= 0 {
				n = min(len(b), h.at+h.size()-at)
				at, b = at+n, b[n:]
				continue
			}
		}
		copy(f.part(at, n), b)
		at, b = at+n, b[n:]
	}
}

// bytes returns the file with its holes filled.
func (f *image) bytes() ([]byte, error) {
	if f.holes == nil {
		return f.b, nil
	}
	last := f.holes[len(f.holes)-1]
	b := make([]byte, 0, len(f.b)+last.before+last.size())
	done := 0
	for _, h := range f.holes {
		b = append(b, f.b[done:h.at-h.before]...)
		done = h.at - h.before
		to := b[len(b) : len(b)+h.size()]
		if n, err := h.stored.ReadAt(to, 0); n < len(to) {
			return nil, gone(err)
		}
		b = b[:len(b)+len(to)]
	}
	return append(b, f.b[done:]...), nil
}

// writeTo writes the file and copies what its holes hold.
func (f *image) writeTo(w io.Writer) (n int64, err error) {
	to := bufio.NewWriterSize(w, 64<<10)
	done := 0
	for _, h := range f.holes {
		k, err := to.Write(f.b[done : h.at-h.before])
		if n += int64(k); err != nil {
			return n, err
		}
		done = h.at - h.before
		r, at, size := h.stored.Outer()
		if whole, ok := r.(*io.SectionReader); ok { // the system copies between files
			outer, from, _ := whole.Outer()
			r, at = outer, at+from
		}
		if err := write.CopyRange(to, freelancer.Format, r, at, size); err != nil {
			return n, err
		}
		n += size
	}
	k, err := to.Write(f.b[done:])
	if n += int64(k); err != nil {
		return n, err
	}
	return n, to.Flush()
}

// extent is a range of bytes; extents are sorted and do not meet, unless they are a list in an order of its own.
type extent struct{ from, to int }
type extents []extent

// append adds a range that does not begin before the last one.
func (e extents) append(from, to int) extents {
	if last := len(e) - 1; last >= 0 && from <= e[last].to {
		e[last].to = max(e[last].to, to)
		return e
	}
	return append(e, extent{from, to})
}

// search returns the first range that ends after at.
func (e extents) search(at int) int {
	return sort.Search(len(e), func(i int) bool { return e[i].to > at })
}

func (e extents) meets(from, to int) bool {
	i := e.search(from)
	return i < len(e) && e[i].from < to
}

// insert adds a range that meets none.
func (e extents) insert(from, to int) extents {
	return slices.Insert(e, e.search(from), extent{from, to})
}
