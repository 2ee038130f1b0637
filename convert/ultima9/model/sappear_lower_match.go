package model

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/schema/ultima9"
)

// triangle is a visible face in the order in which corners are stored: clockwise seen from outside.
type triangle struct {
	corners  [3]corner
	material ultima9.Material // without its faces
	color    *[4]uint8        // nil when the mesh has no colours
}

// corner is a corner of a triangle; what the mesh does not have counts as unchanged.
type corner struct {
	position         [3]float32
	normal           [3]float32
	uv               [2]float32
	hasNormal, hasUV bool
}

// The tolerances of a comparison with what an editor returns.
const (
	positionTolerance = 1e-6 // of the largest coordinate
	uvTolerance       = 1e-5
	normalTolerance   = 1e-2
)

// places numbers positions: those within the tolerance of each other are the same place.
type places struct {
	exact map[[3]float32]int
	cells map[[3]int64][]int
	at    [][3]float32
	reach float64
}

func newPlaces(vertices [][3]float32) *places {
	p := &places{exact: make(map[[3]float32]int, len(vertices)), cells: make(map[[3]int64][]int, len(vertices))}
	for _, v := range vertices {
		for _, x := range v {
			p.reach = max(p.reach, math.Abs(float64(x)))
		}
	}
	p.reach = max(p.reach*positionTolerance, 1e-30)
	for _, v := range vertices {
		v = canonicalZero(v)
		if _, known := p.exact[v]; known {
			continue
		}
		i := len(p.at)
		p.exact[v] = i
		p.at = append(p.at, v)
		c := p.cell(v, 0)
		p.cells[c] = append(p.cells[c], i)
	}
	return p
}

// canonicalZero makes −0 and 0 one.
func canonicalZero(v [3]float32) [3]float32 {
	for k := range v {
		v[k] += 0
	}
	return v
}

func (p *places) cell(v [3]float32, side float64) (c [3]int64) {
	for k, x := range v {
		c[k] = int64(math.Floor((float64(x) + side*p.reach) / (4 * p.reach)))
	}
	return c
}

// find returns the number of the place at v, −1 when there is none.
func (p *places) find(v [3]float32) int {
	v = canonicalZero(v)
	if i, ok := p.exact[v]; ok {
		return i
	}
	low, high := p.cell(v, -1), p.cell(v, 1)
	best, least := -1, math.Inf(1)
	for x := low[0]; x <= high[0]; x++ {
		for y := low[1]; y <= high[1]; y++ {
			for z := low[2]; z <= high[2]; z++ {
				for n, i := range p.cells[[3]int64{x, y, z}] {
					if n >= 64 { // a heap of vertices in one place: any of them will do
						break
					}
					if d := distance(p.at[i], v); d <= p.reach && d < least {
						best, least = i, d
					}
				}
			}
		}
	}
	return best
}

// distance returns the largest difference of two coordinates.
func distance(a, b [3]float32) (d float64) {
	for k := range a {
		d = max(d, math.Abs(float64(a[k])-float64(b[k])))
	}
	return d
}

// pairing says which stored face a visible triangle is.
type pairing struct {
	face  int     // −1 for a new one
	turn  int     // corner k of the triangle is corner (k + turn) % 3 of the face
	same  bool    // the face is unchanged: corners, material
	exact [3]bool // corners whose normal and texture coordinates are unchanged
}

// match pairs visible triangles with stored faces that join the same places, each face once, those first that agree in
// everything. whole is true when nothing changed: every triangle is a face as it was, and no face is missing. Faces
// without area and second copies of a face may be missing, since editors take them out.
func match(stored []triangle, visible []triangle) (pairs []pairing, whole bool) {
	var vertices [][3]float32
	for i := range stored {
		for k := range stored[i].corners {
			vertices = append(vertices, stored[i].corners[k].position)
		}
	}
	p := newPlaces(vertices)
	faces := make(map[[3]int][]int, len(stored))
	keys := make([][3]int, len(stored))
	turns := make([]int, len(stored))
	for i := range stored {
		keys[i], turns[i] = p.key(&stored[i])
		faces[keys[i]] = append(faces[keys[i]], i)
	}
	pairs = make([]pairing, len(visible))
	taken := make([]bool, len(stored))
	for _, strict := range [2]bool{true, false} {
		for i := range visible {
			if strict {
				pairs[i] = pairing{face: -1}
			} else if pairs[i].face >= 0 {
				continue
			}
			key, turn := p.key(&visible[i])
			if key[0] < 0 {
				continue
			}
			for _, f := range faces[key] {
				if taken[f] {
					continue
				}
				x := compare(&stored[f], &visible[i], f, (turns[f]-turn+3)%3, flat(key))
				if strict && !x.same {
					continue
				}
				pairs[i], taken[f] = x, true
				break
			}
		}
	}
	whole = true
	for i := range pairs {
		whole = whole && pairs[i].face >= 0 && pairs[i].same
	}
	seen := map[[3]int]bool{}
	for f := range stored {
		if taken[f] {
			seen[keys[f]] = true
		}
	}
	for f := range stored {
		whole = whole && (taken[f] || flat(keys[f]) || seen[keys[f]])
	}
	return pairs, whole
}

// key returns the places of a triangle, the lowest first, and how far it was turned for that; places are −1 when one is
// not known.
func (p *places) key(t *triangle) (key [3]int, turn int) {
	for k := range key {
		if key[k] = p.find(t.corners[k].position); key[k] < 0 {
			return [3]int{-1, -1, -1}, 0
		}
	}
	first := key
	for k := 1; k < 3; k++ {
		if t := [3]int{first[k], first[(k+1)%3], first[(k+2)%3]}; slices.Compare(t[:], key[:]) < 0 {
			key, turn = t, k
		}
	}
	return key, turn
}

// flat reports whether a triangle has no area because corners share a place.
func flat(key [3]int) bool { return key[0] == key[1] || key[1] == key[2] || key[0] == key[2] }

// compare returns what is unchanged of a face. It ignores the corners of a face without area, which is invisible, since
// editors give them arbitrary normals.
func compare(f, t *triangle, face, turn int, flat bool) pairing {
	x := pairing{face: face, turn: turn, same: f.material == t.material && (t.color == nil || f.color != nil && *t.color == *f.color)}
	for k := range x.exact {
		x.exact[k] = flat || sameCorner(&f.corners[(k+turn)%3], &t.corners[k])
		x.same = x.same && x.exact[k]
	}
	return x
}

func sameCorner(a, b *corner) bool {
	if a.hasUV && b.hasUV {
		for k := range a.uv {
			if d := math.Abs(float64(a.uv[k]) - float64(b.uv[k])); !(d <= uvTolerance*max(1, math.Abs(float64(a.uv[k])))) {
				return false
			}
		}
	}
	return !b.hasNormal || distance(a.normal, b.normal) <= normalTolerance
}
