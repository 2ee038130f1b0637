package main

import (
	"fmt"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// release is set when a release is built.
var release = ""

func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version",
		Action: func(c *cli.Context) error {
			_, err := fmt.Fprintln(c.App.Writer, "usher", version())
			return err
		},
	}
}
