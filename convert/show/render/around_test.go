package render

import (
	"math"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestAround: from every side all of a model is in the picture, and in one of them it fills it as far as the margin; what
// is far from the origin, tiny, huge, or nothing is no other.
func TestAround(t *testing.T) {
	const size, sides = 100, 8
	for _, c := range []struct {
		what        string
		long, scale float32
		at          float32
	}{{"a cube", 1, 1, 0}, {"a beam", 20, 1, 0}, {"far away", 3, 1, 5000}, {"tiny", 2, 1e-3, 0}, {"huge", 2, 1e5, 0}} {
		x, y := c.long*c.scale, c.scale
		p := &asset.Primitive{Positions: [][3]float32{{c.at, 0, 0}, {c.at + x, 0, 0}, {c.at + x, y, y}, {c.at, y, y}}}
		p.Indices = []uint32{0, 1, 2, 0, 2, 3, 2, 1, 0, 3, 2, 0}
		m := &asset.Mesh{Primitives: []*asset.Primitive{p}}
		s := &asset.Scene{Meshes: []*asset.Mesh{m}, Roots: []*asset.Node{{Mesh: m, Transform: asset.Identity}}}
		cameras, err := Around(s, 0, sides)
		if err != nil || len(cameras) != sides {
			t.Fatalf("%s: %d cameras, %v", c.what, len(cameras), err)
		}
		largest := 0
		for i := range cameras {
			if want := ThreeQuarter.Azimuth + 2*math.Pi*float64(i)/sides; cameras[i].Direction.Azimuth != want {
				t.Errorf("%s: camera %d stands at %v, want %v", c.what, i, cameras[i].Direction.Azimuth, want)
			}
			drawn, err := Model(s, Options{Width: size, Height: size, Camera: &cameras[i]})
			if err != nil {
				t.Fatal(err)
			}
			seen := 0
			for y := range size {
				for x := range size {
					if drawn.NRGBAAt(x, y).A == 0 {
						continue
					}
					seen = max(seen, int(2*max(math.Abs(float64(x)+.5-size/2), math.Abs(float64(y)+.5-size/2))))
				}
			}
			if seen == 0 || seen >= size-2 {
				t.Errorf("%s: from side %d it reaches %d of %d", c.what, i, seen, size)
			}
			largest = max(largest, seen)
		}
		if largest < size*8/10 {
			t.Errorf("%s: it reaches %d of %d at most", c.what, largest, size)
		}
	}
	if cameras, err := Around(new(asset.Scene), 0, 3); err != nil || len(cameras) != 3 || cameras[0].Eye[0] != cameras[0].Eye[0] {
		t.Errorf("nothing: %v, %v", cameras, err)
	}
}
