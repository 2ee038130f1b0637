package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
)

// Check says which games are looked at, and what is done about what is found.
type Check struct {
	Install []string // folders of installed games, over which what is looked at lies: what they have themselves is not told
	Fix     bool     // what can be mended for certain is mended
	DryRun  bool     // and nothing is written for all that
}

// Finding is a finding with its file on disk.
type Finding struct {
	format.Finding
	Path  string   // of the file
	About []string // of the other files that it is about
	Fixed bool     // it was mended, or would have been
}

// Report is what was found in a game.
type Report struct {
	Path     string // of the game, as its user named it first
	Title    string
	Files    int       // that the game has
	Findings []Finding // in the order of their files
	Known    int       // findings that the installed game has itself
	Unread   error     // what could not be read; what it would say is missing in the findings, and nothing is mended
}

// Run looks at the games that files and folders are or belong to, each once, and reports on each. The error joins what could
// not be read of them.
func (c *Check) Run(ctx context.Context, paths []string, each func(*Report)) error {
	var places []*place
	var names []string
	for _, path := range paths {
		p, err := placeOf(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if i := slices.IndexFunc(places, func(other *place) bool { return other.root == p.root && other.install == p.install }); i >= 0 {
			places[i].join(p)
			continue
		}
		places, names = append(places, p), append(names, path)
	}
	var unread error
	for i, p := range places {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := c.look(p)
		if err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
		r.Path = names[i]
		each(r)
		unread = errors.Join(unread, r.Unread)
	}
	return unread
}

// join takes what else was named of a game.
func (p *place) join(other *place) {
	if p.only == nil || other.only == nil {
		p.only = nil
		return
	}
	p.only = append(p.only, other.only...)
}

// looked is a game that is looked at.
type looked struct {
	*place
	game *format.Game
	dirs []string // of its layers
	open []*os.Root
}

// open opens a game and those that it lies over.
func (c *Check) open(l *looked) error {
	layers := []format.Layer{{Below: l.below}}
	l.dirs = []string{l.root}
	for _, dir := range c.Install {
		at, err := placeOf(dir)
		if err != nil {
			return fmt.Errorf("--install: %s: %w", dir, err)
		}
		if at.install == l.install && at.root != l.root {
			layers, l.dirs = append(layers, format.Layer{Below: at.below}), append(l.dirs, at.root)
		}
	}
	for i, dir := range l.dirs {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return disk.PlainError(err)
		}
		l.open = append(l.open, root)
		layers[i].FS = root.FS()
	}
	var err error
	l.game, err = format.NewGame(l.install.Folders, layers...)
	return err
}

func (l *looked) close() {
	for _, root := range l.open {
		root.Close()
	}
}

// look looks at a game.
func (c *Check) look(p *place) (*Report, error) {
	l := &looked{place: p}
	defer l.close()
	if err := c.open(l); err != nil {
		return nil, err
	}
	return c.report(l)
}

// report tells what is found in an open game, and mends what is to be mended.
func (c *Check) report(l *looked) (*Report, error) {
	p := l.place
	r := &Report{Title: p.install.Title, Files: len(l.game.Files(""))}
	known := map[identity]int{}
	if len(l.dirs) > 1 {
		for _, f := range p.install.Check(l.game.Without()) {
			known[identityOf(&f)]++
		}
	}
	for _, f := range p.install.Check(l.game) {
		if known[identityOf(&f)] > 0 {
			known[identityOf(&f)]--
			r.Known++
			continue
		}
		if found, ok := l.placed(f); ok {
			r.Findings = append(r.Findings, found)
		}
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.At, b.At), strings.Compare(a.Kind.Name, b.Kind.Name), strings.Compare(a.Name, b.Name))
	})
	r.Unread = l.unread()
	if c.Fix && r.Unread == nil {
		return r, c.fix(l, r)
	}
	return r, nil
}

// unread returns the errors of what could not be read.
func (l *looked) unread() (err error) {
	for _, x := range l.game.Unread() {
		at := l.typed(filepath.Join(l.dirs[x.Layer], filepath.FromSlash(x.Name)))
		err = errors.Join(err, fmt.Errorf("%s: %w", at, disk.PlainError(x.Err)))
	}
	return err
}

// identity tells findings apart in the installed game and in what lies over it, where lines may have moved.
type identity struct{ kind, file, entry, name string }

func identityOf(f *format.Finding) identity {
	return identity{f.Kind.Name, strings.ToLower(f.File.Path), f.Entry, f.Name}
}

// placed returns a finding with its places on disk, as a user would type them; ok is false where it is not about what was named.
func (l *looked) placed(f format.Finding) (found Finding, ok bool) {
	at := l.onDisk(f.File)
	found, ok = Finding{Finding: f, Path: l.typed(at)}, l.takes(at)
	for _, name := range f.About {
		if other, there := l.game.Find(name); there {
			at := l.onDisk(other)
			found.About, ok = append(found.About, l.typed(at)), ok || l.takes(at)
		}
	}
	return found, ok
}

// typed returns a path in the way in which the game was named: from the current folder on, or whole.
func (l *looked) typed(path string) string {
	if rel, err := filepath.Rel(l.from, path); err == nil { // with no folder to go from it is whole
		return rel
	}
	return path
}

func (l *looked) onDisk(f format.GameFile) string {
	return filepath.Join(l.dirs[f.Layer], filepath.FromSlash(f.Name))
}
