package freelancer

// Deformable is a .dfm file (reference section 9): a skin of several levels of detail over bones.
type Deformable struct {
	Skeleton  string    // the rig that the model was made for
	Fractions []float32 // of the full detail, one a level
	Meshes    []*SkinMesh
	Bones     []*Bone // by bone number, which is the order of their directories
}

// SkinMesh is a level of detail: MeshN.
type SkinMesh struct {
	Number   int
	Groups   []*FaceGroup
	Geometry SkinGeometry
	Node     *Node `json:"-" unwritten:"where it is written"`
}

// FaceGroup is a run of triangles with one material. Indices address the elements of the geometry.
type FaceGroup struct {
	Material string
	Strip    bool // a triangle strip with degenerate triangles as joints, else a list
	Indices  []uint16
	Edges    []uint16  // pairs; unused
	Angles   []float32 // one for each edge; unused
	Node     *Node     `json:"-" unwritten:"where it is written"`
}

// SkinGeometry is the content of the Geometry directory. Triangles are made of elements: an element is a point with texture
// coordinates. Points are in the space of the root in the bind pose.
type SkinGeometry struct {
	PointIndices []uint32 // one for each element
	UV0Indices   []uint32 // one for each element
	UV1Indices   []uint32 // one for each element, or none
	Points       [][3]float32
	BoneFirst    []uint32 // per point: its first influence in the chains
	BoneCount    []uint32 // per point: how many influences
	BoneIDs      []uint32 // the chains: bone numbers
	BoneWeights  []float32
	Normals      [][3]float32 // per point
	UV0, UV1     [][2]float32
	Node         *Node `json:"-" unwritten:"where it is written"`
}

// IsLevel reports whether a child of MultiLevel is the directory of a level of a skin, and returns the number of the level.
func IsLevel(n *Node) (number int, ok bool) {
	number, ok = NumberOf(n.Name, "Mesh")
	return number, ok && n.IsDir()
}

// IsFaceGroup reports whether a child of Face_groups is the directory of a group.
func IsFaceGroup(n *Node) bool {
	_, ok := NumberOf(n.Name, "Group")
	return ok && n.IsDir()
}

// IsBone reports whether a child of the root is the directory of a bone.
func IsBone(n *Node) bool { return n.Child("Bone to root") != nil }

// Bone is the directory of a bone.
type Bone struct {
	Name string // of the directory, "….3db"
	// RootToBone is the leaf that is called "Bone to root". In fact it is the inverse bind matrix: if the first nine values
	// are the rows of R and the others are t, it maps a point p of the root space to R·p + t.
	RootToBone [12]float32
	LodBits    uint8
	Node       *Node `json:"-" unwritten:"where it is written"`
}
