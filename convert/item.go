package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/gltf"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// ErrUnknown is the error of an input that no format recognises.
var ErrUnknown = errors.New("not recognised")

// Item is one input, read: a schema value when it came from a native format or JSON, an asset when it came from
// another interchange file.
type Item struct {
	Format *format.Format // of Value
	Value  any
	Asset  asset.Asset
	Env    *format.Env

	plain    bool     // exported for looking at: no sidecars
	document bool     // Value was read from JSON
	size     int64    // of the payload of an archive's entry
	open     *Archive // what Value may still read from
	file     *os.File // what Asset may still read from
}

// Close releases what the item was read from. It is called when the item has been exported.
func (it *Item) Close() {
	if it.open != nil {
		it.open.Close() // was only read from
	}
	if it.file != nil {
		it.file.Close()
	}
}

// Loader reads inputs. Its fields are the same for a whole batch.
type Loader struct {
	From    *format.Format // the format to read, instead of sniffing; nil sniffs
	Options format.Options
	Folders []string // where to look for files beside the input's own folder

	listings *listings // shared by the inputs of a run; nil lists for each
}

// sharing returns a loader for a run, whose inputs share what is known of their folders.
func (l Loader) sharing() Loader {
	l.listings = newListings()
	return l
}

// Env returns what a conversion of the file at p may look at.
func (l *Loader) Env(p string, d *schema.Diagnostics) *format.Env {
	folders := append([]string{filepath.Dir(p)}, l.Folders...)
	var named []string // files and folders that the user named
	if l.Options.Textures != "" {
		named = append(named, l.Options.Textures)
	}
	named = append(named, l.Options.With...)
	if l.Options.Names != "" {
		named = append(named, l.Options.Names)
	}
	if l.Options.Model != "" {
		if model, _, err := ParseOperand(l.Options.Model); err == nil {
			named, folders = append(named, model), append(folders, filepath.Dir(model)) // its textures lie beside it
		}
	}
	files := NewFiles(folders...)
	if l.listings != nil {
		files.listings = l.listings
	}
	files.named = named
	files.addWith(l.Options.With)
	return &format.Env{Name: filepath.Base(p), Files: files, Options: l.Options, Diagnostics: d}
}

// Load reads one source whole. Its caller closes the item.
func (l *Loader) Load(src Source, d *schema.Diagnostics) (*Item, error) {
	env := l.Env(src.Path, d)
	if src.Entry != "" {
		return l.loadEntry(src, env)
	}
	if it, err := l.loadLarge(src.Path, env); it != nil || err != nil {
		return it, err
	}
	b, err := readFile(src.Path)
	if err != nil {
		return nil, err
	}
	return l.Decode(b, env)
}

// loadLarge opens a GLB that is too large to be read whole; there is no item for other files.
func (l *Loader) loadLarge(p string, env *format.Env) (*Item, error) {
	const size = 64 << 20
	info, err := os.Stat(p)
	if err != nil || info.Size() < size || l.From != nil {
		return nil, nil
	}
	if _, x := sniffFile(p); x == nil || x.Name != "glb" {
		return nil, nil
	}
	file, err := os.Open(p)
	if err != nil {
		return nil, plainError(err)
	}
	s, err := gltf.DecodeAt(file, info.Size(), readBeside(env), env.Diagnostics)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &Item{Asset: s, Env: env, file: file}, nil
}

// loadInterchange reads a file of an unpacked folder: an interchange file by its extension, else whatever it is.
func (l *Loader) loadInterchange(p string, d *schema.Diagnostics) (*Item, error) {
	x := interchangeByExtension(path.Ext(p))
	plain := Loader{Options: l.Options, listings: l.listings}
	if x == nil {
		return plain.Load(Source{Path: p}, d)
	}
	b, err := readFile(p)
	if err != nil {
		return nil, err
	}
	return x.decode(b, plain.Env(p, d))
}

// loadEntry reads one entry of an archive on disk.
func (l *Loader) loadEntry(src Source, env *format.Env) (*Item, error) {
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
	return l.entryItem(a, i, payload, env)
}

