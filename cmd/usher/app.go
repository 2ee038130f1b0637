package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/work/batch"
)

// The exit statuses.
const (
	exitOK          = 0
	exitFailed      = 1 // some inputs failed
	exitUsage       = 2
	exitNothing     = 3 // nothing matched
	exitInterrupted = 130
	exitClosedPipe  = 141 // nobody reads the output any more; what shells tell of a program that SIGPIPE ends
)

// errSomeFailed ends a run in which inputs failed; each of them was told of already.
var errSomeFailed = errors.New("some inputs failed")

// errNothingTold ends a run in which nothing that was asked for is there; each of it was told of already.
var errNothingTold = fmt.Errorf("%w, as was told", formats.ErrNothing)

// usageError is a mistake in the command line.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// run is the whole program without its process.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 2 && args[1] == dropVerb {
		return drop(ctx, args[0], args[2:], stdin, stdout, stderr)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out, told := &output{w: stdout, stop: stop}, &output{w: stderr, stop: stop}
	app := newApp(called(args), stdin, out, told)
	topic, asked, err := helpAsked(args)
	if len(args) > 2 && args[1] == completeVerb {
		err = complete(out, app, args[2], args[3:])
	} else if asked {
		err = printHelp(out, app, topic)
	} else if err == nil {
		err = runVerb(ctx, app, args)
	}
	if err == nil {
		err = out.failure()
	}
	if isClosedPipe(out.failure()) || isClosedPipe(told.failure()) { // as "head" does; it is not an error
		return exitClosedPipe
	}
	if ctx.Err() != nil {
		fmt.Fprintln(told, "usher: interrupted")
		return exitInterrupted
	}
	return report(err, args, out, told)
}

// runVerb runs the verb that a command line names.
func runVerb(ctx context.Context, app *cli.App, args []string) error {
	permuted, err := permute(app, args)
	if err != nil {
		return err
	}
	return plainUsage(app.RunContext(ctx, permuted))
}

// badValues are the library's words for a value that a flag cannot have, and ours.
var badValues = []struct{ theirs, ours string }{
	{`^could not parse ("[^"]*") as \w+ value from environment variable "(\w+)" .*`, "$2 is $1, which is no number"},
	{`^invalid value ("[^"]*") for flag (\S+): parse error.*`, "$2 wants a number, not $1"},
}

// plainUsage says in plain words which value a flag cannot have.
func plainUsage(err error) error {
	if err == nil {
		return nil
	}
	for _, b := range badValues {
		words := regexp.MustCompile(b.theirs)
		if text := err.Error(); words.MatchString(text) {
			return usagef("%s", words.ReplaceAllString(text, b.ours))
		}
	}
	return err
}

// output is stdout or stderr. It keeps its first error, so that results which nobody got do not pass for success. Where it
// is that nobody reads any more, the run stops.
type output struct {
	w    io.Writer
	stop func()

	mu    sync.Mutex
	err   error
	pairs []string          // of files that are called otherwise: their paths and names
	names *strings.Replacer // of those; nil for none
}

// call makes a path be called otherwise in all that is written, as text and in JSON.
func (o *output) call(path, name string) {
	quoted, err := json.Marshal(path)
	if err != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pairs = append(o.pairs, path, name, strings.Trim(string(quoted), `"`), name)
	o.names = strings.NewReplacer(o.pairs...)
}

func (o *output) Write(b []byte) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	if o.names != nil {
		_, o.err = o.names.WriteString(o.w, string(b))
		n = len(b)
	} else {
		n, o.err = o.w.Write(b)
	}
	if isClosedPipe(o.err) {
		o.stop()
	}
	return n, o.err
}

func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// under returns what an output writes to.
func under(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.w
	}
	return w
}

// report prints an error, as a line of JSON where those were asked for, and returns the exit status that it stands for.
func report(err error, args []string, out, stderr io.Writer) int {
	var trouble troubleError
	code := statusOf(err)
	switch {
	case err == nil, errors.Is(err, errSomeFailed), errors.Is(err, errNothingTold), errors.Is(err, errDifferent): // told of already
		return code
	case errors.As(err, &trouble):
		err = trouble.error
	}
	if o, ok := out.(*output); slices.Contains(args, "--json") && (!ok || o.failure() == nil) {
		p := &printer{out: out}
		for _, err := range joined(err) {
			f := jsonFailure{Status: failedStatus(err), Class: className(err), Message: err.Error()}
			if f.Class != "usage" && len(args) > 2 {
				f.Source, f.Message = splitSource(f.Message, args[2:])
			}
			p.object(f)
		}
		return code
	}
	for line := range strings.Lines(err.Error()) { // of several failures each has its own
		fmt.Fprintln(stderr, painted(stderr, "usher: "+quoted(stderr, orForce(err, strings.TrimSuffix(line, "\n")))))
	}
	return code
}

