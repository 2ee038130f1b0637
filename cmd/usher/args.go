package main

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/urfave/cli/v2"
)

// permute moves the flags of a command line before its operands, since the library stops at the first operand. It
// refuses unknown commands and flags, so that none is taken for a file name.
func permute(app *cli.App, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	name := args[1]
	if name == "help" || name == "h" || name == "--help" || name == "-h" {
		return args, nil
	}
	if name == "--version" {
		return []string{args[0], "version"}, nil
	}
	if strings.HasPrefix(name, "-") {
		return nil, usagef("the command comes first: unexpected %q", name)
	}
	command := app.Command(name)
	if command == nil {
		return nil, usagef("unknown command %q%s", name, suggestion(app, name))
	}
	flags, operands, err := split(command.Flags, args[2:])
	if err != nil {
		return nil, err
	}
	return slices.Concat(args[:2], flags, []string{"--"}, operands), nil
}

func suggestion(app *cli.App, name string) string {
	if s := cli.SuggestCommand(app.Commands, name); s != "" {
		return "; did you mean " + strings.Trim(strings.TrimPrefix(s, "Did you mean"), " ?") + "?"
	}
	return ""
}

// split parts the arguments of a command into flags, with their values, and operands. Everything after "--" is an
// operand, and so is a lone "-".
func split(known []cli.Flag, args []string) (flags, operands []string, err error) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return flags, append(operands, args[i+1:]...), nil
		}
		if len(arg) < 2 || arg[0] != '-' || arg[1] == ':' { // "-:3" is an entry of standard input
			operands = append(operands, arg)
			continue
		}
		name, _, inline := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if name == "help" || name == "h" {
			flags = append(flags, arg)
			continue
		}
		flag := lookup(known, name)
		if short := lookup(known, arg[1:2]); flag == nil && arg[1] != '-' && short != nil && takesValue(short) {
			flags = append(flags, arg[:2], arg[2:]) // the value is attached: -j2
			continue
		}
		if flag == nil {
			return nil, nil, usagef("unknown flag %q; a file of that name goes behind \"--\"", arg)
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

// operands returns the operands of a command. Patterns that the shell left alone, as on Windows, are expanded.
func operands(c *cli.Context) ([]string, error) {
	var all []string
	for _, arg := range c.Args().Slice() {
		if strings.ContainsAny(arg, "*?[") {
			if found, err := doublestar.FilepathGlob(arg); err == nil && len(found) > 0 {
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
