package media

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema/media"
)

// bitReader takes bits least significant first; past the end it reads zeros.
type bitReader struct {
	b   []byte
	acc uint64
	n   uint // valid bits of acc
}

// fill makes at least 32 bits available.
func (r *bitReader) fill() {
	if r.n >= 32 {
		return
	}
	if len(r.b) >= 4 {
		r.acc |= uint64(binary.LittleEndian.Uint32(r.b)) << r.n
		r.b = r.b[4:]
		r.n += 32
		return
	}
	for i, c := range r.b {
		r.acc |= uint64(c) << (r.n + 8*uint(i))
	}
	r.b = nil
	r.n += 32
}

// drop takes n bits that fill has made available.
func (r *bitReader) drop(n uint) {
	r.acc >>= n
	r.n -= n
}

// bits reads up to 32 bits.
func (r *bitReader) bits(n uint) int {
	r.fill()
	v := r.acc & (1<<n - 1)
	r.drop(n)
	return int(v)
}

// escape reads a magnitude in unary and its sign.
func (r *bitReader) escape() (float64, bool) {
	magnitude := media.MicroTalkRunMin
	for r.bits(1) != 0 {
		if magnitude++; magnitude > media.MicroTalkRunMin+mtFrame {
			return 0, false
		}
	}
	if r.bits(1) == 0 {
		return float64(-magnitude), true
	}
	return float64(magnitude), true
}
