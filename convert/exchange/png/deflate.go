package png

import (
	"encoding/binary"
	"hash/adler32"
	"math"
	"math/bits"
	"sync"
)

// packer compresses pictures that are small enough to be looked at as a whole. It counts the bytes first, so that it
// knows what a literal will cost on average, and takes a match only where that is shorter than the literals in its place:
// pictures have grain, and most matches in it are chance, far away and short.
//
// Which pixel follows cannot be foretold, and a branch that the processor guessed wrong takes it as long as several
// bytes. So the loops below have few branches, and compute what may turn out not to be wanted; the buffers have sizes that
// the compiler knows, so that it need not check where they are read.
type packer struct {
	src [room + slack]byte // filtered rows, and slack behind them
	n   int                // bytes of them

	worth [longest + 1]int32 // of a match, by its length: what it is shorter than literals, the bits of its distance aside
	mask  uint64             // of the first bytes of a match, those that are looked for

	// The four latest positions of each hash of those bytes, their lower 16 bits, the latest lowest: no match may lie
	// farther back than those tell. The bytes themselves tell what is another place, or none.
	table [1 << tableBits]uint64
	slots uint64 // of the table that are in use, less 1

	block block
	out   bitWriter
}

const (
	room      = 2 * packable // a row has a byte more than its pixels, and may have one pixel
	window    = 1 << 15      // how far back a match may lie
	shortest  = 4            // match
	longest   = 258
	tableBits = 14
	slack     = 8       // bytes that are read behind the last one, whatever they are
	unit      = 16      // a bit, in prices
	blockSize = 1 << 15 // bytes whose codes are made together
)

var packers = sync.Pool{New: func() any { return new(packer) }}

// start forgets what was written.
func (p *packer) start() { p.n = 0 }

// Write appends bytes to those that will be compressed, as long as there is room.
func (p *packer) Write(b []byte) (int, error) {
	p.n += copy(p.src[p.n:room], b)
	return len(b), nil
}

// pack returns the zlib stream of what was written. It is valid until the next one.
func (p *packer) pack() []byte {
	p.out.reset()
	p.out.header()
	p.parse(func(from, to int) { p.block.write(&p.out, &p.src, from, to, to == p.n) })
	p.out.bits(uint64(bits.ReverseBytes32(adler32.Checksum(p.src[:p.n]))), 32)
	return p.out.bytes()
}

// measure returns about how many bytes pack takes.
func (p *packer) measure() (size int) {
	p.parse(func(int, int) { size += p.block.plan() })
	return size / 8
}

// prices sets what matches are worth, by what a literal costs on average.
func (p *packer) prices() {
	counts := countsOf(p.src[:p.n])
	total, sum := log2(uint32(p.n)), uint32(0)
	for _, n := range counts {
		if n > 0 {
			sum += n * max(total-log2(n), unit)
		}
	}
	literal := int32(sum) / int32(p.n)
	for n := range p.worth {
		p.worth[n] = int32(n)*literal - int32(lengthPrice[n])
	}
	const match = 20 * unit // what one costs that is neither near nor far
	p.mask = ^uint64(0) >> (64 - 8*min(max((match+literal-1)/literal, shortest), 8))
}

// countsOf returns how often each byte occurs.
func countsOf(src []byte) (sums [256]uint32) {
	var counts [4][256]uint32 // in turn: the same byte twice would have to wait for its counter
	for ; len(src) >= 4; src = src[4:] {
		counts[0][src[0]]++
		counts[1][src[1]]++
		counts[2][src[2]]++
		counts[3][src[3]]++
	}
	for _, v := range src {
		counts[0][v]++
	}
	for v := range sums {
		sums[v] = counts[0][v] + counts[1][v] + counts[2][v] + counts[3][v]
	}
	return sums
}

// log2 returns the logarithm in units.
func log2(n uint32) uint32 {
	if n < uint32(len(logarithms)) {
		return uint32(logarithms[n])
	}
	return uint32(unit*math.Log2(float64(n)) + 0.5)
}

// logarithms of small numbers, in units: a code has hundreds of them.
var logarithms = func() (all [1 << 10]uint16) {
	for n := range all[1:] {
		all[n+1] = uint16(unit*math.Log2(float64(n+1)) + 0.5)
	}
	return all
}()

