package freelancer

// WireHeader is the value of a VWireData's first field.
const WireHeader = 16

// VWire is the payload of a VWireData leaf (reference section 5.5): the lines that the game's target display shows,
// drawn with vertices of a mesh.
type VWire struct {
	Size        uint32 // WireHeader
	Mesh        uint32 // FLCRC of the mesh's name
	VertexStart uint16 // added to every index
	VertexCount uint16 // number of different vertices
	VertexRange uint16 // max − min + 1 of the indices; some tools write max − min or the largest vertex
	Indices     []uint16
	Tail        []byte `json:",omitempty"`
}
