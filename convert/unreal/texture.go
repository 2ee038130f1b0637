package unreal

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
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
	comp := showsCompressed(x, env)
	t, err := a.listPicture(x, comp)
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

func (a *archive) indexed(t *asset.Texture, o *unreal.Texture) error {
	pal, err := a.palette(o)
	if err != nil {
		return err
	}
	t.Palette = visiblePalette(pal, t.Alpha == asset.Mask)
	frame := asset.Frame{Name: t.Name}
	for _, m := range o.Mips {
		if len(m.Pixels) == 0 {
			break
		}
		if err := schema.DefaultLimits.Picture(textureName, int(m.USize), int(m.VSize), 1); err != nil {
			return err
		}
		frame.Mips = append(frame.Mips, asset.Image{Width: int(m.USize), Height: int(m.VSize), Format: asset.Indexed8, Pix: m.Pixels})
	}
	t.Frames = []asset.Frame{frame}
	return nil
}

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
		return p.newFont(t)
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
		if t, err = p.fit(t); err != nil {
			return nil, err
		}
		o, err := p.newTexture(t)
		if err != nil {
			return nil, err
		}
		p.tellAlpha(o, t)
		return o, a.applySettings(o.Base(), 0, settings, p.d)
	}
	o := stored.(*unreal.Texture)
	if err := a.applySettings(&o.Object, a.p.Exports[i].Class, settings, p.d); err != nil {
		return nil, err
	}
	comp := t.Native.Values[listKey] == listComp
	old, err := a.listPicture(o, comp)
	if err == nil {
		t = holed(t, old)
	}
	if err == nil && samePicture(t, old) && !p.reencodes(o) {
		p.tellAlpha(o, t)
		return o, nil
	}
	if t, err = p.fit(t); err != nil {
		return nil, err
	}
	if err := p.lists(o, t, comp); err != nil {
		return nil, err
	}
	p.tellAlpha(o, t)
	return o, nil
}

// holed returns a picture whose entry 0 is transparent, where it has the palette of a masked one but comes from a kind
// of file that knows no alpha.
func holed(t, old *asset.Texture) *asset.Texture {
	if old.Alpha != asset.Mask || len(old.Palette) == 0 || len(t.Palette) == 0 || t.Base().Format != asset.Indexed8 || hasHole(t.Palette) {
		return t
	}
	out := *t
	out.Palette = slices.Clone(t.Palette)
	out.Palette[0][3] = old.Palette[0][3]
	if !samePalette(out.Palette, old.Palette) {
		return t
	}
	return &out
}

// checkSides refuses pictures that the engine cannot use.
func checkSides(m *asset.Image) error {
	for _, side := range []int{m.Width, m.Height} {
		if side < 1 || bits.OnesCount(uint(side)) != 1 {
			return schema.Errorf(textureName, schema.ErrValue, "size", "%d x %d pixels: both sides must be powers of two; --resize pow2 scales it", m.Width, m.Height)
		}
	}
	if len(m.Pix) < m.Width*m.Height*m.Format.Bytes() {
		return schema.Errorf(textureName, schema.ErrMismatch, "pixels", "%d bytes for %d x %d pixels", len(m.Pix), m.Width, m.Height)
	}
	return nil
}

// samePicture compares the full-size pictures as they are seen: transparent pixels are equal whatever their colour.
func samePicture(a, b *asset.Texture) bool {
	x, y := a.Base(), b.Base()
	if x.Width != y.Width || x.Height != y.Height {
		return false
	}
	if x.Format == asset.Indexed8 && y.Format == asset.Indexed8 && bytes.Equal(x.Pix, y.Pix) && samePalette(a.Palette, b.Palette) {
		return true
	}
	p, q := pixels(a), pixels(b)
	for i := range p {
		if p[i] != q[i] && (p[i][3] >= 128 || q[i][3] >= 128) {
			return false
		}
	}
	return true
}

// pixels returns the full-size picture as RGBA.
func pixels(t *asset.Texture) []asset.RGBA {
	m := t.Base()
	out := make([]asset.RGBA, m.Width*m.Height)
	switch m.Format {
	case asset.Indexed8:
		for i := range out {
			if k := int(m.Pix[i]); k < len(t.Palette) {
				out[i] = t.Palette[k]
			} else {
				out[i] = asset.RGBA{0, 0, 0, 255}
			}
		}
	case asset.Gray8:
		for i := range out {
			out[i] = asset.RGBA{m.Pix[i], m.Pix[i], m.Pix[i], 255}
		}
	case asset.Gray16:
		for i := range out {
			out[i] = asset.RGBA{m.Pix[2*i+1], m.Pix[2*i+1], m.Pix[2*i+1], 255}
		}
	default:
		for i := range out {
			out[i] = asset.RGBA(m.Pix[4*i : 4*i+4])
		}
	}
	return out
}
