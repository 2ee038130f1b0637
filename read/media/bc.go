package media

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// BC1 decodes blocks of 8 bytes into RGBA8, rows in stored order. Colours between the two ends are interpolated on
// channels widened to 8 bits, with truncating division. A block whose first end is not above its second has three
// colours and transparent black. It fails with ErrTruncated when src is too short and ErrLimit when the picture is too
// large; bytes past the last block are ignored.
func BC1(src []byte, width, height int) ([]byte, error) {
	return blocks("bc1", src, width, height, media.BC1Block, decodeBC1)
}

// BC2 decodes blocks of 16 bytes: 4 bits of alpha a pixel, then colours of always four. See [BC1].
func BC2(src []byte, width, height int) ([]byte, error) {
	return blocks("bc2", src, width, height, media.BC2Block, decodeBC2)
}

// BC3 decodes blocks of 16 bytes: two alpha values with 3-bit indices, then colours of always four. See [BC1].
func BC3(src []byte, width, height int) ([]byte, error) {
	return blocks("bc3", src, width, height, media.BC3Block, decodeBC3)
}

// blocks decodes whole blocks straight into the picture, and those that stick out over its edge by way of a copy.
func blocks(format string, src []byte, width, height, size int, decode func(dst []byte, stride int, src []byte)) ([]byte, error) {
	need, err := media.CheckBlocks(format, width, height, size)
	if err != nil {
		return nil, err
	}
	if len(src) < need {
		return nil, schema.Errorf(format, schema.ErrTruncated, "blocks", "%d x %d pixels need %d bytes, found %d", width, height, need, len(src))
	}
	stride := 4 * width
	pix := make([]byte, stride*height)
	var edge [64]byte
	for y := 0; y < height; y += 4 {
		for x := 0; x < width; x += 4 {
			if x+4 <= width && y+4 <= height {
				decode(pix[y*stride+4*x:], stride, src)
			} else {
				decode(edge[:], 16, src)
				for row := range min(4, height-y) {
					copy(pix[(y+row)*stride+4*x:(y+row+1)*stride], edge[16*row:16*row+16])
				}
			}
			src = src[size:]
		}
	}
	return pix, nil
}

func decodeBC1(dst []byte, stride int, src []byte) {
	p := palette1(src)
	colours(dst, stride, &p, binary.LittleEndian.Uint32(src[4:]))
}

func decodeBC2(dst []byte, stride int, src []byte) {
	p := palette4(src[8:], 0)
	alpha4(dst, stride, &p, binary.LittleEndian.Uint32(src[12:]), binary.LittleEndian.Uint64(src))
}

func decodeBC3(dst []byte, stride int, src []byte) {
	indices := binary.LittleEndian.Uint64(src) >> 16
	if indices == 0 { // one alpha for all pixels, as in most blocks of most pictures
		p := palette4(src[8:], uint32(src[0])<<24)
		colours(dst, stride, &p, binary.LittleEndian.Uint32(src[12:]))
		return
	}
	p := palette4(src[8:], 0)
	a := alphas(src[0], src[1])
	alpha3(dst, stride, &p, binary.LittleEndian.Uint32(src[12:]), &a, indices)
}
