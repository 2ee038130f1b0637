package hull

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// surfaceMaker makes the surface of a part of its bodies (reference freelancer-sur 5).
type surfaceMaker struct {
	s      *freelancer.Surface
	list   []Body
	boxes  []box // of the bodies
	order  []int // bodies as the leaves of the tree have them
	places map[freelancer.SurPoint]uint16
}

// newSurface makes a surface. old is the one that it takes the place of, whose inertia counts; it may be nil.
func newSurface(list []Body, old *freelancer.Surface) (*freelancer.Surface, error) {
	m := &surfaceMaker{s: &freelancer.Surface{}, list: list, places: map[freelancer.SurPoint]uint16{}}
	all := make([]int, len(list))
	for i := range list {
		all[i] = i
		m.boxes = append(m.boxes, boxOf(list[i].Points))
	}
	m.mass(old)
	m.branch(all)
	for _, i := range m.order {
		if err := m.terminal(&list[i]); err != nil {
			return nil, err
		}
	}
	if len(list) > 1 {
		if err := m.wrap(); err != nil {
			return nil, err
		}
	}
	return m.s, nil
}

// mass sets the centre of mass, the radius, the bound of the surface's deviation, and the inertia.
func (m *surfaceMaker) mass(old *freelancer.Surface) {
	s, whole := m.s, emptyBox()
	for _, b := range m.boxes {
		whole.add(b.lo)
		whole.add(b.hi)
	}
	center := whole.center()
	var volume, area float64
	var moment mgl64.Vec3
	for i := range m.list {
		v, first, a := m.list[i].volume(center)
		volume, moment, area = volume+v, moment.Add(first), area+a
	}
	solid := math.Abs(volume) > 1e-6*math.Pow(area, 1.5)
	if solid {
		center = center.Add(moment.Mul(1 / volume))
	}
	s.Center = scene.Narrow3(center)
	center = scene.Wide3(s.Center)
	radius, deviation := 0.0, 0.0
	for i := range m.list {
		b := &m.list[i]
		for _, p := range b.Points {
			radius = max(radius, scene.Wide3(p).Sub(center).Len())
		}
		for k := range b.Faces {
			n := b.cross(&b.Faces[k])
			if !(n.Len() > 0) {
				continue
			}
			n = n.Normalize()
			for _, c := range b.corners(&b.Faces[k]) {
				off := c.Sub(center)
				deviation = max(deviation, off.Sub(n.Mul(n.Dot(off))).Len())
			}
		}
	}
	s.Radius = float32(radius)
	s.Deviation = boxUnits(deviation, radius)
	share := 0.2
	if !solid {
		share = 0.5
	}
	for k := range s.Inertia {
		s.Inertia[k] = float32(share * radius * radius)
		if old != nil && old.Radius > 0 {
			scale := radius / float64(old.Radius)
			s.Inertia[k] = float32(float64(old.Inertia[k]) * scale * scale)
		}
	}
}

// boxUnits returns a length in 1/250 of a radius, rounded up so that it never falls short.
func boxUnits(length, radius float64) uint8 {
	if !(radius > 0) {
		return 0
	}
	return uint8(min(length/(radius/freelancer.BoxUnits)+1, 255))
}

