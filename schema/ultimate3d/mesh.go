package ultimate3d

// Mesh is a mesh chunk (reference section 3): one mesh of the model, in one frame, at one level of detail.
type Mesh struct {
	Name                     string
	Frame                    uint16  // as stored; the chunk's place in the file decides
	LOD                      float32 // 1 for the full mesh, else the share of its triangles
	NormalScalar             float32 // 1, or -1 when a bone mirrors the mesh; multiplies the normals
	ValidInverseTangentSpace Bool
	TexCoordDimensions       [8]uint16 // 0 … 4 floats a vertex; 0 means the set is absent
	StoredWeights            uint16    // influences a vertex less one: 0 (rigid), 1 or 3; 2 is read
	MaxBlendingMatrix        uint8     // highest bone index that the weights use
	Shadow                   ShadowVolume
	Positions                [][3]float32
	Normals                  []Normal // one a vertex

	UseTextureCoordinateBuffer Bool
	TextureCoordinatesOwned    Bool         // false: shared with frame 0
	TexCoords                  [8][]float32 // dimension × vertices each
	Weights                    []float32    // StoredWeights a vertex; the last influence has the remainder to 1
	WeightBones                [][4]uint8   // bone of each influence; bytes past the influences are undefined

	TrianglesOwned    Bool   // false: shared with frame 0
	SharedTriangles   uint16 // stored count of triangles of a mesh that does not own them
	Triangles         [][3]uint16
	TriangleMaterials []uint16
}

// ShadowVolume is kept without being interpreted (reference section 3.1). If it announces no triangles, the arrays are
// absent, except in files written exactly as the published description says.
type ShadowVolume struct {
	VertexCount uint16
	Vertices    []byte // ShadowVertexSize bytes each, or empty
	Triangles   [][3]uint16
}

// ShadowVertexSize returns the size in bytes of a vertex of a shadow volume: position, normal, and for skinned meshes k
// weights and four bone indices.
func ShadowVertexSize(storedWeights uint16) int {
	if storedWeights == 0 {
		return 24
	}
	return 28 + 4*int(storedWeights)
}

// Influences returns the number of bones that move a vertex, 0 for a rigid mesh.
func (m *Mesh) Influences() int {
	if m.StoredWeights == 0 {
		return 0
	}
	return int(m.StoredWeights) + 1
}

// TriangleCount returns the stored number of triangles.
func (m *Mesh) TriangleCount() int {
	if m.TrianglesOwned.True() {
		return len(m.Triangles)
	}
	return int(m.SharedTriangles)
}

// WeightsOf returns the weights of vertex v for its influences, including the last one, which is not stored but is the
// remainder to 1. If the remainder is outside 0 … 1 by more than 1e-4, it is clamped, all weights are renormalised, and odd
// is true (reference section 3.3).
func (m *Mesh) WeightsOf(v int) (w [4]float32, odd bool) {
	k := int(m.StoredWeights)
	var sum float64
	for i := range k {
		w[i] = m.Weights[v*k+i]
		sum += float64(w[i])
	}
	rest := 1 - sum
	if rest >= -1e-4 && rest <= 1+1e-4 {
		w[k] = float32(min(max(rest, 0), 1))
		return w, false
	}
	w[k] = float32(min(max(rest, 0), 1))
	total := float32(0)
	for i := range k + 1 {
		w[i] = max(w[i], 0)
		total += w[i]
	}
	if !(total > 0) || total > 1e30 {
		return [4]float32{1}, true
	}
	for i := range k + 1 {
		w[i] /= total
	}
	return w, true
}
