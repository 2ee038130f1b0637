package unreal

// Model is a BSP tree: the level's geometry, a brush or a mover (reference sections 12.1 and 19). Left-handed, X forward,
// Y right, Z up.
type Model struct {
	Object
	Primitive
	Old         *OldModel    // before LazyVersion; replaces Vectors … Zones
	Vectors     [][3]float32 `unwritten:"old models refer to their parts, which are objects of their own"`
	Points      [][3]float32 `unwritten:"old models refer to their parts, which are objects of their own"`
	Nodes       []BspNode    `unwritten:"old models refer to their parts, which are objects of their own"`
	Surfs       []BspSurf    `unwritten:"old models refer to their parts, which are objects of their own"`
	Verts       []BspVert    `unwritten:"old models refer to their parts, which are objects of their own"`
	SharedSides int32        `unwritten:"old models refer to their parts, which are objects of their own"`
	Zones       []Zone       `unwritten:"old models refer to their parts, which are objects of their own"`
	Polys       Ref
	LightMaps   []LightMap
	LightBits   []byte
	Bounds      []Box
	LeafHulls   []int32
	Leaves      []Leaf
	Lights      []Ref    // lists, each ended by 0
	OldTail     [2]int32 // before LazyVersion
	RootOutside int32
	Linked      int32
}

// OldModel holds the references of an old model to its parts.
type OldModel struct{ Vectors, Points, Nodes, Surfs, Verts Ref }

// BspNode is a node with its polygon: Count vertices that begin at VertPool.
type BspNode struct {
	Plane       [4]float32
	ZoneMask    uint64
	Flags       uint8
	VertPool    int32
	Surf        int32
	Back        int32
	Front       int32
	Coplanar    int32
	Bound       int32 // collision
	RenderBound int32
	Zones       [2]int32
	Count       uint8
	Leaves      [2]int32
}

// BspSurf is a surface with its texture mapping: u = (P − Base) · TextureU + PanU, in texels.
type BspSurf struct {
	Texture   Ref
	Flags     uint32 // PolyFlags
	Base      int32  // point
	Normal    int32  // vector
	TextureU  int32  // vector
	TextureV  int32  // vector
	LightMap  int32
	BrushPoly int32
	PanU      int16
	PanV      int16
	Actor     Ref
}

// BspVert is a corner of a polygon.
type BspVert struct{ Point, Side int32 }

// Zone is a zone of a level.
type Zone struct {
	Actor        Ref
	Connectivity uint64
	Visibility   uint64
}

// LightMap places shadow bits on a surface.
type LightMap struct {
	Offset         int32
	Pan            [3]float32
	UClamp, VClamp int32
	UScale, VScale float32
	Light          int32 // first of its list in Lights; −1 none
}

// Leaf is a convex leaf of the tree.
type Leaf struct {
	Zone, Permeating, Volumetric int32
	Visible                      uint64
}

// Vectors is an object that only versions before LazyVersion have.
type Vectors struct {
	Object
	Capacity int32
	Vectors  [][3]float32
}

// BspNodes is an object that only versions before LazyVersion have.
type BspNodes struct {
	Object
	Capacity int32
	Nodes    []BspNode
	Zones    []Zone
}

// BspSurfs is an object that only versions before LazyVersion have.
type BspSurfs struct {
	Object
	Capacity int32
	Surfs    []BspSurf
}

// Verts is an object that only versions before LazyVersion have.
type Verts struct {
	Object
	Capacity    int32
	Verts       []BspVert
	SharedSides int32
}
