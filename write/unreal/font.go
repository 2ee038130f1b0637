package unreal

import "github.com/usher-assets/usher/schema/unreal"

// Font writes a font in the form of its package's version (reference section 10).
func Font(f *unreal.Font) ([]byte, error) {
	w := objectWriter(&f.Object, 512+mipBytes(f.Mips))
	w.base(&f.Object)
	if w.version < unreal.CountedVersion {
		w.mips(f.Mips)
		w.compressed(f.HasComp, f.Compressed)
		w.characters(f.Characters)
		if len(f.Pages) > 0 || f.CharactersOnPage != 0 || f.Remap != nil {
			w.NoPlace("Pages", "version %d", w.version)
		}
		return w.finish(&f.Object)
	}
	if len(f.Mips) > 0 || len(f.Compressed) > 0 || f.HasComp || len(f.Characters) > 0 {
		w.NoPlace("Mips", "version %d", w.version)
	}
	w.Index(int32(len(f.Pages)))
	for _, p := range f.Pages {
		w.Ref(p.Texture)
		w.characters(p.Characters)
	}
	w.I32(f.CharactersOnPage)
	if m := f.Remap; m != nil {
		w.Index(int32(len(m.Pairs)))
		for _, p := range m.Pairs {
			w.U16(p[0])
			w.U16(p[1])
		}
		w.I32(m.Remapped)
	}
	return w.finish(&f.Object)
}

func (w *writer) characters(all []unreal.Char) {
	w.Index(int32(len(all)))
	for _, c := range all {
		w.I32(c.StartU)
		w.I32(c.StartV)
		w.I32(c.USize)
		w.I32(c.VSize)
	}
}
