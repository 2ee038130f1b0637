package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
)

// completeVerb is what the scripts of the shells call: usher __complete SHELL WORD..., the last word being the one that is
// typed. It prints a line for each way to go on, with what it means behind a tab, and nothing where a file is wanted.
const completeVerb = "__complete"

// candidate is one way to go on.
type candidate struct{ word, meaning string }

// complete prints how a command line can go on.
func complete(out io.Writer, app *cli.App, shell string, words []string) error {
	if len(words) == 0 {
		words = []string{""}
	}
	for i, w := range words {
		words[i] = unquoted(shell, w)
	}
	w := bufio.NewWriter(out)
	for _, c := range candidates(app, words) {
		fmt.Fprintf(w, "%s\t%s\n", c.word, strings.ReplaceAll(c.meaning, "`", ""))
	}
	return w.Flush()
}

// unquoted is a word as the verbs would get it: bash hands it over as it is typed, and PowerShell has no empty words.
func unquoted(shell, word string) string {
	switch {
	case shell == "powershell" && word == `""`:
		return ""
	case shell != "bash":
		return word
	}
	var b strings.Builder
	escaped := false
	for _, r := range word {
		switch {
		case escaped, r != '\\' && r != '"' && r != '\'':
			b.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		}
	}
	return b.String()
}

func candidates(app *cli.App, words []string) []candidate {
	last := words[len(words)-1]
	if len(words) == 1 {
		list := []candidate{{"help", "what a verb does, and its flags"}}
		for _, c := range app.Commands {
			list = append(list, candidate{c.Name, c.Usage})
		}
		return beginning(list, last)
	}
	if words[0] == "help" {
		return beginning(plainWords(helpWords(app)), last)
	}
	c := app.Command(words[0])
	if c == nil {
		return nil
	}
	if name, typed, ok := strings.Cut(last, "="); ok && strings.HasPrefix(name, "--") {
		return prefixed(name+"=", flagValues(c, strings.TrimLeft(name, "-"), typed))
	}
	if before := words[len(words)-2]; len(words) > 2 && strings.HasPrefix(before, "-") && !strings.Contains(before, "=") {
		if f := lookup(c.Flags, strings.TrimLeft(before, "-")); f != nil && takesValue(f) {
			return flagValues(c, f.Names()[0], last)
		}
	}
	switch {
	case strings.HasPrefix(last, "-"):
		return beginning(flagCandidates(c), last)
	case c.Name == "completion":
		return beginning(plainWords(shells), last)
	case c.Name == "man":
		return beginning(plainWords(commandWords(app)), last)
	}
	return entryCandidates(c, words, last)
}

func beginning(list []candidate, typed string) []candidate {
	return slices.DeleteFunc(list, func(c candidate) bool { return !strings.HasPrefix(c.word, typed) })
}

func prefixed(prefix string, list []candidate) []candidate {
	for i := range list {
		list[i].word = prefix + list[i].word
	}
	return list
}

func plainWords(words []string) []candidate {
	list := make([]candidate, len(words))
	for i, w := range words {
		list[i].word = w
	}
	return list
}

func flagCandidates(c *cli.Command) []candidate {
	var list []candidate
	for _, f := range c.Flags {
		_, usage := flagHelp(f)
		for _, name := range f.Names() {
			if len(name) > 1 {
				list = append(list, candidate{"--" + name, usage})
			}
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return strings.Compare(a.word, b.word) })
	return list
}

// valueWords are the flags with a known set of values.
var valueWords = map[string]func() []string{
	"from":         formatWords,
	"format":       targetWords,
	"to":           targetWords,
	"schema":       schemaWords,
	"kind":         kindWords,
	"encoding":     func() []string { return append(slices.Clone(encodings), "p8", "bc1", "bc3") },
	"quality":      func() []string { return []string{"fast", "best"} },
	"mips":         func() []string { return []string{"comp", "base"} },
	"resize":       func() []string { return []string{"pow2"} },
	"texture-rows": func() []string { return []string{"upright", "stored"} },
	"progress":     func() []string { return progressWords },
	"levels":       func() []string { return []string{"0", "all"} },
	"show":         func() []string { return []string{"wires", "hulls", "mounts", "hardpoints", "all", "none"} },
	"for":          func() []string { return []string{"lanceredit"} },
	"shared":       func() []string { return []string{"copy", "there"} },
	"background":   func() []string { return []string{"checker", "white", "black", "grey", "none"} },
}

// flagValues returns what may stand behind a flag; behind a comma, too, where it takes several.
func flagValues(c *cli.Command, name, typed string) []candidate {
	words, ok := valueWords[name]
	if !ok || lookup(c.Flags, name) == nil {
		return nil
	}
	if i := strings.LastIndexByte(typed, ','); i >= 0 && (name == "kind" || name == "format") {
		return prefixed(typed[:i+1], beginning(plainWords(words()), typed[i+1:]))
	}
	return beginning(plainWords(words()), typed)
}

// entryCandidates returns the entries behind ARCHIVE: that begin as is typed, or, for cat, behind ARCHIVE and a blank.
func entryCandidates(c *cli.Command, words []string, typed string) []candidate {
	if i := strings.LastIndexByte(typed, ':'); i > 0 {
		for _, at := range []int{strings.IndexByte(typed, ':'), i} {
			if list := entriesOf(typed[:at], typed[at+1:]); list != nil {
				return prefixed(typed[:at+1], list)
			}
		}
	}
	if (c.Name == "cat" || c.Name == "ls") && len(words) > 2 {
		return entriesOf(words[1], typed)
	}
	return nil
}

// mostEntries is how many entries are offered at most.
const mostEntries = 2000

func entriesOf(path, typed string) []candidate {
	if isFolder(path) {
		return nil
	}
	a, err := store.OpenArchive(path, nil, new(engine.Loader).Env(path, nil))
	if err != nil {
		return nil
	}
	defer a.Close()
	var list []candidate
	for _, e := range a.Entries() {
		if strings.HasPrefix(e.Path, typed) && !strings.ContainsAny(e.Path, "\t\n\r") {
			if list = append(list, candidate{e.Path, e.Kind.String() + ", " + byteCount(e.Size)}); len(list) == mostEntries {
				break
			}
		}
	}
	return list
}
