package convert

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"sync"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Original is the native asset that an edited file was made from. What the edited one cannot say is taken from it. It is
// read when it is first asked for, and may be used by several goroutines.
type Original struct {
	lift func() (asset.Asset, *format.Format, error)
}

// OriginalOf returns the original that is stored as the payload of an entry, or as a file.
func OriginalOf(f *format.Format, stored []byte, env *format.Env) *Original {
	return newOriginal(func() (asset.Asset, *format.Format, error) {
		if f.Read == nil || f.Lift == nil {
			return nil, nil, unbound(f)
		}
		v, err := f.Read(stored, nil)
		if err != nil {
			return nil, nil, err
		}
		own := *env.Given()
		own.Stored, own.Diagnostics, own.Original = stored, nil, nil
		a, err := f.Lift(v, &own)
		return a, f, err
	})
}

// originalAt returns the original at a place: FILE or ARCHIVE:ENTRY.
func (l *Loader) originalAt(operand string) *Original {
	return newOriginal(func() (asset.Asset, *format.Format, error) {
		p, entry, err := ParseOperand(operand)
		if err != nil {
			return nil, nil, fmt.Errorf("--base: %w", err)
		}
		own := Loader{Options: l.Options, Folders: l.Folders, listings: l.listings, Reads: l.Reads}
		own.Options.Base = ""
		it, err := own.Load(Source{Path: p, Entry: entry}, nil)
		if errors.Is(err, errArchive) {
			return nil, nil, fmt.Errorf("--base: %s: %w, or put the file into it with \"usher pack FILE --base ARCHIVE -o NEW\"", filepath.Base(p), err)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("--base: %w", schema.In(filepath.Base(p), err))
		}
		a, err := it.Lift()
		if err != nil {
			return nil, nil, fmt.Errorf("--base: %w", schema.In(filepath.Base(p), err))
		}
		return a, it.NativeFormat(), nil
	})
}

func newOriginal(lift func() (asset.Asset, *format.Format, error)) *Original {
	var once sync.Once
	var a asset.Asset
	var f *format.Format
	var err error
	return &Original{func() (asset.Asset, *format.Format, error) {
		once.Do(func() { a, f, err = lift() })
		return a, f, err
	}}
}

// Lift returns the original as an asset, which is not to be changed.
func (o *Original) Lift() (asset.Asset, error) {
	a, _, err := o.lift()
	return a, err
}

// scene returns the original as a scene.
func (o *Original) scene() (*asset.Scene, error) {
	a, f, err := o.lift()
	if err != nil {
		return nil, err
	}
	s, ok := a.(*asset.Scene)
	if !ok {
		if f == nil {
			return nil, fmt.Errorf("the original is no model")
		}
		return nil, fmt.Errorf("the original is no model, but a %s", f.Kind)
	}
	return s, nil
}

// LowerOnto encodes an edited item in the format of its original. What the item cannot say is taken from there, where
// the original is known.
func LowerOnto(f *format.Format, o *Original, it *Item, env *format.Env) ([]byte, error) {
	if f == nil || it == nil {
		return nil, errNothing
	}
	env = env.Given()
	if it.Format != nil && it.Format.Name == f.Name { // JSON says everything
		if env.Turn != nil { // it may add to the tables that the entries share
			env.Turn()
		}
		if f.Write == nil {
			return nil, unbound(f)
		}
		return f.Encode(it.Value)
	}
	if f.Lower == nil || f.Write == nil {
		return nil, schema.Errorf(f.Name, schema.ErrUnsupported, "", "it cannot be made from other formats")
	}
	edited, err := it.Lift()
	if err != nil {
		return nil, err
	}
	if o != nil {
		if err := o.complete(edited); err != nil {
			return nil, err
		}
	}
	v, err := Lower(f, edited, env)
	if err != nil {
		return nil, err
	}
	return f.Encode(v)
}

// errNothing is the error of a call without what it is about.
var errNothing = errors.New("there is nothing to make, or no format to make it in")

// unbound is the error of a format of which no function is known: a format of objects, without the archive that they are in.
func unbound(f *format.Format) error {
	return schema.Errorf(f.Name, schema.ErrUnsupported, "", "it means something in its archive alone: \"usher pack\" puts the file into one")
}

// complete gives an edited asset what only the original knows. A scene has most of that already, see [gltf.DecodeOnto].
func (o *Original) complete(edited asset.Asset) error {
	n := NativeOf(edited)
	if n != nil && len(n.Payload) > 0 {
		return nil
	}
	original, _, err := o.lift()
	if err != nil {
		return err
	}
	if was := NativeOf(original); n != nil && was != nil && n.Format == was.Format { // somebody wrote into a sidecar
		n.Payload = was.Payload
		values := maps.Clone(was.Values)
		if values == nil {
			values = map[string]any{}
		}
		maps.Copy(values, n.Values)
		n.Values = values
		return nil
	}
	inherit(edited, original)
	return nil
}

// completeFor is complete where a format is to be made that is the original's.
func (o *Original) completeFor(f *format.Format, edited asset.Asset) error {
	_, own, err := o.lift()
	if err != nil || own == nil || own.Name != f.Name {
		return err
	}
	return o.complete(edited)
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

// decodeScene reads a glTF file, with the original's help where that is known.
func decodeScene(b []byte, env *format.Env) (*asset.Scene, error) {
	if o, ok := env.Original.(*Original); ok && o != nil {
		return gltf.DecodeOnto(b, readBeside(env), o.scene, env.Diagnostics)
	}
	return gltf.Decode(b, readBeside(env), env.Diagnostics)
}
