package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
)

func infoCommand() *cli.Command {
	return &cli.Command{
		Name:        "info",
		Usage:       "say what files are: format, version, counts, oddities",
		ArgsUsage:   "FILE|FOLDER|ARCHIVE:ENTRY...",
		Description: "Of a folder with many files it tells how many there are of each format; with -v or --json it describes each, and\npasses over what nothing recognises. The folder of an installed game (Ultima IX) is described as a whole; with -v or --json also which textures, types and names belong to which model, and each file.\nFor a Freelancer model, -v or --json tells which file each of its meshes, materials and textures comes from, and, of one within a game, which INI records have it: their LODranges beside its levels, and the hardpoints that it lacks for them and their loadouts.",
		Flags: slices.Concat([]cli.Flag{
			fromFlag(), filesFromFlag(), jsonFlag(),
			&cli.BoolFlag{DisableDefaultText: true, Name: "thumb", Usage: "show a picture as well, in terminals that can (kitty, iTerm2, sixel)"},
			&cli.StringSliceFlag{Name: "include", Usage: "only files that match `PATTERN`"},
			&cli.StringSliceFlag{Name: "exclude", Usage: "not those that match `PATTERN`"},
			&cli.StringFlag{Name: "textures", Usage: "look for textures in this `ARCHIVE` or folder as well"},
			&cli.StringSliceFlag{Name: "with", Usage: "look for meshes, materials and textures in this `FILE` or folder as well; may be repeated"},
			&cli.StringSliceFlag{Name: "install", Usage: "look for them in the game's `FOLDER`; may be repeated"},
			namesFlag(), codePageFlag(),
		}, volumeFlags()),
		Action: runInfo,
	}
}

func runInfo(c *cli.Context) error {
	inputs, done, err := inputs(c)
	if err != nil {
		return err
	}
	defer done()
	l, err := loader(c)
	if err != nil {
		return err
	}
	from := l.From
	p := newPrinter(c)
	l.Detail = p.verbose || p.json
	l = l.Sharing()
	p.picture = picturesOn(p.out, c.Bool("thumb"))
	shown, sel := 0, selection(c)
	sel.FollowLinks = true // nothing is written
	for _, operand := range inputs {
		if list := engine.DescribeInstall(operand); list != nil && from == nil {
			shown++
			p.install(list)
			if !p.verbose && !p.json {
				continue
			}
		}
		if isFolder(operand) && !p.verbose && !p.json && from == nil {
			f := survey(c.Context, operand, sel)
			if len(f.known) > describedOfFolder {
				shown++
				p.survey(operand, f)
				continue
			}
		}
		for src, err := range batch.Walk(c.Context, operand, sel) {
			if err == nil && src.Path != operand && src.Entry == "" && from == nil && !interchange.Recognised(src.Path) {
				continue
			}
			shown++
			if err := p.describe(&l, src, err); err != nil {
				p.countFailure(err)
			} else {
				p.counts[batch.Done]++
			}
		}
	}
	if shown == 0 {
		return formats.ErrNothing
	}
	return p.finish(nil)
}

// describe prints one description and returns what went wrong with it.
func (p *printer) describe(l *engine.Loader, src engine.Source, err error) error {
	d := &engine.Description{Source: src.String()}
	if err == nil {
		err = batch.Guarded(func() (err error) { d, err = l.Describe(src); return err })
	}
	if d == nil { // it panicked
		d = &engine.Description{Source: src.String()}
	}
	if p.json {
		p.describeJSON(d, err)
		return err
	}
	if err != nil {
		p.failure(src.String(), err)
		return err
	}
	p.data("%s: %s (%s), %s", d.Source, d.Title, d.Format, byteCount(d.Size))
	p.thumb(l, src)
	facts(p.out, d.Facts)
	p.diagnostics(d.Source, d.Diagnostics)
	return nil
}

// install prints what is in an installed game: a summary, and everything when all is asked for.
func (p *printer) install(list []*engine.Description) {
	if p.json {
		for _, d := range list {
			p.describeJSON(d, nil)
		}
		return
	}
	p.data("%s: %s", list[0].Source, list[0].Title)
	facts(p.out, list[0].Facts)
	p.diagnostics(list[0].Source, list[0].Diagnostics)
	if !p.verbose {
		fmt.Fprintf(p.out, "  (-v lists every model, texture, type and file, and what belongs together)\n")
		return
	}
	for _, d := range list[1:] {
		p.data("%s", d.Source)
		facts(p.out, d.Facts)
	}
}

func facts(w io.Writer, list []format.Fact) {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, f := range list {
		fmt.Fprintf(table, "  %s\t%s\n", quoted(w, f.Name), quoted(w, factText(f.Value)))
	}
	_ = table.Flush() // stdout keeps its own error
}

func factText(v any) string {
	switch v := v.(type) {
	case []string:
		return strings.Join(v, ", ")
	case float64:
		return fmt.Sprintf("%.6g", v)
	case float32:
		return fmt.Sprintf("%.6g", v)
	}
	return fmt.Sprint(v)
}

func (p *printer) describeJSON(d *engine.Description, err error) {
	type fact struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	}
	out := struct {
		Source      string           `json:"source"`
		Format      string           `json:"format,omitempty"`
		Title       string           `json:"title,omitempty"`
		Kind        string           `json:"kind,omitempty"`
		Size        int64            `json:"size"`
		Facts       []fact           `json:"facts,omitempty"`
		Status      batch.Status     `json:"status,omitempty"` // of what failed
		Class       string           `json:"class,omitempty"`
		Message     string           `json:"message,omitempty"`
		Diagnostics []jsonDiagnostic `json:"diagnostics,omitempty"`
	}{d.Source, d.Format, d.Title, d.Kind, d.Size, nil, "", className(err), "", jsonDiagnostics(d.Diagnostics)}
	for _, f := range d.Facts {
		out.Facts = append(out.Facts, fact(f))
	}
	if err != nil {
		out.Status, out.Message = failedStatus(err), err.Error()
	}
	p.object(out)
}
