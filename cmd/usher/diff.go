package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
)

func diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "compare two files, archives or folders, entry by entry and in their own terms",
		ArgsUsage: "OLD NEW",
		Description: "Prints which entries were added, removed, renamed and changed, and of the changed ones what: named fields, pixels,\n" +
			"vertices, keys, samples, lines. Long lists are cut short; -v shows everything, and what is the same as well. A file\n" +
			"is compared with the one of its name in a folder; an unpacked folder stands for the archive that it packs into, and\n" +
			"ARCHIVE:ENTRY for one entry.\n\n" +
			"With -o what changed is written as a patch: a folder that holds nothing of OLD but what NEW has otherwise, so that it\n" +
			"can be given away and kept under version control.\n\n" +
			"Exit status, unlike that of the other verbs: 0 the same, 1 different, 2 for a mistake in the command line and for what\n" +
			"could not be compared; 3 nothing matched, 130 interrupted.",
		Flags: slices.Concat(
			[]cli.Flag{
				outputFlag("write a patch into `FOLDER`: what changed, as files to edit; \"pack FOLDER --base OLD -o NEW\" puts it on"),
				&cli.BoolFlag{DisableDefaultText: true, Name: "reversible", Usage: "with -o, what OLD had there as well, for \"pack --reverse\": think of whose it is"},
				&cli.StringFlag{Name: "html", Usage: "write what changed to `FILE`: one page with pictures, sounds, models that turn, and the patch"},
				&cli.StringFlag{Name: "picture", Usage: "write pictures of what changed, before, after and where, into `FOLDER`"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "force", Usage: "overwrite existing files"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "git", Usage: "be git's external diff: its arguments, and status 0 whatever differs; see git-setup"},
				fromFlag(),
			},
			slices.DeleteFunc(batchFlags(), func(f cli.Flag) bool { return f.Names()[0] == "fail-fast" }),
			volumeFlags(), []cli.Flag{jsonFlag()}, optionFlags(),
		),
		Action: runDiff,
	}
}

// errDifferent ends a comparison that found a difference, which was told of.
var errDifferent = errors.New("different")

// troubleError is what kept a comparison or a check from an answer.
type troubleError struct{ error }

func runDiff(c *cli.Context) error {
	if c.Bool("git") {
		return runGitDiff(c)
	}
	if c.NArg() != 2 {
		return usagef("diff needs two operands: usher diff OLD NEW")
	}
	if c.Bool("reversible") && c.String("output") == "" {
		return usagef("--reversible is for a patch: -o FOLDER")
	}
	inputs, tidy, err := inputs(c)
	if err != nil {
		return err
	}
	defer tidy()
	return diff(c, inputs[0], inputs[1])
}

// diff compares two files or folders as the flags say.
func diff(c *cli.Context, first, second string) error {
	l, err := loader(c)
	if err != nil {
		return err
	}
	job := &compare.Comparison{Loader: l, Selection: selection(c), Session: session(c)}
	if err := job.Selection.Validate(); err != nil {
		return err
	}
	d := &differences{printer: newPrinter(c), count: map[compare.Status]int{}}
	d.track(c, "comparing", func(ctx context.Context) (int, int64) {
		return batch.Count(ctx, []string{second}, job.Selection, true)
	})
	old, now, err := diffOperands(c, first, second)
	if err != nil {
		return err
	}
	sides, done, err := d.packedSides(c, l, old, now)
	defer done()
	if err != nil {
		return troubleError{err}
	}
	old, now = sides[0], sides[1]
	shown, err := newReports(c, job, old, now)
	if err != nil {
		return troubleError{err}
	}
	err = shown.run(func(show func(*compare.Entry) error) error {
		var failure error
		err := job.Run(c.Context, old, now, func(e compare.Entry) {
			if err := show(&e); failure == nil {
				failure = err
			}
			d.entry(e)
		})
		return errors.Join(err, failure)
	})
	d.progress.close()
	switch {
	case errors.Is(err, formats.ErrNothing), errors.Is(err, batch.ErrPattern):
		return err
	case err != nil:
		return troubleError{err}
	}
	d.end()
	if shown.unpatched != "" && !d.quiet {
		d.line("%s: warning: no patch is attached: %s (no-patch)", shown.page, shown.unpatched)
	}
	if dir := c.String("output"); dir != "" && d.different {
		if err := d.patch(c, worktree.Patching{Loader: l, Force: c.Bool("force"), Reversible: c.Bool("reversible")}, old, now, dir); err != nil {
			return troubleError{err}
		}
	}
	switch {
	case d.count[compare.Failed] > 0:
		return troubleError{errSomeFailed}
	case d.different:
		return errDifferent
	}
	return nil
}

