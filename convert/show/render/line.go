package render

import (
	"cmp"
	"slices"
)

// lineWidth is how wide lines are, in samples: half a pixel. A point is twice as wide.
const lineWidth = samples / 2

// closer lets lines on a surface be seen: how much nearer they are taken to be.
const closer = 1.002

// drawLines draws the lines of a piece.
func (d *drawing) drawLines(s *piece, spots []spot) {
	for i := 0; i+2 <= s.corners(); i += 2 {
		a, b := s.corner(i), s.corner(i+1)
		if a >= len(spots) || b >= len(spots) {
			continue
		}
		from, to := spots[a], spots[b]
		if from.outside || to.outside {
			from, to = d.clippedLine(s.positions[a].sub(d.lens.eye), s.positions[b].sub(d.lens.eye))
		}
		if !from.outside && !to.outside {
			d.line(from, to, d.ink(s, a), d.ink(s, b))
		}
	}
}

// clippedLine returns the ends of what project can place of a line.
func (d *drawing) clippedLine(a, b vec) (from, to spot) {
	if !a.finite() || !b.finite() {
		return spot{outside: true}, spot{outside: true}
	}
	polygon := d.lens.clip([]corner{{at: a}, {at: b}})
	if len(polygon) < 2 {
		return spot{outside: true}, spot{outside: true}
	}
	nearest := func(end vec) spot { // a polygon of two corners has each end of what is left more than once
		return d.lens.project(slices.MinFunc(polygon, func(c, other corner) int {
			x, y := c.at.sub(end), other.at.sub(end)
			return cmp.Compare(x.dot(x), y.dot(y))
		}).at)
	}
	return nearest(a), nearest(b)
}

// drawPoints draws the points of a piece.
func (d *drawing) drawPoints(s *piece, spots []spot) {
	for i := range s.corners() {
		if v := s.corner(i); v < len(spots) && !spots[v].outside {
			d.dot(int(spots[v].x), int(spots[v].y), spots[v].q*closer, 2*lineWidth, d.ink(s, v))
		}
	}
}

// ink returns the colour of a vertex of a line, as a linear one with its alpha.
func (d *drawing) ink(s *piece, v int) [4]float32 {
	c := s.look.color
	if s.colors != nil {
		for k := range c {
			c[k] *= s.colors[v][k]
		}
	}
	for k := range 3 {
		c[k] = (c[k] + s.look.emissive[k]) * linearMax
	}
	return c
}

// line draws a line as a row of dots, a sample apart.
func (d *drawing) line(a, b spot, from, to [4]float32) {
	dx, dy := int(b.x-a.x), int(b.y-a.y)
	steps := max(dx, -dx, dy, -dy) >> partBits
	for i := range steps + 1 {
		f := float32(i) / float32(max(steps, 1))
		var ink [4]float32
		for k := range ink {
			ink[k] = from[k] + f*(to[k]-from[k])
		}
		q := a.q + f*(b.q-a.q)
		d.dot(int(a.x)+int(f*float32(dx)), int(a.y)+int(f*float32(dy)), q*closer, lineWidth, ink)
	}
}

// dot draws a square of samples around a place in parts.
func (d *drawing) dot(x, y int, q float32, width int, ink [4]float32) {
	f := d.frame
	x0, y0 := (x>>partBits)-width/2, (y>>partBits)-width/2
	for y := max(y0, 0); y < min(y0+width, f.height); y++ {
		for x := max(x0, 0); x < min(x0+width, f.width); x++ {
			if at := y*f.width + x; q >= f.depth[at] {
				f.depth[at] = q
				f.light[at] = pack(ink[0], ink[1], ink[2], linearMax)
			}
		}
	}
}
