package render

// spot is a vertex in the picture.
type spot struct {
	x, y    int32   // in parts of a sample
	q       float32 // 1 / distance along the line of sight
	outside bool    // behind the camera or far beside the picture: what it belongs to must be clipped
}

// parts is how many places there are in a sample, along each side, that a vertex can have.
const parts = 1 << partBits
const partBits = 8

// guard is how many times the picture's size a vertex may be away from its middle without being clipped.
const guard = 4

// near is the least distance from the camera, in metres.
const near = 1e-7

// lens projects points along the axes of a camera.
type lens struct {
	eye            vec     // along the camera's axes
	tx, ty         float32 // half of the picture's size at distance 1
	halfX, halfY   float32 // half of the picture's size in parts
	limitX, limitY float32 // largest x and y at distance 1
}

func newLens(eye vec, t [2]float64, f *frame) lens {
	l := lens{eye: eye, tx: float32(t[0]), ty: float32(t[1])}
	l.halfX, l.halfY = float32(f.width*parts/2), float32(f.height*parts/2)
	l.limitX, l.limitY = guard*l.tx, guard*l.ty
	return l
}

// project returns where a point that is seen from the eye lies in the picture.
func (l *lens) project(p vec) spot {
	d := -p[2]
	if !(d >= near) || !(abs(p[0]) <= d*l.limitX) || !(abs(p[1]) <= d*l.limitY) {
		return spot{outside: true}
	}
	q := 1 / d
	return spot{
		x: int32(floor(l.halfX*(1+p[0]*q/l.tx) + 0.5)),
		y: int32(floor(l.halfY*(1-p[1]*q/l.ty) + 0.5)),
		q: q,
	}
}

func abs(x float32) float32 { return max(x, -x) }

// all projects the vertices of a piece.
func (l *lens) all(s *piece) []spot {
	spots := make([]spot, len(s.positions))
	for i, p := range s.positions {
		spots[i] = l.project(p.sub(l.eye))
	}
	return spots
}

// corner is a vertex of a triangle or line with all that changes across it.
type corner struct {
	at     vec // seen from the eye
	values [valueCount]float32
}

// The values that change across a triangle: light of the base colour, alpha, and three texture coordinates.
const (
	valueColor = 0
	valueAlpha = 3
	valueBase  = 4
	valueGlow  = 6
	valueLight = 8
	valueCount = 10
)

// toward returns the corner at share f of the way to another one.
func (a *corner) toward(b *corner, f float32) (c corner) {
	c.at = add(a.at, b.at.sub(a.at), f)
	for k := range c.values {
		c.values[k] = a.values[k] + f*(b.values[k]-a.values[k])
	}
	return c
}

// clip returns the part of a convex polygon that project can place.
func (l *lens) clip(polygon []corner) []corner {
	for plane := range 5 {
		if len(polygon) == 0 {
			return nil
		}
		var out []corner
		previous := &polygon[len(polygon)-1]
		before := l.inside(previous.at, plane)
		for i := range polygon {
			c := &polygon[i]
			now := l.inside(c.at, plane)
			if (before >= 0) != (now >= 0) {
				out = append(out, previous.toward(c, before/(before-now)))
			}
			if now >= 0 {
				out = append(out, *c)
			}
			previous, before = c, now
		}
		polygon = out
	}
	return polygon
}

// inside returns how far a point is on the visible side of a plane; it is a little stricter than project.
func (l *lens) inside(p vec, plane int) float32 {
	const strict = 0.99
	d := -p[2]
	switch plane {
	case 0:
		return d - 2*near
	case 1:
		return d*l.limitX*strict - p[0]
	case 2:
		return d*l.limitX*strict + p[0]
	case 3:
		return d*l.limitY*strict - p[1]
	}
	return d*l.limitY*strict + p[1]
}
