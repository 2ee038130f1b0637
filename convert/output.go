package convert

import (
	"io"
	"io/fs"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
)

// File is an output that is not yet on disk. Its name is relative, with slashes.
type File struct {
	Name    string
	Content []byte

	// stream writes the content instead, where that is large and can be made piece by piece. What can be wrong with it
	// is checked before, as far as that is possible.
	stream func(io.Writer) error
}

// writeTo writes the content and returns its size.
func (f *File) writeTo(w io.Writer) (int64, error) {
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

// plannedOutputs is what writeFiles would write.
func plannedOutputs(dir string, files []File) ([]Output, error) {
	outputs := make([]Output, len(files))
	for i := range files {
		size, err := files[i].writeTo(io.Discard)
		if err != nil {
			return nil, err
		}
		outputs[i] = Output{filepath.Join(dir, filepath.FromSlash(files[i].Name)), size}
	}
	return outputs, nil
}

// writeFiles writes all files of one asset. None is written when one of them may not be overwritten.
func writeFiles(out *Folder, files []File) ([]Output, error) {
	for _, f := range files {
		if err := out.Check(f.Name); err != nil {
			return nil, err
		}
	}
	var outputs []Output
	for i := range files {
		var size int64
		err := out.Create(files[i].Name, func(w io.Writer) (err error) {
			size, err = files[i].writeTo(w)
			return err
		})
		if err != nil {
			return outputs, err
		}
		outputs = append(outputs, Output{out.Path(files[i].Name), size})
	}
	return outputs, nil
}

// putFiles is writeFiles for the files of an unpacked entry; it describes what was written.
func putFiles(out *Folder, files []File) (outputs []Output, described []ManifestFile, err error) {
	for _, f := range files[1:] { // the first is checked when it is written, before all others
		if err := out.Check(f.Name); err != nil {
			return nil, nil, err
		}
	}
	for i := range files {
		var info fs.FileInfo
		hash := xxhash.New()
		if info, err = out.put(files[i].Name, func(w io.Writer) error {
			_, err := files[i].writeTo(io.MultiWriter(w, hash))
			return err
		}); err != nil {
			return outputs, described, err
		}
		described = append(described, ManifestFile{files[i].Name, Stamp{info.Size(), info.ModTime().UnixNano(), hashText(hash.Sum64())}})
		outputs = append(outputs, Output{out.Path(files[i].Name), info.Size()})
	}
	return outputs, described, nil
}
