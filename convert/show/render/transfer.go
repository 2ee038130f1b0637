package render

import (
	"math"
	"sync"
)

// transfer is the transfer function of sRGB, both ways: light is added up and averaged in linear terms.
type transfer struct {
	linear  [256]float32         // of a byte, 0 … linearMax
	display [linearMax + 1]uint8 // of a linear component
}

const linearMax = 1<<16 - 1

// tables are made when the first picture is drawn: most runs of a program draw none.
var tables = sync.OnceValue(func() *transfer {
	t := new(transfer)
	for i := range t.linear {
		c := float64(i) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		t.linear[i] = float32(c * linearMax)
	}
	for i := range t.display {
		c := float64(i) / linearMax
		if c <= 0.0031308 {
			c *= 12.92
		} else {
			c = 1.055*math.Pow(c, 1/2.4) - 0.055
		}
		t.display[i] = uint8(c*255 + 0.5)
	}
	return t
})
