package png

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// Levels of the deflate writers.
const (
	levelFast    = 4
	levelIndexed = 6 // indices have no filter that helps, so that matches have to
	levelSmall   = 8
	levelTrial   = 1
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// writers keeps the deflate writers of each level: their tables are large.
var writers [10]sync.Pool

func deflate(dst io.Writer, level int, write func(w io.Writer) error) error {
	z, _ := writers[level].Get().(*zlib.Writer)
	if z == nil {
		var err error
		if z, err = zlib.NewWriterLevel(dst, level); err != nil {
			return err
		}
	} else {
		z.Reset(dst)
	}
	if err := write(z); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	writers[level].Put(z)
	return nil
}

// compress returns the filtered and compressed rows, in a buffer of the pool.
func compress(l *layout, small bool) (*bytes.Buffer, error) {
	out := buffers.Get().(*bytes.Buffer)
	out.Reset()
	level := levelFast
	switch {
	case small:
		level = levelSmall
	case l.colour == typeIndexed:
		level = levelIndexed
	}
	choose := l.trial(small)
	err := deflate(out, level, func(w io.Writer) error { return l.rows(w, choose, 0, l.height) })
	return out, err
}

// A chooser stores a filtered row in dst, the filter's number first.
type chooser func(dst, row, prev []byte)

// rows writes rows from … to−1, filtered. Several rows go out at a time.
func (l *layout) rows(w io.Writer, choose chooser, from, to int) error {
	const batch = 1 << 16
	step := l.stride + 1
	out := make([]byte, 0, max(batch, step))
	even, odd := make([]byte, l.stride), make([]byte, l.stride)
	prev := make([]byte, l.stride)
	if from > 0 {
		prev = l.row(from-1, odd)
	}
	for y := from; y < to; y++ {
		row := l.row(y, even)
		even, odd = odd, even
		if len(out)+step > cap(out) {
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

// adaptive takes the filter with the smallest differences, row by row.
func (l *layout) adaptive() chooser {
	trial := make([]byte, l.stride)
	return func(dst, row, prev []byte) {
		least := int(^uint(0) >> 1)
		for kind := byte(filterSub); kind <= filterPaeth; kind++ {
			filter(kind, trial, row, prev, l.pixel)
			if sum := weight(trial); sum < least {
				least = sum
				dst[0] = kind
				copy(dst[1:], trial)
			}
		}
	}
}

// trial returns the chooser that compresses a sample of the rows best, or for small files all of them. Indices of less than 8 bits are not filtered:
// their bytes hold several pixels.
func (l *layout) trial(small bool) chooser {
	if l.depth < 8 {
		return l.fixed(filterNone)
	}
	choosers := []chooser{l.fixed(filterUp), l.fixed(filterSub), l.fixed(filterNone)}
	if small && l.colour != typeIndexed {
		choosers = append(choosers, l.adaptive())
	}
	best, least := choosers[0], int(^uint(0)>>1)
	sample := l.sample
	if small {
		sample = l.whole
	}
	for _, c := range choosers {
		if n := sample(c); n < least {
			best, least = c, n
		}
	}
	return best
}

// sample returns the compressed size of some bands of rows.
func (l *layout) sample(choose chooser) int {
	const bands, rows = 4, 4
	return compressed(levelTrial, func(w io.Writer) error {
		for i := range bands {
			from, to := i*l.height/bands, (i+1)*l.height/bands
			if err := l.rows(w, choose, from, min(from+rows, to)); err != nil {
				return err
			}
		}
		return nil
	})
}

// whole returns the compressed size of all rows.
func (l *layout) whole(choose chooser) int {
	return compressed(levelFast, func(w io.Writer) error { return l.rows(w, choose, 0, l.height) })
}

// compressed returns how many bytes deflate makes of what is written.
func compressed(level int, write func(w io.Writer) error) int {
	var n counter
	if err := deflate(&n, level, write); err != nil { // a counter takes everything
		return int(^uint(0) >> 1)
	}
	return int(n)
}

// counter counts what is written.
type counter int

func (n *counter) Write(b []byte) (int, error) {
	*n += counter(len(b))
	return len(b), nil
}
