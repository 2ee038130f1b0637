package scene

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/schema/asset"
)

// Tolerance says how much two vertices may differ and still be the same.
type Tolerance struct {
	Position float64 // relative to the largest coordinate of the surface
	TexCoord float64 // relative to the coordinate, absolute below 1
	Normal   float64 // distance of the unit vectors
	Color    float64 // of a linear component; distinguishes vertices in one place, but a new colour is no change
}

// normalRounding is by how much Blender rounds a unit vector. It holds the normal of a corner as two angles about the one that the
// mesh has there: an angle whose cosine is within 1e-4 of 1 is none, which moves the vector by √(2·1e-4); each angle has 16
// bits, of which half a step is 1e-4 of it.
const normalRounding = 1.4143e-2 + 2*1e-4

// EditorTolerance is how much an editor changes a surface that nobody edits.
var EditorTolerance = Tolerance{Position: 1e-6, TexCoord: 1e-5, Normal: normalRounding, Color: 4e-3}

// Matching is the correspondence between an edited surface and the original.
type Matching struct {
	// Vertices holds for each vertex of the surface its vertex in the original, or -1 if it is new. If an editor split a
	// vertex, several have the same one.
	Vertices []int
	// Triangles holds for each triangle of the surface the triangle of the original that joins the same vertices, or -1 if it
	// is new.
	Triangles []int
	// Sources holds for each vertex of the original one of its vertices in the surface, or -1. It may be -1 for vertices that
	// no triangle uses, and for duplicates that an editor merged.
	Sources []int
	// Complete is true if every triangle of either surface has its counterpart. Vertices may have moved. Degenerate and
	// duplicate triangles need no counterpart, since editors drop them.
	Complete bool
	// Same is true if the surfaces are Complete and no vertex changed by more than the tolerance.
	Same bool
}

// Match finds the vertices and triangles of an original in an edited surface. It matches vertices by position; if several
// share a position, by normal and texture coordinates; and if a vertex has moved, by the triangles around it. It considers
// triangles only. Time and memory are proportional to the number of vertices and triangles.
func Match(original, surface *asset.Primitive, tol Tolerance) *Matching {
	m := newMatcher(original, surface, tol)
	if m.identity(0.5) {
		r := m.result()
		if r.Same {
			return r
		}
		m = newMatcher(original, surface, tol) // the same triangles may join others: two equal grids that changed places
		m.byPosition()
		if other := m.result(); other.Same {
			return other
		}
		return r
	}
	m.byPosition()
	m.byTriangles()
	if m.unmatched() > len(m.of)/2 {
		m.identity(0)
	}
	return m.result()
}

func newMatcher(original, surface *asset.Primitive, tol Tolerance) *matcher {
	m := &matcher{a: finite(original), b: finite(surface), tol: tol}
	m.reach = tol.Position * max(Extent(original.Positions), 1e-30)
	m.ai, m.bi = triangles(original), triangles(surface)
	m.of = filled(len(surface.Positions))
	m.source = filled(len(original.Positions))
	return m
}

type matcher struct {
	a, b       *asset.Primitive
	tol        Tolerance
	reach      float64     // absolute position tolerance
	ai, bi     [][3]uint32 // triangles
	of, source []int       // b to a, a to b
	flat       []bool      // vertices of b that no triangle with an area has; nil until somebody asks
	exact      bool        // normals of those count too
}

func filled(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = -1
	}
	return v
}

func triangles(p *asset.Primitive) [][3]uint32 {
	if p.Indices == nil {
		t := make([][3]uint32, len(p.Positions)/3)
		for i := range t {
			t[i] = [3]uint32{uint32(3 * i), uint32(3*i + 1), uint32(3*i + 2)}
		}
		return t
	}
	t := make([][3]uint32, len(p.Indices)/3)
	for i := range t {
		t[i] = [3]uint32(p.Indices[3*i:])
	}
	return t
}

// finite returns a primitive without infinite values and NaN in its positions and texture coordinates: they are 0, as
// glTF has them.
func finite(p *asset.Primitive) *asset.Primitive {
	out := p
	change := func() {
		if out == p {
			c := *p
			c.TexCoords = slices.Clone(p.TexCoords)
			out = &c
		}
	}
	if slices.ContainsFunc(p.Positions, func(v [3]float32) bool { return !isFinite(v[:]...) }) {
		change()
		out.Positions = slices.Clone(p.Positions)
		for i := range out.Positions {
			clean(out.Positions[i][:])
		}
	}
	for k, uv := range p.TexCoords {
		if slices.ContainsFunc(uv, func(v [2]float32) bool { return !isFinite(v[:]...) }) {
			change()
			out.TexCoords[k] = slices.Clone(uv)
			for i := range uv {
				clean(out.TexCoords[k][i][:])
			}
		}
	}
	return out
}

