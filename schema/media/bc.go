package media

import "github.com/usher-assets/usher/schema"

// Bytes of one block of 4 × 4 pixels.
const (
	BC1Block = 8  // colour, or colour and one bit of alpha
	BC2Block = 16 // alpha of 4 bits a pixel, then colour
	BC3Block = 16 // alpha of two ends and 3-bit indices, then colour
)

// Effort is how long an encoder looks for blocks.
type Effort uint8

// The efforts of encoders.
const (
	Quick Effort = iota // half a decibel below the best blocks there are, at most, on usual pictures
	Best                // a quarter of a decibel; takes several times as long
)

// BlocksSize returns the bytes of a width × height pixels picture in blocks of the given size. Blocks at the right and
// lower edge are stored whole.
func BlocksSize(width, height, block int) int {
	return ((width + 3) / 4) * ((height + 3) / 4) * block
}

// CheckBlocks returns the size of a picture in blocks, or an error when its dimensions are out of bounds.
func CheckBlocks(format string, width, height, block int) (int, error) {
	if err := schema.DefaultLimits.Picture(format, width, height, 4); err != nil {
		return 0, err
	}
	return BlocksSize(width, height, block), nil
}
