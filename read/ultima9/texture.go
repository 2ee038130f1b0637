package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Texture reads a texture set (reference section 4). Pixels are not decoded and alias b.
//
// It fails with ErrTruncated and ErrCount for a header or directory that b cannot hold, ErrRange for a frame outside the
// record, ErrMismatch for a length that does not fit the dimensions, ErrUnsupported for unknown storage flags, pixel codes
// and run-length encoding, and ErrValue for a frame without pixels.
func Texture(b []byte, d *schema.Diagnostics) (*ultima9.TextureSet, error) {
	c := read.NewCursor("u9-texture", b, d)
	t := &ultima9.TextureSet{
		MaxWidth: c.U16("maximum width"), Mips: c.U8("mip count"), Reserved03: c.U8("reserved"),
		MaxHeight: c.U16("maximum height"), Storage: read.Named(c, ultima9.StorageFlags(c.U16("storage flags"))),
	}
	count := c.U32("frame count")
	t.Playback = read.Named(c, ultima9.Playback(c.U32("playback")))
	if t.Storage > ultima9.StorageBC1 {
		c.FailAtf(6, schema.ErrUnsupported, "storage flags", "0x%04x, known are 0 and 1", uint16(t.Storage))
	}
	n := c.Count(uint64(count), ultima9.FrameEntrySize, "frame count")
	if c.Err() != nil {
		return nil, c.Err()
	}
	t.Frames = make([]ultima9.TextureFrame, n)
	spans := make([]ultima9.Span, n+1)
	spans[0].End = uint32(ultima9.TextureHeaderSize + ultima9.FrameEntrySize*n)
	room := 2*len(b) + 1<<12 // frames may share bytes, but not so that a small record fills the memory
	for i := range t.Frames {
		c.Enter("frame", i)
		span := ultima9.Span{Start: c.U32("offset")}
		span.End = span.Start + c.U32("length")
		if span.End < span.Start || int64(span.End) > int64(len(b)) || span.Start < spans[0].End {
			c.FailAtf(c.Offset()-8, schema.ErrRange, "offset", "the frame lies at 0x%x to 0x%x, the record has 0x%x bytes", span.Start, span.End, len(b))
			return nil, c.Err()
		}
		if room -= int(span.End - span.Start); room < 0 {
			c.Failf(schema.ErrLimit, "offset", "the frames overlap too often")
			return nil, c.Err()
		}
		spans[i+1] = span
		f := c.Within(b[span.Start:span.End], int64(span.Start))
		t.Frames[i].Offset = span.Start
		if err := frame(f, t, i, d); err != nil {
			return nil, err
		}
		c.Leave()
	}
	t.Gaps = ultima9.Uncovered(b, spans)
	for _, g := range t.Gaps {
		d.WarnAtf("gap", "", int64(g.Offset), "%d bytes belong to no frame", len(g.Data))
	}
	return t, nil
}

func frame(c *read.Cursor, t *ultima9.TextureSet, i int, d *schema.Diagnostics) error {
	f := &t.Frames[i]
	length := uint64(c.Left())
	f.Flags = read.Named(c, ultima9.FrameFlags(c.U32("flags")))
	f.Width = c.U32("width")
	f.Height = c.U32("height")
	f.AnchorX = c.U32("anchor x")
	f.AnchorY = c.U32("anchor y")
	if c.Err() != nil {
		return c.Err()
	}
	start := c.Offset() - ultima9.FrameHeaderSize
	format, err := t.Format(i)
	if i > 0 && (err != nil || !fits(format, f, t.Mips, length)) {
		// Two frames of the game have damaged format bits; the first frame of their sets tells the truth.
		if first, _ := t.Format(0); fits(first, f, t.Mips, length) {
			d.WarnAtf("frame-flags", c.Path(), start, "0x%08x is damaged: the pixels are %v", uint32(f.Flags), first)
			format, err = first, nil
		}
	}
	switch {
	case err != nil:
		c.FailAtf(start, schema.Class(err), "flags", "0x%08x is no known pixel format", uint32(f.Flags))
	case f.Width == 0 || f.Height == 0:
		c.FailAtf(start+4, schema.ErrValue, "size", "%d x %d pixels", f.Width, f.Height)
	case !fits(format, f, t.Mips, length):
		want, _ := frameLength(format, f, t.Mips)
		c.FailAtf(start, schema.ErrMismatch, "length", "%d bytes, but %d x %d pixels in %v with %d mips need %d",
			length, f.Width, f.Height, format, t.Mips, want)
	}
	if c.Err() != nil {
		return c.Err()
	}
	f.Rows = c.U32s(int(f.Height), "row offsets")
	f.Levels = make([][]byte, 1+int(t.Mips))
	for k := range f.Levels {
		w, h := f.LevelSize(k)
		f.Levels[k] = c.Data(int(format.Size(uint64(w), uint64(h))), "pixels", "pixels")
	}
	return c.Err()
}

func fits(format ultima9.PixelFormat, f *ultima9.TextureFrame, mips uint8, length uint64) bool {
	want, ok := frameLength(format, f, mips)
	return ok && want == length
}

// frameLength returns the bytes that a frame of these dimensions has; ok is false when they exceed any record.
func frameLength(format ultima9.PixelFormat, f *ultima9.TextureFrame, mips uint8) (n uint64, ok bool) {
	if uint64(f.Width)*uint64(f.Height) > 1<<40 {
		return 1 << 40, false
	}
	n = ultima9.FrameHeaderSize + 4*uint64(f.Height)
	for k := range 1 + int(mips) {
		w, h := f.LevelSize(k)
		n += format.Size(uint64(w), uint64(h))
	}
	return n, true
}
