package schema

// Limits bounds what one input may make usher do. Counts in files are checked against the bytes that are left first;
// limits catch what no byte count can: nesting, and sizes that come from a formula.
type Limits struct {
	Depth   int   // nesting of trees, containers and parent chains
	Side    int   // width or height of a picture, in pixels
	Decoded int64 // bytes that one asset may occupy once decoded
}

// DefaultLimits is far above everything the four families hold.
var DefaultLimits = Limits{Depth: 256, Side: 32768, Decoded: 1 << 31}

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
