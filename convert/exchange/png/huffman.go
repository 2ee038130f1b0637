package png

import (
	"math/bits"
	"slices"
)

// Limits of Huffman codes in deflate, by RFC 1951 section 3.2.7.
const (
	maxSymbols    = 288
	maxCodeBits   = 15 // of literals, lengths and distances
	maxLengthBits = 7  // of the code that the lengths of those are sent in
)

// huffman is a code. A symbol that does not occur has length 0.
type huffman struct {
	lengths [maxSymbols]uint8
	codes   [maxSymbols]uint16 // the first bit sent is the lowest
}

// build makes the best code for symbols that occur so often. The counts are below 1<<23.
func (h *huffman) build(counts []uint32, limit int) {
	lengths := h.lengths[:len(counts)]
	clear(lengths)
	var order [maxSymbols]uint32 // count<<9 | symbol
	used := order[:0]
	for s, n := range counts {
		if n > 0 {
			used = append(used, n<<9|uint32(s))
		}
	}
	slices.Sort(used)
	switch len(used) {
	case 0:
		return
	case 1:
		lengths[used[0]&511] = 1
	default:
		at := 0
		for n, count := range lengthsOf(used, limit) {
			for range count {
				lengths[used[len(used)-1-at]&511] = uint8(n)
				at++
			}
		}
	}
	h.assign(lengths)
}

// lengthsOf returns how many codes have each length, for at least two symbols, the rarest first. They are joined in
// pairs, the rarest first; where that takes codes beyond the limit, shorter ones become longer until all fit.
func lengthsOf(used []uint32, limit int) (counts [maxCodeBits + 1]int) {
	n := len(used)
	var weights [maxSymbols]uint32 // of the pairs, in the order in which they are made, which is that of their weights
	var above, leafAbove [maxSymbols]uint16
	leaf, pair := 0, 0
	for made := range n - 1 {
		for range 2 {
			if leaf < n && (pair == made || used[leaf]>>9 <= weights[pair]) {
				weights[made] += used[leaf] >> 9
				leafAbove[leaf] = uint16(made)
				leaf++
			} else {
				weights[made] += weights[pair]
				above[pair] = uint16(made)
				pair++
			}
		}
	}
	var depths [maxSymbols]uint8
	for i := n - 3; i >= 0; i-- { // the last pair is the root
		depths[i] = depths[above[i]] + 1
	}
	for _, pair := range leafAbove[:n] {
		counts[min(int(depths[pair])+1, limit)]++
	}
	room := 0 // taken, of 1<<limit
	for n, count := range counts[:limit+1] {
		room += count << (limit - n)
	}
	for ; room > 1<<limit; room-- { // one of the longest goes beside a shorter one, which becomes longer by a bit
		n := limit - 1
		for counts[n] == 0 {
			n--
		}
		counts[n]--
		counts[n+1] += 2
		counts[limit]--
	}
	return counts
}

// assign gives out codes by their lengths, those of a length in the order of the symbols.
func (h *huffman) assign(lengths []uint8) {
	var counts, next [maxCodeBits + 1]uint16
	for _, n := range lengths {
		counts[n]++
	}
	counts[0] = 0
	for n := 1; n <= maxCodeBits; n++ {
		next[n] = (next[n-1] + counts[n-1]) << 1
	}
	for s, n := range lengths {
		if n > 0 {
			h.codes[s] = bits.Reverse16(next[n]) >> (16 - n)
			next[n]++
		}
	}
}

// cost is how many bits symbols take that occur so often.
func (h *huffman) cost(counts []uint32) (sum int) {
	for s, n := range counts {
		sum += int(n) * int(h.lengths[s])
	}
	return sum
}

// packed returns the codes above the number of their bits.
func (h *huffman) packed() (codes [512]uint32) {
	for s := range h.codes {
		codes[s] = uint32(h.codes[s])<<8 | uint32(h.lengths[s])
	}
	return codes
}

// packedLengths returns the codes of the lengths of matches with their extra bits, above the number of all those.
func (h *huffman) packedLengths() (codes [512]uint32) {
	for n := shortest; n <= longest; n++ {
		code := lengthCodes[n-3]
		symbol := firstLength + int(code)
		bits := h.lengths[symbol]
		v := uint32(h.codes[symbol]) | uint32(n-3-int(lengthBase[code]))<<bits
		codes[n] = v<<8 | uint32(bits+lengthExtra[code])
	}
	return codes
}

