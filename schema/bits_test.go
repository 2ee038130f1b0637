package schema

import (
	"strings"
	"testing"
)

// TestBits: words in any order, numbers and what is left in hexadecimal are read; what is wrong is refused, with a reason.
func TestBits(t *testing.T) {
	bits := Bits[uint16]{Number(0, 4, "height"), Flag(4, "hole"), Choice(5, 2, "mode", map[uint32]string{0: "plain", 3: "sorted"})}
	for v, want := range map[uint16]string{0: "plain", 3: "height=3|plain", 0x1F: "height=15|hole|plain", 0x60: "sorted", 0x20: "mode=1", 0x8060: "sorted|0x8000", 0x80: "plain|0x80"} {
		if got := bits.Text(v); got != want {
			t.Errorf("%#x: %q, want %q", v, got, want)
		}
	}
	for text, want := range map[string]uint16{"hole": 0x10, " Hole | HEIGHT=0x3 ": 0x13, "mode=3": 0x60, "hole=0": 0, "hole|hole": 0x10, "0x80|0x10": 0x90, "65535": 0xFFFF, "0xff": 0xFF, " 7 ": 7} {
		v := uint16(9)
		if err := bits.Parse([]byte(text), &v); err != nil || v != want {
			t.Errorf("%q: %#x, want %#x, %v", text, v, want, err)
		}
	}
	for text, want := range map[string]string{
		"":                   `"" is neither a number in range nor one of height=0…15, hole, plain, sorted, mode=0…3`,
		"hole|":              `"" is neither`,
		"height":             `"height" is neither`,
		"height=16":          `"height=16": height is a number from 0 to 15`,
		"height=x":           `"height=x": height is a number from 0 to 15`,
		"height=1|height=2":  `"height=2" contradicts a word before it`,
		"plain|sorted":       `"sorted" contradicts a word before it`,
		"plain|0x20":         `"0x20" contradicts a word before it`,
		"65536":              `"65536" is neither`,
		"-1":                 `"-1" is neither`,
		"hole|0x10000":       `"0x10000" is neither`,
		"hole|65":            `"65" is neither`,
		"hole|hole=0|plain ": `"hole=0" contradicts a word before it`,
	} {
		v := uint16(9)
		if err := bits.Parse([]byte(text), &v); err == nil || !strings.HasPrefix(err.Error(), want) || v != 9 {
			t.Errorf("%q: %#x, %v, want %s", text, v, err, want)
		}
	}
	var v uint16
	if err := (Bits[uint16]{}).Parse([]byte("x"), &v); err == nil || err.Error() != `"x" is no number in range: bad value` {
		t.Errorf("without names: %v", err)
	}
}
