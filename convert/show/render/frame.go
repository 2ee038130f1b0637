package render

import (
	"image"
	"sync"

	"github.com/usher-assets/usher/schema/asset"
)

// samples is how many samples a pixel has along each side.
const samples = 2

// frame is what triangles are drawn into: samples of light and their depths.
type frame struct {
	width, height int       // in samples
	depth         []float32 // 1 / distance; 0 is infinitely far
	light         []uint64  // linear, times alpha: red, green, blue, alpha of 16 bits each, red lowest
	*transfer
}

// frames are those that nobody uses: they are as large as several pictures.
var frames sync.Pool

// newFrame returns a frame for so many pixels, which holds what was left in it.
func newFrame(width, height int) *frame {
	n := samples * width * samples * height
	f, _ := frames.Get().(*frame)
	if f == nil || cap(f.depth) < n {
		f = &frame{depth: make([]float32, n), light: make([]uint64, n), transfer: tables()}
	}
	f.width, f.height = samples*width, samples*height
	f.depth, f.light = f.depth[:n], f.light[:n]
	return f
}

func (f *frame) release() { frames.Put(f) }

// pack returns a sample. The components are brought into 0 … linearMax.
func pack(r, g, b, a float32) uint64 {
	return component(r) | component(g)<<16 | component(b)<<32 | component(a)<<48
}

func component(x float32) uint64 {
	if x >= 0 && x < linearMax { // is false for what is no number
		return uint64(x)
	}
	if x > 0 {
		return linearMax
	}
	return 0
}

// over returns a sample of straight alpha drawn over another one.
func over(below uint64, r, g, b, a float32) uint64 {
	if !(a > 0) {
		return below
	}
	a = min(a, 1)
	k := 1 - a
	return pack(
		min(r, linearMax)*a+float32(below&0xFFFF)*k,
		min(g, linearMax)*a+float32(below>>16&0xFFFF)*k,
		min(b, linearMax)*a+float32(below>>32&0xFFFF)*k,
		linearMax*a+float32(below>>48)*k)
}

// brighten returns a sample with light added to it. Where nothing is yet, it hides the background as much as it shines.
func brighten(below uint64, r, g, b, a float32) uint64 {
	return above(below, [3]float32{r * a, g * a, b * a}, func(was, c float32) float32 { return was + c })
}

// screen returns a sample with light added to it, the less the brighter that is.
func screen(below uint64, r, g, b, a float32) uint64 {
	return above(below, [3]float32{r * a, g * a, b * a}, func(was, c float32) float32 { return was*(1-c/linearMax) + c })
}

// above mixes light with what a sample has.
func above(below uint64, c [3]float32, mix func(was, c float32) float32) uint64 {
	for k := range c {
		c[k] = min(max(c[k], 0), linearMax)
	}
	bright := max(c[0], c[1], c[2]) / linearMax
	a := float32(below >> 48)
	return pack(mix(float32(below&0xFFFF), c[0]), mix(float32(below>>16&0xFFFF), c[1]), mix(float32(below>>32&0xFFFF), c[2]), a+(linearMax-a)*bright)
}

// mid is mid grey as light, between 0 and 1.
const mid = 0.21404

// modulate returns a sample that is multiplied by twice what colours display, as far as alpha says. More than twice its
// light it does not get.
func modulate(below uint64, r, g, b, a float32) uint64 {
	c := [3]float32{r, g, b}
	dark := float32(0)
	for k := range c {
		c[k] = 1 + (min(max(c[k]/(mid*linearMax), 0), 2)-1)*a
		dark += max(0, 1-c[k]) / 3
	}
	hides := float32(below >> 48)
	return pack(float32(below&0xFFFF)*c[0], float32(below>>16&0xFFFF)*c[1], float32(below>>32&0xFFFF)*c[2], hides+(linearMax-hides)*dark)
}

// empty reports whether nothing was drawn.
func (f *frame) empty() bool {
	for _, l := range f.light {
		if l != 0 {
			return false
		}
	}
	return true
}

// resolve makes pixels of the samples: straight alpha, over the background.
func (f *frame) resolve(background asset.RGBA) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, f.width/samples, f.height/samples))
	var behind [4]uint32 // linear, times alpha
	behind[3] = uint32(background[3]) * 257
	for k := range 3 {
		behind[k] = uint32(f.linear[background[k]]) * behind[3] / linearMax
	}
	at := 0
	for y := 0; y < f.height; y += samples {
		upper, lower := f.light[y*f.width:(y+1)*f.width], f.light[(y+1)*f.width:(y+2)*f.width]
		for x := 0; x+1 < len(upper); x += samples {
			a, b, c, d := upper[x], upper[x+1], lower[x], lower[x+1]
			if a|b|c|d == 0 {
				copy(out.Pix[at:at+4], background[:])
				at += 4
				continue
			}
			var sum [4]uint32
			for k := range sum {
				s := 16 * k
				sum[k] = uint32(a>>s&0xFFFF+b>>s&0xFFFF+c>>s&0xFFFF+d>>s&0xFFFF) / 4
			}
			f.put(out.Pix[at:at+4:at+4], &sum, &behind)
			at += 4
		}
	}
	return out
}

// put writes one pixel.
func (f *frame) put(pix []byte, light, behind *[4]uint32) {
	rest := linearMax - light[3]
	if rest > 0 && behind[3] > 0 {
		for k := range light {
			light[k] += behind[k] * rest / linearMax
		}
	}
	alpha := light[3]
	for k := range 3 {
		c := light[k]
		if alpha < linearMax && alpha > 0 {
			c = min(uint32(uint64(c)*linearMax/uint64(alpha)), linearMax)
		}
		pix[k] = f.display[min(c, linearMax)]
	}
	pix[3] = byte((alpha + 128) / 257)
}
