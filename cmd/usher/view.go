package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/cmd/usher/docs"
	"github.com/usher-assets/usher/cmd/usher/view"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

func viewCommand() *cli.Command {
	return &cli.Command{
		Name:      "view",
		Usage:     "show files, archives and folders on a local page, to look at only",
		ArgsUsage: "[PATH...] | OLD NEW",
		Description: "Opens a page in the browser: a tree with search, textures, models, sounds, tables, texts and bytes. What changes on\n" +
			"disk is shown anew. Two files of one format, or two folders with a file in common, are shown as before and after: only\n" +
			"what differs, side by side. Without a path it begins with the current folder, and what usher can do. Ctrl-C ends it.\n\n" +
			"The page is for this machine and this user alone: the server listens on the loopback interface, its address holds a\n" +
			"token, and nothing can be written. From another machine: ssh -L PORT:127.0.0.1:PORT, with the same --port.\n\n" +
			"With -o the same is written as static pages into a folder, to be opened from disk or put on the web;\n" +
			"with --stored they hold the stored bytes of all that is not larger than 4 MiB as well.",
		Flags: slices.Concat(
			[]cli.Flag{
				outputFlag("write static pages into `FOLDER` instead"),
				&cli.BoolFlag{DisableDefaultText: true, Name: "stored", Usage: "with -o, the stored bytes and their fields as well: think of whose they are"},
				&cli.IntFlag{Name: "port", Usage: "listen on this `PORT`", DefaultText: "the system chooses"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "no-browser", Usage: "print the address, and open nothing"},
				&cli.BoolFlag{DisableDefaultText: true, Name: "force", Usage: "overwrite existing files"},
				&cli.StringSliceFlag{Name: "include", Usage: "only files that match `PATTERN` (with ** for folders)"},
				&cli.StringSliceFlag{Name: "exclude", Usage: "not those that match `PATTERN`"},
				fromFlag(),
			},
			slices.DeleteFunc(optionFlags(), func(f cli.Flag) bool { return !slices.Contains(readingFlags, f.Names()[0]) }),
			volumeFlags(),
		),
		Action: runView,
	}
}

// readingFlags are the options that matter where nothing is written.
var readingFlags = []string{
	"fps", "clip", "texture-dir", "textures", "with", "install", "region", "codepage", "names", "model", "mips", "u3d-ambient-first",
}

func runView(c *cli.Context) error {
	inputs, start, err := viewed(c)
	if err != nil {
		return err
	}
	if port := c.Int("port"); port > 65535 {
		return usagef("--port wants a number up to 65535, not %d", port)
	}
	l, err := loader(c)
	if err != nil {
		return err
	}
	compare := alike(c.Context, &l, inputs)
	v, err := view.New(view.Config{Operands: inputs, Loader: l, Selection: selection(c), Flags: givenFlags(c), Compare: compare, Stored: c.Bool("stored"), Start: start, Formats: docs.Handler()})
	if err != nil {
		return err
	}
	defer v.Close()
	p := newPrinter(c)
	if out := c.String("output"); out != "" {
		return p.site(c, v, out)
	}
	what := schema.Counted(len(inputs), "path", "paths")
	switch {
	case start:
		what = "this folder"
	case compare:
		what = inputs[0] + " and " + inputs[1] + " as before and after"
	}
	return p.serve(c, v, what)
}

// viewed returns what is to be shown: the operands, which are there, or the folder where one is for a start.
func viewed(c *cli.Context) (inputs []string, start bool, err error) {
	if c.NArg() == 0 && c.String("output") == "" {
		return []string{"."}, true, nil
	}
	inputs, err = operands(c)
	if err != nil {
		return nil, false, err
	}
	for _, operand := range inputs {
		if err := checkThere(operand); err != nil {
			return nil, false, err
		}
	}
	return inputs, false, nil
}

