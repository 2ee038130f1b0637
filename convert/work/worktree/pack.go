package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// Packing packs an unpacked folder into an archive. Entries whose files did not change are copied from the base archive
// byte for byte; the others are encoded again in their stored format.
type Packing struct {
	Loader      engine.Loader
	Selection   batch.Selection // restricts the edited, new and deleted files that are considered
	Base        string          // the archive that the folder came from; if empty, the one in the manifest
	Reverse     bool            // undo a patch
	Prune       bool            // remove entries whose files were deleted
	Force       bool            // overwrite the archive
	DryRun      bool            // do everything but write
	Rehash      bool            // read every file instead of trusting its time and size
	FollowLinks bool            // read what symbolic links lead to
	Compact     bool            // rewrite the archive without bytes that belong to no entry
	KeepGoing   bool            // skip files that cannot be packed instead of failing
}

// Failure is a file that could not be packed.
type Failure struct {
	File  string // its name in the folder; several names are separated by commas
	Entry string // the entry for it; empty if unknown
	Err   error
}

// Error implements error.
func (f *Failure) Error() string {
	if f.Entry == "" {
		return fmt.Sprintf("%s: %v", f.File, f.Err)
	}
	return fmt.Sprintf("%s (entry %s): %v", f.File, f.Entry, f.Err)
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// FailedError is the error of a Packing that wrote nothing because some files could not be packed.
type FailedError []Failure

// Error implements error.
func (e FailedError) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%v, and %d more", &e[0], len(e)-1)
}

// Packed is the result of a Packing.
type Packed struct {
	Changes   []Change
	Failures  []Failure
	Conflicts []Conflict // for a patch: entries that it could not be applied to
	Unchanged int        // number of entries copied from the base
	Size      int64
}

// Run packs the folder dir, or a single file, into the archive out. Faults of its files are listed in the result's
// Failures. They also cause a FailedError, unless KeepGoing is set.
func (p *Packing) Run(ctx context.Context, dir, out string, d *schema.Diagnostics) (*Packed, error) {
	p.Loader = p.Loader.Sharing()
	p.Loader.Reads = new(find.Reads)
	p.Loader.Options.Reencode, p.Loader.Options.Prune = len(p.Selection.Include) > 0, p.Prune
	if err := p.Selection.Validate(); err != nil {
		return nil, err
	}
	out, err := disk.Resolve(out)
	if err != nil {
		return nil, err
	}
	to, err := p.claim(out)
	if err != nil {
		return nil, err
	}
	defer to.Close()
	if info, err := disk.Stat(dir); err != nil {
		return nil, cmp.Or(finished(dir, nil), fmt.Errorf("%s: %w", dir, disk.PlainError(err)))
	} else if !info.IsDir() {
		return p.put(ctx, dir, out, to, d)
	}
	below, err := disk.OpenBelow(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, disk.PlainError(err))
	}
	defer below.Close()
	if !p.FollowLinks {
		p.Loader.Reads.Confine(below)
	}
	folder, lock := disk.Dry(dir, true), new(disk.Lock)
	if !p.DryRun {
		if folder, err = disk.Open(dir, true); err != nil {
			return nil, err
		}
		defer folder.Close()
		if lock, err = folder.Lock("pack"); err != nil {
			return nil, err
		}
		defer lock.Release()
	}
	x := &packing{Packing: p, dir: dir, out: to, folder: folder, below: below, began: lock.Now(), diagnostics: d, done: new(Packed), encoded: map[string]bool{}}
	text, err := x.findManifest()
	if errors.Is(err, fs.ErrNotExist) {
		if err := finished(dir, nil); err != nil {
			return nil, err
		}
		if p.Base != "" {
			return x.done, x.putAll(ctx, out)
		}
		return x.done, x.create(ctx, out)
	}
	if err != nil {
		return nil, err
	}
	return x.done, x.repack(ctx, text, out)
}

// claim opens the file that is to be written, and returns an error when it may not be: before the work and not after.
func (p *Packing) claim(out string) (*store.ArchiveOutput, error) {
	if p.DryRun {
		return new(store.ArchiveOutput), disk.Dry(filepath.Dir(out), p.Force).Check(filepath.Base(out))
	}
	return store.OpenArchiveOutput(out, p.Force, "pack")
}

