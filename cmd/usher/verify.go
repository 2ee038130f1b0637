package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "read, write to memory, and compare byte for byte",
		ArgsUsage: "FILE|FOLDER|ARCHIVE:ENTRY...",
		Description: "Prints \"identical\" where the written bytes are those of the file, \"differs\" with the first difference by field\n" +
			"and offset, or \"refused\" with the class of the error. Nothing is written to disk. Files below a folder that no\n" +
			"format recognises are passed over. A file that is no native one, as a GLB, is made anew and has no bytes to be compared\n" +
			"with: \"reads\" says that it is whole.",
		Flags:  slices.Concat([]cli.Flag{fromFlag(), filesFromFlag(), followFlag(followOut)}, filterFlags(), batchFlags(), volumeFlags(), []cli.Flag{jsonFlag()}),
		Action: runVerify,
	}
}

func runVerify(c *cli.Context) error {
	inputs, done, err := inputs(c)
	if err != nil {
		return err
	}
	defer done()
	from, err := fromFormat(c)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	p.track(c, "verifying", func(ctx context.Context) (int, int64) { return batch.Count(ctx, inputs, selection(c), false) })
	job := compare.Verification{From: from, Selection: selection(c), Session: session(c)}
	err = job.Run(c.Context, inputs, p.verified)
	if err == nil && !p.quiet && !p.json {
		same, reads, bad := p.counts[batch.Same], p.counts[batch.Reads], p.counts[batch.Failed]
		text := fmt.Sprintf("%s: %d identical, %d not", schema.Counted(same+reads+bad, "file", "files"), same, bad)
		if reads > 0 {
			text += fmt.Sprintf(", %d read", reads)
		}
		p.line("%s", text+keptText(p.kept))
	}
	return p.finish(err)
}

func (p *printer) verified(r batch.Result) {
	p.count(r)
	if p.json {
		p.object(newJSONResult(r))
		return
	}
	switch class := formatClass(r.Err); {
	case r.Err == nil && p.quiet:
	case r.Status == batch.Reads:
		p.data("reads      %s (%s: no native file, nothing to compare it with)", r.Source, r.Format)
	case r.Err == nil && r.Entries > 0:
		p.data("identical  %s (%s, %s%s)", r.Source, r.Format, schema.Counted(r.Entries, "entry", "entries"), keptText(r.Kept))
	case r.Err == nil:
		p.data("identical  %s (%s%s)", r.Source, r.Format, keptText(r.Kept))
	case class != "":
		p.data("refused    %s: %s: %v", r.Source, class, r.Err)
	default:
		p.data("%-9s  %s: %v", failedStatus(r.Err), r.Source, r.Err)
	}
	p.diagnostics(r.Source, r.Diagnostics)
}
