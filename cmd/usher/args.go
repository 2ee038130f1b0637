package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/schema"
)

// permute moves the flags of a command line before its operands, since the library stops at the first operand. It
// refuses unknown commands and flags, so that none is taken for a file name.
func permute(app *cli.App, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	name := args[1]
	if name == "--version" {
		return []string{args[0], "version"}, nil
	}
	if strings.HasPrefix(name, "-") {
		return nil, usagef("the verb comes first: unexpected %q; see \"usher help\"", name)
	}
	command := app.Command(name)
	if command == nil {
		return nil, unknownVerb(app, name)
	}
	flags, operands, err := split(command.Flags, args[2:])
	if err != nil {
		return nil, err
	}
	return slices.Concat(args[:2], flags, []string{"--"}, operands), nil
}

// unknownVerb says what somebody may have meant: a verb, or a file that he wants to have converted.
func unknownVerb(app *cli.App, name string) error {
	_, err := os.Stat(name)
	ext := filepath.Ext(name)
	if err == nil || len(formats.ByExtension(ext)) > 0 || interchange.ByExtension(ext) != nil {
		verb := "convert"
		if isFolder(name) {
			verb = "info"
		}
		return usagef("%q is no verb; did you mean \"usher %s %s\"?", name, verb, name)
	}
	verbs := []string{"help"}
	for _, c := range app.Commands {
		verbs = append(verbs, c.Name)
	}
	if better := schema.Nearest(name, slices.Values(verbs)); better != "" {
		return usagef("unknown verb %q; did you mean %q?", name, better)
	}
	return usagef("unknown verb %q; \"usher help\" lists them", name)
}

// split parts the arguments of a command into flags, with their values, and operands. Everything after "--" is an
// operand, and so is a lone "-".
func split(known []cli.Flag, args []string) (flags, operands []string, err error) {
	given := map[cli.Flag]bool{}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return flags, append(operands, args[i+1:]...), nil
		}
		if len(arg) < 2 || arg[0] != '-' || arg[1] == ':' || arg[1] == '@' { // "-:3" and "-@4" are parts of standard input
			operands = append(operands, arg)
			continue
		}
		name, _, inline := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		flag := lookup(known, name)
		if short := lookup(known, arg[1:2]); flag == nil && arg[1] != '-' && short != nil && takesValue(short) {
			if err := once(given, short); err != nil {
				return nil, nil, err
			}
			flags = append(flags, arg[:2], arg[2:]) // the value is attached: -j2
			continue
		}
		if flag == nil {
			return nil, nil, unknownFlag(known, arg)
		}
		if err := once(given, flag); err != nil {
			return nil, nil, err
		}
		flags = append(flags, arg)
		if inline || !takesValue(flag) {
			continue
		}
		if i++; i == len(args) {
			return nil, nil, usagef("flag %q needs a value", arg)
		}
		flags = append(flags, args[i])
	}
	return flags, operands, nil
}

// once returns an error when a flag that has one value is given a second one.
func once(given map[cli.Flag]bool, f cli.Flag) error {
	_, many := f.(*cli.StringSliceFlag)
	if given[f] && !many && takesValue(f) {
		return usagef("--%s is given twice, and takes one value", f.Names()[0])
	}
	given[f] = true
	return nil
}

// unknownFlag says which flag somebody may have meant.
func unknownFlag(known []cli.Flag, arg string) error {
	var words []string
	for _, f := range known {
		for _, name := range f.Names() {
			if len(name) > 1 {
				words = append(words, "--"+name)
			}
		}
	}
	word, _, _ := strings.Cut(arg, "=")
	if better := schema.Nearest("--"+strings.TrimLeft(word, "-"), slices.Values(words)); better != "" {
		return usagef("unknown flag %q; did you mean %s? A file of that name goes behind \"--\"", arg, better)
	}
	return usagef("unknown flag %q; a file of that name goes behind \"--\"", arg)
}

// checkNumbers refuses numbers below 0, wherever they come from: none of the flags has a use for them.
func checkNumbers(c *cli.Context) error {
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		negative := false
		switch f.(type) {
		case *cli.IntFlag:
			negative = c.Int(name) < 0
		case *cli.Float64Flag:
			negative = c.Float64(name) < 0
		}
		if negative {
			return usagef("--%s wants a number from 0 on, not %v", name, c.Value(name))
		}
	}
	return nil
}

// setEnvironment lets the environment say what a flag is when the command line does not. It asks no flag for its names:
// those of all flags of all verbs take a tenth of the start.
func setEnvironment(f cli.Flag) {
	switch f := f.(type) {
	case *cli.StringFlag:
		f.EnvVars = environmentOf(f.Name)
	case *cli.StringSliceFlag:
		f.EnvVars = environmentOf(f.Name)
	case *cli.IntFlag:
		f.EnvVars = environmentOf(f.Name)
	}
}

// environmentOf returns the variables that say what a flag is; none for most flags.
func environmentOf(name string) []string {
	if !slices.Contains(fromEnvironment, name) {
		return nil
	}
	return []string{environmentName(name)}
}

func lookup(known []cli.Flag, name string) cli.Flag {
	for _, f := range known {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

func takesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

// operands returns the operands of a command. Patterns that the shell left alone, as on Windows, are expanded, there
// without regard to case.
func operands(c *cli.Context) ([]string, error) {
	var all []string
	for _, arg := range c.Args().Slice() {
		if isPattern(arg) {
			if found, err := doublestar.FilepathGlob(arg, globOptions...); err == nil && len(found) > 0 {
				all = append(all, found...)
				continue
			}
		}
		all = append(all, arg)
	}
	if len(all) == 0 {
		return nil, usagef("%s needs at least one file; see \"usher help %s\"", c.Command.Name, c.Command.Name)
	}
	return all, nil
}

// isPattern reports whether an operand may stand for several files.
func isPattern(arg string) bool { return strings.ContainsAny(arg, "*?[") }

// checkPattern returns an error for a pattern that was not expanded, because no file matches it.
func checkPattern(arg string) error {
	if !isPattern(arg) {
		return nil
	}
	if _, err := os.Lstat(arg); err == nil {
		return nil
	}
	if path, entry, err := engine.ParseOperand(arg); err == nil && entry != "" && !isPattern(path) {
		return nil // a pattern of entries
	}
	return fmt.Errorf("%s: %w", arg, formats.ErrNothing)
}

// checkThere returns an error for an operand that names an entry which its archive does not have, and for a pattern of
// files that none matches.
func checkThere(operand string) error {
	if err := checkPattern(operand); err != nil {
		return err
	}
	path, entry, err := engine.ParseOperand(operand)
	if err != nil || entry == "" || isPattern(entry) {
		return nil
	}
	a, err := store.OpenArchive(path, nil, new(engine.Loader).Env(path, nil))
	if err != nil {
		return nil // which the verb says in its own words
	}
	defer a.Close()
	_, err = a.Find(entry)
	return err
}
