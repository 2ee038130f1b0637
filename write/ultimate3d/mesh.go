package ultimate3d

import (
	"encoding/binary"
	"math"

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
	b := w.Extend(12 * len(m.Positions))
	for i := range m.Positions {
		p, e := &m.Positions[i], b[12*i:12*i+12]
		binary.LittleEndian.PutUint32(e, math.Float32bits(p[0]))
		binary.LittleEndian.PutUint32(e[4:], math.Float32bits(p[1]))
		binary.LittleEndian.PutUint32(e[8:], math.Float32bits(p[2]))
	}
	b = w.Extend(2 * len(m.Normals))
	for i, n := range m.Normals {
		b[2*i], b[2*i+1] = byte(n[0]), byte(n[1])
	}
	w.U8(uint8(m.UseTextureCoordinateBuffer))
	w.U8(uint8(m.TextureCoordinatesOwned))
	for _, set := range m.TexCoords {
		writeFloats(w, set)
	}
	writeFloats(w, m.Weights)
	for _, v := range m.WeightBones {
		w.Bytes(v[:])
	}
	if m.TrianglesOwned.True() && m.SharedTriangles != 0 {
		w.NoPlace("SharedTriangles", "mesh %q, which has triangles of its own,", m.Name)
	}
	w.Count16(m.TriangleCount(), "nTriangle")
	w.U8(uint8(m.TrianglesOwned))
	writeTriangles(w, m.Triangles)
	b = w.Extend(2 * len(m.TriangleMaterials))
	for i, v := range m.TriangleMaterials {
		binary.LittleEndian.PutUint16(b[2*i:], v)
	}
}

func writeFloats(w *write.Buffer, v []float32) {
	b := w.Extend(4 * len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
	}
}

func writeTriangles(w *write.Buffer, triangles [][3]uint16) {
	b := w.Extend(6 * len(triangles))
	for i, t := range triangles {
		e := b[6*i : 6*i+6]
		binary.LittleEndian.PutUint16(e, t[0])
		binary.LittleEndian.PutUint16(e[2:], t[1])
		binary.LittleEndian.PutUint16(e[4:], t[2])
	}
}
