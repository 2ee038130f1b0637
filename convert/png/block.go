package png

import (
	"encoding/binary"
	"math/bits"
)

// Symbols of deflate, by RFC 1951 section 3.2.5: literals, the end of a block, lengths from 3 on; and distances.
const (
	endOfBlock      = 256
	firstLength     = 257
	literalSymbols  = 286
	distanceSymbols = 30
)

var lengthExtra = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}

// lengthCodes has the code of each length less 3, lengthBase the lowest length less 3 of each code.
var lengthCodes, lengthBase = func() (codes [256]uint8, base [29]uint8) {
	n := 0
	for c, extra := range lengthExtra[:28] {
		base[c] = uint8(n)
		for range 1 << extra {
			codes[n] = uint8(c)
			n++
		}
	}
	codes[255], base[28] = 28, 255 // the longest has a code of its own
	return codes, base
}()

// distanceCode returns the code of a distance less 1, and how many bits follow it.
func distanceCode(d uint32) (code, extra uint32) {
	if d < 4 {
		return d, 0
	}
	extra = uint32(bits.Len32(d)) - 2
	return 2*extra + d>>extra, extra
}

// block collects literals and matches until there are enough of them for a code of their own.
type block struct {
	sequences         []sequence
	literals          [literalSymbols]uint32 // how often each symbol occurs
	distances         [distanceSymbols]uint32
	literal, distance huffman
	lengths           codeLengths
}

// sequence is some literals and the match behind them.
type sequence struct {
	literals uint32
	length   uint16 // 0 at the end of the picture: no match
	distance uint16 // less 1
}

func (b *block) reset() {
	b.sequences = b.sequences[:0]
	clear(b.literals[:])
	clear(b.distances[:])
}

// add appends some literals, which are counted already, and a match, or none if it has no length.
func (b *block) add(literals int, m match) {
	if m.length == 0 {
		b.sequences = append(b.sequences, sequence{literals: uint32(literals)})
		return
	}
	code, _ := distanceCode(m.distance - 1)
	b.literals[firstLength+int(lengthCodes[m.length-3])]++
	b.distances[code]++
	b.sequences = append(b.sequences, sequence{uint32(literals), uint16(m.length), uint16(m.distance - 1)})
}

// plan makes the codes of the block and returns how many bits it takes.
func (b *block) plan() (cost int) {
	b.literals[endOfBlock] = 1
	b.literal.build(b.literals[:], maxCodeBits)
	b.distance.build(b.distances[:], maxCodeBits)
	return b.lengths.plan(b.literal.lengths[:literalSymbols], b.distance.lengths[:distanceSymbols]) + b.cost(&b.literal, &b.distance)
}

// cost is how many bits the block takes in these codes.
func (b *block) cost(literal, distance *huffman) int {
	return literal.cost(b.literals[:]) + distance.cost(b.distances[:]) + b.extra()
}

// extra returns how many bits lengths and distances take beside their codes.
func (b *block) extra() (sum int) {
	for c, n := range b.literals[firstLength:] {
		sum += int(n) * int(lengthExtra[c])
	}
	for c, n := range b.distances {
		sum += int(n) * max(c/2-1, 0)
	}
	return sum
}

// write writes the block, whose bytes are src, in the shortest form that it can have.
func (b *block) write(w *bitWriter, src []byte, last bool) {
	const header, fixed, dynamic = 3, 1, 2
	var final uint64
	if last {
		final = 1
	}
	planned, cost := b.plan(), b.cost(fixedLiteral, fixedDistance)
	shortest := min(planned, cost)
	switch {
	case header+shortest >= storedCost(len(src)):
		w.stored(src, final)
		return
	case cost == shortest:
		w.room(cost/8 + 1)
		w.bits(final|fixed<<1, header)
		b.body(w, src, fixedLiteral, fixedDistance)
	default:
		w.room(planned/8 + 1)
		w.bits(final|dynamic<<1, header)
		b.lengths.write(w)
		b.body(w, src, &b.literal, &b.distance)
	}
	if last {
		w.align()
	}
}