// serve prints the address of the page, opens it, and answers it until the run ends.
func (p *printer) serve(c *cli.Context, v *view.Viewer, what string) error {
	listener, err := view.Listen(c.Int("port"))
	if err != nil {
		return err
	}
	token := view.NewToken()
	p.data("%s", view.Address(listener, token))
	if !p.quiet {
		p.line("showing %s; Ctrl-C ends it", what)
	}
	if !c.Bool("no-browser") {
		forget, err := browse(view.Address(listener, v.Ticket()))
		defer forget()
		if err != nil && !p.quiet {
			p.line("open the address in a browser (none was started: %v)", err)
		}
	}
	return v.Serve(c.Context, listener, token)
}

// alike reports whether two operands can be a before and an after: two folders that have a file in common, or two files of
// one format.
func alike(ctx context.Context, l *engine.Loader, operands []string) bool {
	if len(operands) != 2 || isFolder(operands[0]) != isFolder(operands[1]) {
		return false
	}
	if isFolder(operands[0]) {
		return related(ctx, operands[0], operands[1])
	}
	if l.From != nil {
		return true
	}
	var names [2]string
	for i, operand := range operands {
		path, entry, err := engine.ParseOperand(operand)
		if err != nil {
			return false
		}
		switch f, x := interchange.SniffFile(path); {
		case entry != "":
			names[i] = "entry"
		case f != nil:
			names[i] = f.Name
		case x != nil:
			names[i] = x.Name
		}
	}
	return names[0] == names[1] && names[0] != ""
}

// related reports whether a file of one folder is in the other one as well, at the same place.
func related(ctx context.Context, a, b string) bool {
	for src, err := range batch.Walk(ctx, a, batch.Selection{}) {
		if err != nil {
			continue
		}
		if info, err := os.Stat(filepath.Join(b, filepath.FromSlash(src.Rel))); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}

// givenFlags returns the flags that the commands on the page need as well.
func givenFlags(c *cli.Context) (list []string) {
	for _, name := range append([]string{"from"}, readingFlags...) {
		if !c.IsSet(name) {
			continue
		}
		switch values := c.Value(name).(type) {
		case bool:
			list = append(list, "--"+name)
		case cli.StringSlice:
			for _, v := range values.Value() {
				list = append(list, "--"+name, v)
			}
		default:
			list = append(list, "--"+name, fmt.Sprint(values))
		}
	}
	return list
}

// browse opens an address in the user's browser. Every user of a machine can read the arguments of programs, so the browser
// gets a file that nobody else can read, and that leads to the address. Forget removes it.
func browse(address string) (forget func(), err error) {
	dir, err := os.MkdirTemp("", "usher-view-") // for this user alone
	if err != nil {
		return func() {}, err
	}
	forget = func() { os.RemoveAll(dir) }
	time.AfterFunc(time.Minute, forget) // it is good for once, and that was by then
	file := filepath.Join(dir, "open.html")
	page := fmt.Sprintf("<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=%[1]s\"><title>usher</title><a href=\"%[1]s\">usher</a>\n", address)
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		return forget, err
	}
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", file)
	case "darwin":
		cmd = exec.Command("open", file)
	default:
		cmd = exec.Command("xdg-open", file)
	}
	if err := cmd.Start(); err != nil {
		return forget, err
	}
	go func() { _ = cmd.Wait() }() // how it fares is its own affair
	return forget, nil
}

// site writes static pages.
func (p *printer) site(c *cli.Context, v *view.Viewer, out string) error {
	done, err := v.Export(c.Context, out, c.Bool("force"), func(source string, err error) {
		p.counts[batch.Failed]++
		p.failure(source, err)
	})
	if err != nil {
		return err
	}
	if !p.quiet {
		p.line("%s: %s, %s; open %s/index.html", out, schema.Counted(done.Nodes, "asset", "assets"), byteCount(done.Bytes), out)
	}
	return p.finish(nil)
}
