package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
)

func undoCommand() *cli.Command {
	return &cli.Command{
		Name:      "undo",
		Usage:     "bring back what an archive was before it was packed over",
		ArgsUsage: "ARCHIVE...",
		Description: "Whenever \"pack --force\" or another verb replaces an archive, what that has and the new one has not is kept in the folder\n" +
			disk.KeptName + " beside it: the entries that changed, mostly. undo makes the old bytes of it, checks them and puts them back;\n" +
			"again, it goes back one more time, to what the archive was before the first of them. The files beside it that were written\n" +
			"with it, as textures are with a new model, go back with it.\n\n" +
			"Where another program or a later run has changed one of them since, all are left alone. What is kept of an archive takes as much room as what\n" +
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
	With    []string  `json:"with,omitempty"` // the files that go back with it
}

// undoneOf returns what is printed of a record.
func undoneOf(archive string, k disk.Kept, left *int) jsonUndone {
	u := jsonUndone{Archive: archive, Before: k.Before.Size, After: k.After.Size, When: k.When, Left: left}
	for _, c := range k.With {
		u.With = append(u.With, filepath.Join(filepath.Dir(archive), c.Name))
	}
	return u
}

// with says which files go with the archive.
func (u jsonUndone) with() string {
	if len(u.With) == 0 {
		return ""
	}
	return ", with " + strings.Join(u.With, ", ")
}

func (p *printer) undo(c *cli.Context, job worktree.Undoing, archive string) error {
	done, err := job.Run(c.Context, archive)
	if err != nil {
		return err
	}
	u := undoneOf(archive, done.Kept, &done.Left)
	if p.json {
		p.object(u)
		return nil
	}
	if !p.quiet {
		verb := "is"
		if job.DryRun {
			verb = "would be"
		}
		p.line("%s: %s as it was before %s, %s%s; %s further back", archive, verb, localTime(done.When), byteCount(done.Before.Size), u.with(), schema.Counted(done.Left, "step", "steps"))
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
		u := undoneOf(archive, k, nil)
		if p.json {
			p.object(u)
			continue
		}
		p.data("%s  %d -> %d bytes  %s%s", localTime(k.When), k.Before.Size, k.After.Size, archive, u.with())
	}
	return nil
}

func localTime(t time.Time) string { return t.Local().Format(time.DateTime) }
