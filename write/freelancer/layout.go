package freelancer

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/usher-assets/usher/schema/freelancer"
)

// keeper fits an edited tree into the layout that it was read with. Offsets are relative to their block.
type keeper struct {
	*treeWriter
	layout *freelancer.Layout
	old    freelancer.Header

	dead      []int   // entries that are free from now on
	dict      []byte  // the dictionary
	covered   extents // of payloads that have their place, and of the other blocks
	moving    []int   // leaves that need a new place
	cuts      cuts    // where the file grows
	freeData  extents // free blocks of the data block
	freeEdits bool    // the free data list changed
	entangled bool    // a payload lies over another block
	err       error   // of the file that payloads are still in
	dataEnd   int     // end of the data block
}

// keep returns nil when the layout cannot take the edits.
func (w *treeWriter) keep(l *freelancer.Layout) (*image, error) {
	k := &keeper{treeWriter: w, layout: l, old: w.h}
	if !k.fits() || !k.placeEntries() {
		return nil, nil
	}
	k.placeNames()
	if err := k.placeData(); err != nil {
		return nil, err
	}
	return k.image()
}

// fits checks what a reader has checked already, since a layout may also come from an edited JSON file.
func (k *keeper) fits() bool {
	size, h := k.layout.Size, &k.old
	end := 0
	for _, s := range k.layout.Residue {
		if s.Offset < end || s.Offset > size || len(s.Bytes) > size-s.Offset {
			return false
		}
		end = s.Offset + len(s.Bytes)
	}
	if size < freelancer.HeaderSize || size > freelancer.MaxSize || int(h.TreeOffset) > size || int(h.NamesOffset) > size {
		return false
	}
	if k.names() > size-int(h.NamesOffset) || k.bytes > 0 && int64(h.DataOffset) > freelancer.MaxSize {
		return false // without payloads, it does not matter where they would be
	}
	root := k.places[0].node
	return root.Slot != nil && root.Slot.Offset == 0
}

func (k *keeper) names() int { return int(max(k.old.NamesAllocated, k.old.NamesUsed)) }

// treeEnd returns the length of the tree block, by the same rule as the reader.
func (k *keeper) treeEnd() int {
	left := k.layout.Size - int(k.old.TreeOffset)
	if int(k.old.TreeSize) <= left && k.old.TreeSize >= freelancer.EntrySize {
		return int(k.old.TreeSize)
	}
	return left
}

// placeEntries gives every node an entry: its own, that of a deleted one, or a new one at the end of the tree.
func (k *keeper) placeEntries() bool {
	end := k.treeEnd()
	taken := make(map[uint32]bool, len(k.places))
	var homeless []int
	for i := range k.places {
		p := &k.places[i]
		s := p.slot.Offset
		if p.node.Slot == nil || taken[s] || int(s) > end-freelancer.EntrySize {
			homeless = append(homeless, i)
			p.slot = freelancer.Slot{}
			continue
		}
		taken[s] = true
	}
	if !apart(taken) {
		return false
	}
	var gone []int
	for _, s := range k.layout.Slots {
		if !taken[s.Offset] {
			gone = append(gone, int(s.Offset))
		}
	}
	if len(homeless) == 0 && len(gone) == 0 {
		return true
	}

	free := append(gone, k.freeEntries(taken)...)
	for _, i := range homeless {
		if len(free) > 0 {
			k.places[i].slot.Offset = uint32(free[0])
			free = free[1:]
			continue
		}
		k.places[i].slot.Offset = uint32(end)
		end += freelancer.EntrySize
	}
	k.dead = free
	if end > k.treeEnd() {
		k.h.TreeSize = uint32(end)
	}
	return true
}

func apart(taken map[uint32]bool) bool {
	offsets := make([]uint32, 0, len(taken))
	for o := range taken {
		offsets = append(offsets, o)
	}
	slices.Sort(offsets)
	for i := 1; i < len(offsets); i++ {
		if offsets[i]-offsets[i-1] < freelancer.EntrySize {
			return false
		}
	}
	return true
}

