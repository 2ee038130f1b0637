package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// stream is the operand and the output that stands for standard input and output.
const stream = "-"

func filesFromFlag() cli.Flag {
	return &cli.StringFlag{Name: "files-from", Usage: "take further inputs from `FILE`, one a line, or with NUL between them; - is standard input"}
}

// spool puts standard input into a file: formats are read from any place, and often twice. What is said of it is said of
// stdin. The caller removes its folder.
func spool(app *cli.App) (dir, path string, err error) {
	if dir, err = os.MkdirTemp("", "usher-stdin-"); err != nil {
		return "", "", err
	}
	path = filepath.Join(dir, "stdin")
	for _, w := range [...]io.Writer{app.Writer, app.ErrWriter} {
		if o, ok := w.(*output); ok {
			o.call(path, "stdin")
		}
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = io.Copy(file, app.Reader)
		if closing := file.Close(); err == nil {
			err = closing
		}
	}
	if err != nil {
		os.RemoveAll(dir)
		return "", "", fmt.Errorf("standard input: %w", disk.PlainError(err))
	}
	return dir, path, nil
}

// inputs returns the operands of a command, with those of --files-from, and puts standard input into a file where one
// of them is "-". Done removes that.
func inputs(c *cli.Context) (list []string, done func(), err error) {
	done = func() {}
	from := c.String("files-from")
	if from != "" {
		if list, err = listed(c, from); err != nil {
			return nil, done, err
		}
	}
	if c.NArg() > 0 || from == "" {
		named, err := operands(c)
		if err != nil {
			return nil, done, err
		}
		list = append(named, list...)
	}
	for i, operand := range list {
		if err := checkPattern(operand); err != nil {
			return nil, done, err
		}
		entry, ofStream := strings.CutPrefix(operand, stream+":")
		if operand != stream && !ofStream {
			continue
		}
		if from == stream {
			return nil, done, usagef("standard input cannot be a list of files and a file")
		}
		dir, path, err := spool(c.App)
		if err != nil {
			return nil, done, err
		}
		list[i] = path
		if ofStream {
			list[i] = path + ":" + entry
		}
		return list, func() { os.RemoveAll(dir) }, nil
	}
	return list, done, nil
}

// listed reads a list of files.
func listed(c *cli.Context, from string) ([]string, error) {
	var text []byte
	var err error
	if from == stream {
		text, err = io.ReadAll(c.App.Reader)
	} else {
		text, err = os.ReadFile(from)
	}
	if err != nil {
		return nil, fmt.Errorf("--files-from %s: %w", from, disk.PlainError(err))
	}
	sep := "\n"
	if bytes.IndexByte(text, 0) >= 0 {
		sep = "\x00"
	}
	var list []string
	for line := range strings.SplitSeq(string(text), sep) {
		if line = strings.TrimSuffix(line, "\r"); line != "" {
			list = append(list, line)
		}
	}
	return list, nil
}

// convertToStream converts one input and writes what becomes of it to standard output.
func convertToStream(c *cli.Context, job batch.Conversion, input string, p *printer) error {
	dir, err := os.MkdirTemp("", "usher-stdout-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	job.Out = dir + string(filepath.Separator)
	var files []string
	results := 0
	err = job.Run(c.Context, []string{input}, func(r batch.Result) {
		if r.Status == batch.Opened || r.Status == batch.Skipped {
			return
		}
		results++
		p.count(r)
		p.diagnostics(r.Source, r.Diagnostics)
		if r.Err != nil {
			p.failure(r.Source, r.Err)
		}
		for _, o := range r.Outputs {
			files = append(files, o.Path)
		}
	})
	if err == nil && results > 1 {
		return usagef("standard output takes one file, and %s becomes %d: name an entry", input, results)
	}
	if err != nil || len(files) == 0 || job.DryRun {
		return p.finish(err)
	}
	if len(files) > 1 && !p.quiet {
		p.line("%s: note: %s not written: standard output takes one file", input, schema.Counted(len(files)-1, "companion is", "companions are"))
	}
	file, err := os.Open(files[0])
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := io.Copy(c.App.Writer, file); err != nil {
		return err
	}
	return p.finish(nil)
}
