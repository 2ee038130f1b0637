package render

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestPeaks: each time has its least and its greatest sample, each channel its own.
func TestPeaks(t *testing.T) {
	s := func(channels int, samples ...float64) *asset.Sound {
		return &asset.Sound{Rate: 8, Channels: channels, Bits: 64, Float: true, PCM: pcm(64, true, samples...)}
	}
	for _, c := range []struct {
		s       *asset.Sound
		columns int
		want    [][]float32
	}{
		{s(1, 0.5, -0.25, 0.125, 1), 2, [][]float32{{-0.25, 0.5, 0.125, 1}}}, {s(1, 0.5, -0.25), 9, [][]float32{{0.5, 0.5, -0.25, -0.25}}},
		{s(2, 0.5, -1, 0.25, -0.5, 0, 0.75), 1, [][]float32{{0, 0.5}, {-1, 0.75}}}, {s(1, 3, -3, math.NaN(), math.Inf(1)), 2, [][]float32{{-1, 1, 0, 0}}},
		{s(1, 0, 1, 0, -1, 0.5), 2, [][]float32{{0, 1, -1, 0.5}}}, {s(1), 2, nil}, {&asset.Sound{Bits: 8, PCM: []byte{1}}, 2, nil}, {&asset.Sound{Channels: 1, Bits: 12, PCM: make([]byte, 2)}, 1, [][]float32{{0, 0}}},
	} {
		got := Peaks(c.s, c.columns)
		if c.s.Bits == 12 && got == nil {
			continue // no frames of such samples
		}
		if !slices.EqualFunc(got, c.want, slices.Equal[[]float32]) {
			t.Errorf("%d columns: %v, want %v", c.columns, got, c.want)
		}
	}
}

// TestSoundFacts: what a sound is is said, one channel being what everybody expects.
func TestSoundFacts(t *testing.T) {
	for channels, want := range map[int][]string{1: {"0.50 s", "8 Hz"}, 2: {"0.50 s", "8 Hz", "stereo"}, 6: {"0.50 s", "8 Hz", "6 channels"}} {
		p, err := Sound(&asset.Sound{Rate: 8, Channels: channels, Bits: 8, PCM: make([]byte, 4*channels)}, Options{Width: 8, Height: 8})
		if err != nil || !slices.Equal(p.Facts, want) || p.Notes != nil {
			t.Errorf("%d channels: %q, %q, %v", channels, p.Facts, p.Notes, err)
		}
	}
	p, err := Sound(&asset.Sound{Channels: 1, Bits: 8, PCM: []byte{1}}, Options{Width: 8, Height: 8})
	if err != nil || p.Facts != nil {
		t.Errorf("no rate: %q, %v", p.Facts, err)
	}
}

// parted returns the bytes of a colour in a word.
func parted(c uint32) [4]int {
	return [4]int{int(c & 255), int(c >> 8 & 255), int(c >> 16 & 255), int(c >> 24)}
}

// TestMixtures compares what is done to all bytes of a word at once with one byte after the other.
func TestMixtures(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	word := func() uint32 {
		return []uint32{r.Uint32(), 0, 0xFFFFFFFF, 0xFF000000, 0x00FFFFFF, r.Uint32() | 0xFF000000}[r.IntN(6)]
	}
	for range 3000 {
		a, b, c, d, f := word(), word(), word(), word(), r.Uint32N(257)
		var wantMean, wantMix [4]int
		pa, pb, pc, pd := parted(a), parted(b), parted(c), parted(d)
		for k := range 4 {
			wantMean[k] = (pa[k] + pb[k] + pc[k] + pd[k] + 2) / 4
			wantMix[k] = (pa[k]*int(256-f) + pb[k]*int(f)) / 256
		}
		if got := parted(mean(a, b, c, d)); got != wantMean {
			t.Fatalf("the mean of %08x %08x %08x %08x is %v, want %v", a, b, c, d, got, wantMean)
		}
		if got := parted(mix(a, b, f)); got != wantMix {
			t.Fatalf("%08x with %d parts of %08x is %v, want %v", a, f, b, got, wantMix)
		}
		want := wantMean
		if alpha := pa[3] + pb[3] + pc[3] + pd[3]; alpha > 0 {
			for k := range 3 {
				want[k] = (pa[k]*pa[3] + pb[k]*pb[3] + pc[k]*pc[3] + pd[k]*pd[3] + alpha/2) / alpha
			}
		}
		if got := parted(weighedMean(a, b, c, d)); got != want {
			t.Fatalf("by alpha the mean of %08x %08x %08x %08x is %v, want %v", a, b, c, d, got, want)
		}
	}
}

// TestFloor: the integer below, also below zero; none of what is no number or far outside.
func TestFloor(t *testing.T) {
	for x, want := range map[float32]int{0: 0, 0.5: 0, 1: 1, -0.5: -1, -1: -1, -1.25: -2, 1 << 29: 1 << 29, 1 << 30: 0, -1 << 30: 0, float32(math.Inf(1)): 0, -1 << 29: -1 << 29} {
		if got := floor(x); got != want {
			t.Errorf("%g: %d, want %d", x, got, want)
		}
	}
	for _, n := range []int{1, 2, 3, 5, 8, 12} {
		for i := -30; i < 30; i++ {
			if got := modulo(i, n); got != ((i%n)+n)%n {
				t.Errorf("%d modulo %d is %d", i, n, got)
			}
		}
	}
}

