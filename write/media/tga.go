package media

import (
	"bytes"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/write"
)

// TGA writes a Truevision picture unchanged.
func TGA(t *media.TGA) ([]byte, error) {
	w := write.NewBuffer("tga", 18+len(t.ID)+len(t.Map)+len(t.Pixels)+len(t.Trailing))
	w.Count8(len(t.ID), "id length")
	w.U8(t.MapType)
	w.U8(t.ImageType)
	w.U16(t.MapFirst)
	w.U16(t.MapLength)
	w.U8(t.MapBits)
	w.U16(t.X)
	w.U16(t.Y)
	w.U16(t.Width)
	w.U16(t.Height)
	w.U8(t.Bits)
	w.U8(t.Descriptor)
	w.Bytes(t.ID)
	if want := int(t.MapLength) * ((int(t.MapBits) + 7) / 8); t.MapType == 1 && len(t.Map) != want {
		w.Failf(schema.ErrMismatch, "colour map", "%d bytes, expected %d", len(t.Map), want)
	}
	w.Bytes(t.Map)
	if !t.Runs() && len(t.Pixels) != t.RawSize() {
		w.Failf(schema.ErrMismatch, "pixels", "%d bytes, expected %d", len(t.Pixels), t.RawSize())
	}
	w.Bytes(t.Pixels)
	w.Bytes(t.Trailing)
	return w.Finish()
}

// TGARuns compresses pixels of the given size into packets of runs and literals. Packets do not extend beyond a row of
// width pixels, unless cross allows it.
func TGARuns(pixels []byte, size, width int, cross bool) []byte {
	if cross {
		return appendRuns(nil, pixels, size)
	}
	out := make([]byte, 0, len(pixels)/2)
	for row := width * size; len(pixels) > 0; pixels = pixels[min(row, len(pixels)):] {
		out = appendRuns(out, pixels[:min(row, len(pixels))], size)
	}
	return out
}

func appendRuns(out, b []byte, size int) []byte {
	const most = 128
	enough := 2 // equal pixels that end literals
	if size == 1 {
		enough = 3
	}
	for len(b) > 0 {
		if n := repeats(b, size, most); n > 1 {
			out = append(out, byte(0x80+n-1))
			out = append(out, b[:size]...)
			b = b[n*size:]
			continue
		}
		n := 1
		for n < most && n*size < len(b) && repeats(b[n*size:], size, enough) < enough {
			n++
		}
		out = append(out, byte(n-1))
		out = append(out, b[:n*size]...)
		b = b[n*size:]
	}
	return out
}

// repeats returns how many pixels at the start of b are equal, at most limit.
func repeats(b []byte, size, limit int) int {
	n := 1
	for n < limit && (n+1)*size <= len(b) && bytes.Equal(b[n*size:(n+1)*size], b[:size]) {
		n++
	}
	return n
}
