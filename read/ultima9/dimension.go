package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Dimensions reads dimension.dat (reference section 11.8).
func Dimensions(b []byte, d *schema.Diagnostics) (*ultima9.Dimensions, error) {
	c := read.NewCursor("u9-dimension", b, d)
	const n = ultima9.DimensionModels
	radii := c.F32s(n, "radius")
	centres := c.Vec3s(n, "centre")
	x := &ultima9.Dimensions{Minima: c.F32s(n, "minima"), Maxima: c.F32s(n, "maxima")}
	x.Trailing = trailing(c, d)
	if c.Err() != nil {
		return nil, c.Err()
	}
	x.Spheres = make([]ultima9.DimensionSphere, n)
	for i := range x.Spheres {
		x.Spheres[i] = ultima9.DimensionSphere{Radius: radii[i], Centre: centres[i]}
	}
	return x, nil
}
