package picture

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"golang.org/x/image/bmp"
)

// Places in a BMP file, behind its head of 14 bytes; its own header begins at bmpHead.
const (
	bmpHead        = 14
	bmpHeader      = 40 // the least size of the header that names a compression
	bmpBits        = bmpHead + 14
	bmpCompression = bmpHead + 16
	bmpColours     = bmpHead + 32
)

// Compressions of BMP files: runs of 8-bit and of 4-bit pixels.
const (
	bmpRuns8 = 1
	bmpRuns4 = 2
)

var plainBMP = Standard("bmp", bmp.Decode, bmp.DecodeConfig, nil)

// decodeBMP reads a BMP file. Go's package knows no runs, so a file that has them is made a plain one first.
func decodeBMP(b []byte) (*asset.Texture, error) {
	if len(b) < bmpHead+bmpHeader {
		return plainBMP(b)
	}
	var flat []byte
	var err error
	switch binary.LittleEndian.Uint32(b[bmpCompression:]) {
	case bmpRuns8:
		flat, err = flattened(b, 8)
	case bmpRuns4:
		flat, err = flattened(b, 4)
	default:
		flat = b
	}
	if err != nil {
		return nil, err
	}
	return plainBMP(flat)
}

// flattened returns a BMP file with a byte for each pixel in the place of one with runs of pixels of that many bits.
func flattened(b []byte, bits uint16) ([]byte, error) {
	u32 := func(at int) int64 { return int64(binary.LittleEndian.Uint32(b[at:])) }
	header, pixels, colours := u32(bmpHead), u32(10), u32(bmpColours)
	width, height := int64(int32(u32(bmpHead+4))), int64(int32(u32(bmpHead+8)))
	if colours == 0 {
		colours = 1 << bits
	}
	start := bmpHead + header + 4*colours
	switch {
	case header < bmpHeader || binary.LittleEndian.Uint16(b[bmpBits:]) != bits || colours > 1<<bits:
		return nil, schema.Errorf("bmp", schema.ErrUnsupported, "header", "%d bytes, %d bits a pixel, %d colours: runs of %d bits have others", header, binary.LittleEndian.Uint16(b[bmpBits:]), colours, bits)
	case width <= 0 || height <= 0:
		return nil, schema.Errorf("bmp", schema.ErrUnsupported, "size", "%d x %d pixels in runs", width, height)
	case pixels < start || pixels > int64(len(b)):
		return nil, schema.Errorf("bmp", schema.ErrTruncated, "pixels", "they are at %#x of %#x bytes, and the colours end at %#x", pixels, len(b), start)
	}
	if err := schema.DefaultLimits.Packed("bmp", int(width), int(height), 1, int64(len(b))); err != nil {
		return nil, err
	}
	stride := (width + 3) &^ 3
	out := make([]byte, start+stride*height)
	copy(out, b[:start])
	binary.LittleEndian.PutUint32(out[10:], uint32(start))
	binary.LittleEndian.PutUint16(out[bmpBits:], 8)
	binary.LittleEndian.PutUint32(out[bmpCompression:], 0)
	binary.LittleEndian.PutUint32(out[bmpColours:], uint32(colours))
	r := runs{out: out[start:], stride: int(stride), width: int(width), height: int(height), bits: bits}
	return out, r.read(b[pixels:])
}

// runs lays runs of pixels into rows of bytes, from the lowest row up. Pixels that no run has are of the first colour.
type runs struct {
	out                   []byte
	stride, width, height int
	bits                  uint16
	x, y                  int
}

// Second bytes behind a zero: what they command. Greater ones count pixels that follow as they are.
const (
	runsRowEnd = 0
	runsEnd    = 1
	runsMove   = 2
)

func (r *runs) read(b []byte) error {
	for len(b) >= 2 {
		count, what := int(b[0]), b[1]
		b = b[2:]
		if count > 0 {
			pixels := 8 / int(r.bits) // that take turns
			for k := range count {
				r.put(r.pixel([]byte{what}, k%pixels))
			}
			continue
		}
		switch what {
		case runsRowEnd:
			r.x, r.y = 0, r.y+1
		case runsEnd:
			return nil
		case runsMove:
			if len(b) < 2 {
				return r.short()
			}
			r.x, r.y, b = r.x+int(b[0]), r.y+int(b[1]), b[2:]
		default:
			size := (int(what)*int(r.bits) + 7) / 8
			if len(b) < size {
				return r.short()
			}
			for k := range int(what) {
				r.put(r.pixel(b, k))
			}
			b = b[min((size+1)&^1, len(b)):]
		}
	}
	if r.y < r.height-1 || r.y == r.height-1 && r.x < r.width {
		return r.short()
	}
	return nil
}

func (r *runs) short() error {
	return schema.Errorf("bmp", schema.ErrTruncated, "pixels", "the runs end in row %d of %d", r.y, r.height)
}

// pixel returns pixel k of packed ones.
func (r *runs) pixel(b []byte, k int) byte {
	switch {
	case r.bits == 8:
		return b[k]
	case k&1 == 0:
		return b[k/2] >> 4
	}
	return b[k/2] & 15
}

// put sets the next pixel. What is beyond the picture is passed over, as other programs do.
func (r *runs) put(v byte) {
	if r.x < r.width && r.y < r.height {
		r.out[r.y*r.stride+r.x] = v
	}
	r.x++
}
