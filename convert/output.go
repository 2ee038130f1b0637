package convert

import (
	"io"
)

// File is an output that is not yet on disk. Its name is relative, with slashes.
type File struct {
	Name    string
	Content []byte

	// stream writes the content instead, where that is large and can be made piece by piece. What can be wrong with it
	// is checked before, as far as that is possible.
	stream func(io.Writer) error
}

// WriteTo writes the content and returns its size.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	if f.stream == nil {
		n, err := w.Write(f.Content)
		return int64(n), err
	}
	c := &countingWriter{w: w}
	err := f.stream(c)
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

// Plan is what WriteFiles would write.
func (f *Folder) Plan(files []File) ([]Output, error) {
	outputs := make([]Output, len(files))
	for i := range files {
		size, err := files[i].WriteTo(io.Discard)
		if err != nil {
			return nil, err
		}
		outputs[i] = Output{f.Path(files[i].Name), size}
	}
	return outputs, nil
}

// WriteFiles writes all files of one asset. None is written when one of them may not be overwritten.
func (f *Folder) WriteFiles(files []File) ([]Output, error) {
	for i := range files {
		if err := f.Check(files[i].Name); err != nil {
			return nil, err
		}
	}
	var outputs []Output
	for i := range files {
		var size int64
		err := f.Create(files[i].Name, func(w io.Writer) (err error) {
			size, err = files[i].WriteTo(w)
			return err
		})
		if err != nil {
			return outputs, err
		}
		outputs = append(outputs, Output{f.Path(files[i].Name), size})
	}
	return outputs, nil
}

// Output is a file that a job wrote.
type Output struct {
	Path string
	Size int64
}
