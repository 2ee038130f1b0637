package media

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/write"
)

const pcxName = "pcx"

// PCX writes a PC Paintbrush picture.
func PCX(x *media.PCX) ([]byte, error) {
	w := write.NewBuffer(pcxName, media.PCXHeader+len(x.Data)+media.PCXMap)
	w.Bytes([]byte{0x0A, x.Version, x.Encoding, x.Bits})
	w.U16s([]uint16{x.XMin, x.YMin, x.XMax, x.YMax, x.DPI[0], x.DPI[1]})
	w.Bytes(x.EGA[:])
	w.U8(x.Reserved)
	w.U8(x.Planes)
	w.U16s([]uint16{x.BytesPerLine, x.PaletteInfo, x.Screen[0], x.Screen[1]})
	w.Bytes(x.Filler[:])
	w.Bytes(x.Data)
	if x.Map != nil {
		w.U8(0x0C)
		w.Bytes(x.Map[:])
	}
	return w.Finish()
}

// IndexedPCX returns a picture of 256 colours in the form that the engines' own tools import. Indices are row by row from
// the top, colours are red, green and blue. It fails with ErrLimit for more than 65,535 pixels a side.
func IndexedPCX(indices []byte, width, height int, colors *[768]byte) (*media.PCX, error) {
	if width < 1 || height < 1 || width > 0xFFFE || height > 0xFFFF || len(indices) != width*height {
		return nil, schema.Errorf(pcxName, schema.ErrLimit, "size", "%d x %d pixels in %d bytes", width, height, len(indices))
	}
	x := &media.PCX{Version: 5, Encoding: 1, Bits: 8, XMax: uint16(width - 1), YMax: uint16(height - 1), DPI: [2]uint16{72, 72},
		Planes: 1, BytesPerLine: uint16(width + width&1), PaletteInfo: 1, Map: colors}
	copy(x.EGA[:], colors[:])
	line := make([]byte, x.BytesPerLine)
	for len(indices) > 0 {
		copy(line, indices[:width])
		x.Data = appendPCXRuns(x.Data, line)
		indices = indices[width:]
	}
	return x, nil
}

// appendPCXRuns appends a line: runs of up to 63 bytes, and bytes alone where they cannot be taken for one.
func appendPCXRuns(dst, line []byte) []byte {
	for len(line) > 0 {
		n := 1
		for n < min(63, len(line)) && line[n] == line[0] {
			n++
		}
		if n > 1 || line[0] >= 0xC0 {
			dst = append(dst, 0xC0|byte(n))
		}
		dst = append(dst, line[0])
		line = line[n:]
	}
	return dst
}
