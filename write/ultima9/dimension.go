package ultima9

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Dimensions writes dimension.dat (reference section 11.8). It fails with ErrValue if a table does not have its fixed
// length.
func Dimensions(x *ultima9.Dimensions) ([]byte, error) {
	w := write.NewBuffer("u9-dimension", ultima9.DimensionSize+len(x.Trailing))
	const n = ultima9.DimensionModels
	if len(x.Spheres) != n || len(x.Minima) != n || len(x.Maxima) != n {
		w.Failf(schema.ErrValue, "tables", "%d spheres, %d minima and %d maxima; %d each expected", len(x.Spheres), len(x.Minima), len(x.Maxima), n)
	}
	for i := range x.Spheres {
		w.F32(x.Spheres[i].Radius)
	}
	for i := range x.Spheres {
		w.Floats(x.Spheres[i].Centre[:]...)
	}
	w.Floats(x.Minima...)
	w.Floats(x.Maxima...)
	w.Bytes(x.Trailing)
	return w.Finish()
}
