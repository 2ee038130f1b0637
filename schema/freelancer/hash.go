package freelancer

import (
	"math/bits"

	"github.com/usher-assets/usher/schema"
)

// flcrcTable is that of CRC-32, made with a shift that keeps the sign: the top bytes differ (reference section 2.1).
var flcrcTable = func() (t [256]uint32) {
	for i := range t {
		v := int32(i)
		for range 8 {
			odd := v&1 != 0
			v >>= 1
			if odd {
				v ^= -0x12477CE0 // EDB88320h
			}
		}
		t[i] = uint32(v)
	}
	return t
}()

// FLCRC returns the hash by which meshes, materials, textures, parts and hardpoints are referenced. It ignores ASCII case.
// The hash of the empty name is 0.
func FLCRC(name string) uint32 { return flcrc(name, true) }

// FLCRCExact returns the case-sensitive hash that .ale files use.
func FLCRCExact(name string) uint32 { return flcrc(name, false) }

func flcrc(name string, folded bool) uint32 {
	text, _ := schema.EncodeWindows1252(name)
	c := ^uint32(0)
	for _, b := range text {
		if folded {
			b = fold(b)
		}
		c = c>>8 ^ flcrcTable[byte(c)^b]
	}
	return ^c
}

var idTable = func() (t [256]uint32) {
	for i := range t {
		v := uint32(i)
		for range 8 {
			odd := v&1 != 0
			v >>= 1
			if odd {
				v ^= 0xA001 << 14
			}
		}
		t[i] = v
	}
	return t
}()

// CreateID returns the hash of a nickname, by which voice lines and everything in the game's INI files are referenced. It
// ignores ASCII case (reference section 2.2).
func CreateID(nickname string) uint32 {
	text, _ := schema.EncodeWindows1252(nickname)
	var h uint32
	for _, b := range text {
		h = h>>8 ^ idTable[byte(h)^fold(b)]
	}
	return bits.ReverseBytes32(h)>>2 | 1<<31
}
