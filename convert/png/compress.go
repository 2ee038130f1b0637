package png

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// Levels of the deflate writers.
const (
	levelFast  = 2
	levelSmall = 8
	levelTrial = 1
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
	level, choose := levelFast, l.fixed(l.trial())
	if small {
		level, choose = levelSmall, l.adaptive()
	}
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

// adaptive takes the filter with the smallest differences, row by row. Indices have no neighbourhood to guess from, so
// theirs is fixed.
func (l *layout) adaptive() chooser {
	if l.colour == typeIndexed {
		return l.fixed(l.trial())
	}
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

// trial returns the filter that compresses a sample of the rows best.
func (l *layout) trial() byte {
	const bands, rows = 4, 4
	best, least := byte(filterNone), int(^uint(0)>>1)
	for _, kind := range []byte{filterUp, filterSub, filterNone} {
		var n counter
		err := deflate(&n, levelTrial, func(w io.Writer) error {
			for i := range bands {
				from := i * l.height / bands
				if err := l.rows(w, l.fixed(kind), from, min(from+rows, l.height)); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil && int(n) < least {
			best, least = kind, int(n)
		}
	}
	return best
}

// counter counts what is written.
type counter int

func (n *counter) Write(b []byte) (int, error) {
	*n += counter(len(b))
	return len(b), nil
}
