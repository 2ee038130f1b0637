package schema

// Limits bounds what one input may make usher do. Counts in files are checked against the bytes that are left first;
// limits catch what no byte count can: nesting, and sizes that come from a formula.
type Limits struct {
	Depth   int   // nesting of trees, containers and parent chains
	Side    int   // width or height of a picture, in pixels
	Decoded int64 // bytes that one asset may occupy once decoded

	// Pixels is how many pixels a picture may have whose file is small: packed, a few bytes can ask for gigabytes. A file
	// that has a byte for every 32 pixels may have more.
	Pixels int64
}

// DefaultLimits is far above everything the four families hold.
var DefaultLimits = Limits{Depth: 256, Side: 32768, Decoded: 1 << 31, Pixels: 1 << 25}

// Packed checks the dimensions of a picture whose pixels are packed into a file of size bytes, and take bytesPerPixel,
// four at least, once they are not.
func (l Limits) Packed(format string, width, height, bytesPerPixel int, size int64) error {
	if err := l.Picture(format, width, height, bytesPerPixel); err != nil {
		return err
	}
	most := max(l.Pixels, 32*size) * 4 / int64(max(bytesPerPixel, 4))
	if int64(width)*int64(height) > most {
		return Errorf(format, ErrLimit, "size", "%d x %d pixels, at most %d in all for a file of %d bytes", width, height, most, size)
	}
	return nil
}

// Picture checks the dimensions of a picture with the given bytes per pixel.
func (l Limits) Picture(format string, width, height, bytesPerPixel int) error {
	if width <= 0 || height <= 0 {
		return Errorf(format, ErrValue, "size", "%d x %d pixels", width, height)
	}
	if width > l.Side || height > l.Side || int64(width)*int64(height)*int64(bytesPerPixel) > l.Decoded {
		return Errorf(format, ErrLimit, "size", "%d x %d pixels, at most %d a side", width, height, l.Side)
	}
	return nil
}
