package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

var squareNames = schema.NamesOf[ultima9.PageRef]("")

// Fixed reads fixed.N (reference section 9). It fails with ErrRange for invalid references, ErrCycle for loops, and
// ErrMismatch for counts and places that contradict each other.
func Fixed(b []byte, d *schema.Diagnostics) (*ultima9.ObjectFile, error) {
	return objectFile(b, ultima9.Fixed, d)
}

// Nonfixed reads nonfixed.N (reference section 9), with the errors of Fixed.
func Nonfixed(b []byte, d *schema.Diagnostics) (*ultima9.ObjectFile, error) {
	return objectFile(b, ultima9.Nonfixed, d)
}

func objectFile(b []byte, kind ultima9.ObjectKind, d *schema.Diagnostics) (*ultima9.ObjectFile, error) {
	c := read.NewCursor("u9-"+kind.String(), b, d)
	x := &ultima9.ObjectFile{Kind: kind, Leading: c.U32s(kind.Leading(), "leading words")}
	size := uint64(c.U32("heap size"))
	x.Unknown0C = c.U32("unknown 0C")
	x.Width = c.U32("width")
	x.Height = c.U32("height")
	at := c.Offset()
	if k := read.Named(c, ultima9.ObjectKind(c.U32("kind"))); c.Err() == nil && k != kind {
		c.FailAtf(at, schema.ErrBadMagic, "kind", "found %d, expected %d", uint32(k), uint32(kind))
	}
	if size%ultima9.PageSize != 0 {
		c.FailAtf(at-16, schema.ErrMismatch, "heap size", "0x%x is no multiple of a page", size)
	}
	for _, ref := range c.U32s(c.Count(uint64(x.Width)*uint64(x.Height), 4, "squares"), "squares") {
		x.First = append(x.First, ultima9.PageRef(ref))
	}
	c.Name(squareNames)
	x.FreePage = read.Named(c, ultima9.PageRef(c.U32("free page")))
	start := c.Offset()
	x.Heap = c.Part(c.Extent(size, 1, "heap"), "heap")
	if c.Left() > 0 {
		d.Notef("trailing-bytes", "", "%d bytes behind the heap", c.Left())
		x.Trailing = c.Rest()
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	h := &heap{x: x, start: start, d: d, pages: make([]page, len(x.Heap)/ultima9.PageSize)}
	err := h.read()
	if t := d.Trace(); t != nil {
		h.note(t)
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}
