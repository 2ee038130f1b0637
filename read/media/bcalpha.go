package media

import "encoding/binary"

// alphas returns the eight values of a BC3 alpha block, each in the highest byte: six between the ends, or four between
// them, 0 and 255 when the first end is not above the second.
func alphas(first, second byte) (p [8]uint32) {
	a, b := uint32(first), uint32(second)
	p[0], p[1] = a<<24, b<<24
	if a > b {
		p[2], p[3], p[4] = (6*a+b)/7<<24, (5*a+2*b)/7<<24, (4*a+3*b)/7<<24
		p[5], p[6], p[7] = (3*a+4*b)/7<<24, (2*a+5*b)/7<<24, (a+6*b)/7<<24
		return p
	}
	p[2], p[3], p[4], p[5] = (4*a+b)/5<<24, (3*a+2*b)/5<<24, (2*a+3*b)/5<<24, (a+4*b)/5<<24
	p[7] = 255 << 24
	return p
}

// alpha3 stores the 16 pixels of a block, two at a time, with alpha from indices of 3 bits; the colours have none.
func alpha3(dst []byte, stride int, p *[4]uint32, indices uint32, a *[8]uint32, alpha uint64) {
	for y := range 4 {
		row := (*[16]byte)(dst[y*stride:])
		v0, v1 := p[indices&3]|a[alpha&7], p[indices>>2&3]|a[alpha>>3&7]
		v2, v3 := p[indices>>4&3]|a[alpha>>6&7], p[indices>>6&3]|a[alpha>>9&7]
		binary.LittleEndian.PutUint64(row[:8], uint64(v0)|uint64(v1)<<32)
		binary.LittleEndian.PutUint64(row[8:], uint64(v2)|uint64(v3)<<32)
		indices, alpha = indices>>8, alpha>>12
	}
}

// alpha4 stores the 16 pixels of a block, two at a time, with alpha of 4 bits each; the colours have none.
func alpha4(dst []byte, stride int, p *[4]uint32, indices uint32, alpha uint64) {
	const widen = 0x11000000 // 4 bits become the highest 8 of a pixel
	for y := range 4 {
		row := (*[16]byte)(dst[y*stride:])
		left := (alpha&0xF | alpha&0xF0<<28) * widen
		right := (alpha>>8&0xF | alpha>>8&0xF0<<28) * widen
		binary.LittleEndian.PutUint64(row[:8], (uint64(p[indices&3])|uint64(p[indices>>2&3])<<32)|left)
		binary.LittleEndian.PutUint64(row[8:], (uint64(p[indices>>4&3])|uint64(p[indices>>6&3])<<32)|right)
		indices, alpha = indices>>8, alpha>>16
	}
}
