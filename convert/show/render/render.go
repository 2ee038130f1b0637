package render

import (
	"fmt"
	"image"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// DefaultSize is the default width and height of a picture.
const DefaultSize = 256

// maxSide is the largest width and height of a picture.
const maxSide = 8192

// Options says how to draw an asset. The zero value draws 256 × 256 pixels on a transparent background.
type Options struct {
	Width, Height int        // pixels; 0 is DefaultSize
	Camera        *Camera    // of a model; nil shows all of it from [ThreeQuarter]
	Background    asset.RGBA // colour of the background; the zero value is transparent
	Show          scene.Show // parts of a model to draw beside its best level of detail
	Checker       bool       // draw a chequerboard behind textures with alpha, instead of the background
}

func (o *Options) size() (width, height int, err error) {
	width, height = o.Width, o.Height
	if width == 0 {
		width = DefaultSize
	}
	if height == 0 {
		height = DefaultSize
	}
	if width < 1 || height < 1 || width > maxSide || height > maxSide {
		return 0, 0, fmt.Errorf("a picture of %d x %d pixels: both want 1 to %d", width, height, maxSide)
	}
	return width, height, nil
}

// Picture is a drawn asset.
type Picture struct {
	*image.NRGBA
	Camera Camera   // the camera that a model was drawn with
	Facts  []string // short facts about the asset: "256 x 256", "1204 triangles"
	Notes  []string // remarks on the picture: a missing texture, a model seen from behind
}

func (p *Picture) factf(format string, args ...any) {
	p.Facts = append(p.Facts, fmt.Sprintf(format, args...))
}

func (p *Picture) notef(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// Asset draws a scene, a texture or a sound. It fails for other assets.
func Asset(a asset.Asset, o Options) (*Picture, error) {
	switch a := a.(type) {
	case *asset.Scene:
		return Model(a, o)
	case *asset.Texture:
		return Texture(a, o)
	case *asset.Sound:
		return Sound(a, o)
	}
	return nil, fmt.Errorf("%T has no picture", a)
}
