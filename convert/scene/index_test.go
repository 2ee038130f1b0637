package scene

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestIndex(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	x := newIndex(0.1, 0)
	for _, p := range [][3]float32{{0, 0, 0}, {1, 1, 1}, {1.05, 1, 1}, {-0.4, 0, 0}, {inf, 0, 0}, {nan, 0, 0}, {3e38, 3e38, -3e38}} {
		x.Add(p)
	}
	for _, c := range []struct {
		p    [3]float32
		want int
	}{
		{[3]float32{}, 0},
		{[3]float32{float32(math.Copysign(0, -1)), 0.09, -0.09}, 0},
		{[3]float32{0.09, 0.11, 0}, -1},
		{[3]float32{1.04, 1, 1}, 2},
		{[3]float32{1.02, 1, 1}, 1},
		{[3]float32{-0.31, 0.05, 0}, 3},
		{[3]float32{inf, 0, 0}, 4},
		{[3]float32{nan, 0, 0}, -1},
		{[3]float32{3e38, 3e38, -3e38}, 6},
		{[3]float32{-3e38, 3e38, 3e38}, -1},
	} {
		if got := x.Find(c.p); got != c.want {
			t.Errorf("%v: %d, want %d", c.p, got, c.want)
		}
	}
	if n := x.Number([3]float32{5, 5, 5}); n != 7 || x.Number([3]float32{5.05, 5, 5}) != 7 || x.Len() != 8 {
		t.Error("a new place is not found again")
	}
}

// TestIndexAny: what is found is what a slow search finds.
func TestIndexAny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reach := rapid.SampledFrom([]float64{1e-3, 0.1, 0.5}).Draw(t, "reach")
		point := rapid.Custom(func(t *rapid.T) (p [3]float32) {
			for k := range p {
				p[k] = rapid.Float32Range(-1, 1).Draw(t, "v")
			}
			return p
		})
		points := rapid.SliceOfN(point, 0, 40).Draw(t, "points")
		x := newIndex(reach, len(points))
		for _, p := range points {
			x.Add(p)
		}
		q := point.Draw(t, "q")
		var want, got []int
		for i, p := range points {
			if x.Near(p, q) {
				want = append(want, i)
			}
		}
		x.around(q, func(i int) bool { got = append(got, i); return true })
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestNumberPlaces(t *testing.T) {
	numbers, places := NumberPlaces([][3]float32{{0, 0, 0}, {1, 0, 0}, {1e-7, 0, 0}, {1, 0, 0}, {2, 0, 0}}, 1e-6)
	if !slices.Equal(numbers, []int{0, 1, 0, 1, 2}) || places.Len() != 3 {
		t.Error(numbers, places.Len())
	}
}

func TestPairFaces(t *testing.T) {
	original := []Face{{0, 1, 2}, {2, 1, 3}, {0, 1, 2}, {4, 4, 5}, {1, 0, 2}, {6, 7, 8}}
	surface := []Face{{1, 2, 0}, {9, 9, -1}, {3, 2, 1}, {2, 1, 0}, {1, 2, 0}, {0, 1, 2}}
	p := PairFaces(original, surface, func(a, b, turn int) bool { return !(a == 0 && b == 0) })
	if !slices.Equal(p.Of, []int{2, -1, 1, 4, 0, -1}) {
		t.Error(p.Of)
	}
	for b, a := range p.Of {
		for k := range 3 {
			if a >= 0 && surface[b][k] != original[a][(k+p.Turn[b])%3] {
				t.Errorf("face %d: corner %d is turned wrongly by %d", b, k, p.Turn[b])
			}
		}
	}
	if !slices.Equal(p.Gone(), []int{5}) {
		t.Error(p.Gone())
	}
	if p.Complete(surface) {
		t.Error("complete without its last face")
	}
	q := PairFaces(original[:5], surface[:1], nil)
	if q.Of[0] != 0 || !slices.Equal(q.Gone(), []int{1}) {
		t.Error(q.Of, q.Gone())
	}
}

// TestPairFacesHeap: a heap of faces in one place takes no longer than others.
func TestPairFacesHeap(t *testing.T) {
	list := make([]Face, 1<<16)
	p := PairFaces(list, list, func(a, b, turn int) bool { return false })
	if p.Of[0] != 0 {
		t.Error(p.Of[0])
	}
	for i := range list {
		list[i] = Face{1, 2, 3}
	}
	if p = PairFaces(list, list, nil); p.Of[1<<15] != 1<<15 || !p.There[1<<16-1] {
		t.Error("equal faces are not paired in their order")
	}
}

func BenchmarkNumberPlaces(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	points := make([][3]float32, 1<<16)
	for i := range points {
		points[i] = [3]float32{r.Float32(), r.Float32(), r.Float32()}
	}
	copy(points[1<<15:], points)
	b.SetBytes(12 << 16)
	b.ReportAllocs()
	for b.Loop() {
		NumberPlaces(points, 1e-6)
	}
}