// diffOperands returns the two sides. A patch is of one archive: a file is sought in the folder that is the other side.
func diffOperands(c *cli.Context, first, second string) (old, now string, err error) {
	old, now = first, second
	switch {
	case c.String("output") == "":
	case isFolder(old) && isFolder(now):
		return "", "", usagef("a patch is of one archive: name the two files")
	case isUnpacked(old), isUnpacked(now):
	case isFolder(old):
		old = filepath.Join(old, filepath.Base(now))
	case isFolder(now):
		now = filepath.Join(now, filepath.Base(old))
	}
	return old, now, nil
}

// patch writes what differs into a folder.
func (d *differences) patch(c *cli.Context, job worktree.Patching, old, now, dir string) error {
	done, err := job.Run(c.Context, old, now, dir, new(schema.Diagnostics))
	if err != nil {
		return err
	}
	if !d.quiet && !d.json {
		d.line("%s: a patch of %s", dir, schema.Counted(len(done.Entries), "entry", "entries"))
	}
	if done.Whole && !d.quiet {
		d.line("%s: warning: %s is no archive: the patch holds all of it, not what differs alone (whole-file)", dir, now)
	}
	if !done.Exact && !d.quiet {
		d.line("%s: warning: put onto %s the patch gives entries like those of %s, but another arrangement of them (not-exact)", dir, old, now)
	}
	if job.Reversible && !done.Back && !d.quiet {
		d.line("%s: warning: taken back, the patch gives entries like those of %s, but another arrangement of them (not-exact)", dir, old)
	}
	return nil
}

// differences prints what a comparison finds.
type differences struct {
	*printer
	count     map[compare.Status]int
	waiting   []compare.Entry // archives of which only the entries may differ
	inside    bool            // an entry of the last of them does
	different bool
}

// entry prints one entry. An archive that differs is told of when something beside its entries does, or none of them.
func (d *differences) entry(e compare.Entry) {
	d.progress.step(batch.Result{Size: e.NewSize})
	if e.Status == compare.Failed {
		d.count[e.Status]++
		d.show(e)
		return
	}
	d.different = d.different || e.Status != compare.Same
	if e.Whole && e.Status == compare.Changed {
		d.endArchive()
		if e.Total == 0 {
			d.waiting = append(d.waiting, e)
			return
		}
		d.show(e)
		return
	}
	if e.Status != compare.Same {
		d.inside = true
	}
	d.count[e.Status]++
	d.show(e)
}

// endArchive reports an archive whose entries are the same, though its bytes are not.
func (d *differences) endArchive() {
	for _, e := range d.waiting {
		if !d.inside {
			e.Note = "what differs is outside of its entries"
			d.show(e)
		}
	}
	d.waiting, d.inside = nil, false
}

// shownDetails is how many details of an entry are printed, unless all are asked for.
const shownDetails = 8

func (d *differences) show(e compare.Entry) {
	if d.json {
		d.object(newJSONDifference(e))
		return
	}
	if e.Status == compare.Failed {
		d.failure(e.Path, untold(e.Path, e.Err))
		return
	}
	if d.quiet || e.Status.Alike() && !d.verbose {
		return
	}
	fmt.Fprintln(d.out, painted(d.out, strings.TrimRight(headline(&e), " ")))
	if e.Note != "" {
		fmt.Fprintf(d.out, "    (%s)\n", e.Note)
	}
	for i, x := range e.Details {
		if i == shownDetails && !d.verbose && len(e.Details) > shownDetails+1 {
			break
		}
		fmt.Fprintf(d.out, "    %s\n", x)
	}
	if !d.verbose && e.Total > shownDetails+1 {
		fmt.Fprintf(d.out, "    %d more; -v shows all\n", e.Total-shownDetails)
	} else if more := e.Total - len(e.Details); more > 0 {
		fmt.Fprintf(d.out, "    %d more\n", more)
	}
}

