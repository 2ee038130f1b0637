package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

func sheetCommand() *cli.Command {
	return &cli.Command{
		Name:      "sheet",
		Usage:     "draw textures, models and sounds as a labelled contact sheet",
		ArgsUsage: "FILE|FOLDER|ARCHIVE[:ENTRY]... -o SHEET.png",
		Description: "Textures are shown in their own pixels, models from the front, the right and above at their finest level of detail,\n" +
			"sounds as waveforms. What a page cannot hold goes on SHEET-2.png and so on. What cannot be drawn has a cell with\n" +
			"the reason. With --json each cell is told with its page and its place on it.",
		Flags: slices.Concat(
			[]cli.Flag{
				outputFlag("write to `FILE`, a .png"),
				&cli.IntFlag{Name: "size", Usage: "width and height of a picture, in `PIXELS`", Value: sheet.DefaultCell},
				&cli.IntFlag{Name: "columns", Usage: "`N` pictures in a row", DefaultText: "as many as " + strconv.Itoa(sheet.DefaultWidth) + " pixels hold"},
				&cli.StringFlag{Name: "background", Usage: "`COLOUR` behind everything: white, black, grey, #RRGGBB, or none; checker shows alpha", DefaultText: "checker"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "plain", Usage: "the first picture alone, --size wide and high, without a label; over what is there, whatever it is called: for file managers"},
				&cli.StringSliceFlag{Name: "kind", Usage: "only assets of this `KIND`: texture, model or sound; may be repeated"},
				fromFlag(), followFlag(followOut),
			},
			writeFlags(), batchFlags(), volumeFlags(), []cli.Flag{jsonFlag()}, optionFlags(),
		),
		Action: runSheet,
	}
}

func runSheet(c *cli.Context) error {
	inputs, err := operands(c)
	if err != nil {
		return err
	}
	l, err := loader(c)
	if err != nil {
		return err
	}
	job := sheet.Drawing{
		Loader: l, Selection: selection(c), Cell: c.Int("size"), Columns: c.Int("columns"), Out: c.String("output"),
		Force: c.Bool("force"), DryRun: c.Bool("dry-run"), Session: session(c),
	}
	if !c.Bool("plain") && !strings.HasSuffix(strings.ToLower(job.Out), ".png") {
		return usagef("sheet needs a file for its picture: -o SHEET.png")
	}
	if c.IsSet("columns") && job.Columns < 1 {
		return usagef("--columns wants 1 or more")
	}
	if job.Kinds, err = kinds(commaSeparated(c, "kind")); err != nil {
		return err
	}
	job.Selection.Kinds = nil // the sheet's own are wider
	if job.Background, job.Plain, err = background(c.String("background")); err != nil {
		return err
	}
	if c.Bool("plain") {
		return thumbnail(c, &job, inputs)
	}
	p := newPrinter(c)
	p.track(c, "drawing", func(ctx context.Context) (int, int64) { return batch.Count(ctx, inputs, job.Selection, true) })
	pages, err := job.Run(c.Context, inputs, p.cell)
	if errors.Is(err, sheet.ErrSize) {
		return usagef("%v", err)
	}
	switch {
	case err == nil:
		p.pages(pages, job.DryRun)
	case errors.Is(err, sheet.ErrBare): // why has been said of each
		if !p.quiet && !p.json {
			p.line("%v", err)
		}
		err = nil
	}
	return p.finish(err)
}

// thumbnail writes one picture, as file managers ask for it.
func thumbnail(c *cli.Context, job *sheet.Drawing, inputs []string) error {
	if len(inputs) != 1 || job.Out == "" {
		return usagef("sheet --plain draws one file: sheet FILE --plain --size 256 -o PICTURE")
	}
	out, err := disk.Open(filepath.Dir(job.Out), true)
	if err != nil {
		return err
	}
	defer out.Close()
	var b bytes.Buffer
	if err := job.Thumbnail(c.Context, &b, inputs[0]); err != nil || job.DryRun {
		return err
	}
	return out.Write(filepath.Base(job.Out), b.Bytes())
}

// kinds understands --kind.
func kinds(names []string) (list []format.Kind, err error) {
	for _, name := range names {
		i := slices.IndexFunc(sheet.Kinds, func(k format.Kind) bool { return k.String() == strings.TrimSuffix(strings.ToLower(name), "s") })
		if i < 0 {
			return nil, usagef("--kind wants texture, model or sound, not %q", name)
		}
		list = append(list, sheet.Kinds[i])
	}
	return list, nil
}

// background understands --background: the colour of pages, and whether alpha shows it instead of a chequerboard.
func background(text string) (c asset.RGBA, plain bool, err error) {
	switch strings.ToLower(text) {
	case "", "checker":
		return c, false, nil
	case "none":
		return asset.RGBA{255, 255, 255, 0}, true, nil
	case "white":
		return asset.RGBA{255, 255, 255, 255}, true, nil
	case "black":
		return asset.RGBA{0, 0, 0, 255}, true, nil
	case "grey", "gray":
		return asset.RGBA{128, 128, 128, 255}, true, nil
	}
	hex, ok := strings.CutPrefix(text, "#")
	v, err := strconv.ParseUint(hex, 16, 32)
	if !ok || len(hex) != 6 || err != nil {
		return c, false, usagef("--background wants white, black, grey, none, checker or #RRGGBB, not %q", text)
	}
	return asset.RGBA{byte(v >> 16), byte(v >> 8), byte(v), 255}, true, nil
}

// jsonCell is a cell as --json prints it.
type jsonCell struct {
	jsonResult
	Kind   string   `json:"kind"`
	Page   string   `json:"page"`
	Column int      `json:"column"`
	Row    int      `json:"row"`
	X      int      `json:"x"`
	Y      int      `json:"y"`
	Width  int      `json:"width"`
	Height int      `json:"height"`
	Facts  []string `json:"facts,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

func newJSONCell(c sheet.Cell) jsonCell {
	size := c.Place.Size()
	return jsonCell{
		newJSONResult(c.Result), c.Kind.String(), c.Page, c.Column, c.Row,
		c.Place.Min.X, c.Place.Min.Y, size.X, size.Y, c.Facts, c.Notes,
	}
}

// cell prints what became of one picture.
func (p *printer) cell(c sheet.Cell) {
	p.count(c.Result)
	if p.json {
		p.object(newJSONCell(c))
		return
	}
	p.diagnostics(c.Source, c.Diagnostics)
	switch {
	case c.Err != nil:
		p.failure(c.Source, c.Err)
	case p.verbose:
		p.line("%s -> %s, column %d, row %d%s", c.Source, c.Page, c.Column+1, c.Row+1, withNotes(c.Facts, c.Notes))
	}
}

func withNotes(lists ...[]string) string {
	text := strings.Join(slices.Concat(lists...), ", ")
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// pages prints which pages were written.
func (p *printer) pages(pages []store.Output, planned bool) {
	p.sumUp()
	if p.quiet || p.json {
		return
	}
	var names []string
	for _, page := range pages {
		names = append(names, page.Path+" ("+byteCount(page.Size)+")")
	}
	verb := ""
	if planned {
		verb = "would write "
	}
	failed := ""
	if n := p.counts[batch.Failed]; n > 0 {
		failed = fmt.Sprintf(", %d failed", n)
	}
	p.line("%s%s -> %s%s", schema.Counted(p.counts[batch.Done], "picture", "pictures"), failed, verb, strings.Join(names, ", "))
}