// packing is one run of a Packing.
type packing struct {
	*Packing
	dir         string
	out         *store.ArchiveOutput // empty in a dry run
	folder      *disk.Folder
	below       *disk.Below // the same folder, whose links are not followed
	links       sync.Map    // by folder in it: the link on the way there, or ""
	began       int64       // as the file system tells it
	base        *store.Archive
	ahead       *copyAhead
	manifest    *Manifest // brought in line with the edits; files to look at again have no stamp
	diagnostics *schema.Diagnostics
	done        *Packed
	over        bool              // the archive goes where the base is, and the manifest follows it
	encoded     map[string]bool   // entries that were encoded from their files
	unplaced    map[string]string // hashes of what entries held that have no place in the file, when a table brings them all
	stored      map[string]stored // new files that are what entries became
	left        []string          // paths that entries had before their new payloads gave them others
	lenient     bool              // what does not fit is noted in misfits: the patch is only tried
	misfits     []string
}

// repack packs a folder that was unpacked, or puts a patch onto its base.
func (x *packing) repack(ctx context.Context, text []byte, out string) error {
	x.ahead = x.startCopy(text, out)
	defer func() { x.ahead.drop() }()
	var err error
	if x.manifest, err = decodeManifest(text); err != nil {
		return err
	}
	if err := finished(x.dir, x.manifest); err != nil {
		return err
	}
	if err := x.inPage(); err != nil {
		return err
	}
	patch := x.manifest.Usher == patchMark
	if patch && x.Base == "" {
		return schema.Hinted(fmt.Errorf("%s is a patch: name the archive to put it onto", x.dir), " with --base")
	}
	if x.Reverse && !patch {
		return fmt.Errorf("%s is no patch: --reverse takes one back", x.dir)
	}
	if x.Reverse {
		if err := x.reverse(); err != nil {
			return err
		}
	}
	if x.ahead != nil && (patch || x.ahead.archive != x.manifest.Archive) { // told twice: the last counts
		x.ahead.drop()
		x.ahead = nil
	}
	if x.base, err = x.openBase(); err != nil {
		return err
	}
	defer x.base.Close()
	if patch {
		return x.patch(ctx, out)
	}
	if err := checkExtension(out, x.base); err != nil {
		return err
	}
	x.over = sameFile(out, x.base.Path)
	if err := x.edit(ctx); err != nil {
		return err
	}
	if err := x.refused(); err != nil {
		return err
	}
	compacted, err := x.compact()
	if err != nil {
		return err
	}
	touched := compacted || slices.ContainsFunc(x.done.Changes, func(c Change) bool { return c.Action != "kept" })
	switch {
	case touched || x.ahead == nil && !x.over:
		x.ahead.drop()
		err = x.write(ctx, out)
	case x.over: // it is what it is to become
		x.done.Size = x.base.Size
	default:
		if err = x.base.Close(); err == nil {
			x.done.Size = x.base.Size
			err = x.ahead.keep()
		}
	}
	return err
}

// inPage lets the files be in the code page that the manifest says.
func (x *packing) inPage() error {
	own, page := *x.Packing, x.manifest.Archive.CodePage
	if asked := own.Loader.Options.CodePage; asked != "" && asked != page {
		return x.manifest.Archive.otherPage(x.dir)
	}
	own.Loader.Options.CodePage, x.Packing = page, &own
	return nil
}

// compact rewrites the archive without dead bytes if asked to; otherwise it says how many could be saved.
func (x *packing) compact() (bool, error) {
	const worth, least = 0.25, 1 << 12 // of the file; bytes
	able := x.base.Abilities()
	if able.Compact == nil {
		if x.Compact {
			x.diagnostics.Notef("compact", "", "a %s has one layout only: --compact changes nothing", x.base.Format.Name)
		}
		return false, nil
	}
	dead, size, err := able.Dead()
	if err != nil {
		return false, err
	}
	if x.Compact {
		able.Compact()
		x.diagnostics.Notef("compact", "", "%d bytes that no entry has are gone", dead)
		return true, nil
	}
	if dead >= least && float64(dead) > worth*float64(size) {
		x.diagnostics.Hint(": --compact drops them").Warnf("worth-compacting", "", "%d of %d bytes (%d %%) are left from entries that were replaced", dead, size, 100*dead/size)
	}
	return false, nil
}

