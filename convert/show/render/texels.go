package render

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/schema/asset"
)

// texels are the pixels of a texture as RGBA in one word, red lowest, with the smaller levels that have been asked for.
type texels struct {
	levels []level
	opaque bool
}

type level struct {
	width, height int
	pix           []uint32
}

// newTexels returns nil for a texture without usable pixels.
func newTexels(t *asset.Texture) *texels {
	m := t.Base()
	if m == nil {
		return nil
	}
	pix := words(m, t.Palette)
	if pix == nil {
		return nil
	}
	opaque := true
	for _, c := range pix {
		if c>>24 != 255 {
			opaque = false
			break
		}
	}
	return &texels{levels: []level{{m.Width, m.Height, pix}}, opaque: opaque}
}

// words returns the pixels of an image as RGBA in words; nil when its size and its bytes disagree.
func words(m *asset.Image, palette []asset.RGBA) []uint32 {
	if m.Width <= 0 || m.Height <= 0 || len(m.Pix) != m.Width*m.Height*m.Format.Bytes() {
		return nil
	}
	out := make([]uint32, m.Width*m.Height)
	if m.Format == asset.RGBA8 {
		for i := range out {
			out[i] = binary.LittleEndian.Uint32(m.Pix[4*i:])
		}
		return out
	}
	var table [256]uint32
	if m.Format == asset.Indexed8 {
		for i, c := range palette[:min(len(palette), 256)] {
			table[i] = binary.LittleEndian.Uint32(c[:])
		}
	} else {
		for i := range table {
			table[i] = 0xFF000000 | uint32(i)*0x010101
		}
	}
	step := m.Format.Bytes()
	for i := range out {
		out[i] = table[m.Pix[step*i+step-1]] // of 16 bits the high ones
	}
	return out
}

// level returns level n, or the smallest one.
func (t *texels) level(n int) *level {
	for n >= len(t.levels) {
		last := &t.levels[len(t.levels)-1]
		if last.width == 1 && last.height == 1 {
			return last
		}
		t.levels = append(t.levels, last.half(t.opaque))
	}
	return &t.levels[max(n, 0)]
}

// half returns the next smaller level: the mean of four texels each, colours weighed by their alpha.
func (l *level) half(opaque bool) level {
	w, h := max(l.width/2, 1), max(l.height/2, 1)
	out := level{w, h, make([]uint32, w*h)}
	for y := range h {
		upper := l.pix[min(2*y, l.height-1)*l.width:]
		lower := l.pix[min(2*y+1, l.height-1)*l.width:]
		row := out.pix[y*w : (y+1)*w]
		for x := range row {
			x0, x1 := min(2*x, l.width-1), min(2*x+1, l.width-1)
			if opaque {
				row[x] = mean(upper[x0], upper[x1], lower[x0], lower[x1])
			} else {
				row[x] = weighedMean(upper[x0], upper[x1], lower[x0], lower[x1])
			}
		}
	}
	return out
}

const evenBytes = 0x00FF00FF

func mean(a, b, c, d uint32) uint32 {
	low := a&evenBytes + b&evenBytes + c&evenBytes + d&evenBytes + 0x00020002
	high := a>>8&evenBytes + b>>8&evenBytes + c>>8&evenBytes + d>>8&evenBytes + 0x00020002
	return low>>2&evenBytes | high>>2&evenBytes<<8
}

func weighedMean(texels ...uint32) uint32 {
	var sum [3]uint32
	var alpha uint32
	for _, t := range texels {
		a := t >> 24
		alpha += a
		sum[0] += t & 255 * a
		sum[1] += t >> 8 & 255 * a
		sum[2] += t >> 16 & 255 * a
	}
	if alpha == 0 {
		return mean(texels[0], texels[1], texels[2], texels[3])
	}
	half := alpha / 2
	return (sum[0]+half)/alpha | (sum[1]+half)/alpha<<8 | (sum[2]+half)/alpha<<16 | (alpha+2)/4<<24
}

// sampler is the use of texels in a material.
type sampler struct {
	*texels
	wrap    [2]asset.Wrap
	nearest bool
	ref     *asset.TextureRef
}

// choose returns the level whose texels are nearest to the size of pixels and not larger: areas are those of a triangle
// in texels of the full size and in pixels.
func (s *sampler) choose(texelArea, pixelArea float32) *level {
	ratio := texelArea / pixelArea
	if !(ratio > 1) {
		return s.level(0)
	}
	exponent := int(math.Float32bits(ratio)>>23) - 127
	return s.level(min(exponent/2, 30))
}

// at returns the texel at texture coordinates, mixed of the four around them.
func (s *sampler) at(l *level, u, v float32) uint32 {
	x, y := u*float32(l.width), v*float32(l.height)
	if s.nearest {
		return l.pix[wrap(floor(y), l.height, s.wrap[1])*l.width+wrap(floor(x), l.width, s.wrap[0])]
	}
	fx, fy := floor(x*256-128), floor(y*256-128)
	x0, y0 := fx>>8, fy>>8
	fx, fy = fx&255, fy&255
	x1, y1 := wrap(x0+1, l.width, s.wrap[0]), wrap(y0+1, l.height, s.wrap[1])*l.width
	x0, y0 = wrap(x0, l.width, s.wrap[0]), wrap(y0, l.height, s.wrap[1])*l.width
	upper := mix(l.pix[y0+x0], l.pix[y0+x1], uint32(fx))
	lower := mix(l.pix[y1+x0], l.pix[y1+x1], uint32(fx))
	return mix(upper, lower, uint32(fy))
}

// mix returns a with f of 256 parts of b.
func mix(a, b, f uint32) uint32 {
	if a == b {
		return a
	}
	low := (a&evenBytes*(256-f) + b&evenBytes*f) >> 8 & evenBytes
	high := (a>>8&evenBytes*(256-f) + b>>8&evenBytes*f) & (evenBytes << 8)
	return low | high
}

// floor returns the integer below x; of what is no number, or far outside, 0.
func floor(x float32) int {
	if !(x > -1<<30 && x < 1<<30) {
		return 0
	}
	i := int(x)
	if float32(i) > x {
		i--
	}
	return i
}

// wrap brings the number of a texel into 0 … n−1.
func wrap(i, n int, w asset.Wrap) int {
	if uint(i) < uint(n) {
		return i
	}
	switch w {
	case asset.Clamp:
		return max(0, min(i, n-1))
	case asset.Mirror:
		if i = modulo(i, 2*n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	}
	return modulo(i, n)
}

func modulo(i, n int) int {
	if n&(n-1) == 0 {
		return i & (n - 1)
	}
	if i %= n; i < 0 {
		i += n
	}
	return i
}
