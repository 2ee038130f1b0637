package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
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
	head := heads.Get().(*[headSize]byte) // what recognises an input keeps nothing of it
	defer heads.Put(head)
	in, err := probeInput(filepath.Base(p), file, info.Size(), head[:])
	if err != nil {
		return nil, nil
	}
	return Recognise(in)
}

var heads = sync.Pool{New: func() any { return new([headSize]byte) }}

// Recognised reports whether any format knows the file at p.
func Recognised(p string) bool {
	f, x := SniffFile(p)
	return f != nil || x != nil
}

// ErrNothing is the error of a run in which no input was selected or recognised.
var ErrNothing = errors.New("nothing matched")

// ErrUnknown is the error of an input that no format recognises.
var ErrUnknown = errors.New("not recognised")

// Unknown is ErrUnknown for a file of that name, with what may be tried: the formats that use its extension, or the one
// whose extension is the nearest.
func Unknown(name string) error {
	ext := strings.ToLower(path.Ext(name))
	if ext == ".json" {
		return fmt.Errorf("%w: it is no document that usher wrote; {\"usher\": FORMAT, \"value\": … begins those", ErrUnknown)
	}
	if x := InterchangeByExtension(ext); x != nil {
		return fmt.Errorf("%w: it does not begin as a %s file does", ErrUnknown, x.Name)
	}
	var names []string
	for _, f := range FormatsByExtension(ext) {
		if f.Read != nil || f.Open != nil {
			names = append(names, f.Name)
		}
	}
	switch {
	case len(names) == 1:
		return fmt.Errorf("%w: it does not begin as %s does, the one format with the extension %s; --from %s reads it so and says what is wrong", ErrUnknown, names[0], ext, names[0])
	case len(names) > 1:
		return fmt.Errorf("%w: of the formats with the extension %s, --from takes %s", ErrUnknown, ext, strings.Join(names, ", "))
	}
	if near := nearestExtension(ext); near != "" {
		return fmt.Errorf("%w: nothing known has the extension %s; --from %s reads it as the nearest one, %s", ErrUnknown, ext, FormatsByExtension(near)[0].Name, near)
	}
	return fmt.Errorf("%w; --from FORMAT reads it as one of those that \"usher formats\" lists", ErrUnknown)
}

// nearestExtension returns a known extension that differs from ext in one letter, has one letter more, or has two of its
// letters swapped; "" for none. What is further away has nothing to do with it.
func nearestExtension(ext string) string {
	if len(ext) < 3 {
		return ""
	}
	near := Nearest(ext, func(yield func(string) bool) {
		for i := range Formats {
			for _, e := range Formats[i].Extensions {
				if more := len(e) - len(ext); (more == 0 || more == 1) && e[0] == '.' && !yield(e) {
					return
				}
			}
		}
	})
	if near == "" || distance([]rune(ext), []rune(near), 2) > 1 {
		return ""
	}
	return near
}

// headSize is how much of an input the probes see.
const headSize = 64 << 10

// NewInput makes the probes' view of a file that was read whole.
func NewInput(name string, b []byte) *format.Input {
	return &format.Input{Name: name, Head: b[:min(len(b), headSize)], Size: int64(len(b)), At: bytes.NewReader(b)}
}

// ProbeInput makes the probes' view of an open file.
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

// Recognise returns the native or the interchange format of an input; both are nil when nothing knows it.
func Recognise(in *format.Input) (*format.Format, *Interchange) {
	if in == nil {
		return nil, nil
	}
	if x := sniffInterchange(in, false); x != nil {
		if f := archiveAround(in); f != nil {
			return f, nil
		}
		return nil, x
	}
	if f := Sniff(in); f != nil {
		return f, nil
	}
	return nil, sniffInterchange(in, true)
}

// archiveAround returns the archive that an input certainly is, although it begins as the first file in it does: the
// directory of some lies at their end.
func archiveAround(in *format.Input) *format.Format {
	for i := range Formats {
		if f := &Formats[i]; f.Kind == format.Archive && f.Probe != nil && f.Probe(in) >= format.Certain {
			return f
		}
	}
	return nil
}

// Sniff returns the format of an input. Content that speaks for itself decides; where it does not, the formats that use
// the extension are left, and the surest of them is taken, so that its reader can say what is wrong with the file. nil
// means that nothing knows it.
func Sniff(in *format.Input) *format.Format {
	if in == nil {
		return nil
	}
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

// VagueExtension reports whether an extension is used by all the world, so that it alone says nothing.
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
