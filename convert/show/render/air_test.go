package render

import (
	"math"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestAirMean: what GLBs have as the opacity of air is the mean over a ball of what is drawn.
func TestAirMean(t *testing.T) {
	const steps = 10000
	sum := 0.0
	for i := range steps {
		cosine := (float64(i) + 0.5) / steps
		sum += float64(airThrough(float32(cosine))) * 2 * cosine / steps // a ring of the disc
	}
	if math.Abs(sum-asset.AirShare) > 1e-3 {
		t.Errorf("the mean is %.4f", sum)
	}
}

// TestAir draws two sheets of half dense air: one that is looked at straight shows nothing, a tilted one does.
func TestAir(t *testing.T) {
	for _, c := range []struct {
		normal [3]float32
		seen   bool
	}{{[3]float32{0, 0, 1}, false}, {[3]float32{0.925, 0, 0.38}, true}} {
		m := paint(1, 1, 1, 0.5*asset.AirShare)
		m.Alpha, m.Air = asset.Blend, true
		p := quad(0.01, 0, m)
		p.Normals = [][3]float32{c.normal, c.normal, c.normal, c.normal}
		s := sceneOf(p)
		picture, err := Model(s, Options{Width: 64, Height: 64, Camera: ahead})
		if err != nil {
			t.Fatal(err)
		}
		air := picture.NRGBAAt(32, 32)
		p.Material = paint(0, 0, 0, 0)
		p.Material.Alpha = asset.Blend
		if picture, err = Model(s, Options{Width: 64, Height: 64, Camera: ahead}); err != nil {
			t.Fatal(err)
		}
		if seen := air != picture.NRGBAAt(32, 32); seen != c.seen {
			t.Errorf("air with the normal %v is seen: %v", c.normal, seen)
		}
	}
}
