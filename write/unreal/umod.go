package unreal

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// UMOD writes an installer whose content is in memory (reference section 25).
func UMOD(x *unreal.UMOD) ([]byte, error) {
	sum := unreal.NewCRC()
	if x.Fresh {
		sum = sum.Add(x.Content)
	}
	tail, err := UMODTail(x, uint32(len(x.Content)), sum)
	if err != nil {
		return nil, err
	}
	return append(slices.Clip(x.Content), tail...), nil
}

// UMODTail writes what follows the content: the directory and the trailer. content is the length of the content, sum its
// check sum, which is only used if Fresh is set.
func UMODTail(x *unreal.UMOD, content uint32, sum unreal.CRC) ([]byte, error) {
	w := newWriter(&unreal.Context{Package: &unreal.Package{Version: unreal.MaxVersion}}, 64*len(x.Files)+64)
	w.odd = x.Odd
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
	size := int64(content) + int64(len(b)) + unreal.UMODTrailer
	if size > math.MaxUint32 {
		return nil, schema.Errorf(unreal.UMODFormat, schema.ErrLimit, "size", "%d bytes, at most %d", size, uint32(math.MaxUint32))
	}
	stored := x.CRC
	if x.Fresh {
		stored = sum.Add(b).Sum()
	}
	w.U32(unreal.UMODMagic)
	w.U32(content)
	w.U32(uint32(size))
	w.U32(x.Version)
	w.U32(stored)
	return w.Finish()
}
