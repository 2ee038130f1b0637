package ultimate3d

import (
	"github.com/usher-assets/usher/convert/scene"
)

// shown returns the vertices of a shown triangle.
func (e *meshEdit) shown(i int) [3]int {
	return [3]int{int(e.now.Indices[3*i]), int(e.now.Indices[3*i+1]), int(e.now.Indices[3*i+2])}
}

// pair finds the stored triangle of each shown one by the places of its corners, since of several vertices in one place
// an editor may have taken any. Where several triangles join the same places, those that look the same belong together.
func (e *meshEdit) pair() {
	place, _ := scene.NumberPlaces(e.was.Positions, e.reach)
	original, shown := make([]scene.Face, len(e.numbers)), make([]scene.Face, len(e.match.Triangles))
	for t := range original {
		original[t] = scene.Face{place[e.was.Indices[3*t]], place[e.was.Indices[3*t+1]], place[e.was.Indices[3*t+2]]}
	}
	for i := range shown {
		for k, b := range e.shown(i) {
			shown[i][k] = -1
			if a := e.match.Vertices[b]; a >= 0 {
				shown[i][k] = place[a]
			}
		}
	}
	e.pairs = scene.PairFaces(original, shown, e.alike)
	e.match.Triangles = e.pairs.Of
	e.gone = make([]bool, len(original))
	for _, t := range e.pairs.Gone() {
		e.gone[t] = !e.flat(t)
	}
}

// alike reports whether a shown triangle is a stored one without any edit.
func (e *meshEdit) alike(t, i, turn int) bool {
	for k, b := range e.shown(i) {
		if e.mark(int(e.was.Indices[3*t+(k+turn)%3]), b) != "" {
			return false
		}
	}
	return e.material(i) == e.numbers[t]
}

// flat reports whether a stored triangle has no area. Nobody sees its normals, and editors give it any.
func (e *meshEdit) flat(t int) bool {
	var p [3][3]float32
	for k, a := range e.corners(t) {
		p[k] = e.was.Positions[a]
	}
	return isFlat(p, e.reach)
}

// stillFlat reports whether a shown triangle and the stored one that it is have no area.
func (e *meshEdit) stillFlat(t, i int) bool {
	s := e.shown(i)
	return e.flat(t) && isFlat([3][3]float32{e.now.Positions[s[0]], e.now.Positions[s[1]], e.now.Positions[s[2]]}, sameReach*scene.Extent(e.now.Positions))
}

func isFlat(p [3][3]float32, reach float64) bool {
	if p[0] == p[1] || p[1] == p[2] || p[0] == p[2] {
		return true
	}
	c := cross(p[0], p[1], p[2])
	return c[0]*c[0]+c[1]*c[1]+c[2]*c[2] <= reach*reach*reach*reach
}

// corners returns the vertices of a stored triangle.
func (e *meshEdit) corners(t int) [3]int {
	return [3]int{int(e.was.Indices[3*t]), int(e.was.Indices[3*t+1]), int(e.was.Indices[3*t+2])}
}
