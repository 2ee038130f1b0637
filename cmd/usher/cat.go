package main

import (
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/work/batch"
)

func catCommand() *cli.Command {
	return &cli.Command{
		Name:      "cat",
		Usage:     "print the stored bytes of an entry",
		ArgsUsage: "ARCHIVE ENTRY... | ARCHIVE:ENTRY...",
		Flags:     []cli.Flag{fromFlag(), namesFlag(), quietFlag()},
		Action:    runCat,
	}
}

func runCat(c *cli.Context) error {
	archive, entries := c.Args().First(), c.Args().Tail()
	if entry, ok := strings.CutPrefix(archive, stream); ok && (entry == "" || entry[0] == ':') {
		dir, path, err := spool(c.App)
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		archive = path + entry
	}
	if p, entry, err := engine.ParseOperand(archive); err == nil && entry != "" {
		archive, entries = p, append([]string{entry}, entries...)
		for i, e := range entries { // the archive may stand before each of them
			entries[i] = strings.TrimPrefix(e, p+":")
		}
	}
	if len(entries) == 0 {
		return usagef("cat needs an archive and the path of an entry")
	}
	a, err := openOperand(c, archive)
	if err != nil {
		return err
	}
	defer a.Close()
	return batch.Guarded(func() error { return printEntries(c.App.Writer, a, entries) })
}

func printEntries(w io.Writer, a *store.Archive, entries []string) error {
	for _, path := range entries {
		found := false
		for i := range batch.Matching(a, path) {
			found = true
			payload, err := a.Payload(i)
			if err != nil {
				return err
			}
			if _, err := w.Write(payload); err != nil {
				return err
			}
		}
		if _, err := a.Find(path); !found {
			return err
		}
	}
	return nil
}
