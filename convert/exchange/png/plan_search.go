package png

// A match that was found is its length above 16 bits of its distance less 1, which are inverted: the larger of two is the
// longer match, and the nearer of those that are as long.
func foundAt(length int, distance uint32) uint32 { return uint32(length)<<16 | ^distance&0xFFFF }

// distanceOf returns the distance, less 1.
func distanceOf(found uint32) uint32 { return ^found & 0xFFFF }

// search finds the longest match at each position, of few places: the latest four that begin with the same six bytes, the
// latest with the same four, and the pixel above, which in a large picture is long past those. All are looked at, whether
// or not they are of use, as that takes less time than to find out.
func (p *planner) search(from, to int) {
	i, last := from, min(to, p.n-slack)
	if i == 0 {
		p.found[0] = 0
		i++
	}
	for i < last {
		next := load(&p.src, i)
		earlier, latest := p.enter(i, next)
		above := uint32(p.above)
		if p.above >= i {
			above = window // there is none
		}
		best := max(p.alike(i, next, distance(i, uint64(latest))), p.alike(i, next, above),
			p.alike(i, next, distance(i, earlier)), p.alike(i, next, distance(i, earlier>>16)),
			p.alike(i, next, distance(i, earlier>>32)), p.alike(i, next, distance(i, earlier>>48)))
		found := (3+uint32(best>>31*0x01_01_01_01_01>>32&7))<<16 | uint32(best&0xFFFF) // a bit for each byte from the fourth
		if best>>63 != 0 {
			found = p.longest(i, distanceOf(found), above, earlier)
		}
		p.found[(i-from)&(span-1)] = found
		i++
		if length := int(found >> 16); length >= long {
			for end := min(i-1+length, last); i < end; i++ {
				p.enter(i, load(&p.src, i))
				found -= 1 << 16 // what is left of it
				p.found[(i-from)&(span-1)] = found
			}
		}
	}
	for ; i < to; i++ {
		p.found[i-from] = 0
	}
}

// enter puts a position and its bytes into the tables, and returns what was there.
func (p *planner) enter(i int, bytes uint64) (earlier uint64, latest uint16) {
	slot := &p.table[bytes<<16*0x9E3779B97F4A7C15>>(64-tableBits+1)]
	near := &p.short[uint32(bytes)*0x9E3779B1>>(32-shortBits)]
	earlier, latest = *slot, *near
	*slot = earlier<<16 | uint64(uint16(i))
	*near = uint16(i)
	return earlier, latest
}

// distance returns how far before i a position is, less 1, by its lowest 16 bits. It is never before the first byte, and
// may be beyond the window.
func distance(i int, at uint64) uint32 { return uint32(uint16(i)-uint16(at)) - 1 }

// alike compares eight bytes with those at a distance: the highest bit of each of the bytes from the fourth on is set if all
// bytes up to it are the same. Below them it has the distance, inverted.
func (p *planner) alike(i int, next uint64, distance uint32) uint64 {
	const bytes = 0x80808080_80000000
	x := load(&p.src, i-1-int(distance)) ^ next
	v := (x-1)&^x&bytes | uint64(^distance&0xFFFF)
	if distance >= window {
		v = 0
	}
	return v
}

// longest returns the longest match at i, of which one has eight bytes at least: that at the distance best. The nearest places
// come first.
func (p *planner) longest(i int, best, above uint32, earlier uint64) uint32 {
	src, length := &p.src, 7
	next := load(src, i)
	for _, d := range [...]uint32{distance(i, earlier), distance(i, earlier>>16), distance(i, earlier>>32), distance(i, earlier>>48), above} {
		at := i - 1 - int(d)
		if d >= window || load(src, at) != next || load(src, at+length-7) != load(src, i+length-7) {
			continue
		}
		if n := common(src[at:], src[i:p.n]); n > length {
			length, best = n, d
		}
	}
	return foundAt(length, best)
}
