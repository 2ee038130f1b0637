package render

import (
	"image"
	"image/color"
	"image/draw"
	"sort"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/usher-assets/usher/schema/asset"
)

// Sheet arranges pictures in rows, with text below each.
type Sheet struct {
	Cell       int        // width and height of the space for a picture, in pixels
	Columns    int        // pictures in a row
	Background asset.RGBA // of the whole; dark when it is the zero value
}

// Cell is one picture of a sheet with the text below it.
type Cell struct {
	Picture *image.NRGBA // not larger than the sheet's cells; nil when it could not be drawn
	Title   string
	Facts   []string
	Notes   []string
	Failure string // why there is no picture
}

// dark is the colour of a sheet that nobody chose one for.
var dark = asset.RGBA{0x24, 0x26, 0x2B, 255}

// The measures of a sheet, in pixels.
const (
	gap        = 8
	textHeight = 15
	textLines  = 3 // title, facts, notes
	labelSpace = textLines*textHeight + 2
	maxPage    = 4096 // of a page's height
)

// Rows returns how many rows fit on a page.
func (s *Sheet) Rows() int { return max(1, (maxPage-gap)/s.rowHeight()) }

// Width returns the width in pixels of a page with the given number of columns.
func (s *Sheet) Width(columns int) int { return gap + columns*(s.Cell+gap) }

// Place returns the rectangle of the picture in a column and a row of a page.
func (s *Sheet) Place(column, row int) image.Rectangle {
	at := image.Pt(s.Width(column), gap+row*s.rowHeight())
	return image.Rectangle{at, at.Add(image.Pt(s.Cell, s.Cell))}
}

func (s *Sheet) rowHeight() int { return s.Cell + labelSpace + gap }

// Draw returns a page with the cells, and the rectangle of each. The page is no larger than needed.
func (s *Sheet) Draw(cells []Cell) (*image.NRGBA, []image.Rectangle) {
	columns := max(1, min(s.Columns, len(cells)))
	rows := max(1, (len(cells)+columns-1)/columns)
	page := image.NewNRGBA(image.Rect(0, 0, s.Width(columns), gap+rows*s.rowHeight()))
	background := s.Background
	if background == (asset.RGBA{}) {
		background = dark
	}
	draw.Draw(page, page.Rect, image.NewUniform(color.NRGBA{background[0], background[1], background[2], background[3]}), image.Point{}, draw.Src)
	w := newWriter(page, background)
	places := make([]image.Rectangle, len(cells))
	for i, c := range cells {
		places[i] = s.Place(i%columns, i/columns)
		w.cell(&c, places[i])
	}
	return page, places
}

// writer puts words on a page.
type writer struct {
	page                       *image.NRGBA
	face                       font.Face
	title, facts, notes, wrong *image.Uniform
}

var (
	parse  sync.Once
	parsed *opentype.Font
)

// regular returns the font. It is a function so that programs which draw no sheets do without it.
func regular() *opentype.Font {
	parse.Do(func() {
		f, err := opentype.Parse(goregular.TTF)
		if err != nil {
			panic(err) // the font is part of the program
		}
		parsed = f
	})
	return parsed
}

func newWriter(page *image.NRGBA, background asset.RGBA) *writer {
	face, err := opentype.NewFace(regular(), &opentype.FaceOptions{Size: 12, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err) // the options are constant
	}
	w := &writer{page: page, face: face}
	shade := func(r, g, b uint8) *image.Uniform { return image.NewUniform(color.NRGBA{r, g, b, 255}) }
	w.title, w.facts, w.notes, w.wrong = shade(0xF0, 0xF0, 0xF0), shade(0xA0, 0xA4, 0xAC), shade(0xE8, 0xB4, 0x58), shade(0xF0, 0x80, 0x78)
	if bright(background) {
		w.title, w.facts, w.notes, w.wrong = shade(0x10, 0x10, 0x10), shade(0x58, 0x5C, 0x64), shade(0x8A, 0x56, 0x00), shade(0xB0, 0x20, 0x18)
	}
	return w
}

// bright reports whether dark letters are read better on a colour; nothing at all counts as white paper.
func bright(c asset.RGBA) bool {
	return c[3] < 128 || 299*int(c[0])+587*int(c[1])+114*int(c[2]) > 128*1000
}

func (w *writer) cell(c *Cell, r image.Rectangle) {
	if c.Picture != nil {
		size := c.Picture.Rect.Size()
		at := r.Min.Add(image.Pt((r.Dx()-size.X)/2, (r.Dy()-size.Y)/2))
		draw.Draw(w.page, image.Rectangle{at, at.Add(size)}, c.Picture, c.Picture.Rect.Min, draw.Over)
	}
	if c.Failure != "" {
		w.paragraph(c.Failure, r)
	}
	y := r.Max.Y + textHeight - 2
	w.line(w.title, c.Title, r.Min.X, y, r.Dx())
	w.line(w.facts, strings.Join(c.Facts, ", "), r.Min.X, y+textHeight, r.Dx())
	w.line(w.notes, strings.Join(c.Notes, ", "), r.Min.X, y+2*textHeight, r.Dx())
}

// line writes one line, shortened in its middle where it is too long.
func (w *writer) line(ink *image.Uniform, text string, x, y, width int) {
	d := font.Drawer{Dst: w.page, Src: ink, Face: w.face, Dot: fixed.P(x, y)}
	d.DrawString(w.shorten(printable(text), width))
}

// printable replaces what has no place in a line.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	}, text)
}

func (w *writer) width(text string) int { return font.MeasureString(w.face, text).Ceil() }

func (w *writer) shorten(text string, width int) string {
	if len(text) > 8*width { // no letter is that narrow
		text = text[:4*width] + text[len(text)-4*width:]
	}
	if w.width(text) <= width {
		return text
	}
	r := []rune(text)
	short := func(n int) string { // n letters left out
		head := (len(r) - n + 1) / 2
		return string(r[:head]) + "…" + string(r[head+n:])
	}
	n := sort.Search(len(r), func(n int) bool { return w.width(short(n)) <= width })
	if n == len(r) {
		return ""
	}
	return short(n)
}

// paragraph writes words into a rectangle, in as many lines as it has room for.
func (w *writer) paragraph(text string, r image.Rectangle) {
	y, line := r.Min.Y+textHeight, ""
	flush := func() {
		if y <= r.Max.Y && line != "" {
			w.line(w.wrong, line, r.Min.X, y, r.Dx())
		}
		y, line = y+textHeight, ""
	}
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case w.width(line+" "+word) <= r.Dx():
			line += " " + word
		default:
			flush()
			line = word
		}
		if y > r.Max.Y {
			return
		}
	}
	flush()
}
