package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/worktree"
)

// dropVerb is the verb for what somebody drags onto the program. No help lists it.
const dropVerb = "drop"

// dropped returns the command line for files that somebody drags onto the program, and for a double click on it, which
// shows the folder that it lies in. It is nil for any other command line. Alone says that nobody else has the console open,
// as a shell has.
func dropped(args []string, alone bool) []string {
	if !alone {
		return nil
	}
	if len(args) < 2 {
		return []string{args[0], "view", "."}
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
// an archive NAME.new beside it, and any other file what "convert" makes of it, beside it. One that fails does not keep
// the others. It returns the highest exit status.
func drop(ctx context.Context, program string, paths []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	for _, path := range paths {
		line, err := dropLine(path)
		if err != nil {
			status = max(status, report(err, nil, stdout, stderr))
			continue
		}
		status = max(status, run(ctx, append([]string{program}, line...), stdin, stdout, stderr))
	}
	return status
}

// dropLine returns the verb and its arguments for one path.
func dropLine(path string) ([]string, error) {
	path = filepath.Clean(path)
	if isUnpacked(path) {
		archive, err := worktree.ArchiveOf(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return []string{"pack", "-o", path + ".new" + filepath.Ext(archive), "--", path}, nil
	}
	if f, _ := interchange.SniffFile(path); f == nil || f.Open == nil || f.Kind != format.Archive {
		return []string{"convert", "-o", filepath.Dir(path) + string(filepath.Separator), "--", path}, nil
	}
	dir := filepath.Join(filepath.Dir(path), formats.Stem(filepath.Base(path)))
	if inside, err := os.ReadDir(dir); err == nil && len(inside) > 0 && !isUnpacked(dir) {
		return nil, fmt.Errorf("%s: there is a folder %s already, of something else: rename it, or \"usher unpack %s -o FOLDER\"", path, dir, path)
	}
	return []string{"unpack", "-o", dir, "--", path}, nil
}
