package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// Packing puts an unpacked folder back into an archive. Entries whose files did not change are taken from the base
// archive byte for byte; the others are encoded again, in the format that they had.
type Packing struct {
	Loader convert.Loader
	Base   string // the archive that the folder came from; empty takes the one that the manifest names
	Prune  bool   // remove entries whose files were deleted
	Force  bool
	DryRun bool
}

// Change is what packing did to one entry.
type Change struct {
	Entry  string
	Action string // "replaced", "added", "removed", "kept"; "updated" in the archive that describes this one
	Files  []string
	Before int64 // bytes of the stored payload
	After  int64
}

// Packed is the outcome of a Packing.
type Packed struct {
	Changes   []Change
	Unchanged int        // entries taken from the base as they are
	Conflicts []Conflict // of a patch: entries that it could not be put onto
	Size      int64
}

// Run packs the folder dir into the archive out. When files fail, nothing is written; the error tells of all of them,
// one a line, and the result of what would have been done with the others.
func (p *Packing) Run(ctx context.Context, dir, out string, d *schema.Diagnostics) (*Packed, error) {
	p.Loader = p.Loader.Sharing()
	if _, err := os.Lstat(out); err == nil && !p.Force && !p.DryRun { // before the work, not after
		return nil, fmt.Errorf("%s %w", out, convert.ErrExists)
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, convert.PlainError(err))
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is a file: pack wants a folder", dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return p.create(ctx, dir, out, d)
	}
	if err != nil {
		return nil, err
	}
	ahead := p.startCopy(text, dir, out)
	defer ahead.drop()
	m, err := decodeManifest(text)
	if err != nil {
		return nil, err
	}
	if m.Usher == patchMark && p.Base == "" {
		return nil, fmt.Errorf("%s is a patch: name the archive to put it onto with --base", dir)
	}
	if ahead != nil && (m.Usher == patchMark || ahead.archive != m.Archive) { // told twice: the last counts
		ahead.drop()
		ahead = nil
	}
	base, err := p.openBase(m, dir, ahead, d)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	x := &packing{Packing: p, dir: dir, base: base, ahead: ahead, manifest: m, diagnostics: d, done: new(Packed)}
	return x.done, x.run(ctx, out)
}

// openBase opens the archive that the manifest describes, which may have been found already, to be copied.
func (p *Packing) openBase(m *Manifest, dir string, ahead *copyAhead, d *schema.Diagnostics) (*convert.Archive, error) {
	f := convert.FormatByName(m.Archive.Format)
	if f == nil {
		return nil, fmt.Errorf("%s: unknown format %q", ManifestName, m.Archive.Format)
	}
	if m.Usher == patchMark { // it looks at the entries itself
		a, err := convert.OpenAny(p.Base, f, p.Loader.Env(p.Base, d))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Base, err)
		}
		return a, nil
	}
	if ahead != nil {
		return convert.OpenArchive(ahead.base, f, p.Loader.Env(ahead.base, d))
	}
	path, err := p.findBase(m.Archive, dir)
	if err != nil {
		return nil, err
	}
	return convert.OpenArchive(path, f, p.Loader.Env(path, d))
}

