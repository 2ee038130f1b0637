package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
)

// watchPack packs a folder again and again.
func watchPack(c *cli.Context, p *printer, job worktree.Packing, dir, out string) error {
	if job.DryRun {
		return usagef("--watch writes: it does not go with --dry-run")
	}
	said, told := "", map[schema.Diagnostic]bool{}
	w := worktree.Watching{Packing: job, Round: func(r worktree.Round) {
		r.Diagnostics = slices.DeleteFunc(r.Diagnostics, func(d schema.Diagnostic) bool { return told[d] })
		for _, d := range r.Diagnostics {
			told[d] = true
		}
		text := ""
		if r.Err != nil {
			text = r.Err.Error()
		}
		if !r.Again || text != said { // an archive that a game has open is told of once
			p.round(dir, out, r)
		}
		said = text
	}}
	err := w.Run(c.Context, dir, out)
	if errors.Is(err, context.Canceled) { // that is how it ends
		return nil
	}
	return err
}

// round prints what came of one round of --watch.
func (p *printer) round(dir, out string, r worktree.Round) {
	p.diagnostics(dir, r.Diagnostics)
	var failed worktree.FailedError
	switch {
	case errors.As(r.Err, &failed):
		for _, f := range failed {
			p.unpacked(dir, f)
		}
		p.line("%s  %s stays as it was: %s cannot be packed", clock(r), out, schema.Counted(len(failed), "file", "files"))
		return
	case r.Err != nil && r.Again:
		p.line("%s  usher: %v; trying again", clock(r), r.Err)
		return
	case r.Err != nil:
		p.line("%s  usher: %v", clock(r), r.Err)
		return
	}
	for _, f := range r.Packed.Failures {
		p.unpacked(dir, f)
	}
	_ = p.conflicts(r.Packed) // the run goes on
	if p.json {
		for _, ch := range r.Fresh {
			p.object(jsonChange{ch.Entry, ch.Action, ch.Files, ch.Before, ch.After})
		}
		p.object(struct {
			Archive string  `json:"archive"`
			Size    int64   `json:"size"`
			Changed int     `json:"changed"`
			Seconds float64 `json:"seconds"`
		}{out, r.Packed.Size, len(r.Fresh), r.Took.Seconds()})
		return
	}
	if !p.quiet {
		p.data("%s  %s: %s in %.2f s", clock(r), out, freshText(r.Fresh), r.Took.Seconds())
	}
}

func clock(r worktree.Round) string { return r.Began.Format(time.TimeOnly) }

// freshText names the first entries that changed.
func freshText(list []worktree.Change) string {
	if len(list) == 0 {
		return "nothing changed"
	}
	const shown = 4
	var names []string
	for i, ch := range list {
		if i == shown {
			names = append(names, "…")
			break
		}
		names = append(names, ch.Action+" "+ch.Entry)
	}
	return strings.Join(names, ", ")
}
