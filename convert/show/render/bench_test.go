package render

import (
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// BenchmarkModel draws balls in glass at 256²; bytes are those of the picture.
func BenchmarkModel(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"800 triangles", 10}, {"7200 triangles", 30}} {
		s := teapot(c.n)
		big := make([]asset.RGBA, 256*256)
		for i := range big {
			big[i] = asset.RGBA{byte(i), byte(i >> 8), 128, 255}
		}
		s.Meshes[0].Primitives[0].Material.BaseColorTexture.Texture = picture(256, big...)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(4 * DefaultSize * DefaultSize)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Model(s, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTexture draws a texture of 256² at half its size; bytes are those of the texture.
func BenchmarkTexture(b *testing.B) {
	x := picture(256, make([]asset.RGBA, 256*256)...)
	b.SetBytes(4 * 256 * 256)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Texture(x, Options{Width: 128, Height: 128, Checker: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSound draws ten seconds.
func BenchmarkSound(b *testing.B) {
	s := &asset.Sound{Rate: 22050, Channels: 1, Bits: 16, PCM: make([]byte, 2*220500)}
	b.SetBytes(int64(len(s.PCM)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Sound(s, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSheet lays out a page of 128 pictures of 128²; bytes are those of the pictures.
func BenchmarkSheet(b *testing.B) {
	p, err := Texture(picture(1, red), Options{Width: 128, Height: 128})
	if err != nil {
		b.Fatal(err)
	}
	cells := make([]Cell, 128)
	for i := range cells {
		cells[i] = Cell{Picture: p.NRGBA, Title: "Group/Deco.runeSgn2 with a long name", Facts: p.Facts}
	}
	s := Sheet{Cell: 128, Columns: 12}
	b.SetBytes(128 * 4 * 128 * 128)
	b.ReportAllocs()
	for b.Loop() {
		s.Draw(cells)
	}
}