// freeEntries follows the list of deleted entries (reference section 1.6). The list may be stale: it counts as far as
// it makes sense.
func (k *keeper) freeEntries(taken map[uint32]bool) (free []int) {
	if k.old.FirstFreeEntry < k.old.TreeOffset {
		return nil
	}
	tree := k.rest(int(k.old.TreeOffset), k.treeEnd())
	seen := map[int]bool{}
	at := int(k.old.FirstFreeEntry - k.old.TreeOffset)
	for at%freelancer.EntrySize == 0 && at <= len(tree)-freelancer.EntrySize && !seen[at] && !taken[uint32(at)] {
		e := tree[at:]
		if freelancer.Attributes(binary.LittleEndian.Uint32(e[8:])) != freelancer.Free {
			break
		}
		seen[at] = true
		free = append(free, at)
		if at = int(binary.LittleEndian.Uint32(e)); at == 0 {
			break
		}
	}
	return free
}

// placeNames keeps the names where they are. New ones share the text of an equal name or are added at the end.
func (k *keeper) placeNames() {
	k.dict = make([]byte, k.names())
	owned := make([]bool, len(k.dict))
	end := int(k.old.NamesUsed)
	known := map[string]uint32{}
	var homeless []int
	for i := range k.places {
		p := &k.places[i]
		at := int(p.slot.Name)
		if p.node.Slot == nil || !claim(k.dict, owned, p.name, at) {
			homeless = append(homeless, i)
			continue
		}
		end = max(end, at+len(p.name)+1)
	}
	if len(homeless) == 0 {
		return
	}
	rest := homeless
	for i := range k.places {
		if len(rest) > 0 && rest[0] == i {
			rest = rest[1:]
			continue
		}
		known[string(k.places[i].name)] = k.places[i].slot.Name
	}
	for _, i := range homeless {
		p := &k.places[i]
		at, found := known[string(p.name)]
		if !found {
			at = uint32(end)
			end += len(p.name) + 1
			k.dict = append(k.dict, make([]byte, max(0, align4(end)-len(k.dict)))...)
			clear(k.dict[at:end])
			copy(k.dict[at:], p.name)
			known[string(p.name)] = at
		}
		p.slot.Name = at
	}
	if len(k.dict) > k.names() {
		k.h.NamesAllocated = uint32(len(k.dict))
	}
	k.h.NamesUsed = max(k.h.NamesUsed, uint32(min(end, len(k.dict))))
}

// claim writes a name and its terminator at an offset, unless another name needs those bytes otherwise. The
// terminator may be missing at the end of the dictionary.
func claim(dict []byte, owned []bool, name []byte, at int) bool {
	if at >= len(dict) || len(name) > len(dict)-at {
		return false
	}
	for i, c := range name {
		if owned[at+i] && dict[at+i] != c {
			return false
		}
	}
	if end := at + len(name); end < len(dict) && owned[end] && dict[end] != 0 {
		return false
	}
	for i, c := range name {
		dict[at+i], owned[at+i] = c, true
	}
	if end := at + len(name); end < len(dict) {
		dict[end], owned[end] = 0, true
	}
	return true
}

// placeData finds a place for every payload.
func (k *keeper) placeData() error {
	var kept, edited []int
	for i := range k.places {
		p := &k.places[i]
		switch {
		case p.node.IsDir() || p.node.Length() == 0:
			if p.leaf() && p.slot.Used != 0 {
				p.slot.Child, p.slot.Allocated, p.slot.Used, p.slot.Uncompressed = 0, 0, 0, 0
			}
		case p.node.Slot == nil || p.slot.Used == 0:
			k.moving = append(k.moving, i)
		case k.unchanged(p):
			kept = append(kept, i)
		default:
			edited = append(edited, i)
		}
	}
	k.cover(kept)
	k.dataEnd = max(0, k.layout.Size-int(k.old.DataOffset))
	k.block(0, freelancer.HeaderSize)
	k.block(int(k.old.TreeOffset), k.treeEnd())
	k.block(int(k.old.NamesOffset), k.names())
	for _, i := range edited {
		k.inPlace(i)
	}
	k.stretch()
	if k.freed(); len(k.moving) > 0 {
		k.allocate()
	}
	return k.err
}

