package hull

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/golang/geo/r3"
	"github.com/markus-wa/quickhull-go/v2"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Body is a convex body, closed or a triangle with two sides, before it is stored. Its faces refer to its own points. If it
// comes from a stored hull, the faces keep the values that cannot be derived from the geometry.
type Body struct {
	ID     freelancer.Hash
	Points [][3]float32
	Faces  []freelancer.SurFace
	stored bool // Opposite and Pierce of the faces are known
}

// weldReach is how far apart two points of a hull mesh may be and still be one, in the size of the mesh.
const weldReach = 1e-5

// convexReach is how far a hull may bulge inwards and still be convex, in its size.
const convexReach = 1e-3

// Faces of a hull: above the first the game may have trouble, and hulls that usher makes have fewer.
const (
	manyFaces  = 300
	directions = 148 // a hull of the farthest points in so many has at most twice as many faces less four
)

// bodies makes convex bodies of a hull mesh: each connected piece is one. Pieces that are not convex and closed become
// their convex hulls; what has no volume becomes triangles with two sides.
func bodies(d *schema.Diagnostics, name string, triangles [][3][3]float32) (list []Body) {
	points, corners := weld(triangles)
	pieces, replaced, open := connected(len(points), corners), 0, 0
	for _, piece := range pieces {
		b := Body{}
		local := map[int]uint16{}
		for _, t := range piece {
			var f freelancer.SurFace
			for k, p := range t {
				i, known := local[p]
				if !known {
					i = uint16(min(len(b.Points), math.MaxUint16))
					local[p] = i
					b.Points = append(b.Points, points[p])
				}
				f.Points[k] = i
			}
			b.Faces = append(b.Faces, f)
		}
		switch {
		case len(local) > math.MaxUint16:
			if b, ok := ConvexHull(b.Points); ok {
				list = append(list, b)
				replaced++
			}
		case flat(b.Points) && b.plate():
			list = append(list, b)
		case flat(b.Points):
			leaves := b.leaves()
			open += max(2*len(leaves)-len(b.Faces), 0)
			list = append(list, leaves...)
		case b.convex():
			list = append(list, b)
		default:
			whole, ok := ConvexHull(b.Points)
			if !ok {
				d.Lossf("hull-unusable", name, "a piece of %d faces has no convex hull and is left out", len(b.Faces))
				continue
			}
			replaced++
			list = append(list, whole)
		}
	}
	if open > 0 {
		d.Warnf("hull-flat", name, "%d of its triangles enclose nothing: each becomes a hull of two sides", open)
	}
	if replaced > 0 {
		d.Warnf("hull-replaced", name, "%d of its %d pieces are not closed and convex, or too large: their convex hulls are taken", replaced, len(pieces))
	}
	return list
}

// box is an axis-aligned box; the zero value of empty boxes is made by emptyBox.
type box struct{ lo, hi mgl64.Vec3 }

func emptyBox() box {
	inf := math.Inf(1)
	return box{mgl64.Vec3{inf, inf, inf}, mgl64.Vec3{-inf, -inf, -inf}}
}

func (b *box) add(v mgl64.Vec3) {
	for k := range 3 {
		b.lo[k], b.hi[k] = min(b.lo[k], v[k]), max(b.hi[k], v[k])
	}
}

func (b *box) empty() bool        { return b.lo[0] > b.hi[0] }
func (b *box) center() mgl64.Vec3 { return b.lo.Add(b.hi).Mul(0.5) }
func (b *box) half() mgl64.Vec3   { return b.hi.Sub(b.lo).Mul(0.5) }
func (b *box) size() float64      { return 2 * b.half().Len() }

func boxOf(points [][3]float32) box {
	b := emptyBox()
	for _, p := range points {
		b.add(scene.Wide3(p))
	}
	return b
}

// weld joins points that are in one place, and returns the triangles that remain: those with three different corners,
// each once.
func weld(triangles [][3][3]float32) (points [][3]float32, corners [][3]int) {
	b := emptyBox()
	for _, t := range triangles {
		for _, v := range t {
			b.add(scene.Wide3(v))
		}
	}
	if b.empty() {
		return nil, nil
	}
	reach := max(weldReach*b.size(), 1e-30)
	cells := map[[3]int64][]int{}
	exact := map[[3]float32]int{}
	at := func(v [3]float32) int {
		if i, ok := exact[v]; ok {
			return i
		}
		p := scene.Wide3(v).Sub(b.lo)
		cell := [3]int64{int64(p[0] / reach), int64(p[1] / reach), int64(p[2] / reach)}
		for near := range 27 {
			for _, i := range cells[[3]int64{cell[0] + int64(near%3) - 1, cell[1] + int64(near/3%3) - 1, cell[2] + int64(near/9) - 1}] {
				if scene.Wide3(points[i]).Sub(scene.Wide3(v)).Len() <= reach {
					exact[v] = i
					return i
				}
			}
		}
		exact[v] = len(points)
		cells[cell] = append(cells[cell], len(points))
		points = append(points, v)
		return len(points) - 1
	}
	seen := map[[3]int]bool{}
	for _, t := range triangles {
		c := [3]int{at(t[0]), at(t[1]), at(t[2])}
		if c[0] == c[1] || c[1] == c[2] || c[0] == c[2] || seen[turned(c)] {
			continue
		}
		seen[turned(c)] = true
		corners = append(corners, c)
	}
	return points, corners
}

