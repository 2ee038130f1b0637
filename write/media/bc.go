package media

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// BC1 encodes RGBA8 rows as blocks of 8 bytes. Pixels with alpha below 128 become transparent black, all others
// opaque. Blocks that stick out over the picture's edge repeat its last pixels. It fails with ErrTruncated when pix is
// too short.
//
// The encoder looks for the two ends of a line through the colours of a block: along their principal axis at first,
// then by least squares, searching the neighbourhood of each solution with the values that a decoder will make. It is
// made of integers only, so that every machine writes the same bytes.
func BC1(pix []byte, width, height int) ([]byte, error) {
	return blocks("bc1", pix, width, height, media.BC1Block, func(dst []byte, b *block) {
		binary.LittleEndian.PutUint64(dst, b.colours(true))
	})
}

// BC2 encodes RGBA8 rows as blocks of 16 bytes, with the nearest of 16 values as alpha. See [BC1].
func BC2(pix []byte, width, height int) ([]byte, error) {
	return blocks("bc2", pix, width, height, media.BC2Block, func(dst []byte, b *block) {
		binary.LittleEndian.PutUint64(dst, b.alpha4())
		binary.LittleEndian.PutUint64(dst[8:], b.colours(false))
	})
}

// BC3 encodes RGBA8 rows as blocks of 16 bytes, with alpha between two ends. See [BC1].
func BC3(pix []byte, width, height int) ([]byte, error) {
	return blocks("bc3", pix, width, height, media.BC3Block, func(dst []byte, b *block) {
		binary.LittleEndian.PutUint64(dst, b.alpha3())
		binary.LittleEndian.PutUint64(dst[8:], b.colours(false))
	})
}

// block holds 16 pixels, split into channels.
type block struct {
	rgb   [16][3]int32
	alpha [16]byte
}

func blocks(format string, pix []byte, width, height, size int, encode func(dst []byte, b *block)) ([]byte, error) {
	total, err := media.CheckBlocks(format, width, height, size)
	if err != nil {
		return nil, err
	}
	if len(pix) < 4*width*height {
		return nil, schema.Errorf(format, schema.ErrTruncated, "pixels", "%d x %d pixels need %d bytes, found %d", width, height, 4*width*height, len(pix))
	}
	out := make([]byte, total)
	var b block
	at := 0
	for y := 0; y < height; y += 4 {
		for x := 0; x < width; x += 4 {
			b.load(pix, width, height, x, y)
			encode(out[at:at+size], &b)
			at += size
		}
	}
	return out, nil
}

func (b *block) load(pix []byte, width, height, x, y int) {
	for i := range 16 {
		at := 4 * (min(y+i>>2, height-1)*width + min(x+i&3, width-1))
		p := pix[at : at+4]
		b.rgb[i] = [3]int32{int32(p[0]), int32(p[1]), int32(p[2])}
		b.alpha[i] = p[3]
	}
}
