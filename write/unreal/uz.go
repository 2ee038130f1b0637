package unreal

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// UZ writes a compressed file (reference section 25). It writes the stored codes if they are still valid, and otherwise
// those that the game's own tool would make.
func UZ(x *unreal.UZ) ([]byte, error) {
	w := newWriter(&unreal.Context{Package: &unreal.Package{Version: unreal.MaxVersion}}, 64+len(x.Coded)+len(x.Data)/2)
	w.I32(x.Signature)
	w.Str(x.Name, "name")
	coded := x.Coded
	if coded != nil && x.Stale() {
		return nil, schema.Errorf(unreal.UZFormat, schema.ErrMismatch, "Coded", "the codes are not those of the data any more: SetCoded, or none, makes them so")
	}
	if coded == nil {
		switch x.Signature {
		case unreal.UZ1234:
			coded = huffman(moveToFront(blockSort(runs(x.Data))))
		case unreal.UZ5678:
			coded = huffman(runs(moveToFront(blockSort(runs(x.Data)))))
		default:
			return nil, schema.Errorf(unreal.UZFormat, schema.ErrValue, "signature", "%d; %d or %d expected", x.Signature, unreal.UZ1234, unreal.UZ5678)
		}
	}
	w.Bytes(coded)
	return w.Finish()
}

// runs is the run-length stage: of five or more equal bytes, at most 255, five and their number.
func runs(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/8)
	for i := 0; i < len(b); {
		n := 1
		for n < 255 && i+n < len(b) && b[i+n] == b[i] {
			n++
		}
		for range min(n, 5) {
			out = append(out, b[i])
		}
		if n >= 5 {
			out = append(out, byte(n))
		}
		i += n
	}
	return out
}

// blockSort is the block-sorting stage.
func blockSort(b []byte) []byte {
	out := make([]byte, 0, len(b)+13*(len(b)/unreal.UZBlock+1))
	var s sorter
	for len(b) > 0 {
		block := b[:min(len(b), unreal.UZBlock)]
		b = b[len(block):]
		order := s.suffixes(block)
		at := len(out)
		out = append(out, make([]byte, 12)...)
		first, last := 0, 0
		for rank, suffix := range order {
			switch suffix {
			case 0:
				last = rank
				out = append(out, block[0]) // which nobody reads
				continue
			case 1:
				first = rank
			}
			out = append(out, block[suffix-1])
		}
		binary.LittleEndian.PutUint32(out[at:], uint32(len(block)))
		binary.LittleEndian.PutUint32(out[at+4:], uint32(first))
		binary.LittleEndian.PutUint32(out[at+8:], uint32(last))
	}
	return out
}

// sorter orders suffixes by doubling: with the ranks by their first k bytes, those by the first 2k follow from a sort by
// two numbers.
type sorter struct{ order, rank, by, count []int32 }

// suffixes returns the order of all suffixes of b, the empty one too. The end is greater than any byte.
func (s *sorter) suffixes(b []byte) []int32 {
	n := len(b) + 1
	if cap(s.order) < n {
		s.order, s.rank, s.by = make([]int32, n), make([]int32, n), make([]int32, n)
	}
	order, rank, by := s.order[:n], s.rank[:n], s.by[:n]
	if size := max(n, 257) + 1; cap(s.count) < size {
		s.count = make([]int32, size)
	}
	for i := range n {
		by[i] = int32(i)
		if i < len(b) {
			rank[i] = int32(b[i])
		} else {
			rank[i] = 256
		}
	}
	s.bucket(order, by, rank, 257)
	classes := renumber(order, rank, by, 0)
	for k := 1; classes < n; k *= 2 {
		// In the order of the second halves: behind the end comes nothing, which is greater than anything.
		at := 0
		for _, suffix := range order {
			if int(suffix) >= k {
				by[at] = suffix - int32(k)
				at++
			}
		}
		for i := n - k; i < n; i++ {
			by[at] = int32(i)
			at++
		}
		s.bucket(order, by, rank, classes)
		classes = renumber(order, rank, by, k)
	}
	return order
}

