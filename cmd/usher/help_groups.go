package main

import (
	"slices"
	"sync"

	"github.com/urfave/cli/v2"
)

// flagGroup is a heading of the help and the flags below it.
type flagGroup struct {
	Title string
	Flags []string
}

// sharedGroups are the flags that several verbs have and that mean the same to all of them. What stands in no group is
// the verb's own.
var sharedGroups = []flagGroup{
	{"What to take", []string{"from", "files-from", "include", "exclude", "kind", "format", "names"}},
	{"How to run", []string{"jobs", "fail-fast", "force", "dry-run", "quiet", "verbose", "json", "progress"}},
}

// conversionGroups are the flags of format.Options, which every verb takes that decodes or encodes something.
var conversionGroups = sync.OnceValue(func() (groups []flagGroup) {
	for _, x := range sections {
		g := flagGroup{Title: x.title}
		for _, f := range x.flags() {
			g.Flags = append(g.Flags, f.Names()[0])
		}
		groups = append(groups, g)
	}
	return groups
})

// fromEnvironment are the flags whose defaults the environment may set: USHER_ and the name in capitals.
var fromEnvironment = []string{"install", "jobs", "progress", "quality", "texture-dir", "with"}

// groupOf returns the title of the group that a flag stands in; it is empty for a verb's own.
func groupOf(name string, groups []flagGroup) string {
	for _, g := range groups {
		if slices.Contains(g.Flags, name) {
			return g.Title
		}
	}
	return ""
}

// grouped sorts the flags of a verb into groups, its own first, the others in the order of the tables.
func grouped(flags []cli.Flag, groups []flagGroup) []groupedFlags {
	all := []groupedFlags{{Title: "Flags"}}
	for _, f := range flags {
		if groupOf(f.Names()[0], groups) == "" {
			all[0].Flags = append(all[0].Flags, f)
		}
	}
	for _, g := range groups {
		of := groupedFlags{Title: g.Title}
		for _, name := range g.Flags {
			if f := lookup(flags, name); f != nil && groupOf(name, groups) == g.Title {
				of.Flags = append(of.Flags, f)
			}
		}
		all = append(all, of)
	}
	return slices.DeleteFunc(all, func(g groupedFlags) bool { return len(g.Flags) == 0 })
}

// groupedFlags are the flags below one heading.
type groupedFlags struct {
	Title string
	Flags []cli.Flag
}
