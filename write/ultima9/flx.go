package ultima9

import (
	"cmp"
	"io"
	"math"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// FLX writes an archive with its edits (reference section 1.3). Without edits the output is the input, byte for byte.
// Untouched payloads stay where they are. An edited payload stays in place if its length is unchanged, and goes to the end
// otherwise. A removed slot becomes (0, 0). If the directory has grown, the payloads that it overwrites go to the end. With
// a.Compact, the whole file is written anew in slot order.
//
// Payloads are copied from a.Source in pieces, so memory does not grow with the archive. It fails with ErrRange for a slot
// of the source that points outside it (compact only) and for a file beyond 4 GiB, and with the errors of w and the source.
func FLX(w io.Writer, a *ultima9.Archive) error {
	p, err := newPlan(a)
	if err != nil {
		return err
	}
	return p.write(w)
}

// FLXDead returns the size of the file that FLX would write, and how many of its bytes belong to no slot, nor the header or
// directory. Errors are those of FLX.
func FLXDead(a *ultima9.Archive) (dead, size int64, err error) {
	p, err := newPlan(a)
	if err != nil {
		return 0, 0, err
	}
	used := slices.DeleteFunc(slices.Clone(p.slots), ultima9.Slot.Empty)
	slices.SortFunc(used, func(x, y ultima9.Slot) int { return cmp.Compare(x.Offset, y.Offset) })
	at := bodyStart(len(p.slots)) // up to where all is told
	for _, s := range used {
		if gap := min(int64(s.Offset), p.end) - at; gap > 0 {
			dead += gap
		}
		at = max(at, min(int64(s.Offset)+int64(s.Length), p.end))
	}
	return dead + max(p.end-at, 0), p.end, nil
}

func newPlan(a *ultima9.Archive) (p *plan, err error) {
	p = &plan{a: a, slots: make([]ultima9.Slot, a.Len())}
	if a.Source == nil && a.SourceSize > 0 {
		return nil, schema.Errorf("flx", schema.ErrValue, "Source", "%d bytes of payloads are in a source that is not there", a.SourceSize)
	}
	switch {
	case a.Compact:
		err = p.compact()
	case a.Len() == len(a.Slots) && len(a.Edited()) == 0:
		p.exact()
	default:
		err = p.patch()
	}
	return p, err
}

// plan is the layout of the file to be: its header and directory, then pieces in the order of their position.
type plan struct {
	a      *ultima9.Archive
	header ultima9.Archive
	slots  []ultima9.Slot
	pieces []piece
	end    int64
}

// piece is a run of the new file: bytes at hand, or a range of the source.
type piece struct {
	at     int64
	data   []byte
	from   int64
	length int64
}

func bodyStart(slots int) int64 {
	return ultima9.FLXHeaderSize + ultima9.FLXSlotSize*int64(slots)
}

func (p *plan) add(x piece) {
	if x.data != nil {
		x.length = int64(len(x.data))
	}
	p.pieces = append(p.pieces, x)
	p.end = max(p.end, x.at+x.length)
}

// place appends a payload and points the slot at it.
func (p *plan) place(slot int, x piece) error {
	x.at = p.end
	p.add(x)
	if p.end > math.MaxUint32 {
		return schema.Errorf("flx", schema.ErrRange, "offset", "slot %d would end past 4 GiB", slot)
	}
	p.slots[slot] = ultima9.Slot{Offset: uint32(x.at), Length: uint32(p.end - x.at)}
	return nil
}

func (p *plan) exact() {
	p.header = *p.a
	copy(p.slots, p.a.Slots)
	p.end = bodyStart(len(p.slots))
	p.add(piece{at: p.end, from: p.end, length: p.a.SourceSize - p.end})
}

func (p *plan) compact() error {
	p.header = *ultima9.NewArchive(0)
	p.end = bodyStart(len(p.slots))
	for i := range p.slots {
		if !p.a.Used(i) {
			continue
		}
		if err := p.place(i, p.payload(i)); err != nil {
			return err
		}
		if _, err := p.a.Section(i); err != nil {
			return err
		}
	}
	p.header.Size, p.header.Size2 = uint32(p.end), uint32(p.end)
	return nil
}

// payload returns a used slot's bytes as a piece.
func (p *plan) payload(slot int) piece {
	if b, ok := p.a.Edit(slot); ok {
		return piece{data: b}
	}
	s := p.a.Slots[slot]
	return piece{from: int64(s.Offset), length: int64(s.Length)}
}

func (p *plan) patch() error {
	a := p.a
	p.header = *a
	copy(p.slots, a.Slots)
	start := bodyStart(len(p.slots))
	p.end = max(start, a.SourceSize)
	shared := a.Shared()
	var over []piece // payloads that go in place of old ones
	for _, i := range p.displaced(start) {
		if err := p.place(i, p.payload(i)); err != nil {
			return err
		}
	}
	for _, i := range a.Edited() {
		b, _ := a.Edit(i)
		old := p.slots[i]
		switch {
		case b == nil:
			p.slots[i] = ultima9.Slot{}
		case int(old.Length) == len(b) && !old.Empty() && !shared[i] && int64(old.Offset) >= start && int64(old.Offset)+int64(old.Length) <= a.SourceSize:
			over = append(over, piece{at: int64(old.Offset), data: b})
		default:
			if err := p.place(i, piece{data: b}); err != nil {
				return err
			}
		}
	}
	appended := p.pieces
	p.pieces = nil
	p.keep(start, over)
	p.pieces = append(p.pieces, appended...)
	p.header.Size, p.header.Size2 = uint32(p.end), uint32(p.end)
	return nil
}

// displaced returns the untouched slots whose payload the longer directory overwrites. One that leads outside the
// source has no payload to save.
func (p *plan) displaced(start int64) []int {
	if start == bodyStart(len(p.a.Slots)) {
		return nil
	}
	var list []int
	for i, s := range p.a.Slots {
		_, edited := p.a.Edit(i)
		if !s.Empty() && !edited && int64(s.Offset) < start && int64(s.Offset)+int64(s.Length) <= p.a.SourceSize {
			list = append(list, i)
		}
	}
	return list
}

// keep takes over the source from start on, except where a piece lies over it.
func (p *plan) keep(start int64, over []piece) {
	slices.SortFunc(over, func(x, y piece) int { return cmp.Compare(x.at, y.at) })
	at := start
	for _, x := range over {
		p.add(piece{at: at, from: at, length: x.at - at})
		p.add(x)
		at = x.at + int64(len(x.data))
	}
	if at < p.a.SourceSize {
		p.add(piece{at: at, from: at, length: p.a.SourceSize - at})
	}
}

func (p *plan) write(w io.Writer) error {
	h := &p.header
	b := write.NewBuffer("flx", ultima9.FLXHeaderSize+ultima9.FLXSlotSize*len(p.slots))
	b.Bytes(h.Comment[:])
	b.U32(h.Unknown4C)
	b.Count32(len(p.slots), "count")
	b.U32(h.Version)
	b.U32(h.Size)
	b.U32(h.Size2)
	b.U32(h.Unknown60)
	b.U32(h.Unknown64)
	b.U32(h.Unknown68)
	b.Bytes(h.Unknown6C[:])
	for _, s := range p.slots {
		b.U32(s.Offset)
		b.U32(s.Length)
	}
	head, err := b.Finish()
	if err != nil {
		return err
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, x := range p.pieces {
		if err := p.copy(w, x); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) copy(w io.Writer, x piece) error {
	if x.data != nil {
		_, err := w.Write(x.data)
		return err
	}
	return write.CopyRange(w, "flx", p.a.Source, x.from, x.length)
}
