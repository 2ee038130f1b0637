package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/check"
	"github.com/usher-assets/usher/schema"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "say what a game would stumble over: what is missing in it or in a mod, by name",
		ArgsUsage: "FOLDER|FILE...",
		Description: "FOLDER is a game, or a mod that lies over one: --install names that, and what it stumbles over itself is not told. Of a\n" +
			"file, or a folder within a game, only that is told which is about it. Prints a line for each thing that is missing, and counts\n" +
			"them; -v prints doubts as well, which the game lives with. The exit status is 1 when something is missing,\n" +
			"and 2 when usher could not look, or could not write what --fix mends.\n\n" +
			"--fix does what is certain, in place and for all files at once; it leaves the folder of --install alone, and \"usher undo\" brings\n" +
			"a file back as it was. " + mends() + "\n\n" +
			"What is looked for (" + gamesChecked() + "):\n\n" + kindsChecked(),
		Flags: slices.Concat([]cli.Flag{
			&cli.StringSliceFlag{Name: "install", Usage: "look for what is missing in the game's `FOLDER` as well; may be repeated"},
			&cli.BoolFlag{DisableDefaultText: true, Name: "fix", Usage: "mend what can be mended for certain"},
			&cli.BoolFlag{DisableDefaultText: true, Name: "dry-run", Usage: "with --fix: do everything but write"},
		}, volumeFlags(), []cli.Flag{jsonFlag()}),
		Action: runCheck,
	}
}

// mends says what --fix does.
func mends() string {
	return "For Freelancer that is: a library is named whose material a model wears, where only one has it; of two records that are the same the second goes."
}

// gamesChecked names the games that can be checked.
func gamesChecked() string {
	var titles []string
	for _, x := range engine.Installs {
		if x.Check != nil {
			titles = append(titles, x.Title)
		}
	}
	return strings.Join(titles, ", ")
}

// kindsChecked lists the kinds of findings.
func kindsChecked() string {
	var b strings.Builder
	for _, x := range engine.Installs {
		for _, k := range x.Kinds {
			title := k.Title
			if k.Doubt {
				title += " (a doubt)"
			}
			entry(&b, 20, k.Name, title)
		}
	}
	return b.String()
}

func runCheck(c *cli.Context) error {
	paths, err := operands(c)
	if err != nil {
		return err
	}
	for _, dir := range c.StringSlice("install") {
		if !isFolder(dir) {
			return usagef("--install: %s is no folder", dir)
		}
	}
	if c.Bool("dry-run") && !c.Bool("fix") {
		return usagef("--dry-run goes with --fix: without that nothing is written")
	}
	p := newPrinter(c)
	job := check.Check{Install: c.StringSlice("install"), Fix: c.Bool("fix"), DryRun: c.Bool("dry-run")}
	err = job.Run(c.Context, paths, func(r *check.Report) { p.checked(r, job.DryRun) })
	if err != nil && !errors.Is(err, formats.ErrNothing) {
		err = troubleError{err}
	}
	return p.finish(err)
}

// checked prints what was found in a game.
func (p *printer) checked(r *check.Report, dry bool) {
	missing, doubts, fixed := 0, 0, 0
	for i := range r.Findings {
		f := &r.Findings[i]
		switch {
		case f.Fixed:
			fixed++
		case f.Kind.Doubt:
			doubts++
		default:
			missing++
			p.counts[batch.Failed]++
		}
		p.found(f, dry)
	}
	if p.json || p.quiet {
		return
	}
	text := fmt.Sprintf("%s: %s, %s; %d missing", r.Path, r.Title, schema.Counted(r.Files, "file", "files"), missing)
	if fixed > 0 {
		text += fmt.Sprintf(", %d %s", fixed, fixedWord(dry))
	}
	if doubts > 0 {
		text += ", " + schema.Counted(doubts, "doubt", "doubts")
		if !p.verbose {
			text += " (-v lists them)"
		}
	}
	if r.Known > 0 {
		text += fmt.Sprintf("; %d more are the installed game's own", r.Known)
	}
	p.line("%s", text)
}

func fixedWord(dry bool) string {
	if dry {
		return "would be fixed"
	}
	return "fixed"
}

// jsonFinding is a finding as --json prints it.
type jsonFinding struct {
	Source   string   `json:"source"`
	Entry    string   `json:"entry,omitempty"`
	Line     int      `json:"line,omitempty"`
	Kind     string   `json:"kind"`
	Severity string   `json:"severity"` // missing or doubt
	Name     string   `json:"name,omitempty"`
	Message  string   `json:"message"`
	About    []string `json:"about,omitempty"` // the other files that it is about
	Mend     string   `json:"mend,omitempty"`
	Fixed    bool     `json:"fixed,omitempty"`
}

// found prints a finding.
func (p *printer) found(f *check.Finding, dry bool) {
	severity := "missing"
	if f.Kind.Doubt {
		severity = "doubt"
	}
	mend := ""
	if f.Mend != nil {
		mend = f.Mend.Words
	}
	if p.json {
		p.object(jsonFinding{f.Path, f.Entry, f.Line, f.Kind.Name, severity, f.Name, f.Msg, f.About, mend, f.Fixed && !dry})
		return
	}
	if f.Kind.Doubt && !f.Fixed && !p.verbose {
		return
	}
	line := f.Path
	if f.Line > 0 {
		line += fmt.Sprintf(":%d", f.Line)
	}
	if f.Entry != "" {
		line += ": " + f.Entry
	}
	line += ": " + f.Msg + " (" + f.Kind.Name
	if f.Kind.Doubt {
		line += ", a doubt"
	}
	line += ")"
	switch {
	case f.Fixed:
		line += "; " + fixedWord(dry) + ": " + mend
	case mend != "":
		line += "; --fix: " + mend
	}
	p.data("%s", line)
}
