package unreal

// LodMesh is a mesh whose level of detail can be reduced (reference section 11.3).
type LodMesh struct {
	Mesh
	CollapsePoints []uint16 // per model vertex
	FaceLevels     []uint16 // per face
	Faces          []Face
	CollapseWedges []uint16 // per wedge
	Wedges         []Wedge
	Materials      []MeshMaterial
	SpecialFaces   []Face // weapon attachment; their corners are vertices, not wedges
	ModelVerts     uint32
	SpecialVerts   uint32 // these come first in every frame
	ScaleMax       float32
	Hysteresis     float32
	Strength       float32
	MinVerts       int32
	Morph          float32
	ZDisplace      float32
	Remap          []uint16 // vertex i of frame f is stored at f × OldFrameVerts + Remap[i]; empty for none
	OldFrameVerts  uint32
}

// Face is a triangle of wedges.
type Face struct {
	Wedges   [3]uint16
	Material uint16
}

// Wedge is a corner: a model vertex with a texture coordinate in 256ths.
type Wedge struct {
	Vertex uint16
	UV     [2]uint8
}

// MeshMaterial is a texture with its poly flags.
type MeshMaterial struct {
	Flags   uint32 // PolyFlags
	Texture int32
}
