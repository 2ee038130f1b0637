package media

import "encoding/binary"

const rgbMask uint32 = 0x00FFFFFF

// mix returns (2a + b) / 3 of each colour channel, and no alpha.
func mix(a, b uint32) uint32 {
	red := (2*(a&0xFF) + b&0xFF) / 3
	green := (2*(a>>8&0xFF) + b>>8&0xFF) / 3
	blue := (2*(a>>16&0xFF) + b>>16&0xFF) / 3
	return red | green<<8 | blue<<16
}

// half returns (a + b) / 2 of each colour channel.
func half(a, b uint32) uint32 { return a&b + (a^b)&0xFEFEFEFE>>1 | 0xFF000000 }

// palette4 returns the four colours of a block with the given alpha, which is in the highest byte.
func palette4(src []byte, alpha uint32) (p [4]uint32) {
	a, b := rgb565(binary.LittleEndian.Uint16(src)), rgb565(binary.LittleEndian.Uint16(src[2:]))
	p[0], p[1] = a&rgbMask|alpha, b&rgbMask|alpha
	p[2], p[3] = mix(a, b)|alpha, mix(b, a)|alpha
	return p
}

// palette1 returns the colours of a block of BC1: four, or three and transparent black.
func palette1(src []byte) (p [4]uint32) {
	first, second := binary.LittleEndian.Uint16(src), binary.LittleEndian.Uint16(src[2:])
	a, b := rgb565(first), rgb565(second)
	p[0], p[1] = a, b
	if first <= second {
		p[2] = half(a, b)
		return p
	}
	p[2], p[3] = mix(a, b)|^rgbMask, mix(b, a)|^rgbMask
	return p
}

// colours stores the 16 pixels of a block, two at a time.
func colours(dst []byte, stride int, p *[4]uint32, indices uint32) {
	for y := range 4 {
		row := dst[y*stride : y*stride+16]
		binary.LittleEndian.PutUint64(row, uint64(p[indices&3])|uint64(p[indices>>2&3])<<32)
		binary.LittleEndian.PutUint64(row[8:], uint64(p[indices>>4&3])|uint64(p[indices>>6&3])<<32)
		indices >>= 8
	}
}
