package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// SDInfo writes a record of 48 bytes (reference section 4.6).
func SDInfo(s *ultima9.SDInfo) ([]byte, error) {
	b := write.NewBuffer("u9-sdinfo", ultima9.SDInfoSize+len(s.Trailing))
	b.U8(s.Unknown00)
	b.U8(s.Format)
	b.U16(s.Unknown02)
	b.U8(s.Log2Width)
	b.U8(s.Log2Height)
	b.U8(s.Unknown06)
	b.U8(s.LastFrame)
	b.U16(s.Mips)
	b.U16(s.Flag0A)
	for _, v := range [...]uint32{s.Unknown0C, s.Unknown10, s.Width, s.Height, s.AnchorX, s.AnchorY, s.MaxWidth, s.MaxHeight} {
		b.U32(v)
	}
	b.U16(s.Frames)
	b.U16(s.Flag2E)
	b.Bytes(s.Trailing)
	return b.Finish()
}
