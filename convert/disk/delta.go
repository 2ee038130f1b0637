package disk

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// A delta makes one file of another: pieces of the other one, and between them bytes that it does not have. It begins
// each with a number, whose lowest bit says which of the two: a piece is its length and its place, bytes are their length
// and themselves. A length of 0 ends it.

const (
	deltaChunk  = 64 << 10 // what is compared in one step
	deltaLeast  = 32       // bytes that make a piece worth it
	deltaWindow = 64       // bytes by which a piece is found in another place
	deltaStride = 4 << 10  // one window in so many bytes is known
	deltaLoose  = 64 << 10 // bytes without a piece after which one is sought in other places
)

// WriteDelta writes a delta from the file have to the file want. It is small if they are similar.
func WriteDelta(w io.Writer, have io.ReaderAt, haveSize int64, want io.ReaderAt, wantSize int64) error {
	d := &delta{out: bufio.NewWriterSize(w, deltaChunk), have: have, haveSize: haveSize, want: want, wantSize: wantSize}
	for d.at < wantSize {
		n, err := d.alike(d.at, d.at+d.shift)
		if err != nil {
			return err
		}
		if n >= deltaLeast || n > 0 && d.at+n == wantSize {
			d.piece(d.at+d.shift, n)
			d.at += n
			continue
		}
		if err := d.meet(); err != nil {
			return err
		}
	}
	d.number(0)
	return d.out.Flush()
}

// delta is one that is being written.
type delta struct {
	out                *bufio.Writer
	have, want         io.ReaderAt
	haveSize, wantSize int64

	at    int64 // how much of want is written
	shift int64 // where in have the next piece may go on, from there
	loose int64 // bytes that were in no piece

	windows map[uint64]int64 // places in have by the sum of what stands there; nil until they are needed
	a, b    [deltaChunk + deltaWindow]byte
}

func (d *delta) number(n uint64) {
	_, _ = d.out.Write(binary.AppendUvarint(nil, n)) // Flush tells of errors
}

func (d *delta) piece(at, n int64) {
	d.number(uint64(n) << 1)
	d.number(uint64(at))
}

// read returns what stands at an offset of a file, as far as there is something.
func read(r io.ReaderAt, size int64, b []byte, at int64) ([]byte, error) {
	if at < 0 || at >= size {
		return nil, nil
	}
	b = b[:min(int64(len(b)), size-at)]
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		err = nil
	}
	return b, err
}

// alike counts the bytes that are the same from two places on.
func (d *delta) alike(inWant, inHave int64) (n int64, err error) {
	for {
		a, err1 := read(d.want, d.wantSize, d.a[:deltaChunk], inWant+n)
		b, err2 := read(d.have, d.haveSize, d.b[:deltaChunk], inHave+n)
		if err := errors.Join(err1, err2); err != nil {
			return n, err
		}
		same := min(len(a), len(b))
		if !bytes.Equal(a[:same], b[:same]) {
			same = firstOther(a, b)
		}
		n += int64(same)
		if same < deltaChunk {
			return n, nil
		}
	}
}

func firstOther(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// meet writes bytes up to where both files are alike again, or a chunk of them.
func (d *delta) meet() error {
	a, err := read(d.want, d.wantSize, d.a[:], d.at)
	if err != nil {
		return err
	}
	b, err := read(d.have, d.haveSize, d.b[:], d.at+d.shift)
	if err != nil {
		return err
	}
	end, shift := min(len(a), deltaChunk), d.shift
	if i, ok := meetStraight(a, b); ok {
		end = i
	}
	if d.loose > deltaLoose {
		if end, shift, err = d.meetElsewhere(a, end); err != nil {
			return err
		}
	}
	if end > 0 {
		d.number(uint64(end)<<1 | 1)
		_, _ = d.out.Write(a[:end]) // Flush tells of errors
	}
	d.at, d.shift, d.loose = d.at+int64(end), shift, d.loose+int64(end)
	return nil
}

// meetStraight returns the first place from which on enough of two texts is the same, without a shift.
func meetStraight(a, b []byte) (int, bool) {
	same := 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			same = 0
			continue
		}
		if same++; same == deltaLeast && i+1 > deltaLeast {
			return i + 1 - deltaLeast, true
		}
	}
	return 0, false
}

