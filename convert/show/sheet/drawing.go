package sheet

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Drawing draws files and entries of archives on labelled pages. The first page is Out; further ones have -2, -3 … before
// the extension.
type Drawing struct {
	Loader     engine.Loader
	Selection  batch.Selection
	Kinds      []format.Kind // the kinds of content to draw; empty means all Kinds
	Cell       int           // width and height of a picture, in pixels; 0 is DefaultCell
	Columns    int           // pictures in a row; 0 takes as many as fit into DefaultWidth
	Background asset.RGBA    // of pages; the zero value is dark
	Plain      bool          // draw textures with alpha on the background, not on a chequerboard
	Out        string        // the first page, a .png
	Force      bool          // overwrite
	DryRun     bool          // do everything but write
	Session    batch.Session
}

// The default sizes.
const (
	DefaultCell  = 128
	DefaultWidth = 1640
)

// MaxWidth is the largest width of a page, in pixels.
const MaxWidth = 1 << 14

// Cell is the result for one asset, with the place of its picture.
type Cell struct {
	batch.Result
	Kind   format.Kind
	Page   string          // path of the page
	Place  image.Rectangle // rectangle of the picture on the page, in pixels
	Facts  []string
	Notes  []string
	Column int // from 0
	Row    int
}

// ErrBare is the error if nothing could be drawn.
var ErrBare = errors.New("it would have no picture")

// ErrSize is the error for a sheet that is too wide or has no columns.
var ErrSize = errors.New("size out of range")

// Run draws the operands and calls emit with one cell for each asset, in order. An asset that cannot be drawn gives a cell
// with the reason. Run returns the paths of the pages.
func (d *Drawing) Run(ctx context.Context, operands []string, emit func(Cell)) (pages []store.Output, err error) {
	if err := d.Selection.Validate(); err != nil {
		return nil, err
	}
	s := render.Sheet{Cell: d.Cell, Columns: d.Columns, Background: d.Background}
	if s.Cell == 0 {
		s.Cell = DefaultCell
	}
	if s.Columns == 0 {
		s.Columns = max(1, DefaultWidth/s.Width(1))
	}
	if s.Cell < 16 || s.Columns < 1 || s.Columns > MaxWidth || s.Width(s.Columns) > MaxWidth {
		return nil, fmt.Errorf("%w: %d columns of %d pixels; a page is at most %d wide", ErrSize, s.Columns, s.Cell, MaxWidth)
	}
	out, err := d.openOut()
	if err != nil {
		return nil, err
	}
	defer out.Close()
	d.Loader = d.Loader.Sharing()
	r := &run{Drawing: d, sheet: &s, out: out, several: len(operands) > 1}
	defer r.act.Discard()
	err = batch.Run(ctx, d.Session, r.tasks(ctx, operands), func(p *drawn) (goOn bool) {
		if p.result.Status != batch.Skipped { // what is passed over has no cell
			emit(r.take(p))
		}
		return r.failure == nil && (p.result.Err == nil || !d.Session.FailFast)
	})
	if err == nil {
		err = r.failure
	}
	if err == nil && len(r.cells) > 0 {
		err = r.finishPage()
	}
	switch {
	case err != nil || r.drawn > 0:
	case r.taken == 0:
		err = formats.ErrNothing
	default:
		return nil, fmt.Errorf("%s is not written: %w", d.Out, ErrBare)
	}
	if err == nil {
		err = r.act.Commit()
	}
	return r.pages, err
}

