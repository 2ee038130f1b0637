package mesh

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// AlignSkins makes all skins bind a bone in the same place. If all bones of a skin are bound elsewhere by the same
// transform, its meshes are moved instead.
func AlignSkins(edited *asset.Scene) {
	bound := map[*asset.Node][16]float32{}
	for _, s := range edited.Skins {
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
			bindAlike(edited, s, bound, by)
		}
		for i, j := range s.Joints {
			if _, ok := bound[j]; !ok && i < len(s.InverseBind) {
				bound[j] = s.InverseBind[i]
			}
		}
	}
}

// bindAlike moves the meshes of a skin, and gives it the matrices that other skins have.
func bindAlike(edited *asset.Scene, s *asset.Skin, bound map[*asset.Node][16]float32, by mgl64.Mat4) {
	if !space.Near(by, mgl64.Ident4()) {
		edited.Walk(func(n, _ *asset.Node) {
			if n.Skin != s || n.Mesh == nil {
				return
			}
			n.Mesh = BakedMesh(n.Mesh, by)
		})
	}
	for i, j := range s.Joints {
		if b, ok := bound[j]; ok {
			s.InverseBind[i] = b
			continue
		}
		s.InverseBind[i] = scene.NarrowMatrix(scene.InverseBind(s, i).Mul4(by.Inv()))
	}
}

// SameSkin reports whether a level and an edited one have the same surface and weights.
func SameSkin(was, now *asset.Node, sameWeights func(was, now map[*asset.Node]float32) bool) bool {
	if now.Mesh == nil || !Compare(was.Mesh, now.Mesh).Same || len(was.Mesh.Primitives) != len(now.Mesh.Primitives) || now.Skin == nil {
		return false
	}
	for i, p := range was.Mesh.Primitives {
		q := now.Mesh.Primitives[i]
		m := scene.Match(p, q, scene.EditorTolerance)
		for k, v := range m.Vertices {
			if v < 0 {
				continue
			}
			if !sameWeights(weights(p, v, was.Skin), weights(q, k, now.Skin)) {
				return false
			}
		}
	}
	return true
}

// weights returns what moves a vertex.
func weights(p *asset.Primitive, v int, s *asset.Skin) map[*asset.Node]float32 {
	out := map[*asset.Node]float32{}
	for set := range p.Joints {
		for k, j := range p.Joints[set][v] {
			if w := p.Weights[set][v][k]; w > 0 && int(j) < len(s.Joints) {
				out[s.Joints[j]] += w
			}
		}
	}
	return out
}

// skinPoint is all that a point of a skin holds, so that equal ones can be found.
type skinPoint struct {
	at, normal [3]float32
	bones      [4]uint32
	weights    [4]float32
}

// FillSkin stores the meshes of some nodes as one level. A point has at most four influences; the result is the number of
// those that were dropped.
func FillSkin(m *freelancer.SkinMesh, nodes []*asset.Node, numbers map[*asset.Node]uint32, name string) (dropped int, err error) {
	g := &m.Geometry
	points := map[skinPoint]uint32{}
	sets := 1
	for _, n := range nodes {
		for _, p := range n.Mesh.Primitives {
			sets = max(sets, min(len(p.TexCoords), 2))
		}
	}
	for _, n := range nodes {
		if n.Skin == nil {
			n.Skin = nodes[0].Skin
		}
		if n.Skin == nil {
			return 0, schema.Errorf(name, schema.ErrUnsupported, n.Name, "the mesh has no skin: nothing says which bones move it")
		}
		for _, p := range n.Mesh.Primitives {
			if p.Mode != asset.Triangles {
				continue
			}
			if p.Normals == nil {
				p = smooth(p)
			}
			first := len(g.PointIndices)
			if first+len(p.Positions) > MaxBuffer {
				return 0, schema.Errorf(name, schema.ErrLimit, n.Name, "the skin has more than 65,535 vertices")
			}
			for v := range p.Positions {
				pt := skinPoint{at: p.Positions[v], normal: p.Normals[v]}
				dropped += pt.influence(weights(p, v, n.Skin), numbers)
				k, known := points[pt]
				if !known {
					k = uint32(len(g.Points))
					points[pt] = k
					addPoint(g, &pt)
				}
				g.PointIndices = append(g.PointIndices, k)
				for s, list := range []*[][2]float32{&g.UV0, &g.UV1}[:sets] {
					var uv [2]float32
					if s < len(p.TexCoords) && p.TexCoords[s] != nil {
						uv = p.TexCoords[s][v]
					}
					*list = append(*list, [2]float32{uv[0], 1 - uv[1]})
					idx := [...]*[]uint32{&g.UV0Indices, &g.UV1Indices}[s]
					*idx = append(*idx, uint32(len(*list)-1))
				}
			}
			group := &freelancer.FaceGroup{Material: MaterialName(p.Material)}
			for _, i := range scene.Indices(p) {
				group.Indices = append(group.Indices, uint16(first+int(i)))
			}
			m.Groups = append(m.Groups, group)
		}
	}
	return dropped, nil
}