// turned returns the corners of a triangle with the lowest first, on the same side.
func turned(c [3]int) [3]int {
	for c[0] > c[1] || c[0] > c[2] {
		c[0], c[1], c[2] = c[1], c[2], c[0]
	}
	return c
}

// connected sorts triangles into pieces that share no points, in the order of their first triangles.
func connected(points int, corners [][3]int) (pieces [][][3]int) {
	parent := make([]int, points)
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, c := range corners {
		parent[find(c[1])] = find(c[0])
		parent[find(c[2])] = find(c[0])
	}
	at := map[int]int{}
	for _, c := range corners {
		k, known := at[find(c[0])]
		if !known {
			k = len(pieces)
			at[find(c[0])] = k
			pieces = append(pieces, nil)
		}
		pieces[k] = append(pieces[k], c)
	}
	return pieces
}

// flat reports whether all points lie in a plane, up to what welding joins.
func flat(points [][3]float32) bool {
	if len(points) < 4 {
		return true
	}
	b := boxOf(points)
	a := scene.Wide3(points[0])
	u := farthest(points, func(v mgl64.Vec3) float64 { return v.Sub(a).Len() }).Sub(a)
	n := u.Cross(farthest(points, func(v mgl64.Vec3) float64 { return u.Cross(v.Sub(a)).Len() }).Sub(a))
	if !(n.Len() > 0) {
		return true
	}
	n = n.Normalize()
	high := farthest(points, func(v mgl64.Vec3) float64 { return math.Abs(n.Dot(v.Sub(a))) })
	return math.Abs(n.Dot(high.Sub(a))) <= weldReach*b.size()
}

// farthest returns the point with the largest measure.
func farthest(points [][3]float32, measure func(mgl64.Vec3) float64) (best mgl64.Vec3) {
	most := math.Inf(-1)
	for _, p := range points {
		if m := measure(scene.Wide3(p)); m > most {
			best, most = scene.Wide3(p), m
		}
	}
	return best
}

// leaves returns a triangle with two sides for each face of a flat piece, whichever side it shows.
func (b *Body) leaves() (list []Body) {
	seen := map[[3]uint16]bool{}
	for _, f := range b.Faces {
		key := f.Points
		slices.Sort(key[:])
		if seen[key] {
			continue
		}
		seen[key] = true
		list = append(list, Body{
			Points: [][3]float32{b.Points[f.Points[0]], b.Points[f.Points[1]], b.Points[f.Points[2]]},
			Faces:  []freelancer.SurFace{{Points: [3]uint16{0, 1, 2}}, {Points: [3]uint16{0, 2, 1}}},
		})
	}
	return list
}

func (b *Body) corners(f *freelancer.SurFace) [3]mgl64.Vec3 {
	return [3]mgl64.Vec3{scene.Wide3(b.Points[f.Points[0]]), scene.Wide3(b.Points[f.Points[1]]), scene.Wide3(b.Points[f.Points[2]])}
}

// cross returns the normal of a face, as long as twice its area.
func (b *Body) cross(f *freelancer.SurFace) mgl64.Vec3 {
	c := b.corners(f)
	return c[1].Sub(c[0]).Cross(c[2].Sub(c[0]))
}

// volume returns the volume about a point near the body, its first moment, and the area.
func (b *Body) volume(about mgl64.Vec3) (volume float64, moment mgl64.Vec3, area float64) {
	for i := range b.Faces {
		c := b.corners(&b.Faces[i])
		for k := range c {
			c[k] = c[k].Sub(about)
		}
		v := c[0].Dot(c[1].Cross(c[2])) / 6
		volume += v
		moment = moment.Add(c[0].Add(c[1]).Add(c[2]).Mul(v / 4))
		area += b.cross(&b.Faces[i]).Len() / 2
	}
	return volume, moment, area
}

