package asset

import "math"

// Scene is a model: a forest of nodes and all that they use.
type Scene struct {
	Name       string
	Roots      []*Node
	Detached   []*Node // nodes of the model that are not shown: levels of detail and others that usher keeps there
	Sides      []*Side // other scenes of the file, which are kept but are not part of the model
	Meshes     []*Mesh
	Skins      []*Skin
	Materials  []*Material
	Textures   []*Texture
	Animations []*Animation
	Generator  string         // program that wrote the file, in its own words; empty if unknown or usher itself
	Stripped   bool           // the file was made by usher from another format, and has lost the Native data since
	Extras     map[string]any // custom properties of other programs
	Native     *Native
}

// Side is another scene of a glTF file, beside the one that is the model. Its roots may also be roots of the model or
// detached nodes; Walk does not visit the others.
type Side struct {
	Name   string
	Loose  bool // these are the nodes that no scene contains
	Roots  []*Node
	Extras map[string]any
}

// Walk calls f for every node with its parent, parents first: the roots, then the detached nodes. The levels of detail of a
// node follow its children; their parent is that of the node.
func (s *Scene) Walk(f func(n, parent *Node)) {
	for _, n := range s.Roots {
		n.walk(nil, f)
	}
	for _, n := range s.Detached {
		n.walk(nil, f)
	}
}

// NodeKind is the purpose of a node.
type NodeKind uint8

// The kinds of nodes.
const (
	Plain     NodeKind = iota
	Bone               // joint of a skeleton, animated part
	Hardpoint          // place where something attaches
	Eye                // camera
	Marker             // anything else without a mesh: light, sound, path point
	Wire               // lines that a game draws in place of the parent node
	Hull               // surface for collisions only
	Mount              // surface to which other things attach
)

// Node is a place in the hierarchy. Make it with [NewNode]: the zero value has no valid scale and rotation.
type Node struct {
	Name      string
	Kind      NodeKind
	Transform Transform
	Children  []*Node
	Mesh      *Mesh
	Skin      *Skin
	Camera    *Camera
	Light     *Light
	Hidden    bool      // the node and everything below it is invisible (KHR_node_visibility)
	Weights   []float32 // of morph targets; nil means the mesh's weights
	LODs      []*Node   // lower levels of detail, most detailed first; this node is level 0
	Coverage  []float32 // screen coverage from which each level is used, level 0 first; empty when unknown
	Extras    map[string]any
	Native    *Native
}

// NewNode returns a node with the identity transform.
func NewNode(name string) *Node { return &Node{Name: name, Transform: Identity} }

func (n *Node) walk(parent *Node, f func(n, parent *Node)) {
	f(n, parent)
	for _, c := range n.Children {
		c.walk(n, f)
	}
	for _, l := range n.LODs {
		l.walk(parent, f)
	}
}

// Transform places a node relative to its parent. If Matrix is set, it is the transform; otherwise it is translation ·
// rotation · scale.
type Transform struct {
	Translation [3]float32
	Rotation    [4]float32 // unit quaternion x, y, z, w
	Scale       [3]float32
	Matrix      *[16]float32 // column-major, for column vectors; last row 0 0 0 1
}

// Identity is the transform that changes nothing.
var Identity = Transform{Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 1, 1}}

// Camera is a perspective camera that looks along −Z of its node.
type Camera struct {
	Name        string
	FieldOfView float32 // vertical, radians
	Aspect      float32 // width / height; 0 when it follows the window
	Near, Far   float32 // metres; Far 0 means infinite
	Extras      map[string]any
	Native      *Native
}

// LightKind is how a light shines.
type LightKind uint8

// The kinds of lights.
const (
	PointLight LightKind = iota // from the node's place in all directions
	SpotLight                   // from the node's place in a cone around its −Z
	SunLight                    // along −Z of the node, everywhere
)

// Light is a source of light without extent (KHR_lights_punctual). The node's scale does not change it. Make it with
// [NewLight]: the zero value is dark.
type Light struct {
	Name      string
	Kind      LightKind
	Color     [3]float32 // linear, 0 … 1
	Intensity float32    // candela; lux for [SunLight]
	Range     float32    // metres beyond which nothing is lit; 0 means infinite, and so for [SunLight]
	Inner     float32    // [SpotLight]: radians from the axis to where the light begins to fall off, 0 ≤ Inner < Outer
	Outer     float32    // [SpotLight]: radians from the axis to where it ends, at most π/2
	Extras    map[string]any
	Native    *Native
}

// NewLight returns glTF's default light of a kind: white, of intensity 1, a spot of 45° to each side.
func NewLight(kind LightKind) *Light {
	l := &Light{Kind: kind, Color: [3]float32{1, 1, 1}, Intensity: 1}
	if kind == SpotLight {
		l.Outer = math.Pi / 4
	}
	return l
}

// Mesh is a set of primitives that a node shows.
type Mesh struct {
	Name        string
	Primitives  []*Primitive
	Weights     []float32 // default weights of the morph targets
	TargetNames []string
	Extras      map[string]any
	Native      *Native
}

// Mode says what the indices of a primitive form: points, lines or triangles.
type Mode uint8

// The modes. The reader expands strips, fans and loops.
const (
	Triangles Mode = iota
	Lines
	Points
)

// Primitive is a run of triangles, lines or points with one material. Each attribute slice is nil or has the length of
// Positions. Primitives that share a slice (same first element and length) share it in a glTF file too.
type Primitive struct {
	Mode      Mode
	Positions [][3]float32
	Normals   [][3]float32   // unit length
	Tangents  [][4]float32   // xyz unit length, w = ±1
	TexCoords [][][2]float32 // sets 0, 1, …
	Colors    [][4]float32   // linear, 0 … 1
	Joints    [][][4]uint16  // sets 0, 1, …: indices into the joints of the node's skin
	Weights   [][][4]float32 // sets 0, 1, …; the weights of a vertex add up to 1
	Custom    []Attribute    // attributes of usher's or other programs' own, named "_…"
	Targets   []Target       // morph targets
	Indices   []uint32       // nil means 0, 1, 2, …
	Material  *Material      // nil means the default material
	Step      float32        // spacing of the grid that the positions were rounded to; 0 if they are exact
	Extras    map[string]any
	Native    *Native

	// Load, if set, returns the primitive with its data, the same each time. It lets a map be larger than memory. Fields that
	// are set besides Load (the material, slices that primitives share) are also set in what it returns. See
	// [Primitive.Whole].
	Load func() (*Primitive, error)
}

// Target holds the displacements of one morph target. A nil slice means no displacement.
type Target struct {
	Positions, Normals, Tangents [][3]float32
}

// Attribute is a custom attribute with 1 to 4 components a vertex.
type Attribute struct {
	Name       string // begins with '_'
	Components int
	Type       AttributeType
	Values     []float32 // Components × vertices; integers for the integer types
}

// AttributeType is the stored type of a custom attribute.
type AttributeType uint8

// The types that glTF allows for vertex attributes.
const (
	Float32 AttributeType = iota
	Uint8
	Uint16
)

// Skin binds the vertices of a mesh to joints.
type Skin struct {
	Name        string
	Joints      []*Node
	InverseBind [][16]float32 // column-major, one a joint; nil means identity
	Root        *Node         // common root of the joints; may be nil
	Extras      map[string]any
	Native      *Native
}
