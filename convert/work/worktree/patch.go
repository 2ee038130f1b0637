package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema"
)

// Patching writes a patch from one archive or file to another, as a folder of editable files. For each new or changed entry
// it holds the new content, and for each affected entry the hash of the old content. Nothing else of the original is in it,
// so it can be given away. [Packing] applies it to anybody's own copy.
type Patching struct {
	Loader     engine.Loader
	Force      bool // write into a folder even if it is not empty
	Reversible bool // include the original's content where they differ, so that the patch can be undone
}

// Patched is the result of a Patching.
type Patched struct {
	Entries []ManifestEntry
	Exact   bool // applied to the original, the patch gives exactly the bytes of the other archive
	Whole   bool // the original is a single file and no archive: the patch contains all of the new one
	Back    bool // undone, the patch gives exactly the bytes of the original
}

// patchMark is what the manifest of a patch calls itself.
const patchMark = "patch"

// What a patch does to an entry.
const (
	actionChange = "change"
	actionAdd    = "add"
	actionRemove = "remove"
	actionRename = "rename"
)

// ErrSame is the error for two archives without a difference that a patch could hold.
var ErrSame = errors.New("no entry differs: there is nothing to put into a patch")

// Run writes the patch from the archive old to the archive now into the folder dir. Each entry is written as an editable
// file if that gives the stored bytes back, otherwise as JSON, otherwise as stored bytes.
func (p *Patching) Run(ctx context.Context, old, now, dir string, d *schema.Diagnostics) (*Patched, error) {
	out, err := disk.Open(dir, p.Force)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	if err := p.checkFolder(dir); err != nil {
		return nil, err
	}
	p.Loader = p.Loader.Sharing()
	a, err := store.OpenAny(old, p.Loader.From, p.Loader.Env(old, d))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", old, err)
	}
	defer a.Close()
	b, err := store.OpenAny(now, p.Loader.From, p.Loader.Env(now, d))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", now, err)
	}
	defer b.Close()
	if a.Format.Name != b.Format.Name {
		return nil, fmt.Errorf("%s is of format %s, and %s of %s: a patch is for one format", old, a.Format.Name, now, b.Format.Name)
	}
	room, err := out.Room()
	if err != nil {
		return nil, err
	}
	done, err := (&patching{Patching: p, old: a, now: b, room: room}).run(ctx)
	if err != nil {
		return nil, err
	}
	if p.Reversible {
		back, err := (&patching{Patching: p, old: b, now: a, room: room, below: reverseName + "/"}).run(ctx)
		if err != nil {
			return nil, err
		}
		done.Back = back.Exact
	}
	if err := room.Commit(ManifestName); err != nil || p.Reversible {
		return done, err
	}
	return done, out.Remove(reverseName + "/" + ManifestName) // one that an earlier patch has left would be for other archives
}

// checkFolder makes sure that nothing else is in the folder.
func (p *Patching) checkFolder(dir string) error {
	inside, err := os.ReadDir(dir)
	inside = slices.DeleteFunc(inside, func(e os.DirEntry) bool { return disk.IsTemporary(e.Name()) })
	switch {
	case err != nil:
		return err
	case len(inside) > 0 && !p.Force:
		return schema.Hinted(fmt.Errorf("%s is not empty, and a patch wants a folder of its own", dir), "; --force writes into it")
	}
	return nil
}

// patching is one run of a Patching.
type patching struct {
	*Patching
	old, now *store.Archive
	room     *disk.Room // where the patch is made
	below    string     // of its folder, with a slash at the end
	manifest *Manifest
	targets  []int    // by entry of the manifest: number in now; −1 for what is gone
	stems    []string // names of the files, without extension
	done     []int    // how many forms were tried
	meant    []int    // the first form that gave what the entry means, with other numbers; 0 for none
	settled  []bool   // that form is taken
}

