package page

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// pageRef is a mesh reference (reference section 5.4).
type pageRef struct {
	Mesh                     string
	VertexStart, VertexCount uint16
	IndexStart, IndexCount   uint16
	GroupStart, GroupCount   uint16
	Min, Max, Center         [3]float32
	Radius                   float32
	Size                     *uint32 // where it is not the usual one
}

// pageWire is the head of a wireframe, and its lines (reference section 5.5).
type pageWire struct {
	Mesh        string
	VertexStart uint16
	VertexCount uint16
	VertexRange uint16
	Lines       []uint16
	Size        *uint32
}

// pageMesh is a mesh whose vertices and indices stay bytes (reference section 5.2).
type pageMesh struct {
	Type      uint32
	Primitive freelancer.PrimitiveType
	FVF       freelancer.Hash
	Vertices  uint16
	Groups    []pageGroup
	Content   []byte // indices, and behind them vertices
}

// pageGroup is a group of a mesh.
type pageGroup struct {
	Material               string
	VertexStart, VertexEnd uint16
	Indices                uint16
	Padding                *uint16 // where it is not the usual one
}

// Brief implements json.Brief.
func (pageGroup) Brief() {}

func (x *pager) ref(r *freelancer.VMeshRef) *pageRef {
	p := &pageRef{
		Mesh: x.reference(r.Mesh, freelancer.FLCRC), VertexStart: r.VertexStart, VertexCount: r.VertexCount, IndexStart: r.IndexStart, IndexCount: r.IndexCount,
		GroupStart: r.GroupStart, GroupCount: r.GroupCount, Min: r.Min, Max: r.Max, Center: r.Center, Radius: r.Radius,
	}
	if r.Size != freelancer.RefSize {
		p.Size = &r.Size
	}
	return p
}

func (p *pageRef) value(tail []byte) *freelancer.VMeshRef {
	r := &freelancer.VMeshRef{
		Size: freelancer.RefSize, Mesh: hashOf(p.Mesh, freelancer.FLCRC), VertexStart: p.VertexStart, VertexCount: p.VertexCount, IndexStart: p.IndexStart, IndexCount: p.IndexCount,
		GroupStart: p.GroupStart, GroupCount: p.GroupCount, Min: p.Min, Max: p.Max, Center: p.Center, Radius: p.Radius, Tail: tail,
	}
	if p.Size != nil {
		r.Size = *p.Size
	}
	return r
}

func (x *pager) wire(w *freelancer.VWire) *pageWire {
	p := &pageWire{Mesh: x.reference(w.Mesh, freelancer.FLCRC), VertexStart: w.VertexStart, VertexCount: w.VertexCount, VertexRange: w.VertexRange, Lines: w.Indices}
	if w.Size != freelancer.WireHeader {
		p.Size = &w.Size
	}
	return p
}

func (p *pageWire) value(tail []byte) *freelancer.VWire {
	w := &freelancer.VWire{Size: freelancer.WireHeader, Mesh: hashOf(p.Mesh, freelancer.FLCRC), VertexStart: p.VertexStart, VertexCount: p.VertexCount, VertexRange: p.VertexRange, Indices: p.Lines, Tail: tail}
	if p.Size != nil {
		w.Size = *p.Size
	}
	return w
}

// cut is a VMeshData in its pieces: the header, the groups and what follows.
type cut struct {
	kind, primitive        uint32
	indices, fvf, vertices uint16
	groups                 []freelancer.MeshGroup
	content                []byte
}

const meshHeader, meshGroup = 16, 12

func cutMesh(b []byte) (m cut, ok bool) {
	if len(b) < meshHeader {
		return m, false
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	short := func(at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }
	m = cut{kind: word(0), primitive: word(4), indices: short(10), fvf: short(12), vertices: short(14)}
	n := int(short(8))
	if len(b) < meshHeader+n*meshGroup {
		return m, false
	}
	for i := range n {
		at := meshHeader + i*meshGroup
		m.groups = append(m.groups, freelancer.MeshGroup{Material: word(at), VertexStart: short(at + 4), VertexEnd: short(at + 6), IndexCount: short(at + 8), Padding: short(at + 10)})
	}
	m.content = b[meshHeader+n*meshGroup:]
	return m, true
}

func (x *pager) mesh(b []byte) *pageMesh {
	m, ok := cutMesh(b)
	if !ok {
		return nil
	}
	p := &pageMesh{Type: m.kind, Primitive: freelancer.PrimitiveType(m.primitive), FVF: freelancer.Hash(m.fvf), Vertices: m.vertices, Groups: []pageGroup{}, Content: m.content}
	for _, g := range m.groups {
		out := pageGroup{Material: x.reference(g.Material, freelancer.FLCRC), VertexStart: g.VertexStart, VertexEnd: g.VertexEnd, Indices: g.IndexCount}
		if g.Padding != freelancer.GroupPadding {
			out.Padding = &g.Padding
		}
		p.Groups = append(p.Groups, out)
	}
	return p
}

func (p *pageMesh) payload() ([]byte, error) {
	if len(p.Groups) > math.MaxUint16 || p.FVF > math.MaxUint16 {
		return nil, schema.Errorf("vmesh", schema.ErrRange, "groups", "%d groups of format 0x%x", len(p.Groups), uint32(p.FVF))
	}
	indices := 0
	for _, g := range p.Groups {
		indices += int(g.Indices)
	}
	le := binary.LittleEndian
	b := le.AppendUint32(le.AppendUint32(nil, p.Type), uint32(p.Primitive))
	for _, v := range [...]int{len(p.Groups), indices, int(p.FVF), int(p.Vertices)} {
		b = le.AppendUint16(b, uint16(v))
	}
	for _, g := range p.Groups {
		padding := uint16(freelancer.GroupPadding)
		if g.Padding != nil {
			padding = *g.Padding
		}
		b = le.AppendUint32(b, hashOf(g.Material, freelancer.FLCRC))
		for _, v := range [...]uint16{g.VertexStart, g.VertexEnd, g.Indices, padding} {
			b = le.AppendUint16(b, v)
		}
	}
	return append(b, p.Content...), nil
}

// MaterialsOf returns the material hashes of a mesh's groups; none if v is not a mesh.
func MaterialsOf(mesh []byte) (list []uint32) {
	m, _ := cutMesh(mesh)
	for _, g := range m.groups {
		list = append(list, g.Material)
	}
	return list
}
