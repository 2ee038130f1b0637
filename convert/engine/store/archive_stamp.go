package store

import (
	"io"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/disk"
)

// Stamp returns the stamp of the archive file as it is on disk.
func (a *Archive) Stamp() (disk.Stamp, error) {
	if a.hashed == nil && a.file != nil {
		return disk.StampOf(a.file)
	}
	if a.hashed == nil {
		a.HashOnTheWay()
	}
	sum, err := a.hashed.rest()
	s := a.Unhashed()
	s.Hash = disk.HashText(sum)
	return s, err
}

// HashOnTheWay makes BorrowAll hash what it reads, so that Stamp need not read it again.
func (a *Archive) HashOnTheWay() {
	a.hashed = &passed{from: io.NewSectionReader(a.at, 0, a.Size), hash: xxhash.New()}
}

// Unhashed returns the stamp of the archive file without the hash, which needs no reading.
func (a *Archive) Unhashed() disk.Stamp {
	return disk.Stamp{Size: a.Size, Time: a.changed.UnixNano()}
}

// passed is the hash of a file as far as it was read. A nil one hashes nothing.
type passed struct {
	from *io.SectionReader // its position is where hash is at

	mu   sync.Mutex
	hash *xxhash.Digest
}

// leap is how many bytes are read for the hash alone, to get at those that were read: what workers read out of turn. What
// lies farther off may not be wanted at all before the end.
const leap = 4 << 20

// pass hashes bytes that were read at an offset, or what is new of them.
func (p *passed) pass(b []byte, at int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	is, _ := p.from.Seek(0, io.SeekCurrent) // it cannot fail
	if is < at && at-is <= leap {
		n, _ := io.CopyN(p.hash, p.from, at-is) // an error shows when the rest is read
		is += n
	}
	if at <= is && is < at+int64(len(b)) {
		_, _ = p.hash.Write(b[is-at:]) // cannot fail
		_, _ = p.from.Seek(at+int64(len(b)), io.SeekStart)
	}
}

// rest hashes what was not read, and returns the hash of the file.
func (p *passed) rest() (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := io.CopyBuffer(p.hash, p.from, make([]byte, 256<<10))
	return p.hash.Sum64(), err
}
