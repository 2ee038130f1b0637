package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
)

func packCommand() *cli.Command {
	return &cli.Command{
		Name:      "pack",
		Usage:     "put an unpacked folder back into an archive",
		ArgsUsage: "FOLDER|FILE -o ARCHIVE",
		Description: "Entries whose files did not change are taken byte for byte from the archive that the folder came from; edited ones are\n" +
			"encoded again in the format they had (with --encoding and --include, those of pictures that match although nobody\n" +
			"edited them; a pattern may begin with the archive's name, as in '*.txm/**'); new files become entries, or further\n" +
			"frames of a texture (8.f004.png). A line is printed for every entry that changes. Packed over the\n" +
			"archive that it came from, the folder belongs to the new one.\n\n" +
			"A file counts as edited when its size or time is another one, or so young that it could have changed unnoticed and its\n" +
			"content is another one; --rehash reads every file. All that is wrong is told at once, and nothing is written then.\n" +
			"What editors leave (.blend, .psd, *~, .git and the like) is passed over, and what .usherignore names, as in .gitignore.\n\n" +
			"A folder that was not unpacked becomes a new archive of the kind that its extension says. In an Unreal package\n" +
			"sub-folders are groups, a model with a skin becomes a skeletal mesh with its motions, and a NAME.usher.json beside\n" +
			"a picture holds the settings of the texture, or the places of a font's characters.\n" +
			"A new model of Ultima IX brings its pictures: they get free slots of the archives of textures beside the archive, or of\n" +
			"the one that --textures names, which are written too; a picture called texture_21 is the one of slot 21 instead. Of a\n" +
			"texture that other archives hold in other pixels, --all-depths writes all.\n\n" +
			"A single file becomes the entry that it is called like (or --base ARCHIVE:ENTRY, or the level of a map) in a copy of\n" +
			"the archive that --base names. So do the files of a folder that was not unpacked, with --base; one that is called like\n" +
			"no entry is refused by name.\n" +
			"A patch, which \"diff -o\" writes, is put onto the archive that --base names, entry by entry where those are what it\n" +
			"is for; the others are named, and the status is 1. --reverse takes it back.\n" +
			"With --watch the folder is packed again whenever a file in it is saved, until Ctrl-C; what cannot be packed is said,\n" +
			"and the archive stays as it was.",
		Flags: slices.Concat(
			[]cli.Flag{
				outputFlag("the archive `FILE` to write"),
				&cli.StringFlag{Name: "base", Usage: "the original archive `FILE`, when it is not where it was; that of a single file, or its :ENTRY"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "reverse", Usage: "take a patch back: what it changed becomes what it was, where the patch holds that"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "prune", Usage: "remove the entries whose files were deleted, and what an edited table has no row for"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "rehash", Usage: "read every file, even those whose size and time are as they were"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "compact", Usage: "lay out the archive anew, without the bytes that replaced entries have left behind (Ultima IX)"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "keep-going", Usage: "leave out what cannot be packed, and write the rest"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "watch", Usage: "pack again whenever a file is saved, until Ctrl-C"},
				followFlag("pack what symbolic links lead to"),
				&cli.StringSliceFlag{Name: "include", Usage: "only files that match `PATTERN`; the others count as unchanged"},
				&cli.StringSliceFlag{Name: "exclude", Usage: "not those that match `PATTERN`"},
			},
			writeFlags(), volumeFlags(), []cli.Flag{jsonFlag()}, optionFlags(),
		),
		Action: runPack,
	}
}