// body writes literals and matches in their codes, for which there is room. Its loops are those that all bytes go through:
// they keep the bits at hand, and store eight bytes of them, of which the next store overwrites those that were none yet.
func (b *block) body(w *bitWriter, src []byte, literal, distance *huffman) {
	out, at, acc, n := w.b, w.n, w.acc, w.held
	codes := literal.packed()
	for _, s := range b.sequences {
		literals := src[:s.literals]
		src = src[int(s.literals)+int(s.length):]
		for ; len(literals) >= 3; literals = literals[3:] { // 7 + 3 · 15 bits
			c := codes[literals[0]]
			acc |= c >> 8 << (n & 63)
			n += uint(c & 255)
			c = codes[literals[1]]
			acc |= c >> 8 << (n & 63)
			n += uint(c & 255)
			c = codes[literals[2]]
			acc |= c >> 8 << (n & 63)
			n += uint(c & 255)
			binary.LittleEndian.PutUint64(out[at:], acc)
			at += int(n >> 3)
			acc >>= n &^ 7 & 63
			n &= 7
		}
		for _, v := range literals {
			c := codes[v]
			acc |= c >> 8 << (n & 63)
			n += uint(c & 255)
		}
		binary.LittleEndian.PutUint64(out[at:], acc)
		at += int(n >> 3)
		acc >>= n &^ 7 & 63
		n &= 7
		if s.length == 0 {
			break
		}
		// 7 + 15 + 5 + 15 + 13 bits
		length := s.length - 3
		code := lengthCodes[length&255]
		c := codes[firstLength+int(code)]
		acc |= c >> 8 << (n & 63)
		n += uint(c & 255)
		acc |= uint64(length-uint16(lengthBase[code])) << (n & 63)
		n += uint(lengthExtra[code])
		far, extra := distanceCode(uint32(s.distance))
		acc |= uint64(distance.codes[far]) << (n & 63)
		n += uint(distance.lengths[far])
		acc |= uint64(s.distance) & (1<<extra - 1) << (n & 63)
		n += uint(extra)
		binary.LittleEndian.PutUint64(out[at:], acc)
		at += int(n >> 3)
		acc >>= n &^ 7 & 63
		n &= 7
	}
	w.n, w.acc, w.held = at, acc, n
	w.bits(uint64(literal.codes[endOfBlock]), uint(literal.lengths[endOfBlock]))
}

// bitWriter collects bits, the first ones lowest.
type bitWriter struct {
	b    []byte
	n    int // bytes of b that are written
	acc  uint64
	held uint // bits in acc, less than 8
}

func (w *bitWriter) reset() { w.n, w.acc, w.held = 0, 0, 0 }

func (w *bitWriter) bytes() []byte { return w.b[:w.n] }

// room makes room for n bytes more, and for a header and what is stored behind the last bit.
func (w *bitWriter) room(n int) {
	const beyond = 16
	if need := w.n + n + beyond; need > len(w.b) {
		b := make([]byte, need+need/2)
		copy(b, w.b[:w.n])
		w.b = b
	}
}

// bits writes at most 32 bits.
func (w *bitWriter) bits(v uint64, n uint) {
	w.room(0)
	w.acc |= v << w.held
	w.held += n
	binary.LittleEndian.PutUint64(w.b[w.n:], w.acc)
	w.n += int(w.held >> 3)
	w.acc >>= w.held &^ 7
	w.held &= 7
}

// align fills the last byte with zeros.
func (w *bitWriter) align() {
	if w.held > 0 {
		w.bits(0, 8-w.held)
	}
}

const maxStored = 1<<16 - 1 // bytes in a stored block

// storedCost is at most how many bits stored takes for n bytes.
func storedCost(n int) int {
	const header, padding, length = 3, 7, 32
	return 8*n + (n/maxStored+1)*(header+padding+length)
}

// stored writes bytes as they are.
func (w *bitWriter) stored(src []byte, final uint64) {
	for {
		piece := src[:min(len(src), maxStored)]
		src = src[len(piece):]
		if len(src) > 0 {
			w.bits(0, 3)
		} else {
			w.bits(final, 3)
		}
		w.align()
		w.bits(uint64(len(piece))|uint64(^uint16(len(piece)))<<16, 32)
		w.room(len(piece))
		w.n += copy(w.b[w.n:], piece)
		if len(src) == 0 {
			return
		}
	}
}
