package unreal

import (
	"reflect"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// liftFont gives the pages of a font as the frames of one texture, in true colour where there are several, since each
// page has its own palette. The places of the characters are the value "pages": a list of pages of [u, v, width,
// height].
func liftFont(a *archive, i int, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
	f := o.(*unreal.Font)
	t, err := a.fontPages(f)
	if err != nil {
		return nil, err
	}
	if t.Native, err = native(fontName, f); err != nil {
		return nil, err
	}
	t.Native.Values["pages"] = pageValues(f)
	return t, nil
}

// maxTexels bounds the pages of a font, which may name one texture again and again.
const maxTexels = 1 << 26

func (a *archive) fontPages(f *unreal.Font) (*asset.Texture, error) {
	if f.Package.Version < unreal.CountedVersion {
		return a.picture(fontTexture(f))
	}
	t := &asset.Texture{Name: lastName(f.Path), Alpha: asset.Mask}
	texels := 0
	for n, p := range f.Pages {
		owner, k := a.resolve(p.Texture)
		if owner == nil {
			return nil, schema.Errorf(fontName, schema.ErrUnsupported, "pages", "page %d, %s, is not at hand", n, refText(a.p, p.Texture))
		}
		x, err := owner.object(k)
		if err != nil {
			return nil, err
		}
		tex, ok := x.(*unreal.Texture)
		if !ok {
			return nil, schema.Errorf(fontName, schema.ErrMismatch, "pages", "page %d, %s, is no texture", n, refText(a.p, p.Texture))
		}
		page, err := owner.picture(tex)
		if err != nil {
			return nil, err
		}
		if texels += page.Base().Width * page.Base().Height; texels > maxTexels {
			return nil, schema.Errorf(fontName, schema.ErrLimit, "pages", "%s: the pages have more than %d texels", f.Path, maxTexels)
		}
		t.Frames = append(t.Frames, asset.Frame{Name: page.Name, Mips: []asset.Image{trueColor(page)}})
	}
	return t, nil
}

// fontTexture is the texture that an old font is.
func fontTexture(f *unreal.Font) *unreal.Texture {
	return &unreal.Texture{Object: f.Object, Mips: f.Mips, Compressed: f.Compressed, HasComp: f.HasComp}
}

func trueColor(t *asset.Texture) asset.Image {
	m := asset.NewImage(t.Base().Width, t.Base().Height, asset.RGBA8)
	for i, p := range pixels(t) {
		copy(m.Pix[4*i:], p[:])
	}
	return m
}

func pageValues(f *unreal.Font) []any {
	if f.Package.Version < unreal.CountedVersion {
		return []any{charValues(f.Characters)}
	}
	pages := []any{}
	for _, p := range f.Pages {
		pages = append(pages, charValues(p.Characters))
	}
	return pages
}

func charValues(chars []unreal.Char) []any {
	list := []any{}
	for _, c := range chars {
		list = append(list, []any{float64(c.StartU), float64(c.StartV), float64(c.USize), float64(c.VSize)})
	}
	return list
}

// lowerFont takes over the places of the characters, and, of a font from before version 64, the picture. The pages of
// newer ones are textures of their own and are edited there.
func lowerFont(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	t, ok := v.(*asset.Texture)
	if !ok || t.Base() == nil {
		return nil, schema.Errorf(fontName, schema.ErrUnsupported, "", "a %T without a picture cannot become a font", v)
	}
	stored, err := a.original(i, fontName, t.Native)
	if err != nil {
		return nil, err
	}
	f, ok := stored.(*unreal.Font)
	if !ok {
		return nil, schema.Errorf(fontName, schema.ErrUnsupported, "", "a new font needs the places of its characters: edit one that exists")
	}
	old, err := a.fontPages(f)
	if err != nil {
		return nil, err
	}
	if err := a.lowerPages(f, old, t, env); err != nil {
		return nil, err
	}
	return f, setCharacters(f, t.Native.Values["pages"])
}

func (a *archive) lowerPages(f *unreal.Font, old, t *asset.Texture, env *format.Env) error {
	same := len(old.Frames) == len(t.Frames)
	for n := 0; same && n < len(old.Frames); n++ {
		x, y := *old, *t
		x.Frames, y.Frames = old.Frames[n:n+1], t.Frames[n:n+1]
		same = samePicture(&x, &y)
	}
	if same {
		return nil
	}
	if f.Package.Version >= unreal.CountedVersion {
		return schema.Errorf(fontName, schema.ErrUnsupported, "pages", "the pages of this font are textures of their own: edit those")
	}
	if err := checkSides(t.Base()); err != nil {
		return err
	}
	x := fontTexture(f)
	err := a.repaint(x, old, t, diagnostics(env))
	f.Object, f.Mips, f.Compressed, f.HasComp = x.Object, x.Mips, x.Compressed, x.HasComp
	return err
}

// setCharacters takes edited places of characters.
func setCharacters(f *unreal.Font, value any) error {
	if value == nil || reflect.DeepEqual(value, any(pageValues(f))) {
		return nil
	}
	bad := schema.Errorf(fontName, schema.ErrValue, "pages", "expected a list of pages of [u, v, width, height]")
	pages, ok := value.([]any)
	if !ok || f.Package.Version < unreal.CountedVersion && len(pages) != 1 || f.Package.Version >= unreal.CountedVersion && len(pages) != len(f.Pages) {
		return bad
	}
	for n, p := range pages {
		list, ok := p.([]any)
		if !ok {
			return bad
		}
		chars := make([]unreal.Char, len(list))
		for k, c := range list {
			v, ok := c.([]any)
			if !ok || len(v) != 4 {
				return bad
			}
			for m, field := range []*int32{&chars[k].StartU, &chars[k].StartV, &chars[k].USize, &chars[k].VSize} {
				x, ok := number(v[m])
				if !ok {
					return bad
				}
				*field = int32(x)
			}
		}
		if f.Package.Version < unreal.CountedVersion {
			f.Characters = chars
		} else {
			f.Pages[n].Characters = chars
		}
	}
	return nil
}

// number returns a JSON number.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	}
	return 0, false
}
