package scene

import (
	"hash/fnv"
	"math"
	"strings"
	"unicode"
)

// QuietColour returns a pale colour, made of a name: parts that wear other materials are told apart by it.
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

// NameKey is what editors leave of a name: they add numbers, cut it, leave out or replace letters.
func NameKey(name string) string {
	if n := len(name); n > 4 && name[n-4] == '.' && strings.Trim(name[n-3:], "0123456789") == "" {
		name = name[:n-4]
	}
	key := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("$-+", r) {
			return r
		}
		return -1
	}, name)
	const most = 50
	if len(key) > most {
		key = strings.ToValidUTF8(key[:most], "")
	}
	return key
}
