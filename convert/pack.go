package convert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Packing puts an unpacked folder back into an archive. Entries whose files did not change are taken from the base
// archive byte for byte; the others are encoded again, in the format that they had.
type Packing struct {
	Loader Loader
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
	Unchanged int // entries taken from the base as they are
	Size      int64
}

// Run packs the folder dir into the archive out.
func (p *Packing) Run(ctx context.Context, dir, out string, d *schema.Diagnostics) (*Packed, error) {
	m, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return p.create(ctx, dir, out, d)
	}
	if err != nil {
		return nil, err
	}
	base, err := p.openBase(m, dir, d)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	x := &packing{Packing: p, dir: dir, base: base, manifest: m, diagnostics: d, done: new(Packed)}
	return x.done, x.run(ctx, out)
}

// openBase opens the archive that the manifest describes and makes sure that it is the same.
func (p *Packing) openBase(m *Manifest, dir string, d *schema.Diagnostics) (*Archive, error) {
	path := p.Base
	if path == "" {
		path = filepath.FromSlash(m.Archive.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
	}
	same, err := m.Archive.same(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the archive that %s came from is not at %s; name it with --base", dir, path)
	}
	if err != nil {
		return nil, err
	}
	if !same {
		return nil, fmt.Errorf("%s is not the archive that %s came from: it has changed; name the original with --base", path, dir)
	}
	f := FormatByName(m.Archive.Format)
	if f == nil {
		return nil, fmt.Errorf("%s: unknown format %q", ManifestName, m.Archive.Format)
	}
	return OpenArchive(path, f, p.Loader.Env(path, d))
}

// packing is one run of a Packing.
type packing struct {
	*Packing
	dir         string
	base        *Archive
	manifest    *Manifest
	diagnostics *schema.Diagnostics
	done        *Packed
}

func (x *packing) run(ctx context.Context, out string) error {
	if x.DryRun {
		if err := x.edit(ctx); err != nil {
			return err
		}
		return x.write(out)
	}
	ahead := x.startCopy(out)
	err := x.edit(ctx)
	untouched := err == nil && !slices.ContainsFunc(x.done.Changes, func(c Change) bool { return c.Action != "kept" })
	copying := ahead.finish(untouched)
	if err != nil {
		return err
	}
	if untouched {
		x.done.Size = ahead.size
		return copying
	}
	return x.write(out)
}

// edit applies all changes of the folder to the base, in memory.
func (x *packing) edit(ctx context.Context) error {
	known := make(map[string]bool, len(x.manifest.Entries)+1)
	known[ManifestName] = true
	var changed []ManifestEntry
	var removed []string
	states, err := x.states(ctx)
	if err != nil {
		return err
	}
	for i, e := range x.manifest.Entries {
		for _, f := range e.Files {
			known[f.Name] = true
		}
		state := states[i]
		switch {
		case state == unchanged:
			x.done.Unchanged++
		case state == edited:
			changed = append(changed, e)
		case x.Prune:
			removed = append(removed, e.Path)
		default:
			x.note(Change{Entry: e.Path, Action: "kept", Files: fileNames(e), Before: e.Size, After: e.Size})
			x.diagnostics.Notef("file-missing", e.Path, "its file is gone; the entry stays, --prune removes it")
		}
	}
	before := slices.Clone(x.base.Entries())
	if err := x.replaceAll(ctx, changed); err != nil {
		return err
	}
	if err := x.addNew(ctx, known); err != nil {
		return err
	}
	x.noteOthers(before)
	return x.removeAll(removed)
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
	x.base.reindex()
	x.done.Changes = append(x.done.Changes, changes...)
	return nil
}

// replaceAll encodes all edited entries, on all cores, and then puts them into the archive in their order.
func (x *packing) replaceAll(ctx context.Context, changed []ManifestEntry) error {
	payloads := make([]replacement, len(changed))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for n, e := range changed {
		group.Go(func() (err error) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if payloads[n], err = x.encode(e); err != nil {
				return fmt.Errorf("%s: %w", strings.Join(fileNames(e), ", "), err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for n, e := range changed {
		r := payloads[n]
		if bytes.Equal(r.before, r.after) {
			x.done.Unchanged++
			continue
		}
		if err := x.base.Replace(r.entry, r.after); err != nil {
			return fmt.Errorf("%s: %w", e.Path, err)
		}
		x.note(Change{e.Path, "replaced", fileNames(e), int64(len(r.before)), int64(len(r.after))})
	}
	return nil
}

// fileState is what became of an entry's files since they were written.
type fileState int

const (
	unchanged fileState = iota
	edited
	missing
)

// states asks for the files of all entries, on all cores.
func (x *packing) states(ctx context.Context) ([]fileState, error) {
	entries := x.manifest.Entries
	states := make([]fileState, len(entries))
	err := inShares(ctx, len(entries), func(i int) (err error) {
		states[i], err = x.state(entries[i])
		return err
	})
	return states, err
}

// inShares calls do for the numbers below n, on all cores, some hundred in a row each, until one call fails.
func inShares(ctx context.Context, n int, do func(int) error) error {
	const share = 256
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for start := 0; start < n; start += share {
		group.Go(func() error {
			for i := start; i < min(start+share, n); i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := do(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

func (x *packing) state(e ManifestEntry) (fileState, error) {
	state := unchanged
	for _, f := range e.Files {
		local, err := localName(f.Name)
		if err != nil {
			return 0, err
		}
		same, err := f.same(filepath.Join(x.dir, local))
		if errors.Is(err, fs.ErrNotExist) {
			return missing, nil
		}
		if err != nil {
			return 0, err
		}
		if !same {
			state = edited
		}
	}
	return state, nil
}

// localName returns a manifest's file name for this system; one that leaves the folder is refused.
func localName(name string) (string, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return "", fmt.Errorf("%s: file name %q leaves the folder", ManifestName, name)
	}
	return local, nil
}

func fileNames(e ManifestEntry) []string {
	names := make([]string, len(e.Files))
	for i, f := range e.Files {
		names[i] = f.Name
	}
	return names
}

func (x *packing) note(c Change) { x.done.Changes = append(x.done.Changes, c) }

// replacement is the payload of an entry before and after an edit.
type replacement struct {
	entry         int
	before, after []byte
}

// encode turns the edited files of an entry into a payload.
func (x *packing) encode(e ManifestEntry) (r replacement, err error) {
	if r.entry, err = x.base.Find(e.Path); err != nil {
		return r, err
	}
	if r.before, err = x.base.Payload(r.entry); err != nil {
		return r, err
	}
	if e.Format == "" {
		local, err := localName(e.Files[0].Name)
		if err != nil {
			return r, err
		}
		r.after, err = readFile(filepath.Join(x.dir, local))
		return r, err
	}
	f := x.base.Entries()[r.entry].Format.Of(r.entry, r.before)
	if f == nil || f.Name != e.Format {
		return r, fmt.Errorf("the entry is no %s", e.Format)
	}
	it, err := x.load(e)
	if err != nil {
		return r, err
	}
	env := x.Loader.Env(x.base.Path, x.diagnostics)
	env.Archive, env.Entry = x.base.ArchiveFile, e.Path
	r.after, err = lowerOnto(f, r.before, it, env)
	return r, err
}

// load reads the files of an entry; several are the pictures of one texture.
func (x *packing) load(e ManifestEntry) (*Item, error) {
	var first *Item
	for n, f := range e.Files {
		local, err := localName(f.Name)
		if err != nil {
			return nil, err
		}
		it, err := x.Loader.loadInterchange(filepath.Join(x.dir, local), x.diagnostics)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			first = it
			continue
		}
		if err := joinPicture(first, it, f.Name); err != nil {
			return nil, err
		}
	}
	return first, nil
}

// joinPicture adds the picture of another file to a texture: as a face when its name says so, else as a frame.
func joinPicture(first, next *Item, name string) error {
	t, ok1 := first.Asset.(*asset.Texture)
	more, ok2 := next.Asset.(*asset.Texture)
	if !ok1 || !ok2 {
		return fmt.Errorf("%s: only textures have several files", name)
	}
	if more.Palette != nil {
		t.Palette = more.Palette
	}
	if face := faceOf(name); face > 0 {
		last := &t.Frames[len(t.Frames)-1]
		last.Faces = append(last.Faces, *more.Base())
		return nil
	}
	t.Frames = append(t.Frames, more.Frames[0])
	return nil
}

// faceOf returns the number of the cube map face that a picture's name tells; 0 for the first or none.
func faceOf(name string) int {
	stem := stemOf(name)
	return max(0, slices.IndexFunc(faceNames[:], func(f string) bool { return strings.HasSuffix(stem, "."+f) }))
}

// lowerOnto encodes an edited item in format f. What the item cannot say is taken from the stored payload.
func lowerOnto(f *format.Format, stored []byte, it *Item, env *format.Env) ([]byte, error) {
	if it.Format != nil && it.Format.Name == f.Name { // JSON says everything
		return f.Write(it.Value)
	}
	if f.Lower == nil {
		return nil, fmt.Errorf("%s cannot be made from other formats", f.Name)
	}
	edited, err := it.Lift()
	if err != nil {
		return nil, err
	}
	if nativeOf(edited) == nil {
		v, err := f.Read(stored, nil)
		if err != nil {
			return nil, err
		}
		original, err := f.Lift(v, env)
		if err != nil {
			return nil, err
		}
		inherit(edited, original)
	}
	v, err := f.Lower(edited, env)
	if err != nil {
		return nil, err
	}
	return f.Write(v)
}

// inherit gives an asset from an interchange file what only the original knows.
func inherit(a, original asset.Asset) {
	switch a := a.(type) {
	case *asset.Scene:
		if o, ok := original.(*asset.Scene); ok {
			a.Native = o.Native
		}
	case *asset.Texture:
		if o, ok := original.(*asset.Texture); ok {
			a.Name, a.Alpha, a.FPS, a.URI, a.Extras, a.Native = o.Name, o.Alpha, o.FPS, o.URI, o.Extras, o.Native
		}
	case *asset.Sound:
		if o, ok := original.(*asset.Sound); ok {
			a.Name, a.Extras, a.Native = o.Name, o.Extras, o.Native
		}
	case *asset.Table:
		if o, ok := original.(*asset.Table); ok {
			a.Name, a.Native = o.Name, o.Native
		}
	case *asset.Text:
		if o, ok := original.(*asset.Text); ok {
			a.Name, a.Native = o.Name, o.Native
		}
	}
}

func (x *packing) remove(path string) error {
	i, err := x.base.Find(path)
	if err != nil {
		return err
	}
	size := x.base.Entries()[i].Size
	if err := x.base.Remove(i); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	x.base.reindex()
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
			if err := errors.Join(checkOutput(out, x.Force), checkOutput(second.out, x.Force)); err != nil {
				return err
			}
		}
	}
	if x.done.Size, err = writeArchive(x.base, out, x.Force, x.DryRun, x.base.Close); err != nil || second == nil {
		return err
	}
	_, err = writeArchive(second, second.out, x.Force, x.DryRun, second.Close)
	return err
}

// writeArchive writes an archive to the file out. When all is written, but before out is replaced, it calls closeBase:
// out may be the base itself, and Windows does not replace a file that is open.
func writeArchive(a format.ArchiveFile, out string, force, dryRun bool, closeBase func() error) (size int64, err error) {
	if dryRun {
		return a.WriteTo(io.Discard)
	}
	folder, err := OpenFolder(filepath.Dir(out), force)
	if err != nil {
		return 0, err
	}
	defer folder.Close()
	err = folder.Create(filepath.Base(out), func(w io.Writer) error {
		if size, err = a.WriteTo(w); err != nil {
			return err
		}
		return closeBase()
	})
	return size, err
}
