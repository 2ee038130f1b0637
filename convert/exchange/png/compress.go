package png

import (
	"io"
	"math"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// Levels of the deflate writers.
const (
	levelFast  = 4
	levelShort = 6 // of small pictures, and of indices: seldom a filter helps these, so that matches have to
	levelSmall = 7 // and of unfiltered indices, where a planner would take longer: they are all matches
	levelDense = 8 // of indices, when files are to be small
)

// smallPicture is the size of packed pixels up to which the larger effort is hardly felt.
const smallPicture = 1 << 18

// packable is the size of packed pixels up to which a [packer] takes them, if they are grey or indices that it pays to filter,
// or whose palette was sorted here. Others have longer matches, which it does not look for: they are a [planner]'s.
const packable = 1 << 16

// deflater is a deflate writer that can be pooled: between uses it does not hold on to what it wrote to.
type deflater struct {
	z  *zlib.Writer
	to struct{ io.Writer }
}

// deflaters keeps the writers of each level. Their tables are a megabyte: a sync.Pool, which the garbage collector
// empties, would make new ones all the time, and garbage of the old ones.
var deflaters = func() (levels [10]chan *deflater) {
	for i := range levels {
		levels[i] = make(chan *deflater, runtime.GOMAXPROCS(0))
	}
	return levels
}()

func newDeflater(level int) (*deflater, error) {
	select {
	case d := <-deflaters[level]:
		return d, nil
	default:
	}
	d := new(deflater)
	var err error
	d.z, err = zlib.NewWriterLevel(&d.to, level)
	return d, err
}

func deflate(dst io.Writer, level int, write func(w io.Writer) error) error {
	d, err := newDeflater(level)
	if err != nil {
		return err
	}
	d.to.Writer = dst
	d.z.Reset(&d.to)
	if err := write(d.z); err != nil {
		return err
	}
	if err := d.z.Close(); err != nil {
		return err
	}
	d.to.Writer = nil
	select {
	case deflaters[level] <- d:
	default:
	}
	return nil
}

// compress writes the rows to w, filtered and compressed.
func (l *layout) compress(w io.Writer, small bool) error {
	size := l.stride * l.height
	if l.mixed {
		return l.compressPlanned(w, small)
	}
	if !small && l.pixel == 1 && size <= packable && (!l.stored || l.depth == 8) {
		return l.compressSmall(w)
	}
	level := levelFast
	if l.colour == typeIndexed || size <= smallPicture {
		level = levelShort
	}
	choose, plain := l.best(level, small) // with the writer that is needed anyway: its tables are large
	if small && plain && l.stored {
		return l.compressPlanned(w, small)
	}
	switch {
	case small && l.colour == typeIndexed:
		level = levelDense
	case small, plain && l.stored && size <= smallPicture:
		level = levelSmall
	}
	return deflate(w, level, func(w io.Writer) error { return l.rows(w, choose, 0, l.height) })
}

// compressSmall is compress with a packer, or with a planner where matches have to do what no filter does.
func (l *layout) compressSmall(w io.Writer) error {
	p := packers.Get().(*packer)
	defer packers.Put(p)
	choose, plain := l.fixed(filterNone), false
	if l.depth == 8 {
		choose, plain = l.bestOfBytes(func(c chooser, rows int) int {
			p.start()
			if l.bands(p, c, rows) != nil { // it takes everything
				return math.MaxInt
			}
			return p.measure()
		})
	}
	if plain && l.stored {
		return l.compressPlanned(w, false)
	}
	p.start()
	if err := l.rows(p, choose, 0, l.height); err != nil {
		return err
	}
	_, err := w.Write(p.pack())
	return err
}

// A chooser stores a filtered row in dst, the filter's number first.
type chooser func(dst, row, prev []byte)

// band is what rows are worked on in: some filtered rows, and three packed ones.
type band struct {
	out  []byte
	rows [3][]byte
}

var bandPool = sync.Pool{New: func() any { return new(band) }}

// sized returns b with the length n, enlarged if need be. What it holds is left over.
func sized[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	return b[:n]
}

// rows writes rows from … to−1, filtered. Several rows go out at a time.
func (l *layout) rows(w io.Writer, choose chooser, from, to int) error {
	const batch = 1 << 15
	b := bandPool.Get().(*band)
	defer bandPool.Put(b)
	for i := range b.rows {
		b.rows[i] = sized(b.rows[i], l.stride)
	}
	step := l.stride + 1
	b.out = sized(b.out, max(min(batch, step*(to-from)), step))
	out := b.out[:0]
	even, odd, prev := b.rows[0], b.rows[1], b.rows[2]
	if from > 0 {
		prev = l.row(from-1, odd)
	} else {
		clear(prev)
	}
	for y := from; y < to; y++ {
		row := l.row(y, even)
		even, odd = odd, even
		if len(out)+step > len(b.out) {
			if _, err := w.Write(out); err != nil {
				return err
			}
			out = out[:0]
		}
		out = out[:len(out)+step]
		choose(out[len(out)-step:], row, prev)
		prev = row
	}
	_, err := w.Write(out)
	return err
}

// fixed filters every row alike.
func (l *layout) fixed(kind byte) chooser {
	return func(dst, row, prev []byte) {
		dst[0] = kind
		filter(kind, dst[1:], row, prev, l.pixel)
	}
}

// lighter takes Sub or Up, row by row: the one with the smaller differences. The other filters take longer, and their
// rows mixed with these find fewer matches.
func (l *layout) lighter() chooser {
	trial := make([]byte, l.stride)
	return func(dst, row, prev []byte) {
		dst[0] = filterUp
		filter(filterUp, dst[1:], row, prev, l.pixel)
		filter(filterSub, trial, row, prev, l.pixel)
		if weight(trial) < weight(dst[1:]) {
			dst[0] = filterSub
			copy(dst[1:], trial)
		}
	}
}

// best returns the chooser that compresses a sample best: four bands of some rows, of more for a small file. Indices of
// less than 8 bits are not filtered: their bytes hold several pixels. plain tells that indices of 8 bits are not either.
func (l *layout) best(level int, small bool) (best chooser, plain bool) {
	if l.depth < 8 {
		return l.fixed(filterNone), false
	}
	if l.colour == typeIndexed {
		return l.bestOfBytes(func(c chooser, rows int) int { return l.sample(c, level, rows) })
	}
	choosers := []chooser{l.lighter(), l.fixed(filterNone), l.fixed(filterSub)}
	rows := 16
	if !small {
		rows, choosers = 4, choosers[:2] // so few rows do not tell the others apart
	}
	least := math.MaxInt
	for _, c := range choosers {
		if n := l.sample(c, level, rows); n < least {
			best, least = c, n
		}
	}
	return best, false
}

// bestOfBytes filters indices only if that saves a sixteenth of a sample: differences of indices find fewer matches in all
// of a picture than in a few rows, and mean something only where the palette is sorted. Where it is not, they are no more
// alike than the indices, and the entropies tell that without a trial. Filters of grey need not save as much. sample
// returns the compressed size of so many rows of each of four bands.
func (l *layout) bestOfBytes(sample func(c chooser, rows int) int) (best chooser, plain bool) {
	worth := 15. / 16
	if l.colour == typeGray {
		worth = 1
	}
	none := l.fixed(filterNone)
	least := worth * l.entropy(none)
	for _, c := range []chooser{l.lighter(), l.fixed(filterSub)} {
		if n := l.entropy(c); n < least {
			best, least = c, n
		}
	}
	rows := max(l.height/64, 4) // of four bands: a sixteenth of a picture
	if best == nil || float64(sample(best, rows)) >= worth*float64(sample(none, rows)) {
		return none, true
	}
	return best, false
}

// entropy returns about how many bytes some rows of a picture take whose bytes are coded one by one.
func (l *layout) entropy(choose chooser) float64 {
	most := 1 << 15 // bytes that are looked at
	if l.stride*l.height <= packable {
		most = 1 << 12
	}
	every := 1 + l.stride*l.height/most
	row := make([]byte, l.stride+1)
	var counts [256]uint32
	prev := make([]byte, l.stride)
	n := 0
	for y := 0; y < l.height; y += every {
		if y > 0 {
			prev = l.row(y-1, nil)
		}
		choose(row, l.row(y, nil), prev)
		for _, v := range row[1:] {
			counts[v]++
		}
		n += l.stride
	}
	bits := 0.0
	for _, c := range counts {
		if c > 0 {
			bits -= float64(c) * math.Log2(float64(c)/float64(n))
		}
	}
	return bits / 8
}

const bands = 4 // of a sample

// bands writes so many rows of each band.
func (l *layout) bands(w io.Writer, choose chooser, rows int) error {
	for i := range bands {
		from, to := i*l.height/bands, (i+1)*l.height/bands
		if err := l.rows(w, choose, from, min(from+rows, to)); err != nil {
			return err
		}
	}
	return nil
}

// sample returns the compressed size of four bands of rows.
func (l *layout) sample(choose chooser, level, rows int) int {
	var n counter
	err := deflate(&n, level, func(w io.Writer) error { return l.bands(w, choose, rows) })
	if err != nil { // not by the counter: it takes everything
		return math.MaxInt
	}
	return int(n)
}

// counter counts what is written.
type counter int

func (n *counter) Write(b []byte) (int, error) {
	*n += counter(len(b))
	return len(b), nil
}
