package ultima9

// SDInfoSize is the size of an sdInfo record (reference section 4.6).
const SDInfoSize = 48

// SDInfo is a record of sdInfo.flx, sdInfo16.flx or sdInfoC.flx. It describes the texture in the same slot, so that the
// game knows it before it loads it.
type SDInfo struct {
	Unknown00  uint8
	Format     uint8 // pixel format code, as in FrameFlags
	Unknown02  uint16
	Log2Width  uint8
	Log2Height uint8
	Unknown06  uint8
	LastFrame  uint8 // frames − 1
	Mips       uint16
	Flag0A     uint16 // a flag
	Unknown0C  uint32
	Unknown10  uint32
	Width      uint32 // of frame 0
	Height     uint32
	AnchorX    uint32 // mostly 0; probably of frame 0
	AnchorY    uint32
	MaxWidth   uint32
	MaxHeight  uint32
	Frames     uint16
	Flag2E     uint16 // set on BC1 entries
	Trailing   []byte `record:"-"` // bytes after the record
}

// Describe sets the fields that depend on the texture: sizes, counts and the pixel format code. Unknown fields keep their
// values.
func (s *SDInfo) Describe(t *TextureSet) {
	if len(t.Frames) == 0 {
		return
	}
	f := &t.Frames[0]
	s.Format = f.Flags.Code()
	s.Log2Width, s.Log2Height = log2(uint32(t.MaxWidth)), log2(uint32(t.MaxHeight))
	s.LastFrame = uint8(len(t.Frames) - 1)
	s.Mips = uint16(t.Mips)
	s.Width, s.Height = f.Width, f.Height
	s.MaxWidth, s.MaxHeight = uint32(t.MaxWidth), uint32(t.MaxHeight)
	s.Frames = uint16(len(t.Frames))
}