// untold is an error without the file's name in front, where that is said already.
func untold(path string, err error) error {
	if text, ok := strings.CutPrefix(err.Error(), path+": "); ok {
		return errors.New(text)
	}
	return err
}

// headline says in one line what became of an entry.
func headline(e *compare.Entry) string {
	what := e.Format
	if what == "" {
		what = e.Kind.String()
	}
	switch e.Status {
	case compare.Renamed:
		return fmt.Sprintf("renamed  %s -> %s  (%s)", e.From, e.Path, what)
	case compare.Added:
		return fmt.Sprintf("added    %s  (%s, %s)", e.Path, what, byteCount(e.NewSize))
	case compare.Removed:
		return fmt.Sprintf("removed  %s  (%s, %s)", e.Path, what, byteCount(e.OldSize))
	case compare.Same, compare.Renumbered:
		return fmt.Sprintf("%-8s %s", e.Status, e.Path)
	}
	if e.OldSize != e.NewSize {
		return fmt.Sprintf("changed  %s  (%s, %d -> %d bytes)", e.Path, what, e.OldSize, e.NewSize)
	}
	return fmt.Sprintf("changed  %s  (%s)", e.Path, what)
}

// end prints the sum.
func (d *differences) end() {
	d.endArchive()
	if d.quiet || d.json {
		return
	}
	var parts []string
	total := 0
	for _, s := range [...]compare.Status{compare.Same, compare.Renumbered, compare.Changed, compare.Added, compare.Removed, compare.Renamed, compare.Failed} {
		if n := d.count[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
			total += n
		}
	}
	if d.different || d.verbose || d.count[compare.Failed] > 0 {
		d.line("%s: %s", schema.Counted(total, "entry", "entries"), strings.Join(parts, ", "))
	}
}

// jsonDifference is an entry as --json prints it.
type jsonDifference struct {
	Path    string         `json:"path"`
	From    string         `json:"from,omitempty"`
	Status  compare.Status `json:"status"`
	Kind    string         `json:"kind"`
	Format  string         `json:"format,omitempty"`
	Whole   bool           `json:"whole,omitempty"`
	OldSize int64          `json:"oldSize"`
	NewSize int64          `json:"newSize"`
	Details []jsonDetail   `json:"details,omitempty"`
	Total   int            `json:"total,omitempty"`
	Note    string         `json:"note,omitempty"`
	Class   string         `json:"class,omitempty"`
	Message string         `json:"message,omitempty"`
}

type jsonDetail struct {
	What    string  `json:"what"`
	Where   string  `json:"where,omitempty"`
	Old     string  `json:"old,omitempty"`
	New     string  `json:"new,omitempty"`
	Count   int     `json:"count,omitempty"`
	Of      int     `json:"of,omitempty"`
	Largest float64 `json:"largest,omitempty"`
	Decibel float64 `json:"decibel,omitempty"`
	Box     []int   `json:"box,omitempty"` // left, top, right, bottom, the latter two outside
	At      float64 `json:"at,omitempty"`
}

func newJSONDifference(e compare.Entry) jsonDifference {
	j := jsonDifference{
		Path: e.Path, From: e.From, Status: e.Status, Kind: e.Kind.String(), Format: e.Format, Whole: e.Whole,
		OldSize: e.OldSize, NewSize: e.NewSize, Total: e.Total, Note: e.Note, Class: className(e.Err),
	}
	if e.Err != nil {
		j.Message = e.Err.Error()
	}
	for _, d := range e.Details {
		x := jsonDetail{What: d.What, Where: d.Where, Old: d.Old, New: d.New, Count: d.Count, Of: d.Of, Largest: d.Largest, Decibel: d.Decibel, At: d.At}
		if d.Box != nil {
			x.Box = []int{d.Box.Min.X, d.Box.Min.Y, d.Box.Max.X, d.Box.Max.Y}
		}
		j.Details = append(j.Details, x)
	}
	return j
}
