package sculpt

import (
	"math"

	"github.com/usher-assets/usher/schema/asset"
)

// colour is red, green and blue, 0 … 1.
type colour = vec

func rgb(hex uint32) colour {
	return colour{float64(hex>>16) / 255, float64(hex>>8&255) / 255, float64(hex&255) / 255}
}

// canvas is a picture that is painted on.
type canvas struct {
	width, height int
	pix           []colour
	alpha         []float64 // nil where all of it is opaque
}

func newCanvas(width, height int, c colour) *canvas {
	m := &canvas{width: width, height: height, pix: make([]colour, width*height)}
	for i := range m.pix {
		m.pix[i] = c
	}
	return m
}

// rect is a part of a canvas, in pixels; its far edges are outside.
type rect struct{ x0, y0, x1, y1 int }

// each calls f for all pixels of a part, with their places in it, 0 … 1; what f returns is painted.
func (m *canvas) each(r rect, f func(x, y int, u, v float64, was colour) colour) {
	for y := max(r.y0, 0); y < min(r.y1, m.height); y++ {
		for x := max(r.x0, 0); x < min(r.x1, m.width); x++ {
			u, v := (float64(x-r.x0)+0.5)/float64(r.x1-r.x0), (float64(y-r.y0)+0.5)/float64(r.y1-r.y0)
			p := &m.pix[y*m.width+x]
			*p = f(x, y, u, v, *p)
		}
	}
}

func (m *canvas) fill(r rect, c colour) {
	m.each(r, func(int, int, float64, float64, colour) colour { return c })
}

// tint makes a part of the canvas more of a colour.
func (m *canvas) tint(r rect, c colour, amount float64) {
	m.each(r, func(_, _ int, _, _ float64, was colour) colour { return mix(was, c, amount) })
}

// shade makes a part of the canvas darker or brighter by what f returns.
func (m *canvas) shade(r rect, f func(x, y int, u, v float64) float64) {
	m.each(r, func(x, y int, u, v float64, was colour) colour { return was.times(f(x, y, u, v)) })
}

// grain makes a surface uneven: coarse and fine noise.
func (m *canvas) grain(r rect, coarse, fine float64) {
	m.shade(r, func(x, y int, _, _ float64) float64 {
		return 1 + coarse*(cloud(float64(x)/11, float64(y)/11)-0.5) + fine*(noise(x, y)-0.5)
	})
}

// panels draws plates: lines with a bright edge below, each plate of a slightly other tone.
func (m *canvas) panels(r rect, xs, ys []int, depth float64) {
	m.shade(r, func(x, y int, _, _ float64) float64 {
		column, dx := behind(xs, x-r.x0)
		row, dy := behind(ys, y-r.y0)
		switch {
		case dx == 0 || dy == 0:
			return 1 - depth
		case dx == 1 || dy == 1:
			return 1 + depth/4
		}
		return 1 + depth/3*(noise(column*7+3, row*13+5)-0.5)
	})
}

// behind returns which of the steps is the last one before x, and how far it is.
func behind(steps []int, x int) (index, distance int) {
	distance = x + 2
	for i, s := range steps {
		if s <= x {
			index, distance = i+1, x-s
		}
	}
	return index, distance
}

// steps are numbers from 0 on with uneven gaps around one size.
func steps(count, gap, seed int) (list []int) {
	for at, i := 0, 0; i < count; i++ {
		at += gap + int(float64(gap)*0.8*(noise(i, seed)-0.5))
		list = append(list, at)
	}
	return list
}

// noise is a repeatable number in 0 … 1.
func noise(x, y int) float64 {
	h := uint32(x)*374761393 + uint32(y)*668265263
	h = (h ^ h>>13) * 1274126177
	return float64((h^h>>16)&0xFFFF) / 0xFFFF
}

// cloud is smooth noise in 0 … 1.
func cloud(x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ease := func(t float64) float64 { return t * t * (3 - 2*t) }
	u, v, i, k := ease(x-fx), ease(y-fy), int(fx), int(fy)
	return lerp(lerp(noise(i, k), noise(i+1, k), u), lerp(noise(i, k+1), noise(i+1, k+1), u), v)
}

// digits are the figures 0 … 9 of 3 × 5 dots, rows from the top.
var digits = [10]string{
	"####.##.##.####", ".#.##..#..#.###", "###..#####..###", "###..#.##..####", "#.##.####..#..#",
	"####..###..####", "####..####.####", "###..#.#..#..#.", "####.#####.####", "####.####..####",
}

// number paints figures, each dot as a square of that size.
func (m *canvas) number(x, y, size int, text string, c colour) {
	for i, d := range text {
		for k, dot := range digits[d-'0'] {
			if dot == '#' {
				left, top := x+(4*i+k%3)*size, y+k/3*size
				m.tint(rect{left, top, left + size, top + size}, c, 0.9)
			}
		}
	}
}

// plain rounds colours to steps, so that the picture is stored in fewer bytes.
func (m *canvas) plain(steps float64) *canvas {
	for i, c := range m.pix {
		for k := range c {
			m.pix[i][k] = math.Round(c[k]*steps) / steps
		}
	}
	return m
}

// narrowed returns the picture with half its width.
func (m *canvas) narrowed() *canvas {
	out := newCanvas(m.width/2, m.height, colour{})
	for i := range out.pix {
		out.pix[i] = mix(m.pix[2*i], m.pix[2*i+1], 0.5)
	}
	return out
}

// image returns the picture as bytes.
func (m *canvas) image() asset.Image {
	out := asset.NewImage(m.width, m.height, asset.RGBA8)
	for i, c := range m.pix {
		for k := range 3 {
			out.Pix[4*i+k] = uint8(math.Round(clamp(c[k], 0, 1) * 255))
		}
		out.Pix[4*i+3] = 255
		if m.alpha != nil {
			out.Pix[4*i+3] = uint8(math.Round(clamp(m.alpha[i], 0, 1) * 255))
		}
	}
	return out
}

func (m *canvas) texture(name string) *asset.Texture {
	return &asset.Texture{Name: name, Frames: []asset.Frame{{Name: name, Mips: []asset.Image{m.image()}}}}
}

// painted is a material that wears a picture.
func painted(name string, t *asset.Texture) *asset.Material {
	m := asset.NewMaterial(name)
	m.BaseColorTexture = &asset.TextureRef{Texture: t}
	return m
}
