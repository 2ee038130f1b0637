package mesh

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// HasTriangles reports whether a mesh has triangles. m may be nil.
func HasTriangles(m *asset.Mesh) bool {
	return m != nil && slices.ContainsFunc(m.Primitives, func(p *asset.Primitive) bool { return p.Mode == asset.Triangles })
}

// Coloured reports whether a primitive has vertex colours other than white.
func Coloured(p *asset.Primitive) bool {
	return slices.ContainsFunc(p.Colors, func(c [4]float32) bool { return c != [4]float32{1, 1, 1, 1} })
}

// OnlyLines reports whether a mesh has lines and nothing else.
func OnlyLines(m *asset.Mesh) bool {
	for _, p := range m.Primitives {
		if p.Mode != asset.Lines {
			return false
		}
	}
	return len(m.Primitives) > 0
}

// Baked returns a primitive transformed by a matrix, or the same one if the matrix changes nothing.
func Baked(p *asset.Primitive, by mgl64.Mat4) *asset.Primitive {
	if space.Near(by, mgl64.Ident4()) {
		return p
	}
	out := *p
	out.Positions = make([][3]float32, len(p.Positions))
	for i, v := range p.Positions {
		out.Positions[i] = scene.Narrow3(mgl64.TransformCoordinate(scene.Wide3(v), by))
	}
	if p.Normals != nil {
		turn := by.Mat3().Inv().Transpose()
		out.Normals = make([][3]float32, len(p.Normals))
		for i, v := range p.Normals {
			n := turn.Mul3x1(scene.Wide3(v))
			if l := n.Len(); l > 1e-12 {
				n = n.Mul(1 / l)
			}
			out.Normals[i] = scene.Narrow3(n)
		}
	}
	if by.Mat3().Det() < 0 && p.Mode == asset.Triangles {
		out.Indices = append([]uint32(nil), scene.Indices(p)...)
		for i := 0; i+3 <= len(out.Indices); i += 3 {
			out.Indices[i+1], out.Indices[i+2] = out.Indices[i+2], out.Indices[i+1]
		}
	}
	return &out
}

// Soup returns the triangles of a mesh, transformed by a matrix.
func Soup(m *asset.Mesh, by mgl64.Mat4) (list [][3][3]float32) {
	for _, p := range m.Primitives {
		if p.Mode != asset.Triangles {
			continue
		}
		b := Baked(p, by)
		idx := scene.Indices(b)
		for i := 0; i+3 <= len(idx); i += 3 {
			t := [3][3]float32{b.Positions[idx[i]], b.Positions[idx[i+1]], b.Positions[idx[i+2]]}
			if finitePoint(t[0]) && finitePoint(t[1]) && finitePoint(t[2]) {
				list = append(list, t)
			}
		}
	}
	return list
}

func finitePoint(v [3]float32) bool { return v[0]-v[0] == 0 && v[1]-v[1] == 0 && v[2]-v[2] == 0 }

// Group returns the vertices and indices of a group, or nil for an unknown type of primitive.
func Group(v *freelancer.VMesh, r freelancer.GroupRange) *asset.Primitive {
	p := &asset.Primitive{}
	raw := v.Indices[r.FirstIndex : r.FirstIndex+r.Count]
	switch v.Primitive {
	case freelancer.TriangleList:
		p.Indices = widen(raw[:len(raw)/3*3])
	case freelancer.TriangleStrip:
		p.Indices = unstrip(raw)
	case freelancer.TriangleFan:
		for i := 1; i+1 < len(raw); i++ {
			p.Indices = append(p.Indices, uint32(raw[0]), uint32(raw[i]), uint32(raw[i+1]))
		}
	case freelancer.LineList:
		p.Mode, p.Indices = asset.Lines, widen(raw[:len(raw)/2*2])
	case freelancer.LineStrip:
		p.Mode = asset.Lines
		for i := 0; i+1 < len(raw); i++ {
			p.Indices = append(p.Indices, uint32(raw[i]), uint32(raw[i+1]))
		}
	case freelancer.PointList:
		p.Mode, p.Indices = asset.Points, widen(raw)
	default:
		return nil
	}
	from, to := 0, 0
	if len(raw) > 0 { // a group without indices may begin anywhere
		from = r.FirstVertex
		to = from + int(slices.Max(raw)) + 1
	}
	p.Positions = v.Positions[from:to:to]
	if v.Normals != nil {
		p.Normals = v.Normals[from:to:to]
	}
	for _, uv := range v.TexCoords {
		p.TexCoords = append(p.TexCoords, space.FlipV(uv[from:to]))
	}
	if v.Diffuse != nil {
		p.Colors = make([][4]float32, to-from)
		for i, c := range v.Diffuse[from:to] {
			p.Colors[i] = vertexColor(c)
		}
	}
	if p.Indices == nil {
		p.Indices = []uint32{}
	}
	return p
}

