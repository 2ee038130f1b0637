package unreal

import (
	"encoding/binary"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// MeshData reads the data file of a vertex mesh, *_d.3d (reference section 11.10). It fails with ErrCount for more polygons
// than the file can hold.
func MeshData(b []byte, d *schema.Diagnostics) (*unreal.MeshData, error) {
	c := read.NewCursor("unreal-mesh-data", b, d)
	m := new(unreal.MeshData)
	polys := c.U16("polygons")
	m.Vertices, m.BogusRot, m.Frame = c.U16("vertices"), c.U16("rot"), c.U16("frame")
	m.Normal = [3]uint32{c.U32("normal"), c.U32("normal"), c.U32("normal")}
	m.FixScale = c.U32("fixscale")
	m.Unused = [3]uint32{c.U32("unused"), c.U32("unused"), c.U32("unused")}
	copy(m.Unknown24[:], c.Bytes(12, "Unknown24"))
	m.Polys = make([]unreal.SourcePoly, c.Count(uint64(polys), 16, "polygons"))
	for i := range m.Polys {
		c.Enter("polygon", i)
		p := &m.Polys[i]
		p.Vertices = [3]uint16{c.U16("vertex"), c.U16("vertex"), c.U16("vertex")}
		p.Type, p.Color = c.U8("type"), c.U8("colour")
		for k := range p.UV {
			p.UV[k] = [2]uint8{c.U8("U"), c.U8("V")}
		}
		p.Texture, p.Flags = c.U8("texture"), c.U8("flags")
		c.Leave()
	}
	if c.Left() > 0 {
		m.Tail = c.Rest()
	}
	return m, c.Err()
}

// frameBytes returns a frame; what is no whole vertex at its end is padding.
func frameBytes(c *read.Cursor, size, vertex int) []byte {
	b := c.Part(size, "frame")
	if over := size % vertex; c.Noting() && len(b) == size {
		c.Seek(c.Pos()-size, "frame")
		c.Elements(size/vertex, vertex, vertexLayout(vertex), "frame")
		c.Bytes(over, "padding")
	}
	return b
}

// MeshAniv reads the animation file of a vertex mesh, *_a.3d. A vertex has 4 bytes, or 8 in Deus Ex. To distinguish these,
// vertices is the vertex count of the data file, which a frame must be able to hold; 0 if unknown.
func MeshAniv(b []byte, vertices int, d *schema.Diagnostics) (*unreal.MeshAniv, error) {
	c := read.NewCursor("unreal-mesh-aniv", b, d)
	m := &unreal.MeshAniv{VertexBytes: 4}
	frames := c.U16("frames")
	m.FrameBytes = c.U16("bytes a frame")
	size := int(m.FrameBytes)
	if vertices > 0 && size == 8*vertices {
		m.VertexBytes = 8
	}
	if size == 0 && frames > 0 {
		c.Failf(schema.ErrValue, "bytes a frame", "%d frames of no bytes", frames)
	}
	n := c.Count(uint64(frames), size, "frames")
	for i := range n {
		m.Frames = append(m.Frames, make([][3]int16, size/m.VertexBytes))
		b := frameBytes(c, size, m.VertexBytes)
		if m.VertexBytes == 8 {
			if pad := wideVertices(m.Frames[i], b); pad != nil {
				m.Pad = append(append(m.Pad, make([]uint16, i*len(pad)-len(m.Pad))...), pad...)
			}
			continue
		}
		for k := range m.Frames[i] {
			m.Frames[i][k] = unpackVertex(binary.LittleEndian.Uint32(b[4*k:]))
		}
	}
	over := size % m.VertexBytes
	for i := 0; over > 0 && i < n; i++ {
		m.Padding = append(m.Padding, b[4+(i+1)*size-over:4+(i+1)*size])
	}
	if m.Pad != nil {
		m.Pad = append(m.Pad, make([]uint16, n*(size/8)-len(m.Pad))...)
	}
	if c.Left() > 0 {
		m.Tail = c.Rest()
	}
	return m, c.Err()
}
