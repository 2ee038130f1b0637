// Package ultimate3d describes the model files (*.u3d, "U3DModelFile" 1.0) of the Game Maker engine Ultimate 3D 2.x.
// They have nothing to do with ECMA-363 "Universal 3D", which uses the same extension.
//
// Coordinates are left-handed: x right, y up, z forward into the screen. Matrices are stored row by row for row
// vectors, p' = p · M, so that elements 12, 13, 14 are the translation. Triangles are clockwise seen from their front.
// Texture coordinates have v down from the top row. Lengths have no unit; times are frames. Everything is little-endian,
// text is Windows-1252.
package ultimate3d

// FormatName is the name that errors and native data carry.
const FormatName = "u3d"

// The chunk identifiers, with their zero byte.
const (
	Magic         = "U3DModelFile\x00"
	MeshMagic     = "$U3D_MESH\x00"
	MaterialMagic = "$U3D_MAT\x00"
	BoneMagic     = "$U3D_BONE\x00"
)

// Smallest sizes, names being empty (reference section 11).
const (
	HeaderSize      = 53
	MeshMinSize     = 52
	MaterialMinSize = 145 // up to ExportResources; what follows may be undecodable
	BoneMinSize     = 26
)

// Bool is a stored truth value. Every byte but zero is true; the byte itself is kept.
type Bool uint8

// The usual values.
const (
	False Bool = 0
	True  Bool = 1
)

// True reports whether b is true.
func (b Bool) True() bool { return b != 0 }

// BoolOf returns the usual byte for v.
func BoolOf(v bool) Bool {
	if v {
		return True
	}
	return False
}

// KeyLayout is how bone keys are stored.
type KeyLayout uint8

// The layouts (reference section 6.3). Every file of the engine has EngineKeys; who followed the published description
// wrote LiteralKeys, with two filler bytes after each count of keys.
const (
	EngineKeys KeyLayout = iota
	LiteralKeys
)

// Model is a whole file.
type Model struct {
	Version            float32 // 1.0
	MeshesPerFrame     uint16
	Frames             uint32
	LODs               uint16 // levels of detail of each mesh, 1 for none
	CelShadingStrength float32
	CelShadingColor    [4]float32
	AlphaBlending      Bool
	VertexTweening     Bool      // positions are interpolated between frames; only without bones
	LODLevels          []float32 // of levels 1, 2, …: share of the full triangle count, 0 … 1
	LODDistancesSq     []float32 // of levels 1, 2, …: squared camera distance from which the level is used
	Meshes             []*Mesh   // ordered by frame, then mesh, then level
	Materials          []*Material
	Bones              []*Bone
	Layout             KeyLayout
	Trailing           []byte // what follows the last chunk; the engine never looks there
}

// MeshCount returns the number of mesh chunks that the header's counts require.
func (m *Model) MeshCount() uint64 {
	n := uint64(m.MeshesPerFrame) * uint64(m.LODs)
	if len(m.Bones) == 0 {
		n *= uint64(m.Frames)
	}
	return n
}

// MeshIndex returns the number of the chunk for a mesh, a frame and a level of detail. Models with bones have one set of
// meshes for all frames.
func (m *Model) MeshIndex(frame, mesh, lod int) int {
	if len(m.Bones) > 0 {
		frame = 0
	}
	return (frame*int(m.MeshesPerFrame)+mesh)*int(m.LODs) + lod
}

// Base returns the chunk of frame 0 whose arrays chunk i uses if it has none of its own (reference section 3.2).
func (m *Model) Base(i int) int { return i % (int(m.MeshesPerFrame) * int(m.LODs)) }

// TrianglesOf returns the triangles of chunk i and their materials, from its base if it has none of its own.
func (m *Model) TrianglesOf(i int) ([][3]uint16, []uint16) {
	mesh := m.Meshes[i]
	if !mesh.TrianglesOwned.True() {
		mesh = m.Meshes[m.Base(i)]
	}
	return mesh.Triangles, mesh.TriangleMaterials
}

// TexCoordsOf returns texture coordinate set k of chunk i with its dimension, from its base if it has none of its own. The
// set is nil if there is none.
func (m *Model) TexCoordsOf(i, k int) ([]float32, int) {
	mesh := m.Meshes[i]
	if !mesh.TextureCoordinatesOwned.True() {
		mesh = m.Meshes[m.Base(i)]
	}
	return mesh.TexCoords[k], int(mesh.TexCoordDimensions[k])
}

// Animated reports whether the model has a mesh for each frame.
func (m *Model) Animated() bool { return len(m.Bones) == 0 && m.Frames > 1 }

// Skinned reports whether any mesh has vertex weights.
func (m *Model) Skinned() bool {
	for _, mesh := range m.Meshes {
		if mesh.StoredWeights != 0 {
			return true
		}
	}
	return false
}

// ColumnMatrices reports whether the file stores matrices for column vectors, as the published description says, instead of
// the engine's row vectors. It does if elements 3, 7, 11 are used and elements 12, 13, 14 are zero (reference section 1.4).
func (m *Model) ColumnMatrices() bool {
	found := false
	for _, b := range m.Bones {
		for i := range b.Attachments {
			t := &b.Attachments[i].Transformation
			if t[12] != 0 || t[13] != 0 || t[14] != 0 {
				return false
			}
			found = found || !near0(t[3]) || !near0(t[7]) || !near0(t[11])
		}
	}
	return found
}

func near0(v float32) bool { return v > -1e-6 && v < 1e-6 }
