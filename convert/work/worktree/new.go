package worktree

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
)

// addNew makes entries out of files that the manifest does not know.
func (x *packing) addNew(ctx context.Context, files []string) error {
	added, err := x.addFiles(ctx, x.base.ArchiveFile, files, x.Loader.Env(x.base.Path, x.diagnostics))
	x.done.Changes = append(x.done.Changes, added...)
	x.base.Reindex()
	if err != nil || !x.over {
		return err
	}
	for _, c := range added {
		if err := x.noteAdded(c); err != nil {
			return err
		}
	}
	return nil
}

// noteAdded describes a new entry as unpacking would.
func (x *packing) noteAdded(c Change) error {
	i, err := x.base.Find(c.Entry)
	if err != nil {
		return err
	}
	e := x.base.Entries()[i]
	var f *format.Format
	if !strings.EqualFold(filepath.Ext(c.Files[0]), rawExtension) {
		payload, err := x.base.Payload(i)
		if err != nil {
			return err
		}
		f = e.Format.Of(i, payload)
	}
	entry := newManifestEntry(e, f)
	for _, name := range c.Files {
		entry.Files = append(entry.Files, ManifestFile{Name: name})
	}
	x.manifest.Entries = append(x.manifest.Entries, entry)
	x.encoded[c.Entry] = true
	return nil
}

// create makes a new archive from a folder without a manifest.
func (x *packing) create(ctx context.Context, out string) error {
	t, err := engine.ParseTarget(filepath.Ext(out), nil)
	if err != nil {
		return err
	}
	if t.Format == nil || t.Format.Create == nil {
		return fmt.Errorf("%s has no %s, and a new %s cannot be made from files alone", x.dir, ManifestName, filepath.Ext(out))
	}
	env := x.Loader.Env(out, x.diagnostics)
	a, err := t.Format.Create(env)
	if err != nil {
		return err
	}
	if spool := a.Abilities().SpoolTo; spool != nil && !x.DryRun {
		s := &scratch{dir: filepath.Dir(out)}
		defer s.close()
		spool(s.open)
	}
	files, err := x.unknownFiles(nil)
	if err != nil {
		return err
	}
	files = x.withCompanions(slices.DeleteFunc(files, interchange.IsSidecar), nil)
	if x.done.Changes, err = x.addFiles(ctx, a, files, env); err != nil {
		return err
	}
	if err := x.refused(); err != nil {
		return err
	}
	if len(x.done.Changes) == 0 && len(x.done.Failures) == 0 {
		return formats.ErrNothing
	}
	sizes := []int64{0}
	if x.DryRun {
		sizes, err = store.PlanArchive(a, nil, out, x.Force)
	} else if err = x.out.Prepare(ctx, a, nil, false); err == nil {
		sizes, err = x.out.Sizes, x.out.Commit()
	}
	x.done.Size = sizes[0]
	return err
}

// scratch is a file beside the new archive that its payloads are kept in until all are known.
type scratch struct {
	dir    string
	folder *disk.Folder
	file   *os.File
}

func (s *scratch) open() (file *os.File, err error) {
	if s.folder, err = disk.Open(s.dir, false); err != nil {
		return nil, err
	}
	s.file, err = s.folder.Scratch()
	return s.file, err
}

func (s *scratch) close() {
	if s.file != nil {
		s.file.Close()
	}
	if s.folder != nil {
		s.folder.Close()
	}
}

// addFiles adds files of the folder to an archive. The entry path is the file's, without its extension.
func (x *packing) addFiles(ctx context.Context, a format.ArchiveFile, files []string, env *format.Env) ([]Change, error) {
	var changes []Change
	for _, name := range files {
		if err := context.Cause(ctx); err != nil {
			return changes, err
		}
		var c *Change
		if err := batch.Guarded(func() (err error) { c, err = x.addFile(a, name, env); return err }); err != nil {
			x.fail("", err, name)
		} else if c != nil {
			changes = append(changes, *c)
		}
	}
	return changes, nil
}

