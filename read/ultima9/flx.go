package ultima9

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// FLX reads the header and the directory of an FLX archive (reference section 1). Payloads stay in r, so r must remain
// readable. A slot that points outside the file only fails when its payload is read.
//
// The only signature is the version word, 2. It fails with ErrTruncated for a file shorter than the header, ErrBadMagic,
// and ErrCount for a directory that the file cannot hold.
func FLX(r io.ReaderAt, size int64, d *schema.Diagnostics) (*ultima9.Archive, error) {
	if err := schema.CheckSource("flx", r, size); err != nil {
		return nil, err
	}
	head := make([]byte, min(size, ultima9.FLXHeaderSize))
	if err := readAt(r, head, 0); err != nil {
		return nil, err
	}
	a := &ultima9.Archive{Source: r, SourceSize: size}
	c := read.NewCursor("flx", head, d)
	copy(a.Comment[:], c.Data(len(a.Comment), schema.LayoutText, "comment"))
	a.Unknown4C = c.U32("unused 4C")
	count := c.U32("count")
	at := c.Offset()
	a.Version = c.U32("version")
	a.Size = c.U32("size")
	a.Size2 = c.U32("size2")
	a.Unknown60 = c.U32("unused 60")
	a.Unknown64 = c.U32("unused 64")
	a.Unknown68 = c.U32("one")
	copy(a.Unknown6C[:], c.Bytes(len(a.Unknown6C), "unused 6C"))
	if a.Version != ultima9.FLXVersion {
		c.FailAtf(at, schema.ErrBadMagic, "version", "found %d, expected %d", a.Version, ultima9.FLXVersion)
	}
	if room := size - ultima9.FLXHeaderSize; int64(count) > room/ultima9.FLXSlotSize {
		c.FailAtf(at-4, schema.ErrCount, "count", "%d slots of 8 bytes do not fit into the %d bytes behind the header", count, room)
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	dir := make([]byte, ultima9.FLXSlotSize*int(count))
	if err := readAt(r, dir, ultima9.FLXHeaderSize); err != nil {
		return nil, err
	}
	d.Trace().NoteBytes(dir, int(count), "offset:u32 length:u32", "", "slots")
	a.Slots = make([]ultima9.Slot, count)
	for i := range a.Slots {
		b := dir[ultima9.FLXSlotSize*i:]
		a.Slots[i] = ultima9.Slot{Offset: binary.LittleEndian.Uint32(b), Length: binary.LittleEndian.Uint32(b[4:])}
	}
	reportFLX(a, d)
	return a, nil
}

// reportFLX tells what is odd in a directory that can be used all the same.
func reportFLX(a *ultima9.Archive, d *schema.Diagnostics) {
	if d == nil {
		return
	}
	if int64(a.Size) != a.SourceSize || a.Size2 != a.Size {
		d.WarnAtf("flx-size", "", 0x58, "the header gives %d and %d as the size, the file has %d bytes", a.Size, a.Size2, a.SourceSize)
	}
	for i, s := range a.Slots {
		if !s.Empty() && int64(s.Offset)+int64(s.Length) > a.SourceSize {
			d.WarnAtf("slot-range", "", int64(ultima9.FLXHeaderSize+ultima9.FLXSlotSize*i), "slot %d runs past the end of the file", i)
		}
	}
}

// readAt fills b from r and maps a short file to the format's error.
func readAt(r io.ReaderAt, b []byte, offset int64) error {
	n, err := r.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return &schema.FormatError{Format: "flx", Offset: offset + int64(n), Class: schema.ErrTruncated, Msg: "the file ends early"}
	}
	return err
}
