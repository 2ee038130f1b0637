package png

import (
	"encoding/binary"
	"hash/adler32"
	"math"
	"math/bits"
	"sync"
)

// packer compresses pictures that are small enough to be looked at as a whole. It counts the bytes first, so that it
// knows what literals will cost, and takes a match only where that is shorter than the literals in its place: pictures
// have grain, and most matches in it are chance, far away and short.
type packer struct {
	src   []byte // filtered rows, and slack behind them
	n     int    // bytes of them
	price [256]uint32
	paid  []uint32 // for all bytes before a position, if they are literals

	// The four latest positions of each hash of 4 bytes, their lower 16 bits, the latest lowest: no match may lie farther
	// back than those tell. The bytes themselves tell what is another place, or none.
	table [1 << tableBits]uint64

	block block
	out   bitWriter
}

const (
	window    = 1 << 15 // how far back a match may lie
	longest   = 258     // match
	tableBits = 14
	slack     = 8       // bytes that are read behind the last one, whatever they are
	unit      = 16      // a bit, in prices
	blockSize = 1 << 15 // bytes whose codes are made together
)

var packers = sync.Pool{New: func() any { return new(packer) }}

// start makes room for n bytes.
func (p *packer) start(n int) {
	p.src, p.n = sized(p.src, n+slack), 0
}

// Write appends bytes to those that will be compressed.
func (p *packer) Write(b []byte) (int, error) {
	p.n += copy(p.src[p.n:len(p.src)-slack], b)
	return len(b), nil
}

// pack returns the zlib stream of what was written. It is valid until the next one.
func (p *packer) pack() []byte {
	const header = 0x789C // deflate, a window of 32 kB
	p.out.reset()
	p.out.bits(header>>8|header&0xFF<<8, 16)
	p.parse(func(from, to int) { p.block.write(&p.out, p.src[from:to], to == p.n) })
	return binary.BigEndian.AppendUint32(p.out.bytes(), adler32.Checksum(p.src[:p.n]))
}

// measure returns about how many bytes pack takes.
func (p *packer) measure() (size int) {
	p.parse(func(int, int) { size += p.block.plan() })
	return size / 8
}

// prices sets what literals cost by how often each byte occurs.
func (p *packer) prices() {
	var counts [4][256]uint32 // in turn: the same byte twice would have to wait for its counter
	src := p.src[:p.n]
	for ; len(src) >= 4; src = src[4:] {
		counts[0][src[0]]++
		counts[1][src[1]]++
		counts[2][src[2]]++
		counts[3][src[3]]++
	}
	for _, v := range src {
		counts[0][v]++
	}
	total := log2(uint32(p.n))
	for v := range p.price {
		if n := counts[0][v] + counts[1][v] + counts[2][v] + counts[3][v]; n > 0 {
			p.price[v] = max(total-log2(n), unit)
		}
	}
	p.paid = sized(p.paid, p.n+1)
	paid, sum := p.paid, uint32(0)
	for i, v := range p.src[:p.n] {
		paid[i] = sum
		sum += p.price[v]
	}
	paid[p.n] = sum
}

// log2 returns the logarithm in units.
func log2(n uint32) uint32 {
	return uint32(unit*math.Log2(float64(n)) + 0.5)
}

// parse divides what was written into literals and matches, and calls done for each block of them. The best match at a
// place is taken at once; to look whether the next place has a better one takes a third longer and saves little.
func (p *packer) parse(done func(from, to int)) {
	p.prices()
	p.block.reset()
	n, src := p.n, p.src
	shift := 32 - min(max(bits.Len(uint(n)), 9), tableBits)
	clear(p.table[:1<<(32-shift)])
	from, literals := 0, 0 // where the block begins, and the literals that are in no sequence yet
	p.block.literals[src[0]]++
	for i := 1; i < n; {
		next := binary.LittleEndian.Uint64(src[i:])
		slot := &p.table[uint32(next)*hashFactor>>(shift&31)]
		earlier := *slot
		*slot = earlier<<16 | uint64(uint16(i))
		m := p.try(match{}, i, uint16(earlier), next)
		m = p.try(m, i, uint16(earlier>>16), next)
		if m.length >= 8 { // what has longer matches has fewer places to look at: there is time for the older ones
			m = p.try(m, i, uint16(earlier>>32), next)
			m = p.try(m, i, uint16(earlier>>48), next)
		}
		if m.length == 0 {
			p.block.literals[byte(next)]++
			i++
			continue
		}
		p.block.add(i-literals, m)
		literals = i + m.length
		for i++; i < literals; i++ {
			slot := &p.table[binary.LittleEndian.Uint32(src[i:])*hashFactor>>(shift&31)]
			*slot = *slot<<16 | uint64(uint16(i))
		}
		if literals-from >= blockSize && literals < n {
			done(from, literals)
			from = literals
			p.block.reset()
		}
	}
	p.block.add(n-literals, match{})
	done(from, n)
}

const hashFactor = 0x9E3779B1

// match is a place where the same bytes come again. Its gain is what it is shorter than literals.
type match struct {
	length   int
	distance uint32
	gain     int
}

// try returns the match of the bytes at i, the first of which are next, with a place whose lowest 16 bits are those of at,
// if that gains more than m does.
func (p *packer) try(m match, i int, at uint16, next uint64) match {
	distance := uint32(uint16(i) - at)
	if distance-1 >= uint32(min(i, window)) {
		return m
	}
	differ := binary.LittleEndian.Uint64(p.src[i-int(distance):]) ^ next
	if uint32(differ) != 0 {
		return m
	}
	length := bits.TrailingZeros64(differ) / 8
	if differ == 0 {
		length = common(p.src[i-int(distance):], p.src[i:])
	}
	length = min(length, p.n-i)
	if length < 4 {
		return m
	}
	gain := int(p.paid[i+length]-p.paid[i]) - int(lengthPrice[length]) - unit*max(bits.Len32(distance-1)-2, 0)
	if gain <= m.gain {
		return m
	}
	return match{length, distance, gain}
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
	return min(n, longest)
}

// lengthPrice is about what a match costs by its length, the extra bits of its distance aside: both symbols take some
// 4 bits where there are many matches, and where there are few, that hardly matters.
var lengthPrice = func() (prices [longest + 1]uint16) {
	for n := 3; n <= longest; n++ {
		prices[n] = unit * (4 + 4 + uint16(lengthExtra[lengthCodes[n-3]]))
	}
	return prices
}()
