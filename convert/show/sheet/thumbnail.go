package sheet

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"io"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema/asset"
)

// Thumbnail writes the picture of the first thing in a file that has one, and nothing beside it, as a PNG of Cell by Cell
// pixels. What the file is called changes nothing. It fails with [ErrBare] where nothing can be drawn.
func (d *Drawing) Thumbnail(ctx context.Context, w io.Writer, operand string) error {
	if d.Cell < 1 || d.Cell > MaxWidth {
		return fmt.Errorf("%w: %d pixels, and it may have 1 to %d", ErrSize, d.Cell, MaxWidth)
	}
	d.Loader, d.Session.Workers = d.Loader.Sharing(), 1 // the first one is enough
	r := &run{Drawing: d, sheet: &render.Sheet{Cell: d.Cell}}
	var first *drawn
	failure := ErrBare
	err := batch.Run(ctx, d.Session, r.tasks(ctx, []string{operand}), func(p *drawn) (goOn bool) {
		if p.Picture != nil {
			first = p
		} else if p.result.Err != nil {
			failure = fmt.Errorf("%w: %w", ErrBare, p.result.Err)
		}
		return first == nil
	})
	if first == nil {
		if err == nil {
			err = failure
		}
		return fmt.Errorf("%s: %w", operand, err)
	}
	m := asset.NewImage(d.Cell, d.Cell, asset.RGBA8)
	page := &image.NRGBA{Pix: m.Pix, Stride: 4 * d.Cell, Rect: image.Rect(0, 0, d.Cell, d.Cell)}
	small := first.Rect.Size() // textures keep their own pixels
	middle := page.Rect.Max.Sub(small).Div(2)
	draw.Draw(page, first.Rect.Sub(first.Rect.Min).Add(middle), first.NRGBA, first.Rect.Min, draw.Src)
	return png.Image(w, &m, nil, png.Options{})
}
