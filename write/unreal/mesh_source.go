package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/write"
)

// MeshData writes the data file of a vertex mesh, *_d.3d (reference section 11.10).
func MeshData(m *unreal.MeshData) ([]byte, error) {
	w := write.NewBuffer("unreal-mesh-data", 48+16*len(m.Polys)+len(m.Tail))
	w.Count16(len(m.Polys), "polygons")
	w.U16(m.Vertices)
	w.U16(m.BogusRot)
	w.U16(m.Frame)
	w.U32s(m.Normal[:])
	w.U32(m.FixScale)
	w.U32s(m.Unused[:])
	w.Bytes(m.Unknown24[:])
	for i := range m.Polys {
		p := &m.Polys[i]
		w.U16s(p.Vertices[:])
		w.U8(p.Type)
		w.U8(p.Color)
		for _, uv := range p.UV {
			w.Bytes(uv[:])
		}
		w.U8(p.Texture)
		w.U8(p.Flags)
	}
	w.Bytes(m.Tail)
	return w.Finish()
}

// MeshAniv writes the animation file of a vertex mesh, *_a.3d. It fails with ErrValue if a vertex has other than 4 or 8
// bytes, and with ErrMismatch if a frame's length is not FrameBytes, or the padding is for another number of frames.
func MeshAniv(m *unreal.MeshAniv) ([]byte, error) {
	w := write.NewBuffer("unreal-mesh-aniv", 4+len(m.Frames)*int(m.FrameBytes)+len(m.Tail))
	if m.VertexBytes != 4 && m.VertexBytes != 8 {
		w.Failf(schema.ErrValue, "vertex bytes", "%d, 4 or 8 expected", m.VertexBytes)
		return w.Finish()
	}
	vertices := int(m.FrameBytes) / m.VertexBytes
	if m.Pad != nil && len(m.Pad) != len(m.Frames)*vertices || m.Padding != nil && len(m.Padding) != len(m.Frames) {
		w.Failf(schema.ErrMismatch, "padding", "%d words and %d tails for %d frames of %d vertices", len(m.Pad), len(m.Padding), len(m.Frames), vertices)
		return w.Finish()
	}
	w.Count16(len(m.Frames), "frames")
	w.U16(m.FrameBytes)
	for i, frame := range m.Frames {
		if len(frame) != vertices {
			w.Failf(schema.ErrMismatch, "frame", "frame %d has %d vertices, not %d", i, len(frame), vertices)
			break
		}
		frameVertices(w, m, i)
		if m.Padding != nil {
			w.Bytes(m.Padding[i])
		}
	}
	w.Bytes(m.Tail)
	return w.Finish()
}

func frameVertices(w *write.Buffer, m *unreal.MeshAniv, i int) {
	for k, v := range m.Frames[i] {
		if m.VertexBytes == 8 {
			w.I16(v[0])
			w.I16(v[1])
			w.I16(v[2])
			pad := uint16(0)
			if m.Pad != nil {
				pad = m.Pad[i*len(m.Frames[i])+k]
			}
			w.U16(pad)
			continue
		}
		packed, ok := PackVertex(v)
		if !ok {
			w.Failf(schema.ErrRange, "vertex", "(%d, %d, %d) does not fit into 11, 11 and 10 bits", v[0], v[1], v[2])
		}
		w.U32(packed)
	}
}
