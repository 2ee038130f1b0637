package hull

import (
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestFlatBodies makes bodies of flat meshes: one with two sides and a convex outline is one body, all others become triangles
// with two sides.
func TestFlatBodies(t *testing.T) {
	hexagon := [][3]float32{{2, 0, 0}, {1, 2, 0}, {-1, 2, 0}, {-2, 0, 0}, {-1, -2, 0}, {1, -2, 0}}
	dented := [][3]float32{{2, 0, 0}, {1, 2, 0}, {-1, 2, 0}, {-0.5, 0, 0}, {-1, -2, 0}, {1, -2, 0}}
	above, below := [][3]int{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, [][3]int{{1, 0, 5}, {1, 5, 4}, {1, 4, 3}, {1, 3, 2}}
	both := append(append([][3]int{}, above...), below...)
	for _, c := range []struct {
		name   string
		points [][3]float32
		faces  [][3]int
		bodies int // of so many faces in all
		of     int
		told   bool
	}{
		{"two sides", hexagon, both, 1, 8, false},
		{"one side", hexagon, above, 4, 8, true},
		{"an outline with a dent", dented, append([][3]int{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, [][3]int{{2, 1, 3}, {1, 0, 3}, {3, 0, 5}, {3, 5, 4}}...), 8, 16, true},
		{"a triangle with two sides", hexagon, [][3]int{{0, 1, 2}, {0, 2, 1}}, 1, 2, false},
		{"two sides and one face away", hexagon, both[:7], 7, 14, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mesh [][3][3]float32
			for _, f := range c.faces {
				mesh = append(mesh, [3][3]float32{c.points[f[0]], c.points[f[1]], c.points[f[2]]})
			}
			d := new(schema.Diagnostics)
			list, faces := bodies(d, "plate", mesh), 0
			for _, b := range list {
				faces += len(b.Faces)
			}
			if len(list) != c.bodies || faces != c.of || d.Has("hull-flat") != c.told {
				t.Errorf("%d bodies of %d faces, told %v; want %d of %d, %v", len(list), faces, d.Has("hull-flat"), c.bodies, c.of, c.told)
			}
			if _, err := newSurface(list, nil); err != nil {
				t.Error(err)
			}
		})
	}
}