// smooth returns a primitive with normals: each vertex has the mean of those of the triangles around its place.
func smooth(p *asset.Primitive) *asset.Primitive {
	out := *p
	sums := map[[3]float32]mgl64.Vec3{}
	idx := scene.Indices(p)
	for i := 0; i+3 <= len(idx); i += 3 {
		a, b, c := p.Positions[idx[i]], p.Positions[idx[i+1]], p.Positions[idx[i+2]]
		n := scene.Wide3(b).Sub(scene.Wide3(a)).Cross(scene.Wide3(c).Sub(scene.Wide3(a)))
		for _, at := range [...][3]float32{a, b, c} {
			sums[at] = sums[at].Add(n)
		}
	}
	out.Normals = make([][3]float32, len(p.Positions))
	for i, at := range p.Positions {
		n := sums[at]
		if n.Len() < 1e-20 {
			n = mgl64.Vec3{0, 1, 0}
		}
		out.Normals[i] = scene.Narrow3(n.Normalize())
	}
	return &out
}

// influence takes over the four largest weights, scaled to a sum of 1, and returns how many there are besides.
func (pt *skinPoint) influence(w map[*asset.Node]float32, numbers map[*asset.Node]uint32) int {
	type pair struct {
		bone   uint32
		weight float32
	}
	var list []pair
	for n, x := range w {
		if bone, ok := numbers[n]; ok {
			list = append(list, pair{bone, x})
		}
	}
	slices.SortFunc(list, func(a, b pair) int {
		if a.weight != b.weight {
			return int(math.Copysign(1, float64(b.weight-a.weight)))
		}
		return int(a.bone) - int(b.bone)
	})
	sum := float32(0)
	for i := range min(len(list), 4) {
		sum += list[i].weight
	}
	for i := range min(len(list), 4) {
		pt.bones[i], pt.weights[i] = list[i].bone, list[i].weight/sum
	}
	return max(0, len(list)-4)
}

func addPoint(g *freelancer.SkinGeometry, pt *skinPoint) {
	g.Points, g.Normals = append(g.Points, pt.at), append(g.Normals, pt.normal)
	g.BoneFirst = append(g.BoneFirst, uint32(len(g.BoneIDs)))
	n := uint32(0)
	for i, w := range pt.weights {
		if w > 0 {
			g.BoneIDs, g.BoneWeights = append(g.BoneIDs, pt.bones[i]), append(g.BoneWeights, w)
			n++
		}
	}
	if n == 0 { // nothing moves it but the root
		g.BoneIDs, g.BoneWeights, n = append(g.BoneIDs, 0), append(g.BoneWeights, 1), 1
	}
	g.BoneCount = append(g.BoneCount, n)
}

// PatchSkin moves points and texture coordinates of a stored level, if vertices were moved and nothing else was edited.
// Strips, edges and the bones that move texture coordinates stay. It reports whether that was possible.
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

// set gives value i what an element wants it to be, and reports whether no other element wants it otherwise.
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
