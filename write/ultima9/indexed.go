package ultima9

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Indexed writes a mesh record of the older layout (reference section 6.8), with its tables at the offsets in the mesh. It
// fails with ErrRange for tables inside the header and for numbers of corners or vertices that do not exist.
func Indexed(m *ultima9.IndexedMesh) ([]byte, error) {
	size, err := indexedSize(m)
	if err != nil {
		return nil, err
	}
	b := make([]byte, size)
	faces := ultima9.IndexedHeaderSize + ultima9.IndexedFaceSize*len(m.Faces)
	return b, fill("u9-indexed", b, gaps([]region{
		{size: faces, write: func(b []byte) { writeIndexedFaces(b, m) }},
		array(m.CornersAt, m.Corners, ultima9.IndexedCornerSize, func(b []byte, _ []ultima9.IndexedCorner) { writeIndexedCorners(b, m) }),
		array(m.VerticesAt, m.Vertices, 12, writeVertices),
	}, m.Gaps))
}

// writeIndexedFaces fills header and faces.
func writeIndexedFaces(b []byte, m *ultima9.IndexedMesh) {
	p := block{b: b}
	p.u32s(ultima9.IndexedMagic, m.CornersAt, m.VerticesAt, m.TrailingAt)
	p.u32s(uint32(len(m.Faces)), uint32(len(m.Corners)), uint32(len(m.Vertices)))
	p.u8s(m.Unknown1C[:]...)
	for i := range m.Faces {
		writeIndexedFace(&p, &m.Faces[i], m.CornersAt)
	}
}

func writeIndexedCorners(b []byte, m *ultima9.IndexedMesh) {
	p := block{b: b}
	for i := range m.Corners {
		c := &m.Corners[i]
		p.u32(m.VerticesAt + 12*c.Vertex - m.CornersAt - uint32(p.at))
		p.f32s(c.Normal[:]...)
		p.f32s(c.UV[:]...)
	}
}

func writeIndexedFace(p *block, f *ultima9.IndexedFace, cornersAt uint32) {
	start := uint32(p.at)
	for k, c := range f.Corners {
		if k == 3 && f.Triangle() {
			p.u32(0)
			continue
		}
		p.u32(cornersAt + ultima9.IndexedCornerSize*c - start)
	}
	p.u32(uint32(f.Flags))
	p.f32s(f.Normal[:]...)
	p.f32s(f.PlaneW)
	p.u32(f.Texture)
	p.u8s(f.Color[:]...)
	p.u8s(f.Extremes[:]...)
	p.u16(f.SizeCode)
}

// indexedSize checks all offsets and numbers and returns the size of the record.
func indexedSize(m *ultima9.IndexedMesh) (int, error) {
	end, parts, ok := ultima9.IndexedHeaderSize, ultima9.IndexedHeaderSize, true
	reach := func(offset uint32, n, size int) {
		parts += n * size
		if n > 0 {
			ok = ok && offset >= ultima9.IndexedHeaderSize
			end = max(end, int(offset)+n*size)
		}
	}
	reach(ultima9.IndexedHeaderSize, len(m.Faces), ultima9.IndexedFaceSize)
	reach(m.CornersAt, len(m.Corners), ultima9.IndexedCornerSize)
	reach(m.VerticesAt, len(m.Vertices), 12)
	for _, g := range m.Gaps {
		reach(g.Offset, len(g.Data), 1)
	}
	if !ok {
		return 0, schema.Errorf("u9-indexed", schema.ErrRange, "offset", "a table begins inside the header")
	}
	if err := checkSpread("u9-indexed", end, parts); err != nil {
		return 0, err
	}
	return end, m.Check()
}
