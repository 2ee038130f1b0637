package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Mesh writes a vertex mesh (reference section 11.2). It fails with ErrRange for a vertex outside the packed range.
func Mesh(m *unreal.Mesh) ([]byte, error) {
	w := objectWriter(&m.Object, meshSize(m))
	w.mesh(m)
	return w.finish(&m.Object)
}

func meshSize(m *unreal.Mesh) int {
	return 1024 + 8*len(m.Vertices) + 20*len(m.Triangles) + 12*len(m.Links) + 41*len(m.Boxes)
}

func (w *writer) mesh(m *unreal.Mesh) {
	w.base(&m.Object)
	w.primitive(m.Primitive)
	w.lazy(len(m.Vertices), "vertices", func() { w.vertices(m) })
	w.lazy(len(m.Triangles), "triangles", func() {
		for i := range m.Triangles {
			w.triangle(&m.Triangles[i])
		}
	})
	w.sequences(m.Sequences)
	w.lazy(len(m.Connects), "connects", func() {
		for _, c := range m.Connects {
			w.I32(c.Count)
			w.I32(c.Offset)
		}
	})
	w.primitive(m.Primitive2)
	w.lazy(len(m.Links), "links", func() { w.i32s(m.Links) })
	w.refs(m.Textures)
	w.boxes(m.Boxes)
	w.Index(int32(len(m.Spheres)))
	for _, s := range m.Spheres {
		w.sphere(s)
	}
	w.I32(m.FrameVerts)
	w.I32(m.AnimFrames)
	w.U32(m.AndFlags)
	w.U32(m.OrFlags)
	w.Floats(m.Scale[:]...)
	w.Floats(m.Origin[:]...)
	w.i32s(m.RotOrigin[:])
	w.I32(m.CurPoly)
	w.I32(m.CurVertex)
	w.textureLOD(m.TextureLOD)
}

func (w *writer) textureLOD(lod []float32) {
	switch {
	case w.version < 65:
		if len(lod) > 0 {
			w.NoPlace("TextureLOD", "version %d", w.version)
		}
		return
	case w.version == 65 && len(lod) != 1:
		w.Failf(schema.ErrMismatch, "TextureLOD", "version 65 stores one value, not %d", len(lod))
	case w.version > 65:
		w.Index(int32(len(lod)))
	}
	w.Floats(lod...)
}

func (w *writer) box(b unreal.Box) {
	w.Floats(b.Min[:]...)
	w.Floats(b.Max[:]...)
	w.U8(b.Valid)
}

func (w *writer) boxes(all []unreal.Box) {
	w.Index(int32(len(all)))
	for _, b := range all {
		w.box(b)
	}
}

func (w *writer) sphere(s unreal.Sphere) {
	w.Floats(s.Center[:]...)
	if w.version >= unreal.LazyVersion {
		w.F32(s.Radius)
	}
}

func (w *writer) primitive(p unreal.Primitive) {
	w.box(p.Box)
	w.sphere(p.Sphere)
}

func (w *writer) i32s(all []int32) {
	for _, v := range all {
		w.I32(v)
	}
}

func (w *writer) vertices(m *unreal.Mesh) {
	if m.VertexBytes == 8 {
		if m.Pad != nil && len(m.Pad) != len(m.Vertices) {
			w.Failf(schema.ErrMismatch, "pad", "%d words for %d vertices", len(m.Pad), len(m.Vertices))
			return
		}
		for i, v := range m.Vertices {
			w.I16(v[0])
			w.I16(v[1])
			w.I16(v[2])
			if m.Pad != nil {
				w.U16(m.Pad[i])
			} else {
				w.U16(0)
			}
		}
		return
	}
	if m.VertexBytes != 4 && (len(m.Vertices) > 0 || m.VertexBytes != 0) {
		w.Failf(schema.ErrValue, "vertex bytes", "%d, 4 or 8 expected", m.VertexBytes)
		return
	}
	if len(m.Pad) > 0 {
		w.NoPlace("Pad", "a vertex of 4 bytes")
	}
	for i, v := range m.Vertices {
		packed, ok := PackVertex(v)
		if !ok {
			w.Failf(schema.ErrRange, "vertices", "vertex %d (%d, %d, %d) does not fit into 11, 11 and 10 bits", i, v[0], v[1], v[2])
			return
		}
		w.U32(packed)
	}
}

// PackVertex packs a vertex into 11, 11 and 10 bits; ok is false if it is out of range.
func PackVertex(v [3]int16) (packed uint32, ok bool) {
	ok = v[0] >= -1024 && v[0] < 1024 && v[1] >= -1024 && v[1] < 1024 && v[2] >= -512 && v[2] < 512
	return uint32(v[0])&0x7FF | uint32(v[1])&0x7FF<<11 | uint32(v[2])<<22, ok
}

func (w *writer) triangle(t *unreal.Triangle) {
	w.U16s(t.Vertices[:])
	for _, uv := range t.UV {
		w.U8(uv[0])
		w.U8(uv[1])
	}
	w.U32(t.Flags)
	w.I32(t.Texture)
}

func (w *writer) sequences(all []unreal.Sequence) {
	w.Index(int32(len(all)))
	for i := range all {
		s := &all[i]
		w.Name(s.Name)
		w.Name(s.Group)
		w.I32(s.Start)
		w.I32(s.Frames)
		w.Index(int32(len(s.Notifies)))
		for _, n := range s.Notifies {
			w.F32(n.Time)
			w.Name(n.Function)
		}
		w.F32(s.Rate)
	}
}