// patch puts the patch in the folder onto the base and writes that. Nothing is written when no entry fits.
func (x *packing) patch(ctx context.Context, out string) error {
	if err := checkExtension(out, x.base); err != nil {
		return err
	}
	x.Loader.Reads.Confine(x.below)
	put, err := x.apply(ctx)
	if err != nil {
		return err
	}
	if err := x.refused(); err != nil {
		return err
	}
	if err := x.checkAfter(put); err != nil {
		return err
	}
	if len(x.done.Conflicts) > 0 && len(x.done.Changes) == 0 {
		first := x.done.Conflicts[0]
		if x.lost() {
			return fmt.Errorf("%s: nothing is taken back: %s: %s", x.base.Path, first.Entry, first.Reason)
		}
		return fmt.Errorf("%s is not what the patch is for: %s of %d bytes (%s); it differs in %s", x.base.Path,
			x.manifest.Archive.Path, x.manifest.Archive.Size, x.manifest.Archive.Hash, first.Entry)
	}
	return x.write(ctx, out)
}

// refused returns an error when there were failures and nothing is to be written.
func (x *packing) refused() error {
	if len(x.done.Failures) == 0 || x.KeepGoing {
		return nil
	}
	return FailedError(x.done.Failures)
}

// openBase opens the archive that the manifest describes, which may have been found already, to be copied.
func (x *packing) openBase() (*store.Archive, error) {
	from := x.manifest.Archive
	f := formats.ByName(from.Format)
	if f == nil {
		return nil, fmt.Errorf("%s: unknown format %q", ManifestName, from.Format)
	}
	if x.manifest.Usher == patchMark { // it looks at the entries itself
		a, err := store.OpenAny(x.Base, f, x.Loader.Env(x.Base, x.diagnostics))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.Base, err)
		}
		return a, nil
	}
	if x.ahead != nil {
		return store.OpenArchive(x.ahead.base, f, x.Loader.Env(x.ahead.base, x.diagnostics))
	}
	path, err := x.findBase(from)
	if err != nil {
		return nil, err
	}
	return store.OpenArchive(path, f, x.Loader.Env(path, x.diagnostics))
}

// findBase returns the path of the archive that was unpacked into the folder, and makes sure that it is the same.
func (x *packing) findBase(a ManifestArchive) (string, error) {
	path := x.Base
	if path == "" {
		path = filepath.FromSlash(a.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(x.dir, path)
		}
	}
	checked := int64(disk.Always)
	if x.Rehash {
		checked = 0
	}
	info, err := disk.Stat(path)
	is := disk.Different
	if err == nil {
		is, err = a.Compare(path, info, checked)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", schema.Hinted(fmt.Errorf("the archive that %s came from is not at %s", x.dir, path), "; name it with --base")
	case err != nil:
		return "", err
	case is == disk.Different:
		return "", schema.Hinted(fmt.Errorf("%s is not the archive that %s came from: it has changed", path, x.dir), "; name the original with --base")
	case is == disk.Unknown:
		x.diagnostics.Warnf("base-unproven", "", "an earlier version of usher unpacked %s, and its hash does not tell whether %s is the archive that it came from: it is taken for that", x.dir, path)
	}
	return path, nil
}

// fail notes what is wrong with files of the folder.
func (x *packing) fail(entry string, err error, files ...string) {
	x.done.Failures = append(x.done.Failures, Failure{strings.Join(files, ", "), entry, err})
}

func (x *packing) note(c Change) { x.done.Changes = append(x.done.Changes, c) }

