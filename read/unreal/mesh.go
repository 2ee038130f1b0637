package unreal

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Mesh reads a vertex mesh (reference section 11.2).
func Mesh(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Mesh, error) {
	return decode(b, x, d, mesh)
}

func mesh(r *reader, m *unreal.Mesh) {
	r.base(&m.Object)
	m.Primitive = r.primitive()
	r.vertices(m)
	r.lazy(20, "triangles", func(n, _ int) {
		m.Triangles = listOf(r, n, "triangle", func(t *unreal.Triangle) {
			*t = triangle(r.Elements(1, 20, "vertices:3u16 UV:6u8 flags:u32 texture:i32", "triangle"))
		})
	})
	m.Sequences = r.sequences()
	r.lazy(8, "connects", func(n, _ int) {
		m.Connects = listOf(r, n, "connect", func(c *unreal.Connect) {
			*c = unreal.Connect{Count: r.I32("triangle count"), Offset: r.I32("offset")}
		})
	})
	m.Primitive2 = r.primitive()
	r.lazy(4, "links", func(n, _ int) { m.Links = r.i32s(n, "links") })
	m.Textures = r.refs("textures")
	m.Boxes = list(r, 25, "boxes", func(b *unreal.Box) { *b = r.box() })
	m.Spheres = list(r, 12, "spheres", func(s *unreal.Sphere) { *s = r.sphere() })
	m.FrameVerts, m.AnimFrames = r.I32("FrameVerts"), r.I32("AnimFrames")
	m.AndFlags, m.OrFlags = r.U32("AND flags"), r.U32("OR flags")
	m.Scale, m.Origin = r.Vec3("Scale"), r.Vec3("Origin")
	m.RotOrigin = [3]int32{r.I32("pitch"), r.I32("yaw"), r.I32("roll")}
	m.CurPoly, m.CurVertex = r.I32("CurPoly"), r.I32("CurVertex")
	switch {
	case r.version == 65:
		m.TextureLOD = r.F32s(1, "TextureLOD")
	case r.version > 65:
		m.TextureLOD = r.F32s(r.Len(4, "TextureLOD"), "TextureLOD")
	}
}

func (r *reader) box() unreal.Box {
	return unreal.Box{Min: r.Vec3("min"), Max: r.Vec3("max"), Valid: r.U8("valid")}
}

func (r *reader) sphere() unreal.Sphere {
	s := unreal.Sphere{Center: r.Vec3("centre")}
	if r.version >= unreal.LazyVersion {
		s.Radius = r.F32("radius")
	}
	return s
}

func (r *reader) primitive() unreal.Primitive {
	return unreal.Primitive{Box: r.box(), Sphere: r.sphere()}
}

func (r *reader) i32s(n int, field string) []int32 {
	b := r.Elements(n, 4, schema.LayoutI32, field)
	if r.Err() != nil || n == 0 {
		return nil
	}
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return all
}

// vertices reads the packed vertices of all frames. Deus Ex stores 8 bytes where others have 4; nothing but the end of
// the array tells (reference section 11.4).
func (r *reader) vertices(m *unreal.Mesh) {
	m.VertexBytes = 4
	r.lazy(4, "vertices", func(n, bytes int) {
		if n > 0 && bytes == 8*n {
			m.VertexBytes = 8
		}
		b := r.Elements(n, m.VertexBytes, vertexLayout(m.VertexBytes), "vertices")
		if r.Err() != nil || n == 0 {
			return
		}
		m.Vertices = make([][3]int16, n)
		if m.VertexBytes == 8 {
			m.Pad = wideVertices(m.Vertices, b)
			return
		}
		for i := range m.Vertices {
			m.Vertices[i] = unpackVertex(binary.LittleEndian.Uint32(b[4*i:]))
		}
	})
}

// vertexLayout is the layout of a vertex of 4 or 8 bytes, for a trace.
func vertexLayout(bytes int) string {
	if bytes == 8 {
		return "4i16"
	}
	return "packed:u32"
}

// unpackVertex returns the three signed parts of a packed vertex: 11, 11 and 10 bits.
func unpackVertex(v uint32) [3]int16 {
	return [3]int16{int16(int32(v<<21) >> 21), int16(int32(v<<10) >> 21), int16(int32(v) >> 22)}
}

// wideVertices unpacks 8-byte vertices and returns their fourth words, nil when all are 0.
func wideVertices(v [][3]int16, b []byte) (pad []uint16) {
	for i := range v {
		e := b[8*i : 8*i+8]
		v[i] = [3]int16{int16(binary.LittleEndian.Uint16(e)), int16(binary.LittleEndian.Uint16(e[2:])), int16(binary.LittleEndian.Uint16(e[4:]))}
		if w := binary.LittleEndian.Uint16(e[6:]); w != 0 {
			if pad == nil {
				pad = make([]uint16, len(v))
			}
			pad[i] = w
		}
	}
	return pad
}

func triangle(b []byte) (t unreal.Triangle) {
	if len(b) < 20 {
		return t
	}
	for i := range 3 {
		t.Vertices[i] = binary.LittleEndian.Uint16(b[2*i:])
		t.UV[i] = [2]uint8{b[6+2*i], b[7+2*i]}
	}
	t.Flags = binary.LittleEndian.Uint32(b[12:])
	t.Texture = int32(binary.LittleEndian.Uint32(b[16:]))
	return t
}

func (r *reader) sequences() []unreal.Sequence {
	return list(r, 15, "sequences", func(s *unreal.Sequence) {
		s.Name, s.Group = r.Name("name"), r.Name("group")
		s.Start, s.Frames = r.I32("start frame"), r.I32("frames")
		s.Notifies = list(r, 5, "notifies", func(n *unreal.Notify) {
			*n = unreal.Notify{Time: r.F32("time"), Function: r.Name("function")}
		})
		s.Rate = r.F32("rate")
	})
}
