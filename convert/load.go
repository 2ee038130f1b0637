package convert

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/exchange/mp3"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// Loader reads inputs. Its fields are the same for a whole batch.
type Loader struct {
	From    *format.Format // the format to read, instead of sniffing; nil sniffs
	Options format.Options
	Folders []string  // where to look for files beside the input's own folder
	Detail  bool      // Describe says also what belongs to an input and lies in other files
	Base    *Original // what the inputs were made from; nil takes Options.Base
	Reads   *Reads    // notes what was read of files on disk; may be nil

	against  string    // the file that the inputs are held against; may be empty
	listings *listings // shared by the inputs of a run; nil lists for each
}

// Sharing returns a loader for a run, whose inputs share what is known of their folders.
func (l Loader) Sharing() Loader {
	l.listings = newListings()
	return l
}

// Shares reports whether the loader is one for a run already: what is done with it may be a part of a larger run.
func (l *Loader) Shares() bool { return l.listings != nil }

// Env returns what a conversion of the file at p may look at.
func (l *Loader) Env(p string, d *schema.Diagnostics) *format.Env {
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
	files := NewFiles(folders...)
	files.home = filepath.Dir(p)
	if l.listings != nil {
		files.listings = l.listings
	}
	files.named, files.reads = named, l.Reads
	files.addWith(l.Options.With)
	if l.against != "" {
		files.hold(l)
	}
	env := &format.Env{Name: filepath.Base(p), Files: files, Options: l.Options, Diagnostics: d, Decode: mp3.Decoded, Plain: l.against != ""}
	if original != nil {
		env.Original = original
	}
	return env
}

// isLibrary reports whether a file is one that several models share, and that takes in what was edited of one: no model was made
// from it.
func isLibrary(name string) bool {
	return slices.ContainsFunc(FormatsByExtension(strings.ToLower(filepath.Ext(name))), func(f *format.Format) bool { return f.Gather != nil && f.Lift == nil })
}

// Load reads one source whole. Its caller closes the item.
func (l *Loader) Load(src Source, d *schema.Diagnostics) (*Item, error) {
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
func (l *Loader) loadLarge(p string, env *format.Env) (*Item, error) {
	const size = 64 << 20
	info, err := os.Stat(p)
	if err != nil || info.Size() < size || l.From != nil || env.Original != nil {
		return nil, nil
	}
	if _, x := SniffFile(p); x == nil || x.Name != "glb" {
		return nil, nil
	}
	file, err := os.Open(p)
	if err != nil {
		return nil, PlainError(err)
	}
	if l.Reads != nil {
		stamp, err := disk.StampOf(file)
		if err != nil {
			file.Close()
			return nil, err
		}
		l.Reads.note(p, stamp, true)
	}
	s, err := gltf.DecodeAt(file, info.Size(), readBeside(env), env.Diagnostics)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &Item{Asset: s, Env: env, file: file}, nil
}

// ReadFile reads a file whole.
func (l *Loader) ReadFile(p string) ([]byte, error) {
	b, err := l.Reads.read(p)
	if err != nil {
		return nil, PlainError(err)
	}
	return b, nil
}

// LoadEdited reads a file of an unpacked folder: an interchange file by its extension, else whatever it is.
func (l *Loader) LoadEdited(p string, d *schema.Diagnostics) (*Item, error) {
	x := InterchangeByExtension(path.Ext(p))
	plain := Loader{Options: l.Options, Base: l.Base, listings: l.listings, Reads: l.Reads}
	if x == nil {
		return plain.Load(Source{Path: p}, d)
	}
	b, err := l.ReadFile(p)
	if err != nil {
		return nil, err
	}
	return x.decode(b, plain.Env(p, d))
}

// LoadEntry reads one entry of an archive on disk.
func (l *Loader) LoadEntry(src Source, env *format.Env) (*Item, error) {
	a, err := OpenArchive(src.Path, nil, env)
	if err != nil {
		return nil, err
	}
	it, err := l.openEntry(a, src.Entry, env)
	if err != nil {
		a.Close()
		return nil, err
	}
	it.open = a
	return it, nil
}

func (l *Loader) openEntry(a *Archive, path string, env *format.Env) (*Item, error) {
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
func (l *Loader) ReadEntry(a *Archive, i int, payload []byte, env *format.Env) (*Item, error) {
	e := a.Entries()[i]
	sub := *env
	sub.Archive, sub.Entry = a.ArchiveFile, e.Path
	f := e.Format
	if l.From != nil {
		f = l.From
	}
	f = f.Of(i, payload)
	if f == nil || f.Read == nil {
		return nil, fmt.Errorf("%s: %w: raw bytes, see \"usher cat\"", e.Path, ErrUnknown)
	}
	v, err := f.Read(payload, sub.Diagnostics)
	if err != nil {
		return nil, schema.In(e.Path, err)
	}
	sub.Stored = payload
	if f.Kind != format.Texture {
		sub.Scratch = nil // an archive keeps the pictures that its models wear
	}
	return &Item{Format: f, Value: v, Env: &sub, size: int64(len(payload))}, nil
}

// errArchive is what is wrong with an archive where one asset is wanted.
var errArchive = errors.New("is an archive: name an entry, or unpack it")

// Decode reads the bytes of one file.
func (l *Loader) Decode(b []byte, env *format.Env) (*Item, error) {
	f := l.From
	if f == nil {
		var x *Interchange
		if f, x = Recognise(NewInput(env.Name, b)); x != nil {
			return x.decode(b, env)
		}
	}
	if f == nil {
		return nil, Unknown(env.Name)
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
	return &Item{Format: f, Value: v, Env: &own}, nil
}