// TestWords: pixels of every kind as words, red lowest; what is not as large as it says is none.
func TestWords(t *testing.T) {
	palette := []asset.RGBA{{1, 2, 3, 4}, {5, 6, 7, 8}}
	for _, c := range []struct {
		m    asset.Image
		want []uint32
	}{
		{asset.Image{Width: 2, Height: 1, Pix: []byte{1, 2, 3, 4, 5, 6, 7, 8}}, []uint32{0x04030201, 0x08070605}},
		{asset.Image{Width: 1, Height: 3, Format: asset.Indexed8, Pix: []byte{1, 0, 2}}, []uint32{0x08070605, 0x04030201, 0}},
		{asset.Image{Width: 2, Height: 1, Format: asset.Gray8, Pix: []byte{9, 255}}, []uint32{0xFF090909, 0xFFFFFFFF}},
		{asset.Image{Width: 2, Height: 1, Format: asset.Gray16, Pix: []byte{1, 9, 2, 255}}, []uint32{0xFF090909, 0xFFFFFFFF}},
		{asset.Image{Width: 2, Height: 1, Format: asset.Gray8, Pix: []byte{9}}, nil}, {asset.Image{Width: 0, Height: 1}, nil}, {asset.Image{Width: 1, Height: 0}, nil}, {asset.Image{Width: -1, Height: -1, Pix: make([]byte, 4)}, nil},
	} {
		if got := words(&c.m, palette); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %08x, want %08x", c.m, got, c.want)
		}
	}
	many := append(palette, make([]asset.RGBA, 300)...)
	if got := words(&asset.Image{Width: 1, Height: 1, Format: asset.Indexed8, Pix: []byte{1}}, many); got[0] != 0x08070605 {
		t.Errorf("of a long palette: %08x", got)
	}
}

// TestTexelArea: a triangle covers its share of the texture, whichever way around, in texels.
func TestTexelArea(t *testing.T) {
	s := &sampler{texels: &texels{levels: []level{{width: 8, height: 4}}}}
	for _, c := range []struct {
		uv   [3][2]float32
		want float32
	}{
		{[3][2]float32{{0, 0}, {1, 0}, {0, 1}}, 16}, {[3][2]float32{{0, 0}, {0, 1}, {1, 0}}, 16}, {[3][2]float32{{0.5, 0.25}, {1, 0.5}, {0.25, 0.75}}, 5}, {[3][2]float32{{1, 1}, {2, 2}, {3, 3}}, 0},
		{[3][2]float32{{-1, 2}, {1, 2.5}, {0, 4}}, 56},
	} {
		var v [3]*[valueCount]float32
		for i := range v {
			v[i] = new([valueCount]float32)
			v[i][valueBase], v[i][valueBase+1] = c.uv[i][0], c.uv[i][1]
		}
		if got := texelArea(s, &v, valueBase); got != c.want {
			t.Errorf("%v: %g texels, want %g", c.uv, got, c.want)
		}
	}
}

// TestBright: dark letters are for what is brighter than the middle of grey, green counting most, and for no colour at all.
func TestBright(t *testing.T) {
	for c, want := range map[asset.RGBA]bool{
		{128, 128, 128, 255}: false, {129, 128, 128, 255}: true, {255, 0, 0, 255}: false, {0, 255, 0, 255}: true, {0, 0, 255, 255}: false, {0, 0, 0, 127}: true, {0, 0, 0, 128}: false,
		{255, 90, 0, 255}: true, {255, 80, 0, 255}: false, {0, 200, 100, 255}: true, {0, 199, 90, 255}: false, {100, 140, 135, 255}: false, {100, 140, 140, 255}: true,
	} {
		if got := bright(c); got != want {
			t.Errorf("%v: %t", c, got)
		}
	}
}

// TestSmaller: a pixel of what is shown smaller is the mean of a square, the last ones of what is left of it.
func TestSmaller(t *testing.T) {
	const opaque = 0xFF000000
	l := &level{3, 3, []uint32{opaque | 10, opaque | 20, opaque | 90, opaque | 30, opaque | 41, opaque | 50, opaque | 7, opaque | 8, opaque | 99}}
	got := l.smaller(2)
	if want := []uint32{opaque | 25, opaque | 70, opaque | 8, opaque | 99}; got.width != 2 || got.height != 2 || !slices.Equal(got.pix, want) {
		t.Errorf("%08x, want %08x", got.pix, want)
	}
	faint := &level{2, 1, []uint32{0x00000000 | 200, 0x40000000 | 100<<16 | 50<<8 | 10}}
	if got := faint.meanOf(image.Rect(0, 0, 2, 1)); got != 0x20<<24|100<<16|50<<8|10 {
		t.Errorf("by alpha: %08x", got)
	}
	for a, want := range map[int]int{1: 1, 4: 1, 5: 2, 8: 2, 9: 3} {
		if got := ceilRatio(a, 4); got != want {
			t.Errorf("%d / 4 is %d", a, got)
		}
	}
}

// TestDivision: quotients are rounded down and up, below zero too.
func TestDivision(t *testing.T) {
	for a := int64(-9); a < 10; a++ {
		low, high := int64(math.Floor(float64(a)/4)), int64(math.Ceil(float64(a)/4))
		if floorDiv(a, 4) != low || ceilDiv(a, 4) != high {
			t.Errorf("%d / 4: %d, %d", a, floorDiv(a, 4), ceilDiv(a, 4))
		}
	}
}
