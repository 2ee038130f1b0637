package png

import (
	"encoding/binary"
	"math"
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
	extra = uint32(max(bits.Len32(d), 2)) - 2
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
	code, _ := distanceCode(m.distance)
	b.literals[firstLength+int(lengthCodes[m.length-3])]++
	b.distances[code]++
	b.sequences = append(b.sequences, sequence{uint32(literals), uint16(m.length), uint16(m.distance)})
}

// join appends another block.
func (b *block) join(other *block) {
	last := len(b.sequences) - 1 // the literals behind the last match
	other.sequences[0].literals += b.sequences[last].literals
	b.sequences = append(b.sequences[:last], other.sequences...)
	for s, n := range other.literals {
		b.literals[s] += n
	}
	for s, n := range other.distances {
		b.distances[s] += n
	}
}

// fits reports whether one code for a block and the next one takes less than two.
func (b *block) fits(next *block) bool {
	const codes = 60 * 8 // bits that two more take, about
	return mixing(b.literals[:], next.literals[:])+mixing(b.distances[:], next.distances[:]) < codes
}

// mixing returns how many bits symbols that occur so often here and so often there take more in one code than in two.
func mixing(here, there []uint32) float64 {
	var m, n uint32
	var more float64
	for s, k := range here {
		m, n = m+k, n+there[s]
		more += entropyOf(k, there[s])
	}
	return entropyOf(m, n) - more
}

// entropyOf returns how many bits it takes to tell for each of m + n symbols which of the two it is.
func entropyOf(m, n uint32) float64 {
	if m == 0 || n == 0 {
		return 0
	}
	a, b := float64(m), float64(n)
	return a*math.Log2((a+b)/a) + b*math.Log2((a+b)/b)
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

// write writes the block, which are the bytes from … to−1, in the shortest form that it can have.
func (b *block) write(w *bitWriter, src *[room + slack]byte, from, to int, last bool) {
	const header, fixed, dynamic = 3, 1, 2
	var final uint64
	if last {
		final = 1
	}
	planned, cost := b.plan(), b.cost(fixedLiteral, fixedDistance)
	least := min(planned, cost)
	switch {
	case header+least >= storedCost(to-from):
		w.stored(src[from:to], final)
		return
	case cost == least:
		w.bits(final|fixed<<1, header)
		b.body(w, src, from, fixedLiteral, fixedDistance)
	default:
		w.bits(final|dynamic<<1, header)
		b.lengths.write(w)
		b.body(w, src, from, &b.literal, &b.distance)
	}
	if last {
		w.align()
	}
}

// body writes literals and matches in their codes, for which there is room. Its loop is what all bytes go through: it keeps
// the bits at hand, and stores eight bytes of them, of which the next store overwrites those that were none yet.
func (b *block) body(w *bitWriter, src *[room + slack]byte, at int, literal, distance *huffman) {
	const mask, none = room - 1, maxSymbols // a symbol that takes no bits
	literals, lengths, distances := literal.packed(), literal.packedLengths(), distance.packed()
	out, n, acc, held := &w.b, w.n, w.acc, w.held
	for _, s := range b.sequences {
		end := at + int(s.literals)
		for ; at+2 < end; at += 3 { // 7 + 3 · 15 bits
			c := literals[src[at&mask]]
			acc |= uint64(c>>8) << (held & 63)
			held += uint(c & 255)
			c = literals[src[(at+1)&mask]]
			acc |= uint64(c>>8) << (held & 63)
			held += uint(c & 255)
			c = literals[src[(at+2)&mask]]
			acc |= uint64(c>>8) << (held & 63)
			held += uint(c & 255)
			binary.LittleEndian.PutUint64(out[n&outMask:], acc)
			n += int(held >> 3)
			acc >>= held &^ 7 & 63
			held &= 7
		}
		// The literals that are left, and the length: 7 + 2 · 15 + 15 + 5 bits
		one, two := int(src[at&mask]), int(src[(at+1)&mask])
		if end-at < 1 {
			one = none
		}
		if end-at < 2 {
			two = none
		}
		c := literals[one&511]
		acc |= uint64(c>>8) << (held & 63)
		held += uint(c & 255)
		c = literals[two&511]
		acc |= uint64(c>>8) << (held & 63)
		held += uint(c & 255)
		c = lengths[s.length&511]
		acc |= uint64(c>>8) << (held & 63)
		held += uint(c & 255)
		binary.LittleEndian.PutUint64(out[n&outMask:], acc)
		n += int(held >> 3)
		acc >>= held &^ 7 & 63
		held &= 7
		at = end + int(s.length)
		if s.length == 0 {
			break
		}
		// 7 + 15 + 13 bits
		far, extra := distanceCode(uint32(s.distance))
		c = distances[far&511]
		acc |= uint64(c>>8) << (held & 63)
		held += uint(c & 255)
		acc |= uint64(s.distance) & (1<<(extra&15) - 1) << (held & 63)
		held += uint(extra)
		binary.LittleEndian.PutUint64(out[n&outMask:], acc)
		n += int(held >> 3)
		acc >>= held &^ 7 & 63
		held &= 7
	}
	w.n, w.acc, w.held = n, acc, held
	w.bits(uint64(literal.codes[endOfBlock]), uint(literal.lengths[endOfBlock]))
}

// outRoom is more than the bytes of a picture that a packer takes can become: blocks are stored if they would become longer.
const (
	outRoom = 2 * room
	outMask = outRoom - 1
)

// bitWriter collects bits, the first ones lowest.
type bitWriter struct {
	b    [outRoom + slack]byte
	n    int // bytes of b that are written
	acc  uint64
	held uint // bits in acc, less than 8
}

func (w *bitWriter) reset() { w.n, w.acc, w.held = 0, 0, 0 }

// header begins a zlib stream.
func (w *bitWriter) header() {
	const header = 0x789C // deflate, a window of 32 kB
	w.bits(header>>8|header&0xFF<<8, 16)
}

func (w *bitWriter) bytes() []byte { return w.b[:w.n] }

// bits writes at most 32 bits.
func (w *bitWriter) bits(v uint64, n uint) {
	w.acc |= v << w.held
	w.held += n
	binary.LittleEndian.PutUint64(w.b[w.n&outMask:], w.acc)
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
		w.n += copy(w.b[w.n:], piece)
		if len(src) == 0 {
			return
		}
	}
}
