package mesh

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// shadedTriangle is a triangle by the numbers of its corners, with what a scene says about each corner.
type shadedTriangle struct {
	corners [3]int
	shades  [3]shade
}

// shade is where a vertex stands in its own mesh, and its normal; the zero normal says nothing.
type shade struct{ position, normal [3]float32 }

func shadeOf(p *asset.Primitive, i int) (s shade) {
	s.position = p.Positions[i]
	if i < len(p.Normals) {
		s.normal = p.Normals[i]
	}
	return s
}

// shadedBy returns faces by the numbers of their corners' places.
func (g *geometry) shadedBy(number []int, of func(corner int) shade) []shadedTriangle {
	list := make([]shadedTriangle, len(g.faces))
	for i, f := range g.faces {
		for k, c := range f.corners {
			list[i].corners[k], list[i].shades[k] = number[c], of(c)
		}
		if g.loses {
			list[i].forget()
		}
	}
	return list
}

// losesNormals reports whether the program that wrote a scene writes [restore.NoNormal] for normals that it loses.
func losesNormals(s *asset.Scene) bool { return restore.Does(s, restore.LosesNormals) }

// forget makes corners say nothing whose normals an editor lost: not of a triangle all of whose normals point up, as
// somebody may have turned them.
func (t *shadedTriangle) forget() {
	if !slices.ContainsFunc(t.shades[:], func(s shade) bool { return s.normal != restore.NoNormal }) {
		return
	}
	for k := range t.shades {
		if t.shades[k].normal == restore.NoNormal {
			t.shades[k].normal = [3]float32{}
		}
	}
}

// How far a normal may be from the one that the engine computes before it counts as another: as editors return it, and
// where the geometry was edited, so that they and the engine may differ about it.
const (
	sameNormal   = 0.05
	editedNormal = 0.5
)

// thin reports whether the corners lie in a line, up to rounding: editors have no normal of such a triangle.
func (t *shadedTriangle) thin() bool {
	a, b, c := distance(t.shades[0].position, t.shades[1].position), distance(t.shades[1].position, t.shades[2].position), distance(t.shades[2].position, t.shades[0].position)
	longest := max(a, b, c)
	return a+b+c-2*longest <= 1e-9*longest
}

// shades is what triangles say about their corners, whichever way they face.
type shades map[placedCorner][]shade

type placedCorner struct {
	triangle [3]int
	corner   int
}

func (t *shadedTriangle) key(k int) placedCorner {
	c := t.corners
	slices.Sort(c[:])
	return placedCorner{c, t.corners[k]}
}

func shadesOf(triangles []shadedTriangle) shades {
	m := make(shades, 3*len(triangles))
	for i := range triangles {
		for k, s := range triangles[i].shades {
			key := triangles[i].key(k)
			m[key] = append(m[key], s)
		}
	}
	return m
}

// tellNormals reports how many corners of a scene have normals that the engine will not show, since it computes one for
// each vertex itself. was are the triangles of the mesh before the edit, is those after it; edited reports whether they
// differ. Corners are numbered by position.
func tellNormals(now, was, is []shadedTriangle, edited bool, path string, d *schema.Diagnostics) {
	limit := sameNormal
	if edited {
		limit = editedNormal
	}
	before, after := shadesOf(was), shadesOf(is)
	lost, computed := 0, 0
	for i := range now {
		t := &now[i]
		if c := t.corners; c[0] == c[1] || c[1] == c[2] || c[0] == c[2] || min(c[0], c[1], c[2]) < 0 || t.thin() {
			continue // nobody sees it
		}
		for k := range t.shades {
			key := t.key(k)
			shown := func(list []shade, limit float64) bool {
				return slices.ContainsFunc(list, func(s shade) bool { return s.near(&t.shades[k], limit) })
			}
			switch {
			case len(after[key]) == 0 || shown(after[key], limit):
			case shown(before[key], sameNormal):
				computed++
			default:
				lost++
			}
		}
	}
	if lost > 0 {
		d.Lossf("normals", path, "%d corners of triangles have other normals than the engine computes: it stores none, and smooths around each vertex", lost)
	}
	if computed > 0 {
		d.Notef("normals-computed", path, "at %d corners of triangles the engine computes other normals than before, since what is around them has changed", computed)
	}
}

// near reports whether a shown corner has the normal of s, or does not say.
func (s *shade) near(shown *shade, limit float64) bool {
	if shown.normal == [3]float32{} || distance(s.position, shown.position) > 1e-3*max(1, distance(s.position, [3]float32{})) {
		return true // an edit moved it, or its node
	}
	return distance(s.normal, shown.normal) <= limit
}

func distance(a, b [3]float32) float64 {
	sum := 0.0
	for k := range a {
		d := float64(a[k]) - float64(b[k])
		sum += d * d
	}
	return math.Sqrt(sum)
}
