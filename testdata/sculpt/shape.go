// Package sculpt makes the models of testdata/show: a ship, a creature, a hall and a cottage, small, but shaped and painted
// as models of games are. Tests hold the files against what is made here, so the two never part.
package sculpt

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/schema/asset"
)

type vec [3]float64

func (a vec) plus(b vec) vec             { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) times(f float64) vec        { return vec{a[0] * f, a[1] * f, a[2] * f} }
func (a vec) minus(b vec) vec            { return a.plus(b.times(-1)) }
func (a vec) dot(b vec) float64          { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) length() float64            { return math.Sqrt(a.dot(a)) }
func (a vec) unit() vec                  { return a.times(1 / max(a.length(), 1e-12)) }
func (a vec) narrow() [3]float32         { return [3]float32{float32(a[0]), float32(a[1]), float32(a[2])} }
func mix(a, b vec, t float64) vec        { return a.times(1 - t).plus(b.times(t)) }
func lerp(a, b, t float64) float64       { return a + (b-a)*t }
func clamp(x, low, high float64) float64 { return min(max(x, low), high) }

func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// region is a part of a picture that a surface wears: from u0, v0 at its upper left, to u1, v1.
type region struct{ u0, v0, u1, v1 float64 }

func (r region) at(u, v float64) [2]float64 {
	return [2]float64{lerp(r.u0, r.u1, u), lerp(r.v0, r.v1, v)}
}

// pixels returns a part of a picture, given in pixels, a little smaller than it is so that its neighbours do not show.
func pixels(width, height, x0, y0, x1, y1 float64) region {
	const rim = 1
	return region{(x0 + rim) / width, (y0 + rim) / height, (x1 - rim) / width, (y1 - rim) / height}
}

type corner struct {
	p  vec
	uv [2]float64
}

// face is a polygon. Its corners go counter-clockwise as seen from its front.
type face struct {
	corners  []corner
	material *asset.Material
	chain    *chain
}

// shape is a heap of faces. What is added wears its material, and follows its bones where it has some.
type shape struct {
	faces    []face
	material *asset.Material
	chain    *chain
}

func (s *shape) add(corners ...corner) {
	s.faces = append(s.faces, face{corners, s.material, s.chain})
}

// quad adds a face of four corners. The first one is the lower left corner of the region, and so on counter-clockwise.
func (s *shape) quad(a, b, c, d vec, r region) {
	s.add(corner{a, r.at(0, 1)}, corner{b, r.at(1, 1)}, corner{c, r.at(1, 0)}, corner{d, r.at(0, 0)})
}

// box adds a box between two corners. Each of its sides shows the whole region.
func (s *shape) box(low, high vec, r region) {
	s.prism(low, high, 1, r)
}

// prism adds a box whose top is smaller than its bottom, by a factor.
func (s *shape) prism(low, high vec, top float64, r region) {
	mid := low.plus(high).times(0.5)
	p := func(x, y, z int) vec {
		v := low
		for k, far := range [3]int{x, y, z} {
			if far == 1 {
				v[k] = high[k]
			}
		}
		if y == 1 {
			v[0], v[2] = lerp(mid[0], v[0], top), lerp(mid[2], v[2], top)
		}
		return v
	}
	s.quad(p(0, 0, 1), p(1, 0, 1), p(1, 1, 1), p(0, 1, 1), r)
	s.quad(p(1, 0, 0), p(0, 0, 0), p(0, 1, 0), p(1, 1, 0), r)
	s.quad(p(1, 0, 1), p(1, 0, 0), p(1, 1, 0), p(1, 1, 1), r)
	s.quad(p(0, 0, 0), p(0, 0, 1), p(0, 1, 1), p(0, 1, 0), r)
	s.quad(p(0, 1, 1), p(1, 1, 1), p(1, 1, 0), p(0, 1, 0), r)
	s.quad(p(0, 0, 0), p(1, 0, 0), p(1, 0, 1), p(0, 0, 1), r)
}

