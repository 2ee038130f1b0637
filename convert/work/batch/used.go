package batch

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// planUsed yields jobs for the entries of other archives that an archive refers to, as far as those are at hand. Several
// archives may use one entry: it is converted once.
func (b *batch) planUsed(ctx context.Context, src engine.Source, f *format.Format, yield func(Job) bool) bool {
	env := b.Loader.Env(src.Path, nil)
	a, err := store.OpenInside(src.Path, f, env)
	if err != nil {
		return true // its own entries have told it
	}
	defer a.Close()
	if a.Abilities().Uses == nil {
		return true
	}
	var order, missing []string
	of := map[string][]format.Use{}
	for _, u := range a.Abilities().Uses() {
		if !b.Selection.takesKind(u.Kind) {
			continue
		}
		if of[u.Archive] == nil {
			order = append(order, u.Archive)
		}
		of[u.Archive] = append(of[u.Archive], u)
	}
	for _, name := range order {
		_, _, path, err := env.FindAt(of[name][0].Files...)
		if err != nil {
			missing = append(missing, name)
			continue
		}
		other := engine.Source{Path: path, Rel: filepath.Base(path), Named: true}
		if !b.planEntries(ctx, other, nil, b.usedFolder(path), chosen{uses: of[name], done: b.used}, yield) {
			return false
		}
	}
	return len(missing) == 0 || yield(b.notAtHand(src, missing))
}

// usedFolder returns the folder for entries of an archive that others use.
func (b *batch) usedFolder(path string) string {
	if b.used == nil {
		b.used, b.usedFolders = map[string]bool{}, map[string]string{}
	}
	if b.usedFolders[path] == "" {
		b.usedFolders[path] = b.reserve(filepath.Base(path)) + "/"
	}
	return b.usedFolders[path]
}

// notAtHand returns the job that tells which archives were not found.
func (b *batch) notAtHand(src engine.Source, missing []string) Job {
	d := new(schema.Diagnostics)
	d.Hint(": name the game's folder with --install").Warnf("used-missing", "", "what it uses of %s is not at hand (%s)",
		schema.Counted(len(missing), "package", "packages"), strings.Join(missing, ", "))
	r := Result{Source: src.String(), Status: Opened, Diagnostics: d.All()}
	return Job{Do: func(context.Context) Result { return r }}
}

// takesKind reports whether content of a kind may be selected.
func (s Selection) takesKind(k format.Kind) bool {
	return len(s.Kinds) == 0 || slices.Contains(s.Kinds, k)
}

// chosen says which entries of an archive are meant: those that match a pattern, those that others use, or all.
type chosen struct {
	pattern string
	uses    []format.Use
	done    map[string]bool // entries that have been converted for others
}

// all reports whether no entry is meant in particular.
func (c *chosen) all() bool { return c.pattern == "" && c.uses == nil }

// takes reports whether an entry is one of those that are used, for the first time.
func (c *chosen) takes(path string, e *format.Entry) bool {
	if c.uses == nil {
		return true
	}
	key := fmt.Sprint(path, ":", e.Path)
	if c.done[key] || !slices.ContainsFunc(c.uses, func(u format.Use) bool { return u.Names(e) }) {
		return false
	}
	c.done[key] = true
	return true
}
