package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/cmd/usher/docs"
	"github.com/usher-assets/usher/cmd/usher/places"
	"github.com/usher-assets/usher/cmd/usher/view"
	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/schema"
)

// editorVariable names the program that the desk opens files in.
const editorVariable = "USHER_EDITOR"

func deskCommand() *cli.Command {
	return &cli.Command{
		Name:      "desk",
		Usage:     "the page of view, in which people also work: put files in, take them out, edit, save",
		ArgsUsage: "[PATH...]",
		Description: "Opens the page of \"usher view\" in the browser, and there: drop a PNG, WAV, GLB, CSV or text onto an entry, a model or a\n" +
			"file; edit texts and cells of tables in place; add, rename and remove entries; see before and after beside each other, with\n" +
			"all that is lost in words; take each change back. \"open in\" hands an entry to another program and takes each save of it: the\n" +
			"system's own for such files, or the one that $" + editorVariable + " names. Without a path it begins with the current folder.\n\n" +
			"Nothing is written over until you save: beside the original, as NAME.new.EXT, or over it when you say so, and then\n" +
			"\"usher undo\" brings it back. What is not saved lies as a patch in the folder " + disk.DraftName + " beside the original, and is there again\n" +
			"when the desk was closed or killed. One desk at a time changes a file; another one says so, and only looks.\n\n" +
			"As with view, the page is for this machine and this user alone. To write, it needs a second token, which the address that is\n" +
			"opened or printed gives to one page; it is on no command line, and in no cookie.",
		Flags: slices.Concat(
			[]cli.Flag{
				&cli.StringFlag{Name: "exports", Usage: "export into `FOLDER` as well, instead of downloads alone"},
				&cli.IntFlag{Name: "port", Usage: "listen on this `PORT`", DefaultText: "the system chooses"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "no-browser", Usage: "print the address, and open nothing"},
				&cli.StringSliceFlag{Name: "include", Usage: "only files that match `PATTERN` (with ** for folders)"},
				&cli.StringSliceFlag{Name: "exclude", Usage: "not those that match `PATTERN`"},
				fromFlag(),
			},
			optionFlags(), volumeFlags(),
		),
		Action: runDesk,
	}
}

// offered returns what the start screen offers to open: the games, and what else was opened last.
func offered() []places.Place {
	games := places.Games()
	recent := slices.DeleteFunc(places.Recent(), func(p places.Place) bool {
		return slices.ContainsFunc(games, func(g places.Place) bool { return g.Path == p.Path })
	})
	return append(games, recent...)
}

// opened returns the files and folders that operands name.
func opened(operands []string) (list []string) {
	for _, operand := range operands {
		if path, _, err := engine.ParseOperand(operand); err == nil {
			list = append(list, path)
		}
	}
	return list
}

func runDesk(c *cli.Context) error {
	inputs, start, err := viewed(c)
	if err != nil {
		return err
	}
	if port := c.Int("port"); port > 65535 {
		return usagef("--port wants a number up to 65535, not %d", port)
	}
	exports := c.String("exports")
	if exports != "" {
		if exports, err = filepath.Abs(exports); err != nil {
			return err
		}
	}
	l, err := loader(c)
	if err != nil {
		return err
	}
	v, err := view.New(view.Config{
		Operands: inputs, Loader: l, Selection: selection(c), Flags: givenFlags(c), Start: start, Places: offered,
		Desk: &view.Desk{Exports: exports, Editor: os.Getenv(editorVariable)}, Formats: docs.Handler(),
	})
	if err != nil {
		return err
	}
	defer v.Close()
	if !start {
		_ = places.Remember(opened(inputs)...) // a convenience: what cannot be remembered is no reason to end
	}
	what := schema.Counted(len(inputs), "path", "paths")
	if start {
		what = "this folder"
	}
	return newPrinter(c).serve(c, v, what)
}
