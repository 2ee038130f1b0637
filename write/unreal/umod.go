package unreal

import "github.com/usher-assets/usher/schema/unreal"

// UMOD writes an installer (reference section 25).
func UMOD(x *unreal.UMOD) ([]byte, error) {
	w := newWriter(&unreal.Context{Package: &unreal.Package{Version: unreal.MaxVersion}}, len(x.Content)+64*len(x.Files)+64)
	w.odd = x.Odd
	w.Bytes(x.Content)
	w.Index(int32(len(x.Files)))
	for _, f := range x.Files {
		w.Str(f.Path, "path")
		w.U32(f.Offset)
		w.U32(f.Size)
		w.U32(f.Flags)
	}
	w.Bytes(x.Gap)
	b, err := w.Finish()
	if err != nil {
		return nil, err
	}
	sum := x.CRC
	if x.Fresh {
		sum = unreal.UMODCRC(b)
	}
	w.U32(unreal.UMODMagic)
	w.U32(uint32(len(x.Content)))
	w.U32(uint32(len(b) + unreal.UMODTrailer))
	w.U32(x.Version)
	w.U32(sum)
	return w.Finish()
}