// edit applies all changes of the folder to the base, in memory.
func (x *packing) edit(ctx context.Context) error {
	states, err := x.states(ctx)
	if err != nil {
		return err
	}
	added, err := x.unknownFiles(x.known())
	if err != nil {
		return err
	}
	added = x.renamed(added, states)
	added = x.moveFiles(added, states)
	added = x.resaved(added, states)
	added = x.withCompanions(added, states)
	added = x.join(added, states)
	changed, removed := x.sort(states)
	x.countOthers()
	before := slices.Clone(x.base.Entries())
	if len(changed)+len(added)+len(removed) == 0 {
		x.noteRenamed()
		return nil
	}
	if err := x.findStored(added, states); err != nil {
		return err
	}
	if expect := x.base.Abilities().Expect; expect != nil {
		expect(stems(added))
	}
	if err := x.replaceAll(ctx, x.applySheet(changed)); err != nil {
		return err
	}
	x.removeAll(removed) // first, since a new file may take the place
	if err := x.addNew(ctx, added); err != nil {
		return err
	}
	x.noteOthers(before)
	return nil
}

// stems returns the paths that entries made of new files get.
func stems(files []string) []string {
	paths := make([]string, len(files))
	for i, name := range files {
		paths[i] = formats.Stem(name)
	}
	return paths
}

// sort returns the entries to encode again and those to remove, and says of the others why they stay.
func (x *packing) sort(states []fileState) (changed []ManifestEntry, removed []string) {
	for i, state := range states {
		e := &x.manifest.Entries[i]
		touched := state.touched() || x.reencodes(e) && len(state.gone) == 0 && state.err == nil
		if (touched || len(state.gone) > 0 || state.err != nil) && !x.wanted(*e) {
			x.diagnostics.Notef("passed-over", e.Path, "%s: left out as you asked; the entry stays as it is", strings.Join(fileNames(*e), ", "))
			touched, state.gone, state.err = false, nil, nil
		}
		switch {
		case state.err != nil:
			x.fail(e.Path, state.err, fileNames(*e)...)
		case len(state.gone) == 0 && !touched:
			x.done.Unchanged++
		case len(state.gone) == 0:
			e.Files = unstamped(e.Files, state.edited)
			changed = append(changed, *e)
		case x.Prune && isWhole(*e):
			x.fail("", errSheetGone, state.gone...)
		case x.Prune && len(state.gone) == len(e.Files):
			removed = append(removed, e.Path)
		case x.Prune:
			cut, err := cutFrames(*e, state.gone)
			if err != nil {
				x.fail(e.Path, err, state.gone...)
				continue
			}
			*e = cut
			e.Files = unstamped(e.Files, nil)
			changed = append(changed, *e)
		case touched:
			x.fail(e.Path, schema.Hinted(errors.New("it is gone, and other files of its entry were edited: put it back"), ", or take it out with --prune"), state.gone...)
		default:
			x.done.Unchanged++
			x.note(Change{Entry: e.Path, Action: "kept", Files: fileNames(*e), Before: e.Size, After: e.Size})
			x.diagnostics.Hint(", --prune removes it").Notef("file-missing", e.Path, "%s is gone; the entry stays", strings.Join(state.gone, ", "))
		}
	}
	return changed, removed
}

// wanted reports whether the files of an entry count.
func (x *packing) wanted(e ManifestEntry) bool {
	archive := path.Base(filepath.ToSlash(x.manifest.Archive.Path))
	return slices.ContainsFunc(e.Files, func(f ManifestFile) bool {
		return x.Selection.Match(f.Name) || len(x.Selection.Include) > 0 && x.Selection.Match(archive+"/"+f.Name) && !x.excluded(f.Name)
	})
}

// excluded reports whether a file is one of those that are not to count.
func (x *packing) excluded(name string) bool {
	return !batch.Selection{Exclude: x.Selection.Exclude}.Match(name)
}

// reencodes reports whether an unedited picture is to be encoded again, because the user named an encoding and these files.
func (x *packing) reencodes(e *ManifestEntry) bool {
	if x.Loader.Options.Encoding == "" && x.Loader.Options.Unreal.TextureEncoding == "" || len(x.Selection.Include) == 0 || !x.wanted(*e) {
		return false
	}
	f := formats.ByName(e.Format)
	return f != nil && f.Kind == format.Texture
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

// sameFile reports whether two paths name one file; a link is not what it leads to.
func sameFile(a, b string) bool {
	x, err1 := os.Lstat(a)
	y, err2 := os.Lstat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
