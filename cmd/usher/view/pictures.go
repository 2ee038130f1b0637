package view

import (
	"bytes"
	"encoding/json"
	"image"
	"strconv"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/png"
	"github.com/usher-assets/usher/convert/render"
	"github.com/usher-assets/usher/convert/sheet"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

const mimePNG, mimeJSON = "image/png", "application/json; charset=utf-8"

// drawing is what comes of drawing a node, beside the picture.
type drawing struct {
	camera render.Camera
	facts  []string
	notes  []string
}

// thumb draws a node: the picture of "sheet".
func (v *Viewer) thumb(n *node, q query) (b blob, err error) {
	size := q.number("size", 16, 1024, 128)
	err = v.withItem(n, new(schema.Diagnostics), func(it *convert.Item) error {
		it.Env.Plain = true
		p, err := sheet.Picture(it, render.Options{Width: size, Height: size, Checker: true})
		if err != nil {
			return err
		}
		b, err = newPNG(p.NRGBA)
		b.extra = drawing{p.Camera, p.Facts, p.Notes}
		return err
	})
	return b, err
}

// noPicture stands for what cannot be drawn.
const noPicture = `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128"><text x="64" y="68" text-anchor="middle" ` +
	`font-family="sans-serif" font-size="12" fill="#888">no picture</text></svg>`

// thumbOrSign draws a node, or says that it has no picture: in a grid of hundreds that is nothing to report.
func (v *Viewer) thumbOrSign(n *node, q query) (blob, error) {
	b, err := v.thumb(n, q)
	if err != nil {
		return blob{content: []byte(noPicture), mime: "image/svg+xml"}, nil
	}
	return b, nil
}

func newPNG(m *image.NRGBA) (blob, error) {
	return encodePNG(&asset.Image{Width: m.Rect.Dx(), Height: m.Rect.Dy(), Format: asset.RGBA8, Pix: m.Pix}, nil)
}

func encodePNG(m *asset.Image, palette []asset.RGBA) (blob, error) {
	var out bytes.Buffer
	err := png.Image(&out, m, palette, png.Options{})
	return blob{content: out.Bytes(), mime: mimePNG}, err
}

// posterSize is the width and height of the picture that stands for a model until the page has drawn it.
const posterSize = 512

// camera tells how the poster of a model was drawn, so that the page draws it alike.
func (v *Viewer) camera(n *node, _ query) (blob, error) {
	p, err := v.made("thumb", (*Viewer).thumbOrSign, n, query{"size": {strconv.Itoa(posterSize)}})
	if err != nil {
		return blob{}, err
	}
	d, ok := p.extra.(drawing)
	if !ok {
		return blob{content: []byte("null"), mime: mimeJSON}, nil
	}
	content, err := json.Marshal(map[string]any{
		"eye": d.camera.Eye, "azimuth": d.camera.Direction.Azimuth, "elevation": d.camera.Direction.Elevation,
		"fieldOfView": d.camera.FieldOfView, "facts": d.facts, "notes": d.notes,
	})
	return blob{content: content, mime: mimeJSON}, err
}

// image is one picture of a texture, with all of its pixels.
func (v *Viewer) image(n *node, q query) (b blob, err error) {
	err = lifted(v, n, func(t *asset.Texture) error {
		var out bytes.Buffer
		o := png.Options{Frame: q.number("frame", 0, 1<<20, 0), Mip: q.number("mip", 0, 64, 0), Face: q.number("face", 0, 5, 0)}
		err := png.Encode(&out, t, o)
		b = blob{content: out.Bytes(), mime: mimePNG}
		return err
	})
	return b, err
}
