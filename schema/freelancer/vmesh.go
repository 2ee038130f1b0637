package freelancer

import "fmt"

// FVF is a set of vertex fields, encoded as in Direct3D's flexible vertex format (reference section 5.3).
type FVF uint16

// The fields, in the order in which they are stored. The number of texture coordinate sets is [FVF.Sets].
const (
	FVFPosition  FVF = 0x002
	FVFNormal    FVF = 0x010
	FVFPointSize FVF = 0x020
	FVFDiffuse   FVF = 0x040
	FVFSpecular  FVF = 0x080
	fvfSets      FVF = 0xF00
	fvfKnown         = FVFPosition | FVFNormal | FVFPointSize | FVFDiffuse | FVFSpecular | fvfSets
)

// NewFVF returns the format with a position, the given fields and n sets of texture coordinates.
func NewFVF(fields FVF, n int) FVF { return FVFPosition | fields | FVF(n)<<8 }

// Sets returns the number of texture coordinate sets.
func (f FVF) Sets() int { return int(f & fvfSets >> 8) }

// Known reports whether a vertex has a position and no unknown fields.
func (f FVF) Known() bool { return f&FVFPosition != 0 && f&^fvfKnown == 0 && f.Sets() <= 8 }

// Stride returns the size of a vertex in bytes.
func (f FVF) Stride() int {
	n := 12 + 8*f.Sets()
	if f&FVFNormal != 0 {
		n += 12
	}
	for _, field := range [...]FVF{FVFPointSize, FVFDiffuse, FVFSpecular} {
		if f&field != 0 {
			n += 4
		}
	}
	return n
}

// PrimitiveType is how the indices form shapes (D3DPRIMITIVETYPE).
type PrimitiveType uint32

// The primitive types.
const (
	PointList     PrimitiveType = 1
	LineList      PrimitiveType = 2
	LineStrip     PrimitiveType = 3
	TriangleList  PrimitiveType = 4
	TriangleStrip PrimitiveType = 5
	TriangleFan   PrimitiveType = 6
)

// GroupPadding stands in the last field of every group.
const GroupPadding = 0x00CC

// VMesh is the payload of a VMeshData leaf (reference section 5.2): vertices, which several parts may share, and groups of
// indices that draw them. The slices of the attributes that the format has are as long as Positions; the others are nil.
type VMesh struct {
	Type       uint32 // 1
	Primitive  PrimitiveType
	Groups     []MeshGroup
	Indices    []uint16 // relative to VertexStart of the reference plus that of the group; groups use them one after the other
	FVF        FVF
	Positions  [][3]float32
	Normals    [][3]float32
	PointSizes []float32
	Diffuse    []uint32       // ARGB, display values
	Specular   []uint32       // ARGB
	TexCoords  [][][2]float32 // one slice a set
	Tail       []byte         `json:",omitempty"` // padding after the last vertex
}

// MeshGroup is a run of indices with one material.
type MeshGroup struct {
	Material    uint32 // FLCRC of the material's name
	VertexStart uint16 // added to each index
	VertexEnd   uint16 // VertexStart + the largest index
	IndexCount  uint16
	Padding     uint16 // GroupPadding
}

// RefSize is the size of a VMeshRef.
const RefSize = 60

// VMeshRef is the payload of a VMeshRef leaf (reference section 5.4): the part of a mesh that a model part draws. An empty
// one draws nothing.
type VMeshRef struct {
	Size        uint32 // RefSize
	Mesh        uint32 // FLCRC of the mesh's name in the VMeshLibrary of this or another file
	VertexStart uint16 // added to every index
	VertexCount uint16
	IndexStart  uint16
	IndexCount  uint16
	GroupStart  uint16
	GroupCount  uint16
	Max, Min    [3]float32 // bounding box, stored in turns; swapped in a few files
	Center      [3]float32 // of the bounding sphere
	Radius      float32
	Tail        []byte `json:",omitempty"`
}

// Empty reports whether the reference draws nothing.
func (r *VMeshRef) Empty() bool { return r.GroupCount == 0 }

// Groups returns the groups that r draws, with the position of each group's first index. It checks all ranges against the
// mesh.
func (r *VMeshRef) Groups(m *VMesh) ([]GroupRange, error) {
	if int(r.GroupStart)+int(r.GroupCount) > len(m.Groups) {
		return nil, fmt.Errorf("groups %d to %d of %d", r.GroupStart, int(r.GroupStart)+int(r.GroupCount), len(m.Groups))
	}
	at := 0
	for _, g := range m.Groups[:r.GroupStart] {
		at += int(g.IndexCount)
	}
	ranges := make([]GroupRange, 0, r.GroupCount)
	for i := int(r.GroupStart); i < int(r.GroupStart)+int(r.GroupCount); i++ {
		x, err := m.groupRange(i, at, int(r.VertexStart))
		if err != nil {
			return nil, err
		}
		ranges = append(ranges, x)
		at += x.Count
	}
	return ranges, nil
}

// groupRange returns where group i stands, whose indices begin at an index and whose vertices are counted from another.
func (m *VMesh) groupRange(i, at, vertices int) (GroupRange, error) {
	g := m.Groups[i]
	if at+int(g.IndexCount) > len(m.Indices) {
		return GroupRange{}, fmt.Errorf("group %d needs indices %d to %d of %d", i, at, at+int(g.IndexCount), len(m.Indices))
	}
	base := vertices + int(g.VertexStart)
	for _, x := range m.Indices[at : at+int(g.IndexCount)] {
		if base+int(x) >= len(m.Positions) {
			return GroupRange{}, fmt.Errorf("group %d uses vertex %d of %d", i, base+int(x), len(m.Positions))
		}
	}
	return GroupRange{Group: i, FirstIndex: at, Count: int(g.IndexCount), FirstVertex: base}, nil
}

// AllGroups returns the groups of a mesh whose references are unknown, and whether several references share the mesh. The
// groups of a reference are stored one after the other, and their vertex numbers begin at 0 (reference section 5.4). So a
// group that begins at vertex 0 begins the next reference, as long as there are enough vertices.
func (m *VMesh) AllGroups() (ranges []GroupRange, shared bool, err error) {
	firsts := make([]int, len(m.Groups))
	base, end, most := 0, 0, 0
	for i, g := range m.Groups {
		if g.VertexStart == 0 {
			base, end = base+end, 0
		}
		firsts[i], end = base, max(end, int(g.VertexEnd)+1)
		most = max(most, int(g.VertexEnd)+1)
	}
	shared = base > 0 && most < len(m.Positions) && base+end <= len(m.Positions)
	at := 0
	for i := range m.Groups {
		if !shared {
			firsts[i] = 0
		}
		x, err := m.groupRange(i, at, firsts[i])
		if err != nil {
			return nil, false, err
		}
		ranges = append(ranges, x)
		at += x.Count
	}
	return ranges, shared, nil
}

// GroupRange is the position of a group in the buffers of its mesh.
type GroupRange struct {
	Group             int
	FirstIndex, Count int
	FirstVertex       int // added to each index
}
