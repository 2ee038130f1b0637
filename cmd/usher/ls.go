package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

func lsCommand() *cli.Command {
	return &cli.Command{
		Name:      "ls",
		Usage:     "list the entries of an archive",
		ArgsUsage: "ARCHIVE|FOLDER... [PATTERN...]",
		Description: "Patterns are matched against the whole path and its last step; ** crosses folders. Of several archives, and of those " +
			"below a folder, the path of the archive stands before each entry, so that it can be given to other verbs.",
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{DisableDefaultText: true, Name: "long", Aliases: []string{"l"}, Usage: "offset, format and class as well"},
			&cli.StringSliceFlag{Name: "name", Usage: "only entries whose name for people matches `PATTERN`, or the last step of whose path does where they have none; may be repeated"},
			fromFlag(), namesFlag(), codePageFlag(), quietFlag(), jsonFlag(),
		}, filterFlags()),
		Action: runLs,
	}
}

// openOperand opens the archive at path as --from and --names say, and prints what is odd about it.
func openOperand(c *cli.Context, path string) (*store.Archive, error) {
	from, err := fromFormat(c)
	if err != nil {
		return nil, err
	}
	page, err := codePage(c)
	if err != nil {
		return nil, err
	}
	l := engine.Loader{From: from, Options: format.Options{CodePage: page, Freelancer: format.FreelancerOptions{Names: c.String("names")}}}
	d := new(schema.Diagnostics)
	a, err := store.OpenArchive(path, from, l.Env(path, d))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	newPrinter(c).diagnostics(path, d.All())
	return a, nil
}

func runLs(c *cli.Context) error {
	if c.NArg() == 0 {
		return usagef("ls needs an archive, or a folder with archives")
	}
	collectGarbage(400) // a listing is made and gone: most of them end before there is garbage to collect
	archives, sel, err := lsOperands(c)
	if err != nil {
		return err
	}
	l := &listing{Context: c, printer: newPrinter(c), sel: sel, long: c.Bool("long")}
	if len(archives) == 1 && !isFolder(archives[0]) {
		if err := l.archive(archives[0], ""); err != nil {
			return err
		}
	} else {
		l.several(archives)
	}
	if l.shown == 0 && l.near != "" {
		return fmt.Errorf("%w; the nearest entry is %q", formats.ErrNothing, l.near)
	}
	if l.shown == 0 && l.entries > 0 || l.archives == 0 && len(l.failed) == 0 {
		return formats.ErrNothing
	}
	return l.finish(nil)
}

// lsOperands parts the operands into archives and folders on the one hand, patterns of entries on the other. What comes
// behind the first is an archive when there is one of that name.
func lsOperands(c *cli.Context) (archives []string, sel batch.Selection, err error) {
	sel = selection(c)
	all, err := operands(c)
	if err != nil {
		return nil, sel, err
	}
	if err := checkPattern(all[0]); err != nil {
		return nil, sel, err
	}
	for i, arg := range all {
		path, pattern, err := engine.ParseOperand(arg)
		inside := err == nil && pattern != ""
		if f, _ := interchange.SniffFile(arg); i == 0 && !inside || isFolder(arg) || f != nil && f.Open != nil {
			archives = append(archives, arg)
			continue
		}
		if inside {
			archives, arg = append(archives, path), pattern
		}
		sel.Include = append(sel.Include, arg)
	}
	if err := sel.Validate(); err != nil {
		return nil, sel, usagef("%v", err)
	}
	return archives, sel, nil
}

// listing prints what is in archives.
type listing struct {
	*cli.Context
	*printer
	sel                      batch.Selection
	long                     bool
	archives, entries, shown int
	near                     string // the entry that is the nearest to a pattern that none matches
}

// several lists more than one archive, or those below folders. An archive that cannot be opened does not stop it.
func (l *listing) several(operands []string) {
	for _, operand := range operands {
		folder := isFolder(operand)
		for src, err := range batch.Walk(l.Context.Context, operand, batch.Selection{FollowLinks: true}) {
			if f, _ := interchange.SniffFile(src.Path); err == nil && folder && (f == nil || f.Open == nil) {
				continue
			}
			if err == nil {
				err = l.archive(src.Path, src.Path)
			}
			if err != nil {
				l.counts[batch.Failed]++
				l.failed = append(l.failed, src.Path)
				l.failure(src.Path, cause(err, src.Path))
			}
		}
	}
}

// cause is an error without the path that stands before it anyway.
func cause(err error, path string) error {
	if inner := errors.Unwrap(err); inner != nil && err.Error() == path+": "+inner.Error() {
		return inner
	}
	return err
}

