package ultimate3d

import (
	"encoding/binary"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// mesh reads a mesh chunk (reference section 3).
func (p *parser) mesh(c *read.Cursor) *ultimate3d.Mesh {
	m := &ultimate3d.Mesh{}
	c.Magic(ultimate3d.MeshMagic, "identifier")
	m.Name = c.CString("Name")
	m.Frame = c.U16("Frame")
	m.LOD = c.F32("LOD")
	m.NormalScalar = c.F32("NormalScalar")
	m.ValidInverseTangentSpace = ultimate3d.Bool(c.U8("ValidInverseTangentSpaceMatrices"))
	at := c.Offset()
	vertices := c.Extent(uint64(c.U16("nVertex")), 14, "nVertex")
	for i := range m.TexCoordDimensions {
		dimension := c.U16("pTexCoordDimensions")
		if dimension > 4 {
			c.Failf(schema.ErrMismatch, "pTexCoordDimensions", "set %d has %d dimensions, at most 4", i, dimension)
		}
		m.TexCoordDimensions[i] = dimension
	}
	m.StoredWeights = c.U16("nSkinWeight")
	if m.StoredWeights > 3 {
		c.Failf(schema.ErrMismatch, "nSkinWeight", "%d weights a vertex, at most 3", m.StoredWeights)
	}
	m.MaxBlendingMatrix = c.U8("iMaxBlendingMatrix")
	p.shadow(c, m)
	if c.Err() == nil && vertices > c.Left()/14 {
		c.FailAtf(at, schema.ErrTruncated, "nVertex", "%d vertices of 14 bytes do not fit into the %d bytes left", vertices, c.Left())
	}
	m.Positions = c.Vec3s(vertices, "pPosition")
	m.Normals = normals(c, vertices)
	m.UseTextureCoordinateBuffer = ultimate3d.Bool(c.U8("UseTextureCoordinateBuffer"))
	m.TextureCoordinatesOwned = ultimate3d.Bool(c.U8("TextureCoordinateOwned"))
	if m.TextureCoordinatesOwned.True() {
		for i, dimension := range m.TexCoordDimensions {
			m.TexCoords[i] = c.F32s(vertices*int(dimension), "ppTextureCoordinateSet")
		}
	}
	if m.StoredWeights != 0 {
		m.Weights = c.F32s(vertices*int(m.StoredWeights), "ppSkinWeight")
		m.WeightBones = weightBones(c, vertices)
	}
	n := c.U16("nTriangle")
	m.TrianglesOwned = ultimate3d.Bool(c.U8("TrianglesOwned"))
	if !m.TrianglesOwned.True() {
		m.SharedTriangles = n
		return m
	}
	triangles := c.Extent(uint64(n), 8, "nTriangle")
	m.Triangles = trianglesOf(c, triangles, "pTriangle")
	m.TriangleMaterials = c.U16s(triangles, "piTriangleMaterial")
	return m
}

// shadow reads the shadow volume. Its arrays are absent when no triangle is announced, as the engine has it, or always
// present, as the published text has it.
func (p *parser) shadow(c *read.Cursor, m *ultimate3d.Mesh) {
	m.Shadow.VertexCount = c.U16("nShadowVolumeVertex")
	triangles := c.U16("nShadowVolumeTriangle")
	if triangles == 0 && m.Shadow.VertexCount != 0 {
		p.sawLoneShadowVertices = true
		if !p.literalShadows {
			return
		}
	}
	size := ultimate3d.ShadowVertexSize(m.StoredWeights)
	m.Shadow.Vertices = c.Data(size*int(m.Shadow.VertexCount), "vertices", "pShadowVolumeVBuffer")
	m.Shadow.Triangles = trianglesOf(c, int(triangles), "pShadowVolumeIBuffer")
}

func trianglesOf(c *read.Cursor, n int, field string) [][3]uint16 {
	b := c.Elements(n, 6, "3u16", field)
	if len(b) == 0 {
		return nil
	}
	v := make([][3]uint16, n)
	for i := range v {
		e := b[6*i : 6*i+6]
		v[i] = [3]uint16{binary.LittleEndian.Uint16(e), binary.LittleEndian.Uint16(e[2:]), binary.LittleEndian.Uint16(e[4:])}
	}
	return v
}

// packedNormal is a normal as one number, for traces.
type packedNormal uint16

// String returns the direction.
func (n packedNormal) String() string { return ultimate3d.Normal{int8(n), int8(n >> 8)}.String() }

var normalNames = schema.NamesOf[packedNormal]("")

func normals(c *read.Cursor, n int) []ultimate3d.Normal {
	b := c.Elements(n, 2, "2i8", "pNormal")
	c.Name(normalNames)
	if len(b) == 0 {
		return nil
	}
	v := make([]ultimate3d.Normal, n)
	for i := range v {
		v[i] = ultimate3d.Normal{int8(b[2*i]), int8(b[2*i+1])}
	}
	return v
}

func weightBones(c *read.Cursor, n int) [][4]uint8 {
	b := c.Elements(n, 4, "4u8", "pSkinWeightIndex")
	if len(b) == 0 {
		return nil
	}
	v := make([][4]uint8, n)
	for i := range v {
		v[i] = [4]uint8(b[4*i:])
	}
	return v
}
