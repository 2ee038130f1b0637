package media

import "encoding/binary"

// mix returns (2a + b) / 3 of each colour channel.
func mix(a, b uint32) uint32 {
	red := (2*(a&0xFF) + b&0xFF) / 3
	green := (2*(a>>8&0xFF) + b>>8&0xFF) / 3
	blue := (2*(a>>16&0xFF) + b>>16&0xFF) / 3
	return red | green<<8 | blue<<16 | 0xFF000000
}

// half returns (a + b) / 2 of each colour channel.
func half(a, b uint32) uint32 { return a&b + (a^b)&0xFEFEFEFE>>1 | 0xFF000000 }

func palette(src []byte, threeColours bool) (p [4]uint32) {
	a, b := binary.LittleEndian.Uint16(src), binary.LittleEndian.Uint16(src[2:])
	p[0], p[1] = rgb565(a), rgb565(b)
	if threeColours && a <= b {
		p[2] = half(p[0], p[1])
		return p
	}
	p[2], p[3] = mix(p[0], p[1]), mix(p[1], p[0])
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
