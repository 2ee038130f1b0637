package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/batch"
	"github.com/usher-assets/usher/convert/worktree"
)

func unpackCommand() *cli.Command {
	return &cli.Command{
		Name:      "unpack",
		Usage:     "take an archive apart into a folder of files to edit",
		ArgsUsage: "ARCHIVE...",
		Description: "Textures become PNG, sounds WAV, models GLB, tables JSON; what has no such form stays as it is stored. The folder's\n" +
			"usher.json is what \"pack\" needs to put an edit back. Run again after an interruption, it goes on where it stopped.",
		Flags: slices.Concat(
			[]cli.Flag{
				outputFlag("the `FOLDER`; several archives get a folder each inside it"),
				&cli.BoolFlag{DisableDefaultText: true, Name: "raw", Usage: "write payloads as they are stored"},
				&cli.StringFlag{Name: "to", Usage: "the `EXTENSION` to make where it is possible, such as json; wav decodes MP3 as well"},
				fromFlag(),
			},
			writeFlags(), batchFlags(), volumeFlags(), []cli.Flag{jsonFlag()}, optionFlags(),
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
	if to := c.String("to"); to != "" {
		if t, err := convert.ParseTarget(to, nil); err != nil || t.Format != nil && (t.Format.Create != nil || t.Format.Lower == nil) {
			return usagef("--to wants an extension such as json, md or wav, not %q", to)
		}
	}
	l, err := loader(c)
	if err != nil {
		return err
	}
	job := worktree.Unpacking{
		Loader: l, Selection: selection(c), Raw: c.Bool("raw"), To: c.String("to"),
		Force: c.Bool("force"), DryRun: c.Bool("dry-run"), Session: session(c),
	}
	if job.Raw {
		collectGarbage(400) // stored payloads take turns in the same memory
	}
	p := newPrinter(c)
	if !p.quiet && !p.json {
		p.progress = newProgress(p.err, "unpacking")
	}
	var names convert.Names
	for _, archive := range archives {
		dir := out
		if len(archives) > 1 {
			base := filepath.Base(archive)
			dir = filepath.Join(out, names.Unique(strings.TrimSuffix(base, filepath.Ext(base))))
		}
		if err := job.Run(c.Context, archive, dir, func(r batch.Result) { p.converted(r, false) }); err != nil {
			return p.finish(err)
		}
	}
	p.summary()
	return p.finish(nil)
}
