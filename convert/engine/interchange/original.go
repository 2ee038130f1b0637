package interchange

import (
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Original is the native asset that an edited file was made from. It supplies what the edited file cannot express. It is
// read on first use. Several goroutines may use it.
type Original struct {
	lift func() (asset.Asset, *format.Format, error)
}

// OriginalOf returns the original whose stored bytes are the payload of an entry, or a file.
func OriginalOf(f *format.Format, stored []byte, env *format.Env) *Original {
	return NewOriginal(func() (asset.Asset, *format.Format, error) {
		if f.Read == nil || f.Lift == nil {
			return nil, nil, Unbound(f)
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

// NewOriginal returns an original that lift reads on first use.
func NewOriginal(lift func() (asset.Asset, *format.Format, error)) *Original {
	var once sync.Once
	var a asset.Asset
	var f *format.Format
	var err error
	return &Original{func() (asset.Asset, *format.Format, error) {
		once.Do(func() { a, f, err = lift() })
		return a, f, err
	}}
}

// Lift returns the original as an asset. The caller must not change it.
func (o *Original) Lift() (asset.Asset, error) {
	a, _, err := o.lift()
	return a, err
}

// format returns the format of the original; nil if it cannot be read.
func (o *Original) format() *format.Format {
	_, f, err := o.lift()
	if err != nil {
		return nil
	}
	return f
}

// Scene returns the original as a scene.
func (o *Original) Scene() (*asset.Scene, error) {
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

// Unbound returns the error for a format without functions: a format of objects that needs the archive they are in.
func Unbound(f *format.Format) error {
	return schema.Errorf(f.Name, schema.ErrUnsupported, "", "it means something in its archive alone: \"usher pack\" puts the file into one")
}

// Complete adds what only the original knows to an edited asset. Most of that is already in a scene, see [gltf.DecodeOnto].
func (o *Original) Complete(edited asset.Asset) error {
	n := NativeOf(edited)
	if n != nil && len(n.Payload) > 0 {
		return nil
	}
	original, _, err := o.lift()
	if err != nil && !(errors.Is(err, schema.ErrBare) && original != nil) { // of what was taken out the rest is there
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

// CompleteFor calls Complete if the target format is that of the original.
func (o *Original) CompleteFor(f *format.Format, edited asset.Asset) error {
	_, own, err := o.lift()
	if err != nil || own == nil || own.Name != f.Name {
		return err
	}
	return o.Complete(edited)
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
