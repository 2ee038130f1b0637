package unreal

import "github.com/usher-assets/usher/schema/unreal"

// LodMesh writes a mesh with levels of detail (reference section 11.3).
func LodMesh(m *unreal.LodMesh) ([]byte, error) {
	w := objectWriter(&m.Object, lodSize(m))
	w.lodMesh(m)
	return w.finish(&m.Object)
}

func lodSize(m *unreal.LodMesh) int {
	return meshSize(&m.Mesh) + 10*len(m.Faces) + 6*len(m.Wedges) + 2*len(m.CollapsePoints)
}

func (w *writer) lodMesh(m *unreal.LodMesh) {
	w.mesh(&m.Mesh)
	w.u16s(m.CollapsePoints)
	w.u16s(m.FaceLevels)
	w.faces(m.Faces)
	w.u16s(m.CollapseWedges)
	w.Index(int32(len(m.Wedges)))
	for _, x := range m.Wedges {
		w.U16(x.Vertex)
		w.U8(x.UV[0])
		w.U8(x.UV[1])
	}
	w.Index(int32(len(m.Materials)))
	for _, x := range m.Materials {
		w.U32(x.Flags)
		w.I32(x.Texture)
	}
	w.faces(m.SpecialFaces)
	w.U32(m.ModelVerts)
	w.U32(m.SpecialVerts)
	w.Floats(m.ScaleMax, m.Hysteresis, m.Strength)
	w.I32(m.MinVerts)
	w.Floats(m.Morph, m.ZDisplace)
	w.u16s(m.Remap)
	w.U32(m.OldFrameVerts)
}

func (w *writer) faces(all []unreal.Face) {
	w.Index(int32(len(all)))
	for _, f := range all {
		w.U16s(f.Wedges[:])
		w.U16(f.Material)
	}
}
