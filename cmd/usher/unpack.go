package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
)

func unpackCommand() *cli.Command {
	return &cli.Command{
		Name:      "unpack",
		Usage:     "take an archive apart into a folder of files to edit",
		ArgsUsage: "ARCHIVE[:PATTERN]|FOLDER... [-o FOLDER]",
		Description: "Textures become PNG, sounds WAV, models GLB, tables JSON; what has no such form stays as it is stored. The folder's\n" +
			"usher.json is what \"pack\" needs to put an edit back. Run again after an interruption, it goes on where it stopped.\n" +
			"An archive of texts or flat tables becomes one table with --to csv, and one file for translators with --to po.",
		Flags: slices.Concat(
			[]cli.Flag{
				outputFlag("the `FOLDER`; several archives get a folder each inside it (default: one named like the archive, here)"),
				&cli.BoolFlag{DisableDefaultText: true, Name: "raw", Usage: "write payloads as they are stored"},
				&cli.StringFlag{Name: "to", Usage: "the `EXTENSION` to make where it is possible, such as json; wav decodes MP3 as well"},
				fromFlag(), followFlag(followOut),
			},
			filterFlags(), writeFlags(), batchFlags(), volumeFlags(), []cli.Flag{jsonFlag()}, optionFlags(),
		),
		Action: runUnpack,
	}
}

func runUnpack(c *cli.Context) error {
	archives, err := archiveOperands(c)
	if err != nil {
		return err
	}
	if to := c.String("to"); to != "" && !batch.IsSheet("."+strings.TrimPrefix(to, ".")) {
		if t, err := engine.ParseTarget(to, nil); err != nil || t.Format != nil && (t.Format.Create != nil || t.Format.Lower == nil) {
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
	p.folder = c.String("output")
	p.track(c, "unpacking", func(ctx context.Context) (int, int64) { return batch.Count(ctx, archives, job.Selection, true) })
	var names disk.Names
	for _, archive := range archives {
		archive, job := archive, job
		if path, pattern, err := engine.ParseOperand(archive); err == nil && pattern != "" {
			archive, job.Selection.Include = path, append(slices.Clone(job.Selection.Include), pattern)
		}
		if !job.Selection.Filters() && len(job.Selection.Include) == 0 {
			p.aboutModel(archive)
		}
		if f, _ := interchange.SniffFile(archive); f != nil && job.To == "" && !job.Raw && l.From == nil && batch.ShownWhole(f, job.Selection) {
			job.To = strings.TrimPrefix(f.Shown, ".")
		}
		dir := c.String("output")
		if dir == "" || len(archives) > 1 {
			dir = filepath.Join(dir, names.Unique(formats.Stem(filepath.Base(archive))))
		}
		if len(archives) == 1 {
			p.folder = dir
		}
		if err := job.Run(c.Context, archive, dir, func(r batch.Result) { p.converted(r, false) }); err != nil {
			if errors.Is(err, formats.ErrNothing) {
				p.aboutTextures(l, archive)
			}
			return p.finish(err)
		}
	}
	p.summary("unpacked")
	if p.counts[batch.Done] > 0 && len(archives) == 1 && !p.quiet && !p.json {
		p.line("edit what is in %s; then \"usher pack %s -o NEW%s\"", p.folder, p.folder, filepath.Ext(archives[0]))
	}
	return p.finish(nil)
}

// archiveOperands returns the archives to take apart: the operands, and those below an operand that is a folder.
func archiveOperands(c *cli.Context) (archives []string, err error) {
	all, err := operands(c)
	if err != nil {
		return nil, err
	}
	for _, operand := range all {
		if err := checkPattern(operand); err != nil {
			return nil, err
		}
		if !isFolder(operand) {
			archives = append(archives, operand)
			continue
		}
		for src, err := range batch.Walk(c.Context, operand, batch.Selection{FollowLinks: c.Bool("follow-links")}) {
			if err != nil {
				return nil, fmt.Errorf("%s: %w", src.Path, err)
			}
			if f, _ := interchange.SniffFile(src.Path); f != nil && f.Open != nil && f.Kind == format.Archive {
				archives = append(archives, src.Path)
			}
		}
	}
	if len(archives) == 0 {
		return nil, formats.ErrNothing
	}
	return archives, nil
}

// aboutModel reports the other verb, where somebody takes a model apart into its records.
func (p *printer) aboutModel(archive string) {
	if f, _ := interchange.SniffFile(archive); f != nil && f.Kind == format.Model && !p.quiet && !p.json {
		p.line("%s: note: unpack takes a model apart into its records; \"usher convert %s\" makes a .glb of it", archive, archive)
	}
}

// aboutTextures says which files hold the textures of a model that has none of its own.
func (p *printer) aboutTextures(l engine.Loader, model string) {
	if f, _ := interchange.SniffFile(model); f == nil || f.Kind != format.Model || p.quiet || p.json {
		return
	}
	l.Detail = true
	d, err := l.Describe(engine.Source{Path: model})
	if err != nil {
		return // unpacking has said it
	}
	var files []string
	for _, f := range d.Facts {
		file, found := strings.CutPrefix(factText(f.Value), "in ")
		if found && strings.HasPrefix(strings.TrimSpace(f.Name), "texture ") && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, file := range files {
		p.line("%s: its textures are in %s: usher unpack %s", model, file, file)
	}
}
