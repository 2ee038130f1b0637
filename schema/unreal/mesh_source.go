package unreal

// MeshData is the data file of a vertex mesh, *_d.3d, as mod authors exchange it (reference section 11.10).
type MeshData struct {
	Vertices  uint16 // a frame
	BogusRot  uint16
	Frame     uint16
	Normal    [3]uint32
	FixScale  uint32
	Unused    [3]uint32
	Unknown24 [12]byte
	Polys     []SourcePoly
	Tail      []byte
}

// SourcePoly is a face of a data file.
type SourcePoly struct {
	Vertices [3]uint16
	Type     uint8 // SourceType
	Color    uint8
	UV       [3][2]uint8
	Texture  uint8 // index into the mesh's texture list
	Flags    uint8
}

// MeshAniv is the animation file of a vertex mesh, *_a.3d.
type MeshAniv struct {
	FrameBytes  uint16
	VertexBytes int          // 4: packed; 8: Deus Ex
	Frames      [][][3]int16 // all of the same length
	Pad         []uint16     `json:",omitempty"` // fourth words of 8-byte vertices; nil when all are 0
	Padding     [][]byte     `json:",omitempty"` // bytes of each frame after its last whole vertex; nil if there are none
	Tail        []byte
}

// SourceFlags returns the poly flags for a face type in a data file.
func SourceFlags(kind uint8) uint32 {
	flags := [8]uint32{0, PolyTwoSided, PolyTwoSided | PolyTranslucent, PolyTwoSided | PolyMasked, PolyTwoSided | PolyModulated}[kind&7]
	for _, b := range sourceBits {
		if kind&b.bit != 0 {
			flags |= b.flag
		}
	}
	return flags
}

// SourceType returns the face type for poly flags. exact is false if a face type cannot express all of them.
func SourceType(flags uint32) (kind uint8, exact bool) {
	switch {
	case flags&PolyTranslucent != 0:
		kind = 2
	case flags&PolyMasked != 0:
		kind = 3
	case flags&PolyModulated != 0:
		kind = 4
	case flags&PolyTwoSided != 0:
		kind = 1
	}
	for _, b := range sourceBits {
		if flags&b.flag == b.flag {
			kind |= b.bit
		}
	}
	return kind, SourceFlags(kind) == flags
}

var sourceBits = [...]struct {
	bit  uint8
	flag uint32
}{{0x08, PolyWeapon | PolyInvisible}, {0x10, PolyUnlit}, {0x20, PolyFlat}, {0x40, PolyEnvironment}, {0x80, PolyNoSmooth}}
