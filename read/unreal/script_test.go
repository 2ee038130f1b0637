package unreal

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/unreal"
)

// TestTokens has every token with its operands: i is the index of an object and n that of a name, which have four bytes in
// memory, e an expression, p parameters and l a table of labels; the digits are bytes (reference section 13).
func TestTokens(t *testing.T) {
	operands := map[byte]string{
		'i': "\x03", 'n': "\x01", 'e': "\x0B", 'p': "\x0B\x0B\x16", 'l': "\x01\x09\x09\x09\x09\x00\x09\x09\x09\x09",
		'1': "\x0B", '2': "\x0B\x0B", '3': "\x0B\x0B\x0B", '4': "\x0B\x0B\x0B\x0B", 'c': strings.Repeat("\x0B", 12), 's': "ab\x00", 'w': "a\x00\x00b\x00\x00",
	}
	inMemory := map[byte]int{'i': 3, 'n': 3, 'l': 6} // bytes more than in the file
	known := map[byte]string{
		0x00: "i", 0x01: "i", 0x02: "i", 0x04: "e", 0x05: "1e", 0x06: "2", 0x07: "2e", 0x09: "2e", 0x0A: "2e", 0x0C: "l", 0x0D: "e", 0x0E: "e", 0x0F: "ee",
		0x10: "ee", 0x11: "eeee", 0x12: "e3e", 0x13: "ie", 0x14: "ee", 0x18: "2e", 0x19: "e3e", 0x1A: "ee", 0x1B: "np", 0x1C: "ip", 0x1D: "4", 0x1E: "4", 0x1F: "s",
		0x20: "i", 0x21: "n", 0x22: "c", 0x23: "c", 0x24: "1", 0x29: "i", 0x2B: "1e", 0x2C: "1", 0x2D: "e", 0x2E: "ie", 0x2F: "e2",
		0x32: "iee", 0x33: "iee", 0x34: "w", 0x36: "ie", 0x38: "np",
	}
	for k := range 256 {
		token := byte(k)
		kinds, special := known[token]
		switch {
		case special:
		case token >= 0x70:
			kinds = "p"
		case token >= 0x60:
			kinds = "1p"
		case token >= 0x39:
			kinds = "e"
		}
		b, memory := string([]byte{token}), 1
		for _, kind := range []byte(kinds) {
			b += operands[kind]
			memory += len(operands[kind]) + inMemory[kind]
		}
		x := &unreal.Context{Package: &unreal.Package{Version: 69, Names: []unreal.Name{{Text: "None"}, {Text: "Start"}}, Exports: make([]unreal.Export, 3)}}
		var found []unreal.Ref
		w := walker{reader: objectReader([]byte(b+"\x0B\x0B\x0B"), x, nil)}
		w.found = &found
		got := w.expression(0)
		if w.Err() != nil || got != token || w.Pos() != len(b) || w.memory != uint64(memory) || len(found) != strings.Count(kinds, "i") {
			t.Errorf("token %#x: %d bytes, %d in memory, objects %v, %v; want %d, %d and %q", token, w.Pos(), w.memory, found, w.Err(), len(b), memory, kinds)
		}
	}
}
