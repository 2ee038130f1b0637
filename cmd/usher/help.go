package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
	"github.com/usher-assets/usher/schema"
)

// helpWidth is how long the lines of the help are at most.
const helpWidth = 100

// helpAsked reports whether a command line asks for help, and for that of which verb or topic; it is empty for all of them.
func helpAsked(args []string) (topic string, asked bool, err error) {
	if len(args) < 2 {
		return "", true, nil
	}
	switch args[1] {
	case "help", "h", "--help", "-h", "-?", "/?":
		if len(args) > 3 {
			return "", false, usagef("help takes one verb or topic")
		}
		return strings.Join(args[2:], ""), true, nil
	}
	for _, arg := range args[2:] {
		switch arg {
		case "--":
			return "", false, nil
		case "--help", "-h":
			return args[1], true, nil
		}
	}
	return "", false, nil
}

// printHelp prints the help of a verb, a topic, or the program.
func printHelp(out io.Writer, app *cli.App, topic string) error {
	if topic == "" || topic == "help" {
		_, err := io.WriteString(out, overview(app))
		return err
	}
	if c := app.Command(topic); c != nil {
		_, err := io.WriteString(out, helpOf(c))
		return err
	}
	for _, t := range topics {
		if t.Name == topic {
			_, err := io.WriteString(out, t.text(app))
			return err
		}
	}
	if better := schema.Nearest(topic, slices.Values(helpWords(app))); better != "" {
		return usagef("there is no help on %q; did you mean \"usher help %s\"?", topic, better)
	}
	return usagef("there is no help on %q; there is on %s", topic, strings.Join(helpWords(app), ", "))
}

// helpWords is what there is help on.
func helpWords(app *cli.App) []string {
	var words []string
	for _, c := range app.Commands {
		words = append(words, c.Name)
	}
	for _, t := range topics {
		words = append(words, t.Name)
	}
	return words
}

func overview(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "usher %s\n\n  %s\n\n", app.Usage, app.UsageText)
	b.WriteString(paragraphs(app.Description))
	b.WriteString("\nVerbs:\n")
	for _, c := range app.Commands {
		entry(&b, 15, c.Name, c.Usage)
	}
	b.WriteString("\nTopics:\n")
	for _, t := range topics {
		entry(&b, 15, t.Name, t.Title)
	}
	b.WriteString("\nFor instance:\n")
	for _, e := range examples[""] {
		e.print(&b)
	}
	b.WriteString("\n\"usher help VERB\" and \"usher help TOPIC\" have the rest. Flags stand before or behind the files.\n")
	return b.String()
}

func helpOf(c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "usher %s: %s\n\n  %s\n", c.Name, c.Usage, usageLine(c))
	if c.Description != "" {
		b.WriteString("\n" + paragraphs(c.Description))
	}
	if list := examples[c.Name]; len(list) > 0 {
		b.WriteString("\nFor instance:\n")
		for _, e := range list {
			e.print(&b)
		}
	}
	groups := slices.Concat(sharedGroups, conversionGroups())
	conversion := conversionFlags(c)
	for _, g := range grouped(c.Flags, groups) {
		if conversion > 0 && isConversion(g.Title) {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n", g.Title)
		for _, f := range g.Flags {
			printFlag(&b, f)
		}
	}
	if conversion > 0 {
		fmt.Fprintf(&b, "\nFurther %d flags say how models, textures and sounds are made: \"usher help conversion\".\n", conversion)
	}
	return b.String()
}

// conversionFlags returns how many flags of conversions the help of a verb leaves to a topic: none of a few.
func conversionFlags(c *cli.Command) (n int) {
	const few = 5
	if c.Name == "convert" {
		return 0
	}
	for _, f := range c.Flags {
		if groupOf(f.Names()[0], sharedGroups) == "" && groupOf(f.Names()[0], conversionGroups()) != "" {
			n++
		}
	}
	if n <= few {
		return 0
	}
	return n
}

func isConversion(title string) bool {
	return slices.ContainsFunc(conversionGroups(), func(g flagGroup) bool { return g.Title == title })
}

func usageLine(c *cli.Command) string {
	line := "usher " + c.Name
	if c.ArgsUsage != "" {
		line += " " + c.ArgsUsage
	}
	if len(c.Flags) > 0 {
		line += " [FLAG...]"
	}
	return line
}

// printFlag prints a flag with what it does, wrapped.
func printFlag(b *strings.Builder, f cli.Flag) {
	names, usage := flagHelp(f)
	entry(b, 26, names, usage)
}

// flagHelp returns a flag as it is typed, and what it does.
func flagHelp(f cli.Flag) (names, usage string) {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return "--" + f.Names()[0], ""
	}
	usage = doc.GetUsage()
	value := "VALUE"
	if before, rest, ok := strings.Cut(usage, "`"); ok {
		if word, after, ok := strings.Cut(rest, "`"); ok {
			value, usage = word, before+word+after
		}
	}
	names = "    --" + f.Names()[0]
	if short := slices.IndexFunc(f.Names(), func(n string) bool { return len(n) == 1 }); short >= 0 {
		names = "-" + f.Names()[short] + ", --" + f.Names()[0]
	}
	if doc.TakesValue() {
		names += " " + value
		if text := defaultText(f); text != "" {
			usage += " (default: " + text + ")"
		}
	}
	for _, name := range doc.GetEnvVars() {
		usage += " [" + name + "]"
	}
	return names, usage
}

func defaultText(f cli.Flag) string {
	switch f := f.(type) {
	case *cli.StringFlag:
		return f.DefaultText
	case *cli.Float64Flag:
		return f.DefaultText
	case *cli.IntFlag:
		if f.DefaultText == "" && f.Value != 0 {
			return fmt.Sprint(f.Value)
		}
		return f.DefaultText
	}
	return ""
}

// entry prints a word and what it means, beside it where there is room for it, and wrapped.
func entry(b *strings.Builder, column int, word, text string) {
	b.WriteString("  " + word)
	at := 2 + utf8.RuneCountInString(word)
	if at > column-2 {
		b.WriteString("\n")
		at = 0
	}
	for i, line := range wrapped(text, helpWidth-column) {
		if i > 0 {
			at = 0
		}
		b.WriteString(strings.Repeat(" ", column-at) + line + "\n")
	}
}

// paragraphs wraps text; an empty line begins a new paragraph, and what is indented stays as it is.
func paragraphs(text string) string {
	var b strings.Builder
	for i, p := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteString("\n")
		}
		if strings.HasPrefix(p, " ") {
			b.WriteString(p + "\n")
			continue
		}
		for _, line := range wrapped(p, helpWidth) {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// wrapped returns text as lines of at most width letters, as far as its words allow.
func wrapped(text string, width int) []string {
	var lines []string
	line, n := "", 0
	for _, word := range strings.Fields(text) {
		w := utf8.RuneCountInString(word)
		if n > 0 && n+1+w > width {
			lines, line, n = append(lines, line), "", 0
		}
		if n > 0 {
			line, n = line+" ", n+1
		}
		line, n = line+word, n+w
	}
	return append(lines, line)
}
