package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/cmd/usher/docs"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

func formatsCommand() *cli.Command {
	return &cli.Command{
		Name:      "formats",
		Usage:     "list what can be read, written and converted",
		ArgsUsage: "[FILE...]",
		Description: "With --docs -o SITE it makes a site of what is known of the formats: the references, with an anchor for each section and\n" +
			"field, and a page for each format. Files that are named become its examples, the smallest of each format, with the\n" +
			"meaning of every byte.",
		Flags: []cli.Flag{
			&cli.BoolFlag{DisableDefaultText: true, Name: "docs", Usage: "make a site of the references, with the files named as examples"},
			quietFlag(),
			outputFlag("with --docs, the `FOLDER` of the site"),
			&cli.BoolFlag{DisableDefaultText: true, Name: "force", Usage: "overwrite existing files"},
			jsonFlag(),
			&cli.BoolFlag{DisableDefaultText: true, Name: "verbose", Aliases: []string{"v"}, Usage: "list what archives can do as well"},
			&cli.StringFlag{Name: "schema", Usage: "print the JSON schema of the documents that \"--to json\" makes of this `FORMAT`"},
		},
		Action: runFormats,
	}
}

// runDocs makes a site of the references.
func runDocs(c *cli.Context) error {
	out := c.String("output")
	if out == "" {
		return usagef("--docs wants a folder for the site: -o FOLDER")
	}
	var files []string
	if c.NArg() > 0 {
		var err error
		if files, err = operands(c); err != nil {
			return err
		}
	}
	site := docs.Site{Examples: files, Force: c.Bool("force")}
	made, err := site.Write(c.Context, out)
	if err != nil {
		return err
	}
	if !c.Bool("quiet") {
		newPrinter(c).line("%s: %d references, %d formats, %s, %s; open %s", out, made.References, made.Formats,
			schema.Counted(made.Examples, "example", "examples"), schema.Counted(made.Descriptions, "description", "descriptions"), filepath.Join(out, "index.html"))
	}
	return nil
}

// formatRow is one line of the list.
type formatRow struct {
	Name       string   `json:"name"`
	Family     string   `json:"family"`
	Kind       string   `json:"kind,omitempty"`
	Extensions []string `json:"extensions"`
	Read       bool     `json:"read"`
	Write      bool     `json:"write"`
	Convert    string   `json:"convert,omitempty"` // "both", "out"
	Title      string   `json:"title"`
	Abilities  []string `json:"abilities,omitempty"` // of archives
}

func runFormats(c *cli.Context) error {
	if c.Bool("docs") {
		return runDocs(c)
	}
	if c.NArg() > 0 || c.String("output") != "" {
		return usagef("formats takes no files and no -o, but with --docs")
	}
	if name := c.String("schema"); name != "" {
		f := formats.ByName(name)
		if f == nil || f.New == nil {
			return usagef("--schema wants a format that becomes a JSON document, not %q%s", name, meant(name, schemaWords()))
		}
		return json.Schema(c.App.Writer, f.Name, f.Title, f.EmptyDocument())
	}
	rows := formatRows()
	if c.Bool("json") {
		p := newPrinter(c)
		for _, r := range rows {
			p.object(r)
		}
		return nil
	}
	table := tabwriter.NewWriter(c.App.Writer, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tFAMILY\tKIND\tREAD\tWRITE\tCONVERT\tEXTENSIONS\tTITLE")
	for _, r := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Name, r.Family, r.Kind, yes(r.Read), yes(r.Write), r.Convert, strings.Join(r.Extensions, " "), r.Title)
	}
	if err := table.Flush(); err != nil || !c.Bool("verbose") {
		return err
	}
	fmt.Fprintln(c.App.Writer, "\nWhat archives can do beside holding, replacing, adding and removing entries:")
	for _, r := range rows {
		if len(r.Abilities) > 0 {
			fmt.Fprintf(table, "%s\t%s\n", r.Name, strings.Join(r.Abilities, ", "))
		}
	}
	return table.Flush()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "-"
}

func formatRows() []formatRow {
	var rows []formatRow
	for i := range formats.All {
		f := &formats.All[i]
		inside := f.Open != nil || inPackage(f)
		rows = append(rows, formatRow{
			Name: f.Name, Family: f.Family, Kind: f.Kind.String(), Extensions: append([]string{}, f.Extensions...), Title: f.Title,
			Read: f.Read != nil || inside, Write: f.Write != nil || inside, Convert: conversions(f), Abilities: abilities(f),
		})
	}
	for _, x := range interchange.Interchanges {
		row := formatRow{Name: x.Name, Family: "interchange", Extensions: x.Extensions, Title: x.Title, Read: true, Write: x.Writes(), Convert: "both"}
		if !row.Write {
			row.Convert = "out"
		}
		rows = append(rows, row)
	}
	return rows
}

// abilities are what archives of a format can do beside what all can, as far as a new one tells.
func abilities(f *format.Format) []string {
	if f.Create == nil {
		return nil
	}
	a, err := f.Create(&format.Env{})
	if err != nil {
		return nil
	}
	return a.Abilities().Words()
}

// inPackage reports whether a format is one of objects that mean nothing without their package, which gives it its
// functions when it is opened.
func inPackage(f *format.Format) bool { return f.Read == nil && f.Open == nil }

func conversions(f *format.Format) string {
	switch {
	case f.Lift != nil && f.Lower != nil, f.Open != nil, f.New != nil, inPackage(f):
		return "both"
	case f.Lift != nil:
		return "out"
	}
	return "-"
}