func runPack(c *cli.Context) error {
	out := c.String("output")
	if c.NArg() != 1 || out == "" {
		return usagef("pack needs a folder and an archive: usher pack FOLDER -o ARCHIVE")
	}
	if _, err := os.Stat(filepath.Join(c.Args().First(), worktree.ManifestName)); err == nil {
		collectGarbage(600) // most of a folder is unchanged: the work ends before there is garbage to collect
	}
	l, err := loader(c)
	if err != nil {
		return err
	}
	dir := c.Args().First()
	if err := holdsUnpacked(dir); err != nil {
		return err
	}
	p := newPrinter(c)
	d := new(schema.Diagnostics)
	job := worktree.Packing{
		Loader: l, Selection: selection(c), Base: c.String("base"), Reverse: c.Bool("reverse"), Prune: c.Bool("prune"), Force: c.Bool("force"), DryRun: c.Bool("dry-run"),
		Rehash: c.Bool("rehash"), FollowLinks: c.Bool("follow-links"), Compact: c.Bool("compact"), KeepGoing: c.Bool("keep-going"),
	}
	if c.Bool("watch") {
		return watchPack(c, p, job, dir, out)
	}
	var done *worktree.Packed
	err = batch.Guarded(func() (err error) { done, err = job.Run(c.Context, dir, out, d); return err })
	p.diagnostics(dir, d.All())
	if done == nil {
		return err
	}
	for _, f := range done.Failures {
		p.unpacked(dir, f)
	}
	var failed worktree.FailedError
	if errors.As(err, &failed) { // told of already
		return p.finish(nil)
	}
	if err != nil {
		return p.finish(err)
	}
	return p.finish(p.packed(out, done))
}

// holdsUnpacked returns an error for a folder that is no unpacked archive itself, and has some in it.
func holdsUnpacked(dir string) error {
	if isUnpacked(dir) {
		return nil
	}
	inside, _ := os.ReadDir(dir) // whoever reads it tells what is wrong with it
	for _, e := range inside {
		if at := filepath.Join(dir, e.Name()); isUnpacked(at) {
			return usagef("%s is an unpacked archive: pack it alone, and the others as well: \"usher pack %s -o ARCHIVE\"", at, at)
		}
	}
	return nil
}

// unpacked prints what is wrong with a file.
func (p *printer) unpacked(dir string, f worktree.Failure) {
	p.counts[batch.Failed]++
	if p.json {
		p.object(struct {
			jsonFailure
			Entry string `json:"entry,omitempty"`
		}{jsonFailure{failedStatus(f.Err), f.File, className(f.Err), f.Err.Error()}, f.Entry})
		return
	}
	p.failure(dir, &f)
}

// jsonChange is a change as --json prints it.
type jsonChange struct {
	Entry  string   `json:"entry"`
	Action string   `json:"action"`
	Files  []string `json:"files,omitempty"`
	Before int64    `json:"before"`
	After  int64    `json:"after"`
}

// changes prints a line for each change and returns how many entries of the archive itself they concern.
func (p *printer) changes(done *worktree.Packed) (changed int) {
	for _, ch := range done.Changes {
		if ch.Action != "kept" && ch.Action != "updated" { // the latter is an entry of another archive
			changed++
		}
		if p.json {
			p.object(jsonChange{ch.Entry, ch.Action, ch.Files, ch.Before, ch.After})
			continue
		}
		if !p.quiet {
			line := fmt.Sprintf("%-8s %s  %d -> %d bytes  %s", ch.Action, ch.Entry, ch.Before, ch.After, strings.Join(ch.Files, " "))
			p.data("%s", strings.TrimRight(line, " "))
		}
	}
	return changed
}

func (p *printer) packed(out string, done *worktree.Packed) error {
	changed := p.changes(done)
	if p.json {
		p.object(struct {
			Archive   string `json:"archive"`
			Size      int64  `json:"size"`
			Changed   int    `json:"changed"`
			Unchanged int    `json:"unchanged"`
		}{out, done.Size, changed, done.Unchanged})
		return p.conflicts(done)
	}
	if !p.quiet {
		p.line("%s: %s, %d changed, %d as they were", out, byteCount(done.Size), changed, done.Unchanged)
	}
	return p.conflicts(done)
}

// conflicts reports the entries that a patch could not be put onto.
func (p *printer) conflicts(done *worktree.Packed) error {
	for _, c := range done.Conflicts {
		p.failure(c.Entry, errors.New(c.Reason+": the patch leaves it as it is"))
	}
	if len(done.Conflicts) > 0 {
		return errSomeFailed
	}
	return nil
}
