package media

// Image types of TGA. Adding TGARuns makes them run-length encoded.
const (
	TGAIndexed = 1
	TGAColour  = 2
	TGAGray    = 3
	TGARuns    = 8
)

// Bits of TGA.Descriptor.
const (
	TGAAlphaBits = 0x0F // mask: bits of a pixel that are alpha or unused
	TGAFromRight = 0x10 // columns run from right to left
	TGAFromTop   = 0x20 // rows run from the top; otherwise from the bottom
)

// TGA is a Truevision picture.
type TGA struct {
	MapType    uint8 // 1 when there is a colour map
	ImageType  uint8
	MapFirst   uint16 // index of the first colour
	MapLength  uint16 // number of colours
	MapBits    uint8  // of a colour: 15, 16, 24 or 32
	X, Y       uint16 // position on a screen
	Width      uint16
	Height     uint16
	Bits       uint8 // of a pixel
	Descriptor uint8
	ID         []byte // up to 255 bytes of anything
	Map        []byte // colours as stored
	Pixels     []byte // as stored, runs included
	Trailing   []byte // extension areas and footer
}

// Runs reports whether the pixels are run-length encoded.
func (t *TGA) Runs() bool { return t.ImageType&TGARuns != 0 }

// Kind returns the image type without its run-length bit.
func (t *TGA) Kind() uint8 { return t.ImageType &^ TGARuns }

// PixelBytes returns the bytes of a pixel.
func (t *TGA) PixelBytes() int { return (int(t.Bits) + 7) / 8 }

// RawSize returns the bytes of all pixels without runs.
func (t *TGA) RawSize() int { return int(t.Width) * int(t.Height) * t.PixelBytes() }
