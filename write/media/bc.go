package media

import (
	"encoding/binary"
	"sync"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// BC1 encodes RGBA8 rows as blocks of 8 bytes. Pixels with alpha below 128 become transparent black, all others opaque.
// Blocks that extend beyond the edge of the picture repeat its last pixels. It fails with ErrTruncated if pix is too short.
//
// The encoder searches the two end colours of a line through the colours of a block, first along their principal axis, then
// by least squares. At best effort it also searches around several such solutions, comparing the values that a decoder
// computes. All arithmetic is in integers, so every machine writes the same bytes.
func BC1(pix []byte, width, height int, effort media.Effort) ([]byte, error) {
	return blocks("bc1", pix, width, height, media.BC1Block, func(dst []byte, b *block) {
		binary.LittleEndian.PutUint64(dst, b.colours(effort, true))
	})
}

// BC2 encodes RGBA8 rows as blocks of 16 bytes, with the nearest of 16 values as alpha. See [BC1].
func BC2(pix []byte, width, height int, effort media.Effort) ([]byte, error) {
	return blocks("bc2", pix, width, height, media.BC2Block, func(dst []byte, b *block) {
		binary.LittleEndian.PutUint64(dst, b.alpha4())
		binary.LittleEndian.PutUint64(dst[8:], b.colours(effort, false))
	})
}

// BC3 encodes RGBA8 rows as blocks of 16 bytes, with alpha interpolated between two values. See [BC1].
func BC3(pix []byte, width, height int, effort media.Effort) ([]byte, error) {
	return blocks("bc3", pix, width, height, media.BC3Block, func(dst []byte, b *block) {
		binary.LittleEndian.PutUint64(dst, b.alpha3(effort))
		binary.LittleEndian.PutUint64(dst[8:], b.colours(effort, false))
	})
}

// block holds 16 pixels, split into channels.
type block struct {
	rgb   [16][3]int32
	alpha [16]byte
}

func blocks(format string, pix []byte, width, height, size int, encode func(dst []byte, b *block)) ([]byte, error) {
	total, err := media.CheckBlocks(format, width, height, size)
	if err != nil {
		return nil, err
	}
	if len(pix) < 4*width*height {
		return nil, schema.Errorf(format, schema.ErrTruncated, "pixels", "%d x %d pixels need %d bytes, found %d", width, height, 4*width*height, len(pix))
	}
	out := make([]byte, total)
	var b block
	at := 0
	for y := 0; y < height; y += 4 {
		for x := 0; x < width; x += 4 {
			b.load(pix, width, height, x, y)
			encode(out[at:at+size], &b)
			at += size
		}
	}
	return out, nil
}

func (b *block) load(pix []byte, width, height, x, y int) {
	if x+4 <= width && y+4 <= height {
		for row := range 4 {
			p := (*[16]byte)(pix[4*((y+row)*width+x):])
			for i := range 4 {
				b.rgb[4*row+i] = [3]int32{int32(p[4*i]), int32(p[4*i+1]), int32(p[4*i+2])}
				b.alpha[4*row+i] = p[4*i+3]
			}
		}
		return
	}
	for i := range 16 {
		at := 4 * (min(y+i>>2, height-1)*width + min(x+i&3, width-1))
		p := pix[at : at+4]
		b.rgb[i] = [3]int32{int32(p[0]), int32(p[1]), int32(p[2])}
		b.alpha[i] = p[3]
	}
}

// highest is the largest value of each channel, widened its values at 8 bits.
var (
	highest = [3]int32{31, 63, 31}
	widened = widen()
)

func widen() (w [3][64]int32) {
	for v := range int32(64) {
		w[0][v], w[1][v], w[2][v] = v&31<<3|v&31>>2, v<<2|v>>4, v&31<<3|v&31>>2
	}
	return w
}

// pair is the two ends of one channel whose inner entry comes nearest to a value, which it makes.
type pair struct{ a, b, makes int32 }

// single2 and single3 hold the pairs for every channel and value, for lines of 2 and 3 steps; the inner entry is
// number 1, and of several pairs the one with the closest ends is taken.
var (
	single2 = sync.OnceValue(func() *[3][256]pair { return singles(2) })
	single3 = sync.OnceValue(func() *[3][256]pair { return singles(3) })
)

func singles(steps int32) *[3][256]pair {
	t := new([3][256]pair)
	const none = -1
	for c := range t {
		for v := range t[c] {
			t[c][v].makes = none
		}
		for a := range highest[c] + 1 {
			for b := range highest[c] + 1 {
				v := between(widened[c][a], widened[c][b], 1, steps)
				if p := &t[c][v]; p.makes == none || abs(a-b) < abs(p.a-p.b) {
					*p = pair{a, b, v}
				}
			}
		}
		exact := t[c]
		for v := range int32(256) {
			for d := int32(0); t[c][v].makes == none; d++ {
				if down := exact[max(v-d, 0)]; down.makes != none {
					t[c][v] = down
				} else if up := exact[min(v+d, 255)]; up.makes != none {
					t[c][v] = up
				}
			}
		}
	}
	return t
}

func abs(v int32) int32 { return max(v, -v) }

// between returns entry i of the line from a to b, as decoders compute it.
func between(a, b, i, steps int32) int32 { return ((steps-i)*a + i*b) / steps }

// pack4 returns the block with four colours: the first end is the higher one.
func (l *line) pack4(bc1 bool) uint64 {
	codes := [4]uint64{0, 2, 3, 1}
	a, b := pack565(l.a), pack565(l.b)
	if a < b {
		a, b = b, a
		codes = [4]uint64{1, 3, 2, 0}
	}
	if a == b && bc1 {
		codes = [4]uint64{} // equal ends mean three colours, the last of them transparent
	}
	return l.pack(a, b, codes, 0xFFFF)
}

// pack3 returns the block with three colours; pixels outside the mask are transparent.
func (l *line) pack3(mask uint32) uint64 {
	codes := [4]uint64{0, 2, 1, 0}
	a, b := pack565(l.a), pack565(l.b)
	if a > b {
		a, b = b, a
		codes = [4]uint64{1, 2, 0, 0}
	}
	return l.pack(a, b, codes, mask)
}

func (l *line) pack(a, b uint64, codes [4]uint64, mask uint32) uint64 {
	v := a | b<<16
	for i, e := range l.entry {
		code := uint64(3)
		if mask>>i&1 != 0 {
			code = codes[e&3]
		}
		v |= code << (32 + 2*i)
	}
	return v
}

func pack565(c [3]int32) uint64 { return uint64(c[0]<<11 | c[1]<<5 | c[2]) }

// pack returns the block; see line.pack4.
func (q *quick) pack(bc1 bool) uint64 {
	const low = 0x55555555
	a, b, e := pack565(q.a), pack565(q.b), q.entries
	if a < b {
		a, b, e = b, a, ^e
	}
	// Entries 0 1 2 3 have the codes 0 2 3 1.
	code := (e^e>>1)&low<<1 | e>>1&low
	if a == b && bc1 {
		code = 0 // equal ends mean three colours, the last of them transparent
	}
	return a | b<<16 | uint64(code)<<32
}
