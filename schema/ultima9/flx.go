package ultima9

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/usher-assets/usher/schema"
)

// Sizes and constants of an FLX archive (reference section 1.1).
const (
	FLXHeaderSize = 0x80
	FLXSlotSize   = 8
	FLXVersion    = 2

	// MaxSlots is the largest directory that Archive.Grow makes. The largest one of the game has 8,192 slots.
	MaxSlots = 1 << 20
)

// Slot is a directory entry: where a payload lies, from the start of the file. A slot is empty when either is zero.
type Slot struct{ Offset, Length uint32 }

// Empty reports whether the slot holds nothing.
func (s Slot) Empty() bool { return s.Offset == 0 || s.Length == 0 }

// overlaps reports whether two payloads share bytes.
func (s Slot) overlaps(t Slot) bool {
	return !s.Empty() && !t.Empty() &&
		uint64(s.Offset) < uint64(t.Offset)+uint64(t.Length) && uint64(t.Offset) < uint64(s.Offset)+uint64(s.Length)
}

// Archive is an FLX archive: its header, its directory, the file that holds the payloads, and edits that are not yet
// written. Payloads are read on demand. Slot numbers are model, texture, sound or text numbers and never change.
type Archive struct {
	Comment   [76]byte
	Unknown4C uint32
	Version   uint32
	Size      uint32 // of the file; wrong by one in some files
	Size2     uint32
	Unknown60 uint32
	Unknown64 uint32
	Unknown68 uint32 // 1 in files of the game
	Unknown6C [20]byte
	Slots     []Slot // as stored, without edits

	// Source is the file with the payloads, SourceSize its length. Both are zero for an archive made with NewArchive.
	Source     io.ReaderAt
	SourceSize int64

	// Compact asks the writer for a new layout: a new header, payloads in slot order, no gaps. Otherwise untouched payloads
	// stay where they are.
	Compact bool `unwritten:"asks how to write"`

	// Spool creates the file for the payloads of an archive without a source, once they are many. If it is nil, they stay in
	// memory.
	Spool func() (Spool, error)

	held  int64          // bytes of payloads that Replace was given
	spool bool           // Source is what Spool made
	edits map[int][]byte // nil payload: removed
	order []int          // edited slots, first edit first
	count int            // slots including those that Grow added
}

// Spool is a temporary file for payloads that are not written yet.
type Spool interface {
	io.ReaderAt
	io.WriterAt
}

// spoolAfter is how many bytes of payloads stay in memory.
const spoolAfter = 8 << 20

// spoolStart is where payloads begin in a spool: where they can in an archive of any size.
const spoolStart = FLXHeaderSize + FLXSlotSize*MaxSlots

// NewArchive returns an empty archive of n slots with the header that the game's own files have.
func NewArchive(n int) *Archive {
	a := &Archive{Version: FLXVersion, Unknown68: 1, Compact: true, Slots: make([]Slot, n), count: n}
	copy(a.Comment[:], bytes.Repeat([]byte{' '}, len(a.Comment)))
	return a
}

// Len returns the number of slots, including those that Grow added.
func (a *Archive) Len() int { return max(a.count, len(a.Slots)) }

// Used reports whether a slot holds a payload.
func (a *Archive) Used(slot int) bool { return a.Length(slot) > 0 }

// Length returns the size of a slot's payload, or 0 if the slot is empty.
func (a *Archive) Length(slot int) int64 {
	if b, ok := a.edits[slot]; ok {
		return int64(len(b))
	}
	if slot < 0 || slot >= len(a.Slots) || a.Slots[slot].Empty() {
		return 0
	}
	return int64(a.Slots[slot].Length)
}

// Section returns a reader over the payload of a used slot.
func (a *Archive) Section(slot int) (*io.SectionReader, error) {
	if b, ok := a.edits[slot]; ok && b != nil {
		return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b))), nil
	}
	if !a.Used(slot) {
		return nil, slotError(slot, schema.ErrRange, "slot %d of %d is empty", slot, a.Len())
	}
	s := a.Slots[slot]
	if err := a.check(slot); err != nil {
		return nil, err
	}
	return io.NewSectionReader(a.Source, int64(s.Offset), int64(s.Length)), nil
}

// Payload returns the bytes of a used slot.
func (a *Archive) Payload(slot int) ([]byte, error) { return a.PayloadInto(nil, slot) }

// PayloadInto is Payload with a buffer, which is used if it is large enough. If buffer is not nil, the result always
// belongs to the caller.
func (a *Archive) PayloadInto(buffer []byte, slot int) ([]byte, error) {
	if b := a.edits[slot]; b != nil {
		if buffer == nil {
			return b, nil
		}
		return append(buffer[:0], b...), nil
	}
	section, err := a.Section(slot)
	if err != nil {
		return nil, err
	}
	b := buffer[:0]
	if int64(cap(b)) < section.Size() {
		b = make([]byte, section.Size())
	}
	b = b[:section.Size()]
	if _, err := io.ReadFull(section, b); err != nil {
		return nil, slotError(slot, schema.ErrTruncated, "%v", err)
	}
	return b, nil
}

