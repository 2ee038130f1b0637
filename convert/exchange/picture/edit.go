package picture

import (
	"bytes"
	"encoding/binary"

	"github.com/usher-assets/usher/schema/media"
)

// What an edit of a stored picture leaves alone: pixels of smaller levels that do not depend on it, and blocks that show
// what they showed.

// Carry restores the stored pixels of an edited RGBA8 picture wherever the edit did not change them. now is the edited
// picture, before the picture as it was shown before the edit, and stored the one in the file. At full size, before and
// stored are the same picture. For a smaller level, now and before are the full-size pictures scaled down in the same way,
// and stored is the level in the file, whatever filter made it. All three have the same size. If an editor dropped the
// colour of fully transparent pixels, that does not count as a change.
func Carry(now, before, stored []byte) {
	for i := 0; i+4 <= min(len(now), len(before), len(stored)); i += 4 {
		x, y := binary.LittleEndian.Uint32(now[i:]), binary.LittleEndian.Uint32(before[i:])
		if x == y || y>>24 == 0 && dropped(x) {
			copy(now[i:i+4], stored[i:i+4])
		}
	}
}

// dropped reports whether an RGBA8 pixel is one that editors leave where nothing is seen: black or white of no alpha.
func dropped(pixel uint32) bool { return pixel == 0 || pixel == 0xFFFFFF }

// Blocks describes a stored level as rows of blocks. A block has Side × Side pixels and takes Size bytes.
type Blocks struct{ Side, Size int }

// Keep puts stored blocks back into a newly encoded level wherever the RGBA8 pictures before and after the edit are equal.
// Encoding a block again would lose quality and its unused bits. The rows of both pictures are in stored order.
func (b Blocks) Keep(level, stored, was, now []byte, width int) {
	height := min(len(was), len(now)) / (4 * width)
	same := bytes.Equal
	if b.Side == 4 && b.Size == media.BC1Block {
		same = looksSame // its transparent pixels have no colour
	}
	at := 0
	for y := 0; y < height; y += b.Side {
		for x := 0; x < width; x += b.Side {
			equal := true
			for row := y; row < min(y+b.Side, height) && equal; row++ {
				from, to := 4*(row*width+x), 4*(row*width+min(x+b.Side, width))
				equal = same(was[from:to], now[from:to])
			}
			if equal {
				copy(level[at:at+b.Size], stored[at:])
			}
			at += b.Size
		}
	}
}

// looksSame compares RGBA8 pixels; what is wholly transparent in both has no colour.
func looksSame(a, b []byte) bool {
	for i := 0; i+4 <= len(a); i += 4 {
		x, y := binary.LittleEndian.Uint32(a[i:]), binary.LittleEndian.Uint32(b[i:])
		if x != y && (x|y)>>24 != 0 {
			return false
		}
	}
	return true
}
