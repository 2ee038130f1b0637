package convert

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/usher-assets/usher/convert/format"
)

// SniffFile returns what recognises a file on disk: a native or an interchange format, or neither.
func SniffFile(p string) (*format.Format, *Interchange) {
	file, err := os.Open(p)
	if err != nil {
		return nil, nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil
	}
	in, err := ProbeInput(filepath.Base(p), file, info.Size())
	if err != nil {
		return nil, nil
	}
	return recognise(in)
}

// Recognised tells whether any format knows the file at p.
func Recognised(p string) bool {
	f, x := SniffFile(p)
	return f != nil || x != nil
}

// ErrNothing is the error of a run in which no input was selected or recognised.
var ErrNothing = errors.New("nothing matched")

// ErrUnknown is the error of an input that no format recognises.
var ErrUnknown = errors.New("not recognised")

// headSize is how much of an input the probes see.
const headSize = 64 << 10

// NewInput makes the probes' view of a file that was read whole.
func NewInput(name string, b []byte) *format.Input {
	return &format.Input{Name: name, Head: b[:min(len(b), headSize)], Size: int64(len(b)), At: bytes.NewReader(b)}
}

// ProbeInput makes the probes' view of an open file.
func ProbeInput(name string, r io.ReaderAt, size int64) (*format.Input, error) {
	head := make([]byte, min(size, headSize))
	if n, err := r.ReadAt(head, 0); err != nil && !(errors.Is(err, io.EOF) && n == len(head)) {
		return nil, err
	}
	return &format.Input{Name: name, Head: head, Size: size, At: r}, nil
}

// recognise returns the native or the interchange format of an input; both are nil when nothing knows it.
func recognise(in *format.Input) (*format.Format, *Interchange) {
	if x := sniffInterchange(in, false); x != nil {
		return nil, x
	}
	if f := Sniff(in); f != nil {
		return f, nil
	}
	return nil, sniffInterchange(in, true)
}

// Sniff returns the format of an input. Content that speaks for itself decides; where it does not, the formats that use
// the extension are left, and the surest of them is taken, so that its reader can say what is wrong with the file. nil
// means that nothing knows it.
func Sniff(in *format.Input) *format.Format {
	ext := path.Ext(in.Name)
	var best, named *format.Format
	var bestConfidence, namedConfidence format.Confidence
	for i := range Formats {
		f := &Formats[i]
		var c format.Confidence
		if f.Probe != nil {
			c = f.Probe(in)
		}
		fits := hasExtension(f, ext)
		if c > bestConfidence || c == bestConfidence && c > format.No && fits && !hasExtension(best, ext) {
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

// VagueExtension tells whether an extension is used by all the world, so that it alone says nothing.
func VagueExtension(ext string) bool {
	switch strings.ToLower(ext) {
	case ".dat", ".txt", ".tbl", ".bin":
		return true
	}
	return numeric(ext)
}

// FormatAndLeaf returns the format of an input, and, where from is not that but the format of an archive's entries,
// the latter.
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
