package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a completion script for a shell",
		ArgsUsage:   strings.Join(shells, "|"),
		Description: "For example, in ~/.bashrc: source <(usher completion bash)",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("completion wants one of %s", strings.Join(shells, ", "))
			}
			return printCompletion(c.App.Writer, c.App, c.Args().First())
		},
	}
}

func printCompletion(w io.Writer, app *cli.App, shell string) error {
	switch shell {
	case "bash":
		return bashCompletion(w, app)
	case "zsh": // zsh runs bash completions
		if _, err := fmt.Fprintln(w, "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit"); err != nil {
			return err
		}
		return bashCompletion(w, app)
	case "fish":
		script, err := app.ToFishCompletion()
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, script)
		return err
	case "powershell":
		return powershellCompletion(w, app)
	}
	return usagef("no completion for %q; there are %s", shell, strings.Join(shells, ", "))
}

// flagWords returns all flags of a command as they are typed.
func flagWords(c *cli.Command) []string {
	var words []string
	for _, f := range c.Flags {
		for _, name := range f.Names() {
			if len(name) == 1 {
				words = append(words, "-"+name)
			} else {
				words = append(words, "--"+name)
			}
		}
	}
	sort.Strings(words)
	return words
}

func commandWords(app *cli.App) []string {
	words := []string{"help"}
	for _, c := range app.Commands {
		words = append(words, c.Name)
	}
	return words
}

func formatWords() []string {
	var words []string
	for i := range convert.Formats {
		words = append(words, convert.Formats[i].Name)
	}
	return words
}

// targetWords returns what --to accepts.
func targetWords() []string {
	words := formatWords()
	for _, x := range convert.Interchanges {
		if x.Writes() {
			words = append(words, x.Name)
		}
	}
	return words
}

func bashCompletion(w io.Writer, app *cli.App) error {
	var b strings.Builder
	b.WriteString("_usher() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n  COMPREPLY=()\n  local words=\n")
	fmt.Fprintf(&b, "  if [ \"$COMP_CWORD\" = 1 ]; then words=%q\n", strings.Join(commandWords(app), " "))
	fmt.Fprintf(&b, "  elif [ \"$prev\" = --from ]; then words=%q\n", strings.Join(formatWords(), " "))
	fmt.Fprintf(&b, "  elif [ \"$prev\" = --to ]; then words=%q\n", strings.Join(targetWords(), " "))
	b.WriteString("  elif [[ \"$cur\" == -* ]]; then\n    case ${COMP_WORDS[1]} in\n")
	for _, c := range app.Commands {
		fmt.Fprintf(&b, "      %s) words=%q ;;\n", c.Name, strings.Join(flagWords(c), " "))
	}
	b.WriteString("    esac\n")
	fmt.Fprintf(&b, "  elif [ \"${COMP_WORDS[1]}\" = completion ]; then words=%q\n", strings.Join(shells, " "))
	b.WriteString("  fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o bashdefault -o default -F _usher usher\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func powershellCompletion(w io.Writer, app *cli.App) error {
	var b strings.Builder
	b.WriteString("Register-ArgumentCompleter -Native -CommandName usher -ScriptBlock {\n  param($word, $ast, $position)\n")
	b.WriteString("  $typed = @($ast.CommandElements | ForEach-Object { $_.ToString() })\n  $flags = @{\n")
	for _, c := range app.Commands {
		fmt.Fprintf(&b, "    '%s' = '%s'\n", c.Name, strings.Join(flagWords(c), " "))
	}
	b.WriteString("  }\n  if ($word -like '-*' -and $typed.Count -gt 1) { $words = $flags[$typed[1]] }\n")
	fmt.Fprintf(&b, "  elseif ($typed.Count -le 2) { $words = '%s' }\n  else { $words = '' }\n", strings.Join(commandWords(app), " "))
	b.WriteString("  -split $words | Where-Object { $_ -like \"$word*\" } | ForEach-Object {\n")
	b.WriteString("    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)\n  }\n}\n")
	_, err := io.WriteString(w, b.String())
	return err
}