// archive lists one archive; prefix, where it is one of several, stands before each path.
func (l *listing) archive(path, prefix string) error {
	a, err := openOperand(l.Context, path)
	if err != nil {
		return err
	}
	defer a.Close()
	l.archives++
	list := a.Entries()
	l.entries += len(list)
	if len(l.sel.Include) > 0 || l.sel.Filters() {
		list = slices.DeleteFunc(slices.Clone(list), func(e format.Entry) bool { return !l.sel.MatchEntry(&e) })
	}
	if names := l.StringSlice("name"); len(names) > 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(e format.Entry) bool { return !calledSo(&e, names) })
	}
	l.shown += len(list)
	if len(list) == 0 && len(l.sel.Include) > 0 && l.near == "" {
		l.near = batch.NearestEntry(a, l.sel.Include[0])
	}
	if l.json {
		return lsJSON(l.printer, prefix, list)
	}
	if prefix != "" {
		list = slices.Clone(list)
		for i := range list {
			list[i].Path = prefix + ":" + list[i].Path
		}
	}
	if err := lsTable(l.App.Writer, list, l.long); err != nil {
		return err
	}
	if empty := a.Abilities().Empty; empty != nil && empty() > 0 && len(l.sel.Include) == 0 && !l.sel.Filters() && prefix == "" {
		_, err = fmt.Fprintf(l.App.Writer, "empty  %d rows of the table hold nothing\n", empty())
	}
	return err
}

// calledSo reports whether the name of an entry matches one of the patterns, whatever the case of its letters.
func calledSo(e *format.Entry, patterns []string) bool {
	name := strings.ToLower(cmp.Or(e.Title, e.Path[strings.LastIndexAny(e.Path, "/.")+1:]))
	return slices.ContainsFunc(patterns, func(p string) bool {
		return doublestar.MatchUnvalidated(strings.ToLower(p), name)
	})
}

// jsonEntry is an entry as --json prints it.
type jsonEntry struct {
	Archive string `json:"archive,omitempty"` // of several
	Path    string `json:"path"`
	Title   string `json:"title,omitempty"`
	Kind    string `json:"kind"`
	Format  string `json:"format,omitempty"`
	Class   string `json:"class,omitempty"`
	Size    int64  `json:"size"`
	Offset  *int64 `json:"offset,omitempty"`
}

func lsJSON(p *printer, archive string, list []format.Entry) error {
	out := bufio.NewWriter(p.out)
	defer func(w io.Writer) { p.out = w }(p.out)
	p.out = out
	for _, e := range list {
		j := jsonEntry{Archive: archive, Path: e.Path, Title: e.Title, Kind: e.Kind.String(), Format: formatName(e), Class: e.Class, Size: e.Size}
		if e.Offset >= 0 {
			j.Offset = &e.Offset
		}
		p.object(j)
	}
	return out.Flush()
}

func formatName(e format.Entry) string {
	if e.Format == nil {
		return ""
	}
	return e.Format.Name
}

// lsTable prints the entries in columns, many at a time: an archive may have tens of thousands.
func lsTable(w io.Writer, list []format.Entry, long bool) error {
	quote := func(s string) string { return s }
	if isTerminal(w) {
		quote = escaped
	}
	widths := make([]int, 7)
	row := make([]string, 0, len(widths))
	for i := range list {
		row = lsRow(row[:0], &list[i], long, quote)
		for k, cell := range row {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	size := 1
	for _, n := range widths {
		size += n + 2
	}
	spaces := bytes.Repeat([]byte{' '}, size)
	const chunk = 32 << 10
	b := make([]byte, 0, chunk+size)
	for i := range list {
		if len(b) >= chunk {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
		row = lsRow(row[:0], &list[i], long, quote)
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1] // most entries have no title: nothing to make room for
		}
		for k, cell := range row {
			b = append(b, cell...)
			if k < len(row)-1 {
				b = append(b, spaces[:widths[k]+2-utf8.RuneCountInString(cell)]...)
			}
		}
		b = append(b, '\n')
	}
	_, err := w.Write(b)
	return err
}

// lsRow appends the cells of an entry's line.
func lsRow(row []string, e *format.Entry, long bool, quote func(string) string) []string {
	row = append(row, e.Kind.String(), strconv.FormatInt(e.Size, 10))
	if long {
		row = append(row, strconv.FormatInt(e.Offset, 10), formatName(*e), quote(e.Class))
	}
	return append(row, quote(e.Path), quote(e.Title))
}
