package png

// prices are what literals and matches are expected to take, in steps: their bits, of which there are some units in one.
// Below a step, each has the length that it is the price of.
type prices struct {
	literals [256]uint32
	lengths  [longest + 1]uint32
	upTo     [8][8]uint32 // for each length of a match, those of it and of the shorter ones; the others are not to be had
	fars     [512]uint32  // of distances less 1: below 256, and from there on of each 128
}

const (
	step  = 512                   // more than the longest match
	never = 1 << 13 * unit * step // a price that is more than literals for any match, and can be added to those of a span
	rare  = 12 * unit             // of a symbol that hardly occurs
)

// guess sets the prices that are likely for bytes that nothing is known of but how often each value occurs. A literal takes
// a bit more than their entropy, as there are symbols for matches as well.
func (p *prices) guess(src []byte) {
	const symbol = 7 * unit / 2 // of lengths and of distances
	counts := countsOf(src)
	total := log2(uint32(len(src)))
	p.set(
		func(v int) uint32 { return total - log2(max(counts[v], 1)) + unit },
		func(int) uint32 { return symbol },
		func(uint32) uint32 { return symbol },
	)
}

// of sets the prices that a block leads to.
func (p *prices) of(b *block) {
	matches := uint32(0)
	for _, n := range b.distances {
		matches += n
	}
	total := matches + 1
	for _, n := range b.literals[:endOfBlock] {
		total += n
	}
	all, far := log2(total), log2(max(matches, 1))
	p.set(
		func(v int) uint32 { return all - log2(max(b.literals[v], 1)) },
		func(code int) uint32 { return all - log2(max(b.literals[firstLength+code], 1)) },
		func(code uint32) uint32 { return far - log2(max(b.distances[code], 1)) },
	)
}

// set takes prices of symbols.
func (p *prices) set(literal func(v int) uint32, length func(code int) uint32, far func(code uint32) uint32) {
	for v := range p.literals {
		p.literals[v] = step*min(max(literal(v), unit), rare) | 1
	}
	for n := range p.lengths {
		if n < shortest {
			p.lengths[n] = never
			continue
		}
		code := lengthCodes[n-3]
		p.lengths[n] = step*(min(length(int(code)), rare)+unit*uint32(lengthExtra[code])) | uint32(n)
	}
	for most := range p.upTo {
		for n := range p.upTo[most] {
			p.upTo[most][n] = never
			if n <= most {
				p.upTo[most][n] = p.lengths[n]
			}
		}
	}
	last, price := uint32(distanceSymbols), uint32(0)
	for i := range p.fars {
		d := uint32(i)
		if d >= 256 {
			d = (d - 256) << 7
		}
		code, extra := distanceCode(d)
		if code != last {
			last, price = code, step*(min(far(code), rare)+unit*extra)
		}
		p.fars[i] = price
	}
}

// far returns the price of a distance, less 1.
func (p *prices) far(distance uint32) uint32 {
	if distance >= 256 {
		distance = 256 + distance>>7
	}
	return p.fars[distance&511]
}
