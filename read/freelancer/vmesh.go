package freelancer

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// VMesh reads a VMeshData payload (reference section 5.2). It fails with ErrCount if groups, indices or vertices do not fit
// into b, and with ErrUnsupported for a vertex format with unknown fields.
func VMesh(b []byte, d *schema.Diagnostics) (*freelancer.VMesh, error) {
	c := read.NewCursor("vmesh", b, d)
	m := &freelancer.VMesh{Type: c.U32("type"), Primitive: freelancer.PrimitiveType(c.U32("primitive"))}
	groups, indices := c.U16("group count"), c.U16("index count")
	m.FVF = freelancer.FVF(c.U16("fvf"))
	vertices := c.U16("vertex count")
	if c.Err() == nil && !m.FVF.Known() {
		c.FailAtf(12, schema.ErrUnsupported, "fvf", "vertex format 0x%x", uint16(m.FVF))
	}
	m.Groups = make([]freelancer.MeshGroup, c.Count(uint64(groups), 12, "groups"))
	total := 0
	for i := range m.Groups {
		c.Enter("group", i)
		m.Groups[i] = freelancer.MeshGroup{
			Material: c.U32("material"), VertexStart: c.U16("vertexStart"), VertexEnd: c.U16("vertexEnd"),
			IndexCount: c.U16("index count"), Padding: c.U16("padding"),
		}
		total += int(m.Groups[i].IndexCount)
		c.Leave()
	}
	m.Indices = c.U16s(c.Count(uint64(indices), 2, "indices"), "indices")
	n := c.Count(uint64(vertices), m.FVF.Stride(), "vertices")
	raw := c.Elements(n, m.FVF.Stride(), vertexLayout(m.FVF), "vertices")
	m.Tail = c.Rest()
	if c.Err() != nil {
		return nil, c.Err()
	}
	vertexData(m, raw, n)
	if m.Type != 1 {
		d.WarnAtf("mesh-type", "", 0, "type %d, the game wants 1", m.Type)
	}
	if total != len(m.Indices) {
		d.WarnAtf("index-count", "", 10, "%d indices, the groups use %d", len(m.Indices), total)
	}
	if len(m.Tail) == 0 {
		m.Tail = nil
	}
	return m, nil
}

// vertexLayout is the layout of a vertex, for a trace.
func vertexLayout(f freelancer.FVF) string {
	layout := "position:3f32"
	if f&freelancer.FVFNormal != 0 {
		layout += " normal:3f32"
	}
	if f&freelancer.FVFPointSize != 0 {
		layout += " point-size:f32"
	}
	if f&freelancer.FVFDiffuse != 0 {
		layout += " diffuse:4u8"
	}
	if f&freelancer.FVFSpecular != 0 {
		layout += " specular:4u8"
	}
	for range f.Sets() {
		layout += " uv:2f32"
	}
	return layout
}

// vertexData takes the interleaved vertices apart, one attribute after the other.
func vertexData(m *freelancer.VMesh, raw []byte, n int) {
	stride, at := m.FVF.Stride(), 0
	m.Positions = vec3s(raw, n, stride, &at)
	if m.FVF&freelancer.FVFNormal != 0 {
		m.Normals = vec3s(raw, n, stride, &at)
	}
	if m.FVF&freelancer.FVFPointSize != 0 {
		m.PointSizes = make([]float32, n)
		for i := range m.PointSizes {
			m.PointSizes[i] = f32(raw, i*stride+at)
		}
		at += 4
	}
	if m.FVF&freelancer.FVFDiffuse != 0 {
		m.Diffuse = words(raw, n, stride, &at)
	}
	if m.FVF&freelancer.FVFSpecular != 0 {
		m.Specular = words(raw, n, stride, &at)
	}
	for range m.FVF.Sets() {
		uv := make([][2]float32, n)
		for i := range uv {
			v := raw[i*stride+at:][:8]
			uv[i] = [2]float32{f32(v, 0), f32(v, 4)}
		}
		m.TexCoords = append(m.TexCoords, uv)
		at += 8
	}
}

func vec3s(raw []byte, n, stride int, at *int) [][3]float32 {
	vs := make([][3]float32, n)
	for i := range vs {
		v := raw[i*stride+*at:][:12]
		vs[i] = [3]float32{f32(v, 0), f32(v, 4), f32(v, 8)}
	}
	*at += 12
	return vs
}

func words(raw []byte, n, stride int, at *int) []uint32 {
	vs := make([]uint32, n)
	for i := range vs {
		vs[i] = u32(raw, i*stride+*at)
	}
	*at += 4
	return vs
}

func f32(b []byte, at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[at:])) }

// VMeshRef reads a VMeshRef payload (reference section 5.4).
func VMeshRef(b []byte, d *schema.Diagnostics) (*freelancer.VMeshRef, error) {
	c := read.NewCursor("vmeshref", b, d)
	r := &freelancer.VMeshRef{
		Size: c.U32("size"), Mesh: c.U32("mesh"),
		VertexStart: c.U16("vertexStart"), VertexCount: c.U16("vertexCount"),
		IndexStart: c.U16("indexStart"), IndexCount: c.U16("indexCount"),
		GroupStart: c.U16("groupStart"), GroupCount: c.U16("groupCount"),
	}
	for i := range 3 {
		r.Max[i], r.Min[i] = c.F32("max"), c.F32("min")
	}
	r.Center, r.Radius = c.Vec3("center"), c.F32("radius")
	if c.Err() != nil {
		return nil, c.Err()
	}
	r.Tail = rest(c)
	if r.Size != freelancer.RefSize {
		d.WarnAtf("ref-size", "", 0, "size %d, expected %d", r.Size, freelancer.RefSize)
	}
	return r, nil
}

// rest returns the remaining bytes, nil for none.
func rest(c *read.Cursor) []byte {
	if c.Left() == 0 {
		return nil
	}
	return c.Rest()
}
