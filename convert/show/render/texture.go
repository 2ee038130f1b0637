package render

import (
	"errors"
	"image"

	"github.com/usher-assets/usher/schema/asset"
)

// Texture draws the first picture of a texture. Each pixel becomes a square of a whole number of pixels, as large as the
// options have room for, without smoothing. A picture that is too large is reduced by a whole factor, averaging pixels.
// Without a size in the options it is drawn at its own size. The result has the size of what is shown.
func Texture(t *asset.Texture, o Options) (*Picture, error) {
	if o.Width != 0 || o.Height != 0 {
		if _, _, err := o.size(); err != nil {
			return nil, err
		}
	}
	m := t.Base()
	if m == nil {
		return nil, errors.New("the texture has no pixels of its own")
	}
	pix := words(m, t.Palette)
	if pix == nil {
		return nil, errors.New("the size and the pixels of the texture disagree")
	}
	p := &Picture{}
	p.factf("%d x %d", m.Width, m.Height)
	if n := len(t.Frames); n > 1 {
		p.factf("%d frames", n)
	}
	if n := len(t.Frames[0].Faces); n > 0 {
		p.factf("%d faces", n+1)
	}
	l := &level{m.Width, m.Height, pix}
	zoom := 1
	if o.Width > 0 || o.Height > 0 {
		width, height, _ := o.size()
		if n := max(ceilRatio(m.Width, width), ceilRatio(m.Height, height)); n > 1 {
			l = l.smaller(n)
			p.factf("shown 1:%d", n)
		} else {
			zoom = min(width/m.Width, height/m.Height)
		}
	}
	p.NRGBA = l.image(zoom, o)
	return p, nil
}

func ceilRatio(a, b int) int { return (a + b - 1) / b }

// smaller returns the level with one pixel for each square of n × n.
func (l *level) smaller(n int) *level {
	w, h := ceilRatio(l.width, n), ceilRatio(l.height, n)
	out := &level{w, h, make([]uint32, w*h)}
	for y := range h {
		for x := range w {
			out.pix[y*w+x] = l.meanOf(image.Rect(x*n, y*n, min((x+1)*n, l.width), min((y+1)*n, l.height)))
		}
	}
	return out
}

// meanOf returns the mean of a rectangle of pixels, their colours weighed by alpha.
func (l *level) meanOf(r image.Rectangle) uint32 {
	var red, green, blue, alpha uint64
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, c := range l.pix[y*l.width+r.Min.X : y*l.width+r.Max.X] {
			a := uint64(c >> 24)
			alpha += a
			red += uint64(c&255) * a
			green += uint64(c>>8&255) * a
			blue += uint64(c>>16&255) * a
		}
	}
	if alpha == 0 {
		return 0
	}
	count := uint64(r.Dx() * r.Dy())
	half := alpha / 2
	return uint32((red+half)/alpha | (green+half)/alpha<<8 | (blue+half)/alpha<<16 | (alpha+count/2)/count<<24)
}

// The squares of a chequerboard, and how large they are in pixels.
var checkers = [2]asset.RGBA{{0x99, 0x99, 0x99, 255}, {0x66, 0x66, 0x66, 255}}

const checkerSize = 8

// image returns the level with each texel as a square of zoom × zoom pixels, over the background.
func (l *level) image(zoom int, o Options) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, l.width*zoom, l.height*zoom))
	for y := range l.height {
		row := out.Pix[y*zoom*out.Stride : (y*zoom+1)*out.Stride]
		at := 0
		for _, c := range l.pix[y*l.width : (y+1)*l.width] {
			for range zoom {
				row[at], row[at+1], row[at+2], row[at+3] = byte(c), byte(c>>8), byte(c>>16), byte(c>>24)
				at += 4
			}
		}
		for k := 1; k < zoom; k++ {
			copy(out.Pix[(y*zoom+k)*out.Stride:], row)
		}
	}
	if o.Checker || o.Background[3] > 0 {
		layOver(out, func(x, y int) asset.RGBA {
			if o.Checker {
				return checkers[(x/checkerSize+y/checkerSize)&1]
			}
			return o.Background
		})
	}
	return out
}

// layOver puts something opaque, or nearly so, behind a picture.
func layOver(m *image.NRGBA, behind func(x, y int) asset.RGBA) {
	width := m.Rect.Dx()
	for i := 0; i < len(m.Pix); i += 4 {
		a := uint32(m.Pix[i+3])
		if a == 255 {
			continue
		}
		b := behind(i/4%width, i/4/width)
		rest := uint32(b[3]) * (255 - a) // of 255²
		total := 255*a + rest
		if total == 0 {
			continue
		}
		for k := range 3 {
			m.Pix[i+k] = byte((uint32(m.Pix[i+k])*255*a + uint32(b[k])*rest + total/2) / total)
		}
		m.Pix[i+3] = byte((total + 127) / 255)
	}
}
