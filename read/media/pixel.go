package media

import "encoding/binary"

// The functions of this file turn packed pixels into RGBA8: red, green, blue, straight alpha, one byte each. They take
// as many whole pixels as both slices hold and return their number. Names give the channels from the highest bit to
// the lowest of a little-endian word for 16 bits, and in the order of the bytes for 24 and 32 bits. Channels of fewer
// than 8 bits are widened by bit replication, so that 0 stays 0 and the highest value becomes 255.

// pixels returns how many whole pixels of the given packed size both slices hold.
func pixels(dst, src []byte, size int) int { return min(len(dst)/4, len(src)/size) }

func rgb565(v uint16) uint32 {
	r, g, b := uint32(v>>11), uint32(v>>5&0x3F), uint32(v&0x1F)
	return (r<<3 | r>>2) | (g<<2|g>>4)<<8 | (b<<3|b>>2)<<16 | 0xFF000000
}

// RGB565 reads 5 bits of red, 6 of green, 5 of blue; alpha is 255.
func RGB565(dst, src []byte) int {
	n := pixels(dst, src, 2)
	for i := range n {
		binary.LittleEndian.PutUint32(dst[4*i:], rgb565(binary.LittleEndian.Uint16(src[2*i:])))
	}
	return n
}

func rgb555(v uint16) uint32 {
	r, g, b := uint32(v>>10&0x1F), uint32(v>>5&0x1F), uint32(v&0x1F)
	return (r<<3 | r>>2) | (g<<3|g>>2)<<8 | (b<<3|b>>2)<<16
}

// ARGB1555 reads one bit of alpha (0 or 255) and 5 bits of each colour.
func ARGB1555(dst, src []byte) int {
	n := pixels(dst, src, 2)
	for i := range n {
		v := binary.LittleEndian.Uint16(src[2*i:])
		binary.LittleEndian.PutUint32(dst[4*i:], rgb555(v)|uint32(v>>15)*0xFF000000)
	}
	return n
}

// XRGB1555 reads 5 bits of each colour and ignores the top bit; alpha is 255.
func XRGB1555(dst, src []byte) int {
	n := pixels(dst, src, 2)
	for i := range n {
		binary.LittleEndian.PutUint32(dst[4*i:], rgb555(binary.LittleEndian.Uint16(src[2*i:]))|0xFF000000)
	}
	return n
}

// ARGB4444 reads 4 bits of alpha and of each colour.
func ARGB4444(dst, src []byte) int {
	n := pixels(dst, src, 2)
	for i := range n {
		v := uint32(binary.LittleEndian.Uint16(src[2*i:]))
		binary.LittleEndian.PutUint32(dst[4*i:], (v>>8&0xF|v>>4&0xF<<8|v&0xF<<16|v>>12<<24)*17)
	}
	return n
}

// RGB888 reads bytes red, green, blue; alpha is 255.
func RGB888(dst, src []byte) int {
	n := pixels(dst, src, 3)
	for i := range n {
		s, d := src[3*i:3*i+3], dst[4*i:4*i+4]
		d[0], d[1], d[2], d[3] = s[0], s[1], s[2], 255
	}
	return n
}

// BGR888 reads bytes blue, green, red; alpha is 255.
func BGR888(dst, src []byte) int {
	n := pixels(dst, src, 3)
	for i := range n {
		s, d := src[3*i:3*i+3], dst[4*i:4*i+4]
		d[0], d[1], d[2], d[3] = s[2], s[1], s[0], 255
	}
	return n
}

func swapRedBlue(v uint32) uint32 { return v&0xFF00FF00 | v>>16&0xFF | v&0xFF<<16 }

// BGRA8888 reads bytes blue, green, red, alpha.
func BGRA8888(dst, src []byte) int {
	n := pixels(dst, src, 4)
	for i := range n {
		binary.LittleEndian.PutUint32(dst[4*i:], swapRedBlue(binary.LittleEndian.Uint32(src[4*i:])))
	}
	return n
}

// BGRX8888 reads bytes blue, green, red and ignores the fourth; alpha is 255.
func BGRX8888(dst, src []byte) int {
	n := pixels(dst, src, 4)
	for i := range n {
		binary.LittleEndian.PutUint32(dst[4*i:], swapRedBlue(binary.LittleEndian.Uint32(src[4*i:]))|0xFF000000)
	}
	return n
}

// RGBX8888 reads bytes red, green, blue and ignores the fourth; alpha is 255.
func RGBX8888(dst, src []byte) int {
	n := pixels(dst, src, 4)
	for i := range n {
		binary.LittleEndian.PutUint32(dst[4*i:], binary.LittleEndian.Uint32(src[4*i:])|0xFF000000)
	}
	return n
}
