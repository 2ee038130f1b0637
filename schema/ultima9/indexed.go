package ultima9

import (
	"math"

	"github.com/usher-assets/usher/schema"
)

// Sizes of the parts of an indexed mesh (reference section 6.8).
const (
	// IndexedMagic is the first word of a mesh in the older "indexed" layout, and the size of its header. The game itself
	// cannot load this layout.
	IndexedMagic      = 0xA9
	IndexedHeaderSize = 0xA9
	IndexedFaceSize   = 0x34
	IndexedCornerSize = 0x18

	// NoCorner is the last corner of a triangle, which has only three.
	NoCorner = math.MaxUint32
)

// IndexedMesh is a record of sappear.flx in the layout that preceded [Mesh]. It is one rigid part; its faces refer to
// corners, and corners to vertices. Lengths are raw units. Pointers are kept as numbers of corners and vertices.
type IndexedMesh struct {
	CornersAt  uint32      // offset of the corners in the record; faces follow the header
	VerticesAt uint32      // offset of the vertices
	TrailingAt uint32      // offset of data whose meaning is unknown; it is in Gaps
	Unknown1C  [0x8D]uint8 // rest of the header
	Faces      []IndexedFace
	Corners    []IndexedCorner
	Vertices   [][3]float32
	Gaps       []Gap // bytes outside of header and tables
}

// IndexedFace is a triangle or a quadrilateral; its corners are clockwise seen from outside.
type IndexedFace struct {
	Corners  [4]uint32 // numbers of corners; the last is NoCorner in a triangle
	Flags    Flags
	Normal   [3]float32
	PlaneW   float32
	Texture  uint32
	Color    [4]uint8
	Extremes [6]uint8 // corner that is furthest left, right, front, back, bottom, top
	SizeCode uint16
}

// IndexedCorner is a corner, which several faces may share.
type IndexedCorner struct {
	Vertex uint32 // number of the vertex
	Normal [3]float32
	UV     [2]float32 // v down from the top row
}

// Triangle reports whether a face has three corners.
func (f *IndexedFace) Triangle() bool { return f.Corners[3] == NoCorner }

// Check fails with ErrRange if a face or corner refers to a corner or vertex that does not exist.
func (m *IndexedMesh) Check() error {
	for i := range m.Corners {
		if v := m.Corners[i].Vertex; int64(v) >= int64(len(m.Vertices)) {
			return schema.Errorf("u9-indexed", schema.ErrRange, "vertex", "corner %d has vertex %d of %d", i, v, len(m.Vertices))
		}
	}
	for i := range m.Faces {
		for k, c := range m.Faces[i].Corners {
			if int64(c) >= int64(len(m.Corners)) && !(k == 3 && c == NoCorner) {
				return schema.Errorf("u9-indexed", schema.ErrRange, "corner", "face %d has corner %d of %d", i, c, len(m.Corners))
			}
		}
	}
	return nil
}
