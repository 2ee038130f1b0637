package media

import (
	"slices"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// TGA reads a Truevision picture of types 1, 2, 3, 9, 10 and 11. The slices alias b. It fails with ErrTruncated,
// ErrUnsupported for other types and depths, ErrMismatch for indices without a colour map, ErrValue for a picture without
// pixels, and ErrLimit.
func TGA(b []byte, d *schema.Diagnostics) (*media.TGA, error) {
	c := read.NewCursor("tga", b, d)
	idLength := c.U8("id length")
	t := &media.TGA{
		MapType:    c.U8("colour map type"),
		ImageType:  c.U8("image type"),
		MapFirst:   c.U16("first map entry"),
		MapLength:  c.U16("map length"),
		MapBits:    c.U8("map entry size"),
		X:          c.U16("x origin"),
		Y:          c.U16("y origin"),
		Width:      c.U16("width"),
		Height:     c.U16("height"),
		Bits:       c.U8("pixel depth"),
		Descriptor: c.U8("descriptor"),
	}
	if c.Err() == nil {
		checkTGA(c, t)
	}
	if idLength > 0 {
		t.ID = c.Bytes(int(idLength), "id")
	}
	if t.MapType == 1 && t.MapLength > 0 {
		t.Map = c.Data(int(t.MapLength)*((int(t.MapBits)+7)/8), "colours", "colour map")
	}
	if t.Runs() {
		t.Pixels = c.Data(runsLength(c, t), "pixels", "runs")
	} else {
		t.Pixels = c.Data(t.RawSize(), "pixels", "pixels")
	}
	if c.Left() > 0 {
		t.Trailing = c.Rest()
		d.WarnAtf("trailing-bytes", "", int64(len(b)-len(t.Trailing)), "%d bytes after the pixels", len(t.Trailing))
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

func checkTGA(c *read.Cursor, t *media.TGA) {
	depths := map[uint8][]uint8{media.TGAIndexed: {8}, media.TGAColour: {15, 16, 24, 32}, media.TGAGray: {8}}[t.Kind()]
	if depths == nil {
		c.FailAtf(2, schema.ErrUnsupported, "image type", "type %d, expected 1, 2, 3, 9, 10 or 11", t.ImageType)
	}
	if !slices.Contains(depths, t.Bits) {
		c.FailAtf(16, schema.ErrUnsupported, "pixel depth", "%d bits in image type %d, expected one of %d", t.Bits, t.ImageType, depths)
	}
	if t.MapType > 1 {
		c.FailAtf(1, schema.ErrUnsupported, "colour map type", "%d, expected 0 or 1", t.MapType)
	}
	if t.MapType == 1 && t.MapLength > 0 && !slices.Contains([]uint8{15, 16, 24, 32}, t.MapBits) {
		c.FailAtf(7, schema.ErrUnsupported, "map entry size", "%d bits, expected 15, 16, 24 or 32", t.MapBits)
	}
	if t.Kind() == media.TGAIndexed && (t.MapType == 0 || t.MapLength == 0) {
		c.FailAtf(1, schema.ErrMismatch, "colour map type", "indices without colours")
	}
	if err := schema.DefaultLimits.Picture("tga", int(t.Width), int(t.Height), 4); err != nil {
		c.FailAtf(12, schema.Class(err), "width", "%d x %d pixels", t.Width, t.Height)
	}
}

// runsLength returns the bytes of the packets that hold all pixels.
func runsLength(c *read.Cursor, t *media.TGA) int {
	if c.Err() != nil {
		return 0
	}
	b := c.Peek(c.Left())
	size, left, at := t.PixelBytes(), int(t.Width)*int(t.Height), 0
	for left > 0 {
		if at >= len(b) {
			return len(b) + 1 // one more than there is
		}
		n := int(b[at]&0x7F) + 1
		if b[at]&0x80 != 0 {
			at += 1 + size
		} else {
			at += 1 + n*size
		}
		left -= n
	}
	return at
}

// TGAPixels returns the decompressed pixels of a picture, in stored order. If they are not compressed, the result aliases
// t.Pixels. A last packet that extends beyond the picture is cut.
func TGAPixels(t *media.TGA) ([]byte, error) {
	if t == nil {
		return nil, schema.Errorf("tga", schema.ErrValue, "", "there is no picture")
	}
	if t.PixelBytes() == 0 || t.RawSize() == 0 {
		return nil, schema.Errorf("tga", schema.ErrValue, "size", "%d x %d pixels of %d bits", t.Width, t.Height, t.Bits)
	}
	if !t.Runs() {
		if len(t.Pixels) != t.RawSize() {
			return nil, schema.Errorf("tga", schema.ErrMismatch, "pixels", "%d bytes, expected %d", len(t.Pixels), t.RawSize())
		}
		return t.Pixels, nil
	}
	size := t.PixelBytes()
	// The packets are measured before anything is allocated: what is too short for the picture takes no memory.
	if need := (int(t.Width)*int(t.Height) + 127) / 128 * (1 + size); len(t.Pixels) < need {
		return nil, schema.Errorf("tga", schema.ErrTruncated, "runs", "%d bytes, at least %d are needed", len(t.Pixels), need)
	}
	out := make([]byte, t.RawSize())
	src, at := t.Pixels, 0
	for at < len(out) {
		if len(src) < 1+size {
			return nil, schema.Errorf("tga", schema.ErrTruncated, "runs", "%d of %d bytes of pixels", at, len(out))
		}
		n := (int(src[0]&0x7F) + 1) * size
		if src[0]&0x80 != 0 {
			run := out[at:min(at+n, len(out))]
			for filled := copy(run, src[1:1+size]); filled < len(run); filled *= 2 {
				copy(run[filled:], run[:filled])
			}
			at, src = at+n, src[1+size:]
			continue
		}
		if len(src) < 1+n {
			return nil, schema.Errorf("tga", schema.ErrTruncated, "runs", "%d of %d bytes of pixels", at, len(out))
		}
		copy(out[at:], src[1:1+n])
		at, src = at+n, src[1+n:]
	}
	return out, nil
}

// TGACrossesRows reports whether a run-length packet extends from one row into the next. Some programs write such packets.
func TGACrossesRows(t *media.TGA) bool {
	if t == nil {
		return false
	}
	size, width, x := t.PixelBytes(), int(t.Width), 0
	for b := t.Pixels; t.Runs() && len(b) > 0; {
		n := int(b[0]&0x7F) + 1
		if x += n; x > width {
			return true
		}
		if x == width {
			x = 0
		}
		skip := 1 + size
		if b[0]&0x80 == 0 {
			skip = 1 + n*size
		}
		b = b[min(skip, len(b)):]
	}
	return false
}
