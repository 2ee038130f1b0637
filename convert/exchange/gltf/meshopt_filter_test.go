package gltf

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestFilters has elements with what filters make of them, and damaged ones, which stay.
func TestFilters(t *testing.T) {
	for _, c := range []struct {
		filter   string
		stride   int
		in, want []int
	}{
		{filterOctahedral, 4, []int{0, 0, 127, 5}, []int{0, 0, 127, 5}},
		{filterOctahedral, 4, []int{127, 0, 127, -5}, []int{127, 0, 0, -5}},
		{filterOctahedral, 4, []int{-64, 64, 127, 0}, []int{-90, 90, -1, 0}},
		{filterOctahedral, 4, []int{-100, -100, 127, 0}, []int{-42, -42, -113, 0}},
		{filterOctahedral, 4, []int{0, 3, 7, 1}, []int{0, 76, 102, 1}},
		{filterOctahedral, 4, []int{3, 4, 0, 1}, []int{3, 4, 0, 1}},
		{filterOctahedral, 8, []int{0, -511, 511, 9}, []int{0, -32767, 0, 9}},
		{filterOctahedral, 8, []int{300, -200, 1023, 9}, []int{15475, -10316, 26977, 9}},
		{filterQuaternion, 8, []int{0, 0, 0, 2047}, []int{0, 0, 0, 32767}},
		{filterQuaternion, 8, []int{0, 0, 0, 2044}, []int{32767, 0, 0, 0}},
		{filterQuaternion, 8, []int{2047, 0, 0, 2045}, []int{0, 23170, 23170, 0}},
		{filterQuaternion, 8, []int{1000, -500, 300, 2046}, []int{-5659, 3396, 30033, 11319}},
		{filterQuaternion, 8, []int{2047, 2047, 2047, 2044}, []int{0, 23170, 23170, 23170}},
		{filterColor, 4, []int{127, 0, 0, -1}, []int{127, 127, 127, -1}},
		{filterColor, 4, []int{-1, 0, 0, -1}, []int{-1, -1, -1, -1}},
		{filterColor, 4, []int{64, 32, -16, 0x40}, []int{-31, 96, 96, 0}},
		{filterColor, 4, []int{100, 10, 20, 0x55}, []int{-75, -15, -115, 86}},
		{filterColor, 4, []int{5, 1, 1, 1}, []int{-1, -1, -1, 0}},
		{filterColor, 4, []int{5, 1, 1, 0}, []int{5, 1, 1, 0}},
		{filterColor, 8, []int{1000, 100, -50, 0x7FF}, []int{-28719, 30414, 30414, -1}},
		{filterNone, 8, []int{1, 2, 3, 4}, []int{1, 2, 3, 4}},
		{"", 4, []int{1, 2, 3, 4}, []int{1, 2, 3, 4}},
	} {
		const twice = 2
		size := c.stride / 4
		var b []byte
		for range twice {
			for _, x := range c.in {
				b = binary.LittleEndian.AppendUint16(b, uint16(x))[:len(b)+size]
			}
		}
		applyFilter(c.filter, b, c.stride)
		var got []int
		for len(b) > 0 {
			x := int(int8(b[0]))
			if size == 2 {
				x = int(int16(binary.LittleEndian.Uint16(b)))
			}
			got, b = append(got, x), b[size:]
		}
		for i, x := range got {
			want := c.want[i%4]
			if size == 1 {
				want = int(int8(want))
			}
			if x != want {
				t.Errorf("%s of %v: %v, want %v", c.filter, c.in, got, c.want)
				break
			}
		}
	}
	b := data([]uint32{0x00000001, 0xFF000003, 0x02FFFFFF, 0x0A7FFFFF, 0xF6800000})
	applyFilter(filterExponential, b, 4)
	for i, want := range []float32{1, 1.5, -4, 8388607 * 1024, -8192} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])); got != want {
			t.Errorf("number %d: %v, want %v", i, got, want)
		}
	}
	for name, strides := range map[string][]int{"": {4, 8, 12}, filterNone: {4, 8, 12}, filterExponential: {4, 8, 12}, filterOctahedral: {4, 8}, filterColor: {4, 8}, filterQuaternion: {8}} {
		for _, stride := range []int{4, 8, 12} {
			fits := false
			for _, s := range strides {
				fits = fits || s == stride
			}
			if err := checkFilter(name, stride); (err == nil) != fits || err != nil && schema.Class(err) != schema.ErrValue {
				t.Errorf("%q of %d bytes: %v", name, stride, err)
			}
		}
	}
}
