package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
)

// place is a game on disk.
type place struct {
	install *format.Install
	root    string   // absolute
	below   string   // where in the game the files of root lie; usually empty
	only    []string // absolute paths that were named below root; nil for all of it
	from    string   // the current folder, where the game was named from there on
}

// placeOf finds the game that a file or folder is, or belongs to.
func placeOf(path string) (p *place, err error) {
	if !filepath.IsAbs(path) {
		defer func() {
			if here, e := filepath.Abs("."); e == nil && p != nil {
				p.from = here
			}
		}()
	}
	at, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(at)
	if err != nil {
		return nil, disk.PlainError(err)
	}
	for i := range engine.Installs {
		if p, err := placeIn(&engine.Installs[i], at); p != nil || err != nil {
			return p, err
		}
	}
	if !info.IsDir() {
		if !isOfGame(at) {
			return nil, errNoGame
		}
		return loose(filepath.Dir(at), at)
	}
	return loose(at)
}

// placeIn finds the game of one family that a path is, or lies in; nil when there is none.
func placeIn(game *format.Install, at string) (*place, error) {
	if game.Check == nil {
		return nil, nil
	}
	if is, err := has(at, game.Folders[0]); is || err != nil {
		return &place{install: game, root: at}, err
	}
	for dir := at; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		root := filepath.Dir(dir)
		if !slices.ContainsFunc(game.Folders, func(f string) bool { return strings.EqualFold(f, filepath.Base(dir)) }) {
			continue
		}
		if is, err := has(root, game.Folders[0]); err != nil {
			return nil, err
		} else if !is {
			continue
		}
		p := &place{install: game, root: root}
		if dir != at {
			p.only = []string{at}
		}
		return p, nil
	}
	return nil, nil
}

// has reports whether a folder has one of a name, in any case. A file has none.
func has(dir, name string) (bool, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return false, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, disk.PlainError(err)
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		if !strings.EqualFold(e.Name(), name) {
			return false
		}
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		return err == nil && info.IsDir()
	}), nil
}

var errNoGame = fmt.Errorf("%w: it holds no file of a game that usher can check", formats.ErrNothing)

// familyOf returns the first family that has files of an extension; empty for none.
func familyOf(name string) string {
	for _, f := range formats.ByExtension(strings.ToLower(filepath.Ext(name))) {
		return f.Family
	}
	return ""
}

// isOfGame reports whether a file is one of a game that can be checked.
func isOfGame(name string) bool {
	return slices.ContainsFunc(engine.Installs, func(x format.Install) bool { return x.Check != nil && x.Family == familyOf(name) })
}

// loose returns the place of a folder that has none of the folders of a game: a mod whose files lie as they would in the main
// one. It is of the family that has most files.
func loose(root string, only ...string) (*place, error) {
	g, err := format.NewGame(nil, format.Layer{FS: os.DirFS(root)})
	if err != nil {
		return nil, disk.PlainError(err)
	}
	counts := map[string]int{}
	for _, f := range g.Files("") {
		counts[familyOf(f.Path)]++
	}
	var best *place
	for i := range engine.Installs {
		x := &engine.Installs[i]
		if n := counts[x.Family]; x.Check != nil && n > 0 && (best == nil || n > counts[best.install.Family]) {
			best = &place{install: x, root: root, below: x.Folders[0], only: only}
		}
	}
	if best == nil {
		return nil, errNoGame
	}
	return best, nil
}

// takes reports whether a path was named, or lies in a folder that was.
func (p *place) takes(path string) bool {
	return len(p.only) == 0 || slices.ContainsFunc(p.only, func(named string) bool {
		rel, err := filepath.Rel(named, path)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}
