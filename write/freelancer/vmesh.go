package freelancer

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// VMesh writes a VMeshData payload. It fails with ErrRange for more than 65,535 groups, indices or vertices, ErrUnsupported
// for an unknown vertex format, and ErrMismatch if an attribute does not have the length of the positions or is not in the
// format.
func VMesh(m *freelancer.VMesh) ([]byte, error) {
	n, stride := len(m.Positions), m.FVF.Stride()
	if err := checkVertices(m); err != nil {
		return nil, err
	}
	w := write.NewBuffer("vmesh", 16+12*len(m.Groups)+2*len(m.Indices)+n*stride+len(m.Tail))
	w.U32(m.Type)
	w.U32(uint32(m.Primitive))
	w.Count16(len(m.Groups), "group count")
	w.Count16(len(m.Indices), "index count")
	w.U16(uint16(m.FVF))
	w.Count16(n, "vertex count")
	for _, g := range m.Groups {
		w.U32(g.Material)
		w.U16(g.VertexStart)
		w.U16(g.VertexEnd)
		w.U16(g.IndexCount)
		w.U16(g.Padding)
	}
	w.U16s(m.Indices)
	w.Bytes(vertexData(m, n, stride))
	w.Bytes(m.Tail)
	return w.Finish()
}

func checkVertices(m *freelancer.VMesh) error {
	if !m.FVF.Known() {
		return schema.Errorf("vmesh", schema.ErrUnsupported, "fvf", "vertex format 0x%x", uint16(m.FVF))
	}
	want := func(bit freelancer.FVF) int {
		if m.FVF&bit != 0 {
			return len(m.Positions)
		}
		return 0
	}
	ok := len(m.Normals) == want(freelancer.FVFNormal) && len(m.PointSizes) == want(freelancer.FVFPointSize) &&
		len(m.Diffuse) == want(freelancer.FVFDiffuse) && len(m.Specular) == want(freelancer.FVFSpecular) && len(m.TexCoords) == m.FVF.Sets()
	for _, uv := range m.TexCoords {
		ok = ok && len(uv) == len(m.Positions)
	}
	if !ok {
		return schema.Errorf("vmesh", schema.ErrMismatch, "vertices", "the attributes do not match %d positions of format 0x%x", len(m.Positions), uint16(m.FVF))
	}
	return nil
}

// vertexData interleaves the attributes.
func vertexData(m *freelancer.VMesh, n, stride int) []byte {
	raw, at := make([]byte, n*stride), 0
	vec3s := func(vs [][3]float32) {
		for i, v := range vs {
			e := raw[i*stride+at:][:12]
			putF32(e, v[0])
			putF32(e[4:], v[1])
			putF32(e[8:], v[2])
		}
		if len(vs) > 0 {
			at += 12
		}
	}
	words := func(vs []uint32) {
		for i, v := range vs {
			binary.LittleEndian.PutUint32(raw[i*stride+at:], v)
		}
		if len(vs) > 0 {
			at += 4
		}
	}
	vec3s(m.Positions)
	vec3s(m.Normals)
	for i, v := range m.PointSizes {
		putF32(raw[i*stride+at:], v)
	}
	if len(m.PointSizes) > 0 {
		at += 4
	}
	words(m.Diffuse)
	words(m.Specular)
	for _, uv := range m.TexCoords {
		for i, v := range uv {
			e := raw[i*stride+at:][:8]
			putF32(e, v[0])
			putF32(e[4:], v[1])
		}
		at += 8
	}
	return raw
}

func putF32(b []byte, v float32) { binary.LittleEndian.PutUint32(b, math.Float32bits(v)) }

// VMeshRef writes a VMeshRef payload.
func VMeshRef(r *freelancer.VMeshRef) ([]byte, error) {
	w := write.NewBuffer("vmeshref", freelancer.RefSize+len(r.Tail))
	w.U32(r.Size)
	w.U32(r.Mesh)
	for _, v := range [...]uint16{r.VertexStart, r.VertexCount, r.IndexStart, r.IndexCount, r.GroupStart, r.GroupCount} {
		w.U16(v)
	}
	for i := range 3 {
		w.Floats(r.Max[i], r.Min[i])
	}
	w.Floats(r.Center[:]...)
	w.F32(r.Radius)
	w.Bytes(r.Tail)
	return w.Finish()
}
