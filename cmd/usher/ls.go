package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/batch"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

func lsCommand() *cli.Command {
	return &cli.Command{
		Name:        "ls",
		Usage:       "list the entries of an archive",
		ArgsUsage:   "ARCHIVE [PATTERN...]",
		Description: "Patterns are matched against the whole path and its last step; ** crosses folders.",
		Flags: []cli.Flag{
			&cli.BoolFlag{DisableDefaultText: true, Name: "long", Aliases: []string{"l"}, Usage: "offset, format and class as well"},
			fromFlag(), namesFlag(), jsonFlag(),
		},
		Action: runLs,
	}
}

// openOperand opens the archive at path as --from and --names say, and prints what is odd about it.
func openOperand(c *cli.Context, path string) (*convert.Archive, error) {
	from, err := fromFormat(c)
	if err != nil {
		return nil, err
	}
	l := convert.Loader{From: from, Options: format.Options{Names: c.String("names")}}
	d := new(schema.Diagnostics)
	a, err := convert.OpenArchive(path, from, l.Env(path, d))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	newPrinter(c).diagnostics(path, d.All())
	return a, nil
}

func runLs(c *cli.Context) error {
	if c.NArg() == 0 {
		return usagef("ls needs an archive")
	}
	collectGarbage(400) // a listing is made and gone: most of them end before there is garbage to collect
	a, err := openOperand(c, c.Args().First())
	if err != nil {
		return err
	}
	defer a.Close()
	sel := batch.Selection{Include: c.Args().Tail()}
	if err := sel.Validate(); err != nil {
		return usagef("%v", err)
	}
	list := a.Entries()
	if len(sel.Include) > 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(e format.Entry) bool { return !sel.Match(e.Path) })
	}
	if len(list) == 0 && len(a.Entries()) > 0 {
		return convert.ErrNothing
	}
	if c.Bool("json") {
		return lsJSON(newPrinter(c), list)
	}
	if err := lsTable(c.App.Writer, list, c.Bool("long")); err != nil {
		return err
	}
	if h, ok := a.ArchiveFile.(format.Holed); ok && h.Empty() > 0 && len(sel.Include) == 0 {
		_, err = fmt.Fprintf(c.App.Writer, "empty  %d rows of the table hold nothing\n", h.Empty())
	}
	return err
}

// jsonEntry is an entry as --json prints it.
type jsonEntry struct {
	Path   string `json:"path"`
	Title  string `json:"title,omitempty"`
	Kind   string `json:"kind"`
	Format string `json:"format,omitempty"`
	Class  string `json:"class,omitempty"`
	Size   int64  `json:"size"`
	Offset *int64 `json:"offset,omitempty"`
}

func lsJSON(p *printer, list []format.Entry) error {
	out := bufio.NewWriter(p.out)
	p.out = out
	for _, e := range list {
		j := jsonEntry{Path: e.Path, Title: e.Title, Kind: e.Kind.String(), Format: formatName(e), Class: e.Class, Size: e.Size}
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
