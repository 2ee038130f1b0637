package png

import (
	"hash"
	"hash/adler32"
	"io"
	"math/bits"
	"runtime"
)

// planner compresses indices whose order means nothing: they are not filtered, so that matches have to do what filters do
// for others. It looks for one match at every position, and then, from behind, for the cheapest way through these matches
// and the literals between them. Most matches in such pictures are short, and which of them are taken makes more of a
// difference than which are found: so it looks at few places, and never has to try a match and give it up.
//
// Bytes are taken as they come: of those that are planned it keeps as many as matches may reach back.
type planner struct {
	src   [room + slack]byte // filtered rows
	n     int                // bytes of them
	at    int                // the first that is not planned
	from  int                // the first that is not written
	above int                // how far before a byte the one above it stands, less 1
	again bool               // plan twice, the second time with the prices that the first one led to
	sum   hash.Hash32
	to    io.Writer
	err   error

	table [1 << (tableBits - 1)]uint64 // the four latest positions of each hash of six bytes, as a packer's
	short [1 << shortBits]uint16       // the latest of each hash of four bytes

	found [span]uint32               // the match at each position: its length above 16 bits of its place
	cost  [span + longest + 1]uint32 // from each position to the end of the span; nothing may end behind it
	steps [span]uint16               // what is taken at each position: the length of the match, or 1

	prices prices
	latest block // of the span
	block  block // of what is not written before it
	out    bitWriter
}

const (
	history   = 1 << 16 // bytes that stay: a multiple of what a position in the tables counts to
	span      = 1 << 15 // bytes that are planned together
	shortBits = 13
	long      = 32 // bytes of a match that is taken as it is: within it no other is looked for
)

// planners are kept as deflaters are: a planner takes more than a megabyte.
var planners = make(chan *planner, runtime.GOMAXPROCS(0))

func newPlanner() *planner {
	select {
	case p := <-planners:
		return p
	default:
		return &planner{sum: adler32.New()}
	}
}

// compressPlanned is compress with a planner, without filters.
func (l *layout) compressPlanned(w io.Writer, small bool) error {
	p := newPlanner()
	p.start(w, l.stride, small)
	if err := l.rows(p, l.fixed(filterNone), 0, l.height); err != nil {
		return err
	}
	if err := p.close(); err != nil {
		return err
	}
	p.to = nil
	select {
	case planners <- p:
	default:
	}
	return nil
}

// start begins a stream. Rows have so many bytes and their filter's.
func (p *planner) start(w io.Writer, stride int, again bool) {
	p.to, p.above, p.again, p.err = w, stride, again, nil
	p.n, p.at, p.from = 0, 0, 0
	p.sum.Reset()
	clear(p.table[:])
	clear(p.short[:])
	p.block.reset()
	p.out.reset()
	p.out.header()
}

// Write compresses bytes, as soon as there are enough of them.
func (p *planner) Write(b []byte) (int, error) {
	total := len(b)
	p.sum.Write(b)
	for len(b) > 0 && p.err == nil {
		n := copy(p.src[p.n:room], b)
		p.n += n
		b = b[n:]
		if p.n < room {
			continue
		}
		for p.at < room-span {
			p.plan(p.at + span)
		}
		p.slide()
	}
	return total - len(b), p.err
}

// slide makes room for more bytes.
func (p *planner) slide() {
	if p.from < history {
		p.end(false)
	}
	copy(p.src[:], p.src[history:p.n])
	p.n -= history
	p.at -= history
	p.from -= history
}

// close ends the stream.
func (p *planner) close() error {
	for p.at < p.n {
		p.plan(min(p.at+span, p.n))
	}
	p.end(true)
	p.out.bits(uint64(bits.ReverseBytes32(p.sum.Sum32())), 32)
	p.flush()
	return p.err
}

func (p *planner) flush() {
	if p.err == nil {
		_, p.err = p.to.Write(p.out.bytes())
	}
	p.out.n = 0
}

// plan takes the bytes up to a position into the block, or into a new one where that is shorter.
func (p *planner) plan(to int) {
	if p.at == 0 {
		p.prices.guess(p.src[:p.n])
	}
	p.search(p.at, to)
	p.cheapest(p.at, to)
	p.take(p.at, to)
	if p.again {
		p.prices.of(&p.latest)
		p.cheapest(p.at, to)
		p.take(p.at, to)
	}
	if to < p.n {
		p.prices.of(&p.latest) // for the next
	}
	if p.from == p.at || !p.block.fits(&p.latest) {
		p.end(false)
		p.block, p.latest = p.latest, p.block
	} else {
		p.block.join(&p.latest)
	}
	p.at = to
}

// end writes the block.
func (p *planner) end(last bool) {
	if p.from < p.at {
		p.block.write(&p.out, &p.src, p.from, p.at, last)
		p.flush()
	}
	p.block.reset()
	p.from = p.at
}

// cheapest finds the cheapest way from each position to the end of the span. Costs are multiples of a step; below those, a
// price has the length that it is the price of, so that the least of some sums tells both.
func (p *planner) cheapest(from, to int) {
	n := to - from
	src, found, cost, prices := &p.src, &p.found, &p.cost, &p.prices
	for i := range longest + 1 {
		cost[n+i] = never
	}
	cost[n] = 0
	next := uint32(0)
	for i := n - 1; i >= 0; i-- {
		length := int(found[i&(span-1)] >> 16)
		var least uint32
		switch {
		case length < 8: // most are
			at, price := (*[8]uint32)(cost[i:]), &prices.upTo[length]
			least = min(min(at[4]+price[4], at[5]+price[5]), min(at[6]+price[6], at[7]+price[7]))
		case length < long: // seldom is a much shorter part of it worth more
			at, price := (*[8]uint32)(cost[i+length-7:]), (*[8]uint32)(prices.lengths[length-7:])
			least = min(
				min(min(at[0]+price[0], at[1]+price[1]), min(at[2]+price[2], at[3]+price[3])),
				min(min(at[4]+price[4], at[5]+price[5]), min(at[6]+price[6], at[7]+price[7])))
		default:
			length = min(length, n-i)
			least = cost[i+length] + prices.lengths[length]
		}
		least += prices.far(distanceOf(found[i&(span-1)]))
		least = min(least, next+prices.literals[src[(from+i)&(room-1)]])
		p.steps[i&(span-1)] = uint16(least % step)
		next = least - least%step
		cost[i] = next
	}
}

// take makes a block of the cheapest way.
func (p *planner) take(from, to int) {
	b := &p.latest
	b.reset()
	literals := 0
	for i := from; i < to; {
		n := int(p.steps[(i-from)&(span-1)])
		if n == 1 {
			b.literals[p.src[i&(room-1)]]++
			literals++
		} else {
			b.add(literals, match{n, distanceOf(p.found[(i-from)&(span-1)])})
			literals = 0
		}
		i += n
	}
	b.add(literals, match{})
}
