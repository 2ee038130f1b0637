package write

import (
	"io"
	"os"

	"github.com/usher-assets/usher/schema"
)

// CopyRange copies n bytes from an offset of src to w. If src ends early, the error is ErrTruncated, in the named format.
// If both are files, the operating system copies; this moves the position of src, so only one such copy of src may run at a
// time.
func CopyRange(w io.Writer, format string, src io.ReaderAt, from, n int64) error {
	copied, err := copyRange(w, src, from, n)
	if err == nil && copied < n {
		err = schema.Errorf(format, schema.ErrTruncated, "source", "%d of %d bytes at 0x%x are missing", n-copied, n, from)
	}
	return err
}

const copyBuffer = 256 << 10

func copyRange(w io.Writer, src io.ReaderAt, from, n int64) (int64, error) {
	if n <= 0 {
		return 0, nil
	}
	if file, ok := src.(*os.File); ok {
		if to, ok := w.(io.ReaderFrom); ok && n > copyBuffer {
			if _, err := file.Seek(from, io.SeekStart); err != nil {
				return 0, err
			}
			return to.ReadFrom(io.LimitReader(file, n))
		}
	}
	buffer := make([]byte, min(n, copyBuffer))
	return io.CopyBuffer(onlyWriter{w}, io.NewSectionReader(src, from, n), buffer)
}

// onlyWriter hides a ReadFrom that would bring a buffer of its own.
type onlyWriter struct{ io.Writer }
