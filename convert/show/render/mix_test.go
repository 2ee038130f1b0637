package render

import (
	"fmt"
	"math"
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// TestMix: each mix over each of some colours, and over nothing, against what its words say, in light.
func TestMix(t *testing.T) {
	levels := []float64{0, 0.1, 0.5, 0.99} // white without a picture is shown in neutral grey
	ways := map[scene.Mix]func(below, c, alpha float64) float64{
		scene.Over:     func(below, c, alpha float64) float64 { return below*(1-alpha) + c*alpha },
		scene.Add:      func(below, c, alpha float64) float64 { return min(1, below+c*alpha) },
		scene.Screen:   func(below, c, alpha float64) float64 { return 1 - (1-below)*(1-c*alpha) },
		scene.Modulate: func(below, c, alpha float64) float64 { return min(1, below*(1+(min(2, c/mid)-1)*alpha)) },
	}
	cases := 0
	for x, way := range ways {
		for _, alpha := range []float64{0.25, 1} {
			for _, below := range levels {
				for _, c := range levels {
					m := textured(1, white)
					m.BaseColor = [4]float32{float32(c), float32(c), float32(c), float32(alpha)}
					m.Alpha, m.Native = asset.Blend, &asset.Native{Format: "some"}
					scene.SetMix(m, x)
					wall := paint(float32(below), float32(below), float32(below), 1)
					p := shoot(t, sceneOf(quad(0.5, 0.1, m), quad(1, 0, wall)), ahead)
					want := displayed(way(below, c, alpha))
					wantPixel(t, fmt.Sprintf("%q: %v of alpha %v over %v", x, c, alpha, below), p, 16, 16, asset.RGBA{want, want, want, 255})
					cases++
				}
			}
		}
	}
	if cases != 4*2*16 {
		t.Errorf("%d cases", cases)
	}
	sky := textured(1, white)
	sky.Native = &asset.Native{Format: "some"}
	scene.SetMix(sky, scene.Backdrop)
	wantPixel(t, "a backdrop before a wall", shoot(t, sceneOf(quad(0.5, 0.1, sky), quad(1, 0, paint(1, 0, 0, 1))), ahead), 16, 16, red)
	for x, want := range map[scene.Mix]asset.RGBA{scene.Add: {255, 0, 0, 255}, scene.Screen: {255, 0, 0, 255}, scene.Modulate: {0, 0, 0, 170}} {
		m := textured(1, red)
		m.Native = &asset.Native{Format: "some"}
		scene.SetMix(m, x)
		wantPixel(t, fmt.Sprintf("%q over nothing", x), shoot(t, sceneOf(quad(1, 0, m)), ahead), 16, 16, want)
		m.BaseColorTexture.Texture = &asset.Texture{Name: "not at hand"}
		wantPixel(t, fmt.Sprintf("%q without its picture", x), shoot(t, sceneOf(quad(1, 0, m)), ahead), 16, 16, quietly("paint"))
	}
}

// quietly returns the colour of a material whose picture is not at hand.
func quietly(name string) asset.RGBA {
	c := scene.QuietColour(name)
	return asset.RGBA{displayed(float64(c[0])), displayed(float64(c[1])), displayed(float64(c[2])), 255}
}

// displayed returns the byte that displays light.
func displayed(light float64) byte {
	if light <= 0.0031308 {
		return byte(255*12.92*light + 0.5)
	}
	return byte(255*(1.055*math.Pow(light, 1/2.4)-0.055) + 0.5)
}
