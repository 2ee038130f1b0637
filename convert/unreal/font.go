package unreal

import (
	"maps"
	"reflect"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// liftFont gives the pages of a font as the frames of one texture, in true colour where there are several, since each
// page has its own palette. The places of the characters are the value "pages": a list of pages of [u, v, width,
// height].
func liftFont(a *archive, f *unreal.Font, env *format.Env) (asset.Asset, error) {
	t, err := a.fontPages(f)
	if err != nil {
		return nil, err
	}
	if t.Native, err = pack.Native(fontName, f); err != nil {
		return nil, err
	}
	t.Native.Values["pages"] = pageValues(f)
	if f.Package.Version >= unreal.CountedVersion {
		maps.Copy(t.Native.Values, fontFields(f).Values())
	}
	return t, nil
}

// fontFields are those of a font that a person may edit, besides the places of the characters.
func fontFields(f *unreal.Font) scene.Fields {
	return scene.Fields{"charactersOnPage": &f.CharactersOnPage}
}

// takeFields takes over what a person may have changed of a font that has pages.
func takeFields(f *unreal.Font, n *asset.Native) error {
	was := f.CharactersOnPage
	if err := fontFields(f).Take(fontName, f.Path, n); err != nil {
		return err
	}
	if x := f.CharactersOnPage; x != was && (x < 1 || x > maxOnPage || x&(x-1) != 0) { // the engine ends over others
		return schema.In(f.Path, schema.Errorf(fontName, schema.ErrValue, "charactersOnPage", "%d is no power of two from 1 to %d", x, maxOnPage))
	}
	return nil
}

// maxOnPage is the number of characters that there are: more cannot be on a page.
const maxOnPage = 1 << 16

// maxTexels bounds the pages of a font, which may name one texture again and again.
const maxTexels = 1 << 26

func (a *archive) fontPages(f *unreal.Font) (*asset.Texture, error) {
	if f.Package.Version < unreal.CountedVersion {
		return texture.Picture(a, fontTexture(f))
	}
	t := &asset.Texture{Name: pack.LastName(f.Path), Alpha: asset.Mask}
	texels := 0
	for n, p := range f.Pages {
		owner, k := a.Resolve(p.Texture)
		if owner == nil {
			return nil, schema.Errorf(fontName, schema.ErrUnsupported, "pages", "page %d, %s, is not at hand", n, a.RefText(p.Texture))
		}
		tex, err := pack.As[unreal.Texture](owner, k)
		if err != nil {
			return nil, err
		}
		if tex == nil {
			return nil, schema.Errorf(fontName, schema.ErrMismatch, "pages", "page %d, %s, is no texture", n, a.RefText(p.Texture))
		}
		page, err := texture.Picture(owner, tex)
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
	for i, p := range texture.Pixels(t) {
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
	stored, err := a.Original(i, fontName, t.Native)
	if err != nil {
		return nil, err
	}
	f, ok := stored.(*unreal.Font)
	if !ok {
		return a.newFont(a.Painter(env), t)
	}
	old, err := a.fontPages(f)
	if err != nil {
		return nil, err
	}
	if err := a.lowerPages(f, old, t, env); err != nil {
		return nil, err
	}
	if f.Package.Version >= unreal.CountedVersion {
		if err := takeFields(f, t.Native); err != nil {
			return nil, err
		}
	}
	return f, setCharacters(f, t.Native.Values["pages"])
}

func (a *archive) lowerPages(f *unreal.Font, old, t *asset.Texture, env *format.Env) error {
	same := len(old.Frames) == len(t.Frames)
	for n := 0; same && n < len(old.Frames); n++ {
		x, y := *old, *t
		x.Frames, y.Frames = old.Frames[n:n+1], t.Frames[n:n+1]
		same = texture.Same(&x, &y)
	}
	if same {
		return nil
	}
	if f.Package.Version >= unreal.CountedVersion {
		return schema.Errorf(fontName, schema.ErrUnsupported, "pages", "the pages of this font are textures of their own: edit those")
	}
	if err := texture.CheckSides(t.Base()); err != nil {
		return err
	}
	x := fontTexture(f)
	p := a.Painter(env)
	err := p.Repaint(x, old, t)
	p.TellAlpha(x, t)
	f.Object, f.Mips, f.Compressed, f.HasComp = x.Object, x.Mips, x.Compressed, x.HasComp
	return err
}

// setCharacters takes edited places of characters.
func setCharacters(f *unreal.Font, value any) error {
	if value == nil || reflect.DeepEqual(value, any(pageValues(f))) {
		return nil
	}
	pages, err := charPages(value)
	if err != nil {
		return err
	}
	if f.Package.Version < unreal.CountedVersion {
		if len(pages) != 1 {
			return badPages(1)
		}
		f.Characters = pages[0]
		return nil
	}
	if len(pages) != len(f.Pages) {
		return badPages(len(f.Pages))
	}
	for n := range pages {
		f.Pages[n].Characters = pages[n]
	}
	return nil
}

func badPages(n int) error {
	return schema.Errorf(fontName, schema.ErrValue, "pages", "expected a list of %d pages of [u, v, width, height]", n)
}

// charPages reads the readable form of the places of characters.
func charPages(value any) ([][]unreal.Char, error) {
	bad := schema.Errorf(fontName, schema.ErrValue, "pages", "expected a list of pages of [u, v, width, height]")
	pages, ok := value.([]any)
	if !ok {
		return nil, bad
	}
	all := make([][]unreal.Char, len(pages))
	for n, p := range pages {
		list, ok := p.([]any)
		if !ok {
			return nil, bad
		}
		all[n] = make([]unreal.Char, len(list))
		for k, c := range list {
			v, ok := c.([]any)
			if !ok || len(v) != 4 {
				return nil, bad
			}
			x := &all[n][k]
			for m, field := range []*int32{&x.StartU, &x.StartV, &x.USize, &x.VSize} {
				if *field, ok = pack.Whole32(v[m]); !ok {
					return nil, bad
				}
			}
		}
	}
	return all, nil
}

// newFont makes a font of the pictures of its pages, which become textures of their own from version 64 on, and the
// value "pages" (reference section 10).
func (a *archive) newFont(p *texture.Painter, t *asset.Texture) (unreal.AnyObject, error) {
	if t.Native == nil || t.Native.Values["pages"] == nil {
		return nil, schema.Errorf(fontName, schema.ErrValue, "pages", "a new font needs the places of its characters")
	}
	pages, err := charPages(t.Native.Values["pages"])
	if err != nil {
		return nil, err
	}
	if len(pages) != len(t.Frames) {
		return nil, badPages(len(t.Frames))
	}
	if a.Version < unreal.CountedVersion && len(pages) > 1 {
		return nil, schema.Errorf(fontName, schema.ErrUnsupported, "pages", "fonts before version 64 have one page")
	}
	f := &unreal.Font{}
	f.Context, f.End = &unreal.Context{Package: a.Package, Class: "Font"}, a.AddName("None")
	for n := range t.Frames {
		img := &t.Frames[n].Mips[0]
		if err := texture.CheckSides(img); err != nil {
			return nil, err
		}
		if err := checkCharacters(pages[n], img, n); err != nil {
			return nil, err
		}
		page := *t
		page.Frames, page.Native = t.Frames[n:n+1], nil
		if err := a.addPage(p, f, &page, pages[n]); err != nil {
			return nil, err
		}
	}
	if a.Version < unreal.CountedVersion {
		return f, nil
	}
	if a.Version >= unreal.RemapVersion {
		f.Remap = new(unreal.FontRemap)
	}
	return f, countOnPages(f, t.Native)
}

// countOnPages says how many characters the pages of a new font hold: a power of two. A page but the last that has fewer must
// be meant to, since the codes of all characters on the pages after it depend on the number.
func countOnPages(f *unreal.Font, n *asset.Native) error {
	most := 1
	for _, p := range f.Pages {
		for most < len(p.Characters) {
			most *= 2
		}
	}
	f.CharactersOnPage = int32(most)
	if n.Values["charactersOnPage"] != nil {
		return takeFields(f, n)
	}
	for i, p := range f.Pages[:len(f.Pages)-1] {
		if len(p.Characters) != most {
			return schema.Errorf(fontName, schema.ErrValue, "pages", "page %d has %d characters: each but the last has %d, or charactersOnPage says how many, a power of two",
				i, len(p.Characters), most)
		}
	}
	return nil
}

// addPage gives a font another page: a new texture, or, before version 64, the font's own picture.
func (a *archive) addPage(p *texture.Painter, f *unreal.Font, page *asset.Texture, chars []unreal.Char) error {
	o, err := p.New(page)
	if err != nil {
		return err
	}
	if a.Version < unreal.CountedVersion {
		f.Properties, f.Mips, f.Characters = o.Properties, o.Mips, chars
		return nil
	}
	r, err := a.AddPart("Texture", a.FreeName(0, pack.CleanName(page.Name, "Font")+"Page", 0), o)
	if err != nil {
		return err
	}
	f.Pages = append(f.Pages, unreal.FontPage{Texture: r, Characters: chars})
	return nil
}

// checkCharacters refuses characters that lie outside their page.
func checkCharacters(chars []unreal.Char, page *asset.Image, n int) error {
	for k, c := range chars {
		if c.StartU < 0 || c.StartV < 0 || c.USize < 0 || c.VSize < 0 || int(c.StartU)+int(c.USize) > page.Width || int(c.StartV)+int(c.VSize) > page.Height {
			return schema.Errorf(fontName, schema.ErrRange, "pages", "character %d of page %d lies outside its %d x %d texels", k, n, page.Width, page.Height)
		}
	}
	return nil
}
