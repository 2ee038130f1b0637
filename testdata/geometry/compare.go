package main

import "math"

// size returns the greatest extent of triangles.
func size(all []triangle) float64 {
	lo, hi := box(all)
	return max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2], 0)
}

// intoBox stretches triangles along the axes so that they fill the box of others.
func intoBox(all, like []triangle) []triangle {
	lo, hi := box(all)
	to, end := box(like)
	out := make([]triangle, len(all))
	for i, t := range all {
		for c, p := range t {
			for k, x := range p {
				if out[i][c][k] = to[k]; hi[k] > lo[k] {
					out[i][c][k] += (x - lo[k]) / (hi[k] - lo[k]) * (end[k] - to[k])
				}
			}
		}
	}
	return out
}

func box(all []triangle) (lo, hi vec) {
	lo, hi = vec{math.Inf(1), math.Inf(1), math.Inf(1)}, vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, t := range all {
		for _, p := range t {
			for k, x := range p {
				lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
			}
		}
	}
	return lo, hi
}

// drawn leaves out triangles that have no area worth the name, which formats need not keep.
func drawn(all []triangle, size float64) []triangle {
	var out []triangle
	for _, t := range all {
		var a, b vec
		for k := range 3 {
			a[k], b[k] = t[1][k]-t[0][k], t[2][k]-t[0][k]
		}
		n := vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
		if math.Sqrt(n[0]*n[0]+n[1]*n[1]+n[2]*n[2]) > 1e-9*size*size {
			out = append(out, t)
		}
	}
	return out
}

// tolerances are the shares of a model's size that are tried, one after the other.
var tolerances = []float64{1e-6, 1e-5, 1e-4, 1e-3, 4e-3, 1e-2, 3e-2}

// result is how two sets of triangles compare.
type result struct {
	tolerance float64 // at which each has its like in the other set; +Inf when there is none
	missing   int     // triangles of the first that the second lacks at the coarsest tolerance
	extra     int
	in, out   int // triangles
}

// compare holds two sets of triangles against each other: the same corners in the same turn, in any order and number.
func compare(a, b []triangle) result {
	s := size(a)
	a, b = drawn(a, s), drawn(b, max(s, size(b)))
	var r result
	for _, t := range tolerances {
		if r = (result{tolerance: t, missing: unmatched(a, b, t*s), extra: unmatched(b, a, t*s)}); r.missing == 0 && r.extra == 0 {
			return r
		}
	}
	r.tolerance = math.Inf(1)
	return r
}

type cell [3]int64

// unmatched counts the triangles of a that have none like them among those of b.
func unmatched(a, b []triangle, tolerance float64) (n int) {
	side := 2*tolerance + 1e-30
	place := func(t *triangle) (c cell) {
		for k := range 3 {
			c[k] = int64(math.Floor((t[0][k] + t[1][k] + t[2][k]) / 3 / side))
		}
		return c
	}
	grid := map[cell][]int32{}
	for i := range b {
		c := place(&b[i])
		if len(grid[c]) < 4096 { // more of them are likely all the same
			grid[c] = append(grid[c], int32(i))
		}
	}
	for i := range a {
		if !found(&a[i], b, grid, place(&a[i]), tolerance) {
			n++
		}
	}
	return n
}

func found(t *triangle, b []triangle, grid map[cell][]int32, c cell, tolerance float64) bool {
	for x := int64(-1); x <= 1; x++ {
		for y := int64(-1); y <= 1; y++ {
			for z := int64(-1); z <= 1; z++ {
				for _, i := range grid[cell{c[0] + x, c[1] + y, c[2] + z}] {
					if alike(t, &b[i], tolerance) {
						return true
					}
				}
			}
		}
	}
	return false
}

// alike reports whether two triangles have the same corners in the same turn.
func alike(a, b *triangle, tolerance float64) bool {
	for turn := range 3 {
		ok := true
		for c := range 3 {
			p, q := &a[c], &b[(c+turn)%3]
			ok = ok && math.Abs(p[0]-q[0]) <= tolerance && math.Abs(p[1]-q[1]) <= tolerance && math.Abs(p[2]-q[2]) <= tolerance
		}
		if ok {
			return true
		}
	}
	return false
}
