package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/disk"
)

// Selection says which of the files below a folder or the entries of an archive are meant.
type Selection struct {
	Include, Exclude []string // doublestar patterns, matched against the relative path and its last element
}

// ErrPattern is the error of a malformed pattern.
var ErrPattern = errors.New("malformed pattern")

// Validate returns an error that wraps ErrPattern for a malformed pattern.
func (s Selection) Validate() error {
	for _, p := range slices.Concat(s.Include, s.Exclude) {
		if !doublestar.ValidatePattern(p) {
			return fmt.Errorf("%w %q", ErrPattern, p)
		}
	}
	return nil
}

// Match tells whether a relative path is selected.
func (s Selection) Match(rel string) bool {
	if len(s.Include) > 0 && !matchAny(s.Include, rel) {
		return false
	}
	return !matchAny(s.Exclude, rel)
}

func matchAny(patterns []string, rel string) bool {
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	for _, p := range patterns {
		if doublestar.MatchUnvalidated(p, rel) || doublestar.MatchUnvalidated(p, base) {
			return true
		}
	}
	return false
}

// Walk yields the sources that an operand stands for: the file or entry itself, or every selected file below a folder,
// in lexical order. Archives are not opened. An error belongs to one operand or folder; the walk goes on behind it.
func Walk(ctx context.Context, operand string, sel Selection) iter.Seq2[convert.Source, error] {
	return func(yield func(convert.Source, error) bool) {
		path, entry, err := convert.ParseOperand(operand)
		if err != nil {
			yield(convert.Source{Path: operand, Named: true}, convert.PlainError(err))
			return
		}
		info, err := os.Stat(path)
		if err != nil {
			yield(convert.Source{Path: path, Named: true}, convert.PlainError(err))
			return
		}
		if !info.IsDir() {
			yield(convert.Source{Path: path, Entry: entry, Rel: filepath.Base(path), Size: info.Size(), Named: true}, nil)
			return
		}
		walkFolder(ctx, path, sel, yield)
	}
}

func walkFolder(ctx context.Context, root string, sel Selection, yield func(convert.Source, error) bool) {
	errStop := errors.New("stop")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return errStop
		}
		if err != nil {
			if !yield(convert.Source{Path: path}, convert.PlainError(err)) {
				return errStop
			}
			return nil
		}
		if d.IsDir() && disk.IsTemporary(d.Name()) {
			return filepath.SkipDir
		}
		info, err := os.Stat(path) // follows links to files, as a user expects
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		rel, _ := filepath.Rel(root, path) // path is below root
		rel = filepath.ToSlash(rel)
		if sel.Match(rel) && !yield(convert.Source{Path: path, Rel: rel, Size: info.Size()}, nil) {
			return errStop
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStop) {
		yield(convert.Source{Path: root}, convert.PlainError(err))
	}
}
