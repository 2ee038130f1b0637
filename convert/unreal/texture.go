package unreal

import (
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// liftTexture turns a texture into an indexed picture with its palette: entry 0 is transparent where the texture is
// masked, the stored alpha is not looked at. Of a texture with a compressed list too, the larger of the two is shown,
// or the one that the user asked for (reference section 22).
func liftTexture(a *archive, i int, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
	x := o.(*unreal.Texture)
	comp := texture.ShowsCompressed(x, env)
	t, err := texture.ListPicture(a, x, comp)
	if err != nil {
		return nil, err
	}
	if t.Native, err = native(textureName, o); err != nil {
		return nil, err
	}
	if comp {
		t.Native.Values[listKey] = listComp
	}
	t.Native.Values["properties"] = settingsOf(a.p, o.Base())
	return t, nil
}

// native carries the stored bytes of an object.
func native(name string, o unreal.AnyObject) (*asset.Native, error) {
	b, err := write.Object(o)
	if err != nil {
		return nil, err
	}
	return &asset.Native{Format: name, Values: map[string]any{"class": o.Base().Class}, Payload: b}, nil
}

// original decodes the object that lift left in Native; nil when there is none.
func (a *archive) original(i int, name string, n *asset.Native) (unreal.AnyObject, error) {
	if n == nil || n.Format != name || len(n.Payload) == 0 {
		return nil, nil
	}
	if i < 0 {
		return nil, nil // the stored bytes name objects of their own package, not of this one
	}
	return a.decode(i, n.Payload, nil)
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func (a *archive) diagnostics() *schema.Diagnostics { return a.env.Told() }

// lowerTexture turns a picture into a texture: the stored one where the picture still looks the same, else one with
// the picture's pixels in the old palette if that has all its colours, in a new palette if not. The sides must be
// powers of two.
func lowerTexture(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	t, ok := v.(*asset.Texture)
	if !ok || t.Base() == nil {
		return nil, schema.Errorf(textureName, schema.ErrUnsupported, "", "a %T without a picture cannot become a texture", v)
	}
	p := a.painter(env)
	if i < 0 && t.Native != nil && t.Native.Format == fontName {
		return a.newFont(p, t)
	}
	if err := checkValues(t.Native, textureName, "class", "properties", listKey); err != nil {
		return nil, err
	}
	stored, err := a.original(i, textureName, t.Native)
	if err != nil {
		return nil, err
	}
	var settings any
	if t.Native != nil && t.Native.Format == textureName {
		settings = t.Native.Values["properties"]
	}
	if stored == nil {
		if t, err = p.Fit(t); err != nil {
			return nil, err
		}
		o, err := p.New(t)
		if err != nil {
			return nil, err
		}
		p.TellAlpha(o, t)
		return o, a.applySettings(o.Base(), 0, settings, p.Diagnostics)
	}
	o := stored.(*unreal.Texture)
	if err := a.applySettings(&o.Object, a.p.Exports[i].Class, settings, p.Diagnostics); err != nil {
		return nil, err
	}
	return o, p.Edit(o, t, t.Native.Values[listKey] == listComp)
}

// Native remembers which list a picture is of.
const (
	listKey  = "mips"
	listComp = "comp"
)

func (a *archive) painter(env *format.Env) *texture.Painter {
	p := &texture.Painter{Palettes: a, Package: a.p, Diagnostics: a.diagnostics()}
	if env != nil {
		p.Options, p.Diagnostics = env.Options, env.Diagnostics
	}
	return p
}
