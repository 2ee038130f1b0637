package compare

import (
	"bytes"
	"io"
)

// comparer compares what is written to it with a file, piece by piece.
type comparer struct {
	want   io.ReaderAt
	size   int64 // of the file
	at     int64 // how much was written
	buffer []byte
	first  *DifferenceError // where it departs from the file
}

// Write implements io.Writer.
func (c *comparer) Write(b []byte) (int, error) {
	const most = 256 << 10
	for done := 0; done < len(b); {
		piece := b[done:min(done+most, len(b))]
		if err := c.compare(piece); err != nil {
			return done, err
		}
		done += len(piece)
		c.at += int64(len(piece))
	}
	return len(b), nil
}

func (c *comparer) compare(b []byte) error {
	if c.first != nil {
		return nil
	}
	want, err := c.read(c.at, len(b))
	if err != nil || bytes.Equal(b, want) {
		return err
	}
	n := 0
	for n < len(want) && n < len(b) && b[n] == want[n] {
		n++
	}
	got := bytes.Clone(b[n:min(n+8, len(b))])
	want, err = c.read(c.at+int64(n), 8)
	c.first = &DifferenceError{Offset: c.at + int64(n), Got: got, Want: bytes.Clone(want)}
	return err
}

// read returns up to n bytes of the file from an offset.
func (c *comparer) read(at int64, n int) ([]byte, error) {
	n = int(min(int64(n), max(c.size-at, 0)))
	if cap(c.buffer) < n {
		c.buffer = make([]byte, n)
	}
	got, err := c.want.ReadAt(c.buffer[:n], at)
	if err == io.EOF && got == n {
		err = nil
	}
	return c.buffer[:got], err
}

// result returns the first difference, once all is written.
func (c *comparer) result() error {
	if c.first == nil && c.at < c.size {
		want, err := c.read(c.at, 8)
		if err != nil {
			return err
		}
		c.first = &DifferenceError{Offset: c.at, Want: want}
	}
	if c.first == nil {
		return nil
	}
	return c.first
}