// Stored returns the bytes of a slot in the source, without edits.
func (a *Archive) Stored(slot int) ([]byte, error) {
	if slot < 0 || slot >= len(a.Slots) || a.Slots[slot].Empty() {
		return nil, slotError(slot, schema.ErrRange, "slot %d of %d is empty", slot, len(a.Slots))
	}
	if err := a.check(slot); err != nil {
		return nil, err
	}
	b := make([]byte, a.Slots[slot].Length)
	if n, err := a.Source.ReadAt(b, int64(a.Slots[slot].Offset)); n < len(b) {
		return nil, slotError(slot, schema.ErrTruncated, "%v", err)
	}
	return b, nil
}

// check reports whether a used slot lies inside the file, behind the header and the directory.
func (a *Archive) check(slot int) error {
	s := a.Slots[slot]
	end := int64(s.Offset) + int64(s.Length)
	start := int64(FLXHeaderSize + FLXSlotSize*len(a.Slots))
	if int64(s.Offset) < start || end > a.SourceSize {
		return slotError(slot, schema.ErrRange, "bytes 0x%x to 0x%x are outside the payload area 0x%x to 0x%x",
			s.Offset, end, start, a.SourceSize)
	}
	return nil
}

func slotError(slot int, class error, msg string, args ...any) error {
	return &schema.FormatError{Format: "flx", Path: fmt.Sprintf("slot %d", slot), Offset: int64(FLXHeaderSize + FLXSlotSize*slot),
		Field: "directory", Class: class, Msg: fmt.Sprintf(msg, args...)}
}

// Replace sets the payload of a slot, empty or not. The archive keeps the slice, unless it has written it to its spool.
func (a *Archive) Replace(slot int, payload []byte) error {
	if slot < 0 || slot >= a.Len() {
		return slotError(slot, schema.ErrRange, "the directory has %d slots", a.Len())
	}
	if len(payload) == 0 {
		return slotError(slot, schema.ErrValue, "a payload of no bytes is an empty slot")
	}
	if spooled, err := a.spooled(slot, payload); spooled || err != nil {
		return err
	}
	a.edit(slot, payload)
	return nil
}

// spooled puts a payload into the spool, where it is then as if it had always been. It reports false when the payload
// has to stay in memory.
func (a *Archive) spooled(slot int, payload []byte) (bool, error) {
	a.held += int64(len(payload))
	if _, again := a.edits[slot]; a.Spool == nil || a.Source != nil && !a.spool || again || a.held <= spoolAfter {
		return false, nil
	}
	if !a.spool {
		file, err := a.Spool()
		if err != nil {
			return false, err
		}
		a.Source, a.SourceSize, a.spool = file, spoolStart, true
	}
	end := a.SourceSize + int64(len(payload))
	if end > math.MaxUint32 {
		return false, nil
	}
	if _, err := a.Source.(Spool).WriteAt(payload, a.SourceSize); err != nil {
		return false, err
	}
	if missing := a.Len() - len(a.Slots); missing > 0 {
		a.Slots = append(a.Slots, make([]Slot, missing)...)
	}
	a.Slots[slot] = Slot{uint32(a.SourceSize), uint32(len(payload))}
	a.SourceSize = end
	return true, nil
}

// Remove empties a slot.
func (a *Archive) Remove(slot int) error {
	if slot < 0 || slot >= a.Len() {
		return slotError(slot, schema.ErrRange, "the directory has %d slots", a.Len())
	}
	if slot < len(a.Slots) && a.Slots[slot].Empty() {
		delete(a.edits, slot) // an empty slot keeps its spelling
		a.order = slices.DeleteFunc(a.order, func(s int) bool { return s == slot })
		return nil
	}
	a.edit(slot, nil)
	return nil
}

func (a *Archive) edit(slot int, payload []byte) {
	if a.edits == nil {
		a.edits = map[int][]byte{}
	}
	if _, again := a.edits[slot]; !again {
		a.order = append(a.order, slot)
	}
	a.edits[slot] = payload
}

// Grow makes the directory at least n slots long.
func (a *Archive) Grow(n int) error {
	if n > MaxSlots {
		return schema.Errorf("flx", schema.ErrLimit, "count", "%d slots, at most %d", n, MaxSlots)
	}
	a.count = max(a.Len(), n)
	return nil
}

// Edited returns the numbers of the slots that Replace and Remove changed, first edit first.
func (a *Archive) Edited() []int { return a.order }

// Edit returns the new payload of an edited slot, or nil if it was removed.
func (a *Archive) Edit(slot int) (payload []byte, edited bool) {
	payload, edited = a.edits[slot]
	return payload, edited
}

// Shared returns the used slots that share bytes with another slot.
func (a *Archive) Shared() map[int]bool {
	var used []int
	for i, s := range a.Slots {
		if !s.Empty() {
			used = append(used, i)
		}
	}
	slices.SortFunc(used, func(i, j int) int {
		return cmp.Compare(a.Slots[i].Offset, a.Slots[j].Offset)
	})
	shared := map[int]bool{}
	last := -1 // the slot that reaches furthest so far
	for _, i := range used {
		s := a.Slots[i]
		if last >= 0 && a.Slots[last].overlaps(s) {
			shared[last], shared[i] = true, true
		}
		if last < 0 || uint64(s.Offset)+uint64(s.Length) > uint64(a.Slots[last].Offset)+uint64(a.Slots[last].Length) {
			last = i
		}
	}
	return shared
}