// loft adds a skin over rings of equally many points. Seen from the end where the rings go to, each of them goes
// counter-clockwise. The region lies along the rings from left to right, and around them from top to bottom: once around, or, where
// the picture is mirrored, down one side and up the other.
func (s *shape) loft(rings [][]vec, mirrored bool, r region) {
	along := lengths(rings)
	for i := range len(rings) - 1 {
		n := len(rings[i])
		for k := range n {
			at := func(i, k int) corner {
				v := float64(k) / float64(n)
				if mirrored {
					v = 1 - math.Abs(1-2*v)
				}
				return corner{rings[i][k%n], r.at(along[i], v)}
			}
			s.add(at(i, k), at(i, k+1), at(i+1, k+1), at(i+1, k))
		}
	}
}

// grid adds a surface over rows of points. Seen from its front, a row goes from left to right, and each lies below the one before.
func (s *shape) grid(rows [][]vec, r region) {
	for i := range len(rows) - 1 {
		for k := range len(rows[i]) - 1 {
			at := func(i, k int) corner {
				return corner{rows[i][k], r.at(float64(k)/float64(len(rows[i])-1), float64(i)/float64(len(rows)-1))}
			}
			s.add(at(i, k), at(i+1, k), at(i+1, k+1), at(i, k+1))
		}
	}
}

// strut adds a square beam from one point to another on a surface: three sides of it. What faces outwards is square to that
// direction.
func (s *shape) strut(from, to, outwards vec, width, depth float64) {
	side := to.minus(from).cross(outwards).unit().times(width / 2)
	out := outwards.unit().times(depth)
	ring := func(at vec) []vec {
		return []vec{at.plus(side), at.plus(side).plus(out), at.minus(side).plus(out), at.minus(side)}
	}
	a, b := ring(from), ring(to)
	for k := range 3 {
		s.quad(a[k+1], a[k], b[k], b[k+1], whole)
	}
}

// plank adds only the front of such a beam.
func (s *shape) plank(from, to, outwards vec, width, depth float64) {
	s.strut(from, to, outwards, width, depth)
	s.faces = slices.Delete(s.faces, len(s.faces)-1, len(s.faces))
	s.faces = slices.Delete(s.faces, len(s.faces)-2, len(s.faces)-1)
}

// lengths returns how far along a loft each of its rings is, 0 … 1.
func lengths(rings [][]vec) []float64 {
	list := make([]float64, len(rings))
	for i := 1; i < len(rings); i++ {
		list[i] = list[i-1] + centre(rings[i]).minus(centre(rings[i-1])).length() + 1e-9
	}
	for i := range list {
		list[i] /= list[len(list)-1]
	}
	return list
}

func centre(ring []vec) (c vec) {
	for _, p := range ring {
		c = c.plus(p.times(1 / float64(len(ring))))
	}
	return c
}

// lid closes a ring. It looks to where its corners go counter-clockwise, and shows the region as a disc.
func (s *shape) lid(ring []vec, r region) {
	n := len(ring)
	disc := func(k int) corner {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		return corner{ring[k%n], r.at(0.5+0.5*cos, 0.5-0.5*sin)}
	}
	for k := range n {
		s.add(corner{centre(ring), r.at(0.5, 0.5)}, disc(k), disc(k+1))
	}
}

func reversed(ring []vec) []vec {
	out := make([]vec, len(ring))
	for i, p := range ring {
		out[len(ring)-1-i] = p
	}
	return out
}

// circle is a ring around an axis that runs along z, which begins at the top.
func circle(at vec, radius float64, sides int) []vec { return ellipse(at, radius, radius, sides) }

func ellipse(at vec, rx, ry float64, sides int) []vec {
	ring := make([]vec, sides)
	for k := range ring {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
		ring[k] = at.plus(vec{-rx * sin, ry * cos, 0})
	}
	return ring
}