// joined returns the failures that an error stands for.
func joined(err error) []error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return several.Unwrap()
	}
	return []error{err}
}

// splitSource takes the operand that a failure begins with off its message. Where the operand is a word of the sentence,
// that stays whole.
func splitSource(text string, operands []string) (source, message string) {
	for _, o := range operands {
		rest, named := strings.CutPrefix(text, o)
		if !named || o == "" || len(o) < len(source) {
			continue
		}
		if after, ok := strings.CutPrefix(rest, ": "); ok {
			source, message = o, after
		} else if _, err := os.Stat(o); err == nil && strings.HasPrefix(rest, " ") {
			source, message = o, text
		}
	}
	if source == "" {
		return "", text
	}
	return source, message
}

func statusOf(err error) int {
	var usage usageError
	var trouble troubleError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &trouble), errors.As(err, &usage), errors.Is(err, batch.ErrPattern):
		return exitUsage
	case errors.Is(err, formats.ErrNothing):
		return exitNothing
	}
	return exitFailed
}

// verb is the name of a command, and what makes it.
type verb struct {
	name    string
	command func() *cli.Command
}

// verbs are in the order of the help.
var verbs = []verb{
	{"info", infoCommand}, {"ls", lsCommand}, {"cat", catCommand}, {"convert", convertCommand}, {"unpack", unpackCommand},
	{"pack", packCommand}, {"undo", undoCommand}, {"verify", verifyCommand}, {"check", checkCommand}, {"diff", diffCommand}, {"text", textCommand}, {"git-setup", gitSetupCommand}, {"explain", explainCommand}, {"sheet", sheetCommand},
	{"view", viewCommand}, {"desk", deskCommand}, {"formats", formatsCommand}, {"blender", blenderCommand}, {"completion", completionCommand},
	{"man", manCommand}, {"version", versionCommand},
}

// called returns the verb that a command line calls, since the flags of the others take a tenth of the start. It returns
// all of them where none is called, and for the manual page, which is of all.
func called(args []string) []verb {
	for i, v := range verbs {
		if len(args) > 1 && args[1] == v.name && v.name != "man" {
			return verbs[i : i+1]
		}
	}
	return verbs
}

func newApp(verbs []verb, stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:        "usher",
		Usage:       "takes the assets of four old worlds out, and puts them back in",
		UsageText:   "usher VERB [FLAG...] FILE...",
		Description: description(),
		HideVersion: true,
		HideHelp:    true, // run prints it

		DisableSliceFlagSeparator: true, // names may hold commas
		Reader:                    stdin,
		Writer:                    stdout,
		ErrWriter:                 stderr,
		ExitErrHandler:            func(*cli.Context, error) {}, // run prints errors, once
		OnUsageError:              func(_ *cli.Context, err error, _ bool) error { return usagef("%v", err) },
		CommandNotFound:           func(*cli.Context, string) {}, // permute refuses unknown commands
	}
	for _, v := range verbs {
		c := v.command()
		c.OnUsageError = app.OnUsageError
		c.HideHelp = true
		c.Before = checkFlags
		for _, f := range c.Flags {
			setEnvironment(f)
		}
		app.Commands = append(app.Commands, c)
	}
	return app
}

const exitHelp = `0 all done, 1 some inputs failed, 2 a mistake in the command line, 3 nothing matched, 130 interrupted, 141 nobody
reads the output any more.

Of diff: 0 the same, 1 different, 2 also what could not be compared. Of check: 0 whole, 1 something is missing, 2 also what
could not be looked at.`

func description() string {
	return "usher reads and writes Freelancer UTF trees, Ultimate 3D models, Unreal Engine 1 packages and Ultima IX " +
		"archives, and converts what they hold to and from glTF, PNG, WAV, JSON and text. An untouched file comes back " +
		"byte for byte."
}