func isFinite(v ...float32) bool {
	for _, x := range v {
		if x-x != 0 {
			return false
		}
	}
	return true
}

func clean(v []float32) {
	for i, x := range v {
		if x-x != 0 {
			v[i] = 0
		}
	}
}

// identity takes the vertices in their order when the triangles are the same and enough vertices are unmoved.
func (m *matcher) identity(share float64) bool {
	if len(m.of) != len(m.source) || len(m.ai) != len(m.bi) {
		return false
	}
	for i := range m.ai {
		if m.ai[i] != m.bi[i] {
			return false
		}
	}
	same := 0
	for i := range m.of {
		if m.near(i, i) {
			same++
		}
	}
	if float64(same) < share*float64(len(m.of)) {
		return false
	}
	for i := range m.of {
		m.of[i], m.source[i] = i, i
	}
	return true
}

func (m *matcher) unmatched() (n int) {
	for _, a := range m.of {
		if a < 0 {
			n++
		}
	}
	return n
}

// near reports whether vertex a of the original and b of the surface share a position.
func (m *matcher) near(a, b int) bool {
	p, q := &m.a.Positions[a], &m.b.Positions[b]
	for k := range p {
		if p[k] != q[k] && !(math.Abs(float64(p[k])-float64(q[k])) <= m.reach) {
			return false
		}
	}
	return true
}

// cost is how much the normals and texture coordinates of two vertices differ, in tolerances: at most 1 is the same.
func (m *matcher) cost(a, b int) (c float64) {
	if a < len(m.a.Normals) && b < len(m.b.Normals) {
		n, o := m.a.Normals[a], m.b.Normals[b]
		if l := length(n); l > 1e-6 && l-l == 0 { // normals have unit length once they are in glTF
			n = [3]float32{float32(float64(n[0]) / l), float32(float64(n[1]) / l), float32(float64(n[2]) / l)}
		} else {
			n = o
		}
		d := math.Hypot(math.Hypot(float64(n[0]-o[0]), float64(n[1]-o[1])), float64(n[2]-o[2])) / m.tol.Normal
		switch { // what editors give to triangles without an area says nothing
		case length(o) < 0.5:
			d = 0
		case d > 1 && !m.exact && m.isFlat(b):
			d = 1
		}
		c = max(c, d)
	}
	for k := range min(len(m.a.TexCoords), len(m.b.TexCoords)) {
		if a >= len(m.a.TexCoords[k]) || b >= len(m.b.TexCoords[k]) {
			continue
		}
		s, t := m.a.TexCoords[k][a], m.b.TexCoords[k][b]
		for i := range s {
			d := math.Abs(float64(s[i])-float64(t[i])) / max(1, math.Abs(float64(s[i])))
			c = max(c, d/m.tol.TexCoord)
		}
	}
	if math.IsNaN(c) {
		return math.Inf(1)
	}
	return c
}

// isFlat reports whether all triangles around a vertex of the surface have next to no area.
func (m *matcher) isFlat(b int) bool {
	if m.bi == nil {
		return false
	}
	if m.flat == nil {
		m.flat = slices.Repeat([]bool{true}, len(m.b.Positions))
		for _, t := range m.bi {
			if !m.isSliver(t) {
				m.flat[t[0]], m.flat[t[1]], m.flat[t[2]] = false, false, false
			}
		}
	}
	return m.flat[b]
}

// isSliver reports whether a triangle of the surface is no higher than what a place may be off by, or next to nothing of its
// length: editors find no normal of such a one.
func (m *matcher) isSliver(t [3]uint32) bool {
	p, q, r := Wide3(m.b.Positions[t[0]]), Wide3(m.b.Positions[t[1]]), Wide3(m.b.Positions[t[2]])
	longest := max(q.Sub(p).Len(), r.Sub(q).Len(), p.Sub(r).Len())
	return q.Sub(p).Cross(r.Sub(p)).Len() <= max(m.reach, 1e-4*longest)*longest
}

