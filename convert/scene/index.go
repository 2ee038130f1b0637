package scene

import "math"

// Index finds points by position. Points whose coordinates differ by at most its reach are in the same place. Points are
// numbered in the order in which they are added. Time and memory are proportional to the number of points.
type Index struct {
	points [][3]float32
	reach  float64
	cells  map[cell]chain
	next   []int32 // the point behind each in its cell; −1 for the last
}

type cell [3]int64

// chain is the points of a cell.
type chain struct{ first, last int32 }

// heap is how many points of a cell are looked at: in a heap of points in one place any of them will do.
const heap = 128

// newIndex returns an index with room for n points. A reach of 0 finds equal points only.
func newIndex(reach float64, n int) *Index {
	return &Index{reach: max(reach, 1e-30), points: make([][3]float32, 0, n), cells: make(map[cell]chain, n), next: make([]int32, 0, n)}
}

// Extent returns the largest finite coordinate of the points. A reach is usually a fraction of it.
func Extent(points [][3]float32) (e float64) {
	for _, p := range points {
		for _, x := range p {
			e = larger(e, float64(x))
		}
	}
	return e
}

// larger returns the size of x where that is larger and finite.
func larger(size, x float64) float64 {
	if x = math.Abs(x); x > size && x <= math.MaxFloat64 {
		return x
	}
	return size
}

// Len returns the number of points.
func (x *Index) Len() int { return len(x.points) }

// Add adds a point and returns its number.
func (x *Index) Add(p [3]float32) int {
	n := int32(len(x.points))
	x.points, x.next = append(x.points, p), append(x.next, -1)
	c := x.cell(p, 0)
	list, ok := x.cells[c]
	if ok {
		x.next[list.last] = n
		list.last = n
	} else {
		list = chain{n, n}
	}
	x.cells[c] = list
	return int(n)
}

// wider is how far cells are looked for, in reaches: a little more than one, since sums are rounded.
const wider = 1.001

// cell returns the one that a point lies in when it is moved by so many times the reach.
func (x *Index) cell(p [3]float32, by float64) (c cell) {
	for k, v := range p {
		c[k] = int64(math.Floor((float64(v) + by*x.reach) / (4 * x.reach)))
	}
	return c
}

// NearOn returns a function that reports whether two points are in the same place, on a surface with these points.
func NearOn(points [][3]float32, tol Tolerance) func(p, q [3]float32) bool {
	return (&Index{reach: tol.Position * max(Extent(points), 1e-30)}).Near
}

// Near reports whether two points are in the same place.
func (x *Index) Near(p, q [3]float32) bool {
	for k := range p {
		if p[k] != q[k] && !(math.Abs(float64(p[k])-float64(q[k])) <= x.reach) {
			return false
		}
	}
	return true
}

// around calls f for the points within the reach of p until f returns false, cell by cell, in each by their numbers.
func (x *Index) around(p [3]float32, f func(i int) bool) {
	low, high := x.cell(p, -wider), x.cell(p, wider)
sides:
	for side := range 8 { // the cells that p comes into when it is moved by the reach
		c := low
		for k := range c {
			if side>>k&1 == 0 {
				continue
			}
			if high[k] == low[k] {
				continue sides
			}
			c[k] = high[k]
		}
		list, ok := x.cells[c]
		if !ok {
			continue
		}
		for i, n := list.first, 0; i >= 0 && n < heap; i, n = x.next[i], n+1 {
			if x.Near(x.points[i], p) && !f(int(i)) {
				return
			}
		}
	}
}

// Find returns the nearest point in the same place as p, or −1. Of equally near points it returns the first.
func (x *Index) Find(p [3]float32) int {
	best, least := -1, math.Inf(1)
	x.around(p, func(i int) bool {
		d := 0.0
		for k, v := range x.points[i] {
			if v != p[k] {
				d = max(d, math.Abs(float64(v)-float64(p[k])))
			}
		}
		if d < least || d == least && i < best {
			best, least = i, d
		}
		return true
	})
	return best
}

// Number returns the number of the point in the same place as p. If there is none, it adds p.
func (x *Index) Number(p [3]float32) int {
	if i := x.Find(p); i >= 0 {
		return i
	}
	return x.Add(p)
}

// NumberPlaces numbers the places of points from 0 on: points within reach of each other get the same number.
func NumberPlaces(points [][3]float32, reach float64) (numbers []int, places *Index) {
	places = newIndex(reach, len(points))
	numbers = make([]int, len(points))
	exact := make(map[[3]float32]int, len(points))
	for i, p := range points {
		n, ok := exact[p]
		if !ok {
			n = places.Number(p)
			exact[p] = n
		}
		numbers[i] = n
	}
	return numbers, places
}
