package ultima9

import (
	"math"

	"github.com/usher-assets/usher/schema"
)

// Sizes of the parts of a mesh record (reference section 6).
const (
	MeshHeaderSize = 0x90
	LimbHeaderSize = 0x30
	LODHeaderSize  = 0x7C // after the size word
	FaceSize       = 0x7C
	CornerSize     = 0x1C
	MaterialSize   = 0x18

	MaxLODs  = 4
	MaxFaces = math.MaxInt16 // of a level: the sorted lists hold signed 16-bit numbers

	// NoTexture is the texture id of an invisible material.
	NoTexture = 0xFFFF
)

// RawPerMetre is the number of raw units in a metre.
const RawPerMetre = 40

// Mesh is a record of sappear.flx: a model of limbs, each with up to four levels of detail. Lengths are raw units.
type Mesh struct {
	LODs            uint32 // levels that each limb has, 1 … 4
	CylinderBase    [3]float32
	CylinderHeight  float32
	CylinderRadius  float32
	SphereCentre    [3]float32
	SphereRadius    float32
	Shape           CollisionShape
	Unknown2E       uint16
	BoxMin, BoxMax  [3]float32
	Thresholds      [4]int32 // when which level is shown
	CentreOfMass    [3]float32
	Volume          float32
	InverseInertia  [9]float32
	DiagonalInertia int32 // 1 when the matrix is diagonal
	Limbs           []Limb
	Gaps            []Gap // bytes outside of table, limbs and levels
}

// CollisionShape is the simple body that represents the model in collisions.
type CollisionShape int16

// The collision shapes.
const (
	ShapeBox CollisionShape = iota
	ShapeSphere
	ShapeCylinder
)

var shapeNames = schema.EnumNames[CollisionShape]{ShapeBox: "box", ShapeSphere: "sphere", ShapeCylinder: "cylinder"}

// String returns the shape's name.
func (s CollisionShape) String() string { return shapeNames.Text(s) }

// MarshalText implements encoding.TextMarshaler.
func (s CollisionShape) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *CollisionShape) UnmarshalText(b []byte) error { return shapeNames.Parse(b, s) }

// Limb is a rigid part of a model. Its transform relative to its parent is translation · rotation · scale.
type Limb struct {
	Offset   uint32 // of the limb's header in the record
	ID       uint32
	Parent   uint32 // limb id; its own, or one that no limb has, for a root
	Scale    [3]float32
	Position [3]float32
	Rotation [4]float32 // w, x, y, z
	LODs     []LOD      // as many as Mesh.LODs says
}

// LOD is the geometry of a limb at one level of detail. Offsets of arrays count from the end of the size word.
type LOD struct {
	Offset          uint32 // of the size word in the record
	Size            uint32 // of what follows the size word; 0 when there is nothing, and then all else is zero
	Flags           Flags  // 4 and 8 are common
	Flags2          Flags
	SphereCentre    [3]float32
	SphereRadius    float32
	BoxMin, BoxMax  [3]float32
	BuildPointers   [2]uint32 // left over from the tool that made the file
	MaxFaces        uint32
	FacesAt         uint32
	MountFacesAt    uint32
	VerticesAt      uint32
	MountVerticesAt uint32
	MaterialsAt     uint32
	SortedAt        [4]uint32
	Reserved        [2]uint32
	Faces           []Face
	MountFaces      []Face // where other limbs or held things attach
	Vertices        [][3]float32
	MountVertices   [][3]float32
	Materials       []Material
	Sorted          [4][]int16 // −1, every face number once, −1
	Gaps            []Gap      // offsets count from the end of the size word
}

// Empty reports whether the limb has no geometry at this level.
func (l *LOD) Empty() bool { return l.Size == 0 }

// Face is a triangle; its corners are clockwise seen from outside.
type Face struct {
	Corners     [3]Corner
	Flags       Flags // low 12 bits used
	Flags2      Flags
	Normal      [3]float32
	PlaneW      float32
	RawMaterial uint32 // unreliable
	Color       [4]uint8
	Extremes    [6]uint8 // corner that is furthest left, right, front, back, bottom, top
	SizeCode    uint16   // of mount faces: kind of attachment, and its scale in the high byte
}

// Corner is a corner of a face.
type Corner struct {
	Vertex       uint32
	VertexOffset uint32 // 12 · Vertex
	Normal       [3]float32
	UV           [2]float32 // v down from the top row; NaN in some files
}