// addFile adds a file; there is no change when it comes in with another one.
func (x *packing) addFile(a format.ArchiveFile, name string, env *format.Env) (*Change, error) {
	p := filepath.Join(x.dir, filepath.FromSlash(name))
	l := &x.Loader
	pictures, err := l.Pictures(p)
	if err != nil {
		return nil, err
	}
	able := a.Abilities()
	files := able.Files
	if len(pictures) > 0 && pictures[0] != p && !files {
		return nil, nil // a later picture comes in with the first one
	}
	entry, names := formats.Stem(name), []string{name}
	if files {
		entry, pictures = name, nil
	}
	if len(pictures) > 0 {
		entry = interchange.PictureStem(name)
		for _, other := range pictures[1:] {
			names = append(names, path.Join(path.Dir(name), filepath.Base(other)))
		}
	}
	names = append(names, x.companions(name)...)
	own := *env
	own.Diagnostics = env.Diagnostics.In(name)
	was, known := x.stored[name]
	payload, f := was.payload, was.format
	if !known {
		if payload, f, err = newPayload(a, p, entry, l, &own); err != nil {
			return nil, err
		}
	}
	c := newChange(entry, "added", names, 0, payload)
	place, there := "", -1
	if able.Place != nil { // it may go into one that is there
		place = able.Place(entry, payload, f)
		there = slices.IndexFunc(a.Entries(), func(e format.Entry) bool { return e.Path == place })
	}
	size := int64(0)
	if there >= 0 {
		size = a.Entries()[there].Size
	}
	if err := a.Add(entry, payload, f); err != nil {
		return nil, err
	}
	if able.Place != nil {
		c.Entry = able.Place(entry, payload, f)
	}
	if there >= 0 && c.Entry == place {
		c.Action, c.Before, c.After = "replaced", size, a.Entries()[there].Size // what went into it may be a part
	}
	return &c, nil
}

// newPayload encodes a file as the entry of the archive that its name asks for: in the format that the archive holds for
// its kind, or as it is when its extension says so.
func newPayload(a format.ArchiveFile, p, entry string, l *engine.Loader, env *format.Env) ([]byte, *format.Format, error) {
	if strings.EqualFold(filepath.Ext(p), rawExtension) || a.Abilities().Files {
		b, err := l.ReadFile(p)
		return b, nil, err
	}
	it, err := l.LoadEdited(p, env.Diagnostics)
	if err != nil {
		return nil, nil, err
	}
	if it.Format != nil {
		f, err := writerOf(a, it.Format, entry)
		if err != nil {
			return nil, nil, err
		}
		b, err := f.Encode(it.Value)
		return b, f, err
	}
	kind := interchange.KindOf(it.Asset)
	f := leafFormat(a, kind)
	if f == nil && kind == format.Model { // a scene that moves may be there for its motion
		f = leafFormat(a, format.Animation)
	}
	if f == nil || f.Lower == nil {
		return nil, nil, fmt.Errorf("the archive holds no %s that it could become", kind)
	}
	own := *env
	own.Archive, own.Entry, own.Turn = a, entry, func() {} // files are added one after another
	v, err := engine.Lower(f, it.Asset, &own)
	if err != nil {
		return nil, nil, err
	}
	b, err := f.Encode(v)
	return b, f, cmp.Or(err, find.Unread(it.Env), find.Unread(env))
}

// writerOf returns a format as it writes a new entry.
func writerOf(a format.ArchiveFile, f *format.Format, entry string) (*format.Format, error) {
	if f.Write != nil {
		return f, nil
	}
	if bind := a.Abilities().BindNew; bind != nil {
		return bind(f, entry)
	}
	return nil, fmt.Errorf("a new %s cannot be made from JSON: it means nothing without the entry that it came from", f.Name)
}

// leafFormat returns the format in which an archive stores a kind.
func leafFormat(a format.ArchiveFile, kind format.Kind) *format.Format {
	if leaf := a.Abilities().Leaf; leaf != nil {
		return leaf(kind)
	}
	for _, e := range a.Entries() {
		if e.Kind == kind && e.Format != nil {
			return e.Format
		}
	}
	return nil
}
