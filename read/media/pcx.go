package media

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

const pcxName = "pcx"

// PCX reads a PC Paintbrush picture; its lines are not decoded. It fails with ErrBadMagic without the signature,
// ErrUnsupported for an unknown encoding, and ErrValue for a picture without pixels.
func PCX(b []byte, d *schema.Diagnostics) (*media.PCX, error) {
	c := read.NewCursor(pcxName, b, d)
	if magic := c.U8("signature"); c.Err() == nil && magic != 0x0A {
		c.FailAtf(0, schema.ErrBadMagic, "signature", "found %02x, expected 0a", magic)
	}
	x := &media.PCX{Version: c.U8("version"), Encoding: c.U8("encoding"), Bits: c.U8("bits")}
	x.XMin, x.YMin, x.XMax, x.YMax = c.U16("left"), c.U16("top"), c.U16("right"), c.U16("bottom")
	x.DPI = [2]uint16{c.U16("dpi"), c.U16("dpi")}
	copy(x.EGA[:], c.Elements(len(x.EGA)/3, 3, "3u8", "colours"))
	x.Reserved, x.Planes, x.BytesPerLine = c.U8("reserved"), c.U8("planes"), c.U16("bytes of a line")
	x.PaletteInfo, x.Screen = c.U16("palette info"), [2]uint16{c.U16("screen"), c.U16("screen")}
	copy(x.Filler[:], c.Bytes(len(x.Filler), "filler"))
	w, h := x.Size()
	switch {
	case c.Err() != nil:
		return nil, c.Err()
	case x.Encoding > 1:
		c.FailAtf(2, schema.ErrUnsupported, "encoding", "%d", x.Encoding)
	case w < 1 || h < 1:
		c.FailAtf(4, schema.ErrValue, "size", "%d x %d pixels", w, h)
	}
	x.Data = c.Data(c.Left(), "pixels", "pixels")
	if n := len(x.Data) - media.PCXMap; x.Version >= 5 && n >= 0 && x.Data[n] == 0x0C {
		x.Map = (*[768]byte)(x.Data[n+1:])
		x.Data = x.Data[:n:n]
	}
	return x, c.Err()
}

// PCXPixels decodes the lines of a picture with 8 bits a pixel: for each line, Width bytes of each plane. It fails with
// ErrUnsupported for other depths, and with ErrTruncated if the lines end too early.
func PCXPixels(x *media.PCX) ([]byte, error) {
	if x == nil {
		return nil, schema.Errorf(pcxName, schema.ErrValue, "", "there is no picture")
	}
	c := read.NewCursorAt(pcxName, "", x.Data, media.PCXHeader, nil)
	w, h := x.Size()
	switch planes := int(x.Planes); {
	case x.Bits != 8 || planes != 1 && planes != 3:
		c.FailAtf(3, schema.ErrUnsupported, "bits", "%d planes of %d bits; one or three of 8 are supported", planes, x.Bits)
	case int(x.BytesPerLine) < w:
		c.FailAtf(66, schema.ErrMismatch, "bytes of a line", "%d for %d pixels", x.BytesPerLine, w)
	case int64(h)*int64(x.BytesPerLine)*int64(planes) > 63*int64(len(x.Data)):
		c.Failf(schema.ErrTruncated, "pixels", "%d bytes cannot hold %d x %d pixels", len(x.Data), w, h)
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	lines := h * int(x.Planes)
	out := make([]byte, 0, lines*w)
	line := make([]byte, 0, int(x.BytesPerLine)+63)
	for range lines {
		for len(line) < int(x.BytesPerLine) && c.Err() == nil { // a run may lead into the next line
			v := c.U8("pixels")
			n := 1
			if x.Encoding == 1 && v >= 0xC0 {
				n = int(v & 0x3F)
				v = c.U8("pixels")
			}
			for range n {
				line = append(line, v)
			}
		}
		if c.Err() != nil {
			return nil, c.Err()
		}
		out = append(out, line[:w]...)
		line = append(line[:0], line[x.BytesPerLine:]...)
	}
	return out, nil
}
