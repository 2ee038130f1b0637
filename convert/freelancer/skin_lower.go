package freelancer

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// alignSkins makes all skins bind a bone in the same place: where one binds all of its bones elsewhere than another skin
// does, by the same way, its meshes are moved instead.
func (e *editor) alignSkins() {
	bound := map[*asset.Node][16]float32{}
	for _, s := range e.edited.Skins {
		by, known, alike := mgl64.Ident4(), false, len(s.InverseBind) == len(s.Joints)
		for i, j := range s.Joints {
			b, ok := bound[j]
			if !ok || !alike {
				continue
			}
			m := scene.InverseBind(&asset.Skin{InverseBind: [][16]float32{b}}, 0).Inv().Mul4(scene.InverseBind(s, i))
			alike = !known || space.Near(by, m)
			if !known {
				by, known = m, true
			}
		}
		if known && alike {
			e.bind(s, bound, by)
		}
		for i, j := range s.Joints {
			if _, ok := bound[j]; !ok && i < len(s.InverseBind) {
				bound[j] = s.InverseBind[i]
			}
		}
	}
}

// bind moves the meshes of a skin, and gives it the matrices that other skins have.
func (e *editor) bind(s *asset.Skin, bound map[*asset.Node][16]float32, by mgl64.Mat4) {
	if !space.Near(by, mgl64.Ident4()) {
		e.edited.Walk(func(n, _ *asset.Node) {
			if n.Skin != s || n.Mesh == nil {
				return
			}
			m := *n.Mesh
			m.Primitives = nil
			for _, p := range n.Mesh.Primitives {
				m.Primitives = append(m.Primitives, baked(p, by))
			}
			n.Mesh = &m
		})
	}
	for i, j := range s.Joints {
		if b, ok := bound[j]; ok {
			s.InverseBind[i] = b
			continue
		}
		for k, x := range scene.InverseBind(s, i).Mul4(by.Inv()) {
			s.InverseBind[i][k] = float32(x)
		}
	}
}

// patchSkin moves points and texture coordinates of a stored level, when a person moved vertices and did nothing else:
// strips, edges and the bones that slide texture coordinates stay. It tells whether that was possible.
func (e *editor) patchSkin(stored *freelancer.SkinMesh, was, now *asset.Node) bool {
	if now.Mesh == nil || now.Skin == nil {
		return false
	}
	fits := e.compare(was.Mesh, now.Mesh)
	if fits.patches == nil {
		return false
	}
	g := stored.Geometry
	n := len(g.PointIndices)
	p := skinPatch{
		points: newPatched(g.Points), normals: newPatched(g.Normals), uv: [2]patched[[2]float32]{newPatched(g.UV0), newPatched(g.UV1)},
	}
	for _, c := range fits.patches {
		if c.surface.Joints == nil {
			return false
		}
		for number, prim := range c.base {
			base := was.Mesh.Primitives[prim]
			used := make([]bool, n)
			for _, i := range scene.Indices(base) {
				used[i] = true
			}
			for i := range n {
				s := c.m.Sources[number*n+i]
				if !used[i] || s < 0 {
					continue
				}
				if !e.sameWeights(weights(base, i, was.Skin), weights(c.surface, s, now.Skin)) || !p.take(&g, i, c.surface, s) {
					return false
				}
			}
		}
	}
	g.Points, g.Normals, g.UV0, g.UV1 = p.points.values, p.normals.values, p.uv[0].values, p.uv[1].values
	if patched := e.skinMesh(was.Name, &freelancer.SkinMesh{Geometry: g, Groups: stored.Groups}); !e.compare(patched, now.Mesh).same {
		return false // a vertex may be two now, with different texture coordinates
	}
	followDefaults(&g, stored.Geometry.UV0)
	stored.Geometry = g
	return true
}

// sameWeights compares shares: weights in glTF add up to 1, stored ones may not. Stored ones that add up to nothing, or
// to no number, say nothing.
func (e *editor) sameWeights(was, now map[*asset.Node]float32) bool {
	sum := func(m map[*asset.Node]float32) (s float64) {
		for _, w := range m {
			s += float64(w)
		}
		return s
	}
	a, b := sum(was), max(sum(now), 1e-30)
	if !(a > 1e-30) || math.IsInf(a, 0) {
		return true
	}
	for n, w := range was {
		if math.Abs(float64(now[e.byID[idOf(n)]])/b-float64(w)/a) > 1e-3 {
			return false
		}
	}
	return true
}

// skinPatch collects new values; elements that share a point or a texture coordinate have to agree on it.
type skinPatch struct {
	points, normals patched[[3]float32]
	uv              [2]patched[[2]float32]
}

type patched[T comparable] struct {
	values []T
	asked  map[uint32]T
}

func newPatched[T comparable](v []T) patched[T] { return patched[T]{slices.Clone(v), map[uint32]T{}} }

// set gives value i what an element wants it to be, and tells whether no other element wants it otherwise.
func (p *patched[T]) set(i uint32, v T, near func(a, b T) bool) bool {
	if other, ok := p.asked[i]; ok {
		return near(other, v)
	}
	p.asked[i] = v
	if !near(p.values[i], v) {
		p.values[i] = v
	}
	return true
}

func (p *skinPatch) take(g *freelancer.SkinGeometry, element int, surface *asset.Primitive, v int) bool {
	tol := scene.EditorTolerance
	near3 := func(limit float64) func(a, b [3]float32) bool {
		return func(a, b [3]float32) bool {
			for k := range a {
				if a[k]-a[k] != 0 {
					a[k] = 0 // as glTF has it
				}
				if math.Abs(float64(a[k])-float64(b[k])) > limit*max(1, math.Abs(float64(a[k]))) {
					return false
				}
			}
			return true
		}
	}
	near2 := func(a, b [2]float32) bool {
		return near3(tol.TexCoord)([3]float32{a[0], a[1]}, [3]float32{b[0], b[1]})
	}
	point := g.PointIndices[element]
	if !p.points.set(point, surface.Positions[v], near3(tol.Position)) {
		return false
	}
	if len(g.Normals) > 0 && surface.Normals != nil && !p.normals.set(point, surface.Normals[v], func(a, b [3]float32) bool { return sameNormal(a, b, tol.Normal) }) {
		return false
	}
	for set, idx := range [...][]uint32{g.UV0Indices, g.UV1Indices} {
		if len(idx) == 0 || set >= len(surface.TexCoords) {
			continue
		}
		uv := surface.TexCoords[set][v]
		if !p.uv[set].set(idx[element], [2]float32{uv[0], 1 - uv[1]}, near2) {
			return false
		}
	}
	return true
}

// followDefaults moves the places at which texture coordinates that a bone slides are at rest with those coordinates.
func followDefaults(g *freelancer.SkinGeometry, was [][2]float32) {
	ids, defaults := g.Node.Child("UV_vertex_id"), g.Node.Child("UV_default_list")
	if ids == nil || defaults == nil {
		return
	}
	data := slices.Clone(defaults.Data)
	for i := 0; 4*i+4 <= len(ids.Data) && 8*i+8 <= len(data); i++ {
		id := binary.LittleEndian.Uint32(ids.Data[4*i:])
		if int64(id) >= int64(len(was)) || g.UV0[id] == was[id] {
			continue
		}
		for k, x := range g.UV0[id] {
			binary.LittleEndian.PutUint32(data[8*i+4*k:], math.Float32bits(x))
		}
		defaults.Data = data
	}
}
