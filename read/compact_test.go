package read

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// Every form of a compact index, at its ends: the sign, the width, and what lies beyond.
func TestCompactForms(t *testing.T) {
	for _, tt := range []struct {
		text  string
		value int32
		width int
		minus bool
		class error
	}{
		{"00", 0, 1, false, nil}, {"3f", 63, 1, false, nil}, {"80", 0, 1, true, nil}, {"81", -1, 1, true, nil}, {"bf", -63, 1, true, nil},
		{"4001", 64, 2, false, nil}, {"7f7f", 8191, 2, false, nil}, {"c001", -64, 2, true, nil}, {"ff7f", -8191, 2, true, nil},
		{"4000", 0, 2, false, nil}, {"c000", 0, 2, true, nil}, {"c100", -1, 2, true, nil},
		{"408001", 8192, 3, false, nil}, {"c08001", -8192, 3, true, nil}, {"40808001", 1 << 20, 4, false, nil}, {"4080808001", 1 << 27, 5, false, nil},
		{"7fffffff0f", 1<<31 - 1, 5, false, nil}, {"c080808010", -1 << 31, 5, true, nil},
		{"4080808010", 0, 5, false, schema.ErrValue}, {"c180808010", 0, 5, true, schema.ErrValue},
		{"40", 0, 2, false, schema.ErrTruncated}, {"", 0, 1, false, schema.ErrTruncated}, {"c080", 0, 3, true, schema.ErrTruncated},
	} {
		for _, tail := range []string{"", "00", "ffff"} {
			if tt.class == schema.ErrTruncated && tail != "" {
				continue
			}
			b, err := hex.DecodeString(tt.text + tail)
			if err != nil {
				t.Fatal(err)
			}
			c := NewCursor("test", b, nil)
			value, width, minus := c.Compact("index")
			if tt.class != nil {
				if !errors.Is(c.Err(), tt.class) {
					t.Errorf("%s: %v, want %v", tt.text, c.Err(), tt.class)
				}
				continue
			}
			if c.Err() != nil || value != tt.value || width != tt.width || minus != tt.minus || c.Left() != len(tail)/2 {
				t.Errorf("%s and %q: %d in %d bytes, minus %v, %d left, %v", tt.text, tail, value, width, minus, c.Left(), c.Err())
			}
		}
	}
}
