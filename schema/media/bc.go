package media

import "github.com/usher-assets/usher/schema"

// Bytes of one block of 4 × 4 pixels.
const (
	BC1Block = 8  // colour, or colour and one bit of alpha
	BC2Block = 16 // alpha of 4 bits a pixel, then colour
	BC3Block = 16 // alpha of two ends and 3-bit indices, then colour
)

// Effort says how hard an encoder searches for good blocks.
type Effort uint8

// The efforts of encoders.
const (
	Quick Effort = iota // usual pictures are at most half a decibel worse than with the best possible blocks
	Best                // a quarter of a decibel; takes several times as long
)

// BlocksSize returns the size in bytes of a picture of width × height pixels in blocks of the given size. Blocks at the
// right and lower edge are stored whole.
func BlocksSize(width, height, block int) int {
	return ((width + 3) / 4) * ((height + 3) / 4) * block
}

// CheckBlocks returns the size in bytes of a picture in blocks, or an error if its dimensions are out of bounds.
func CheckBlocks(format string, width, height, block int) (int, error) {
	if err := schema.DefaultLimits.Picture(format, width, height, 4); err != nil {
		return 0, err
	}
	return BlocksSize(width, height, block), nil
}
