package schema

// Limits bounds the work that one input can cause. Counts in files are first checked against the bytes that are left;
// limits catch the rest: nesting, and sizes that come from a formula.
type Limits struct {
	Depth   int   // nesting of trees, containers and parent chains
	Side    int   // width or height of a picture, in pixels
	Decoded int64 // decoded size of one asset, in bytes

	// Pixels bounds the number of pixels of a small file, since a few packed bytes can ask for gigabytes. A file with at least
	// one byte for every 32 pixels may exceed it.
	Pixels int64
}

// DefaultLimits are far above everything that the games contain.
var DefaultLimits = Limits{Depth: 256, Side: 32768, Decoded: 1 << 31, Pixels: 1 << 25}

// Packed checks the dimensions of a picture whose pixels are packed into a file of size bytes. bytesPerPixel, at least
// four, is the size of an unpacked pixel.
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

// Picture checks the dimensions of an unpacked picture.
func (l Limits) Picture(format string, width, height, bytesPerPixel int) error {
	if width <= 0 || height <= 0 {
		return Errorf(format, ErrValue, "size", "%d x %d pixels", width, height)
	}
	if width > l.Side || height > l.Side || int64(width)*int64(height)*int64(bytesPerPixel) > l.Decoded {
		return Errorf(format, ErrLimit, "size", "%d x %d pixels, at most %d a side", width, height, l.Side)
	}
	return nil
}
