package mesh

import (
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
)

// TestTellNormals: another normal than the engine's is told, but not of a triangle whose corners lie in a line.
func TestTellNormals(t *testing.T) {
	up, side := [3]float32{0, 0, 1}, [3]float32{1, 0, 0}
	of := func(tip, normal [3]float32) []shadedTriangle {
		return []shadedTriangle{{corners: [3]int{0, 1, 2}, shades: [3]shade{{[3]float32{0, 0, 0}, normal}, {[3]float32{48, 0, 0}, up}, {tip, up}}}}
	}
	for _, c := range []struct {
		name   string
		tip    [3]float32
		normal [3]float32
		want   bool
	}{
		{"the same", [3]float32{0, 10, 0}, up, false},
		{"another", [3]float32{0, 10, 0}, side, true},
		{"one that an editor lost", [3]float32{0, 10, 0}, scene.NoNormal, false},
		{"another of a narrow one", [3]float32{184, 0.1, 0}, side, true},
		{"another of one in a line", [3]float32{184, 0, 0}, side, false},
		{"another of one in a line but for rounding", [3]float32{184, 2.9e-5, 0}, side, false},
	} {
		var d schema.Diagnostics
		was := of(c.tip, up)
		if tellNormals(of(c.tip, c.normal), was, was, false, "p", &d); d.Has("normals") != c.want {
			t.Errorf("%s: told %v, want %v", c.name, d.Has("normals"), c.want)
		}
	}
}