// The codes that need not be sent, by RFC 1951 section 3.2.6.
var fixedLiteral, fixedDistance = func() (literal, distance *huffman) {
	literal, distance = new(huffman), new(huffman)
	for s := range literal.lengths {
		switch {
		case s < 144:
			literal.lengths[s] = 8
		case s < 256:
			literal.lengths[s] = 9
		case s < 280:
			literal.lengths[s] = 7
		default:
			literal.lengths[s] = 8
		}
	}
	for s := range distance.lengths[:32] {
		distance.lengths[s] = 5
	}
	literal.assign(literal.lengths[:])
	distance.assign(distance.lengths[:32])
	return literal, distance
}()

// codeLengths sends the lengths of two codes: those of literals and of distances, by RFC 1951 section 3.2.7.
type codeLengths struct {
	literals, distances int
	order               int      // how many of lengthOrder are sent
	symbols             []uint16 // with what follows them above
	code                huffman
}

var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// The symbols that repeat the length before them, or none, and how many bits tell how often.
const (
	repeatLast, repeatLastBits   = 16, 2
	repeatNone, repeatNoneBits   = 17, 3
	repeatNones, repeatNonesBits = 18, 7
)

// plan makes the code of the lengths and returns how many bits all this takes.
func (c *codeLengths) plan(literals, distances []uint8) (cost int) {
	c.literals, c.distances = used(literals, firstLength), used(distances, 1)
	var all [maxSymbols + 32]uint8
	lengths := append(append(all[:0], literals[:c.literals]...), distances[:c.distances]...)
	c.symbols = c.symbols[:0]
	for len(lengths) > 0 {
		run := 1
		for run < len(lengths) && lengths[run] == lengths[0] {
			run++
		}
		c.run(uint16(lengths[0]), run)
		lengths = lengths[run:]
	}
	var counts [19]uint32
	for _, s := range c.symbols {
		counts[s&255]++
	}
	c.code.build(counts[:], maxLengthBits)
	for c.order = len(lengthOrder); c.code.lengths[lengthOrder[c.order-1]] == 0; {
		c.order--
	}
	c.order = max(c.order, 4)
	cost = 5 + 5 + 4 + 3*c.order + c.code.cost(counts[:])
	return cost + int(counts[repeatLast])*repeatLastBits + int(counts[repeatNone])*repeatNoneBits + int(counts[repeatNones])*repeatNonesBits
}

// used returns how many of the lengths are to be sent, at least so many.
func used(lengths []uint8, least int) int {
	n := len(lengths)
	for n > least && lengths[n-1] == 0 {
		n--
	}
	return n
}

// run appends a length that comes so often.
func (c *codeLengths) run(length uint16, often int) {
	if length > 0 {
		c.symbols = append(c.symbols, length)
		often--
		for ; often >= 3; often -= min(often, 6) {
			c.symbols = append(c.symbols, repeatLast|uint16(min(often, 6)-3)<<8)
		}
	}
	for ; length == 0 && often >= 11; often -= min(often, 138) {
		c.symbols = append(c.symbols, repeatNones|uint16(min(often, 138)-11)<<8)
	}
	if length == 0 && often >= 3 {
		c.symbols = append(c.symbols, repeatNone|uint16(often-3)<<8)
		often = 0
	}
	for range often {
		c.symbols = append(c.symbols, length)
	}
}

func (c *codeLengths) write(w *bitWriter) {
	w.bits(uint64(c.literals-257), 5)
	w.bits(uint64(c.distances-1), 5)
	w.bits(uint64(c.order-4), 4)
	for _, s := range lengthOrder[:c.order] {
		w.bits(uint64(c.code.lengths[s]), 3)
	}
	for _, s := range c.symbols {
		kind := s & 255
		w.bits(uint64(c.code.codes[kind]), uint(c.code.lengths[kind]))
		switch kind {
		case repeatLast:
			w.bits(uint64(s>>8), repeatLastBits)
		case repeatNone:
			w.bits(uint64(s>>8), repeatNoneBits)
		case repeatNones:
			w.bits(uint64(s>>8), repeatNonesBits)
		}
	}
}
