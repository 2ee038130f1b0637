package render

import (
	"image/color"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// front is the direction from which x grows to the right and y upwards.
var front = Direction{}

// ahead is a camera on the z axis that sees x and y from −1 to 1 in the plane z = 0.
var ahead = &Camera{Eye: [3]float64{0, 0, 1}, Direction: front, FieldOfView: 2 * 0.7853981633974483}

// quad is a square in the plane z that faces +Z, from −half to half, its texture upright.
func quad(half, z float32, m *asset.Material) *asset.Primitive {
	return &asset.Primitive{
		Positions: [][3]float32{{-half, half, z}, {-half, -half, z}, {half, -half, z}, {half, half, z}},
		TexCoords: [][][2]float32{{{0, 0}, {0, 1}, {1, 1}, {1, 0}}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
		Material:  m,
	}
}

// sceneOf shows primitives on one node.
func sceneOf(p ...*asset.Primitive) *asset.Scene {
	n := asset.NewNode("node")
	n.Mesh = &asset.Mesh{Primitives: p}
	return &asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}}
}

// paint is a material of one colour on which no light falls.
func paint(r, g, b, a float32) *asset.Material {
	m := asset.NewMaterial("paint")
	m.Unlit, m.BaseColor = true, [4]float32{r, g, b, a}
	return m
}

// textured is an unlit material with a picture of pixels.
func textured(width int, pixels ...asset.RGBA) *asset.Material {
	m := paint(1, 1, 1, 1)
	m.BaseColorTexture = &asset.TextureRef{Texture: picture(width, pixels...)}
	return m
}

func picture(width int, pixels ...asset.RGBA) *asset.Texture {
	i := asset.NewImage(width, len(pixels)/width, asset.RGBA8)
	for k, p := range pixels {
		copy(i.Pix[4*k:], p[:])
	}
	return &asset.Texture{Name: "picture", Frames: []asset.Frame{{Mips: []asset.Image{i}}}}
}

var (
	red   = asset.RGBA{255, 0, 0, 255}
	green = asset.RGBA{0, 255, 0, 255}
	blue  = asset.RGBA{0, 0, 255, 255}
	white = asset.RGBA{255, 255, 255, 255}
	none  = asset.RGBA{}
)

// shoot draws a scene with 32 × 32 pixels.
func shoot(t testing.TB, s *asset.Scene, c *Camera) *Picture {
	t.Helper()
	p, err := Model(s, Options{Width: 32, Height: 32, Camera: c})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wantPixel compares one pixel, up to rounding.
func wantPixel(t testing.TB, what string, p *Picture, x, y int, want asset.RGBA) {
	t.Helper()
	got := p.NRGBAAt(x, y)
	for i, pair := range [...][2]uint8{{got.R, want[0]}, {got.G, want[1]}, {got.B, want[2]}, {got.A, want[3]}} {
		if d := int(pair[0]) - int(pair[1]); (d > 2 || d < -2) && (want[3] != 0 || i == 3) {
			t.Errorf("%s: pixel %d, %d is %v, want %v", what, x, y, got, color.NRGBA{want[0], want[1], want[2], want[3]})
			return
		}
	}
}

// covered counts the pixels that are not empty.
func covered(p *Picture) (n int) {
	for i := 3; i < len(p.Pix); i += 4 {
		if p.Pix[i] != 0 {
			n++
		}
	}
	return n
}