// move puts all points where f says.
func (s *shape) move(f func(p vec) vec) *shape {
	for _, x := range s.faces {
		for k := range x.corners {
			x.corners[k].p = f(x.corners[k].p)
		}
	}
	return s
}

// mirror returns the shape as a mirror on the plane x = 0 shows it.
func (s *shape) mirror() *shape {
	out := &shape{}
	for _, x := range s.faces {
		y := face{material: x.material, chain: x.chain}
		for k := range x.corners {
			c := x.corners[len(x.corners)-1-k]
			c.p[0] = -c.p[0]
			y.corners = append(y.corners, c)
		}
		out.faces = append(out.faces, y)
	}
	return out
}

func (s *shape) join(others ...*shape) *shape {
	for _, o := range others {
		s.faces = append(s.faces, o.faces...)
	}
	return s
}

// normal returns the normal of a face, as long as the face is large.
func (f *face) normal() (n vec) {
	for k := range f.corners {
		n = n.plus(f.corners[k].p.cross(f.corners[(k+1)%len(f.corners)].p))
	}
	return n
}

// onGrid rounds a length to 1/1024 of a metre, so that the last bits of sines do not matter.
func onGrid(p vec) vec {
	for k := range p {
		p[k] = math.Round(p[k]*1024) / 1024
	}
	return p
}

// mesh makes triangles of the faces. Edges of less than the angle, in degrees, are smooth.
func (s *shape) mesh(name string, crease float64) *asset.Mesh {
	s.move(onGrid)
	around := map[vec][]vec{}
	for i := range s.faces {
		for _, c := range s.faces[i].corners {
			around[c.p] = append(around[c.p], s.faces[i].normal())
		}
	}
	m := &asset.Mesh{Name: name}
	parts := map[*asset.Material]*part{}
	for i := range s.faces {
		f := &s.faces[i]
		if parts[f.material] == nil {
			p := &asset.Primitive{Material: f.material, TexCoords: make([][][2]float32, 1)}
			parts[f.material] = &part{p, map[vertex]uint32{}}
			m.Primitives = append(m.Primitives, p)
		}
		parts[f.material].take(f, around, math.Cos(crease*math.Pi/180))
	}
	return m
}

type vertex struct {
	p, n [3]float32
	uv   [2]float32
}

// part is a primitive that grows.
type part struct {
	*asset.Primitive
	known map[vertex]uint32
}

func (p *part) take(f *face, around map[vec][]vec, crease float64) {
	var list []uint32
	for _, c := range f.corners {
		if at := p.vertex(f, c, around[c.p], crease); len(list) == 0 || at != list[len(list)-1] && at != list[0] {
			list = append(list, at)
		}
	}
	for k := 2; k < len(list); k++ {
		p.Indices = append(p.Indices, list[0], list[k-1], list[k])
	}
}

// vertex returns the number of a corner, whose normal is that of all faces around it that the edge to is smooth.
func (p *part) vertex(f *face, c corner, around []vec, crease float64) uint32 {
	var sum vec
	for _, o := range around {
		if o.unit().dot(f.normal().unit()) >= crease {
			sum = sum.plus(o)
		}
	}
	short := func(f float64) float32 { return float32(math.Round(f*4096) / 4096) }
	u := sum.unit()
	v := vertex{c.p.narrow(), vec{float64(short(u[0])), float64(short(u[1])), float64(short(u[2]))}.unit().narrow(), [2]float32{short(c.uv[0]), short(c.uv[1])}}
	at, known := p.known[v]
	if !known {
		at = uint32(len(p.Positions))
		p.known[v] = at
		p.Positions, p.Normals = append(p.Positions, v.p), append(p.Normals, v.n)
		p.bind(f.chain, c.p)
		p.TexCoords[0] = append(p.TexCoords[0], v.uv)
	}
	return at
}
