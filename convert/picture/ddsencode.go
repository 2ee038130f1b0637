package picture

import (
	"bytes"
	"math/bits"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// Header values of surfaces as the texture tools of the time wrote them.
const (
	ddsFlags     = 0x81007 // caps, height, width, format, size of the first level
	ddsFlagMips  = 0x20000
	ddsPitch     = 0x8 // instead of ddsLinear
	ddsLinear    = 0x80000
	ddsCaps      = 0x1000
	ddsCapsMips  = 0x400008
	ddsCapsCube  = 0x8
	ddsCubeFaces = 0xFE00
)

// NewDDS makes a surface of the first frame of a texture, with all its levels down to 4 × 4; missing ones are made. A
// nil format is DXT1 for opaque pixels and DXT5 for others.
func NewDDS(t *asset.Texture, format *media.DDSFormat) (*media.DDS, error) {
	base := t.Base()
	if base == nil {
		return nil, schema.Errorf("dds", schema.ErrValue, "pixels", "the texture has none")
	}
	if format == nil {
		format = &media.DDSFormat{Size: 32, Flags: media.DDSFourCC, FourCC: media.ID("DXT1")}
		if base.AlphaMode(t.Palette) != asset.Opaque {
			format.FourCC = media.ID("DXT5")
		}
	}
	x := &media.DDS{HeaderSize: 124, Flags: ddsFlags, Caps: ddsCaps, Format: *format, Width: 1, Height: 1}
	if mips := bits.Len(uint(max(base.Width, base.Height))) - 2; mips > 1 {
		x.Flags, x.Caps, x.MipCount = x.Flags|ddsFlagMips, x.Caps|ddsCapsMips, uint32(mips)
	}
	if format.Block() == 0 {
		x.Flags = x.Flags&^ddsLinear | ddsPitch
	}
	if len(t.Frames[0].Faces) > 0 {
		x.Caps, x.Caps2 = x.Caps|ddsCapsCube, ddsCubeFaces
	}
	x.Width, x.Height = uint32(base.Width), uint32(base.Height)
	x.Pitch = uint32(x.LevelBytes(0))
	if format.Block() == 0 {
		x.Pitch /= max(x.Height, 1)
	}
	return EncodeDDS(t, x)
}

// EncodeDDS returns a surface like another one, of the same kind, with the pixels of the first frame of a texture.
// Levels whose pixels are unchanged keep their bytes. Levels that the texture lacks keep theirs as well when the first
// one is unchanged, and are made from it otherwise. It fails with ErrMismatch when the texture has another number of
// faces, and with ErrUnsupported when there is no way to store such pixels.
func EncodeDDS(t *asset.Texture, like *media.DDS) (*media.DDS, error) {
	base := t.Base()
	if base == nil {
		return nil, schema.Errorf("dds", schema.ErrValue, "pixels", "the texture has none")
	}
	if err := schema.DefaultLimits.Picture("dds", base.Width, base.Height, 4); err != nil {
		return nil, err
	}
	c, err := codecOf(&like.Format)
	if err != nil {
		return nil, err
	}
	f := &t.Frames[0]
	if faces := like.Faces(); faces != len(f.Faces)+1 {
		return nil, schema.Errorf("dds", schema.ErrMismatch, "faces", "%d faces, the surface has %d", len(f.Faces)+1, faces)
	}
	x := resized(like, base.Width, base.Height)
	e := ddsEncoder{x: x, like: like, codec: &c, palette: t.Palette}
	if err := e.face(0, f.Mips); err != nil {
		return nil, err
	}
	for i := range f.Faces {
		if err := e.face(i+1, f.Faces[i:i+1]); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// resized returns the header for another size. A full chain of levels stays full, and a row or level size stays right
// where it was.
func resized(like *media.DDS, width, height int) *media.DDS {
	x := *like
	x.Levels = nil
	x.Width, x.Height = uint32(width), uint32(height)
	if x.Width == like.Width && x.Height == like.Height {
		return &x
	}
	full := bits.Len32(max(like.Width, like.Height))
	if like.MipCount > 1 && like.Mips() >= full {
		x.MipCount = uint32(bits.Len32(max(x.Width, x.Height)))
	}
	oldSize, newSize := uint32(like.LevelBytes(0)), uint32(x.LevelBytes(0))
	switch like.Pitch {
	case oldSize:
		x.Pitch = newSize
	case oldSize / max(like.Height, 1):
		x.Pitch = newSize / max(x.Height, 1)
	}
	return &x
}

type ddsEncoder struct {
	x, like *media.DDS
	codec   *codec
	palette []asset.RGBA
}

// face appends the levels of a face, of which the first given are known.
func (e *ddsEncoder) face(face int, given []asset.Image) error {
	unchanged := true
	var last asset.Image
	for mip := range e.x.Mips() {
		w, h := e.x.LevelSize(mip)
		old := e.old(face, mip, w, h)
		if mip >= len(given) && unchanged && old != nil {
			e.x.Levels = append(e.x.Levels, old)
			continue
		}
		m, err := e.image(given, mip, &last, w, h)
		if err != nil {
			return err
		}
		last = m
		if old != nil && e.same(old, &m) {
			e.x.Levels = append(e.x.Levels, old)
			continue
		}
		unchanged = false
		b, err := e.codec.encode(m.Pix, w, h)
		if err != nil {
			return err
		}
		if old != nil {
			keepIgnored(b, old, e.codec.ignored)
		}
		e.x.Levels = append(e.x.Levels, b)
	}
	return nil
}

// old returns the stored level of the same size, or nil.
func (e *ddsEncoder) old(face, mip, w, h int) []byte {
	at := face*e.like.Mips() + mip
	if mip >= e.like.Mips() || at >= len(e.like.Levels) {
		return nil
	}
	b := e.like.Levels[at]
	if ow, oh := e.like.LevelSize(mip); ow != w || oh != h || len(b) != e.like.LevelBytes(mip) {
		return nil
	}
	return b
}

// image returns the pixels of a level in the codec's format: given, or made from the one before.
func (e *ddsEncoder) image(given []asset.Image, mip int, last *asset.Image, w, h int) (asset.Image, error) {
	if mip >= len(given) {
		return Halve(last), nil
	}
	m := &given[mip]
	if m.Width != w || m.Height != h || len(m.Pix) != w*h*m.Format.Bytes() {
		return asset.Image{}, schema.Errorf("dds", schema.ErrMismatch, "level", "level %d is %d x %d pixels in %d bytes, expected %d x %d", mip, m.Width, m.Height, len(m.Pix), w, h)
	}
	if e.codec.format == asset.Gray8 && m.Format != asset.Gray8 {
		return Gray(m, e.palette)
	}
	if e.codec.format == asset.RGBA8 {
		return RGBA(m, e.palette)
	}
	return *m, nil
}

func (e *ddsEncoder) same(old []byte, m *asset.Image) bool {
	pix, err := e.codec.decode(old, m.Width, m.Height)
	return err == nil && bytes.Equal(pix, m.Pix)
}

// RGBA returns an image as RGBA8; one that is so already shares its pixels.
func RGBA(m *asset.Image, palette []asset.RGBA) (asset.Image, error) {
	if m.Format == asset.RGBA8 {
		return *m, nil
	}
	out := asset.NewImage(m.Width, m.Height, asset.RGBA8)
	if len(m.Pix)*4 != len(out.Pix)*m.Format.Bytes() {
		return out, schema.Errorf("picture", schema.ErrValue, "pixels", "%d x %d pixels in %d bytes", m.Width, m.Height, len(m.Pix))
	}
	var table [256]asset.RGBA
	for i := range table {
		v := byte(i)
		table[i] = asset.RGBA{v, v, v, 255}
	}
	step, at := 1, 0
	switch m.Format {
	case asset.Indexed8:
		table = [256]asset.RGBA{}
		copy(table[:], palette)
	case asset.Gray16:
		step, at = 2, 1 // the high byte
	}
	for i := range m.Width * m.Height {
		copy(out.Pix[4*i:4*i+4], table[m.Pix[step*i+at]][:])
	}
	return out, nil
}

// Gray returns an image of grey colours as Gray8. It fails with ErrMismatch when a colour is not grey or not opaque.
func Gray(m *asset.Image, palette []asset.RGBA) (asset.Image, error) {
	rgba, err := RGBA(m, palette)
	if err != nil {
		return rgba, err
	}
	out := asset.NewImage(m.Width, m.Height, asset.Gray8)
	for i := range out.Pix {
		p := rgba.Pix[4*i : 4*i+4]
		if p[0] != p[1] || p[1] != p[2] || p[3] != 255 {
			return out, schema.Errorf("picture", schema.ErrMismatch, "pixels", "pixel %d has the colour %d, which is not grey", i, p)
		}
		out.Pix[i] = p[0]
	}
	return out, nil
}
