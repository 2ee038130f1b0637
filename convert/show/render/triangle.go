package render

import "github.com/usher-assets/usher/schema/asset"

// gradient is a value across the picture: at the first corner, and what it grows by from sample to sample.
type gradient struct{ at, dx, dy float32 }

// triangle draws one triangle after the other.
type triangle struct {
	f           *frame
	look        *look
	base        *level // of the textures; nil without one
	glow, baked *level
	q           gradient
	values      [valueCount]gradient // times q
	used        int                  // how many of them change or are needed
	originX     float32              // the first corner, in samples
	originY     float32
	translucent bool
	sky         []uint64 // what backdrops show, as large as the frame; nil for none
}

// fill draws a triangle that is clockwise in the picture.
func (t *triangle) fill(s *[3]spot, values *[3]*[valueCount]float32) {
	area := cross(s)
	if area <= 0 {
		return
	}
	t.gradients(s, values, area)
	top, bottom := min(s[0].y, s[1].y, s[2].y), max(s[0].y, s[1].y, s[2].y)
	y0 := max(int(top+parts/2-1)>>partBits, 0)
	y1 := min(int(bottom-parts/2)>>partBits, t.f.height-1)
	var e [3]edge
	for i := range e {
		e[i] = newEdge(s[i], s[(i+1)%3])
	}
	for y := y0; y <= y1; y++ {
		x0, x1 := 0, t.f.width-1
		for i := range e {
			x0, x1 = e[i].narrow(y, x0, x1)
		}
		if x0 <= x1 {
			t.span(y, x0, x1)
		}
	}
}

// cross returns twice the signed area of a triangle in parts: positive when it is clockwise as one sees it, y growing
// downwards.
func cross(s *[3]spot) int64 {
	return int64(s[1].x-s[0].x)*int64(s[2].y-s[0].y) - int64(s[2].x-s[0].x)*int64(s[1].y-s[0].y)
}

// edge is the line between two corners: a·x + b·y + c ≥ 0 inside, in parts.
type edge struct{ a, b, c int64 }

func newEdge(from, to spot) edge {
	dx, dy := int64(to.x-from.x), int64(to.y-from.y)
	e := edge{a: -dy, b: dx}
	e.c = -(e.a*int64(from.x) + e.b*int64(from.y))
	if !(dy < 0 || dy == 0 && dx > 0) { // of two triangles at an edge one has the samples on it
		e.c--
	}
	return e
}

// narrow returns the part of the samples x0 … x1 of a row that lies inside.
func (e *edge) narrow(y, x0, x1 int) (int, int) {
	const half = parts / 2
	rest := e.b*(int64(y)<<partBits+half) + e.c + e.a*half // a·parts·x + rest ≥ 0
	step := e.a << partBits
	switch {
	case step > 0:
		return max(x0, int(ceilDiv(-rest, step))), x1
	case step < 0:
		return x0, min(x1, int(floorDiv(rest, -step)))
	case rest < 0:
		return 1, 0
	}
	return x0, x1
}

func floorDiv(a, b int64) int64 { // b > 0
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }

// gradients finds how depth and values change from sample to sample. Values are divided by the distance, as that makes
// them change evenly in the picture.
func (t *triangle) gradients(s *[3]spot, values *[3]*[valueCount]float32, area int64) {
	const toSamples = 1.0 / parts
	t.originX, t.originY = float32(s[0].x)*toSamples, float32(s[0].y)*toSamples
	x1, y1 := float32(s[1].x-s[0].x)*toSamples, float32(s[1].y-s[0].y)*toSamples
	x2, y2 := float32(s[2].x-s[0].x)*toSamples, float32(s[2].y-s[0].y)*toSamples
	inverse := float32(parts*parts) / float32(area)
	plane := func(v0, v1, v2 float32) gradient {
		d1, d2 := v1-v0, v2-v0
		return gradient{v0, (d1*y2 - d2*y1) * inverse, (d2*x1 - d1*x2) * inverse}
	}
	q0, q1, q2 := s[0].q, s[1].q, s[2].q
	t.q = plane(q0, q1, q2)
	t.used = t.count()
	for k := range t.used {
		t.values[k] = plane(values[0][k]*q0, values[1][k]*q1, values[2][k]*q2)
	}
	pixels := float32(area) * (toSamples * toSamples / 2)
	t.base, t.glow = t.level(t.look.base, values, valueBase, pixels), t.level(t.look.glow, values, valueGlow, pixels)
	t.baked = nil
	if t.look.baked != nil {
		t.baked = t.look.baked.level(0) // of smaller ones a texel is of several surfaces
	}
}