// Material is the look of a run of faces (reference section 6.6).
type Material struct {
	Texture      uint16
	Unknown02    uint16
	Flags        RenderFlags
	Unknown06    uint16
	FirstFace    uint16
	FaceCount    uint16
	DefaultAlpha uint8
	ActiveAlpha  uint8 // FFh: none
	Start, End   uint8 // frames of the animation
	Current      uint8 // frame shown
	FPS          uint8
	Type         uint8
	Backward     Direction
	Timer        uint32
}

// Direction is where an animation goes.
type Direction uint8

var directionNames = schema.EnumNames[Direction]{0: "forward", 1: "backward"}

// String returns the direction's name.
func (d Direction) String() string { return directionNames.Text(d) }

// MarshalText implements encoding.TextMarshaler.
func (d Direction) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Direction) UnmarshalText(b []byte) error { return directionNames.Parse(b, d) }

// RenderFlags says how a material is drawn.
type RenderFlags uint16

// The render flags with a known meaning; bits 2 and 3 are a mode.
const (
	RenderChromaKey   RenderFlags = 1 << 0
	RenderMode        RenderFlags = 3 << 2 // 3: depth-sorted
	RenderClampS      RenderFlags = 1 << 8
	RenderClampT      RenderFlags = 1 << 9
	RenderTranslucent RenderFlags = 1 << 10 // at run time only
	RenderAdditive    RenderFlags = 1 << 11
)

var renderBits = schema.Bits[RenderFlags]{
	schema.Flag(0, "chroma-key"),
	schema.Choice(2, 2, "mode", map[uint32]string{3: "depth-sorted"}),
	schema.Flag(8, "clamp-s"),
	schema.Flag(9, "clamp-t"),
	schema.Flag(10, "translucent"),
	schema.Flag(11, "additive"),
}

// String returns the flags in words.
func (f RenderFlags) String() string { return renderBits.Text(f) }

// MarshalText implements encoding.TextMarshaler.
func (f RenderFlags) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *RenderFlags) UnmarshalText(b []byte) error { return renderBits.Parse(b, f) }

// Parents returns the index of each limb's parent, −1 for roots. If several limbs have the same id, the first one counts.
// It fails with ErrCycle if a limb is its own ancestor.
func (m *Mesh) Parents() ([]int, error) {
	first := make(map[uint32]int, len(m.Limbs))
	for i := len(m.Limbs) - 1; i >= 0; i-- {
		first[m.Limbs[i].ID] = i
	}
	parents := make([]int, len(m.Limbs))
	for i := range m.Limbs {
		l := &m.Limbs[i]
		p, found := first[l.Parent]
		if !found || l.Parent == l.ID {
			p = -1
		}
		parents[i] = p
	}
	const open, done = 1, 2
	state := make([]uint8, len(parents))
	for i := range parents {
		j := i
		for ; j >= 0 && state[j] == 0; j = parents[j] {
			state[j] = open
		}
		if j >= 0 && state[j] == open {
			return nil, schema.Errorf("sappear", schema.ErrCycle, "parent", "limb %d is its own ancestor", m.Limbs[j].ID)
		}
		for j = i; j >= 0 && state[j] == open; j = parents[j] {
			state[j] = done
		}
	}
	return parents, nil
}

// Layout sets the offsets and the size of the level to the canonical ones: arrays in order, without gaps.
func (l *LOD) Layout() {
	at := uint32(LODHeaderSize)
	place := func(n, size int) (offset uint32) {
		offset = at
		at += uint32(n * size)
		return offset
	}
	l.FacesAt = place(len(l.Faces), FaceSize)
	l.MountFacesAt = place(len(l.MountFaces), FaceSize)
	l.VerticesAt = place(len(l.Vertices), 12)
	l.MountVerticesAt = place(len(l.MountVertices), 12)
	l.MaterialsAt = place(len(l.Materials), MaterialSize)
	for i := range l.Sorted {
		l.SortedAt[i] = place(len(l.Sorted[i]), 2)
	}
	l.Size = at
	l.Gaps = nil
}

// Layout sets the offsets of the record to the canonical ones: the table, then each limb's header and levels, without gaps.
// The layout inside levels is kept.
func (m *Mesh) Layout() {
	at := uint32(MeshHeaderSize + 4*len(m.Limbs)*(int(m.LODs)+1))
	for i := range m.Limbs {
		l := &m.Limbs[i]
		l.Offset = at
		at += LimbHeaderSize
		for k := range l.LODs {
			l.LODs[k].Offset = at
			at += 4 + l.LODs[k].Size
		}
	}
	m.Gaps = nil
}
