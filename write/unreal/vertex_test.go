package unreal

import "testing"

// A vertex is packed into 11, 11 and 10 bits; one that is a step too far is refused.
func TestPackVertex(t *testing.T) {
	for _, tt := range []struct {
		v      [3]int16
		packed uint32
		ok     bool
	}{
		{[3]int16{0, 0, 0}, 0, true}, {[3]int16{1, 2, 3}, 1 | 2<<11 | 3<<22, true},
		{[3]int16{1023, 0, 0}, 1023, true}, {[3]int16{-1024, 0, 0}, 1024, true}, {[3]int16{1024, 0, 0}, 0, false}, {[3]int16{-1025, 0, 0}, 0, false},
		{[3]int16{0, 1023, 0}, 1023 << 11, true}, {[3]int16{0, -1024, 0}, 1024 << 11, true}, {[3]int16{0, 1024, 0}, 0, false}, {[3]int16{0, -1025, 0}, 0, false},
		{[3]int16{0, 0, 511}, 511 << 22, true}, {[3]int16{0, 0, -512}, 512 << 22, true}, {[3]int16{0, 0, 512}, 0, false}, {[3]int16{0, 0, -513}, 0, false},
		{[3]int16{-1, -1, -1}, 1<<32 - 1, true},
	} {
		if packed, ok := PackVertex(tt.v); ok != tt.ok || ok && packed != tt.packed {
			t.Errorf("%v: %08x, %v; want %08x, %v", tt.v, packed, ok, tt.packed, tt.ok)
		}
	}
}
