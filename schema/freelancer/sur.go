package freelancer

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"
)

// Constants of collision files (reference freelancer-sur). Sizes are bytes.
const (
	SurMagic   = "vers"
	SurVersion = 2 // the only one there is

	SurfaceHeader = 48 // of a surface, of a hull, of a face, of a point, of a node
	HullHeader    = 16
	FaceSize      = 16
	PointSize     = 16
	NodeSize      = 28

	MaxFaces     = 4095  // of a hull: their numbers have 12 bits
	MaxPoints    = 65535 // of a part
	MaxSurface   = 1<<24 - 1
	BoxUnits     = 250 // of a node's box, in its radius
	ShieldBubble = "HpMount"
)

// Hash is an FLCRC as people read it: "0x12688F2D".
type Hash uint32

var (
	_ encoding.TextMarshaler   = Hash(0)
	_ encoding.TextUnmarshaler = (*Hash)(nil)
)

// String returns the hash in hexadecimal.
func (h Hash) String() string { return fmt.Sprintf("0x%08X", uint32(h)) }

// MarshalText implements encoding.TextMarshaler.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hash) UnmarshalText(text []byte) error {
	digits := strings.TrimPrefix(strings.TrimPrefix(string(text), "0x"), "0X")
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || digits == string(text) {
		return fmt.Errorf("%q is no hash: 0x and eight hexadecimal digits are", text)
	}
	*h = Hash(v)
	return nil
}

// ParseHash parses a hash in the form that String writes; the second result is false for other text.
func ParseHash(name string) (Hash, bool) {
	if len(name) != 10 || !strings.HasPrefix(name, "0x") {
		return 0, false
	}
	v, err := strconv.ParseUint(name[2:], 16, 32)
	return Hash(v), err == nil
}

// Sur is a collision file (reference freelancer-sur 1): the surfaces of a model that can be hit. All coordinates are metres
// in the frame of their part, with the model's axes. An empty file has Version 0 and no hulls.
type Sur struct {
	Version float32 // SurVersion; 0 for an empty file and for the older layout
	Parts   []*SurPart
	Old     *OldSur // the older layout; nil for the usual one
}

// SurPart is a part of a collision file.
type SurPart struct {
	ID         Hash       // FLCRC of the part's name; 0 in the file of a .3db model
	Chunks     uint32     // as stored: it is wrong in some files
	Order      []SurChunk `json:",omitempty"` // of its chunks; nil for the usual one
	NotFixed   bool       // "!fxd": the part is the root, or its joint moves
	Min, Max   [3]float32 // box of the hulls that belong to no hardpoint
	Surface    *Surface
	Hardpoints []Hash `json:",omitempty"` // "hpid": hardpoints with hulls of their own; nil for none, not even an empty chunk
}

// SurChunk is the tag of a chunk.
type SurChunk string

// The chunks, in their usual order. The first and the last may be missing.
const (
	NotFixedChunk   SurChunk = "!fxd"
	ExtentsChunk    SurChunk = "exts"
	SurfaceChunk    SurChunk = "surf"
	HardpointsChunk SurChunk = "hpid"
)

// UsualOrder returns the chunks of a part in the order that all known files have.
func (p *SurPart) UsualOrder() []SurChunk {
	order := []SurChunk{ExtentsChunk, SurfaceChunk}
	if p.NotFixed {
		order = append([]SurChunk{NotFixedChunk}, order...)
	}
	if p.Hardpoints != nil {
		order = append(order, HardpointsChunk)
	}
	return order
}

// Surface is the hulls of a part, and the tree by which the game finds them (reference freelancer-sur 2).
type Surface struct {
	Center    [3]float32 // of mass, of the bounding sphere, and of the aiming reticle
	Inertia   [3]float32 // rotational, for each axis
	Radius    float32    // largest distance of a point from Center
	Deviation uint8      // of the surface, in 1/250 of Radius: an upper bound
	Unused    [3]int32   // 0
	Hulls     []SurHull  // terminal ones, then the one that wraps them all
	Points    []SurPoint // of all hulls
	Nodes     []SurNode  // in pre-order, the root first
	Tail      []byte     // bytes that a tool added after the nodes
}

// HullKind is the purpose of a hull.
type HullKind uint8

// The kinds of hulls.
const (
	TerminalHull HullKind = 4 // collides
	WrappingHull HullKind = 5 // encloses the others
)

// SurHull is a convex body, closed or flat.
type SurHull struct {
	Kind   HullKind
	ID     Hash   // of a terminal hull: the part, hardpoint or part further down that it belongs to
	Owner  int    // of a wrapping hull: the node that has it
	Units  uint32 // size of hull and points in 16 bytes; 0 in some files
	Unused uint16 // 0
	Faces  []SurFace
}

// UsualUnits returns the value of Units that is correct for the faces.
func (h *SurHull) UsualUnits() uint32 { n := uint32(len(h.Faces)); return 1 + n + 2 + n/2 }

// SurFace is a triangle, counter-clockwise seen from outside.
type SurFace struct {
	Points   [3]uint16 // in the points of the surface
	Opposite [3]int16  // slots from each edge to the same edge of the neighbour: slot 4f+e+1 is edge e of face f
	Pierce   uint16    // a face on the far side
	Material uint8     // 0
	Virtual  bool      // of a wrapping hull
}

// SurPoint is a point and the hull that it belongs to.
type SurPoint struct {
	At [3]float32
	ID Hash
}

// SurNode is a node of the tree: a sphere, and in it a box.
type SurNode struct {
	Right  int // node; 0 for a leaf. The left child is the next node; where both are the same there is one child
	Hull   int // −1 for none
	Center [3]float32
	Radius float32
	Box    [3]uint8 // half extents in 1/250 of Radius
	Unused uint8    // 0
}

// OldSur is the older layout (reference freelancer-sur 8).
type OldSur struct {
	Min, Max [3]float32 // box of the whole file
	Parts    []OldSurPart
}

// OldSurPart is a part of the older layout. It has either surfaces, usually one, or hulls with points of their own. The
// ids are the number of the part, from 1.
type OldSurPart struct {
	Name     string     // empty for the one part of a .3db model
	Surfaces []*Surface `json:",omitempty"`
	Ledges   []SurLedge `json:",omitempty"`
}

// The tags of parts of the older layout.
const (
	OldSurfaceTag = "surf"
	OldLedgeTag   = "ledg"
)

// SurLedge is a hull with its own points.
type SurLedge struct {
	Hull   SurHull
	Points []SurPoint
}
