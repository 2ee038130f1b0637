package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func manCommand() *cli.Command {
	return &cli.Command{
		Name:        "man",
		Usage:       "print the manual page",
		ArgsUsage:   "[VERB]",
		Description: "Of all verbs, or of one of them, as a page usher-VERB.",
		Action: func(c *cli.Context) error {
			switch c.NArg() {
			case 0:
				return manPage(c.App.Writer, c.App)
			case 1:
				verb := c.App.Command(c.Args().First())
				if verb == nil {
					return unknownVerb(c.App, c.Args().First())
				}
				return manVerb(c.App.Writer, verb)
			}
			return usagef("man takes one verb")
		},
	}
}

// roff writes a manual page in the macros of man(7).
type roff struct{ strings.Builder }

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "", "^", `\(ha`, "~", `\(ti`)

// text writes words that are no macros.
func (r *roff) text(s string) {
	for line := range strings.Lines(s) {
		line = roffEscapes.Replace(strings.TrimSpace(line))
		if strings.HasPrefix(line, ".") {
			line = `\&` + line
		}
		r.WriteString(line + "\n")
	}
}

func (r *roff) macro(format string, args ...any) { fmt.Fprintf(r, "."+format+"\n", args...) }

// section begins a section, or a smaller one.
func (r *roff) section(macro, title string) { r.macro(`%s "%s"`, macro, roffEscapes.Replace(title)) }

// tagged writes a bold word and what it means.
func (r *roff) tagged(word, meaning string) {
	r.macro("TP")
	r.macro(`B "%s"`, strings.ReplaceAll(roffEscapes.Replace(word), `"`, `\(dq`))
	r.text(meaning)
}

func (r *roff) paragraphs(s string) {
	for _, p := range strings.Split(s, "\n\n") {
		r.macro("PP")
		r.text(p)
	}
}

func (r *roff) examples(list []example) {
	for _, e := range list {
		r.tagged(e.Line, e.Does)
	}
}

func (r *roff) flags(c *cli.Command, section string) {
	for _, g := range grouped(c.Flags, slices.Concat(sharedGroups, conversionGroups())) {
		if groupOf(g.Flags[0].Names()[0], conversionGroups()) != "" && groupOf(g.Flags[0].Names()[0], sharedGroups) == "" && section == "PP" {
			continue // told of once, at the end
		}
		r.group(g, section)
	}
}

func (r *roff) group(g groupedFlags, section string) {
	if section == "PP" {
		r.macro("PP")
		r.text(g.Title + ":")
	} else {
		r.section(section, g.Title)
	}
	for _, f := range g.Flags {
		names, usage := flagHelp(f)
		r.tagged(strings.TrimSpace(names), usage)
	}
}

func (r *roff) head(name, title string) {
	r.macro(`TH "%s" 1 "" "usher %s"`, strings.ToUpper(name), roffEscapes.Replace(version()))
	r.section("SH", "NAME")
	r.text(name + " - " + title)
}

// manPage prints one page of everything.
func manPage(w io.Writer, app *cli.App) error {
	r := new(roff)
	r.head("usher", app.Usage)
	r.section("SH", "SYNOPSIS")
	for _, c := range app.Commands {
		r.macro("PP")
		r.text(usageLine(c))
	}
	r.section("SH", "DESCRIPTION")
	r.paragraphs(app.Description)
	r.section("SH", "VERBS")
	for _, c := range app.Commands {
		r.section("SS", c.Name)
		r.text(c.Usage + ".")
		r.macro("PP")
		r.text(usageLine(c))
		if c.Description != "" {
			r.paragraphs(c.Description)
		}
		r.flags(c, "PP")
		if list := examples[c.Name]; len(list) > 0 {
			r.macro("PP")
			r.text("For instance:")
			r.examples(list)
		}
	}
	r.section("SH", "FLAGS OF CONVERSIONS")
	for _, g := range grouped(optionFlags(), conversionGroups()) {
		r.group(g, "SS")
	}
	r.section("SH", "NAMES")
	r.paragraphs(namesTopic)
	r.section("SH", "JSON")
	r.paragraphs(jsonTopic)
	r.section("SH", "ENVIRONMENT")
	for _, name := range fromEnvironment {
		r.tagged(environmentName(name), "the default of --"+name)
	}
	r.section("SH", "EXIT STATUS")
	r.paragraphs(exitHelp)
	r.section("SH", "EXAMPLES")
	r.examples(examples[""])
	_, err := io.WriteString(w, r.String())
	return err
}

// manVerb prints the page of one verb.
func manVerb(w io.Writer, c *cli.Command) error {
	r := new(roff)
	r.head("usher-"+c.Name, c.Usage)
	r.section("SH", "SYNOPSIS")
	r.text(usageLine(c))
	if c.Description != "" {
		r.section("SH", "DESCRIPTION")
		r.paragraphs(c.Description)
	}
	r.flags(c, "SH")
	if list := examples[c.Name]; len(list) > 0 {
		r.section("SH", "EXAMPLES")
		r.examples(list)
	}
	r.section("SH", "SEE ALSO")
	r.text("usher(1)")
	_, err := io.WriteString(w, r.String())
	return err
}
