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

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// Selection chooses files below a folder, or entries of an archive.
type Selection struct {
	Include, Exclude []string      // doublestar patterns, matched against the relative path and its last element
	Kinds            []format.Kind // only content of these kinds; empty means all
	Formats          []string      // only content of these formats, by name; empty means all
	FollowLinks      bool          // also follow symbolic links that lead out of the folder
}

// ErrPattern is the error for a malformed pattern.
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

// Match reports whether a relative path is selected.
func (s Selection) Match(rel string) bool {
	if len(s.Include) > 0 && !matchAny(s.Include, rel) {
		return false
	}
	return !matchAny(s.Exclude, rel)
}

// Filters reports whether the selection restricts kinds or formats.
func (s Selection) Filters() bool { return len(s.Kinds)+len(s.Formats) > 0 }

// MatchEntry reports whether an entry of an archive is selected.
func (s Selection) MatchEntry(e *format.Entry) bool {
	if len(s.Include) > 0 && !matchPath(s.Include, e.Path) || matchPath(s.Exclude, e.Path) {
		return false
	}
	if e.Format == nil {
		return s.takes(e.Kind, "")
	}
	return s.takes(e.Kind, e.Format.Name) || s.takes(e.Format.Seen().Kind, e.Format.Name)
}

// asSeen reports whether what a format shows is selected, and not what it holds.
func (s Selection) asSeen(f *format.Format) bool {
	return len(s.Kinds) > 0 && f != nil && !slices.Contains(s.Kinds, f.Kind) && slices.Contains(s.Kinds, f.Seen().Kind)
}

// MatchFile reports whether a file is selected by its format, which may be native, an interchange format, or unknown (both
// nil).
func (s Selection) MatchFile(f *format.Format, x *interchange.Interchange) bool {
	switch {
	case !s.Filters():
		return true
	case f != nil:
		return s.takes(f.Kind, f.Name)
	case x == nil:
		return false
	}
	return (len(s.Formats) == 0 || slices.Contains(s.Formats, x.Name)) &&
		(len(s.Kinds) == 0 || slices.ContainsFunc(x.Kinds, func(k format.Kind) bool { return slices.Contains(s.Kinds, k) }))
}

func (s Selection) takes(k format.Kind, name string) bool {
	return (len(s.Kinds) == 0 || slices.Contains(s.Kinds, k)) && (len(s.Formats) == 0 || slices.Contains(s.Formats, name))
}

// ParsePattern splits ARCHIVE:PATTERN, where PATTERN stands for all matching entries. ok is false for other operands.
func ParsePattern(operand string) (path, pattern string, ok bool) {
	path, entry, err := engine.ParseOperand(operand)
	if err != nil || !strings.ContainsAny(entry, "*?[{") {
		return "", "", false
	}
	return path, entry, true
}

// Matching returns an iterator over the numbers of the entries that a pattern selects: the entry with this very path, or
// else all that match.
func Matching(a *store.Archive, pattern string) iter.Seq[int] {
	if i, err := a.Find(pattern); err == nil {
		return func(yield func(int) bool) { yield(i) }
	}
	return func(yield func(int) bool) {
		for i, e := range a.Entries() {
			if matchPath([]string{pattern}, e.Path) && !yield(i) {
				return
			}
		}
	}
}

// NoMatch is the error for a pattern that no entry matches.
func NoMatch(a *store.Archive, pattern string) error {
	if !doublestar.ValidatePattern(pattern) {
		return fmt.Errorf("%w %q", ErrPattern, pattern)
	}
	if near := NearestEntry(a, pattern); near != "" {
		return store.NoEntry(fmt.Sprintf("no entry of %s matches %q; the nearest is %q", a.Path, pattern, near))
	}
	return store.NoEntry(fmt.Sprintf("no entry of %s matches %q; \"usher ls\" lists them", a.Path, pattern))
}

// NearestEntry returns the path of the entry most similar to a pattern, or "" if none is similar.
func NearestEntry(a *store.Archive, pattern string) string {
	return schema.Nearest(pattern, func(yield func(string) bool) {
		for _, e := range a.Entries() {
			if !yield(e.Path) {
				return
			}
		}
	})
}