// bucket sorts suffixes by their rank; those of one rank stay in the order that they come in.
func (s *sorter) bucket(order, by, rank []int32, classes int) {
	count := s.count[:classes+1]
	clear(count)
	for _, suffix := range by {
		count[rank[suffix]+1]++
	}
	for k := 1; k < len(count); k++ {
		count[k] += count[k-1]
	}
	for _, suffix := range by {
		order[count[rank[suffix]]] = suffix
		count[rank[suffix]]++
	}
}

// renumber gives suffixes that differ in their first 2k bytes different ranks, and returns how many there are. k is 0
// for a sort by single bytes.
func renumber(order, rank, spare []int32, k int) int {
	n := len(order)
	second := func(suffix int32) int32 {
		if k == 0 {
			return 0
		}
		if i := int(suffix) + k; i < n {
			return rank[i]
		}
		return int32(n)
	}
	classes := int32(0)
	spare[order[0]] = 0
	for i := 1; i < n; i++ {
		a, b := order[i-1], order[i]
		if rank[a] != rank[b] || second(a) != second(b) {
			classes++
		}
		spare[b] = classes
	}
	copy(rank, spare)
	return int(classes) + 1
}

// moveToFront is the move-to-front stage, in place.
func moveToFront(b []byte) []byte {
	var list [256]byte
	for i := range list {
		list[i] = byte(i)
	}
	for i, v := range b {
		k := 0
		for list[k] != v {
			k++
		}
		copy(list[1:k+1], list[:k])
		list[0] = v
		b[i] = byte(k)
	}
	return b
}

// codeNode is a node of the code tree.
type codeNode struct {
	count  int
	symbol byte
	child  [2]*codeNode
}

// huffman is the last stage: the number of bytes, the tree, the codes. The tree is the one that the game makes: its list
// of symbols is not sorted to begin with, and symbols that do not occur are left out at its end only.
func huffman(b []byte) []byte {
	list := make([]*codeNode, 256)
	for i := range list {
		list[i] = &codeNode{symbol: byte(i)}
	}
	for _, v := range b {
		list[v].count++
	}
	for len(list) > 1 && list[len(list)-1].count == 0 {
		list = list[:len(list)-1]
	}
	for len(list) > 1 {
		n := len(list)
		x := &codeNode{child: [2]*codeNode{list[n-1], list[n-2]}, count: list[n-1].count + list[n-2].count}
		list = list[:n-2]
		at := 0
		for at < len(list) && list[at].count >= x.count {
			at++
		}
		list = append(list, nil)
		copy(list[at+1:], list[at:])
		list[at] = x
	}
	w := &bitWriter{b: binary.LittleEndian.AppendUint32(make([]byte, 0, len(b)/2+400), uint32(len(b)))}
	var codes [256][]byte
	w.tree(list[0], nil, &codes)
	for _, v := range b {
		for _, bit := range codes[v] {
			w.bit(bit)
		}
	}
	return w.b
}

// bitWriter appends bits, the lowest of a byte first.
type bitWriter struct {
	b    []byte
	used int // bits of the last byte; 0 when it is full
}

func (w *bitWriter) bit(v byte) {
	if w.used == 0 {
		w.b = append(w.b, 0)
	}
	w.b[len(w.b)-1] |= v << w.used
	w.used = (w.used + 1) & 7
}

// tree appends a node and what is below it, and collects the codes.
func (w *bitWriter) tree(n *codeNode, code []byte, codes *[256][]byte) {
	if n.child[0] == nil {
		w.bit(0)
		for k := range 8 {
			w.bit(n.symbol >> k & 1)
		}
		codes[n.symbol] = append([]byte(nil), code...)
		return
	}
	w.bit(1)
	for k, child := range n.child {
		w.tree(child, append(code, byte(k)), codes)
	}
}
