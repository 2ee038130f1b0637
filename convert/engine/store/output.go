package store

import (
	"context"
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
)

var errNoFolder = errors.New("there is no folder to write to")

// Plan returns what WriteFiles would write, or the error that it would return because a file exists.
func Plan(out *disk.Folder, files []format.File) ([]Output, error) {
	if out == nil {
		return nil, errNoFolder
	}
	outputs := make([]Output, len(files))
	for i := range files {
		if err := out.Check(files[i].Name); err != nil {
			return nil, err
		}
		size, err := files[i].WriteTo(io.Discard)
		if err != nil {
			return nil, err
		}
		outputs[i] = Output{out.Path(files[i].Name), size}
	}
	return outputs, nil
}

// Written holds the files of one asset, completely written but still under temporary names.
type Written struct {
	disk.Act
	Outputs []Output
	Stamps  []disk.Stamp

	first struct { // most assets have one file
		output [1]Output
		stamp  [1]disk.Stamp
	}
}

// PrepareFiles writes all files of one asset under temporary names. It writes none if one of them may not be overwritten or
// ctx ends.
func PrepareFiles(ctx context.Context, out *disk.Folder, files []format.File) (*Written, error) {
	if out == nil {
		return nil, errNoFolder
	}
	w := new(Written)
	w.Outputs, w.Stamps = w.first.output[:0], w.first.stamp[:0]
	for i := range files {
		p, sum, err := prepareFile(ctx, out, &files[i])
		if err != nil {
			w.Discard()
			return nil, err
		}
		w.Add(p)
		w.Outputs = append(w.Outputs, Output{out.Path(files[i].Name), p.Size})
		w.Stamps = append(w.Stamps, disk.Stamp{Size: p.Size, Time: p.Time, Hash: disk.HashText(sum)})
	}
	if err := context.Cause(ctx); err != nil {
		w.Discard()
		return nil, err
	}
	return w, nil
}

// prepareFile writes a file under a temporary name, and returns the hash of what it wrote.
func prepareFile(ctx context.Context, out *disk.Folder, f *format.File) (p *disk.Pending, sum uint64, err error) {
	if f.Stream == nil {
		if err := context.Cause(ctx); err != nil {
			return nil, 0, err
		}
		p, err = out.PrepareContent(f.Name, f.Content)
		return p, xxhash.Sum64(f.Content), err
	}
	hash := xxhash.New()
	p, err = out.Prepare(f.Name, func(to io.Writer) error { return f.Stream(&hashingWriter{ctx, to, hash}) })
	return p, hash.Sum64(), err
}

// hashingWriter hashes what goes through it, and stops when its context ends.
type hashingWriter struct {
	ctx  context.Context
	to   io.Writer
	hash *xxhash.Digest
}

func (w *hashingWriter) Write(b []byte) (int, error) {
	if err := context.Cause(w.ctx); err != nil {
		return 0, err
	}
	n, err := w.to.Write(b)
	_, _ = w.hash.Write(b[:n]) // cannot fail
	return n, err
}

// WriteFiles writes all files of one asset. When it returns, they are on disk.
func WriteFiles(ctx context.Context, out *disk.Folder, files []format.File) ([]Output, error) {
	if out == nil {
		return nil, errNoFolder
	}
	w, err := PrepareFiles(ctx, out.Durable(), files)
	if err == nil {
		err = w.Commit()
	}
	if err != nil {
		return nil, err
	}
	return w.Outputs, nil
}

// Output is a file that a job wrote.
type Output struct {
	Path string
	Size int64
}
