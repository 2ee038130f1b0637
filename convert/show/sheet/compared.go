package sheet

import (
	"image"
	"image/draw"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema/asset"
)

// Compared returns a function for [compare.Comparison] that draws two items as squares of size pixels: models with the same
// camera, textures in their own pixels, sounds as waveforms. Either may be nil. That function returns nil if neither has a
// picture.
func Compared(size int) func(a, b *interchange.Item) *compare.Pictures {
	return func(a, b *interchange.Item) *compare.Pictures { return compared(a, b, size) }
}

func compared(a, b *interchange.Item, size int) *compare.Pictures {
	o := render.Options{Width: size, Height: size, Checker: true}
	s, ok1 := sceneOf(a)
	t, ok2 := sceneOf(b)
	if ok1 && ok2 {
		if p, err := render.Model(together(s, t), render.Options{Width: 16, Height: 16}); err == nil {
			o.Camera = &p.Camera
		}
	}
	p := &compare.Pictures{Before: pictured(a, o), After: pictured(b, o)}
	if p.Before == nil && p.After == nil {
		return nil
	}
	p.Heat = heat(p.Before, p.After)
	return p
}

// sceneOf returns the scene that an item shows, if it shows one.
func sceneOf(it *interchange.Item) (s *asset.Scene, ok bool) {
	if it == nil {
		return nil, false
	}
	a, err := it.LiftSeen()
	if err != nil {
		return nil, false
	}
	s, ok = a.(*asset.Scene)
	return s, ok
}

// together is a scene of all that stands in others.
func together(scenes ...*asset.Scene) *asset.Scene {
	all := new(asset.Scene)
	for _, s := range scenes {
		if s != nil {
			all.Roots = append(all.Roots, s.Roots...)
		}
	}
	return all
}

func pictured(it *interchange.Item, o render.Options) *image.NRGBA {
	if it == nil {
		return nil
	}
	p, err := Picture(it, o)
	if err != nil {
		return nil
	}
	return p.NRGBA
}

// Turned draws two models from as many sides as are asked for, both with the same cameras: a row of squares of size pixels
// for each. Either may be nil; what is no model has no row.
func Turned(a, b *interchange.Item, size, sides int) (rows [2]*image.NRGBA) {
	s, ok1 := sceneOf(a)
	t, ok2 := sceneOf(b)
	if !ok1 && !ok2 {
		return rows
	}
	cameras, err := render.Around(together(s, t), shownOf(a)|shownOf(b), sides)
	if err != nil {
		return rows
	}
	return [2]*image.NRGBA{turned(s, shownOf(a), size, cameras), turned(t, shownOf(b), size, cameras)}
}

func shownOf(it *interchange.Item) scene.Show {
	if it == nil {
		return 0
	}
	return it.Shown()
}

func turned(s *asset.Scene, show scene.Show, size int, cameras []render.Camera) *image.NRGBA {
	if s == nil {
		return nil
	}
	row := image.NewNRGBA(image.Rect(0, 0, size*len(cameras), size))
	for i := range cameras {
		p, err := render.Model(s, render.Options{Width: size, Height: size, Camera: &cameras[i], Show: show})
		if err != nil {
			return nil
		}
		draw.Draw(row, image.Rect(i*size, 0, (i+1)*size, size), p.NRGBA, image.Point{}, draw.Src)
	}
	return row
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
