package ultimate3d

import (
	"math"
	"slices"
)

// shown returns the vertices of a shown triangle.
func (e *meshEdit) shown(i int) [3]int {
	return [3]int{int(e.now.Indices[3*i]), int(e.now.Indices[3*i+1]), int(e.now.Indices[3*i+2])}
}

// pair finds the stored triangle of each shown one by the places of its corners, since of several vertices in one place
// an editor may have taken any. Where several triangles join the same places, those that look the same belong together.
func (e *meshEdit) pair() {
	e.place = places(e.was.Positions, e.reach)
	at := map[[3]int][]int{}
	for t := range e.numbers {
		key := lowestFirst([3]int{e.place[e.was.Indices[3*t]], e.place[e.was.Indices[3*t+1]], e.place[e.was.Indices[3*t+2]]})
		at[key] = append(at[key], t)
	}
	for i := range e.match.Triangles {
		e.match.Triangles[i] = -1
	}
	for _, strict := range []bool{true, false} {
	shown:
		for i := range e.match.Triangles {
			var key [3]int
			for k, b := range e.shown(i) {
				a := e.match.Vertices[b]
				if a < 0 || e.match.Triangles[i] >= 0 {
					continue shown
				}
				key[k] = e.place[a]
			}
			key = lowestFirst(key)
			for n, t := range at[key] {
				if n >= 64 {
					break // a heap of triangles in one place: they are new ones
				}
				if strict && !e.alike(t, i) {
					continue
				}
				e.match.Triangles[i] = t
				at[key] = slices.Delete(at[key], n, n+1)
				break
			}
		}
	}
}

// alike tells whether a shown triangle is a stored one without any edit.
func (e *meshEdit) alike(t, i int) bool {
	s := e.shown(i)
	turn := e.turn(t, s)
	for k := range 3 {
		if e.mark(int(e.was.Indices[3*t+k]), s[(k+turn)%3]) != "" {
			return false
		}
	}
	return e.material(i) == e.numbers[t]
}

// places numbers positions: those within reach of each other have the same number.
func places(positions [][3]float32, reach float64) []int {
	type cell [3]int64
	size := 4 * reach
	cells := map[cell][]int{}
	numbers := make([]int, len(positions))
	for i, p := range positions {
		numbers[i] = i
		var low, high cell
		for k, x := range p {
			low[k], high[k] = int64(math.Floor((float64(x)-reach)/size)), int64(math.Floor((float64(x)+reach)/size))
		}
	search:
		for x := low[0]; x <= high[0]; x++ {
			for y := low[1]; y <= high[1]; y++ {
				for z := low[2]; z <= high[2]; z++ {
					for _, other := range cells[cell{x, y, z}] {
						if numbers[other] == other && closeTo(positions[other], p, reach) {
							numbers[i] = other
							break search
						}
					}
				}
			}
		}
		if numbers[i] != i {
			continue
		}
		var c cell
		for k, x := range p {
			c[k] = int64(math.Floor(float64(x) / size))
		}
		cells[c] = append(cells[c], i)
	}
	return numbers
}

func closeTo(p, q [3]float32, reach float64) bool {
	for k := range p {
		if !(math.Abs(float64(p[k])-float64(q[k])) <= reach) {
			return false
		}
	}
	return true
}

// lowestFirst turns a triangle so that its lowest number comes first, keeping the winding.
func lowestFirst(t [3]int) [3]int {
	for t[0] > t[1] || t[0] > t[2] {
		t = [3]int{t[1], t[2], t[0]}
	}
	return t
}

// there tells which stored triangles are still shown.
func (e *meshEdit) there() []bool {
	there := make([]bool, len(e.numbers))
	for _, t := range e.match.Triangles {
		if t >= 0 {
			there[t] = true
		}
	}
	return there
}

// vain tells whether a stored triangle shows nothing: it has no area, or another one covers it.
func (e *meshEdit) vain(t int) bool {
	if e.flat(t) {
		return true
	}
	if e.covered == nil {
		e.covered = map[[3]int]bool{}
		for _, other := range e.match.Triangles {
			if other >= 0 {
				e.covered[e.joined(other)] = true
			}
		}
	}
	return e.covered[e.joined(t)]
}

// flat tells whether a stored triangle has no area. Nobody sees its normals, and editors give it any.
func (e *meshEdit) flat(t int) bool {
	p := e.corners(t)
	if p[0] == p[1] || p[1] == p[2] || p[0] == p[2] {
		return true
	}
	c := cross(p[0], p[1], p[2])
	return c[0]*c[0]+c[1]*c[1]+c[2]*c[2] <= e.reach*e.reach*e.reach*e.reach
}

// joined returns the places that a stored triangle joins, whichever way it faces.
func (e *meshEdit) joined(t int) [3]int {
	key := [3]int{e.place[e.was.Indices[3*t]], e.place[e.was.Indices[3*t+1]], e.place[e.was.Indices[3*t+2]]}
	slices.Sort(key[:])
	return key
}

func (e *meshEdit) corners(t int) (p [3][3]float32) {
	for k := range p {
		p[k] = e.was.Positions[e.was.Indices[3*t+k]]
	}
	return p
}

// turn returns by how much a shown triangle is turned against the stored one.
func (e *meshEdit) turn(t int, s [3]int) (best int) {
	most := -1
	for turn := range 3 {
		score := 0
		for k := range 3 {
			a, of := int(e.was.Indices[3*t+k]), e.match.Vertices[s[(k+turn)%3]]
			if a == of {
				score += 2
			} else if of >= 0 && closeTo(e.was.Positions[a], e.was.Positions[of], e.reach) {
				score++
			}
		}
		if score > most {
			best, most = turn, score
		}
	}
	return best
}
