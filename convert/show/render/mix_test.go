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

// TestBakedLight: a picture of light takes the place of the light of the picture; mid grey leaves a colour as it is, white doubles
// what is displayed, about, and black hides it.
func TestBakedLight(t *testing.T) {
	grey := func(c uint8) *asset.Material {
		m := textured(1, asset.RGBA{100, 200, 50, 255})
		m.Unlit = false
		m.LightTexture = &asset.TextureRef{Texture: picture(2, asset.RGBA{0, 0, 0, 255}, asset.RGBA{c, c, c, 255}), TexCoord: 1, WrapS: asset.Clamp, WrapT: asset.Clamp}
		return m
	}
	for _, c := range []struct {
		light uint8
		want  asset.RGBA
	}{
		{0, asset.RGBA{0, 0, 0, 255}},
		{64, asset.RGBA{49, 104, 21, 255}},
		{128, asset.RGBA{100, 200, 50, 255}},
		{255, asset.RGBA{204, 255, 109, 255}},
	} {
		q := quad(1, 0, grey(c.light))
		q.TexCoords = append(q.TexCoords, [][2]float32{{0.75, 0}, {0.75, 1}, {0.75, 1}, {0.75, 0}})
		wantPixel(t, fmt.Sprintf("light %d", c.light), shoot(t, sceneOf(q), ahead), 16, 16, c.want)
	}
}

// TestSky: backdrops show what is seen from the node of the sky, in the direction of the camera and turned as that node is.
// They hide what is behind them, and nothing of the sky is seen beside them.
func TestSky(t *testing.T) {
	backdrop := textured(1, white)
	backdrop.Native = &asset.Native{Format: "some"}
	scene.SetMix(backdrop, scene.Backdrop)
	level := func(turn float64) *asset.Scene {
		s := sceneOf(quad(0.5, 0, backdrop), quad(1, -0.1, paint(0, 1, 0, 1)), quad(0.1, 0.2, paint(0, 0, 0, 1)))
		sky := asset.NewNode("sky")
		sky.Native = &asset.Native{Format: "some"}
		scene.SetRole(sky, scene.Sky)
		half := math.Sin(turn / 2)
		sky.Transform.Translation, sky.Transform.Rotation = [3]float32{100, 0, 0}, [4]float32{0, float32(half), 0, float32(math.Cos(turn / 2))}
		sky.Transform.Scale = [3]float32{5, 5, 5}
		for i, c := range []*asset.Material{paint(1, 0, 0, 1), paint(0, 0, 1, 1)} { // ahead, and to the left of it
			n := asset.NewNode("wall")
			n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{quad(3, -3, c)}}
			n.Transform.Translation = [3]float32{100, 0, 0}
			if i == 1 {
				n.Transform.Rotation = [4]float32{0, float32(math.Sqrt2 / 2), 0, float32(math.Sqrt2 / 2)}
			}
			s.Roots, s.Meshes = append(s.Roots, n), append(s.Meshes, n.Mesh)
		}
		s.Roots = append(s.Roots, sky)
		return s
	}
	p := shoot(t, level(0), ahead)
	wantPixel(t, "through the backdrop", p, 12, 12, red)
	wantPixel(t, "beside the backdrop", p, 2, 16, green)
	wantPixel(t, "before the backdrop", p, 16, 16, asset.RGBA{0, 0, 0, 255})
	wantPixel(t, "a quarter turn to the right", shoot(t, level(-math.Pi/2), ahead), 12, 12, blue)
	s := level(0)
	s.Roots[len(s.Roots)-1].Native = nil
	wantPixel(t, "no sky", shoot(t, s, ahead), 12, 12, green)
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