// unchanged reports whether a leaf holds what was read; of a tree that came from JSON only lengths are known.
func (k *keeper) unchanged(p *place) bool {
	data, was := p.node.Data, p.slot.Data
	if p.node.Length() != int(p.slot.Used) {
		return false
	}
	if p.node.InFile() || was == nil && p.slot.Stored == nil {
		return true
	}
	if was == nil {
		was = k.payload(&freelancer.Node{Slot: &p.slot})
	}
	return bytes.Equal(data, was)
}

// payload returns a payload to compare; what the file does not give is latched as an error.
func (k *keeper) payload(n *freelancer.Node) []byte {
	b, err := n.Payload()
	if err != nil && k.err == nil {
		k.err = err
	}
	return b
}

// alike reports whether the payload of b begins with the bytes that a's has from an offset on, as far as both go.
func (k *keeper) alike(a *freelancer.Node, from int, b *freelancer.Node) bool {
	if a.InFile() && b.InFile() {
		file, at, _ := a.Slot.Stored.Outer()
		other, begin, _ := b.Slot.Stored.Outer()
		if file == other && at+int64(from) == begin {
			return true
		}
	}
	x, y := k.payload(a)[from:], k.payload(b)
	n := min(len(x), len(y))
	return bytes.Equal(x[:n], y[:n])
}

// cover takes over the places of unchanged payloads. Where two of them lie over each other and disagree, which takes
// an edited JSON file, the later one moves.
func (k *keeper) cover(kept []int) {
	slices.SortStableFunc(kept, func(a, b int) int { return int(k.places[a].slot.Child) - int(k.places[b].slot.Child) })
	top, topFrom, topTo := (*freelancer.Node)(nil), 0, -1
	for _, i := range kept {
		p := &k.places[i]
		from, to := int(p.slot.Child), int(p.slot.Child)+p.node.Length()
		if to > k.layout.Size-int(k.old.DataOffset) {
			k.moving = append(k.moving, i)
			continue
		}
		if from < topTo && !k.alike(top, from-topFrom, p.node) {
			k.moving = append(k.moving, i)
			continue
		}
		k.covered = k.covered.append(from, to)
		if to > topTo {
			top, topFrom, topTo = p.node, from, to
		}
	}
}

// block marks a block of the file that no payload may be put over.
func (k *keeper) block(at, size int) {
	if size == 0 {
		return
	}
	from := at - int(k.old.DataOffset)
	if k.covered.meets(from, from+size) {
		k.entangled = true
		return
	}
	k.covered = k.covered.insert(from, from+size)
}

// inPlace keeps an edited payload where it was, when it fits.
func (k *keeper) inPlace(i int) {
	p := &k.places[i]
	from, n := int(p.slot.Child), p.node.Length()
	to := from + n
	if n > int(max(p.slot.Used, p.slot.Allocated)) || to > k.dataEnd+3 || k.covered.meets(from, to) {
		k.moving = append(k.moving, i)
		return
	}
	k.covered = k.covered.insert(from, to)
	if n != int(p.slot.Used) {
		p.slot.Used, p.slot.Uncompressed = uint32(n), uint32(n)
	}
	k.dataEnd = max(k.dataEnd, to)
}

// stretch makes room behind payloads that are longer now, so that they stay where they are and the file keeps no hole
// for each edit: what follows moves. A payload that shares its place, or lies over another one, is left to allocate.
func (k *keeper) stretch() {
	at := map[uint32]int{}
	for _, i := range k.moving {
		at[k.places[i].slot.Child]++
	}
	k.moving = slices.DeleteFunc(k.moving, func(i int) bool {
		p := &k.places[i]
		from, used, n := int(p.slot.Child), int(p.slot.Used), p.node.Length()
		if k.entangled || p.node.Slot == nil || used == 0 || at[p.slot.Child] > 1 || from+used > k.dataEnd || k.covered.meets(from, from+used) {
			return false
		}
		to := min(from+int(max(p.slot.Used, p.slot.Allocated)), k.dataEnd)
		if next := k.covered.search(from); next < len(k.covered) {
			to = min(to, k.covered[next].from)
		}
		by := align4(n - (to - from))
		k.covered = k.covered.insert(from, to)
		k.cuts = append(k.cuts, cut{int(k.old.DataOffset) + to, by})
		p.slot.Used, p.slot.Uncompressed, p.slot.Allocated = uint32(n), uint32(n), uint32(to-from+by)
		return true
	})
}