// openOut opens the folder of the pages, and refuses an existing first one before anything is drawn.
func (d *Drawing) openOut() (*disk.Folder, error) {
	if !strings.EqualFold(filepath.Ext(d.Out), ".png") {
		return nil, fmt.Errorf("%s: a sheet is a .png", d.Out)
	}
	dir := filepath.Dir(d.Out)
	if d.DryRun {
		return disk.Dry(dir, d.Force), nil
	}
	out, err := disk.Open(dir, d.Force)
	if err != nil {
		return nil, err
	}
	if err := out.Check(filepath.Base(d.Out)); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// run is one run of a Drawing.
type run struct {
	*Drawing
	sheet   *render.Sheet
	out     *disk.Folder
	several bool

	taken   int           // cells
	drawn   int           // those with a picture
	cells   []render.Cell // of the page at hand
	pages   []store.Output
	failure error // to write a page
	act     disk.Act
}

// drawn is what became of one asset.
type drawn struct {
	title  string
	kind   format.Kind
	result batch.Result
	*render.Picture
}

// take puts the next result on the page and tells where.
func (r *run) take(d *drawn) Cell {
	perPage := r.sheet.Columns * r.sheet.Rows()
	at := r.taken % perPage
	c := Cell{Result: d.result, Kind: d.kind, Page: r.out.Path(r.pageName(r.taken / perPage)), Column: at % r.sheet.Columns, Row: at / r.sheet.Columns}
	c.Place = r.sheet.Place(c.Column, c.Row)
	label := render.Cell{Title: d.title}
	if d.Picture != nil {
		r.drawn++
		c.Facts, c.Notes = d.Facts, d.Notes
		label.Picture, label.Facts, label.Notes = d.NRGBA, d.Facts, d.Notes
	}
	if d.result.Err != nil {
		label.Failure = d.result.Err.Error()
	}
	r.taken++
	r.cells = append(r.cells, label)
	if len(r.cells) == perPage {
		r.failure = r.finishPage()
	}
	return c
}

// pageName returns the name of page n, counted from 0.
func (r *run) pageName(n int) string {
	base := filepath.Base(r.Out)
	if n == 0 {
		return base
	}
	ext := filepath.Ext(base)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(base, ext), n+1, ext)
}

// finishPage writes the page at hand.
func (r *run) finishPage() error {
	m, _ := r.sheet.Draw(r.cells)
	r.cells = r.cells[:0]
	name := r.pageName(len(r.pages))
	picture := asset.Image{Width: m.Rect.Dx(), Height: m.Rect.Dy(), Format: asset.RGBA8, Pix: m.Pix}
	c := &counter{}
	encode := func(w io.Writer) error {
		c.Writer = w
		return png.Image(c, &picture, nil, png.Options{})
	}
	var err error
	if r.DryRun {
		err = encode(io.Discard)
	} else {
		err = r.prepare(name, encode)
	}
	if err != nil {
		return err
	}
	r.pages = append(r.pages, store.Output{Path: r.out.Path(name), Size: c.n})
	return nil
}

// prepare writes a page, which gets its name together with the others.
func (r *run) prepare(name string, encode func(io.Writer) error) error {
	p, err := r.out.Durable().Prepare(name, encode)
	if err == nil {
		r.act.Add(p)
	}
	return err
}

type counter struct {
	io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n += int64(n)
	return n, err
}

// wants reports whether a kind is drawn.
func (r *run) wants(k format.Kind) bool {
	if len(r.Kinds) == 0 {
		return slices.Contains(Kinds, k)
	}
	return slices.Contains(r.Kinds, k)
}

// options are what each picture is drawn with.
func (r *run) options() render.Options {
	return render.Options{Width: r.sheet.Cell, Height: r.sheet.Cell, Checker: !r.Plain}
}

func kindOf(it *interchange.Item) format.Kind {
	if it.Format != nil {
		return it.Format.Kind
	}
	return interchange.KindOf(it.Asset)
}

// draw makes the picture of what load reads.
func (r *run) draw(title, source string, quiet bool, load func(*schema.Diagnostics) (*interchange.Item, error)) (made *drawn) {
	d := new(schema.Diagnostics)
	made = &drawn{title: title, kind: format.Raw, result: batch.Result{Source: source, Status: batch.Failed}}
	defer func() { made.result.Diagnostics = d.All() }()
	defer batch.Guard(&made.result)
	it, err := load(d)
	if err != nil {
		made.result.Err = err
		return made
	}
	defer it.Close()
	it = it.Seen()
	made.kind = kindOf(it)
	if it.Format != nil {
		made.result.Format = it.Format.Name
	}
	if !r.wants(made.kind) {
		if quiet {
			made.result.Status = batch.Skipped
			return made
		}
		made.result.Err = fmt.Errorf("it is of kind %s, which is not drawn", made.kind)
		return made
	}
	if made.Picture, err = Picture(it, r.options()); err == nil {
		err = find.Unread(it.Env)
	}
	if made.result.Err = err; err != nil {
		made.Picture = nil
		return made
	}
	made.result.Status = batch.Done
	return made
}
