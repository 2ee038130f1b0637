package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
)

// dropVerb is the verb for what somebody drags onto the program. No help lists it.
const dropVerb = "drop"

// dropped returns the command line for files that somebody drags onto the program, and for a double click on it, which
// opens the desk. It is nil for any other command line. Alone says that nobody else has the console open,
// as a shell has.
func dropped(args []string, alone bool) []string {
	if !alone {
		return nil
	}
	if len(args) < 2 {
		return []string{args[0], "desk"}
	}
	for _, path := range args[1:] {
		if !filepath.IsAbs(path) {
			return nil
		}
		if _, err := os.Stat(path); err != nil {
			return nil
		}
	}
	return append([]string{args[0], dropVerb}, args[1:]...)
}

// drop does with each path what its kind asks for: an archive becomes a folder of its name beside it, an unpacked folder
// an archive NAME.new beside it, and any other file what "convert" makes of it, beside it: as NAME.new where that would be
// the file that it was made from. Any other folder is shown on the desk. One that fails does not keep the others. It returns the highest exit status.
func drop(ctx context.Context, program string, paths []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	for _, path := range paths {
		line, err := dropLine(ctx, filepath.Clean(path))
		if err != nil {
			status = max(status, report(err, nil, stdout, stderr))
			continue
		}
		status = max(status, run(ctx, append([]string{program}, line...), stdin, stdout, stderr))
	}
	return status
}

// dropLine returns the verb and its arguments for one path.
func dropLine(ctx context.Context, path string) ([]string, error) {
	if isUnpacked(path) {
		archive, err := worktree.ArchiveOf(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		made := path + ".new" + filepath.Ext(archive)
		return dropFor("pack", path, made, made)
	}
	if isFolder(path) {
		return []string{"desk", "--", path}, nil
	}
	f, x := interchange.SniffFile(path)
	if f == nil || f.Open == nil || f.Kind != format.Archive {
		folder := filepath.Dir(path) + string(filepath.Separator)
		made := madeOf(ctx, path, folder)
		if x != nil && there(made) {
			ext := filepath.Ext(made)
			made = strings.TrimSuffix(made, ext) + ".new" + ext
			return dropFor("convert", path, made, made)
		}
		return dropFor("convert", path, made, folder)
	}
	dir := filepath.Join(filepath.Dir(path), formats.Stem(filepath.Base(path)))
	if inside, err := os.ReadDir(dir); err == nil && len(inside) > 0 && !isUnpacked(dir) {
		return nil, fmt.Errorf("%s: there is a folder %s already, of something else: rename it, or \"usher unpack %s -o FOLDER\"", path, dir, path)
	}
	return []string{"unpack", "-o", dir, "--", path}, nil
}

// dropFor returns the command line that makes a file of what was dropped, unless that is there already.
func dropFor(verb, path, made, out string) ([]string, error) {
	if there(made) {
		return nil, fmt.Errorf("%s: there is a %s already: rename it, or move it to where it belongs, and drop this again", path, made)
	}
	return []string{verb, "-o", out, "--", path}, nil
}

// madeOf returns the file that "convert" would make of another one in a folder; empty for none.
func madeOf(ctx context.Context, path, folder string) (made string) {
	c := batch.Conversion{Out: folder, DryRun: true, Force: true}
	_ = c.Run(ctx, []string{path}, func(r batch.Result) { // the run that is not dry tells the error
		if len(r.Outputs) > 0 {
			made = r.Outputs[0].Path
		}
	})
	return made
}

// there reports whether a path leads to something.
func there(path string) bool {
	_, err := os.Lstat(path)
	return path != "" && err == nil
}
