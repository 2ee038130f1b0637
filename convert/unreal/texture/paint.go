// Package texture converts pictures to textures and back ([Painter], [Picture]): palette indices with a palette, and
// compressed mip lists.
package texture

import (
	"math/bits"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Name is the name of the format of textures.
const Name = "unreal-texture"

// Palettes gives access to the colours of textures. These are separate objects, which several textures may share.
type Palettes interface {
	// Palette returns the colours of a texture.
	Palette(o *unreal.Texture) ([][4]uint8, error)
	// SetPalette sets the colours of a texture.
	SetPalette(o *unreal.Texture, colors []asset.RGBA, d *schema.Diagnostics) error
	// NewPalette adds a palette for a texture that does not exist yet.
	NewPalette(colors []asset.RGBA) unreal.Ref
}

// Painter stores pictures in textures, with the user's options.
type Painter struct {
	Palettes    Palettes
	Package     *unreal.Package
	Options     format.Options
	Diagnostics *schema.Diagnostics
}

// Fit returns a picture with sides that the engine supports, which are powers of two. It scales others if the options allow
// it, and otherwise fails.
func (p *Painter) Fit(t *asset.Texture) (*asset.Texture, error) {
	err := CheckSides(t.Base())
	m := t.Base()
	if err == nil || p.Options.Unreal.Resize != "pow2" || schema.Class(err) != schema.ErrValue || m.Width < 1 || m.Height < 1 {
		return t, err
	}
	full, err := picture.RGBA(m, t.Palette)
	if err != nil {
		return nil, err
	}
	scaled := picture.PowerOfTwo(&full)
	p.Diagnostics.Notef("resized", t.Name, "%d x %d pixels became %d x %d", m.Width, m.Height, scaled.Width, scaled.Height)
	out := *t
	out.Palette, out.Frames = nil, []asset.Frame{{Name: t.Frames[0].Name, Mips: []asset.Image{*scaled}}}
	return &out, nil
}

// Edit stores an edited picture in a texture, in its second mip list if comp is set. An unchanged picture leaves the
// texture alone unless the options ask for other lists.
func (p *Painter) Edit(o *unreal.Texture, t *asset.Texture, comp bool) error {
	old, err := ListPicture(p.Palettes, o, comp)
	if err == nil {
		t = holed(t, old)
	}
	if err != nil || !Same(t, old) || p.reencodes(o) {
		if t, err = p.Fit(t); err != nil {
			return err
		}
		if err := p.lists(o, t, comp); err != nil {
			return err
		}
	}
	p.TellAlpha(o, t)
	return nil
}

// width returns the length of a row for what is to be dithered, 0 for what is not.
func (p *Painter) width(m *asset.Image) int {
	if p.Options.Dither {
		return m.Width
	}
	return 0
}

// Repaint stores an edited picture in a mip list of a texture with a palette. The palette stays if it has all colours.
// Otherwise it is changed, or replaced by a new one if other textures use it too.
func (p *Painter) Repaint(o *unreal.Texture, old, t *asset.Texture) error {
	masked := o.Bool("bMasked")
	want := Pixels(t)
	if t.Base().Format == asset.Indexed8 && samePalette(t.Palette, old.Palette) && len(t.Palette) <= len(old.Palette) {
		setMips(o, t.Base().Pix[:len(want)], old.Palette, t.Base())
		return nil
	}
	if indices, exact := matchAll(want, old.Palette, masked); exact {
		setMips(o, indices, old.Palette, t.Base())
		return nil
	}
	return p.paint(o, old.Palette, t)
}

// paint gives a texture a picture with new colours. Entries of the old palette that the picture still uses keep their
// places.
func (p *Painter) paint(o *unreal.Texture, old []asset.RGBA, t *asset.Texture) error {
	masked := o.Bool("bMasked")
	indices, colors := t.Base().Pix, t.Palette
	if t.Base().Format != asset.Indexed8 || masked != hasHole(t.Palette) {
		indices, colors = p.quantize(o.Path, t, old, masked)
	}
	if err := p.Palettes.SetPalette(o, colors, p.Diagnostics); err != nil {
		return err
	}
	setMips(o, indices, colors, t.Base())
	return nil
}

func (p *Painter) quantize(path string, t *asset.Texture, old []asset.RGBA, masked bool) ([]byte, []asset.RGBA) {
	indices, colors := quantize(Pixels(t), old, masked, p.width(t.Base()))
	if !exactly(Pixels(t), indices, colors) {
		p.Diagnostics.Warnf("quantized", path, "the picture has more than 256 colours; the nearest are taken")
	}
	return indices, colors
}

// New returns a texture with a palette of its own and a full mip chain, and a compressed list if the options ask for it.
func (p *Painter) New(t *asset.Texture) (*unreal.Texture, error) {
	o := &unreal.Texture{}
	o.Context, o.End = &unreal.Context{Package: p.Package, Class: "Texture"}, p.Package.AddName("None")
	masked := t.Alpha == asset.Mask || hasHole(t.Palette) && t.Base().Format == asset.Indexed8 || transparent(t)
	indices, colors := t.Base().Pix, t.Palette
	if t.Base().Format != asset.Indexed8 || masked && !hasHole(t.Palette) {
		indices, colors = p.quantize(t.Name, t, nil, masked)
	}
	pal := p.Palettes.NewPalette(colors)
	if masked {
		o.Set("bMasked", unreal.BoolProperty, 1)
	}
	o.Set("Palette", unreal.ObjectProperty, int32(pal))
	o.Mips = make([]unreal.Mip, 2) // more than one asks for a chain
	setMips(o, indices, colors, t.Base())
	return o, p.compress(o, t, nil, false)
}

// TellAlpha reports alpha that a texture with only a palette cannot hold. Compressed lists have their own alpha.
func (p *Painter) TellAlpha(o *unreal.Texture, t *asset.Texture) {
	if baseFormat(o) != 0 || o.HasComp {
		return
	}
	clear, soft := picture.Alpha(t.Base(), t.Palette)
	switch masked := o.Bool("bMasked"); {
	case masked && soft:
		p.Diagnostics.Hint("; --encoding bc3 keeps it beside that").Lossf("alpha", o.Path, "pixels of a masked texture are seen or not: alpha from 128 on is opaque")
	case !masked && (soft || clear):
		p.Diagnostics.Lossf("alpha", o.Path, "the texture is not masked, so that alpha means nothing: all pixels are seen; the property bMasked makes holes of clear ones")
	}
}

// transparent reports whether a true-colour picture has holes.
func transparent(t *asset.Texture) bool {
	if t.Base().Format != asset.RGBA8 {
		return false
	}
	for _, p := range Pixels(t) {
		if p[3] < 128 {
			return true
		}
	}
	return false
}

// setMips stores a picture with as many mips as there were, or a full chain when the size changed, and the properties
// that follow from it.
func setMips(o *unreal.Texture, indices []byte, colors []asset.RGBA, m *asset.Image) {
	o.Mips = chain(indices, m.Width, m.Height, mipCount(o.Mips, m), colors, o.Bool("bMasked"))
	o.Unset("Format")
	mean, most := summary(indices, colors)
	setSizes(o, m.Width, m.Height, mean, most)
}

// mipCount returns how many mips a new picture gets in the place of a list: as many, or a full chain when there was none
// or its size is another one.
func mipCount(mips []unreal.Mip, m *asset.Image) int {
	n := len(mips)
	if n == 0 || n > 1 && (int(mips[0].USize) != m.Width || int(mips[0].VSize) != m.Height) {
		return 32
	}
	return n
}

// setSizes sets the properties that follow from a picture.
func setSizes(o *unreal.Texture, width, height int, mean, most []byte) {
	logarithm := func(name string, side int) {
		if side > 1 {
			o.Set(name, unreal.ByteProperty, int32(bits.Len(uint(side))-1))
		} else {
			o.Unset(name)
		}
	}
	logarithm("UBits", width)
	logarithm("VBits", height)
	o.Set("USize", unreal.IntProperty, int32(width))
	o.Set("VSize", unreal.IntProperty, int32(height))
	o.Set("UClamp", unreal.IntProperty, int32(width))
	o.Set("VClamp", unreal.IntProperty, int32(height))
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
