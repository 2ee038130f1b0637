package scene

import (
	"hash/fnv"
	"math"
	"strings"
)

// QuietColour returns a pale colour derived from a name, so that parts with different materials can be told apart.
func QuietColour(name string) (c [3]float32) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.ToLower(NameKey(name)))) // it takes everything
	sum := h.Sum32()
	turn := 2 * math.Pi * float64(sum&0xFFFF) / (1 << 16)
	light := 0.5 + 0.2*float64(sum>>16)/(1<<16)
	for k := range c {
		display := light + 0.12*math.Cos(turn-2*math.Pi*float64(k)/3)
		c[k] = Linear(float32(math.Round(display*255) / 255))
	}
	return c
}
