package convert

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Item is one input, read: a schema value when it came from a native format or JSON, an asset when it came from
// another interchange file.
type Item struct {
	Format *format.Format // of Value
	Value  any
	Asset  asset.Asset
	Env    *format.Env

	Plain    bool     // exported for looking at: no sidecars
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

// Lift returns the item as an asset.
func (it *Item) Lift() (asset.Asset, error) {
	if a := asset.Given(it.Asset); a != nil {
		return a, nil
	}
	if it.Format == nil {
		return nil, errors.New("there is nothing to convert")
	}
	if it.Format.Lift == nil {
		if f := FormatByName(it.Format.Beside); f != nil {
			return nil, fmt.Errorf("%s alone has no form other than JSON: convert the %s file that it lies beside", it.Format.Name, f.Extensions[0])
		}
		return nil, fmt.Errorf("%s has no form other than JSON", it.Format.Name)
	}
	a, err := it.Format.Lift(it.Value, it.Env)
	if s, ok := a.(*asset.Scene); ok && err == nil && s.Native != nil && it.misnamed() {
		scene.SetShown(s.Native, keyExtension, it.ownExtension())
	}
	return a, err
}

// keyExtension is under which a scene remembers the extension of its file, where that is another format's.
const keyExtension = "extension"

// misnamed reports whether the item is a file with the extension of another format: people call compounds .3db.
func (it *Item) misnamed() bool {
	ext := it.ownExtension()
	return it.Env != nil && it.Env.Archive == nil && !hasExtension(it.Format, ext) && len(FormatsByExtension(ext)) > 0
}

// ownExtension returns the extension of the file that the item was made from, in lower case; empty where nobody knows it.
func (it *Item) ownExtension() string {
	if it.Format != nil && it.Env != nil {
		return strings.ToLower(path.Ext(it.Env.Name))
	}
	return scene.ShownText(NativeOf(it.Asset), keyExtension)
}

// NativeFormat returns the format that the item was made from: its own, or the one that its asset remembers; nil when
// it comes from elsewhere.
func (it *Item) NativeFormat() *format.Format {
	if it.Format != nil {
		return it.Format
	}
	if n := NativeOf(it.Asset); n != nil {
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

// NativeOf returns what an asset keeps of its source; nil when there is nothing.
func NativeOf(a asset.Asset) *asset.Native {
	a = asset.Given(a)
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
	files, err := it.export(t, stem)
	if err == nil {
		err = Unread(it.Env)
	}
	return files, err
}

// checkAnimation returns an error when the options name an animation that a model does not have. A file that holds all
// of them has no other use for the name.
func (it *Item) checkAnimation() error {
	want := it.Env.Options.Animation
	if want == "" {
		return nil
	}
	a, err := it.Lift()
	if err != nil {
		return err
	}
	s, ok := a.(*asset.Scene)
	if !ok {
		return nil
	}
	var names []string
	for _, a := range s.Animations {
		if a.Name == want {
			return nil
		}
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return fmt.Errorf("it has no animation %q: it has none", want)
	}
	return fmt.Errorf("it has no animation %q, but %s", want, strings.Join(names, ", "))
}

func (it *Item) export(t Target, stem string) ([]File, error) {
	if t.interchange != nil {
		if err := it.checkAnimation(); err != nil {
			return nil, err
		}
		return t.interchange.encode(it.viewedIn(t.interchange), stem+t.Extension)
	}
	stem = t.stem(stem)
	var companions []File
	env := *it.Env
	env.Stored = nil // belongs to what is lifted
	env.Output = path.Base(stem)
	env.Emit = func(name string, content []byte) error {
		companions = append(companions, File{Name: path.Join(path.Dir(stem), SafePath(name)), Content: content})
		return nil
	}
	v := it.Value
	adds := env.Options.Adds() && t.Format.Kind == format.Model // to a model of the same format as well
	straight := false
	if it.Format != nil && it.Format.Into != nil {
		out, ok, err := it.Format.Into(it.Value, t.Format.Name, &env)
		if err != nil {
			return nil, err
		}
		if straight = ok; ok {
			v = out
		}
	}
	if !straight && (it.Format == nil || it.Format.Name != t.Format.Name || adds) {
		a, err := it.Lift()
		if err != nil {
			return nil, err
		}
		if t.Format.Lower == nil {
			return nil, cannotMake(t.Format)
		}
		if o, ok := it.Env.Original.(*Original); ok && it.Asset != nil {
			if err := o.completeFor(t.Format, a); err != nil {
				return nil, err
			}
		}
		if s, ok := a.(*asset.Scene); ok && !t.Format.Piecewise {
			if err := s.LoadAll(); err != nil {
				return nil, err
			}
			if err := checkCopies(t.Format, s); err != nil {
				return nil, err
			}
		}
		if v, err = Lower(t.Format, a, &env); err != nil {
			return nil, err
		}
	}
	if t.Format.Write == nil {
		return nil, unbound(t.Format)
	}
	b, err := t.Format.Encode(v)
	if err != nil {
		return nil, err
	}
	return append([]File{{Name: t.name(stem), Content: b}}, companions...), nil
}

// readBeside reads a file that an interchange file refers to by a relative path.
func readBeside(env *format.Env) func(string) ([]byte, error) {
	return func(uri string) ([]byte, error) {
		b, _, err := env.Find(uri)
		if errors.Is(err, fs.ErrNotExist) {
			if strings.Contains(uri, "..") {
				return nil, fmt.Errorf("%s not found: what lies above the file is not read; --texture-dir names its folder, --with the file", uri)
			}
			return nil, fmt.Errorf("%s not found", uri)
		}
		return b, err
	}
}
