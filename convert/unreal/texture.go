package unreal

import (
	"bytes"
	"math"
	"math/bits"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	media "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// liftTexture turns a texture into an indexed picture with its palette: entry 0 is transparent where the texture is
// masked, the stored alpha is not looked at. A texture without indexed pixels gives its compressed picture.
func liftTexture(a *archive, i int, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
	t, err := a.picture(o.(*unreal.Texture))
	if err != nil {
		return nil, err
	}
	if t.Native, err = native(textureName, o); err != nil {
		return nil, err
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

// picture returns a texture without Native.
func (a *archive) picture(o *unreal.Texture) (*asset.Texture, error) {
	t := &asset.Texture{Name: lastName(o.Path)}
	if o.Bool("bMasked") {
		t.Alpha = asset.Mask
	}
	if len(o.Mips) > 0 && len(o.Mips[0].Pixels) > 0 && o.Number("Format", 0) == 0 {
		return t, a.indexed(t, o)
	}
	if len(o.Compressed) == 0 || len(o.Compressed[0].Pixels) == 0 {
		return nil, schema.Errorf(textureName, schema.ErrUnsupported, "mips", "%s has no pixels: the game makes them", o.Path)
	}
	return t, compressed(t, o)
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

func (a *archive) diagnostics() *schema.Diagnostics { return diagnostics(a.env) }

// compressed decodes the compressed mips.
func compressed(t *asset.Texture, o *unreal.Texture) error {
	format := unreal.Compression(o.Number("CompFormat", 0))
	decode := map[unreal.Compression]func([]byte, int, int) ([]byte, error){unreal.BC1: media.BC1, unreal.BC2: media.BC2, unreal.BC3: media.BC3}[format]
	if decode == nil {
		return schema.Errorf(textureName, schema.ErrUnsupported, "CompFormat", "%s has pixels in format %d only", o.Path, format)
	}
	frame := asset.Frame{Name: t.Name}
	for _, m := range o.Compressed {
		if err := schema.DefaultLimits.Picture(textureName, int(m.USize), int(m.VSize), 4); err != nil {
			return err
		}
		pix, err := decode(m.Pixels, int(m.USize), int(m.VSize))
		if err != nil {
			return err
		}
		frame.Mips = append(frame.Mips, asset.Image{Width: int(m.USize), Height: int(m.VSize), Pix: pix,
			Stored: &asset.Stored{Encoding: map[unreal.Compression]string{unreal.BC1: "bc1", unreal.BC2: "bc2", unreal.BC3: "bc3"}[format], Data: m.Pixels}})
	}
	t.Frames = []asset.Frame{frame}
	return nil
}

// lowerTexture turns a picture into a texture: the stored one where the picture still looks the same, else one with
// the picture's pixels in the old palette if that has all its colours, in a new palette if not. The sides must be
// powers of two.
func lowerTexture(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	t, ok := v.(*asset.Texture)
	if !ok || t.Base() == nil {
		return nil, schema.Errorf(textureName, schema.ErrUnsupported, "", "a %T without a picture cannot become a texture", v)
	}
	if i < 0 && t.Native != nil && t.Native.Format == fontName {
		return a.newFont(t)
	}
	stored, err := a.original(i, textureName, t.Native)
	if err != nil {
		return nil, err
	}
	img := t.Base()
	if err := checkSides(img); err != nil {
		return nil, err
	}
	var settings any
	if t.Native != nil && t.Native.Format == textureName {
		settings = t.Native.Values["properties"]
	}
	if stored == nil {
		o := a.newTexture(t)
		return o, a.applySettings(o.Base(), settings, diagnostics(env))
	}
	o := stored.(*unreal.Texture)
	if err := a.applySettings(&o.Object, settings, diagnostics(env)); err != nil {
		return nil, err
	}
	old, err := a.picture(o)
	if err == nil && samePicture(t, old) {
		return o, nil
	}
	if err == nil && old.Base().Format == asset.Indexed8 {
		return o, a.repaint(o, old, t, diagnostics(env))
	}
	return o, a.paint(o, nil, t, diagnostics(env))
}

// checkSides refuses pictures that the engine cannot use.
func checkSides(m *asset.Image) error {
	for _, side := range []int{m.Width, m.Height} {
		if side < 1 || bits.OnesCount(uint(side)) != 1 {
			return schema.Errorf(textureName, schema.ErrValue, "size", "%d x %d pixels: both sides must be powers of two", m.Width, m.Height)
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

// repaint puts an edited picture into a texture that has a palette. The palette stays if it has all the colours;
// otherwise it is changed, or, where other textures use it too, replaced by a new one.
func (a *archive) repaint(o *unreal.Texture, old, t *asset.Texture, d *schema.Diagnostics) error {
	masked := o.Bool("bMasked")
	want := pixels(t)
	if t.Base().Format == asset.Indexed8 && samePalette(t.Palette, old.Palette) && len(t.Palette) <= len(old.Palette) {
		a.setMips(o, t.Base().Pix[:len(want)], old.Palette, t.Base(), d)
		return nil
	}
	if indices, exact := matchAll(want, old.Palette, masked); exact {
		a.setMips(o, indices, old.Palette, t.Base(), d)
		return nil
	}
	return a.paint(o, old.Palette, t, d)
}

// paint gives a texture a picture with new colours. Entries of the old palette that the picture still uses keep their
// places.
func (a *archive) paint(o *unreal.Texture, old []asset.RGBA, t *asset.Texture, d *schema.Diagnostics) error {
	masked := o.Bool("bMasked")
	indices, colors := t.Base().Pix, t.Palette
	if t.Base().Format != asset.Indexed8 || masked != hasHole(t.Palette) {
		indices, colors = quantize(pixels(t), old, masked)
		if !exactly(pixels(t), indices, colors) {
			d.Warnf("quantized", o.Path, "the picture has more than 256 colours; the nearest are taken")
		}
	}
	if err := a.setPalette(o, colors, d); err != nil {
		return err
	}
	a.setMips(o, indices, colors, t.Base(), d)
	return nil
}

// unreadable stands for the palette of a texture that cannot be read.
const unreadable = unreal.Ref(math.MinInt32)

// newTexture makes a texture with a palette of its own and a full mip chain.
func (a *archive) newTexture(t *asset.Texture) *unreal.Texture {
	o := &unreal.Texture{}
	o.Context, o.End = &unreal.Context{Package: a.p, Class: "Texture"}, a.p.AddName("None")
	masked := t.Alpha == asset.Mask || hasHole(t.Palette) && t.Base().Format == asset.Indexed8 || transparent(t)
	indices, colors := t.Base().Pix, t.Palette
	if t.Base().Format != asset.Indexed8 || masked && !hasHole(t.Palette) {
		indices, colors = quantize(pixels(t), nil, masked)
		if !exactly(pixels(t), indices, colors) {
			a.diagnostics().Warnf("quantized", t.Name, "the picture has more than 256 colours; the nearest are taken")
		}
	}
	pal := a.addPalette(0, colors)
	a.fresh[pal] = true
	if masked {
		o.Set("bMasked", unreal.BoolProperty, 1)
	}
	o.Set("Palette", unreal.ObjectProperty, int32(pal))
	o.Mips = make([]unreal.Mip, 2) // more than one asks for a chain
	a.setMips(o, indices, colors, t.Base(), nil)
	return o
}

// transparent tells whether a true-colour picture has holes.
func transparent(t *asset.Texture) bool {
	if t.Base().Format != asset.RGBA8 {
		return false
	}
	for _, p := range pixels(t) {
		if p[3] < 128 {
			return true
		}
	}
	return false
}

// setMips stores a picture with as many mips as there were, or a full chain when the size changed, and the properties
// that follow from it. A compressed copy of the old picture is dropped: the game would show that.
func (a *archive) setMips(o *unreal.Texture, indices []byte, colors []asset.RGBA, m *asset.Image, d *schema.Diagnostics) {
	count := len(o.Mips)
	if resized := count > 0 && (int(o.Mips[0].USize) != m.Width || int(o.Mips[0].VSize) != m.Height); resized && count > 1 || count == 0 {
		count = 32
	}
	o.Mips = chain(indices, m.Width, m.Height, count, colors, o.Bool("bMasked"))
	if o.HasComp {
		o.Unset("bHasComp")
		o.Unset("CompFormat")
		o.HasComp, o.Compressed = false, nil
		d.Warnf("compressed-dropped", o.Path, "the compressed copy of the old picture was taken out")
	}
	o.Unset("Format")
	first := o.Mips[0]
	if first.UBits > 0 {
		o.Set("UBits", unreal.ByteProperty, int32(first.UBits))
	} else {
		o.Unset("UBits")
	}
	if first.VBits > 0 {
		o.Set("VBits", unreal.ByteProperty, int32(first.VBits))
	} else {
		o.Unset("VBits")
	}
	o.Set("USize", unreal.IntProperty, int32(m.Width))
	o.Set("VSize", unreal.IntProperty, int32(m.Height))
	o.Set("UClamp", unreal.IntProperty, int32(m.Width))
	o.Set("VClamp", unreal.IntProperty, int32(m.Height))
	mean, most := summary(indices, colors)
	o.SetStruct("MipZero", "Color", mean)
	o.SetStruct("MaxColor", "Color", most)
}

// summary returns the mean colour, alpha 0, and the greatest of each channel among the colours used.
func summary(indices []byte, colors []asset.RGBA) (mean, most []byte) {
	var count [256]uint64
	for _, i := range indices {
		count[i]++
	}
	var sum [3]uint64
	mean, most = make([]byte, 4), []byte{0, 0, 0, 255}
	for i, n := range count {
		for k := 0; k < 3 && n > 0 && i < len(colors); k++ {
			sum[k] += n * uint64(colors[i][k])
			most[k] = max(most[k], colors[i][k])
		}
	}
	for k := range sum {
		mean[k] = byte(sum[k] / uint64(max(len(indices), 1)))
	}
	return mean, most
}
