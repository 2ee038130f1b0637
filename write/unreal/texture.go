package unreal

import "github.com/usher-assets/usher/schema/unreal"

// Palette writes a palette (reference section 9.1).
func Palette(p *unreal.Palette) ([]byte, error) {
	w := objectWriter(&p.Object, 64+4*len(p.Colors))
	w.base(&p.Object)
	w.Index(int32(len(p.Colors)))
	for i := range p.Colors {
		w.Bytes(p.Colors[i][:])
	}
	return w.finish(&p.Object)
}

// Texture writes a texture of any kind (reference sections 9.2 and 9.3).
func Texture(t *unreal.Texture) ([]byte, error) {
	w := objectWriter(&t.Object, 512+mipBytes(t.Mips)+mipBytes(t.Compressed))
	w.base(&t.Object)
	w.mips(t.Mips)
	w.compressed(t.HasComp, t.Compressed)
	if unreal.Classes[w.Class] != unreal.FireKind {
		if len(t.Sparks) > 0 {
			w.NoPlace("Sparks", "a %s", w.Class)
		}
	} else {
		w.Index(int32(len(t.Sparks)))
		for i := range t.Sparks {
			w.Bytes(t.Sparks[i][:])
		}
	}
	return w.finish(&t.Object)
}

// compressed appends the second list of mips, where there is one.
func (w *writer) compressed(has bool, mips []unreal.Mip) {
	if has {
		w.mips(mips)
	} else if len(mips) > 0 {
		w.NoPlace("Compressed", "an object without HasComp")
	}
}

func mipBytes(mips []unreal.Mip) (n int) {
	for i := range mips {
		n += len(mips[i].Pixels) + 20
	}
	return n
}

func (w *writer) mips(mips []unreal.Mip) {
	w.Index(int32(len(mips)))
	for _, m := range mips {
		w.lazyBytes(m.Pixels, "pixels")
		w.U32(m.USize)
		w.U32(m.VSize)
		w.U8(m.UBits)
		w.U8(m.VBits)
	}
}
