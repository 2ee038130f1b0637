package main

import (
	"github.com/urfave/cli/v2"
)

func catCommand() *cli.Command {
	return &cli.Command{
		Name:      "cat",
		Usage:     "print the stored bytes of an entry",
		ArgsUsage: "ARCHIVE ENTRY...",
		Flags:     []cli.Flag{fromFlag(), namesFlag()},
		Action:    runCat,
	}
}

func runCat(c *cli.Context) error {
	if c.NArg() < 2 {
		return usagef("cat needs an archive and the path of an entry")
	}
	a, err := openOperand(c, c.Args().First())
	if err != nil {
		return err
	}
	defer a.Close()
	for _, path := range c.Args().Tail() {
		i, err := a.Find(path)
		if err != nil {
			return err
		}
		payload, err := a.Payload(i)
		if err != nil {
			return err
		}
		if _, err := c.App.Writer.Write(payload); err != nil {
			return err
		}
	}
	return nil
}
