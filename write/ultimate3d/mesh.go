package ultimate3d

import (
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/write"
)

// writeMesh appends a mesh chunk (reference section 3).
func writeMesh(w *write.Buffer, m *ultimate3d.Mesh) {
	w.Raw(ultimate3d.MeshMagic)
	w.CString(m.Name, "Name")
	w.U16(m.Frame)
	w.F32(m.LOD)
	w.F32(m.NormalScalar)
	w.U8(uint8(m.ValidInverseTangentSpace))
	w.Count16(len(m.Positions), "nVertex")
	w.U16s(m.TexCoordDimensions[:])
	w.U16(m.StoredWeights)
	w.U8(m.MaxBlendingMatrix)
	w.U16(m.Shadow.VertexCount)
	w.Count16(len(m.Shadow.Triangles), "nShadowVolumeTriangle")
	w.Bytes(m.Shadow.Vertices)
	writeTriangles(w, m.Shadow.Triangles)
	w.Vec3s(m.Positions)
	for _, n := range m.Normals {
		w.I8(n[0])
		w.I8(n[1])
	}
	w.U8(uint8(m.UseTextureCoordinateBuffer))
	w.U8(uint8(m.TextureCoordinatesOwned))
	for _, set := range m.TexCoords {
		w.Floats(set...)
	}
	w.Floats(m.Weights...)
	for _, v := range m.WeightBones {
		w.Bytes(v[:])
	}
	w.Count16(m.TriangleCount(), "nTriangle")
	w.U8(uint8(m.TrianglesOwned))
	writeTriangles(w, m.Triangles)
	w.U16s(m.TriangleMaterials)
}

func writeTriangles(w *write.Buffer, triangles [][3]uint16) {
	for i := range triangles {
		w.U16s(triangles[i][:])
	}
}
