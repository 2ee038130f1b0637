package png

import "encoding/binary"

// Those filters of PNG that are used here. They replace bytes by their difference from a guess.
const (
	filterNone = 0 // no guess
	filterSub  = 1 // the pixel to the left
	filterUp   = 2 // the pixel above
)

// filter stores the differences of a row. prev is the row above; both rows and dst have the same length.
func filter(kind byte, dst, row, prev []byte, pixel int) {
	switch kind {
	case filterNone:
		copy(dst, row)
	case filterSub:
		n := copy(dst[:min(pixel, len(row))], row)
		subtract(dst[n:], row[n:], row)
	case filterUp:
		subtract(dst, row, prev)
	}
}

// subtract stores a − b byte by byte, eight at a time: with the highest bit of each byte set in a and cleared in b no
// byte borrows from its neighbour, and the true highest bit is the parity of what went in.
func subtract(dst, a, b []byte) {
	const high = 0x80808080_80808080
	n := len(dst)
	a, b = a[:n], b[:n]
	i := 0
	for ; i+8 <= n; i += 8 {
		x, y := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
		binary.LittleEndian.PutUint64(dst[i:], ((x|high)-(y&^high))^((x^^y)&high))
	}
	for ; i < n; i++ {
		dst[i] = a[i] - b[i]
	}
}

// weight is the sum of differences, taken as signed: what is near to zero packs well. It adds up eight at a time.
func weight(b []byte) (sum int) {
	const ones, low = 0x01010101_01010101, 0x00FF00FF_00FF00FF
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		sign := x >> 7 & ones
		x = (x ^ sign*0xFF) + sign // −128 becomes 128: no byte carries into its neighbour
		sum += int((x&low + x>>8&low) * 0x00010001_00010001 >> 48)
	}
	for _, v := range b {
		d := int(int8(v))
		sum += max(d, -d)
	}
	return sum
}