// findBase returns the path of the archive that was unpacked into the folder dir, and makes sure that it is the same.
func (p *Packing) findBase(a ManifestArchive, dir string) (string, error) {
	path := p.Base
	if path == "" {
		path = filepath.FromSlash(a.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
	}
	same, err := a.Same(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("the archive that %s came from is not at %s; name it with --base", dir, path)
	case err != nil:
		return "", err
	case !same:
		return "", fmt.Errorf("%s is not the archive that %s came from: it has changed; name the original with --base", path, dir)
	}
	return path, nil
}

// packing is one run of a Packing.
type packing struct {
	*Packing
	dir         string
	base        *convert.Archive
	ahead       *copyAhead
	manifest    *Manifest // brought in line with the edits; files to look at again have no stamp
	diagnostics *schema.Diagnostics
	done        *Packed
	over        bool // the archive goes where the base is
	lenient     bool // what does not fit is noted in failed: the patch is only tried
	failed      []string
}

func (x *packing) run(ctx context.Context, out string) error {
	if x.manifest.Usher == patchMark {
		return x.patch(ctx, out)
	}
	x.over = sameFile(out, x.base.Path)
	if err := x.edit(ctx); err != nil {
		return err
	}
	touched := slices.ContainsFunc(x.done.Changes, func(c Change) bool { return c.Action != "kept" })
	if touched || x.ahead == nil {
		x.ahead.drop()
		if err := x.write(out); err != nil || !x.over || x.DryRun {
			return err
		}
		return x.renew(out)
	}
	if err := x.base.Close(); err != nil { // out may be the base, and Windows does not replace an open file
		return err
	}
	x.done.Size = x.base.Size
	return x.ahead.keep()
}

// patch puts the patch in the folder onto the base and writes that. Nothing is written when no entry fits.
func (x *packing) patch(ctx context.Context, out string) error {
	if err := x.apply(ctx); err != nil {
		return err
	}
	if len(x.done.Conflicts) > 0 && len(x.done.Changes) == 0 {
		return fmt.Errorf("%s is not what the patch is for: %s of %d bytes (%s); it differs in %s", x.base.Path,
			x.manifest.Archive.Path, x.manifest.Archive.Size, x.manifest.Archive.Hash, x.done.Conflicts[0].Entry)
	}
	return x.write(out)
}

// edit applies all changes of the folder to the base, in memory.
func (x *packing) edit(ctx context.Context) error {
	states, err := x.states(ctx)
	if err != nil {
		return err
	}
	added, err := unknownFiles(x.dir, "", x.known())
	if err != nil {
		return err
	}
	if added, err = x.join(added, states); err != nil {
		return err
	}
	var changed []ManifestEntry
	var removed []string
	pruned := map[string]bool{}
	for i, state := range states {
		e := &x.manifest.Entries[i]
		switch {
		case len(state.gone) == 0 && !state.edited:
			x.done.Unchanged++
		case len(state.gone) == 0:
			e.Files = unstamped(e.Files)
			changed = append(changed, *e)
		case x.Prune && len(state.gone) == len(e.Files):
			removed, pruned[e.Path] = append(removed, e.Path), true
		case x.Prune:
			if *e, err = cutFrames(*e, state.gone); err != nil {
				return err
			}
			e.Files = unstamped(e.Files)
			changed = append(changed, *e)
		case state.edited:
			return fmt.Errorf("%s is gone, and other files of %s were edited: put it back, or take it out with --prune", state.gone[0], e.Path)
		default:
			x.done.Unchanged++
			x.note(Change{Entry: e.Path, Action: "kept", Files: fileNames(*e), Before: e.Size, After: e.Size})
			x.diagnostics.Notef("file-missing", e.Path, "%s is gone; the entry stays, --prune removes it", strings.Join(state.gone, ", "))
		}
	}
	if len(changed)+len(added)+len(removed) == 0 {
		return nil
	}
	before := slices.Clone(x.base.Entries())
	failed := x.replaceAll(ctx, changed)
	if failed != nil && ctx.Err() != nil {
		return failed
	}
	if err := x.removeAll(removed); err != nil { // first, since a new file may take the place
		return err
	}
	x.manifest.Entries = slices.DeleteFunc(x.manifest.Entries, func(e ManifestEntry) bool { return pruned[e.Path] })
	if err := errors.Join(failed, x.addNew(ctx, added)); err != nil {
		return err
	}
	x.noteOthers(before)
	return nil
}

// known returns the names of the files that the manifest speaks of, and its own.
func (x *packing) known() map[string]bool {
	known := make(map[string]bool, len(x.manifest.Entries)+1)
	known[ManifestName] = true
	for _, e := range x.manifest.Entries {
		for _, f := range e.Files {
			known[f.Name] = true
		}
	}
	return known
}

// noteOthers tells of entries that were not asked for but had to change with those that were: the motions of a model,
// the texture that a new material needs.
func (x *packing) noteOthers(before []format.Entry) {
	known := make(map[string]format.Entry, len(before))
	for _, e := range before {
		known[e.Path] = e
	}
	told := map[string]bool{}
	for _, c := range x.done.Changes {
		told[c.Entry] = true
	}
	for _, e := range x.base.Entries() {
		was, old := known[e.Path]
		switch {
		case told[e.Path]:
		case !old:
			x.note(Change{Entry: e.Path, Action: "added", After: e.Size})
		case was.Offset >= 0 && e.Offset < 0:
			x.note(Change{Entry: e.Path, Action: "replaced", Before: was.Size, After: e.Size})
			x.done.Unchanged--
		}
	}
}

// removeAll removes entries, together where they may need each other.
func (x *packing) removeAll(paths []string) error {
	r, ok := x.base.ArchiveFile.(format.Remover)
	if !ok || len(paths) == 0 {
		for _, path := range paths {
			if err := x.remove(path); err != nil {
				return err
			}
		}
		return nil
	}
	numbers, changes := make([]int, len(paths)), make([]Change, len(paths))
	for n, path := range paths {
		i, err := x.base.Find(path)
		if err != nil {
			return err
		}
		numbers[n], changes[n] = i, Change{Entry: path, Action: "removed", Before: x.base.Entries()[i].Size}
	}
	if err := r.RemoveAll(numbers); err != nil {
		return err
	}
	x.base.Reindex()
	x.done.Changes = append(x.done.Changes, changes...)
	return nil
}

func (x *packing) note(c Change) { x.done.Changes = append(x.done.Changes, c) }

func (x *packing) remove(path string) error {
	i, err := x.base.Find(path)
	if err != nil {
		return err
	}
	size := x.base.Entries()[i].Size
	if err := x.base.Remove(i); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	x.base.Reindex()
	x.note(Change{Entry: path, Action: "removed", Before: size})
	return nil
}

// write writes the edited archive, and its partner when that has to follow. Neither is written when one of them may not
// be overwritten.
func (x *packing) write(out string) error {
	second, err := x.openPartner(out)
	if err != nil {
		return err
	}
	if second != nil {
		defer second.Close()
		if !x.DryRun {
			if err := checkOutput(out, x.Force); err != nil {
				return err
			}
			if err := checkOutput(second.out, x.Force); err != nil {
				return fmt.Errorf("%w, and has to change with %s", err, out)
			}
		}
	}
	if x.done.Size, err = convert.WriteArchive(x.base, out, x.Force, x.DryRun, x.base.Close); err != nil || second == nil {
		return err
	}
	_, err = convert.WriteArchive(second, second.out, x.Force, x.DryRun, second.Close)
	return err
}