// tint is how much the colours of two vertices differ, in tolerances; within one it is nothing.
func (m *matcher) tint(a, b int) (c float64) {
	if a >= len(m.a.Colors) || b >= len(m.b.Colors) {
		return 0
	}
	for k, x := range m.a.Colors[a] {
		c = max(c, math.Abs(float64(x)-float64(m.b.Colors[b][k]))/m.tol.Color)
	}
	if !(c > 1) {
		return 0
	}
	return c
}

func length(v [3]float32) float64 {
	return math.Hypot(math.Hypot(float64(v[0]), float64(v[1])), float64(v[2]))
}

// byPosition matches vertices that share a position: those whose other attributes agree first, then those that differ in
// colour alone, the rest by the least difference among the originals that are left.
func (m *matcher) byPosition() {
	index := newIndex(m.reach, len(m.source))
	for _, p := range m.a.Positions {
		index.Add(p)
	}
	for _, pass := range []struct{ exact, strict, tinted bool }{{true, true, true}, {true, true, false}, {false, true, true}, {false, true, false}, {false, false, true}} {
		m.exact = pass.exact // so that flat ones take no original that is another's
		for b := range m.of {
			if m.of[b] >= 0 {
				continue
			}
			best, bestCost := -1, math.Inf(1)
			index.around(m.b.Positions[b], func(a int) bool {
				c := m.cost(a, b)
				if pass.tinted {
					c += m.tint(a, b)
				}
				taken := m.source[a] >= 0
				if pass.strict && c > 1 || !pass.strict && taken {
					return true
				}
				if pass.strict && taken {
					c += 2 // rather an original that has no counterpart yet
				}
				if best < 0 || c < bestCost {
					best, bestCost = a, c
				}
				return true
			})
			if best >= 0 {
				m.take(best, b)
			}
		}
	}
}

func (m *matcher) take(a, b int) {
	m.of[b] = a
	if m.source[a] < 0 {
		m.source[a] = b
	}
}

// byTriangles matches a vertex that has moved: it completes a triangle whose other two vertices are known.
func (m *matcher) byTriangles() {
	type edge [2]int
	opposite := make(map[edge][]int, 3*len(m.ai))
	for _, t := range m.ai {
		for k := range 3 {
			e := edge{int(t[k]), int(t[(k+1)%3])}
			opposite[e] = append(opposite[e], int(t[(k+2)%3]))
		}
	}
	progress := true
	for pass := 0; progress && pass < 64; pass++ {
		progress = false
		for _, t := range m.bi {
			for k := range 3 {
				b := int(t[(k+2)%3])
				e := edge{m.of[t[k]], m.of[t[(k+1)%3]]}
				if m.of[b] >= 0 || e[0] < 0 || e[1] < 0 {
					continue
				}
				for _, a := range opposite[e] {
					// An original that has its counterpart may be this one too, when an editor split the vertex it moved.
					if other := m.source[a]; other < 0 || m.b.Positions[other] == m.b.Positions[b] {
						m.take(a, b)
						progress = true
						break
					}
				}
			}
		}
	}
}

// result finds the triangles that join the same vertices and compares what is joined.
func (m *matcher) result() *Matching {
	class := m.classes()
	original, surface := make([]Face, len(m.ai)), make([]Face, len(m.bi))
	for i, t := range m.ai {
		original[i] = Face{class[t[0]], class[t[1]], class[t[2]]}
	}
	for i, t := range m.bi {
		for k, b := range t {
			surface[i][k] = -1
			if a := m.of[b]; a >= 0 {
				surface[i][k] = class[a]
			}
		}
	}
	pairs := PairFaces(original, surface, nil)
	r := &Matching{Vertices: m.of, Sources: m.source, Triangles: pairs.Of, Complete: pairs.Complete(surface)}
	r.Same = r.Complete
	for b, a := range m.of {
		if r.Same && (a < 0 || !m.near(a, b) || m.cost(a, b) > 1) {
			r.Same = false
		}
	}
	return r
}

// classes gives vertices of the original that are alike, up to the tolerance, the same number, since editors merge them
// or take one for the other.
func (m *matcher) classes() []int {
	self := &matcher{a: m.a, b: m.a, tol: m.tol, reach: m.reach}
	class := make([]int, len(m.source))
	index, of := newIndex(m.reach, len(class)), make([]int, 0, len(class)) // the first of each class
	for a, p := range m.a.Positions {
		class[a] = a
		index.around(p, func(i int) bool {
			if other := of[i]; self.cost(other, a)+self.tint(other, a) <= 1 {
				class[a] = other
			}
			return class[a] == a
		})
		if class[a] == a {
			index.Add(p)
			of = append(of, a)
		}
	}
	return class
}
