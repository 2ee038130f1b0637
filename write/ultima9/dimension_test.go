package ultima9

import (
	"errors"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// The tables of dimension.dat have fixed lengths, each of them.
func TestDimensionsLengths(t *testing.T) {
	const n = ultima9.DimensionModels
	for _, tt := range []struct {
		spheres, minima, maxima int
		ok                      bool
	}{{n, n, n, true}, {n - 1, n, n, false}, {n, n + 1, n, false}, {n, n, 0, false}} {
		x := &ultima9.Dimensions{Spheres: make([]ultima9.DimensionSphere, tt.spheres), Minima: make([]float32, tt.minima), Maxima: make([]float32, tt.maxima)}
		b, err := Dimensions(x)
		if tt.ok && (err != nil || len(b) != ultima9.DimensionSize) || !tt.ok && !errors.Is(err, schema.ErrValue) {
			t.Errorf("%d, %d, %d: %d bytes, %v", tt.spheres, tt.minima, tt.maxima, len(b), err)
		}
	}
}
