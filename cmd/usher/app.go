package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/batch"
)

// The exit statuses.
const (
	exitOK          = 0
	exitFailed      = 1 // some inputs failed
	exitUsage       = 2
	exitNothing     = 3 // nothing matched
	exitInterrupted = 130
)

// errSomeFailed ends a run in which inputs failed; each of them was told of already.
var errSomeFailed = errors.New("some inputs failed")

// usageError is a mistake in the command line.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// run is the whole program without its process.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &output{w: stdout}
	app := newApp(stdin, out, stderr)
	permuted, err := permute(app, args)
	if err == nil {
		err = app.RunContext(ctx, permuted)
	}
	if err == nil {
		err = out.err
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "usher: interrupted")
		return exitInterrupted
	}
	return report(err, stderr)
}

// output is stdout. It keeps its first error, so that results which nobody got do not pass for success.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(b []byte) (n int, err error) {
	if o.err != nil {
		return 0, o.err
	}
	n, o.err = o.w.Write(b)
	return n, o.err
}

// report prints an error and returns the exit status that it stands for.
func report(err error, stderr io.Writer) int {
	var usage usageError
	var trouble troubleError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &trouble):
		if !errors.Is(err, errSomeFailed) {
			fmt.Fprintf(stderr, "usher: %v\n", trouble.error)
		}
		return exitUsage
	case errors.Is(err, errSomeFailed), errors.Is(err, errDifferent):
		return exitFailed
	case errors.Is(err, convert.ErrNothing):
		fmt.Fprintln(stderr, "usher: nothing matched")
		return exitNothing
	case errors.As(err, &usage), errors.Is(err, batch.ErrPattern):
		fmt.Fprintf(stderr, "usher: %v\nTry \"usher help\".\n", err)
		return exitUsage
	}
	for line := range strings.Lines(err.Error()) { // of several failures each has its own
		fmt.Fprintf(stderr, "usher: %s\n", quoted(stderr, strings.TrimSuffix(line, "\n")))
	}
	return exitFailed
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:        "usher",
		Usage:       "takes the assets of four old worlds out, and puts them back in",
		UsageText:   "usher COMMAND [FLAGS] FILE...",
		Description: description(),
		Version:     version(),
		HideVersion: true,
		Suggest:     true,

		DisableSliceFlagSeparator: true, // names may hold commas
		Reader:                    stdin,
		Writer:                    stdout,
		ErrWriter:                 stderr,
		ExitErrHandler:            func(*cli.Context, error) {}, // run prints errors, once
		OnUsageError:              func(_ *cli.Context, err error, _ bool) error { return usagef("%v", err) },
		CommandNotFound:           func(*cli.Context, string) {}, // permute refuses unknown commands
		Action:                    cli.ShowAppHelp,
		Commands: []*cli.Command{
			infoCommand(), lsCommand(), catCommand(), convertCommand(), unpackCommand(), packCommand(), verifyCommand(),
			diffCommand(), sheetCommand(), viewCommand(), formatsCommand(), completionCommand(), manCommand(), versionCommand(),
		},
	}
	for _, c := range app.Commands {
		c.OnUsageError = app.OnUsageError
		c.HideHelpCommand = true
	}
	return app
}

const exitHelp = `Exit status: 0 all done, 1 some inputs failed, 2 mistake in the command line, 3 nothing matched, 130 interrupted.`

func description() string {
	return "usher reads and writes Freelancer UTF trees, Ultimate 3D models, Unreal Engine 1 packages and Ultima IX\n" +
		"archives, and converts what they hold to and from glTF, PNG, WAV, JSON and text. An untouched file comes back\n" +
		"byte for byte.\n\n" + exitHelp
}