// list finds what is touched.
func (x *patching) list() error {
	stamp, err := x.old.Stamp()
	if err != nil {
		return err
	}
	stamp.Time = 0 // a patch is the same wherever it is made
	x.manifest = &Manifest{Usher: patchMark, Archive: ManifestArchive{filepath.Base(x.old.Path), x.old.Format.Name, stamp, x.Loader.Options.CodePage}}
	was, is := x.old.Entries(), x.now.Entries()
	pairs, sameTerms := compare.PairEntries(x.old, x.now), store.SameTerms(x.old, x.now)
	if x.old.Single() && x.now.Single() {
		pairs = nil
	}
	var names disk.Names
	names.Unique(ManifestName)
	touch := func(e ManifestEntry, target int) {
		stem := ""
		if target >= 0 && e.Action != actionRename {
			stem = names.Unique(store.EntryStem(is[target]))
		}
		x.manifest.Entries, x.targets, x.stems = append(x.manifest.Entries, e), append(x.targets, target), append(x.stems, stem)
	}
	for i, e := range was {
		k, renamed := 0, false
		if pairs != nil {
			k, renamed = pairs.To(i)
		}
		m := newManifestEntry(e, nil)
		m.Title = ""
		switch {
		case k < 0:
			m.Action = actionRemove
		case renamed:
			m.Action, m.From, m.Path = actionRename, e.Path, is[k].Path
		default:
			same, size, err := x.same(i, k, sameTerms)
			if err != nil {
				return schema.In(e.Path, err)
			}
			if same {
				continue
			}
			m.Action, m.Kind, m.Size = actionChange, is[k].Kind.String(), size
			if m.After, err = stateOf(x.now, k); err != nil {
				return schema.In(e.Path, err)
			}
		}
		if m.Before, err = stateOf(x.old, i); err != nil {
			return schema.In(e.Path, err)
		}
		if m.Action == actionChange && m.Before == m.After && strings.HasPrefix(m.After, meansTag) {
			continue // it has other numbers alone, and keeps those of the original
		}
		touch(m, k)
	}
	for k, e := range is {
		if pairs == nil || !pairs.Added(k) {
			continue
		}
		m := newManifestEntry(e, nil)
		m.Action = actionAdd
		if m.After, err = stateOf(x.now, k); err != nil {
			return schema.In(e.Path, err)
		}
		touch(m, k)
	}
	x.manifest.Terms = newTerms(x.old, x.now)
	return nil
}

// same reports whether entry i of the old archive is entry k of the new one, of the given size.
func (x *patching) same(i, k int, sameTerms bool) (same bool, size int64, err error) {
	before, err := x.old.Portable(i)
	if err != nil {
		return false, 0, err
	}
	after, err := x.now.Portable(k)
	if err != nil {
		return false, 0, err
	}
	same = bytes.Equal(before, after)
	if !sameTerms {
		same, err = sameMeaning(x.old, i, x.now, k, same)
	}
	return same, int64(len(after)), err
}

// newTerms returns the terms of an archive that another one lacks.
func newTerms(old, now *store.Archive) []string {
	was, is := old.Abilities().Terms, now.Abilities().Terms
	if was == nil || is == nil {
		return nil
	}
	known := map[string]bool{}
	for _, t := range was() {
		known[t] = true
	}
	return slices.DeleteFunc(is(), func(t string) bool { return known[t] })
}

// hashOf returns the hash of a payload as manifests have it.
func hashOf(payload []byte) string { return disk.HashText(xxhash.Sum64(payload)) }

// forms is how many forms an entry's files can have.
const forms = 3

// run writes the files, puts them onto the original and looks whether that gives the other archive; entries of which it
// does not are written in another form.
func (x *patching) run(ctx context.Context) (*Patched, error) {
	if err := x.list(); err != nil {
		return nil, err
	}
	n := len(x.manifest.Entries)
	if n == 0 {
		return nil, ErrSame
	}
	x.done, x.meant, x.settled = make([]int, n), make([]int, n), make([]bool, n)
	again := make([]bool, n)
	for i := range again {
		again[i] = x.stems[i] != ""
	}
	for {
		if err := x.writeAll(again); err != nil {
			return nil, err
		}
		exact, got, err := x.try(ctx)
		if err != nil {
			return nil, err
		}
		if again = x.next(got); slices.Contains(again, true) {
			continue
		}
		for i, e := range x.manifest.Entries {
			if got[i] == other {
				return nil, x.unfit(e)
			}
		}
		return &Patched{Entries: x.manifest.Entries, Exact: exact, Whole: x.old.Single()}, nil
	}
}

// unfit says that no form of an entry gives it back, and why where that can be told.
func (x *patching) unfit(e ManifestEntry) error {
	if !strings.HasPrefix(e.After, meansTag) || store.SameTerms(x.old, x.now) {
		return fmt.Errorf("%s cannot be put into a patch: it does not come out as it is in %s", e.Path, x.now.Path)
	}
	return fmt.Errorf("%s cannot be put into a patch: what it refers to has other numbers in %s, which was compiled or saved anew by another program; that file itself is the mod", e.Path, x.now.Path)
}

// outcome is what becomes of an entry by the form that its files have.
type outcome int

const (
	other      outcome = iota // it is not what it shall be
	renumbered                // it means what it shall, and has other numbers
	same
)

// next returns the entries that are written again: in the next form, or, where none gives the very bytes, in the first one
// that gives what they mean.
func (x *patching) next(got []outcome) []bool {
	again := make([]bool, len(got))
	for i, is := range got {
		if is == renumbered && x.meant[i] == 0 {
			x.meant[i] = x.done[i]
		}
		switch {
		case is == same || x.stems[i] == "" || x.settled[i]:
		case x.done[i] < forms:
			again[i] = true
		case is == other && x.meant[i] > 0:
			again[i], x.settled[i], x.done[i] = true, true, x.meant[i]-1
		}
	}
	return again
}

