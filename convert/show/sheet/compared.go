package sheet

import (
	"image"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema/asset"
)

// Compared returns a function for [compare.Comparison] that draws two items as squares of size pixels: models with the same
// camera, textures in their own pixels, sounds as waveforms. That function returns nil if neither has a picture.
func Compared(size int) func(a, b *interchange.Item) *compare.Pictures {
	return func(a, b *interchange.Item) *compare.Pictures { return compared(a, b, size) }
}

func compared(a, b *interchange.Item, size int) *compare.Pictures {
	o := render.Options{Width: size, Height: size, Checker: true}
	x, err1 := a.Lift()
	y, err2 := b.Lift()
	s, ok1 := x.(*asset.Scene)
	t, ok2 := y.(*asset.Scene)
	if err1 == nil && err2 == nil && ok1 && ok2 {
		both := &asset.Scene{Roots: append(append([]*asset.Node(nil), s.Roots...), t.Roots...)}
		if p, err := render.Model(both, render.Options{Width: 16, Height: 16}); err == nil {
			o.Camera = &p.Camera
		}
	}
	p := new(compare.Pictures)
	if m, err := Picture(a, o); err == nil {
		p.Before = m.NRGBA
	}
	if m, err := Picture(b, o); err == nil {
		p.After = m.NRGBA
	}
	if p.Before == nil && p.After == nil {
		return nil
	}
	p.Heat = heat(p.Before, p.After)
	return p
}

// heat returns a picture that is dark where two are the same, and from red to white the more they differ.
func heat(a, b *image.NRGBA) *image.NRGBA {
	if a == nil || b == nil || a.Rect != b.Rect {
		return nil
	}
	out := image.NewNRGBA(a.Rect)
	for i := 0; i < len(out.Pix); i += 4 {
		d := 0
		for k := range 4 {
			d = max(d, int(max(a.Pix[i+k], b.Pix[i+k])-min(a.Pix[i+k], b.Pix[i+k])))
		}
		grey := byte((int(b.Pix[i]) + int(b.Pix[i+1]) + int(b.Pix[i+2])) * int(b.Pix[i+3]) / (255 * 12)) // where one is
		out.Pix[i], out.Pix[i+1], out.Pix[i+2], out.Pix[i+3] = grey, grey, grey, 255
		if d > 0 {
			out.Pix[i], out.Pix[i+1], out.Pix[i+2] = byte(min(255, 96+2*d)), byte(max(0, min(255, 3*d-255))), byte(max(0, 4*d-767))
		}
	}
	return out
}