// entryItem reads the payload of entry i of an open archive.
func (l *Loader) entryItem(a *Archive, i int, payload []byte, env *format.Env) (*Item, error) {
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

// Decode reads the bytes of one file.
func (l *Loader) Decode(b []byte, env *format.Env) (*Item, error) {
	f := l.From
	if f == nil {
		var x *Interchange
		if f, x = recognise(&format.Input{Name: env.Name, Head: b[:min(len(b), headSize)], Size: int64(len(b)), At: bytes.NewReader(b)}); x != nil {
			return x.decode(b, env)
		}
	}
	if f == nil {
		return nil, ErrUnknown
	}
	if f.Read == nil {
		return nil, fmt.Errorf("%s is an archive: name an entry, or unpack it", f.Name)
	}
	v, err := f.Read(b, env.Diagnostics)
	if err != nil {
		return nil, err
	}
	own := *env
	own.Stored = b
	return &Item{Format: f, Value: v, Env: &own}, nil
}

// Lift returns the item as an asset.
func (it *Item) Lift() (asset.Asset, error) {
	if it.Asset != nil {
		return it.Asset, nil
	}
	if it.Format.Lift == nil {
		return nil, fmt.Errorf("%s has no form other than JSON", it.Format.Name)
	}
	return it.Format.Lift(it.Value, it.Env)
}

// NativeFormat returns the format that the item was made from: its own, or the one that its asset remembers; nil when
// it comes from elsewhere.
func (it *Item) NativeFormat() *format.Format {
	if it.Format != nil {
		return it.Format
	}
	if n := nativeOf(it.Asset); n != nil {
		return FormatByName(n.Format)
	}
	if s, ok := it.Asset.(*asset.Scene); ok {
		for _, n := range s.Roots {
			if n.Native != nil && FormatByName(n.Native.Format) != nil {
				return FormatByName(n.Native.Format)
			}
		}
	}
	return nil
}

func nativeOf(a asset.Asset) *asset.Native {
	switch a := a.(type) {
	case *asset.Scene:
		return a.Native
	case *asset.Texture:
		return a.Native
	case *asset.Sound:
		return a.Native
	case *asset.Table:
		return a.Native
	case *asset.Text:
		return a.Native
	}
	return nil
}

// Target is what an item is to be turned into: an interchange file or a native format.
type Target struct {
	Extension   string         // of the main file, with its dot
	Format      *format.Format // nil for an interchange file
	interchange *Interchange
}

// ParseTarget understands what a user asks for: an extension with or without its dot, or the name of a format. When
// several formats share an extension, the one that the item was made from is taken if it is among them, else the first
// that can be lowered to.
func ParseTarget(name string, it *Item) (Target, error) {
	ext := "." + strings.TrimPrefix(strings.ToLower(name), ".")
	var own *format.Format
	if it != nil {
		own = it.NativeFormat()
	}
	if x := interchangeByExtension(ext); x != nil {
		if it != nil && own != nil && hasExtension(own, ext) && !carries(x, own) { // a table that is stored as text
			return Target{Extension: ext, Format: own}, nil
		}
		return Target{Extension: ext, interchange: x}, nil
	}
	if it != nil && it.Format != nil && slices.Contains(it.Format.Extensions, ext) && it.Format.Write != nil {
		return Target{Extension: ext, Format: it.Format}, nil // a voice bank is a .utf file as well as a utf tree is
	}
	if f := FormatByName(strings.TrimPrefix(name, ".")); f != nil {
		return Target{Extension: mainExtension(f), Format: f}, nil
	}
	candidates := FormatsByExtension(ext)
	if it != nil {
		for _, f := range candidates {
			if own != nil && f.Name == own.Name {
				return Target{Extension: ext, Format: own}, nil
			}
		}
		if own != nil && own.Lower != nil && numeric(ext) { // the number of a map says nothing of the format
			return Target{Extension: ext, Format: own}, nil
		}
	}
	for _, f := range candidates {
		if f.Lower != nil || f.Create != nil {
			if own := mainExtension(f); strings.HasSuffix(own, ext) { // "_d.3d" for ".3d"
				ext = own
			}
			return Target{Extension: ext, Format: f}, nil
		}
	}
	if len(candidates) > 0 {
		return Target{}, fmt.Errorf("%s can be read but not made", candidates[0].Name)
	}
	return Target{}, fmt.Errorf("nothing known makes %q files; \"usher formats\" lists what does", name)
}

func mainExtension(f *format.Format) string {
	if len(f.Extensions) == 0 || f.Extensions[0] == ".*" {
		return "." + f.Name
	}
	return f.Extensions[0]
}

// DefaultTarget is what an item becomes when the user does not say: the interchange file of its kind, or, coming from
// one, the native format that it was made from.
func DefaultTarget(it *Item) (Target, error) {
	if it.Asset != nil {
		f := it.NativeFormat()
		if f == nil {
			return Target{}, errors.New("it does not say what it was made from: choose a target with --to or -o")
		}
		return Target{Extension: mainExtension(f), Format: f}, nil
	}
	if it.document && it.Format.Write != nil {
		return Target{Extension: mainExtension(it.Format), Format: it.Format}, nil
	}
	ext := defaultExtension(it.Format)
	return Target{Extension: ext, interchange: interchangeByExtension(ext)}, nil
}

func defaultExtension(f *format.Format) string {
	switch {
	case f.Lift == nil:
		return ".json"
	case f.Shown != "":
		return f.Shown
	}
	switch f.Kind {
	case format.Model, format.Animation:
		return ".glb"
	case format.Texture:
		return ".png"
	case format.Sound:
		return ".wav"
	case format.Text:
		return ".txt"
	}
	return ".json"
}

// viewedIn returns the item as the view of its format that an interchange file can hold, itself when there is no need.
func (it *Item) viewedIn(x *Interchange) *Item {
	if it.Format == nil || carries(x, it.Format) {
		return it
	}
	for _, v := range it.Format.Views {
		if carries(x, v) {
			other := *it
			other.Format = v
			return &other
		}
	}
	return it
}

// Export turns an item into files: the main one first, named stem plus the target's extension, then its companions.
func (it *Item) Export(t Target, stem string) ([]File, error) {
	if t.interchange != nil {
		return t.interchange.encode(it.viewedIn(t.interchange), stem+t.Extension)
	}
	var companions []File
	env := *it.Env
	env.Stored = nil // belongs to what is lifted
	env.Output = path.Base(stem)
	env.Emit = func(name string, content []byte) error {
		companions = append(companions, File{Name: path.Join(path.Dir(stem), SafePath(name)), Content: content})
		return nil
	}
	v := it.Value
	adds := (env.Options.Wireframe || env.Options.Hulls) && t.Format.Kind == format.Model // to a model of the same format as well
	if it.Format == nil || it.Format.Name != t.Format.Name || adds {
		a, err := it.Lift()
		if err != nil {
			return nil, err
		}
		if t.Format.Lower == nil {
			return nil, cannotMake(t.Format)
		}
		if s, ok := a.(*asset.Scene); ok && !t.Format.Piecewise {
			if err := s.LoadAll(); err != nil {
				return nil, err
			}
		}
		if v, err = t.Format.Lower(a, &env); err != nil {
			return nil, err
		}
	}
	b, err := t.Format.Write(v)
	if err != nil {
		return nil, err
	}
	return append([]File{{Name: stem + t.Extension, Content: b}}, companions...), nil
}

// cannotMake says what to do instead of converting to a format.
func cannotMake(f *format.Format) error {
	switch {
	case f.Create != nil:
		return fmt.Errorf("%s is an archive: put the files into a folder and make it with \"usher pack FOLDER -o FILE\"", f.Name)
	case f.Read == nil:
		return fmt.Errorf("%s exists in archives only: put the file back into the folder that \"usher unpack\" made, and use \"usher pack\"", f.Name)
	}
	return fmt.Errorf("%s cannot be made from other formats", f.Name)
}

// readBeside reads a file that an interchange file refers to by a relative path.
func readBeside(env *format.Env) func(string) ([]byte, error) {
	return func(uri string) ([]byte, error) {
		b, _, err := env.Find(uri)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s not found", uri)
		}
		return b, err
	}
}
