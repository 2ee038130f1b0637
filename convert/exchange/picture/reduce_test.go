package picture

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

func shadesOf(n int, seed uint64) []Shade {
	r := rand.New(rand.NewPCG(seed, 1))
	seen := map[[3]uint8]bool{}
	var list []Shade
	for len(list) < n {
		c := [3]uint8{uint8(r.NormFloat64()*40 + 128), uint8(r.NormFloat64()*20 + 90), uint8(r.IntN(64))}
		if !seen[c] {
			seen[c] = true
			list = append(list, Shade{c, 1 + r.IntN(9)})
		}
	}
	return list
}

// squaredError is the sum over all pixels, each one shown in the nearest colour.
func squaredError(shades []Shade, palette [][3]uint8) (sum float64) {
	for _, s := range shades {
		least := math.Inf(1)
		for _, p := range palette {
			d := 0.0
			for k := range 3 {
				e := float64(s.Color[k]) - float64(p[k])
				d += e * e
			}
			least = min(least, d)
		}
		sum += least * float64(s.Count)
	}
	return sum
}

// TestReduce: few colours come back as they are, many become at most n, whatever their order, and no colour of the
// result can be moved by one step to make the picture notably better.
func TestReduce(t *testing.T) {
	few := shadesOf(40, 1)
	if got := Reduce(few, 40); len(got) != 40 || squaredError(few, got) != 0 {
		t.Errorf("%d colours of 40, error %.0f", len(got), squaredError(few, got))
	}
	for _, n := range []int{1, 2, 16, 255} {
		shades := shadesOf(3000, uint64(n))
		got := Reduce(shades, n)
		if len(got) < 1 || len(got) > n {
			t.Fatalf("%d colours, want at most %d", len(got), n)
		}
		slices.Reverse(shades)
		if again := Reduce(shades, n); !slices.Equal(got, again) {
			t.Errorf("%d colours depend on the order of the shades", n)
		}
		whole := squaredError(shades, got)
		for i := range min(len(got), 8) {
			for k := range 3 {
				for _, step := range []int{-3, 3} {
					moved := slices.Clone(got)
					moved[i][k] = uint8(min(max(int(moved[i][k])+step, 0), 255))
					if e := squaredError(shades, moved); e < whole*0.99 {
						t.Errorf("%d colours: moving one lowers the error from %.0f to %.0f", n, whole, e)
					}
				}
			}
		}
	}
}

// TestNearest: the walk along the neighbours finds what looking at all of them does.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	centers := make([][3]float64, 60)
	for i := range centers {
		centers[i] = [3]float64{r.Float64() * 255, r.Float64() * 255, r.Float64() * 255}
	}
	n := order(centers)
	for range 2000 {
		p := [3]float64{r.Float64() * 255, r.Float64() * 255, r.Float64() * 255}
		want := 0
		for i := range centers {
			if squared(p, centers[i]) < squared(p, centers[want]) {
				want = i
			}
		}
		if got, d := n.nearest(p, r.IntN(len(centers))); got != want || d != squared(p, centers[want]) {
			t.Fatalf("centre %d, want %d", got, want)
		}
	}
}

// TestDither: black and white stand for a grey in about its proportion, and pixels that take no part are left alone.
func TestDither(t *testing.T) {
	at := func(i int) ([3]uint8, bool) { return [3]uint8{100, 100, 100}, i%64 > 3 }
	out := Dither(64, 64, at, func(c [3]uint8) (byte, [3]uint8) {
		if c[0] < 128 {
			return 1, [3]uint8{}
		}
		return 2, [3]uint8{255, 255, 255}
	})
	var count [3]int
	for i, v := range out {
		count[v]++
		if (i%64 > 3) != (v != 0) {
			t.Fatalf("pixel %d has entry %d", i, v)
		}
	}
	if share := float64(count[2]) / float64(count[1]+count[2]); share < 0.1 || share > 0.45 {
		t.Errorf("%.2f of the pixels are white", share)
	}
}

// TestScale: sides become the nearer powers of two, and a half is the mean of four pixels that are seen.
func TestScale(t *testing.T) {
	for side, want := range map[int]int{1: 1, 2: 2, 3: 2, 5: 4, 6: 4, 7: 8, 12: 8, 13: 16, 100: 128, 640: 512} {
		m := asset.NewImage(side, 1, asset.RGBA8)
		if got := PowerOfTwo(&m); got.Width != want || got.Height != 1 {
			t.Errorf("%d becomes %d, want %d", side, got.Width, want)
		}
	}
	m := asset.NewImage(2, 2, asset.RGBA8)
	copy(m.Pix, []byte{10, 20, 30, 255, 20, 40, 60, 255, 200, 200, 200, 0, 0, 0, 0, 0})
	if got := Half(&m).Pix; !slices.Equal(got, []byte{15, 30, 45, 128}) {
		t.Errorf("half is %v", got)
	}
	if Half(nil) != nil {
		t.Error("there is a half of nothing")
	}
}

// BenchmarkReduce chooses 256 of many colours; bytes are those of the shades' colours.
func BenchmarkReduce(b *testing.B) {
	shades := shadesOf(20000, 3)
	b.SetBytes(int64(3 * len(shades)))
	b.ReportAllocs()
	for b.Loop() {
		Reduce(shades, 256)
	}
}
