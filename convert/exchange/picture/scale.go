package picture

import (
	"math/bits"

	"github.com/usher-assets/usher/schema/asset"
)

// Half returns an RGBA8 picture at half the size, at least one pixel a side. Colours are weighted by their alpha. The
// result is nil if the picture is nil.
func Half(m *asset.Image) *asset.Image {
	if m == nil {
		return nil
	}
	out := asset.NewImage(max(m.Width/2, 1), max(m.Height/2, 1), asset.RGBA8)
	dx, dy := min(m.Width-1, 1), min(m.Height-1, 1)
	for y := range out.Height {
		for x := range out.Width {
			var sum [4]int
			weight := 0
			for _, at := range [4][2]int{{0, 0}, {dx, 0}, {0, dy}, {dx, dy}} {
				px := min(x*2*dx+at[0]+x*(1-dx), m.Width-1)
				py := min(y*2*dy+at[1]+y*(1-dy), m.Height-1)
				p := m.Pix[4*(py*m.Width+px):][:4]
				for c := range 3 {
					sum[c] += int(p[c]) * int(p[3])
				}
				sum[3] += int(p[3])
				weight += int(p[3])
			}
			q := out.Pix[4*(y*out.Width+x):][:4]
			if weight > 0 {
				for c := range 3 {
					q[c] = byte((sum[c] + weight/2) / weight)
				}
			}
			q[3] = byte((sum[3] + 2) / 4)
		}
	}
	return &out
}

// PowerOfTwo returns a picture scaled so that each side is the nearest power of two.
func PowerOfTwo(m *asset.Image) *asset.Image {
	side := func(n int) int {
		p := 1 << (bits.Len(uint(n)) - 1)
		if n*2 > 3*p { // nearer to the next one
			p *= 2
		}
		return p
	}
	return Scale(m, side(m.Width), side(m.Height))
}

// Scale returns an RGBA8 picture scaled to the given size, with interpolation.
func Scale(m *asset.Image, w, h int) *asset.Image {
	if w == m.Width && h == m.Height {
		return m
	}
	out := asset.NewImage(w, h, asset.RGBA8)
	for y := range h {
		sy := (float64(y)+0.5)*float64(m.Height)/float64(h) - 0.5
		for x := range w {
			sx := (float64(x)+0.5)*float64(m.Width)/float64(w) - 0.5
			sample(out.Pix[4*(y*w+x):][:4], m, sx, sy)
		}
	}
	return &out
}

// sample interpolates between four pixels. The colour of what is not seen does not count, so that holes have no seams.
func sample(dst []byte, m *asset.Image, x, y float64) {
	clamp := func(v, n int) int { return min(max(v, 0), n-1) }
	x0, y0 := int(x+1)-1, int(y+1)-1
	fx, fy := x-float64(x0), y-float64(y0)
	at := func(x, y int) []byte { return m.Pix[4*(clamp(y, m.Height)*m.Width+clamp(x, m.Width)):] }
	a, b, c, d := at(x0, y0), at(x0+1, y0), at(x0, y0+1), at(x0+1, y0+1)
	mix := func(a, b, c, d float64) float64 {
		top, low := a*(1-fx)+b*fx, c*(1-fx)+d*fx
		return top*(1-fy) + low*fy
	}
	wa, wb, wc, wd := float64(a[3]), float64(b[3]), float64(c[3]), float64(d[3])
	alpha := mix(wa, wb, wc, wd)
	dst[3] = byte(alpha + 0.5)
	if alpha == 0 || a[3] == b[3] && a[3] == c[3] && a[3] == d[3] {
		wa, wb, wc, wd, alpha = 1, 1, 1, 1, 1
	}
	for k := range 3 {
		dst[k] = byte(mix(float64(a[k])*wa, float64(b[k])*wb, float64(c[k])*wc, float64(d[k])*wd)/alpha + 0.5)
	}
}