// matchPath is [matchAny] for the path of an entry. In one that has no slashes its dots may be written as such: Skins/* for
// Skins.Red.
func matchPath(patterns []string, entry string) bool {
	return matchAny(patterns, entry) || !strings.Contains(entry, "/") && slices.ContainsFunc(patterns, func(p string) bool {
		return strings.Contains(p, "/") && doublestar.MatchUnvalidated(p, strings.ReplaceAll(entry, ".", "/"))
	})
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

// Walk returns an iterator over the sources that an operand stands for: the file or entry itself, or every selected file
// below a folder, in lexical order. It does not open archives. An error concerns one operand or folder; the walk continues
// after it.
func Walk(ctx context.Context, operand string, sel Selection) iter.Seq2[engine.Source, error] {
	return func(yield func(engine.Source, error) bool) {
		if path, pattern, ok := ParsePattern(operand); ok {
			walkArchive(path, pattern, sel, yield)
			return
		}
		path, entry, err := engine.ParseOperand(operand)
		if err != nil {
			yield(engine.Source{Path: operand, Named: true}, disk.PlainError(err))
			return
		}
		info, err := os.Stat(path)
		if err != nil {
			yield(engine.Source{Path: path, Named: true}, disk.PlainError(err))
			return
		}
		if !info.IsDir() {
			yield(engine.Source{Path: path, Entry: entry, Rel: filepath.Base(path), Size: info.Size(), Named: true}, nil)
			return
		}
		walkFolder(ctx, path, sel, yield)
	}
}

// walkArchive yields the entries of an archive that a pattern stands for.
func walkArchive(path, pattern string, sel Selection, yield func(engine.Source, error) bool) {
	whole := engine.Source{Path: path, Rel: filepath.Base(path), Named: true}
	a, err := store.OpenInside(path, nil, new(engine.Loader).Env(path, nil))
	if err != nil {
		yield(whole, err)
		return
	}
	defer a.Close()
	found := false
	for i := range Matching(a, pattern) {
		e := &a.Entries()[i]
		if found = true; !sel.MatchEntry(e) {
			continue
		}
		src := whole
		src.Entry, src.Size = e.Path, e.Size
		if !yield(src, nil) {
			return
		}
	}
	if !found {
		whole.Entry = pattern
		yield(whole, NoMatch(a, pattern))
	}
}

func walkFolder(ctx context.Context, root string, sel Selection, yield func(engine.Source, error) bool) {
	errStop := errors.New("stop")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return errStop
		}
		if err != nil {
			if !yield(engine.Source{Path: path}, disk.PlainError(err)) {
				return errStop
			}
			return nil
		}
		if d.IsDir() && disk.IsOwnFolder(d.Name()) {
			return filepath.SkipDir
		}
		rel, _ := filepath.Rel(root, path) // path is below root
		rel = filepath.ToSlash(rel)
		if d.Type()&fs.ModeSymlink != 0 && !sel.FollowLinks && leadsOut(root, path) {
			if sel.Match(rel) && wanted(path) && !yield(engine.Source{Path: path, Rel: rel}, errLeadsOut) {
				return errStop
			}
			return nil
		}
		info, err := os.Stat(path) // follows links to files, as a user expects
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		if sel.Match(rel) && !yield(engine.Source{Path: path, Rel: rel, Size: info.Size()}, nil) {
			return errStop
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStop) {
		yield(engine.Source{Path: root}, disk.PlainError(err))
	}
}

// errLeadsOut is the error of a link below a folder that leads to something outside of it.
var errLeadsOut = errors.New("it is a symbolic link that leads out of the folder; --follow-links takes what it leads to")

// leadsOut reports whether a link leads to something outside of the folder root.
func leadsOut(root, link string) bool {
	from, err1 := filepath.EvalSymlinks(root)
	to, err2 := filepath.EvalSymlinks(link)
	if err1 != nil || err2 != nil {
		return false // what leads to nothing leads nowhere
	}
	rel, err := filepath.Rel(from, to)
	return err != nil || !filepath.IsLocal(rel)
}

// wanted reports whether a file may be one to convert by its extension: others are passed over without a word.
func wanted(path string) bool {
	ext := filepath.Ext(path)
	return interchange.ByExtension(ext) != nil || len(formats.ByExtension(ext)) > 0
}

// TakesPiece reports whether an entry is selected that is only a piece of another one, such as a brush of a level: whoever
// asks for models means the level, and names the pieces by format or pattern.
func (s Selection) TakesPiece() bool {
	return len(s.Kinds) == 0 || len(s.Formats) > 0 || len(s.Include) > 0
}