// freed adds the places of moved and removed payloads to the free blocks, once the old list is found to be sound.
func (k *keeper) freed() {
	seen := map[uint32]bool{}
	var gone extents
	for _, s := range k.layout.Slots {
		if s.Data == nil && s.Stored == nil || seen[s.Child] {
			continue
		}
		seen[s.Child] = true
		from := int(s.Child)
		to := min(from+int(max(s.Used, s.Allocated)), k.dataEnd)
		if to-from >= 8 && !k.covered.meets(from, to) && !gone.meets(from, to) {
			gone = gone.insert(from, to)
		}
	}
	if len(gone) == 0 && len(k.moving) == 0 && len(k.cuts) == 0 {
		return
	}
	k.freeData = k.freeBlocks(gone)
	k.freeEdits = len(gone) > 0 || len(k.cuts) > 0 && len(k.freeData) > 0
	k.freeData = append(gone, k.freeData...)
}

// freeBlocks follows the list of free data blocks (reference section 1.6); a stale one counts as empty.
func (k *keeper) freeBlocks(gone extents) extents {
	if k.old.FirstFreeData < k.old.DataOffset || k.old.FirstFreeData == 0 {
		return nil
	}
	var list, sorted extents
	end, base := k.layout.Size, int(k.old.DataOffset)
	at, sum := int(k.old.FirstFreeData)-base, 0
	for {
		if base+at > end-8 {
			return nil
		}
		head := k.rest(base+at, 8)
		size := int(binary.LittleEndian.Uint32(head))
		if size < 8 || size > end-base-at || k.covered.meets(at, at+size) || gone.meets(at, at+size) || sorted.meets(at, at+size) {
			return nil
		}
		list, sorted = append(list, extent{at, at + size}), sorted.insert(at, at+size)
		sum += size
		next := int(binary.LittleEndian.Uint32(head[4:]))
		if next == 0 {
			break
		}
		at = next
	}
	if sum != int(k.old.FreeDataSize) {
		return nil
	}
	return list
}

// allocate finds places for the payloads that have none: in a free block, or after the end of the file. Equal
// payloads that shared a place share the new one.
func (k *keeper) allocate() {
	slices.Sort(k.moving)
	shared := map[uint32][]*place{}
	for _, i := range k.moving {
		p := &k.places[i]
		old, n := p.slot.Child, p.node.Length()
		p.slot.Used, p.slot.Uncompressed = uint32(n), uint32(n)
		if twin := k.sharer(shared[old], p); twin != nil {
			p.slot.Child, p.slot.Allocated = twin.slot.Child, twin.slot.Allocated
			continue
		}
		p.slot.Child, p.slot.Allocated = k.room(max(8, align4(n)))
		if p.node.Slot != nil {
			shared[old] = append(shared[old], p)
		}
	}
}

func (k *keeper) sharer(with []*place, p *place) *place {
	for _, q := range with {
		if p.node.Slot != nil && q.node.Length() == p.node.Length() && k.alike(q.node, 0, p.node) {
			return q
		}
	}
	return nil
}

// room returns an allocation of at least need bytes. What is left of a free block stays free when it can hold its
// own header.
func (k *keeper) room(need int) (at, size uint32) {
	for i, f := range k.freeData {
		have := f.to - f.from
		if have < need {
			continue
		}
		k.freeEdits = true
		if have-need < 8 {
			k.freeData = slices.Delete(k.freeData, i, i+1)
			need = have
		} else {
			k.freeData[i].from += need
		}
		return uint32(f.from), uint32(need)
	}
	from := align4(k.dataEnd)
	k.dataEnd = from + need
	return uint32(from), uint32(need)
}
