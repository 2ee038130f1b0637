package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Palette reads a palette (reference section 9.1).
func Palette(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Palette, error) {
	return decode(b, x, d, palette)
}

func palette(r *reader, p *unreal.Palette) {
	r.base(&p.Object)
	n := r.Len(4, "colours")
	b := r.Elements(n, 4, "4u8", "colours")
	if r.Err() != nil {
		return
	}
	p.Colors = make([][4]uint8, n)
	for i := range p.Colors {
		p.Colors[i] = [4]uint8(b[4*i:])
	}
}

// Texture reads a texture of any kind (reference sections 9.2 and 9.3). It fails with ErrMismatch for a mip with a number
// of pixels that is neither 0 nor that of its size.
func Texture(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Texture, error) {
	return decode(b, x, d, texture)
}

func texture(r *reader, t *unreal.Texture) {
	r.base(&t.Object)
	t.Mips = r.mips("mips", t.Number("Format", 0) == 0)
	if t.Bool("bHasComp") {
		t.HasComp = true
		t.Compressed = r.mips("compressed mips", false)
	}
	if unreal.Classes[r.Class] == unreal.FireKind {
		t.Sparks = list(r, 8, "sparks", func(s *unreal.Spark) { copy(s[:], r.Elements(8, 1, schema.LayoutU8, "spark")) })
	}
}

// mips reads a list of mips; plain ones have one byte a pixel.
func (r *reader) mips(field string, plain bool) []unreal.Mip {
	return list(r, 11, field, func(m *unreal.Mip) {
		at := r.Cursor.Offset()
		m.Pixels = r.lazyBytes("pixels")
		m.USize, m.VSize = r.U32("USize"), r.U32("VSize")
		m.UBits, m.VBits = r.U8("UBits"), r.U8("VBits")
		if n := uint64(len(m.Pixels)); plain && r.Err() == nil && n != 0 && n != uint64(m.USize)*uint64(m.VSize) {
			r.FailAtf(at, schema.ErrMismatch, "pixels", "%d bytes for %d x %d pixels", n, m.USize, m.VSize)
		}
	})
}
