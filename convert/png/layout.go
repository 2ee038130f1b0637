package png

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema/asset"
)

// layout is how an image is stored: its rows are packed one by one while they are compressed.
type layout struct {
	width, height int
	depth         int // bits of a channel
	colour        byte
	stride        int // bytes of a packed row
	pixel         int // bytes of a packed pixel, at least 1: the distance that filters look to the left
	pix           []byte
	pack          func(dst, src []byte) // nil when rows are stored as they are
	source        int                   // bytes of a row in pix
}

func layoutOf(m *asset.Image, colours int) *layout {
	l := &layout{width: m.Width, height: m.Height, depth: 8, pixel: 1, pix: m.Pix, source: m.Width * m.Format.Bytes()}
	switch m.Format {
	case asset.Gray8:
		l.colour = typeGray
	case asset.Gray16:
		l.colour, l.depth, l.pixel, l.pack = typeGray, 16, 2, swap16
	case asset.Indexed8:
		l.colour = typeIndexed
		switch {
		case colours <= 2:
			l.depth, l.pack = 1, func(dst, src []byte) { packBits(dst, src, 1) }
		case colours <= 4:
			l.depth, l.pack = 2, func(dst, src []byte) { packBits(dst, src, 2) }
		case colours <= 16:
			l.depth, l.pack = 4, func(dst, src []byte) { packBits(dst, src, 4) }
		}
	default:
		l.colour, l.pixel = typeRGBA, 4
		if m.Opaque() {
			l.colour, l.pixel, l.pack = typeRGB, 3, dropAlpha
		}
	}
	channels := map[byte]int{typeGray: 1, typeIndexed: 1, typeRGB: 3, typeRGBA: 4}[l.colour]
	l.stride = (m.Width*channels*l.depth + 7) / 8
	return l
}

// row returns the packed row y, in buf when it has to be packed.
func (l *layout) row(y int, buf []byte) []byte {
	src := l.pix[y*l.source : (y+1)*l.source]
	if l.pack == nil {
		return src
	}
	l.pack(buf[:l.stride], src)
	return buf[:l.stride]
}

// dropAlpha packs RGBA into RGB. Four bytes are stored where there is room for them; the next pixel overwrites the
// fourth.
func dropAlpha(dst, src []byte) {
	n := len(src) / 4
	i := 0
	for ; i < n-1; i++ {
		binary.LittleEndian.PutUint32(dst[3*i:], binary.LittleEndian.Uint32(src[4*i:]))
	}
	dst[3*i], dst[3*i+1], dst[3*i+2] = src[4*i], src[4*i+1], src[4*i+2]
}

// swap16 turns little-endian words into big-endian ones.
func swap16(dst, src []byte) {
	for i := 0; i+2 <= len(src); i += 2 {
		dst[i], dst[i+1] = src[i+1], src[i]
	}
}

// packBits packs indices of less than 8 bits, the leftmost into the highest bits.
func packBits(dst, src []byte, bits int) {
	clear(dst)
	shift, at := 8, 0
	for _, v := range src {
		if shift == 0 {
			shift, at = 8, at+1
		}
		shift -= bits
		dst[at] |= v << shift
	}
}
