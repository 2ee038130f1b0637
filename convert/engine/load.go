package engine

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/exchange/mp3"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// Loader reads inputs. One Loader serves a whole batch.
type Loader struct {
	From    *format.Format // the format to read; nil recognises it
	Options format.Options
	Folders []string              // folders to search for files after the input's own folder
	Detail  bool                  // Describe includes what belongs to an input in other files
	Base    *interchange.Original // what the inputs were made from; nil takes Options.Base
	Reads   *find.Reads           // records which files were read; may be nil

	against  string         // the file that the inputs are held against; may be empty
	place    string         // the file in whose place the inputs are read; may be empty
	instead  find.Instead   // files that are read elsewhere when an input refers to them; nil for none
	listings *find.Listings // shared by the inputs of a run; nil lists for each
}

// Sharing returns a loader whose inputs share what is known of folders. It is made for one run.
func (l Loader) Sharing() Loader {
	l.listings = find.NewListings(l.instead)
	return l
}

// Instead returns a loader whose inputs see some of the files that they refer to with changes which are not saved.
func (l Loader) Instead(files find.Instead) Loader {
	l.instead, l.listings = files, nil
	return l
}

// Shares reports whether the loader was made by Sharing, so the present work may be part of a larger run.
func (l *Loader) Shares() bool { return l.listings != nil }

// Env returns the environment for a conversion of the file at p.
func (l *Loader) Env(p string, d *schema.Diagnostics) *format.Env {
	name := filepath.Base(p)
	if l.place != "" {
		p = l.place
	}
	folders := append([]string{filepath.Dir(p)}, l.Folders...)
	named := l.Options.Named()
	if l.Options.Model != "" {
		if model, _, err := ParseOperand(l.Options.Model); err == nil {
			named, folders = append(named, model), append(folders, filepath.Dir(model)) // its textures lie beside it
		}
	}
	original := l.Base
	if l.Options.Base != "" && original == nil {
		base, _, err := ParseOperand(l.Options.Base)
		if err != nil || !isLibrary(base) {
			original = l.originalAt(l.Options.Base)
		}
		if err == nil {
			named, folders = append(named, base), append(folders, filepath.Dir(base))
		}
	}
	listings := l.listings
	if listings == nil {
		listings = find.NewListings(l.instead)
	}
	search := find.Search{Home: filepath.Dir(p), Stem: formats.Stem(filepath.Base(p)), Folders: folders, Named: named, With: l.Options.With, Listings: listings, Reads: l.Reads}
	if l.against != "" && l.place == "" {
		dir := filepath.Dir(l.against)
		search.Other = &find.Search{Home: dir, Stem: formats.Stem(filepath.Base(l.against)), Folders: append([]string{dir}, l.Folders...), Named: named, With: l.Options.With}
	}
	files := search.Files()
	env := &format.Env{Name: name, Files: files, Options: l.Options, Diagnostics: d, Decode: mp3.Decoded, Plain: l.against != ""}
	if original != nil {
		env.Original = original
	}
	return env
}

// isLibrary reports whether a file is one that several models share, and that takes in what was edited of one: no model was made
// from it.
func isLibrary(name string) bool {
	return slices.ContainsFunc(formats.ByExtension(strings.ToLower(filepath.Ext(name))), func(f *format.Format) bool { return f.Gather != nil && f.Lift == nil })
}

// Load reads one source. The caller closes the item.
func (l *Loader) Load(src Source, d *schema.Diagnostics) (*interchange.Item, error) {
	env := l.Env(src.Path, d)
	if src.Entry != "" {
		return l.LoadEntry(src, env)
	}
	if it, err := l.loadLarge(src.Path, env); it != nil || err != nil {
		return it, err
	}
	b, err := l.ReadFile(src.Path)
	if err != nil {
		return nil, err
	}
	return l.Decode(b, env)
}

// loadLarge opens a GLB that is too large to be read whole; there is no item for other files.
func (l *Loader) loadLarge(p string, env *format.Env) (*interchange.Item, error) {
	const size = 64 << 20
	info, err := os.Stat(p)
	if err != nil || info.Size() < size || l.From != nil || env.Original != nil {
		return nil, nil
	}
	if _, x := interchange.SniffFile(p); x == nil || x.Name != "glb" {
		return nil, nil
	}
	file, err := os.Open(p)
	if err != nil {
		return nil, disk.PlainError(err)
	}
	if l.Reads != nil {
		stamp, err := disk.StampOf(file)
		if err != nil {
			file.Close()
			return nil, err
		}
		l.Reads.Note(p, stamp, true)
	}
	s, err := gltf.DecodeAt(file, info.Size(), interchange.ReadBeside(env), env.Diagnostics)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &interchange.Item{Asset: s, Env: env, From: file}, nil
}

