package ultimate3d

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/write"
)

// writeBone appends a bone chunk (reference section 6).
func writeBone(w *write.Buffer, b *ultimate3d.Bone, layout ultimate3d.KeyLayout) {
	if b == nil {
		w.Failf(schema.ErrValue, "bone", "it is nil")
		return
	}
	if layout > ultimate3d.LiteralKeys {
		w.Failf(schema.ErrValue, "layout", "there is no layout %d", layout)
	}
	w.Raw(ultimate3d.BoneMagic)
	w.CString(b.Name, "Name")
	w.U16(b.Parent)
	w.F32(b.BoneFrame)
	w.U8(uint8(b.PassOnBoneFrame))
	w.Count16(len(b.Attachments), "nMesh")
	for i := range b.Attachments {
		w.U16(b.Attachments[i].Mesh)
	}
	for i := range b.Attachments {
		w.Floats(b.Attachments[i].Transformation[:]...)
	}
	writeVectorKeys(w, b.Scaling, "nScalingKey", layout, b.Fillers[0])
	writeVectorKeys(w, b.Translation, "nTranslationKey", layout, b.Fillers[1])
	keyCount(w, len(b.Rotation), "nRotationKey", layout, b.Fillers[2])
	for i := range b.Rotation {
		w.U16(b.Rotation[i].Frame)
		w.U16(b.Rotation[i].Unused)
		w.Floats(b.Rotation[i].Value[:]...)
	}
}

func writeVectorKeys(w *write.Buffer, keys []ultimate3d.VectorKey, field string, layout ultimate3d.KeyLayout, filler uint16) {
	keyCount(w, len(keys), field, layout, filler)
	for i := range keys {
		w.U16(keys[i].Frame)
		w.U16(keys[i].Unused)
		w.Floats(keys[i].Value[:]...)
	}
}

func keyCount(w *write.Buffer, n int, field string, layout ultimate3d.KeyLayout, filler uint16) {
	w.Count16(n, field)
	if layout == ultimate3d.LiteralKeys {
		w.U16(filler)
	} else if filler != 0 {
		w.NoPlace("Fillers", "the layout of the engine")
	}
}
