package media

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// BC1 decodes blocks of 8 bytes into RGBA8, with rows in stored order. Intermediate colours are interpolated between the
// two end colours in 8 bits per channel, with truncating division. A block whose first end colour is not above its second
// has three colours and transparent black. It fails with ErrTruncated if src is too short, and with ErrLimit if the picture
// is too large. Bytes after the last block are ignored.
func BC1(src []byte, width, height int) ([]byte, error) {
	return blocks(nil, "bc1", src, width, height, media.BC1Block, rowBC1)
}

// BC1Into is BC1 with dst for the pixels, 4 bytes each.
func BC1Into(dst, src []byte, width, height int) error {
	_, err := blocks(dst, "bc1", src, width, height, media.BC1Block, rowBC1)
	return err
}

// BC2 decodes blocks of 16 bytes: 4 bits of alpha a pixel, then colours in the four-colour mode. See [BC1].
func BC2(src []byte, width, height int) ([]byte, error) {
	return blocks(nil, "bc2", src, width, height, media.BC2Block, rowBC2)
}

// BC3 decodes blocks of 16 bytes: two alpha values with 3-bit indices, then colours in the four-colour mode. See [BC1].
func BC3(src []byte, width, height int) ([]byte, error) {
	return blocks(nil, "bc3", src, width, height, media.BC3Block, rowBC3)
}

// rowDecoder decodes n blocks that lie beside one another; the four rows of pixels in dst are stride bytes apart.
type rowDecoder func(dst []byte, stride int, src []byte, n int)

// blocks decodes whole blocks straight into the picture, and those that stick out over its edge by way of a copy. A nil
// picture is allocated.
func blocks(pix []byte, format string, src []byte, width, height, size int, decode rowDecoder) ([]byte, error) {
	need, err := media.CheckBlocks(format, width, height, size)
	if err != nil {
		return nil, err
	}
	if len(src) < need {
		return nil, schema.Errorf(format, schema.ErrTruncated, "blocks", "%d x %d pixels need %d bytes, found %d", width, height, need, len(src))
	}
	stride := 4 * width
	switch {
	case pix == nil:
		pix = make([]byte, stride*height)
	case len(pix) < stride*height:
		return nil, schema.Errorf(format, schema.ErrValue, "pixels", "%d bytes cannot hold %d x %d of 4", len(pix), width, height)
	}
	var edge [64]byte
	for y := 0; y < height; y += 4 {
		x := 0
		if y+4 <= height {
			decode(pix[y*stride:], stride, src, width/4)
			src = src[width/4*size:]
			x = width &^ 3
		}
		for ; x < width; x += 4 {
			decode(edge[:], 16, src, 1)
			src = src[size:]
			for row := range min(4, height-y) {
				copy(pix[(y+row)*stride+4*x:(y+row+1)*stride], edge[16*row:16*row+16])
			}
		}
	}
	return pix, nil
}

func rowBC1(dst []byte, stride int, src []byte, n int) {
	for i := range n {
		b := binary.LittleEndian.Uint64(src[8*i:])
		p := palette1(uint32(b))
		colours(dst[16*i:], stride, &p, uint32(b>>32))
	}
}

func rowBC2(dst []byte, stride int, src []byte, n int) {
	for i := range n {
		alpha, b := binary.LittleEndian.Uint64(src[16*i:]), binary.LittleEndian.Uint64(src[16*i+8:])
		p := palette4(uint32(b), 0)
		alpha4(dst[16*i:], stride, &p, uint32(b>>32), alpha)
	}
}

func rowBC3(dst []byte, stride int, src []byte, n int) {
	for i := range n {
		alpha, b := binary.LittleEndian.Uint64(src[16*i:]), binary.LittleEndian.Uint64(src[16*i+8:])
		indices := alpha >> 16
		if indices == 0 { // one alpha for all pixels, as in most blocks of most pictures
			p := palette4(uint32(b), uint32(alpha)<<24)
			colours(dst[16*i:], stride, &p, uint32(b>>32))
			continue
		}
		p := palette4(uint32(b), 0)
		a := alphas(byte(alpha), byte(alpha>>8))
		alpha3(dst[16*i:], stride, &p, uint32(b>>32), &a, indices)
	}
}
