package format

import "io"

// File is an output that is not yet on disk. Its name is relative, with slashes.
type File struct {
	Name    string
	Content []byte

	// Stream writes the content instead, where that is large and can be made piece by piece. What can be wrong with it
	// is checked before, as far as that is possible.
	Stream func(io.Writer) error
}

// WriteTo writes the content and returns its size.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	if f.Stream == nil {
		n, err := w.Write(f.Content)
		return int64(n), err
	}
	c := &countingWriter{w: w}
	err := f.Stream(c)
	return c.n, err
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
