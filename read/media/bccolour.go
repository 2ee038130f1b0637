package media

import "encoding/binary"

const opaque uint32 = 0xFF000000

// lanes is the three colour channels with 21 bits each, so that one multiplication serves them all.
type lanes uint64

// spread widens a colour of 5, 6 and 5 bits.
func spread(v uint32) lanes {
	r, g, b := v>>11&0x1F, v>>5&0x3F, v&0x1F
	return lanes(r<<3|r>>2) | lanes(g<<2|g>>4)<<21 | lanes(b<<3|b>>2)<<42
}

// pack returns the channels as the bytes of a pixel, without alpha. Bits above the lowest eight of a lane are dropped.
func (l lanes) pack() uint32 {
	return uint32(l&0xFF) | uint32(l>>13&0xFF00) | uint32(l>>26&0xFF0000)
}

// third divides each channel, of up to 765, by three: 683/2048 is less than 1/3 above it by too little to matter.
func (l lanes) third() lanes { return l * 683 >> 11 }

// half divides each channel by two.
func (l lanes) half() lanes { return l >> 1 }

// palette4 returns the four colours of a block, whose ends are the halves of v, with the given alpha, which is in the
// highest byte.
func palette4(v, alpha uint32) (p [4]uint32) {
	a, b := spread(v), spread(v>>16)
	p[0], p[1] = a.pack()|alpha, b.pack()|alpha
	p[2], p[3] = (2*a+b).third().pack()|alpha, (a+2*b).third().pack()|alpha
	return p
}

// palette1 returns the colours of a block of BC1: four, or three and transparent black.
func palette1(v uint32) (p [4]uint32) {
	if v&0xFFFF > v>>16 {
		return palette4(v, opaque)
	}
	a, b := spread(v), spread(v>>16)
	p[0], p[1], p[2] = a.pack()|opaque, b.pack()|opaque, (a+b).half().pack()|opaque
	return p
}

// colours stores the 16 pixels of a block, two at a time.
func colours(dst []byte, stride int, p *[4]uint32, indices uint32) {
	row0, row1 := (*[16]byte)(dst), (*[16]byte)(dst[stride:])
	row2, row3 := (*[16]byte)(dst[2*stride:]), (*[16]byte)(dst[3*stride:])
	four(row0, p, indices)
	four(row1, p, indices>>8)
	four(row2, p, indices>>16)
	four(row3, p, indices>>24)
}

// four stores the pixels of one row of a block.
func four(dst *[16]byte, p *[4]uint32, indices uint32) {
	binary.LittleEndian.PutUint64(dst[:8], uint64(p[indices&3])|uint64(p[indices>>2&3])<<32)
	binary.LittleEndian.PutUint64(dst[8:], uint64(p[indices>>4&3])|uint64(p[indices>>6&3])<<32)
}
