package main

import (
	"fmt"
	"text/tabwriter"

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
	var list []format.Entry
	for _, e := range a.Entries() {
		if sel.Match(e.Path) {
			list = append(list, e)
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

func lsTable(c *cli.Context, list []format.Entry) error {
	long := c.Bool("long")
	table := tabwriter.NewWriter(c.App.Writer, 0, 8, 2, ' ', 0)
	for _, e := range list {
		if long {
			fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%s\t%s\t%s\n", e.Kind, e.Size, e.Offset, formatName(e), e.Class, e.Path, e.Title)
		} else {
			fmt.Fprintf(table, "%s\t%d\t%s\t%s\n", e.Kind, e.Size, e.Path, e.Title)
		}
	}
	return table.Flush()
}