// convex reports whether the body is closed and convex. One that is inside out is turned.
func (b *Body) convex() bool {
	if len(b.Faces) > freelancer.MaxFaces || !b.closed() {
		return false
	}
	whole := boxOf(b.Points)
	if v, _, _ := b.volume(whole.center()); v < 0 {
		for i := range b.Faces {
			p := &b.Faces[i].Points
			p[1], p[2] = p[2], p[1]
		}
	}
	limit := convexReach * whole.size()
	for i := range b.Faces {
		n := b.cross(&b.Faces[i])
		if !(n.Len() > 0) {
			return false
		}
		n = n.Normalize()
		base := b.corners(&b.Faces[i])[0]
		for _, p := range b.Points {
			if n.Dot(scene.Wide3(p).Sub(base)) > limit {
				return false
			}
		}
	}
	return true
}

// plate reports whether a flat body is closed, with two sides of one convex outline: files have such ones. Triangles with two
// sides are no plates.
func (b *Body) plate() bool {
	if len(b.Faces) <= 2 || len(b.Faces) > freelancer.MaxFaces || !b.closed() {
		return false
	}
	whole := boxOf(b.Points)
	up, limit := b.cross(&b.Faces[0]), convexReach*whole.size()
	upper := map[[2]uint16]bool{} // edges of the faces that look the way of the first one
	for i := range b.Faces {
		for k := range 3 {
			p := &b.Faces[i].Points
			if b.cross(&b.Faces[i]).Dot(up) > 0 {
				upper[[2]uint16{p[k], p[(k+1)%3]}] = true
			}
		}
	}
	for e := range upper {
		a := scene.Wide3(b.Points[e[0]])
		out := scene.Wide3(b.Points[e[1]]).Sub(a).Cross(up).Normalize()
		if !upper[[2]uint16{e[1], e[0]}] && slices.ContainsFunc(b.Points, func(p [3]float32) bool { return !(out.Dot(scene.Wide3(p).Sub(a)) <= limit) }) {
			return false
		}
	}
	return len(upper) > 0
}

// closed reports whether each edge has one face on either side, and the surface is that of one ball.
func (b *Body) closed() bool {
	edges := map[[2]uint16]bool{}
	for _, f := range b.Faces {
		for k := range 3 {
			e := [2]uint16{f.Points[k], f.Points[(k+1)%3]}
			if edges[e] {
				return false
			}
			edges[e] = true
		}
	}
	for e := range edges {
		if !edges[[2]uint16{e[1], e[0]}] {
			return false
		}
	}
	return len(b.Points) == 2+len(b.Faces)/2
}

// ConvexHull returns the convex hull of points with a limited number of faces; ok is false if it has no volume.
func ConvexHull(points [][3]float32) (b Body, ok bool) {
	if flat(points) {
		return b, false
	}
	if b, ok = exactHull(points); ok && len(b.Faces) <= manyFaces {
		return b, true
	}
	if ok {
		points = b.Points
	}
	few, fits := exactHull(outermost(points))
	if fits {
		return few, true
	}
	return b, ok && len(b.Faces) <= freelancer.MaxFaces
}

// exactHull returns the convex hull with all of its points. The library gives up on some inputs.
func exactHull(points [][3]float32) (b Body, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	whole := boxOf(points)
	middle, scale := whole.center(), 1/whole.size()
	cloud := make([]r3.Vector, len(points))
	for i, p := range points { // about the origin and of size 1, for the sake of the library's tolerance
		v := scene.Wide3(p).Sub(middle).Mul(scale)
		cloud[i] = r3.Vector{X: v[0], Y: v[1], Z: v[2]}
	}
	hull := new(quickhull.QuickHull).ConvexHull(cloud, false, true, 0)
	local := map[int]uint16{}
	for i := 0; i+3 <= len(hull.Indices); i += 3 {
		var f freelancer.SurFace
		for k, p := range hull.Indices[i : i+3] {
			n, known := local[p]
			if !known {
				if len(b.Points) > math.MaxUint16 {
					return b, false
				}
				n = uint16(len(b.Points))
				local[p] = n
				b.Points = append(b.Points, points[p])
			}
			f.Points[k] = n
		}
		b.Faces = append(b.Faces, f)
	}
	return b, len(b.Faces) >= 4 && b.closed()
}

// outermost returns the points that are the farthest in directions spread evenly over a sphere.
func outermost(points [][3]float32) [][3]float32 {
	golden := math.Pi * (3 - math.Sqrt(5))
	taken := map[int]bool{}
	for i := range directions {
		y := 1 - 2*(float64(i)+0.5)/directions
		r, a := math.Sqrt(1-y*y), golden*float64(i)
		dir := mgl64.Vec3{r * math.Cos(a), y, r * math.Sin(a)}
		best, most := 0, math.Inf(-1)
		for k, p := range points {
			if x := dir.Dot(scene.Wide3(p)); x > most {
				best, most = k, x
			}
		}
		taken[best] = true
	}
	var list [][3]float32
	for i, p := range points {
		if taken[i] {
			list = append(list, p)
		}
	}
	return list
}
