package unreal

// Box is a bounding box. Valid is 1 if it is not empty.
type Box struct {
	Min, Max [3]float32
	Valid    uint8
}

// Sphere is a bounding sphere. Before LazyVersion no radius is stored.
type Sphere struct {
	Center [3]float32
	Radius float32 `unwritten:"versions before LazyVersion have none"`
}

// Primitive is the common beginning of meshes and models (reference section 11.1).
type Primitive struct {
	Box    Box
	Sphere Sphere
}

// Mesh is a vertex-animated mesh (reference section 11.2). Positions are mesh-space integers: object space is
// RotOrigin((v − Origin) × Scale), left-handed with X forward, Y right, Z up.
type Mesh struct {
	Object
	Primitive
	Vertices      [][3]int16 // FrameVerts × AnimFrames
	VertexBytes   int        // 4: packed in 11, 11 and 10 bits; 8: Deus Ex
	Pad           []uint16   `json:",omitempty"` // fourth words of 8-byte vertices; nil when all are 0
	Triangles     []Triangle // none in LodMesh
	Sequences     []Sequence
	Connects      []Connect // one a vertex; none in LodMesh
	Primitive2    Primitive // the second copy
	Links         []int32   // none in LodMesh
	Textures      []Ref
	Boxes         []Box
	Spheres       []Sphere
	FrameVerts    int32
	AnimFrames    int32
	AndFlags      uint32
	OrFlags       uint32
	Scale, Origin [3]float32
	RotOrigin     [3]int32 // pitch, yaw, roll; 65,536 a turn
	CurPoly       int32
	CurVertex     int32
	TextureLOD    []float32 // one value at version 65, a list from 66 on
}

// Triangle is a face of a Mesh.
type Triangle struct {
	Vertices [3]uint16
	UV       [3][2]uint8
	Flags    uint32 // PolyFlags
	Texture  int32
}

// Sequence is a named range of frames.
type Sequence struct {
	Name     NameIndex
	Group    NameIndex
	Start    int32
	Frames   int32
	Notifies []Notify
	Rate     float32 // frames a second
}

// Notify calls a function at a time, 0 … 1 of the sequence.
type Notify struct {
	Time     float32
	Function NameIndex
}

// Connect is a vertex's range of Links, which hold the numbers of its triangles.
type Connect struct{ Count, Offset int32 }
