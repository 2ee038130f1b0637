package formats

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// ErrNothing is the error of a run without any selected or recognised input.
var ErrNothing = errors.New("nothing matched")

// ErrUnknown is the error of an input that no format recognises.
var ErrUnknown = errors.New("not recognised")

// headSize is how much of an input the probes see.
const headSize = 64 << 10

// ProbeFile calls use with the probes' view of a file on disk. The view is not valid afterwards. If the file cannot be
// read, use is not called.
func ProbeFile(p string, use func(*format.Input)) {
	file, err := os.Open(p)
	if err != nil {
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return
	}
	head := heads.Get().(*[headSize]byte)
	defer heads.Put(head)
	if in, err := probeInput(filepath.Base(p), file, info.Size(), head[:]); err == nil {
		use(in)
	}
}

var heads = sync.Pool{New: func() any { return new([headSize]byte) }}

// NewInput returns the probes' view of a file in memory.
func NewInput(name string, b []byte) *format.Input {
	return &format.Input{Name: name, Head: b[:min(len(b), headSize)], Size: int64(len(b)), At: bytes.NewReader(b)}
}

// ProbeInput returns the probes' view of an open file.
func ProbeInput(name string, r io.ReaderAt, size int64) (*format.Input, error) {
	if err := schema.CheckSource("", r, size); err != nil {
		return nil, err
	}
	return probeInput(name, r, size, make([]byte, min(size, headSize)))
}

// probeInput is ProbeInput with the buffer for the head.
func probeInput(name string, r io.ReaderAt, size int64, head []byte) (*format.Input, error) {
	head = head[:min(size, int64(len(head)))]
	if n, err := r.ReadAt(head, 0); err != nil && !(errors.Is(err, io.EOF) && n == len(head)) {
		return nil, err
	}
	return &format.Input{Name: name, Head: head, Size: size, At: r}, nil
}

// ArchiveAround returns the archive format of a file that begins like another file, because its directory is at the end. It
// is nil unless the format is certain.
func ArchiveAround(in *format.Input) *format.Format {
	for i := range All {
		if f := &All[i]; f.Kind == format.Archive && f.Probe != nil && f.Probe(in) >= format.Certain {
			return f
		}
	}
	return nil
}

// Sniff returns the format of an input, or nil. The content decides if it is conclusive. Otherwise Sniff considers the
// formats that use the extension and takes the most likely one, whose reader can then say what is wrong with the file.
func Sniff(in *format.Input) *format.Format {
	if in == nil {
		return nil
	}
	ext := path.Ext(in.Name)
	var best, named *format.Format
	var bestConfidence, namedConfidence format.Confidence
	for i := range All {
		f := &All[i]
		var c format.Confidence
		if f.Probe != nil {
			c = f.Probe(in)
		}
		fits := HasExtension(f, ext)
		if c > bestConfidence || c == bestConfidence && c > format.No && fits && !HasExtension(best, ext) {
			best, bestConfidence = f, c
		}
		if fits && (c > format.No || !VagueExtension(ext)) && (named == nil || c > namedConfidence) {
			named, namedConfidence = f, c
		}
	}
	if bestConfidence >= format.Structural {
		return best
	}
	return named
}

// VagueExtension reports whether an extension is so common that it says nothing by itself.
func VagueExtension(ext string) bool {
	switch strings.ToLower(ext) {
	case ".dat", ".txt", ".tbl", ".bin":
		return true
	}
	return Numeric(ext)
}

// FormatAndLeaf returns the format of an input. If from is the format of an archive's entries and not of the input, it is
// the second result.
func FormatAndLeaf(in *format.Input, from *format.Format) (f, leaf *format.Format) {
	if from == nil {
		return Sniff(in), nil
	}
	if from.Open == nil {
		if a := Sniff(in); a != nil && a.Kind == format.Archive && a.Probe(in) >= format.Structural {
			return a, from
		}
	}
	return from, nil
}
