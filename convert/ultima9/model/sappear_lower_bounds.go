package model

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/ultima9"
)

// box is the smallest box around points.
type box struct{ low, high [3]float32 }

func boxOf(points [][3]float32) (b box) {
	for i, p := range points {
		for k, x := range p {
			if i == 0 || x < b.low[k] {
				b.low[k] = x
			}
			if i == 0 || x > b.high[k] {
				b.high[k] = x
			}
		}
	}
	return b
}

func (b box) centre() (c [3]float32) {
	for k := range c {
		c[k] = float32((float64(b.low[k]) + float64(b.high[k])) / 2)
	}
	return c
}

// radiusAround returns the distance of the furthest point.
func radiusAround(c [3]float32, points [][3]float32) float32 {
	most := 0.0
	for _, p := range points {
		d := 0.0
		for k := range p {
			x := float64(p[k]) - float64(c[k])
			d += x * x
		}
		most = max(most, d)
	}
	return float32(math.Sqrt(most))
}

// boundLOD sets the box and the sphere of a level around its vertices.
func boundLOD(l *ultima9.LOD) {
	b := boxOf(l.Vertices)
	l.BoxMin, l.BoxMax = b.low, b.high
	l.SphereCentre = b.centre()
	l.SphereRadius = radiusAround(l.SphereCentre, l.Vertices)
}

// bound sets the box, sphere, cylinder and mass of a model around the vertices of level 0 (reference section 6.7).
func bound(m *ultima9.Mesh) error {
	points, err := modelPoints(m)
	if err != nil {
		return err
	}
	b := boxOf(points)
	c := b.centre()
	m.BoxMin, m.BoxMax = b.low, b.high
	m.SphereCentre, m.SphereRadius = c, radiusAround(c, points)
	size := [3]float64{}
	for k := range size {
		size[k] = float64(b.high[k]) - float64(b.low[k])
	}
	m.CylinderBase = [3]float32{c[0], c[1], b.low[2]}
	m.CylinderHeight = float32(size[2])
	m.CylinderRadius = float32(math.Hypot(size[0]/2, size[1]/2))
	m.CentreOfMass, m.Volume = c, float32(size[0]*size[1]*size[2])
	m.InverseInertia, m.DiagonalInertia = [9]float32{0: 1, 4: 1, 8: 1}, 1
	return nil
}

// modelPoints returns the vertices of level 0 of all limbs where the limbs stand.
func modelPoints(m *ultima9.Mesh) ([][3]float32, error) {
	parents, err := m.Parents()
	if err != nil {
		return nil, err
	}
	world := make([]mgl64.Mat4, len(m.Limbs))
	known := make([]bool, len(m.Limbs))
	var place func(i int) mgl64.Mat4
	place = func(i int) mgl64.Mat4 {
		if !known[i] {
			at := LimbTransform(&m.Limbs[i])
			world[i], known[i] = scene.Matrix(&at), true
			if p := parents[i]; p >= 0 {
				world[i] = place(p).Mul4(world[i])
			}
		}
		return world[i]
	}
	var points [][3]float32
	for i := range m.Limbs {
		if len(m.Limbs[i].LODs) == 0 {
			continue
		}
		at := place(i)
		for _, v := range m.Limbs[i].LODs[0].Vertices {
			points = append(points, scene.Narrow3(scene.Point(&at, v)))
		}
	}
	return points, nil
}
