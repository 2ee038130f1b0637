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
	stored        bool // the indices are the picture's own, in the order of whoever made its palette
	mixed         bool // and that order means nothing: neighbours in the palette are not more alike than others
	stride        int  // bytes of a packed row
	pixel         int  // bytes of a packed pixel, at least 1: the distance that filters look to the left
	pix           []byte
	pack          func(dst, src []byte) // nil when rows are stored as they are
	source        int                   // bytes of a row in pix
}

func layoutOf(m *asset.Image, colours int, trueColour bool) *layout {
	l := &layout{width: m.Width, height: m.Height, depth: 8, pixel: 1, pix: m.Pix, source: m.Width * m.Format.Bytes()}
	channels := 1
	switch m.Format {
	case asset.Gray8:
		l.colour, l.depth = typeGray, grayDepth(m.Pix)
		if drop := 8 - l.depth; drop > 0 {
			l.pack = func(dst, src []byte) { packBits(dst, src, l.depth, drop) }
		}
	case asset.Gray16:
		l.colour, l.depth, l.pixel, l.pack = typeGray, 16, 2, swap16
	case asset.Indexed8:
		l.colour, l.depth = typeIndexed, indexDepth(colours)
		if l.depth < 8 {
			l.pack = func(dst, src []byte) { packBits(dst, src, l.depth, 0) }
		}
	default:
		switch opaque := m.Opaque(); {
		case opaque:
			l.colour, channels, l.pack = typeRGB, 3, dropAlpha
		case !trueColour && isGray(m.Pix):
			l.colour, channels, l.pack = typeGrayAlpha, 2, dropColour
		default:
			l.colour, channels = typeRGBA, 4
		}
		l.pixel = channels
	}
	l.stride = (m.Width*channels*l.depth + 7) / 8
	return l
}

// grayDepth returns the fewest bits that hold the values: decoders widen them by repeating them.
func grayDepth(pix []byte) int {
	depth := 1
	for _, v := range pix {
		if depth == 1 && v%255 != 0 {
			depth = 2
		}
		if depth == 2 && v%85 != 0 {
			depth = 4
		}
		if depth == 4 && v%17 != 0 {
			return 8
		}
	}
	return depth
}

func indexDepth(colours int) int {
	switch {
	case colours <= 2:
		return 1
	case colours <= 4:
		return 2
	case colours <= 16:
		return 4
	}
	return 8
}

// mixed reports whether neighbours in a palette are hardly more alike than other colours, so that differences of indices
// mean nothing.
func mixed(palette []asset.RGBA) bool {
	near, far := 0, 0
	for i, c := range palette {
		near += unlike(c, palette[(i+1)%len(palette)])
		far += unlike(c, palette[(97*i+31)%len(palette)]) // anywhere
	}
	return 10*near > 7*far
}

// unlike is the difference of two colours.
func unlike(a, b asset.RGBA) (sum int) {
	for i, v := range a[:3] {
		sum += max(int(v)-int(b[i]), int(b[i])-int(v))
	}
	return sum
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

// dropAlpha packs RGBA into RGB, two pixels at a time. Eight bytes are stored where there is room for them; the next pixel
// overwrites what is too much.
func dropAlpha(dst, src []byte) {
	for len(dst) >= 8 && len(src) >= 8 {
		two := binary.LittleEndian.Uint64(src)
		binary.LittleEndian.PutUint64(dst, two&0xFFFFFF|two>>32&0xFFFFFF<<24)
		dst, src = dst[6:], src[8:]
	}
	for ; len(src) >= 4; dst, src = dst[3:], src[4:] {
		copy(dst, src[:3])
	}
}

// swap16 turns little-endian words into big-endian ones.
func swap16(dst, src []byte) {
	for i := 0; i+2 <= len(src); i += 2 {
		dst[i], dst[i+1] = src[i+1], src[i]
	}
}

// dropColour packs RGBA of greys into grey and alpha.
func dropColour(dst, src []byte) {
	for i := 0; i+4 <= len(src); i += 4 {
		dst[i/2], dst[i/2+1] = src[i], src[i+3]
	}
}

// packBits packs values of less than 8 bits, the leftmost into the highest bits. Their lowest bits are dropped.
func packBits(dst, src []byte, bits, drop int) {
	clear(dst)
	shift, at := 8, 0
	for _, v := range src {
		if shift == 0 {
			shift, at = 8, at+1
		}
		shift -= bits
		dst[at] |= v >> drop << shift
	}
}
