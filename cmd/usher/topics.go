package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// topic is a page of the help that belongs to no single verb.
type topic struct {
	Name, Title string
	text        func(app *cli.App) string
}

var topics = []topic{
	{"conversion", "flags that say how models, textures and sounds are made", conversionTopic},
	{"environment", "variables that set the defaults of flags", environmentTopic},
	{"json", "what --json prints", func(*cli.App) string { return paragraphs(jsonTopic) }},
	{"names", "how entries, patterns and streams are named", func(*cli.App) string { return paragraphs(namesTopic) }},
	{"status", "what the exit status says", func(*cli.App) string { return paragraphs(exitHelp) }},
}

func conversionTopic(*cli.App) string {
	var b strings.Builder
	b.WriteString(paragraphs("These flags say how models, textures and sounds are made. The verbs convert, unpack, pack, diff and sheet take them; " +
		"a flag that has nothing to do with a file is passed over."))
	for _, g := range grouped(optionFlags(), conversionGroups()) {
		fmt.Fprintf(&b, "\n%s:\n", g.Title)
		for _, f := range g.Flags {
			printFlag(&b, f)
		}
	}
	return b.String()
}

func environmentTopic(app *cli.App) string {
	var b strings.Builder
	b.WriteString(paragraphs("These variables set what flags are when the command line does not say. There is no configuration file."))
	b.WriteString("\n")
	for _, name := range fromEnvironment {
		for _, c := range app.Commands {
			if f := lookup(c.Flags, name); f != nil {
				_, usage := flagHelp(f)
				entry(&b, 24, environmentName(name), "--"+name+": "+usage)
				break
			}
		}
	}
	entry(&b, 24, "GOMAXPROCS", "how many cores are used at all")
	entry(&b, 24, "NO_COLOR", "set to anything: no colours on a terminal")
	entry(&b, 24, "TMPDIR", "where standard input is kept while it is read (Windows: TMP)")
	return b.String()
}

func environmentName(flag string) string {
	return "USHER_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

const namesTopic = `An entry of an archive can stand wherever a file can, behind a colon: sappear.flx:42, pictures.utx:Walls.Board. ` +
	`The colon may be followed by a pattern, which stands for every entry that matches: pictures.utx:Walls.*, ship.cmp:*.dds/*. ` +
	`A file that exists under the whole name is that file.

In patterns * is any run of letters without /, ** crosses folders, ? is one letter, [a-z] one of a range and {a,b} either of two. ` +
	`A pattern is matched against the whole path and against its last step. Quote it, so that the shell leaves it alone.

A single - is standard input or standard output, -:ENTRY an entry of the archive that comes in. What begins with a dash and is a file ` +
	`goes behind --.

Where several files are made, they go into the folder that -o names.`

const jsonTopic = `With --json a verb prints one JSON object a line, and nothing else, on standard output. A failure is such a line as well, also that of a ` +
	`command line which is wrong; only what cannot be printed goes to standard error. New fields may be added; what is there keeps its meaning as long as "schema" is the same number.`
