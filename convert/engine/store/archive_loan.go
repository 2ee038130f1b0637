package store

import (
	"io"
	"runtime"
	"slices"

	"github.com/usher-assets/usher/convert/format"
)

// Loan is reusable memory for reading and decoding one entry after another. What refers to it is valid until Release.
type Loan struct {
	Payload []byte         // stored bytes of the entry
	Scratch format.Scratch // for data decoded from it
	buffer  []byte
	places  []place
	list    [][]byte
}

// place is where in a file a payload lies.
type place struct{ at, size int64 }

// loans are those that nobody has. A sync.Pool, which the garbage collector empties, would make new ones all the time.
var loans = make(chan *Loan, runtime.GOMAXPROCS(0))

func borrowed() *Loan {
	select {
	case l := <-loans:
		return l
	default:
		return &Loan{buffer: []byte{}}
	}
}

// Borrow reads the payload of an entry into reusable memory.
func (a *Archive) Borrow(i int) (l *Loan, err error) {
	l = borrowed()
	if a.able.PayloadInto == nil {
		l.Payload, err = a.Payload(i)
		return l, err
	}
	if l.Payload, err = a.able.PayloadInto(l.buffer, i); err == nil {
		l.buffer = l.Payload
	}
	return l, err
}

// Release makes the memory available again.
func (l *Loan) Release() {
	if l == nil {
		return
	}
	l.Payload = nil
	l.Scratch.Reset()
	select {
	case loans <- l:
	default:
	}
}

// usual is the size of the buffer that most payloads which are read together have room in.
const usual = 1 << 20

// nearby is how many bytes may lie between payloads that are read together.
const nearby = 64 << 10

// BorrowAll reads the payloads of several neighbouring entries into reusable memory in one step. It returns nil if they are
// not next to each other in the file, or cannot be read; Borrow then returns the reason.
func (a *Archive) BorrowAll(entries []int) (l *Loan, payloads [][]byte) {
	l = borrowed()
	from, to, held := a.Size, int64(0), int64(0)
	l.places = l.places[:0]
	for _, i := range entries {
		p, ok := a.place(i)
		if !ok {
			return l, nil
		}
		l.places = append(l.places, p)
		from, to, held = min(from, p.at), max(to, p.at+p.size), held+p.size
	}
	if from >= to || to > a.Size || to-from > held+nearby {
		return l, nil
	}
	l.buffer = slices.Grow(l.buffer[:0], max(int(to-from), usual))[:to-from]
	if _, err := a.at.ReadAt(l.buffer, from); err != nil {
		return l, nil
	}
	a.hashed.pass(l.buffer, from)
	l.list = l.list[:0]
	for _, p := range l.places {
		start, end := p.at-from, p.at-from+p.size
		l.list = append(l.list, l.buffer[start:end:end])
	}
	return l, l.list
}

// place tells where in the file the payload of an entry lies, if it lies there as it is.
func (a *Archive) place(i int) (p place, ok bool) {
	if a.able.Section == nil {
		return p, false
	}
	section, err := a.able.Section(i)
	if err != nil {
		return p, false
	}
	source, at, size := section.Outer()
	return place{at, size}, a.file != nil && source == io.ReaderAt(a.file)
}
