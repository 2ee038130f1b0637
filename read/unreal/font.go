package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Font reads a font in its old or new form (reference section 10). It reads a remap table if there are bytes left for it.
func Font(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Font, error) {
	return decode(b, x, d, font)
}

func font(r *reader, f *unreal.Font) {
	r.base(&f.Object)
	if r.version < unreal.CountedVersion {
		f.Mips = r.mips("mips", f.Number("Format", 0) == 0)
		if f.Bool("bHasComp") {
			f.HasComp = true
			f.Compressed = r.mips("compressed mips", false)
		}
		f.Characters = r.characters()
		return
	}
	f.Pages = list(r, 2, "pages", func(p *unreal.FontPage) {
		p.Texture = r.Ref("texture")
		p.Characters = r.characters()
	})
	f.CharactersOnPage = r.I32("characters on a page")
	if r.Left() > 0 {
		f.Remap = r.remap()
	}
}

func (r *reader) characters() []unreal.Char {
	return list(r, 16, "characters", func(c *unreal.Char) {
		*c = unreal.Char{StartU: r.I32("StartU"), StartV: r.I32("StartV"), USize: r.I32("USize"), VSize: r.I32("VSize")}
	})
}

// remap reads the remap table where the bytes left are one, else nothing.
func (r *reader) remap() *unreal.FontRemap {
	at, indices, odd, noted := r.Pos(), r.indices, len(r.odd), r.Mark()
	n := r.Index("remap")
	if n < 0 || r.Left() != 4*int(n)+4 {
		r.Seek(at, "remap")
		r.Rewind(noted)
		r.indices, r.odd = indices, r.odd[:odd]
		return nil
	}
	m := &unreal.FontRemap{Pairs: make([][2]uint16, n)}
	for i := range m.Pairs {
		r.Enter("pair", i)
		m.Pairs[i] = [2]uint16{r.U16("from"), r.U16("to")}
		r.Leave()
	}
	m.Remapped = r.I32("is remapped")
	return m
}
