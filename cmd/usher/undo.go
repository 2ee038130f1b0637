package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/worktree"
)

func undoCommand() *cli.Command {
	return &cli.Command{
		Name:      "undo",
		Usage:     "bring back what an archive was before it was packed over",
		ArgsUsage: "ARCHIVE...",
		Description: "Whenever \"pack --force\" or another verb replaces an archive, what that has and the new one has not is kept in the folder\n" +
			disk.KeptName + " beside it: the entries that changed, mostly. undo makes the old bytes of it, checks them and puts them back;\n" +
			"again, it goes back one more time, to what the archive was before the first of them.\n\n" +
			"An archive that another program has changed since is left alone. What is kept of an archive takes as much room as what\n" +
			"changed; without the folder nothing can be undone, and nothing else is lost.",
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{DisableDefaultText: true, Name: "list", Usage: "print what is kept, the oldest first, and change nothing"},
			&cli.BoolFlag{DisableDefaultText: true, Name: "dry-run", Usage: "do everything but write"},
		}, volumeFlags(), []cli.Flag{jsonFlag()}),
		Action: runUndo,
	}
}

func runUndo(c *cli.Context) error {
	archives, err := operands(c)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	job := worktree.Undoing{DryRun: c.Bool("dry-run")}
	for _, archive := range archives {
		if c.Bool("list") {
			err = p.history(archive)
		} else {
			err = p.undo(c, job, archive)
		}
		if err != nil {
			return p.finish(err)
		}
	}
	return p.finish(nil)
}

// jsonUndone is a step back as --json prints it.
type jsonUndone struct {
	Archive string    `json:"archive"`
	Before  int64     `json:"before"` // bytes that the archive had
	After   int64     `json:"after"`  // and those that it got
	When    time.Time `json:"when"`
	Left    *int      `json:"left,omitempty"`
}

func (p *printer) undo(c *cli.Context, job worktree.Undoing, archive string) error {
	done, err := job.Run(c.Context, archive)
	if err != nil {
		return err
	}
	if p.json {
		p.object(jsonUndone{archive, done.Before.Size, done.After.Size, done.When, &done.Left})
		return nil
	}
	if !p.quiet {
		verb := "is"
		if job.DryRun {
			verb = "would be"
		}
		p.line("%s: %s as it was before %s, %s; %s further back", archive, verb, localTime(done.When), byteCount(done.Before.Size), plural(done.Left, "step", "steps"))
	}
	return nil
}

// history prints what is kept of an archive.
func (p *printer) history(archive string) error {
	list, err := worktree.History(archive)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: %w", archive, disk.ErrNothingKept)
	}
	if err != nil {
		return err
	}
	for _, k := range list {
		if p.json {
			p.object(jsonUndone{archive, k.Before.Size, k.After.Size, k.When, nil})
			continue
		}
		p.data("%s  %d -> %d bytes  %s", localTime(k.When), k.Before.Size, k.After.Size, archive)
	}
	return nil
}

func localTime(t time.Time) string { return t.Local().Format(time.DateTime) }
