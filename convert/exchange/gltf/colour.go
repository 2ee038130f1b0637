package gltf

import (
	"math"
	"sync"

	"github.com/qmuntal/gltf"

	verbs "github.com/usher-assets/usher/convert/scene"
)

// Games have vertex colours in bytes, of display values; glTF has linear ones. Of these bytes hold too few near black, and
// 16 bits hold all: the numbers of two bytes differ, and the one that a number stands for gives the value back exactly.

// linearBytes gives the linear value of a byte by its number in 16 bits.
var linearBytes = sync.OnceValue(func() map[uint16]float32 {
	values := make(map[uint16]float32, 256)
	for b := range 256 {
		x := verbs.Linear(float32(b) / 255)
		values[shortOf(x)] = x
	}
	return values
})

func shortOf(x float32) uint16 { return uint16(math.Round(float64(x * 65535))) }

// fromShort returns the value of a component of a colour that has 16 bits.
func fromShort(u uint16, component int) float32 {
	if x, ok := linearBytes()[u]; ok && component < 3 { // alpha is linear in games as well
		return x
	}
	return float32(u) / 65535
}

// isShort reports whether 16 bits hold each component of colours.
func isShort(v []float32) bool {
	for i, x := range v {
		if fromShort(shortOf(x), i%4) != x {
			return false
		}
	}
	return true
}

// exactColours gives colours of 16 bits the values that bytes have.
func (d *decoder) exactColours(accessor int, c [][4]float32) {
	if d.doc.Accessors[accessor].ComponentType != gltf.ComponentUshort {
		return
	}
	for i := range c {
		for k := range 3 {
			c[i][k] = fromShort(shortOf(c[i][k]), k)
		}
	}
}
