package texture

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
	"pgregory.net/rapid"
)

// manyColours is a picture of more than 256 colours.
func manyColours(side int) []asset.RGBA {
	pix := make([]asset.RGBA, side*side)
	for i := range pix {
		x, y := i%side, i/side
		pix[i] = asset.RGBA{byte(x * 255 / side), byte(y * 255 / side), byte((x ^ y) * 3), 255}
	}
	return pix
}

func TestMips(t *testing.T) {
	pal := []asset.RGBA{{0, 0, 0, 0}, {10, 10, 10, 255}, {30, 30, 30, 255}, {20, 20, 20, 255}}
	for _, c := range []struct {
		pix           []byte
		width, height int
		masked        bool
		want          []byte
	}{
		{[]byte{1, 2, 2, 1}, 2, 2, false, []byte{3}},
		{[]byte{0, 0, 1, 1}, 2, 2, true, []byte{0}},
		{[]byte{2, 9, 9, 9}, 2, 2, false, []byte{2}}, // what is beyond the palette has no colour
		{[]byte{0, 1, 1, 1}, 2, 2, true, []byte{1}},
		{[]byte{1, 2}, 2, 1, false, []byte{3}},
		{[]byte{1, 2}, 1, 2, false, []byte{3}},
		{[]byte{1, 1, 2, 2, 1, 1, 2, 2}, 4, 2, false, []byte{1, 2}},
	} {
		mips := chain(c.pix, c.width, c.height, 2, pal, c.masked)
		if len(mips) != 2 || !bytes.Equal(mips[1].Pixels, c.want) {
			t.Errorf("%v masked %v: %v, want %v", c.pix, c.masked, mips[1].Pixels, c.want)
		}
	}
}

func TestQuantize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		masked := rapid.Bool().Draw(t, "masked")
		pix := make([]asset.RGBA, rapid.IntRange(1, 600).Draw(t, "pixels"))
		spread := rapid.IntRange(1, 12).Draw(t, "spread")
		for i := range pix {
			for k := range 3 {
				pix[i][k] = uint8(rapid.IntRange(0, spread).Draw(t, "channel") * 20)
			}
			pix[i][3] = 255
			if masked && rapid.IntRange(0, 9).Draw(t, "hole") == 0 {
				pix[i][3] = 0
			}
		}
		distinct := map[asset.RGBA]bool{}
		for _, p := range pix {
			if !masked || p[3] > 0 {
				distinct[p] = true
			}
		}
		indices, pal := quantize(pix, nil, masked, 0)
		room := 256
		if masked {
			room = 255
		}
		if len(pal) != 256 || len(distinct) <= room && !exactly(pix, indices, pal) {
			t.Fatalf("%d colours of %d pixels are not exact", len(distinct), len(pix))
		}
		for k, p := range pix {
			if masked && (p[3] == 0) != (indices[k] == 0) {
				t.Fatalf("pixel %d: alpha %d, entry %d", k, p[3], indices[k])
			}
		}
	})
}

// More than 256 colours are reduced without going far off.
func TestReduced(t *testing.T) {
	pix := manyColours(64)
	indices, pal := quantize(pix, nil, false, 0)
	sum := 0.0
	for k, p := range pix {
		for c := range 3 {
			d := float64(p[c]) - float64(pal[indices[k]][c])
			sum += d * d
		}
	}
	if mean := sum / float64(3*len(pix)); mean > 120 {
		t.Errorf("mean square error %.1f", mean)
	}
}

// BenchmarkQuantize reduces a picture of many colours to a palette; bytes are those of its pixels.
func BenchmarkQuantize(b *testing.B) {
	pix := manyColours(256)
	b.SetBytes(int64(4 * len(pix)))
	b.ReportAllocs()
	for b.Loop() {
		quantize(pix, nil, false, 0)
	}
}
