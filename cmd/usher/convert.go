package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

func convertCommand() *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "convert anything to anything, both ways",
		ArgsUsage: "FILE|FOLDER|ARCHIVE[:ENTRY]... [-o FILE|FOLDER]",
		Description: "A native file becomes the interchange file of its kind (models .glb, textures .png, sounds .wav, tables .json);\n" +
			"an interchange file becomes the format that it was made from, or the one that -o or --to names. Folders and\n" +
			"archives are converted whole. What the way back needs travels along; a PNG or WAV has it in a .usher.json\n" +
			"beside it. A folder keeps in usher-batch.json what was made of what: the same command again does what is left.\n" +
			"- is standard input or output. To edit an archive, use \"unpack\" and \"pack\". An archive of texts or flat tables also\n" +
			"becomes one file, and that an archive again with only the edited entries made anew: -o FILE.csv, which any spreadsheet\n" +
			"may save; FILE.po for translators' tools, where a translation takes the place of its source; FILE.txt, one line an entry.\n" +
			"Rows are found by their keys, in any order; what has no row stays, unless --prune removes it.",
		Flags: slices.Concat(
			[]cli.Flag{
				outputFlag("write to `FILE`, or into this folder (default: the current folder)"),
				&cli.StringFlag{Name: "to", Usage: "the `EXTENSION` or format to make; wav decodes MP3 as well"},
				&cli.StringFlag{Name: "base", Usage: "the original `FILE` or ARCHIVE:ENTRY of an edited one, to take from it what the editor dropped"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "used", Usage: "take what archives use of others as well, such as a map the textures of the game; see --kind, --install"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "prune", Usage: "remove what an edited table has no row for"},
				fromFlag(), filesFromFlag(), followFlag(followOut),
			},
			filterFlags(), writeFlags(), batchFlags(), volumeFlags(), []cli.Flag{jsonFlag()}, optionFlags(),
		),
		Action: runConvert,
	}
}

func runConvert(c *cli.Context) error {
	inputs, done, err := inputs(c)
	if err != nil {
		return err
	}
	defer done()
	if err := meantOtherwise(c, inputs); err != nil {
		return err
	}
	l, err := loader(c)
	if err != nil {
		return err
	}
	if l.Options.Base = c.String("base"); l.Options.Base != "" && len(inputs) != 1 {
		return usagef("--base is the original of one file")
	}
	if _, _, err := engine.ParseOperand(l.Options.Base); err != nil && l.Options.Base != "" {
		return fmt.Errorf("--base: %s: %w", l.Options.Base, disk.PlainError(err))
	}
	l.Options.Prune = c.Bool("prune")
	if to := c.String("to"); to != "" {
		if _, err := engine.ParseTarget(to, nil); err != nil {
			return usagef("--to: %v", err)
		}
	}
	job := batch.Conversion{
		Loader: l, Selection: selection(c), To: c.String("to"), Out: c.String("output"), Used: c.Bool("used"),
		Force: c.Bool("force"), DryRun: c.Bool("dry-run"), Session: session(c),
	}
	p := newPrinter(c)
	if job.Out == stream {
		if len(inputs) != 1 || p.json {
			return usagef("standard output takes one file, and no --json beside it")
		}
		return convertToStream(c, job, inputs[0], p)
	}
	p.folder = job.Out
	p.track(c, "converting", func(ctx context.Context) (int, int64) { return batch.Count(ctx, inputs, job.Selection, true) })
	single := true
	err = job.Run(c.Context, inputs, func(r batch.Result) {
		single = single && len(inputs) == 1 && r.Source == inputs[0]
		p.converted(r, single)
	})
	if err == nil && !single {
		p.summary("converted")
	}
	return p.finish(err)
}

// meantOtherwise returns an error for operands that other programs and other verbs take: a second one that names the
// output, and a folder that "pack" puts back.
func meantOtherwise(c *cli.Context, inputs []string) error {
	if len(inputs) == 2 && c.String("output") == "" {
		out, ext := inputs[1], filepath.Ext(inputs[1])
		known := len(formats.ByExtension(ext)) > 0 || interchange.ByExtension(ext) != nil
		if _, err := os.Lstat(out); errors.Is(err, fs.ErrNotExist) && known {
			return usagef("there is no %s to convert; did you mean \"-o %s\"?", out, out)
		}
	}
	for _, dir := range inputs {
		if isUnpacked(dir) && c.String("to") == "" {
			return usagef("%s is an unpacked archive: \"usher pack %s -o ARCHIVE\" puts it back; --to converts its files", dir, dir)
		}
	}
	return nil
}

// converted prints one result; a line for each is printed for a single input only, or when asked for.
func (p *printer) converted(r batch.Result, single bool) {
	if r.Status == batch.Skipped {
		return
	}
	if r.Status != batch.Opened {
		p.count(r)
	}
	if p.json {
		p.object(newJSONResult(r))
		return
	}
	p.diagnostics(r.Source, r.Diagnostics)
	if r.Err != nil {
		p.failure(r.Source, r.Err)
		return
	}
	if p.quiet || r.Status == batch.Opened || !single && !p.verbose && r.Status != batch.Planned {
		return
	}
	var names []string
	for _, o := range r.Outputs {
		names = append(names, o.Path+" ("+byteCount(o.Size)+")")
	}
	verb := map[batch.Status]string{batch.Planned: "would write ", batch.UpToDate: "up to date: "}[r.Status]
	p.line("%s -> %s%s", r.Source, verb, strings.Join(names, ", "))
}

// summary prints how many assets ended how; done is the word for those that were made.
func (p *printer) summary(done string) {
	p.sumUp()
	if p.quiet || p.json {
		return
	}
	var parts []string
	for _, s := range []struct {
		status batch.Status
		text   string
	}{
		{batch.Done, done}, {batch.Planned, "would be " + done}, {batch.UpToDate, "up to date"}, {batch.Failed, "failed"},
	} {
		if n := p.counts[s.status]; n > 0 {
			parts = append(parts, schema.Counted(n, "asset", "assets")+" "+s.text)
		}
	}
	where := ""
	if p.counts[batch.Done]+p.counts[batch.Planned]+p.counts[batch.UpToDate] > 0 {
		where = " -> " + cmp.Or(p.folder, "the current folder")
	}
	if len(parts) == 0 && p.kept == 0 {
		return
	}
	p.line("%s%s%s", strings.Join(parts, ", "), keptText(p.kept), where)
	if len(p.failed) > 0 {
		p.line("failed: %s; the same command again does what is left", shortened(p.failed))
	}
}

// shortened names the first of a list, and how many more there are.
func shortened(list []string) string {
	const most = 5
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