// vertexColor returns a diffuse value, which is ARGB as displayed, as a linear colour.
func vertexColor(argb uint32) [4]float32 {
	c := [4]float32{3: float32(argb>>24) / 255}
	for i := range 3 {
		c[i] = scene.Linear(float32(argb>>(16-8*i)&255) / 255)
	}
	return c
}

func vertexARGB(c [4]float32) uint32 {
	to8 := func(x float32) uint32 { return uint32(math.Round(float64(min(max(x, 0), 1)) * 255)) }
	return to8(c[3])<<24 | to8(scene.Display(c[0]))<<16 | to8(scene.Display(c[1]))<<8 | to8(scene.Display(c[2]))
}

func widen(v []uint16) []uint32 {
	out := make([]uint32, len(v))
	for i, x := range v {
		out[i] = uint32(x)
	}
	return out
}

// unstrip returns the triangles of a strip; degenerate ones are left out without a change of side.
func unstrip(v []uint16) []uint32 {
	out := make([]uint32, 0, 3*len(v))
	for i := 0; i+2 < len(v); i++ {
		a, b, c := uint32(v[i]), uint32(v[i+1]), uint32(v[i+2])
		if a == b || b == c || a == c {
			continue
		}
		if i%2 == 1 {
			a, b = b, a
		}
		out = append(out, a, b, c)
	}
	return out
}

// BakedMesh returns a mesh transformed by a matrix.
func BakedMesh(m *asset.Mesh, by mgl64.Mat4) *asset.Mesh {
	return changed(m, func(p *asset.Primitive) *asset.Primitive { return Baked(p, by) })
}

// bare returns a mesh without normals.
func bare(m *asset.Mesh) *asset.Mesh {
	return changed(m, func(p *asset.Primitive) *asset.Primitive {
		q := *p
		q.Normals = nil
		return &q
	})
}

// changed returns a mesh with other primitives.
func changed(m *asset.Mesh, f func(p *asset.Primitive) *asset.Primitive) *asset.Mesh {
	out := *m
	out.Primitives = make([]*asset.Primitive, len(m.Primitives))
	for i, p := range m.Primitives {
		out.Primitives[i] = f(p)
	}
	return &out
}

// Default is the material for primitives without one.
const Default = "default"

// MaterialCRC returns the hash by which a group refers to a material. A material with an unknown name is named by its hash.
func MaterialCRC(m *asset.Material) uint32 {
	if m != nil {
		if crc, ok := freelancer.ParseHash(m.Name); ok {
			return uint32(crc)
		}
	}
	return freelancer.FLCRC(MaterialName(m))
}

// MaterialName returns the name under which a material is stored; for nil, that of a default material.
func MaterialName(m *asset.Material) string {
	switch {
	case m == nil:
		return Default
	case m.Name == "":
		return "material"
	}
	name, ok := schema.EncodeWindows1252(m.Name)
	if !ok || len(name) > 63 {
		return fmt.Sprintf("material_%08x", freelancer.FLCRC(m.Name))
	}
	return m.Name
}
