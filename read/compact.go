package read

import (
	"math"

	"github.com/usher-assets/usher/schema"
)

// Compact reads a compact index: sign and magnitude in 1 to 5 bytes, of which the first has 6 value bits, the next three
// have 7, and the last has 8 (Unreal reference section 2). It returns the value and the number of bytes read, because forms
// longer than needed are legal. A magnitude of more than 32 bits is ErrValue.
func (c *Cursor) Compact(field string) (value int32, width int, minus bool) {
	if c.quickly-c.off >= 2 { // the usual forms, without a call a byte
		next := c.b[c.off:]
		switch {
		case next[0] < 0x40:
			c.off++
			return int32(next[0]), 1, false
		case next[0] < 0x80 && next[1] < 0x80:
			c.off += 2
			return int32(next[0]&0x3F) | int32(next[1])<<6, 2, false
		case next[0] >= 0x80 && next[0] < 0xC0:
			c.off++
			return -int32(next[0] & 0x3F), 1, true
		case next[0] >= 0xC0 && next[1] < 0x80:
			c.off += 2
			return -(int32(next[0]&0x3F) | int32(next[1])<<6), 2, true
		}
	}
	if c.trace != nil {
		return c.notedCompact(field)
	}
	return c.compact(field)
}

// notedCompact is compact for a trace.
func (c *Cursor) notedCompact(field string) (value int32, width int, minus bool) {
	start, trace := c.off, c.trace
	c.trace = nil
	value, width, minus = c.compact(field)
	c.trace = trace
	if c.err == nil {
		c.note(c.b[start:c.off], 1, schema.LayoutIndex, field)
	} else if trace.Stop == nil {
		trace.Stop = &schema.Span{Offset: c.origin + int64(start), Path: c.Path(), Field: field}
	}
	return value, width, minus
}

// compact is Compact for every form.
func (c *Cursor) compact(field string) (value int32, width int, minus bool) {
	at := c.Offset()
	first := c.U8(field)
	minus = first&0x80 != 0
	magnitude := uint64(first & 0x3F)
	width = 1
	for more, shift := first&0x40 != 0, 6; more; shift += 7 {
		b := c.U8(field)
		width++
		if width == 5 {
			magnitude |= uint64(b) << shift
			break
		}
		magnitude |= uint64(b&0x7F) << shift
		more = b&0x80 != 0
	}
	switch {
	case c.err != nil:
		return 0, width, minus
	case minus && magnitude <= math.MaxInt32+1:
		return int32(-int64(magnitude)), width, true
	case magnitude <= math.MaxInt32:
		return int32(magnitude), width, minus
	}
	c.FailAtf(at, schema.ErrValue, field, "compact index of magnitude %d exceeds 32 bits", magnitude)
	return 0, width, minus
}
