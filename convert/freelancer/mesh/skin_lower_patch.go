package mesh

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// PatchSkin moves points and texture coordinates of a stored level, when a person moved vertices and did nothing else:
// strips, edges and the bones that slide texture coordinates stay. It tells whether that was possible.
func PatchSkin(stored *freelancer.SkinMesh, was, now *asset.Node, sameWeights func(was, now map[*asset.Node]float32) bool) bool {
	if now.Mesh == nil || now.Skin == nil {
		return false
	}
	fits := Compare(was.Mesh, now.Mesh)
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
				if !sameWeights(weights(base, i, was.Skin), weights(c.surface, s, now.Skin)) || !p.take(&g, i, c.surface, s) {
					return false
				}
			}
		}
	}
	g.Points, g.Normals, g.UV0, g.UV1 = p.points.values, p.normals.values, p.uv[0].values, p.uv[1].values
	material := func(i int) *asset.Material { return was.Mesh.Primitives[i].Material }
	if patched := Skin(was.Name, &freelancer.SkinMesh{Geometry: g, Groups: stored.Groups}, material); !Compare(patched, now.Mesh).Same {
		return false // a vertex may be two now, with different texture coordinates
	}
	followDefaults(&g, stored.Geometry.UV0)
	stored.Geometry = g
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
	near3 := func(a, b [3]float32) bool { return nearOf(a[:], b[:], tol.Position) }
	near2 := func(a, b [2]float32) bool { return nearOf(a[:], b[:], tol.TexCoord) }
	point := g.PointIndices[element]
	if !p.points.set(point, surface.Positions[v], near3) {
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
