package scene

import (
	"math"
	"slices"
	"testing"
)

// TestIndexHeap: in a heap of points in one place so many are looked at as a heap has, and until one is enough.
func TestIndexHeap(t *testing.T) {
	x := newIndex(0.1, 0)
	for range heap + 5 {
		x.Add([3]float32{1, 1, 1})
	}
	var all []int
	x.around([3]float32{1, 1, 1}, func(i int) bool { all = append(all, i); return true })
	if len(all) != heap || all[0] != 0 || all[heap-1] != heap-1 {
		t.Errorf("%d points", len(all))
	}
	n := 0
	x.around([3]float32{1, 1, 1}, func(i int) bool { n++; return n < 3 })
	if n != 3 {
		t.Errorf("%d points, 3 are enough", n)
	}
	if got := x.Add([3]float32{5, 5, 5}); got != heap+5 || x.Len() != heap+6 || x.Find([3]float32{5, 5, 5}) != got {
		t.Errorf("the next point is %d of %d", got, x.Len())
	}
}

// TestIndexNearest: of several points in reach it is the nearest by its largest difference, of equally near ones the first.
func TestIndexNearest(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		name   string
		points [][3]float32
		at     [3]float32
		want   int
	}{
		{"the only one", [][3]float32{{1, 0, 0}}, [3]float32{1.25, 0, 0}, 0}, {"too far", [][3]float32{{1, 0, 0}}, [3]float32{1.75, 0, 0}, -1}, {"at the reach", [][3]float32{{1, 0, 0}}, [3]float32{1.5, 0, 0}, 0},
		{"the nearest", [][3]float32{{1.5, 0, 0}, {1.25, 0, 0}, {0.5, 0, 0}}, [3]float32{1, 0, 0}, 1}, {"the first of two", [][3]float32{{1.25, 0, 0}, {0.75, 0, 0}}, [3]float32{1, 0, 0}, 0},
		{"the first of two in two cells", [][3]float32{{0.25, 0, 0}, {-0.25, 0, 0}}, [3]float32{0, 0, 0}, 0}, {"the other way round", [][3]float32{{-0.25, 0, 0}, {0.25, 0, 0}}, [3]float32{0, 0, 0}, 0},
		{"by the largest difference", [][3]float32{{0.25, 0.5, 0}, {0.375, 0.375, 0.375}}, [3]float32{0, 0, 0}, 1}, {"along z", [][3]float32{{0, 0, 0.5}, {0, 0, 0.25}}, [3]float32{}, 1},
		{"equal and infinite", [][3]float32{{inf, 0, 0.25}, {inf, 0, 0}}, [3]float32{inf, 0, 0}, 1},
	} {
		x := newIndex(0.5, 4)
		for _, p := range c.points {
			x.Add(p)
		}
		if got := x.Find(c.at); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if got := Extent([][3]float32{{1, -7, 2}, {inf, 3, -inf}, {0, 0, 6}}); got != 7 {
		t.Errorf("extent %v", got)
	}
	if got := Extent(nil); got != 0 {
		t.Errorf("extent of nothing %v", got)
	}
	x := newIndex(0, 1)
	if a, b := x.Number([3]float32{1, 2, 3}), x.Number([3]float32{1, 2, 3.0000002}); a != 0 || b != 1 || x.Number([3]float32{1, 2, 3}) != 0 {
		t.Error("a reach of nothing finds equal points only")
	}
	numbers, places := NumberPlaces([][3]float32{{0, 0, 0}, {0.25, 0, 0}, {0.75, 0, 0}, {0.25, 0, 0}, {9, 0, 0}}, 0.5)
	if !slices.Equal(numbers, []int{0, 0, 1, 0, 2}) || places.Len() != 3 {
		t.Error(numbers, places.Len())
	}
}

// TestLarger: of two sizes it is the larger one that is finite.
func TestLarger(t *testing.T) {
	for _, c := range []struct{ size, x, want float64 }{{1, 2, 2}, {1, -2, 2}, {3, 2, 3}, {3, -4, 4}, {1, math.MaxFloat64, math.MaxFloat64}, {1, math.Inf(1), 1}, {1, math.Inf(-1), 1}, {1, math.NaN(), 1}, {0, 0.5, 0.5}} {
		if got := larger(c.size, c.x); got != c.want {
			t.Errorf("%v and %v: %v", c.size, c.x, got)
		}
	}
}
