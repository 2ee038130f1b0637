package media

import "math/bits"

// Bits of DDSFormat.Flags: what a pixel holds.
const (
	DDSAlphaPixels = 0x1
	DDSAlpha       = 0x2
	DDSFourCC      = 0x4
	DDSRGB         = 0x40
	DDSLuminance   = 0x20000
)

// Bits of DDS.Caps2.
const (
	DDSCube   = 0x200
	DDSFaces  = 0xFC00 // one bit a face: +X −X +Y −Y +Z −Z
	DDSVolume = 0x200000
)

// DDS is a DirectDraw surface: a picture with its mip levels, or a cube map of six. It keeps all fields of the header, even
// if they contradict each other.
type DDS struct {
	HeaderSize uint32 // 124
	Flags      uint32
	Height     uint32
	Width      uint32
	Pitch      uint32 // bytes of a row, or of the whole first level if the format has blocks
	Depth      uint32
	MipCount   uint32 // 0 means 1
	Reserved1  [11]uint32
	Format     DDSFormat
	Caps       uint32
	Caps2      uint32
	Caps3      uint32
	Caps4      uint32
	Reserved2  uint32
	Levels     [][]byte // stored pixels: all levels of the first face, then those of the next
	Trailing   []byte
}

// DDSFormat is the layout of a pixel.
type DDSFormat struct {
	Size   uint32 // 32
	Flags  uint32
	FourCC FourCC
	Bits   uint32 // of a pixel, unless FourCC says
	Red    uint32 // masks
	Green  uint32
	Blue   uint32
	Alpha  uint32
}

// Block returns the size in bytes of a block of 4 × 4 pixels, or 0 if the format has no blocks.
func (f *DDSFormat) Block() int {
	if f.Flags&DDSFourCC == 0 {
		return 0
	}
	switch f.FourCC.String() {
	case "DXT1":
		return BC1Block
	case "DXT2", "DXT3", "DXT4", "DXT5":
		return BC3Block
	}
	return 0
}

// Faces returns the number of faces: 1, or those of a cube map.
func (d *DDS) Faces() int {
	if d.Caps2&DDSCube == 0 {
		return 1
	}
	if n := bits.OnesCount32(d.Caps2 & DDSFaces); n > 0 {
		return n
	}
	return 6
}

// Mips returns the number of mip levels of each face, at most as many as its size allows.
func (d *DDS) Mips() int {
	return int(min(max(d.MipCount, 1), uint32(bits.Len32(max(d.Width, d.Height)))))
}

// LevelSize returns the dimensions of a level.
func (d *DDS) LevelSize(mip int) (width, height int) {
	return max(int(d.Width)>>mip, 1), max(int(d.Height)>>mip, 1)
}

// LevelBytes returns the stored size of a level.
func (d *DDS) LevelBytes(mip int) int {
	w, h := d.LevelSize(mip)
	if block := d.Format.Block(); block > 0 {
		return BlocksSize(w, h, block)
	}
	return (w*int(d.Format.Bits) + 7) / 8 * h
}

// Level returns the stored pixels of a level.
func (d *DDS) Level(face, mip int) []byte { return d.Levels[face*d.Mips()+mip] }