// level returns the level of a texture that fits a triangle; nil without a texture.
func (t *triangle) level(s *sampler, values *[3]*[valueCount]float32, first int, pixels float32) *level {
	if s == nil {
		return nil
	}
	return s.choose(texelArea(s, values, first), pixels)
}

// count returns how many values the look needs.
func (t *triangle) count() int {
	switch {
	case t.look.baked != nil:
		return valueCount
	case t.look.glow != nil:
		return valueLight
	case t.look.base != nil:
		return valueGlow
	}
	return valueBase
}

// texelArea returns the area of a triangle in texels of the full size.
func texelArea(s *sampler, v *[3]*[valueCount]float32, k int) float32 {
	a := (v[1][k]-v[0][k])*(v[2][k+1]-v[0][k+1]) - (v[2][k]-v[0][k])*(v[1][k+1]-v[0][k+1])
	return abs(a) * float32(s.levels[0].width) * float32(s.levels[0].height) / 2
}

// span draws the samples x0 … x1 of a row.
func (t *triangle) span(y, x0, x1 int) {
	f := t.f
	dx, dy := float32(x0)+0.5-t.originX, float32(y)+0.5-t.originY
	q := t.q.at + t.q.dx*dx + t.q.dy*dy
	var v [valueCount]float32
	for i := range t.used {
		g := &t.values[i]
		v[i] = g.at + g.dx*dx + g.dy*dy
	}
	depth := f.depth[y*f.width+x0 : y*f.width+x1+1]
	row := f.light[y*f.width+x0 : y*f.width+x1+1]
	if t.look.unseen {
		t.window(row, depth, t.sky[y*f.width+x0:], q)
		return
	}
	for x := range depth {
		if q >= depth[x] && q > 0 {
			t.sample(&row[x], &depth[x], &v, q)
		}
		q += t.q.dx
		for i := range t.used {
			v[i] += t.values[i].dx
		}
	}
}

// window draws samples of the sky. q is that of the first one.
func (t *triangle) window(row []uint64, depth []float32, sky []uint64, q float32) {
	for x := range depth {
		if q >= depth[x] && q > 0 {
			row[x], depth[x] = sky[x], q
		}
		q += t.q.dx
	}
}

// sample draws one sample.
func (t *triangle) sample(to *uint64, depth *float32, v *[valueCount]float32, q float32) {
	k := t.look
	w := 1 / q
	r, g, b, a := float32(linearMax), float32(linearMax), float32(linearMax), v[valueAlpha]*w
	if t.base != nil {
		c := k.base.at(t.base, v[valueBase]*w, v[valueBase+1]*w)
		r, g, b = t.f.linear[c&255], t.f.linear[c>>8&255], t.f.linear[c>>16&255]
		a *= float32(c>>24) * (1.0 / 255)
	}
	switch k.alpha {
	case asset.Mask:
		if a < k.cutoff {
			return
		}
		a = 1
	case asset.Opaque:
		a = 1
	}
	r, g, b = r*v[0]*w, g*v[1]*w, b*v[2]*w
	if t.baked != nil {
		c := k.baked.at(t.baked, v[valueLight]*w, v[valueLight+1]*w)
		r *= t.f.linear[c&255] * (1 / (mid * linearMax))
		g *= t.f.linear[c>>8&255] * (1 / (mid * linearMax))
		b *= t.f.linear[c>>16&255] * (1 / (mid * linearMax))
	}
	if t.glow != nil {
		c := k.glow.at(t.glow, v[valueGlow]*w, v[valueGlow+1]*w)
		r += t.f.linear[c&255] * k.emissive[0]
		g += t.f.linear[c>>8&255] * k.emissive[1]
		b += t.f.linear[c>>16&255] * k.emissive[2]
	} else {
		r, g, b = r+linearMax*k.emissive[0], g+linearMax*k.emissive[1], b+linearMax*k.emissive[2]
	}
	if t.translucent {
		*to = k.onto(*to, r, g, b, a)
		return
	}
	*depth = q
	*to = pack(r, g, b, linearMax)
}