// parse divides what was written into literals and matches, and calls done for each block of them. The best match at a
// place is taken at once; to look whether the next place has a better one takes a third longer and saves little.
func (p *packer) parse(done func(from, to int)) {
	p.prices()
	p.block.reset()
	p.slots = 1<<min(max(bits.Len(uint(p.n)), 9), tableBits) - 1
	clear(p.table[:p.slots+1])
	from, literals := 0, 0 // where the block begins, and the literals that are in no sequence yet
	last := p.n - slack    // from there on there are literals only
	p.block.literals[p.src[0]]++
	i := 1
	for i < last {
		var earlier uint64
		if i, earlier = p.scan(i, last); i >= last {
			break
		}
		m := p.choose(i, earlier)
		if m.length == 0 {
			p.block.literals[p.src[i]]++
			i++
			continue
		}
		p.block.add(i-literals, m)
		literals = i + m.length
		p.enter(i+1, literals)
		i = literals
		if literals-from >= blockSize && literals < p.n {
			done(from, literals)
			from = literals
			p.block.reset()
		}
	}
	for _, v := range p.src[min(i, p.n):p.n] {
		p.block.literals[v]++
	}
	p.block.add(p.n-literals, match{})
	done(from, p.n)
}

// load returns eight bytes.
func load(src *[room + slack]byte, at int) uint64 {
	return binary.LittleEndian.Uint64(src[at&(room-1):])
}

// slot returns where the positions of bytes stand in the table.
func (p *packer) slot(bytes, mask, slots uint64) *uint64 {
	return &p.table[bytes&mask*0x9E3779B97F4A7C15>>(64-tableBits)&slots]
}

// scan returns the next position whose first bytes were seen at one of two positions before it, and the positions before it.
// It counts those that it passes as literals.
func (p *packer) scan(i, last int) (at int, earlier uint64) {
	src, literals, mask, slots := &p.src, &p.block.literals, p.mask, p.slots
	for ; i < last; i++ {
		next := load(src, i)
		slot := p.slot(next, mask, slots)
		earlier := *slot
		*slot = earlier<<16 | uint64(uint16(i))
		a := load(src, i-back(i, earlier)) ^ next
		b := load(src, i-back(i, earlier>>16)) ^ next
		if min(a&mask, b&mask) == 0 {
			return i, earlier
		}
		literals[byte(next)]++
	}
	return i, 0
}

// back returns how far before i a position is, by its lowest 16 bits. It is never before the first byte.
func back(i int, at uint64) int { return int(uint16(i) - uint16(at)) }

// enter puts the positions of a match into the table.
func (p *packer) enter(i, to int) {
	src, mask, slots := &p.src, p.mask, p.slots
	for ; i < to; i++ {
		slot := p.slot(load(src, i), mask, slots)
		*slot = *slot<<16 | uint64(uint16(i))
	}
}

// match is a place where the same bytes come again. It has no length if there is none that is worth it.
type match struct {
	length   int
	distance uint32 // less 1
}

// choose returns the best match of the bytes at i with one of the positions.
func (p *packer) choose(i int, earlier uint64) match {
	next := load(&p.src, i)
	best := max(p.near(i, earlier, next), p.near(i, earlier>>16, next))
	if best>>16&0xFFFF == 8 { // what has longer matches has fewer places to look at: there is time for the older ones
		best = max(p.long(i, earlier), p.long(i, earlier>>16), p.long(i, earlier>>32), p.long(i, earlier>>48))
	}
	if best>>32 <= 0 {
		return match{}
	}
	return match{int(best >> 16 & 0xFFFF), uint32(best & 0xFFFF)}
}

// near returns a match of at most 8 bytes at i, the bytes next, with the position: what it gains in bits 32 and above,
// its length in 16 and above, and its distance less 1.
func (p *packer) near(i int, at, next uint64) int64 {
	distance := back(i, at)
	return p.gain(distance, bits.TrailingZeros64(load(&p.src, i-distance)^next)/8)
}

// long is near for matches of any length.
func (p *packer) long(i int, at uint64) int64 {
	distance := back(i, at)
	return p.gain(distance, common(p.src[i-distance:], p.src[i:p.n]))
}

func (p *packer) gain(distance, length int) int64 {
	d := uint32(distance - 1)
	gain := int64(p.worth[length]) - int64(unit*max(bits.Len32(d)-2, 0))
	if d >= window {
		gain = -1
	}
	return gain<<32 | int64(length)<<16 | int64(d&0xFFFF)
}

// common returns how many bytes a and b have in common at their beginning, at most the longest match. b is not longer.
func common(a, b []byte) int {
	n := 0
	for n < longest && n+8 <= len(b) {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return min(n+bits.TrailingZeros64(x)/8, longest)
		}
		n += 8
	}
	for n < len(b) && n < longest && a[n] == b[n] {
		n++
	}
	return min(n, longest)
}

// lengthPrice is about what a match costs by its length, the extra bits of its distance aside: both symbols take some
// 4 bits where there are many matches, and where there are few, that hardly matters. Matches that are too short cost more
// than they can gain.
var lengthPrice = func() (prices [longest + 1]uint16) {
	for n := range prices {
		if n < shortest {
			prices[n] = math.MaxUint16
			continue
		}
		prices[n] = unit * (4 + 4 + uint16(lengthExtra[lengthCodes[n-3]]))
	}
	return prices
}()
