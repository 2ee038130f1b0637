package ultima9

import (
	"encoding/binary"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// IsIndexed reports whether a record is a mesh of the older layout. Its second word then is an offset, where the newer
// layout has the number of levels of detail.
func IsIndexed(b []byte) bool {
	return len(b) >= 8 && binary.LittleEndian.Uint32(b) == ultima9.IndexedMagic && binary.LittleEndian.Uint32(b[4:]) > ultima9.MaxLODs
}

// Indexed reads a mesh record of the older layout (reference section 6.8).
//
// It fails with ErrBadMagic if the record does not begin with A9h, ErrTruncated for a cut header, ErrCount for counts that
// the remaining bytes cannot hold, and ErrRange for tables inside the header and for pointers to no corner or vertex.
func Indexed(b []byte, d *schema.Diagnostics) (*ultima9.IndexedMesh, error) {
	c := read.NewCursor("u9-indexed", b, d)
	if magic := c.U32("magic"); c.Err() == nil && magic != ultima9.IndexedMagic {
		c.FailAtf(0, schema.ErrBadMagic, "magic", "found 0x%x, expected 0x%x", magic, ultima9.IndexedMagic)
	}
	m := new(ultima9.IndexedMesh)
	m.CornersAt, m.VerticesAt, m.TrailingAt = c.U32("corner offset"), c.U32("vertex offset"), c.U32("trailing offset")
	faces, corners, vertices := c.U32("face count"), c.U32("corner count"), c.U32("vertex count")
	copy(m.Unknown1C[:], c.Bytes(len(m.Unknown1C), "unknown 1C"))
	r := indexedReader{c: c, spans: []ultima9.Span{{End: ultima9.IndexedHeaderSize}}}
	m.Vertices = c.Vec3s(r.seek(m.VerticesAt, vertices, 12, "vertices"), "vertices")
	m.Corners = r.corners(m, r.seek(m.CornersAt, corners, ultima9.IndexedCornerSize, "corners"))
	m.Faces = r.faces(m, r.seek(ultima9.IndexedHeaderSize, faces, ultima9.IndexedFaceSize, "faces"))
	if c.Err() != nil {
		return nil, c.Err()
	}
	m.Gaps = ultima9.Uncovered(b, r.spans)
	for _, g := range m.Gaps {
		if g.Offset != m.TrailingAt {
			d.WarnAtf("gap", "", int64(g.Offset), "%d bytes belong to no table", len(g.Data))
		}
	}
	return m, nil
}

type indexedReader struct {
	c     *read.Cursor
	spans []ultima9.Span
}

// seek goes to a table of n elements and returns n, or 0 on failure. The offset of an empty table means nothing.
func (r *indexedReader) seek(offset, n uint32, size int, field string) int {
	if n == 0 || r.c.Err() != nil {
		return 0
	}
	if offset < ultima9.IndexedHeaderSize {
		r.c.Failf(schema.ErrRange, field, "the table at 0x%x lies inside the header", offset)
		return 0
	}
	r.c.Seek(int(offset), field)
	count := r.c.Count(uint64(n), size, field)
	if r.c.Err() == nil {
		r.spans = append(r.spans, ultima9.Span{Start: offset, End: offset + uint32(count*size)})
	}
	return count
}

// target turns a pointer, which counts from the structure that holds it, into the number of an element of a table.
func (r *indexedReader) target(owner, pointer, table uint32, n, size int, field string) uint32 {
	at := owner + pointer - table // pointers may lead back: they wrap
	if r.c.Err() == nil && (at%uint32(size) != 0 || at/uint32(size) >= uint32(n)) {
		r.c.FailAtf(r.c.Offset()-4, schema.ErrRange, field, "0x%x leads to none of the %d at 0x%x", pointer, n, table)
	}
	return at / uint32(size)
}

func (r *indexedReader) corners(m *ultima9.IndexedMesh, n int) []ultima9.IndexedCorner {
	c := r.c
	list := make([]ultima9.IndexedCorner, n)
	for i := range list {
		at := uint32(c.Pos())
		c.Enter("corner", i)
		list[i].Vertex = r.target(at, c.U32("vertex"), m.VerticesAt, len(m.Vertices), 12, "vertex")
		list[i].Normal = c.Vec3("normal")
		list[i].UV = c.Vec2("UV")
		c.Leave()
	}
	return list
}

func (r *indexedReader) faces(m *ultima9.IndexedMesh, n int) []ultima9.IndexedFace {
	c := r.c
	list := make([]ultima9.IndexedFace, n)
	for i := range list {
		f := &list[i]
		at := uint32(c.Pos())
		c.Enter("face", i)
		for k := range f.Corners {
			pointer := c.U32("corner")
			if k == 3 && pointer == 0 {
				f.Corners[k] = ultima9.NoCorner
				continue
			}
			f.Corners[k] = r.target(at, pointer, m.CornersAt, len(m.Corners), ultima9.IndexedCornerSize, "corner")
		}
		f.Flags = read.Named(c, ultima9.Flags(c.U32("flags")))
		f.Normal = c.Vec3("normal")
		f.PlaneW = c.F32("plane w")
		f.Texture = c.U32("texture")
		copy(f.Color[:], c.Elements(4, 1, schema.LayoutU8, "colour"))
		copy(f.Extremes[:], c.Elements(6, 1, schema.LayoutU8, "extremes"))
		f.SizeCode = c.U16("size code")
		c.Leave()
	}
	return list
}