// meetElsewhere returns the first place before end from which on a text is found anywhere in have, and how far off.
func (d *delta) meetElsewhere(a []byte, end int) (int, int64, error) {
	if err := d.learn(); err != nil {
		return 0, 0, err
	}
	var found [deltaWindow]byte
	sum := uint64(0)
	for i := range a {
		sum = sum*deltaFactor + uint64(a[i])
		if i >= deltaWindow {
			sum -= uint64(a[i-deltaWindow]) * deltaDrop
		}
		start := i + 1 - deltaWindow
		if start < 0 {
			continue
		}
		if start >= end {
			break
		}
		place, known := d.windows[sum]
		if !known {
			continue
		}
		b, err := read(d.have, d.haveSize, found[:], place)
		if err != nil {
			return 0, 0, err
		}
		if !bytes.Equal(b, a[start:i+1]) {
			continue
		}
		shift := place - d.at - int64(start)
		begin, err := d.backwards(a, start, shift)
		return begin, shift, err
	}
	return end, d.shift, nil
}

// backwards returns how far before start the text is the same as well, so far off.
func (d *delta) backwards(a []byte, start int, shift int64) (int, error) {
	from := max(0, -(d.at + shift))
	before, err := read(d.have, d.haveSize, make([]byte, max(0, int64(start)-from)), d.at+shift+from)
	for len(before) > 0 && a[start-1] == before[len(before)-1] {
		start, before = start-1, before[:len(before)-1]
	}
	return start, err
}

// The sum of a window: that of the next one follows from it.
const deltaFactor = 0x9E3779B97F4A7C15

var deltaDrop = func() uint64 {
	p := uint64(1)
	for range deltaWindow {
		p *= deltaFactor
	}
	return p
}()

// learn notes what stands in have. What is one byte again and again stands in too many places.
func (d *delta) learn() error {
	if d.windows != nil {
		return nil
	}
	d.windows = make(map[uint64]int64, d.haveSize/deltaStride+1)
	var room [deltaWindow]byte
	for at := int64(0); at+deltaWindow <= d.haveSize; at += deltaStride {
		b, err := read(d.have, d.haveSize, room[:], at)
		if err != nil {
			return err
		}
		if bytes.Count(b, b[:1]) == len(b) {
			continue
		}
		sum := uint64(0)
		for _, c := range b {
			sum = sum*deltaFactor + uint64(c)
		}
		if _, known := d.windows[sum]; !known {
			d.windows[sum] = at
		}
	}
	return nil
}

// ErrDelta is the error for a delta that is damaged or made for another file.
var ErrDelta = errors.New("it is damaged")

// ApplyDelta writes the result of applying a delta to the file have. It fails if the result would be larger than size.
func ApplyDelta(w io.Writer, delta io.Reader, have io.ReaderAt, haveSize, size int64) error {
	r := bufio.NewReaderSize(delta, deltaChunk)
	for {
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return ErrDelta
		}
		if n == 0 {
			return nil
		}
		count, from := int64(n>>1), io.Reader(r)
		if size -= count; count == 0 || size < 0 {
			return ErrDelta
		}
		if n&1 == 0 {
			at, err := binary.ReadUvarint(r)
			if err != nil || at > uint64(haveSize) || count > haveSize-int64(at) {
				return ErrDelta
			}
			from = io.NewSectionReader(have, int64(at), count)
		}
		if _, err := io.CopyN(w, from, count); errors.Is(err, io.EOF) {
			return ErrDelta
		} else if err != nil {
			return err
		}
	}
}
