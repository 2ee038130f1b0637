package rig

import (
	"math"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// LiftCamera returns a stored camera as a node's camera. The stored angles are half of the picture's.
func LiftCamera(name string, c *freelancer.Camera) *asset.Camera {
	a := &asset.Camera{Name: name, FieldOfView: 2 * c.FovY, Near: c.Near, Far: c.Far}
	if t := math.Tan(float64(c.FovY)); t > 0 {
		a.Aspect = float32(math.Tan(float64(c.FovX)) / t)
	}
	return a
}

// LowerCamera applies a visible camera to the stored one, base, which may be nil.
func LowerCamera(c *freelancer.Camera, a, base *asset.Camera) {
	c.FovY = a.FieldOfView / 2
	aspect := float64(a.Aspect)
	if editorAspect(a) {
		aspect = 4.0 / 3
		if base != nil {
			aspect = float64(base.Aspect)
		}
	}
	c.FovX = float32(math.Atan(math.Tan(float64(c.FovY)) * aspect))
	c.Near, c.Far = a.Near, a.Far
}

// editorAspect reports whether the proportions of a camera's picture are nobody's choice: there are none, or they are
// those of a film, which editors write for want of better ones.
func editorAspect(a *asset.Camera) bool {
	return a.Aspect == 0 || math.Abs(float64(a.Aspect)-16.0/9) < 1e-3
}

// SameCamera reports whether two cameras have the same editable values.
func SameCamera(a, b *asset.Camera) bool {
	near := func(x, y float32) bool { return math.Abs(float64(x-y)) <= 1e-5*(1+math.Abs(float64(x))) }
	return near(a.FieldOfView, b.FieldOfView) && near(a.Near, b.Near) && near(a.Far, b.Far) && (editorAspect(b) || near(a.Aspect, b.Aspect))
}