// ReadFile reads a file whole.
func (l *Loader) ReadFile(p string) ([]byte, error) {
	b, err := l.Reads.Read(p)
	if err != nil {
		return nil, disk.PlainError(err)
	}
	return b, nil
}

// LoadEdited reads a file of an unpacked folder. It is an interchange file if it has such an extension; otherwise it is
// recognised.
func (l *Loader) LoadEdited(p string, d *schema.Diagnostics) (*interchange.Item, error) {
	x := interchange.ByExtension(path.Ext(p))
	plain := Loader{Options: l.Options, Base: l.Base, listings: l.listings, Reads: l.Reads}
	if x == nil {
		return plain.Load(Source{Path: p}, d)
	}
	b, err := l.ReadFile(p)
	if err != nil {
		return nil, err
	}
	return x.Decode(b, plain.Env(p, d))
}

// LoadEntry reads one entry of an archive on disk.
func (l *Loader) LoadEntry(src Source, env *format.Env) (*interchange.Item, error) {
	a, err := store.OpenInside(src.Path, nil, env)
	if err != nil {
		return nil, err
	}
	it, err := l.openEntry(a, src.Entry, env)
	if err != nil {
		a.Close()
		return nil, err
	}
	it.From = a
	return it, nil
}

func (l *Loader) openEntry(a *store.Archive, path string, env *format.Env) (*interchange.Item, error) {
	i, err := a.Find(path)
	if err != nil {
		return nil, err
	}
	payload, err := a.Payload(i)
	if err != nil {
		return nil, err
	}
	return l.ReadEntry(a, i, payload, env)
}

// ReadEntry reads the payload of entry i of an open archive.
func (l *Loader) ReadEntry(a *store.Archive, i int, payload []byte, env *format.Env) (*interchange.Item, error) {
	e := a.Entries()[i]
	sub := *env
	sub.Archive, sub.Entry = a.ArchiveFile, e.Path
	f := e.Format
	if l.From != nil {
		f = l.From
	}
	f = f.Of(i, payload)
	if f == nil || f.Read == nil {
		return nil, fmt.Errorf("%s: %w: raw bytes, see \"usher cat\"", e.Path, formats.ErrUnknown)
	}
	v, err := f.Read(payload, sub.Diagnostics)
	if err != nil {
		return nil, schema.In(e.Path, err)
	}
	sub.Stored = payload
	if f.Kind != format.Texture {
		sub.Scratch = nil // an archive keeps the pictures that its models wear
	}
	return &interchange.Item{Format: f, Value: v, Env: &sub, Size: int64(len(payload))}, nil
}

// errArchive is what is wrong with an archive where one asset is wanted.
var errArchive = errors.New("is an archive: name an entry, or unpack it")

// Decode reads the bytes of one file.
func (l *Loader) Decode(b []byte, env *format.Env) (*interchange.Item, error) {
	f := l.From
	if f == nil {
		var x *interchange.Interchange
		if f, x = interchange.Recognise(formats.NewInput(env.Name, b)); x != nil {
			return x.Decode(b, env)
		}
	}
	if f == nil {
		return nil, interchange.Unknown(env.Name)
	}
	if f.Read == nil {
		return nil, fmt.Errorf("%s %w", f.Name, errArchive)
	}
	v, err := f.Read(b, env.Diagnostics)
	if err != nil {
		return nil, err
	}
	own := *env
	own.Stored = b
	return &interchange.Item{Format: f, Value: v, Env: &own}, nil
}

// PartOf returns the path of the model that a file of a format belongs to because it lies beside it; "" if there is none.
func (l *Loader) PartOf(p string, f *format.Format) string {
	files := find.Search{Folders: []string{filepath.Dir(p)}, Listings: l.listings}.Files()
	for _, ext := range f.Within {
		if model, ok := files.Locate(formats.Stem(filepath.Base(p)) + ext); ok {
			return model
		}
	}
	return ""
}

// Against returns a loader for a file that is compared with the one at path. A file beside the input is only used if the
// other file has one too. A file that only one side has is no difference between the two.
func (l Loader) Against(path string) Loader {
	l.against = path
	return l
}

// InPlaceOf returns a loader for a file that is to take the place of the one at path: what lies beside that belongs to it.
func (l Loader) InPlaceOf(path string) Loader {
	l.place = path
	return l
}

// Pictures returns the files of a texture with several pictures, one of which is the file p.
func (l *Loader) Pictures(p string) (files []string, err error) {
	if !interchange.Numbered(p) {
		return nil, nil
	}
	plain := Loader{listings: l.listings}
	return interchange.PicturesOf(p, plain.Env(p, nil))
}
