package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/batch"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/worktree"
)

func unpackCommand() *cli.Command {
	return &cli.Command{
		Name:      "unpack",
		Usage:     "take an archive apart into a folder of files to edit",
		ArgsUsage: "ARCHIVE[:PATTERN]... -o FOLDER",
		Description: "Textures become PNG, sounds WAV, models GLB, tables JSON; what has no such form stays as it is stored. The folder's\n" +
			"usher.json is what \"pack\" needs to put an edit back. Run again after an interruption, it goes on where it stopped.\n" +
			"An archive of texts or flat tables becomes one table with --to csv, and one file for translators with --to po.",
		Flags: slices.Concat(
			[]cli.Flag{
				outputFlag("the `FOLDER`; several archives get a folder each inside it"),
				&cli.BoolFlag{DisableDefaultText: true, Name: "raw", Usage: "write payloads as they are stored"},
				&cli.StringFlag{Name: "to", Usage: "the `EXTENSION` to make where it is possible, such as json; wav decodes MP3 as well"},
				fromFlag(),
			},
			filterFlags(), writeFlags(), batchFlags(), volumeFlags(), []cli.Flag{jsonFlag()}, optionFlags(),
		),
		Action: runUnpack,
	}
}

func runUnpack(c *cli.Context) error {
	archives, err := operands(c)
	if err != nil {
		return err
	}
	out := c.String("output")
	if out == "" {
		return usagef("unpack needs a folder: -o FOLDER")
	}
	if to := c.String("to"); to != "" && !batch.IsSheet("."+strings.TrimPrefix(to, ".")) {
		if t, err := convert.ParseTarget(to, nil); err != nil || t.Format != nil && (t.Format.Create != nil || t.Format.Lower == nil) {
			return usagef("--to wants an extension such as json, md or wav, not %q", to)
		}
	}
	l, err := loader(c)
	if err != nil {
		return err
	}
	job := worktree.Unpacking{
		Loader: l.Sharing(), Selection: selection(c), Raw: c.Bool("raw"), To: c.String("to"),
		Force: c.Bool("force"), DryRun: c.Bool("dry-run"), Session: session(c),
	}
	if job.Raw {
		collectGarbage(400) // stored payloads take turns in the same memory
	}
	p := newPrinter(c)
	p.folder = out
	p.track(c, "unpacking", func(ctx context.Context) (int, int64) { return batch.Count(ctx, archives, job.Selection, true) })
	var names convert.Names
	for _, archive := range archives {
		archive, job := archive, job
		if path, pattern, err := convert.ParseOperand(archive); err == nil && pattern != "" {
			archive, job.Selection.Include = path, append(slices.Clone(job.Selection.Include), pattern)
		}
		if !job.Selection.Filters() && len(job.Selection.Include) == 0 {
			p.aboutModel(archive)
		}
		dir := out
		if len(archives) > 1 {
			base := filepath.Base(archive)
			dir = filepath.Join(out, names.Unique(convert.Stem(base)))
		}
		if err := job.Run(c.Context, archive, dir, func(r batch.Result) { p.converted(r, false) }); err != nil {
			return p.finish(err)
		}
	}
	p.summary()
	if p.counts[batch.Done] > 0 && len(archives) == 1 && !p.quiet && !p.json {
		p.line("edit what is in %s; then \"usher pack %s -o NEW%s\"", out, out, filepath.Ext(archives[0]))
	}
	return p.finish(nil)
}

// aboutModel tells of the other verb, where somebody takes a model apart into its records.
func (p *printer) aboutModel(archive string) {
	if f, _ := convert.SniffFile(archive); f != nil && f.Kind == format.Model && !p.quiet && !p.json {
		p.line("%s: note: unpack takes a model apart into its records; \"usher convert %s\" makes a .glb of it", archive, archive)
	}
}
