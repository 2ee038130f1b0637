package texture

import (
	"encoding/binary"
	"math"
	"math/bits"
	"testing"

	pixels "github.com/usher-assets/usher/schema/media"
)

// TestMasks: of every channel of every width each value is stored as the nearest one, shown as that, and stored again as the same.
func TestMasks(t *testing.T) {
	for name, f := range map[string]pixels.DDSFormat{
		"565":      {Bits: 16, Red: 0xF800, Green: 0x07E0, Blue: 0x001F},
		"1555":     {Bits: 16, Red: 0x7C00, Green: 0x03E0, Blue: 0x001F, Alpha: 0x8000, Flags: pixels.DDSAlphaPixels},
		"4444":     {Bits: 16, Red: 0x0F00, Green: 0x00F0, Blue: 0x000F, Alpha: 0xF000, Flags: pixels.DDSAlphaPixels},
		"332":      {Bits: 8, Red: 0xE0, Green: 0x1C, Blue: 0x03},
		"888":      {Bits: 24, Red: 0xFF0000, Green: 0xFF00, Blue: 0xFF},
		"8888":     {Bits: 32, Red: 0xFF0000, Green: 0xFF00, Blue: 0xFF, Alpha: 0xFF000000, Flags: pixels.DDSAlphaPixels},
		"10101002": {Bits: 32, Red: 0x3FF00000, Green: 0xFFC00, Blue: 0x3FF, Alpha: 0xC0000000, Flags: pixels.DDSAlphaPixels},
	} {
		masks := [4]uint32{f.Red, f.Green, f.Blue, f.Alpha}
		for v := range 256 {
			for c, m := range masks {
				pix := []byte{0, 0, 0, 255, 0, 0, 0, 255}
				pix[4+c] = byte(v)
				raw := mask(pix, &f)
				size := int(f.Bits) / 8
				if len(raw) != 2*size {
					t.Fatalf("%s: %d bytes", name, len(raw))
				}
				if m == 0 {
					continue
				}
				var word [4]byte
				copy(word[:], raw[size:])
				stored := binary.LittleEndian.Uint32(word[:]) & m >> bits.TrailingZeros32(m)
				most := float64(uint64(1)<<bits.OnesCount32(m) - 1)
				if want := float64(v) * most / 255; math.Abs(float64(stored)-want) > 0.5 {
					t.Errorf("%s: channel %d: %d is stored as %d, want %.2f", name, c, v, stored, want)
				}
				shown := unmask(raw, 2, &f)
				if want := float64(stored) * 255 / most; math.Abs(float64(shown[4+c])-want) > 0.5 {
					t.Errorf("%s: channel %d: %d of %v is shown as %d, want %.2f", name, c, stored, most, shown[4+c], want)
				}
				if got := mask(shown, &f); string(got) != string(raw) {
					t.Errorf("%s: channel %d: %x becomes %x", name, c, raw, got)
				}
			}
		}
	}
}
