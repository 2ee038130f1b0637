package main

import (
	"embed"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

// completions are the scripts of the shells. All of them ask usher itself, by its verb __complete.
//
//go:embed completion
var completions embed.FS

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script for a shell",
		ArgsUsage: strings.Join(shells, "|"),
		Description: "It completes verbs, flags, their values, and the entries of an archive behind its colon.\n\n" +
			"bash: source <(usher completion bash), in ~/.bashrc\n\n" +
			"zsh: usher completion zsh > _usher, in a folder of $fpath; or source <(usher completion zsh) behind compinit\n\n" +
			"fish: usher completion fish > ~/.config/fish/completions/usher.fish\n\n" +
			"PowerShell: usher completion powershell | Out-String | Invoke-Expression, in $PROFILE",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("completion wants one of %s", strings.Join(shells, ", "))
			}
			script, err := completions.ReadFile("completion/" + c.Args().First())
			if err != nil {
				return usagef("no completion for %q; there are %s", c.Args().First(), strings.Join(shells, ", "))
			}
			_, err = c.App.Writer.Write(script)
			return err
		},
	}
}

func commandWords(app *cli.App) []string {
	var words []string
	for _, c := range app.Commands {
		words = append(words, c.Name)
	}
	return words
}

func formatWords() []string {
	var words []string
	for i := range formats.All {
		words = append(words, formats.All[i].Name)
	}
	return words
}

// targetWords returns what --to accepts.
func targetWords() []string {
	words := formatWords()
	for _, x := range interchange.Interchanges {
		if x.Writes() {
			words = append(words, x.Name)
		}
	}
	return words
}

// schemaWords returns the formats whose values are documents.
func schemaWords() []string {
	var words []string
	for i := range formats.All {
		if formats.All[i].New != nil {
			words = append(words, formats.All[i].Name)
		}
	}
	return words
}
