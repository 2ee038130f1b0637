package main

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert"
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
			fromFlag(), jsonFlag(),
		},
		Action: runLs,
	}
}

// openOperand opens the archive that the first operand names.
func openOperand(c *cli.Context, path string) (*convert.Archive, error) {
	from, err := fromFormat(c)
	if err != nil {
		return nil, err
	}
	l := convert.Loader{From: from}
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
	a, err := openOperand(c, c.Args().First())
	if err != nil {
		return err
	}
	defer a.Close()
	sel := convert.Selection{Include: c.Args().Tail()}
	if err := sel.Validate(); err != nil {
		return usagef("%v", err)
	}
	list := a.Entries()
	if len(sel.Include) > 0 {
		list = nil
		for _, e := range a.Entries() {
			if sel.Match(e.Path) {
				list = append(list, e)
			}
		}
	}
	if len(list) == 0 && len(a.Entries()) > 0 {
		return convert.ErrNothing
	}
	if c.Bool("json") {
		return lsJSON(newPrinter(c), list)
	}
	return lsTable(c, list)
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
	for _, e := range list {
		j := jsonEntry{Path: e.Path, Title: e.Title, Kind: e.Kind.String(), Format: formatName(e), Class: e.Class, Size: e.Size}
		if e.Offset >= 0 {
			j.Offset = &e.Offset
		}
		if err := p.object(j); err != nil {
			return err
		}
	}
	return nil
}

func formatName(e format.Entry) string {
	if e.Format == nil {
		return ""
	}
	return e.Format.Name
}

// lsTable prints entries in columns, the title last. Archives with thousands of entries are usual: the columns are
// measured and then written, which takes a fraction of what text/tabwriter takes.
func lsTable(c *cli.Context, list []format.Entry) error {
	row := lsRow
	if c.Bool("long") {
		row = lsLongRow
	}
	var cells []string
	var widths [6]int
	for i := range list {
		cells = row(cells[:0], &list[i])
		for k, s := range cells {
			widths[k] = max(widths[k], utf8.RuneCountInString(s))
		}
	}
	out := bufio.NewWriterSize(c.App.Writer, 64<<10)
	var line []byte
	for i := range list {
		cells = row(cells[:0], &list[i])
		line = line[:0]
		for k, s := range cells {
			line = append(line, s...)
			if k < len(cells)-1 || list[i].Title != "" {
				line = append(line, padding(widths[k]+2-utf8.RuneCountInString(s))...)
			}
		}
		line = append(line, list[i].Title...)
		out.Write(append(line, '\n')) // Flush tells of errors
	}
	return out.Flush()
}

func lsRow(cells []string, e *format.Entry) []string {
	return append(cells, e.Kind.String(), strconv.FormatInt(e.Size, 10), e.Path)
}

func lsLongRow(cells []string, e *format.Entry) []string {
	return append(cells, e.Kind.String(), strconv.FormatInt(e.Size, 10), strconv.FormatInt(e.Offset, 10), formatName(*e), e.Class, e.Path)
}

var blanks = strings.Repeat(" ", 80)

func padding(n int) string {
	if n > len(blanks) {
		return strings.Repeat(" ", n)
	}
	return blanks[:n]
}