// write writes the files of entry i of the manifest in the next form that it can have.
func (x *patching) write(i int) error {
	e := &x.manifest.Entries[i]
	for _, f := range e.Files { // of the form that was tried before
		if err := x.room.Remove(x.below + f.Name); err != nil {
			return err
		}
	}
	k := x.targets[i]
	payload, err := x.now.Payload(k)
	if err != nil {
		return schema.In(e.Path, err)
	}
	files, f, err := x.files(i, k, payload)
	if err != nil {
		return schema.In(e.Path, err)
	}
	e.Files, e.Format = nil, ""
	if f != nil {
		e.Format = f.Name
	}
	for n := range files {
		file, err := x.room.Prepare(x.below+files[n].Name, func(w io.Writer) error { _, err := files[n].WriteTo(w); return err })
		if err == nil {
			err = file.Commit()
		}
		if err != nil {
			return err
		}
		e.Files = append(e.Files, ManifestFile{Name: files[n].Name})
	}
	return nil
}

// files returns entry k of the new archive in the next form: what people edit, JSON, the stored bytes.
// An error is that of a file beside the archive, which is there and could not be read.
func (x *patching) files(i, k int, payload []byte) ([]format.File, *format.Format, error) {
	it, err := x.item(k, payload)
	if err != nil {
		x.done[i] = 3
	}
	for x.done[i] < 2 {
		x.done[i]++
		target := engine.ShownAs(it.Format)
		if x.done[i] == 2 {
			json, err := engine.ParseTarget("json", nil)
			if err != nil || !json.Carries(it.Format) || json.Extension == target.Extension {
				continue
			}
			target = json
		}
		it.Plain = it.Format.Kind != format.Texture || x.done[i] != 1 || !x.needsSidecar(i)
		if files, err := engine.Export(it, target, x.stems[i]); err == nil {
			return files, it.Format, nil
		}
		if err := find.Unread(it.Env); err != nil {
			return nil, nil, err
		}
	}
	x.done[i] = 3
	return []format.File{{Name: x.stems[i] + rawExtension, Content: payload}}, nil, nil
}

// needsSidecar reports whether a picture is new: the archive it goes into does not know what a PNG cannot say.
func (x *patching) needsSidecar(i int) bool { return x.manifest.Entries[i].Action == actionAdd }

func (x *patching) item(k int, payload []byte) (*interchange.Item, error) {
	env := x.Loader.Env(x.now.Path, new(schema.Diagnostics))
	if x.now.Single() {
		return x.Loader.Decode(payload, env)
	}
	return x.Loader.ReadEntry(x.now, k, payload, env)
}

// writeAll writes the files of the given entries, and the manifest.
func (x *patching) writeAll(which []bool) error {
	for i, wanted := range which {
		if !wanted {
			continue
		}
		if err := x.write(i); err != nil {
			return err
		}
	}
	return x.manifest.save(x.room.Folder, x.below)
}

// try puts the patch onto the original and tells what became of each entry, and whether the whole is the new archive.
func (x *patching) try(ctx context.Context) (exact bool, got []outcome, err error) {
	got = make([]outcome, len(x.manifest.Entries))
	d := new(schema.Diagnostics)
	base, err := store.OpenAny(x.old.Path, x.old.Format, x.Loader.Env(x.old.Path, d))
	if err != nil {
		return false, nil, err
	}
	defer base.Close()
	m := *x.manifest
	m.Entries = slices.Clone(m.Entries)
	p := &packing{Packing: &Packing{Loader: x.Loader}, dir: x.room.Place(x.below), base: base, manifest: &m, diagnostics: d, done: new(Packed), encoded: map[string]bool{}, lenient: true}
	if _, err := p.apply(ctx); err != nil {
		return false, nil, err
	}
	base.Reindex()
	renamed := p.renames()
	for i, e := range x.manifest.Entries {
		if slices.Contains(p.misfits, e.Path) {
			continue
		}
		if got[i], err = x.became(base, i, e, renamed); err != nil {
			return false, nil, err
		}
	}
	hash := xxhash.New()
	if _, err := base.WriteTo(hash); err != nil {
		if slices.Contains(got, other) {
			return false, got, nil
		}
		return false, nil, err
	}
	stamp, err := x.now.Stamp()
	return disk.HashText(hash.Sum64()) == stamp.Hash, got, err
}

// became tells what an entry of the original has become, with entry i of the patch put onto it.
func (x *patching) became(base *store.Archive, i int, e ManifestEntry, renamed map[string]string) (outcome, error) {
	wrong, err := becameOther(base, e, renamed)
	if err != nil || wrong {
		return other, err
	}
	if x.stems[i] == "" {
		return same, nil
	}
	n, err := base.Find(e.Path)
	if err != nil {
		return other, nil
	}
	is, err := base.Portable(n)
	if err != nil {
		return other, err
	}
	after, err := x.now.Portable(x.targets[i])
	if err != nil {
		return other, err
	}
	if bytes.Equal(is, after) {
		return same, nil
	}
	return renumbered, nil
}
