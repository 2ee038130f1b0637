package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// SDInfo reads a record of 48 bytes (reference section 4.6). It fails with ErrTruncated when b is shorter.
func SDInfo(b []byte, d *schema.Diagnostics) (*ultima9.SDInfo, error) {
	c := read.NewCursor("u9-sdinfo", b, d)
	s := &ultima9.SDInfo{
		Unknown00: c.U8("dword 0"), Format: c.U8("format"), Unknown02: c.U16("dword 0"),
		Log2Width: c.U8("log2 width"), Log2Height: c.U8("log2 height"), Unknown06: c.U8("dword 1"), LastFrame: c.U8("last frame"),
		Mips: c.U16("mip count"), Flag0A: c.U16("dword 2"), Unknown0C: c.U32("dword 3"), Unknown10: c.U32("dword 4"),
		Width: c.U32("width"), Height: c.U32("height"), AnchorX: c.U32("anchor x"), AnchorY: c.U32("anchor y"),
		MaxWidth: c.U32("maximum width"), MaxHeight: c.U32("maximum height"),
		Frames: c.U16("frame count"), Flag2E: c.U16("dword 11"),
	}
	s.Trailing = trailing(c, d)
	if c.Err() != nil {
		return nil, c.Err()
	}
	return s, nil
}
