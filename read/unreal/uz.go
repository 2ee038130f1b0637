package unreal

import (
	"bytes"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// UZ reads and decompresses a file (reference section 25). It fails with ErrBadMagic for another signature, ErrTruncated
// for codes that end too early, ErrCount for counts that the bytes cannot hold, and ErrRange for positions outside a block.
func UZ(b []byte, d *schema.Diagnostics) (*unreal.UZ, error) {
	x, err := uzHeader(b, d)
	if err != nil {
		return nil, err
	}
	x.Data, err = unpacked(x.Coded, int64(len(b)-len(x.Coded)), x.Signature == unreal.UZ5678)
	if err != nil {
		return nil, err
	}
	x.SetCoded(x.Coded)
	return x, nil
}

// UZHeader reads only signature and name; Data is nil. b may end anywhere after the name.
func UZHeader(b []byte) (*unreal.UZ, error) { return uzHeader(b, nil) }

func uzHeader(b []byte, d *schema.Diagnostics) (*unreal.UZ, error) {
	r := newReader(read.NewCursor(unreal.UZFormat, b, d), &unreal.Context{Package: &unreal.Package{Version: unreal.MaxVersion}})
	x := &unreal.UZ{Signature: r.I32("signature")}
	if r.Err() == nil && x.Signature != unreal.UZ1234 && x.Signature != unreal.UZ5678 {
		r.FailAtf(0, schema.ErrBadMagic, "signature", "found %d, expected %d or %d", x.Signature, unreal.UZ1234, unreal.UZ5678)
	}
	x.Name = r.Str("name")
	x.Coded = r.Data(r.Left(), "codes", "codes")
	return x, r.Err()
}

// maxUnpacked is more than any file of the games: a run takes 6 bytes and gives 255, so that a small file could claim
// any size.
const maxUnpacked = 1 << 30

// unpacked undoes the stages in reverse order. The coded bytes stand at an offset of the file.
func unpacked(coded []byte, offset int64, twice bool) ([]byte, error) {
	c := read.NewCursorAt(unreal.UZFormat, "codes", coded, offset, nil)
	b := huffman(c)
	if c.Err() != nil {
		return nil, c.Err()
	}
	if twice {
		if b = runs(c, b); c.Err() != nil {
			return nil, c.Err()
		}
	}
	moveToFront(b)
	s := read.NewCursor(unreal.UZFormat, b, nil)
	s.Enter("sorted blocks", -1)
	sorted := unsort(s)
	if s.Err() != nil {
		return nil, s.Err()
	}
	b = runs(c, sorted)
	return b, c.Err()
}

// treeNode is a node of the code tree; a leaf has no children.
type treeNode struct {
	child  [2]int16
	symbol byte
	leaf   bool
}

// bitReader takes bits, the lowest of a byte first.
type bitReader struct {
	b   []byte
	at  int // in bits
	bad bool
}

func (r *bitReader) bit() int {
	if r.at>>3 >= len(r.b) {
		r.bad = true
		return 0
	}
	v := int(r.b[r.at>>3]) >> (r.at & 7) & 1
	r.at++
	return v
}

// The most nodes and levels of a tree of 256 symbols.
const (
	maxNodes = 511
	maxDepth = 255
)

// huffman reads the number of symbols, the tree and the codes.
func huffman(c *read.Cursor) []byte {
	at := c.Offset()
	total := c.I32("symbol count")
	if total < 0 {
		c.FailAtf(at, schema.ErrCount, "symbol count", "%d is negative", total)
	}
	if c.Err() != nil || total == 0 {
		return nil
	}
	rest := c.Rest()
	r := &bitReader{b: rest}
	var nodes []treeNode
	if !r.tree(&nodes, 0) {
		if r.bad {
			c.FailAtf(at+4, schema.ErrTruncated, "code tree", "the bits end in it")
		} else {
			c.FailAtf(at+4, schema.ErrLimit, "code tree", "it has more than %d nodes or %d levels", maxNodes, maxDepth)
		}
		return nil
	}
	if nodes[0].leaf { // one symbol, which takes no bits
		if total > unreal.UZBlock {
			c.FailAtf(at, schema.ErrCount, "symbol count", "%d symbols without any bits", total)
			return nil
		}
		return bytes.Repeat([]byte{nodes[0].symbol}, int(total))
	}
	if left := len(rest)*8 - r.at; int(total) > left {
		c.FailAtf(at, schema.ErrCount, "symbol count", "%d symbols of at least one bit do not fit into the %d bits left", total, left)
		return nil
	}
	out := make([]byte, total)
	for i := range out {
		n := &nodes[0]
		for !n.leaf {
			n = &nodes[n.child[r.bit()]]
		}
		if r.bad {
			c.FailAtf(at+4+int64(len(rest)), schema.ErrTruncated, "symbols", "the codes end after %d of %d", i, total)
			return nil
		}
		out[i] = n.symbol
	}
	return out
}

// tree reads a node and what is below it.
func (r *bitReader) tree(nodes *[]treeNode, depth int) bool {
	if depth > maxDepth || len(*nodes) >= maxNodes {
		return false
	}
	at := len(*nodes)
	*nodes = append(*nodes, treeNode{leaf: true})
	if r.bit() == 0 {
		for k := range 8 {
			(*nodes)[at].symbol |= byte(r.bit() << k)
		}
		return !r.bad
	}
	(*nodes)[at].leaf = false
	for k := range 2 {
		(*nodes)[at].child[k] = int16(len(*nodes))
		if !r.tree(nodes, depth+1) {
			return false
		}
	}
	return true
}

// runs undoes the run-length stage: five equal bytes are followed by how many there are.
func runs(c *read.Cursor, b []byte) []byte {
	size := 0
	each(b, func(_ byte, n int) bool { size += n; return size <= maxUnpacked })
	if size > maxUnpacked {
		c.Failf(schema.ErrLimit, "runs", "they give more than %d bytes", maxUnpacked)
		return nil
	}
	out := make([]byte, 0, size)
	ok := each(b, func(v byte, n int) bool {
		for range n {
			out = append(out, v)
		}
		return true
	})
	if !ok {
		c.Failf(schema.ErrValue, "runs", "a run of less than two bytes follows five equal ones, or none does")
		return nil
	}
	return out
}

// each hands out the bytes and runs; false where a run makes no sense.
func each(b []byte, f func(v byte, n int) bool) bool {
	previous, count := byte(0), 0
	for i := 0; i < len(b); i++ {
		v := b[i]
		if v != previous {
			previous, count = v, 0
		}
		count++
		if !f(v, 1) {
			return true
		}
		if count < 5 {
			continue
		}
		i++
		if i == len(b) || b[i] < 2 {
			return false
		}
		if n := int(b[i]) - 5; n > 0 && !f(v, n) {
			return true
		}
		count = 0
	}
	return true
}

// moveToFront undoes the move-to-front stage in place.
func moveToFront(b []byte) {
	var list [256]byte
	for i := range list {
		list[i] = byte(i)
	}
	for i, k := range b {
		v := list[k]
		copy(list[1:int(k)+1], list[:k])
		list[0] = v
		b[i] = v
	}
}

// unsort undoes the block-sorting stage.
func unsort(c *read.Cursor) []byte {
	out := make([]byte, 0, c.Left())
	var next []int32
	for c.Err() == nil && c.Left() > 0 {
		at := c.Offset()
		n, first, last := c.I32("block size"), c.I32("first"), c.I32("last")
		if c.Err() != nil {
			break
		}
		if n < 0 || int64(n)+1 > int64(c.Left()) {
			c.FailAtf(at, schema.ErrCount, "block size", "%d and one bytes, %d left", n, c.Left())
			break
		}
		if first < 0 || first > n || last < 0 || last > n {
			c.FailAtf(at+4, schema.ErrRange, "first", "rows %d and %d of %d", first, last, int64(n)+1)
			break
		}
		b := c.Bytes(int(n)+1, "block")
		if cap(next) < len(b) {
			next = make([]int32, len(b))
		}
		next = next[:len(b)]
		var starts [258]int32 // the byte at last stands for the end, which is greater than any byte
		for i, v := range b {
			if i == int(last) {
				starts[257]++
			} else {
				starts[int(v)+1]++
			}
		}
		for k := 1; k < len(starts); k++ {
			starts[k] += starts[k-1]
		}
		for i, v := range b {
			k := int(v)
			if i == int(last) {
				k = 256
			}
			next[starts[k]] = int32(i)
			starts[k]++
		}
		i := first
		for range n {
			out = append(out, b[i])
			i = next[i]
		}
	}
	return out
}
