package freelancer

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/usher-assets/usher/schema/freelancer"
)

// rest returns the file with nothing but its residue.
func (k *keeper) rest() []byte {
	if k.residue == nil {
		k.residue = make([]byte, k.layout.Size)
		for _, s := range k.layout.Residue {
			copy(k.residue[s.Offset:], s.Bytes)
		}
	}
	return k.residue
}

// image puts the file together. It returns nil when a block must grow but others are in its way.
func (k *keeper) image() []byte {
	h, old := &k.h, &k.old
	treeEnd, namesEnd := int(old.TreeOffset)+k.treeEnd(), int(old.NamesOffset)+k.names()
	growTree, growNames := 0, len(k.dict)-k.names()
	if h.TreeSize != old.TreeSize {
		growTree = int(h.TreeSize) - k.treeEnd()
	}
	if growTree+growNames > 0 {
		apart := treeEnd <= int(old.NamesOffset) || namesEnd <= int(old.TreeOffset)
		if !apart || int(old.DataOffset) < max(treeEnd, namesEnd) || k.entangled {
			return nil
		}
	}
	k.cuts.add(treeEnd, growTree)
	k.cuts.add(namesEnd, growNames)
	shift := k.cuts.shift()
	size := max(shift(k.layout.Size), shift(int(old.DataOffset)+k.dataEnd))
	if k.dataEnd == 0 {
		size = shift(k.layout.Size)
	}
	h.TreeOffset, h.NamesOffset = uint32(shift(int(old.TreeOffset))), uint32(shift(int(old.NamesOffset)))
	h.DataOffset = uint32(shift(int(old.DataOffset)))
	most := 2 * (k.layout.Size + k.bytes + len(k.dict) + len(k.places)*freelancer.EntrySize)
	if size > min(most, freelancer.MaxSize) {
		return nil // the data block of a damaged header may be far behind the end of the file
	}
	if old.FirstFreeEntry != 0 {
		h.FirstFreeEntry = uint32(shift(int(old.FirstFreeEntry)))
	}
	if old.FirstFreeData != 0 {
		h.FirstFreeData = uint32(shift(int(old.FirstFreeData)))
	}

	k.slide(shift)
	b := make([]byte, size)
	for _, s := range k.layout.Residue {
		for at, left := s.Offset, s.Bytes; len(left) > 0; {
			n := k.cuts.whole(at, len(left))
			copy(b[shift(at):], left[:n])
			at, left = at+n, left[n:]
		}
	}
	k.payloads(b)
	k.nameTexts(b)
	k.freeLists(b)
	if root := &k.places[0].slot; int(root.Used) == k.layout.Size && root.Allocated == root.Used && root.Uncompressed == root.Used {
		root.Allocated, root.Used, root.Uncompressed = uint32(size), uint32(size), uint32(size)
	}
	k.entries(b)
	k.header(b)
	if k.entangled && !k.intact(b) {
		return nil
	}
	return b
}

// slide takes what lies in the data block along when the file grows before it.
func (k *keeper) slide(shift func(at int) int) {
	to := func(at int) int { return shift(int(k.old.DataOffset)+at) - int(k.h.DataOffset) }
	for i := range k.places {
		if p := &k.places[i]; p.leaf() && len(p.node.Data) > 0 {
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

func (c *cuts) add(at, by int) {
	if by != 0 {
		*c = append(*c, cut{at, by})
	}
}

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
	i, _ := slices.BinarySearchFunc(c, at, func(x cut, at int) int {
		if x.at > at {
			return 1
		}
		return -1
	})
	return i
}

// whole returns how many of n bytes at an offset stay together.
func (c cuts) whole(at, n int) int {
	if i := c.after(at); i < len(c) {
		return min(n, c[i].at-at)
	}
	return n
}

// payloads copies them in ascending order, each byte once even where many lie over each other.
func (k *keeper) payloads(b []byte) {
	order := make([]int, 0, len(k.places))
	for i := range k.places {
		if p := &k.places[i]; p.leaf() && len(p.node.Data) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(k.places[a].slot.Child) - int(k.places[b].slot.Child) })
	done := 0
	for _, i := range order {
		p := &k.places[i]
		at := int(k.h.DataOffset) + int(p.slot.Child)
		end := at + len(p.node.Data)
		if end > done {
			from := max(at, done)
			copy(b[from:], p.node.Data[from-at:])
			done = end
		}
	}
}

// nameTexts writes the names and the zeros that end them.
func (k *keeper) nameTexts(b []byte) {
	dict := b[k.h.NamesOffset:][:len(k.dict)]
	for i := range k.places {
		p := &k.places[i]
		at := int(p.slot.Name)
		copy(dict[at:], p.name)
		if end := at + len(p.name); end < len(dict) {
			dict[end] = 0
		}
	}
}

// intact tells whether nothing was written over something else: writing each part again must change nothing.
func (k *keeper) intact(b []byte) bool {
	again := bytes.Clone(b)
	for _, part := range []func([]byte){k.payloads, k.nameTexts, k.entries} {
		if part(again); !bytes.Equal(again, b) {
			return false
		}
	}
	return true
}

// freeLists writes the lists of deleted entries and free data blocks, where an edit changed them.
func (k *keeper) freeLists(b []byte) {
	le := binary.LittleEndian
	h := &k.h
	if len(k.dead) > 0 {
		h.FirstFreeEntry = h.TreeOffset + uint32(k.dead[0])
		for i, at := range k.dead {
			e := b[int(h.TreeOffset)+at:][:freelancer.EntrySize]
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
	for i, f := range k.freeData {
		e := b[int(h.DataOffset)+f.from : int(h.DataOffset)+f.to]
		le.PutUint32(e, uint32(len(e)))
		le.PutUint32(e[4:], 0)
		if i == 0 {
			h.FirstFreeData = h.DataOffset + uint32(f.from)
		} else {
			le.PutUint32(b[int(h.DataOffset)+k.freeData[i-1].from+4:], uint32(f.from))
		}
		h.FreeDataSize += uint32(len(e))
	}
}

// usedFreeEntry tells whether a new entry took the place at which the list of deleted ones began.
func (k *keeper) usedFreeEntry() bool {
	for i := range k.places {
		if k.h.TreeOffset+k.places[i].slot.Offset == k.h.FirstFreeEntry && k.places[i].node.Slot == nil {
			return true
		}
	}
	return false
}
