package mesh

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// MaxBuffer is the largest number of vertices, and of indices, in a VMeshData.
const MaxBuffer = 65535

// vertex is all that a vertex holds, so that equal ones can be found.
type vertex struct {
	at, normal [3]float32
	color      uint32
	uv         [8][2]float32
}

// builder fills meshes, starting a new one when one is full.
type builder struct {
	fvf    freelancer.FVF
	sets   int
	lines  bool
	pieces []*freelancer.VMesh
	group  map[vertex]uint16 // vertices of the current group
}

// Pieces splits a mesh into as many VMeshData as it needs. Triangles get normals, which editors invent if necessary, unless
// the file has none for them.
func Pieces(m *asset.Mesh, by mgl64.Mat4, normals bool, d *schema.Diagnostics) []*freelancer.VMesh {
	b := &builder{lines: OnlyLines(m)}
	fields := freelancer.FVF(0)
	for _, p := range m.Primitives {
		if p.Mode == asset.Triangles && normals {
			fields |= freelancer.FVFNormal
		}
		if p.Colors != nil {
			fields |= freelancer.FVFDiffuse
		}
		b.sets = max(b.sets, min(len(p.TexCoords), 8))
	}
	b.fvf = freelancer.NewFVF(fields, b.sets)
	left := 0
	for _, p := range m.Primitives {
		switch {
		case p.Mode == asset.Triangles, p.Mode == asset.Lines && b.lines:
			b.add(withNormals(Baked(p, by), fields), MaterialCRC(p.Material))
		default:
			left++
		}
	}
	if left > 0 {
		d.Lossf("lines-and-points", m.Name, "%d primitives of lines or points among triangles are left out", left)
	}
	if len(b.pieces) == 0 {
		b.start()
	}
	return b.pieces
}

// withNormals returns a primitive with normals, those of its faces where it has none.
func withNormals(p *asset.Primitive, fields freelancer.FVF) *asset.Primitive {
	if p.Normals != nil || fields&freelancer.FVFNormal == 0 || p.Mode != asset.Triangles {
		return p
	}
	// A vertex gets the normal of each face of its own, so vertices are split.
	out := *p
	out.Positions, out.Normals, out.Indices, out.Colors, out.TexCoords = nil, nil, nil, nil, make([][][2]float32, len(p.TexCoords))
	idx := scene.Indices(p)
	for i := 0; i+3 <= len(idx); i += 3 {
		a, b, c := scene.Wide3(p.Positions[idx[i]]), scene.Wide3(p.Positions[idx[i+1]]), scene.Wide3(p.Positions[idx[i+2]])
		n := b.Sub(a).Cross(c.Sub(a))
		if n.Len() < 1e-20 {
			n = mgl64.Vec3{0, 1, 0}
		}
		n = n.Normalize()
		for _, k := range idx[i : i+3] {
			out.Positions, out.Normals = append(out.Positions, p.Positions[k]), append(out.Normals, scene.Narrow3(n))
			if p.Colors != nil {
				out.Colors = append(out.Colors, p.Colors[k])
			}
			for s := range p.TexCoords {
				if p.TexCoords[s] == nil {
					continue
				}
				out.TexCoords[s] = append(out.TexCoords[s], p.TexCoords[s][k])
			}
		}
	}
	return &out
}

func (b *builder) start() *freelancer.VMesh {
	v := &freelancer.VMesh{Type: 1, Primitive: freelancer.TriangleList, FVF: b.fvf, TexCoords: make([][][2]float32, b.sets)}
	if b.lines {
		v.Primitive = freelancer.LineList
	}
	if b.sets == 0 {
		v.TexCoords = nil
	}
	b.pieces = append(b.pieces, v)
	return v
}

// add appends a primitive as a group, or as several where it does not fit.
func (b *builder) add(p *asset.Primitive, material uint32) {
	size := 3
	if b.lines {
		size = 2
	}
	idx := scene.Indices(p)
	var v *freelancer.VMesh
	if len(b.pieces) > 0 {
		v = b.pieces[len(b.pieces)-1]
	}
	var g *freelancer.MeshGroup
	for i := 0; i+size <= len(idx); i += size {
		if v == nil || len(v.Indices)+size > MaxBuffer || len(v.Positions)+size > MaxBuffer {
			v, g = b.start(), nil
		}
		if g == nil {
			v.Groups = append(v.Groups, freelancer.MeshGroup{Material: material, VertexStart: uint16(len(v.Positions)), Padding: freelancer.GroupPadding})
			g = &v.Groups[len(v.Groups)-1]
			b.group = map[vertex]uint16{}
		}
		for _, k := range idx[i : i+size] {
			n := b.vertex(v, g, p, int(k))
			v.Indices = append(v.Indices, n)
			g.VertexEnd = max(g.VertexEnd, g.VertexStart+n)
			g.IndexCount++
		}
	}
}

// vertex returns the number of a vertex within its group, adding it when it is new.
func (b *builder) vertex(v *freelancer.VMesh, g *freelancer.MeshGroup, p *asset.Primitive, k int) uint16 {
	x := vertex{at: p.Positions[k], color: 0xFFFFFFFF}
	if p.Normals != nil && b.fvf&freelancer.FVFNormal != 0 {
		x.normal = p.Normals[k]
	}
	if p.Colors != nil {
		x.color = vertexARGB(p.Colors[k])
	}
	for s := range min(len(p.TexCoords), b.sets) {
		if p.TexCoords[s] != nil {
			x.uv[s] = [2]float32{p.TexCoords[s][k][0], 1 - p.TexCoords[s][k][1]}
		}
	}
	if n, ok := b.group[x]; ok {
		return n
	}
	n := uint16(len(v.Positions)) - g.VertexStart
	b.group[x] = n
	v.Positions = append(v.Positions, x.at)
	if b.fvf&freelancer.FVFNormal != 0 {
		v.Normals = append(v.Normals, x.normal)
	}
	if b.fvf&freelancer.FVFDiffuse != 0 {
		v.Diffuse = append(v.Diffuse, x.color)
	}
	for s := range b.sets {
		v.TexCoords[s] = append(v.TexCoords[s], x.uv[s])
	}
	return n
}

// Reference returns a reference that draws all of a mesh with the given name.
func Reference(name string, v *freelancer.VMesh) (*freelancer.VMeshRef, error) {
	r := &freelancer.VMeshRef{Size: freelancer.RefSize, Mesh: freelancer.FLCRC(name), VertexCount: uint16(len(v.Positions)), IndexCount: uint16(len(v.Indices)), GroupCount: uint16(len(v.Groups))}
	ranges, err := r.Groups(v)
	if err == nil {
		Bound(r, ranges, v)
	}
	return r, err
}

// Bound sets the bounding box and sphere of a reference to those of the vertices that it draws.
func Bound(r *freelancer.VMeshRef, ranges []freelancer.GroupRange, v *freelancer.VMesh) {
	lo := [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
	hi := [3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	each := func(f func(p [3]float32)) {
		for _, g := range ranges {
			for _, i := range v.Indices[g.FirstIndex : g.FirstIndex+g.Count] {
				f(v.Positions[g.FirstVertex+int(i)])
			}
		}
	}
	each(func(p [3]float32) {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	})
	if lo[0] > hi[0] {
		lo, hi = [3]float32{}, [3]float32{}
	}
	r.Min, r.Max = lo, hi
	for k := range 3 {
		r.Center[k] = (lo[k] + hi[k]) / 2
	}
	far := 0.0
	each(func(p [3]float32) { far = max(far, scene.Wide3(p).Sub(scene.Wide3(r.Center)).Len()) })
	r.Radius = float32(far)
}
