package unreal

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// liftTexture turns a texture into an indexed picture with its palette: entry 0 is transparent where the texture is
// masked, the stored alpha is not looked at. Of a texture with a compressed list too, the larger of the two is shown,
// or the one that the user asked for (reference section 22). With ErrBare comes what is known of one without pixels.
func liftTexture(a *archive, x *unreal.Texture, env *format.Env) (asset.Asset, error) {
	comp := texture.ShowsCompressed(x, env)
	t, bare := texture.ListPicture(a, x, comp)
	if bare != nil && schema.Class(bare) != schema.ErrBare {
		return nil, bare
	}
	if bare != nil {
		t = &asset.Texture{Name: pack.LastName(x.Path)}
	}
	var err error
	if t.Native, err = pack.Native(textureName, x); err != nil {
		return nil, err
	}
	if comp {
		t.Native.Values[listKey] = listComp
	}
	t.Native.Values["properties"] = settingsOf(a.Package, x.Base())
	if env.Given().Moving && bare == nil {
		bare = animate(t, a.File, x, comp)
	}
	return t, bare
}

// lowerTexture turns a picture into a texture: the stored one where the picture still looks the same, else one with
// the picture's pixels in the old palette if that has all its colours, in a new palette if not. The sides must be
// powers of two.
func lowerTexture(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	t, ok := v.(*asset.Texture)
	if !ok || t.Base() == nil {
		return nil, schema.Errorf(textureName, schema.ErrUnsupported, "", "a %T without a picture cannot become a texture", v)
	}
	p := a.Painter(env)
	if i < 0 && t.Native != nil && t.Native.Format == fontName {
		return a.newFont(p, t)
	}
	if err := pack.CheckValues(t.Native, textureName, "class", "properties", listKey); err != nil {
		return nil, err
	}
	t, err := a.lowerChain(i, t, env)
	if err != nil {
		return nil, err
	}
	stored, err := a.Original(i, textureName, t.Native)
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
	o, ok := stored.(*unreal.Texture)
	if !ok {
		return nil, noneOf(textureName, stored)
	}
	if err := a.applySettings(&o.Object, a.Exports[i].Class, settings, p.Diagnostics); err != nil {
		return nil, err
	}
	return o, p.Edit(o, t, t.Native.Values[listKey] == listComp)
}

// Native remembers which list a picture is of.
const (
	listKey  = "mips"
	listComp = "comp"
)
