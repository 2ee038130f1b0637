package write

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/usher-assets/usher/read"
	"pgregory.net/rapid"
)

func TestCompact(t *testing.T) {
	for _, c := range []struct {
		value int32
		want  string
	}{
		{0, "00"}, {1, "01"}, {63, "3F"}, {64, "4001"}, {100, "6401"}, {8191, "7F7F"}, {8192, "408001"}, {10000, "509C01"},
		{10000000, "40DAC409"}, {1000000000, "40A8D6B907"}, {-1, "81"}, {-63, "BF"}, {-64, "C001"}, {-100, "E401"}, {1048575, "7FFF7F"},
		{1048576, "40808001"}, {134217727, "7FFFFF7F"}, {134217728, "4080808001"}, {2147483647, "7FFFFFFF0F"}, {-2147483648, "C080808010"},
	} {
		w := NewBuffer("unreal", 5)
		w.Compact(c.value)
		b, _ := w.Finish()
		if got := strings.ToUpper(hex.EncodeToString(b)); got != c.want || CompactSize(c.value) != len(b) {
			t.Errorf("%d: %s of size %d, want %s", c.value, got, CompactSize(c.value), c.want)
		}
	}
}

func TestCompactForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int32().Draw(t, "value")
		width := rapid.IntRange(1, 5).Draw(t, "width")
		minus := v < 0 || v == 0 && rapid.Bool().Draw(t, "minus")
		w := NewBuffer("unreal", 5)
		w.CompactForm(v, width, minus)
		b, _ := w.Finish()
		c := read.NewCursor("unreal", b, nil)
		got, gotWidth, gotMinus := c.Compact("value")
		if c.Err() != nil || got != v || gotWidth != max(width, CompactSize(v)) || gotMinus != minus || c.Left() != 0 {
			t.Fatalf("%d in %d bytes: %x reads as %d in %d bytes, %v", v, width, b, got, gotWidth, c.Err())
		}
	})
}

// The forms of zero, and of numbers at the ends of each width (Unreal reference section 2).
func TestCompactBytes(t *testing.T) {
	for _, tt := range []struct {
		v     int32
		width int
		minus bool
		want  string
	}{
		{0, 1, false, "00"}, {0, 1, true, "80"}, {0, 2, false, "4000"}, {0, 2, true, "c000"}, {0, 5, false, "4080808000"},
		{1, 1, false, "01"}, {1, 1, true, "01"}, {-1, 1, true, "81"}, {-1, 1, false, "81"}, {63, 1, false, "3f"}, {64, 1, false, "4001"}, {-64, 1, true, "c001"},
		{8191, 1, false, "7f7f"}, {8192, 1, false, "408001"}, {1 << 20, 1, false, "40808001"}, {1 << 27, 1, false, "4080808001"}, {-1 << 31, 1, true, "c080808010"},
	} {
		w := NewBuffer("unreal", 5)
		w.CompactForm(tt.v, tt.width, tt.minus)
		if b, err := w.Finish(); err != nil || hex.EncodeToString(b) != tt.want {
			t.Errorf("%d in %d bytes, minus %v: %x, want %s, %v", tt.v, tt.width, tt.minus, b, tt.want, err)
		}
	}
}
