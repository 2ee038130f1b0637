package png

import "encoding/binary"

// The filters of PNG. They replace bytes by their difference from a guess.
const (
	filterNone  = 0 // no guess
	filterSub   = 1 // the pixel to the left
	filterUp    = 2 // the pixel above
	filterAvg   = 3 // the mean of both
	filterPaeth = 4 // left, above, or above left: whichever is nearest to left + above − above left
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
	case filterAvg:
		for i, v := range row {
			left := 0
			if i >= pixel {
				left = int(row[i-pixel])
			}
			dst[i] = v - byte((left+int(prev[i]))/2)
		}
	case filterPaeth:
		for i, v := range row {
			left, corner := 0, 0
			if i >= pixel {
				left, corner = int(row[i-pixel]), int(prev[i-pixel])
			}
			dst[i] = v - paeth(left, int(prev[i]), corner)
		}
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

func paeth(left, above, corner int) byte {
	dLeft, dAbove, dCorner := abs(above-corner), abs(left-corner), abs(left+above-2*corner)
	switch {
	case dLeft <= dAbove && dLeft <= dCorner:
		return byte(left)
	case dAbove <= dCorner:
		return byte(above)
	}
	return byte(corner)
}

func abs(v int) int { return max(v, -v) }

// weight is the sum of differences, taken as signed: what is near to zero packs well.
func weight(b []byte) (sum int) {
	for _, v := range b {
		sum += abs(int(int8(v)))
	}
	return sum
}
