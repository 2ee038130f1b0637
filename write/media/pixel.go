package media

import "encoding/binary"

// The functions of this file turn RGBA8 into packed pixels. They take as many whole pixels as both slices hold and
// return their number. Names are those of the reading side. Channels are cut to their highest bits, so that what was
// widened by bit replication returns to the same bits; alpha of one bit is set from 128 upwards.

// pixels returns how many whole pixels of the given packed size both slices hold.
func pixels(dst, src []byte, size int) int { return min(len(dst)/size, len(src)/4) }

// RGB565 writes 5 bits of red, 6 of green, 5 of blue.
func RGB565(dst, src []byte) int {
	n := pixels(dst, src, 2)
	for i := range n {
		s := src[4*i : 4*i+4]
		binary.LittleEndian.PutUint16(dst[2*i:], uint16(s[0]>>3)<<11|uint16(s[1]>>2)<<5|uint16(s[2]>>3))
	}
	return n
}

func rgb555(s []byte) uint16 {
	return uint16(s[0]>>3)<<10 | uint16(s[1]>>3)<<5 | uint16(s[2]>>3)
}

// ARGB1555 writes one bit of alpha and 5 bits of each colour.
func ARGB1555(dst, src []byte) int {
	n := pixels(dst, src, 2)
	for i := range n {
		s := src[4*i : 4*i+4]
		binary.LittleEndian.PutUint16(dst[2*i:], rgb555(s)|uint16(s[3]>>7)<<15)
	}
	return n
}

// XRGB1555 writes 5 bits of each colour and a top bit of 0.
func XRGB1555(dst, src []byte) int {
	n := pixels(dst, src, 2)
	for i := range n {
		binary.LittleEndian.PutUint16(dst[2*i:], rgb555(src[4*i:4*i+4]))
	}
	return n
}

// ARGB4444 writes 4 bits of alpha and of each colour.
func ARGB4444(dst, src []byte) int {
	n := pixels(dst, src, 2)
	for i := range n {
		s := src[4*i : 4*i+4]
		binary.LittleEndian.PutUint16(dst[2*i:], uint16(s[3]>>4)<<12|uint16(s[0]>>4)<<8|uint16(s[1]>>4)<<4|uint16(s[2]>>4))
	}
	return n
}

// RGB888 writes bytes red, green, blue.
func RGB888(dst, src []byte) int {
	n := pixels(dst, src, 3)
	for i := range n {
		s, d := src[4*i:4*i+4], dst[3*i:3*i+3]
		d[0], d[1], d[2] = s[0], s[1], s[2]
	}
	return n
}

// BGR888 writes bytes blue, green, red.
func BGR888(dst, src []byte) int {
	n := pixels(dst, src, 3)
	for i := range n {
		s, d := src[4*i:4*i+4], dst[3*i:3*i+3]
		d[0], d[1], d[2] = s[2], s[1], s[0]
	}
	return n
}

func swapRedBlue(v uint32) uint32 { return v&0xFF00FF00 | v>>16&0xFF | v&0xFF<<16 }

// BGRA8888 writes bytes blue, green, red, alpha.
func BGRA8888(dst, src []byte) int {
	n := pixels(dst, src, 4)
	for i := range n {
		binary.LittleEndian.PutUint32(dst[4*i:], swapRedBlue(binary.LittleEndian.Uint32(src[4*i:])))
	}
	return n
}

// BGRX8888 writes bytes blue, green, red and 0.
func BGRX8888(dst, src []byte) int {
	n := pixels(dst, src, 4)
	for i := range n {
		binary.LittleEndian.PutUint32(dst[4*i:], swapRedBlue(binary.LittleEndian.Uint32(src[4*i:]))&0x00FFFFFF)
	}
	return n
}

// RGBX8888 writes bytes red, green, blue and 0.
func RGBX8888(dst, src []byte) int {
	n := pixels(dst, src, 4)
	for i := range n {
		binary.LittleEndian.PutUint32(dst[4*i:], binary.LittleEndian.Uint32(src[4*i:])&0x00FFFFFF)
	}
	return n
}
