package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/batch"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// addNew makes entries out of files that the manifest does not know.
func (x *packing) addNew(ctx context.Context, files []string) error {
	added, err := addFiles(ctx, x.base.ArchiveFile, x.dir, files, &x.Loader, x.Loader.Env(x.base.Path, x.diagnostics))
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
	return nil
}

// create makes a new archive from a folder without a manifest.
func (p *Packing) create(ctx context.Context, dir, out string, d *schema.Diagnostics) (*Packed, error) {
	t, err := convert.ParseTarget(filepath.Ext(out), nil)
	if err != nil {
		return nil, err
	}
	if t.Format == nil || t.Format.Create == nil {
		return nil, fmt.Errorf("%s has no %s, and a new %s cannot be made from files alone", dir, ManifestName, filepath.Ext(out))
	}
	env := p.Loader.Env(out, d)
	a, err := t.Format.Create(env)
	if err != nil {
		return nil, err
	}
	files, err := unknownFiles(dir, "", nil)
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, convert.IsSidecar)
	done := new(Packed)
	if done.Changes, err = addFiles(ctx, a, dir, files, &p.Loader, env); err != nil {
		return done, err
	}
	if len(done.Changes) == 0 {
		return nil, convert.ErrNothing
	}
	done.Size, err = convert.WriteArchive(a, out, p.Force, p.DryRun, func() error { return nil })
	return done, err
}

// unknownFiles returns the files of the folder dir that are not known and not ours, by name: those below one of its own
// folders, named with a slash at the end, or all. Most files are known, and of those only the names are read.
func unknownFiles(dir, below string, known map[string]bool) ([]string, error) {
	folder, err := os.Open(filepath.Join(dir, filepath.FromSlash(below)))
	if err != nil {
		return nil, err
	}
	inside, err := folder.Readdirnames(-1)
	folder.Close()
	if err != nil {
		return nil, err
	}
	slices.Sort(inside)
	var files []string
	for _, base := range inside {
		name := below + base
		if known[name] {
			continue
		}
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		switch {
		case info.IsDir():
			more, err := unknownFiles(dir, name+"/", known)
			if err != nil {
				return nil, err
			}
			files = append(files, more...)
		case strings.HasPrefix(base, "."), name == batch.RecordName:
		default:
			files = append(files, name)
		}
	}
	return files, nil
}

// addFiles adds files of the folder dir to an archive. The entry path is the file's, without its extension. The error
// tells of all that failed.
func addFiles(ctx context.Context, a format.ArchiveFile, dir string, files []string, l *convert.Loader, env *format.Env) ([]Change, error) {
	var changes []Change
	var failures []error
	for _, name := range files {
		if err := ctx.Err(); err != nil {
			return changes, err
		}
		p := filepath.Join(dir, filepath.FromSlash(name))
		pictures, err := l.Pictures(p)
		if err != nil {
			return changes, err
		}
		if len(pictures) > 0 && pictures[0] != p && !format.HoldsFiles(a) {
			continue // a later picture comes in with the first one
		}
		entry, names := convert.Stem(name), []string{name}
		if format.HoldsFiles(a) {
			entry, pictures = name, nil
		}
		if len(pictures) > 0 {
			entry = convert.PictureStem(name)
			for _, other := range pictures[1:] {
				names = append(names, path.Join(path.Dir(name), filepath.Base(other)))
			}
		}
		payload, f, err := newPayload(a, p, entry, l, env)
		if err == nil {
			err = a.Add(entry, payload, f)
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", name, err))
			continue
		}
		if placer, ok := a.(format.Placer); ok {
			entry = placer.Place(entry, payload, f)
		}
		changes = append(changes, Change{entry, "added", names, 0, int64(len(payload))})
	}
	return changes, errors.Join(failures...)
}

// newPayload encodes a file as the entry of the archive that its name asks for: in the format that the archive holds for
// its kind, or as it is when its extension says so.
func newPayload(a format.ArchiveFile, p, entry string, l *convert.Loader, env *format.Env) ([]byte, *format.Format, error) {
	if strings.EqualFold(filepath.Ext(p), rawExtension) || format.HoldsFiles(a) {
		b, err := convert.ReadFile(p)
		return b, nil, err
	}
	it, err := l.LoadEdited(p, env.Diagnostics)
	if err != nil {
		return nil, nil, err
	}
	if it.Format != nil {
		b, err := it.Format.Write(it.Value)
		return b, it.Format, err
	}
	kind := convert.KindOf(it.Asset)
	f := leafFormat(a, kind)
	if f == nil && kind == format.Model { // a scene that moves may be there for its motion
		f = leafFormat(a, format.Animation)
	}
	if f == nil || f.Lower == nil {
		return nil, nil, fmt.Errorf("the archive holds no %s that it could become", kind)
	}
	own := *env
	own.Archive, own.Entry, own.Turn = a, entry, func() {} // files are added one after another
	v, err := convert.Lower(f, it.Asset, &own)
	if err != nil {
		return nil, nil, err
	}
	b, err := f.Write(v)
	return b, f, err
}

// leafFormat returns the format in which an archive stores a kind.
func leafFormat(a format.ArchiveFile, kind format.Kind) *format.Format {
	if holder, ok := a.(format.Holder); ok {
		return holder.Leaf(kind)
	}
	for _, e := range a.Entries() {
		if e.Kind == kind && e.Format != nil {
			return e.Format
		}
	}
	return nil
}
