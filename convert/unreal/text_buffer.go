package unreal

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// liftText gives the text with its line ends; the source of a class is a .uc file.
func liftText(a *archive, x *unreal.TextBuffer, env *format.Env) (asset.Asset, error) {
	t := &asset.Text{Name: pack.LastName(x.Path), Body: x.Text.Text, Extension: ".uc"}
	var err error
	t.Native, err = pack.Native(textName, x)
	return t, err
}

func lowerText(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	t, ok := v.(*asset.Text)
	if !ok {
		return nil, schema.Errorf(textName, schema.ErrUnsupported, "", "a %T cannot become a text", v)
	}
	stored, err := a.Original(i, textName, t.Native)
	if err != nil {
		return nil, err
	}
	x, old := stored.(*unreal.TextBuffer)
	if !old {
		x = new(unreal.TextBuffer)
		x.Context, x.End = &unreal.Context{Package: a.Package, Class: "TextBuffer"}, a.AddName("None")
	}
	if !old || x.Text.Text != t.Body {
		form := unreal.NameBytes
		if x.Text.Form == unreal.NameWide || x.Text.Form == unreal.NameRawWide {
			form = unreal.NameWide
		}
		x.Text = unreal.Str{Text: t.Body, Form: form}
	}
	return x, nil
}