// branch adds the node of some bodies, in pre-order: it halves them along the axis in which their middles lie the
// farthest apart. It returns what its own box encloses.
func (m *surfaceMaker) branch(bodies []int) box {
	at := len(m.s.Nodes)
	m.s.Nodes = append(m.s.Nodes, freelancer.SurNode{Hull: -1})
	if len(bodies) == 1 {
		m.s.Nodes[at].Hull = len(m.order)
		m.order = append(m.order, bodies[0])
		return m.enclose(at, m.boxes[bodies[0]])
	}
	spread := emptyBox()
	for _, i := range bodies {
		spread.add(m.boxes[i].center())
	}
	axis, size := 0, spread.half()
	for k := range 3 {
		if size[k] > size[axis] {
			axis = k
		}
	}
	slices.SortStableFunc(bodies, func(a, b int) int {
		x, y := m.boxes[a].center()[axis], m.boxes[b].center()[axis]
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	half := (len(bodies) + 1) / 2
	left := m.branch(bodies[:half])
	m.s.Nodes[at].Right = len(m.s.Nodes)
	right := m.branch(bodies[half:])
	left.add(right.lo)
	left.add(right.hi)
	return m.enclose(at, left)
}

// enclose sets the sphere and box of a node about a box, and returns the box as it is stored: a little larger.
func (m *surfaceMaker) enclose(at int, b box) box {
	n := &m.s.Nodes[at]
	half := b.half()
	n.Center = scene.Narrow3(b.center())
	n.Radius = float32(half.Len())
	center, radius := scene.Wide3(n.Center), float64(n.Radius)
	stored := mgl64.Vec3{}
	for k := range 3 {
		n.Box[k] = boxUnits(half[k], radius)
		stored[k] = float64(n.Box[k]) * radius / freelancer.BoxUnits
	}
	return box{center.Sub(stored), center.Add(stored)}
}

// terminal stores a body as a hull. Points are unique by their place and id.
func (m *surfaceMaker) terminal(b *Body) error {
	h := freelancer.SurHull{Kind: freelancer.TerminalHull, ID: b.ID, Faces: slices.Clone(b.Faces)}
	for i := range h.Faces {
		for k, p := range h.Faces[i].Points {
			point := freelancer.SurPoint{At: b.Points[p], ID: b.ID}
			n, known := m.places[point]
			if !known {
				if len(m.s.Points) >= freelancer.MaxPoints {
					return schema.Errorf("sur", schema.ErrLimit, "points", "a part has more than %d", freelancer.MaxPoints)
				}
				n = uint16(len(m.s.Points))
				m.places[point] = n
				m.s.Points = append(m.s.Points, point)
			}
			h.Faces[i].Points[k] = n
		}
	}
	h.Units = h.UsualUnits()
	if !b.stored {
		if err := link(h.Faces); err != nil {
			return err
		}
		b.pierce(h.Faces)
	}
	m.s.Hulls = append(m.s.Hulls, h)
	return nil
}

// wrap adds the hull that encloses all others. It uses their points.
func (m *surfaceMaker) wrap() error {
	var points [][3]float32
	number := map[[3]float32]uint16{}
	for i, p := range m.s.Points {
		if _, known := number[p.At]; !known {
			number[p.At] = uint16(i)
			points = append(points, p.At)
		}
	}
	b, ok := exactHull(points)
	if !ok || len(b.Faces) > freelancer.MaxFaces {
		if b, ok = ConvexHull(points); !ok {
			b = widest(points)
		}
	}
	h := freelancer.SurHull{Kind: freelancer.WrappingHull, Faces: slices.Clone(b.Faces)}
	if err := link(h.Faces); err != nil {
		return err
	}
	b.pierce(h.Faces)
	for i := range h.Faces {
		f := &h.Faces[i]
		f.Virtual = true
		for k, p := range f.Points {
			f.Points[k] = number[b.Points[p]]
		}
	}
	h.Units = h.UsualUnits()
	m.s.Nodes[0].Hull = len(m.s.Hulls)
	m.s.Hulls = append(m.s.Hulls, h)
	return nil
}

// widest returns the triangle with two sides that stands for flat bodies in one plane, which nothing encloses.
func widest(points [][3]float32) Body {
	a := scene.Wide3(points[0])
	b := farthest(points, func(v mgl64.Vec3) float64 { return v.Sub(a).Len() })
	c := farthest(points, func(v mgl64.Vec3) float64 { return b.Sub(a).Cross(v.Sub(a)).Len() })
	return Body{Points: [][3]float32{scene.Narrow3(a), scene.Narrow3(b), scene.Narrow3(c)}, Faces: []freelancer.SurFace{{Points: [3]uint16{0, 1, 2}}, {Points: [3]uint16{0, 2, 1}}}}
}

// link sets the distance of each edge to the same edge of its neighbour, in slots of four bytes.
func link(faces []freelancer.SurFace) error {
	slots := map[[2]uint16]int{}
	for i := range faces {
		p := &faces[i].Points
		for k := range p {
			slots[[2]uint16{p[k], p[(k+1)%3]}] = 4*i + k + 1
		}
	}
	for i := range faces {
		p := &faces[i].Points
		for k := range p {
			other, ok := slots[[2]uint16{p[(k+1)%3], p[k]}]
			distance := other - (4*i + k + 1)
			if !ok || distance != int(int16(distance)<<1>>1) {
				return schema.Errorf("sur", schema.ErrLimit, "faces", "a hull of %d faces is not closed, or too large", len(faces))
			}
			faces[i].Opposite[k] = int16(distance)
		}
	}
	return nil
}

// pierce sets, for each face, the face that a ray from its middle straight inwards hits, or the one that looks away from
// it the most.
func (b *Body) pierce(faces []freelancer.SurFace) {
	normals := make([]mgl64.Vec3, len(b.Faces))
	for i := range b.Faces {
		if n := b.cross(&b.Faces[i]); n.Len() > 0 {
			normals[i] = n.Normalize()
		}
	}
	for i := range b.Faces {
		c := b.corners(&b.Faces[i])
		from, dir := c[0].Add(c[1]).Add(c[2]).Mul(1.0/3), normals[i].Mul(-1)
		best, most := -1, -2.0
		for k := range b.Faces {
			if k == i {
				continue
			}
			score := dir.Dot(normals[k])
			if b.hit(k, from, dir) {
				score += 2 // of several that share the point hit, the most opposed
			}
			if score > most {
				best, most = k, score
			}
		}
		faces[i].Pierce = uint16(max(best, 0))
	}
}

// hit reports whether a ray leaves the body through a face.
func (b *Body) hit(face int, from, dir mgl64.Vec3) bool {
	c := b.corners(&b.Faces[face])
	u, v := c[1].Sub(c[0]), c[2].Sub(c[0])
	p := dir.Cross(v)
	det := u.Dot(p)
	if math.Abs(det) < 1e-30 {
		return false
	}
	t := from.Sub(c[0])
	x := t.Dot(p) / det
	q := t.Cross(u)
	y := dir.Dot(q) / det
	const slack = 1e-9
	return x >= -slack && y >= -slack && x+y <= 1+slack && v.Dot(q)/det > 0
}
