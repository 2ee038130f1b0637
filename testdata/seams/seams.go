// Package seams edits meshes corner by corner, as a person does in an editor who cuts a seam or sharpens an edge, and
// says whether what comes back shows the edit: for tests of the formats of models.
package seams

import (
	"fmt"
	"math"
	"slices"

	"github.com/usher-assets/usher/schema/asset"
)

// Edit changes a mesh around corner k of triangle t of primitive p. It returns false where there is nothing to edit.
type Edit struct {
	Name   string
	Normal bool // it changes normals, which not all formats hold
	Beyond bool // it makes a triangle that repeats its texture, which not all formats can
	Apply  func(m *asset.Mesh, p, t, k int) bool
}

// Edits are those of one corner, and plain ones beside them.
var Edits = []Edit{
	{"texture coordinate of one corner", false, false, func(m *asset.Mesh, p, t, k int) bool { return moveUV(m.Primitives[p], split(m, p, t, k)) }},
	{"texture coordinate of one corner beyond the edge", false, true, func(m *asset.Mesh, p, t, k int) bool {
		v := split(m, p, t, k)
		x := m.Primitives[p]
		if len(x.TexCoords) == 0 {
			return false
		}
		x.TexCoords[0][v][0]++
		return true
	}},
	{"normal of one corner", true, false, func(m *asset.Mesh, p, t, k int) bool { return turnNormal(m.Primitives[p], split(m, p, t, k)) }},
	{"texture coordinate of a vertex", false, false, func(m *asset.Mesh, p, t, k int) bool { return everywhere(m, p, t, k, moveUV) }},
	{"texture coordinate of a vertex of one primitive", false, false, func(m *asset.Mesh, p, t, k int) bool {
		return moveUV(m.Primitives[p], int(m.Primitives[p].Indices[3*t+k]))
	}},
	{"normal of a vertex", true, false, func(m *asset.Mesh, p, t, k int) bool { return everywhere(m, p, t, k, turnNormal) }},
	{"another material", false, false, changeMaterial},
	{"a triangle less", false, false, func(m *asset.Mesh, p, t, _ int) bool {
		m.Primitives[p].Indices = slices.Delete(m.Primitives[p].Indices, 3*t, 3*t+3)
		return true
	}},
	{"a triangle flipped", false, false, func(m *asset.Mesh, p, t, _ int) bool {
		i := m.Primitives[p].Indices[3*t:]
		i[1], i[2] = i[2], i[1]
		return i[0] != i[1] && i[1] != i[2] && i[0] != i[2]
	}},
}

// Form is an order and number of vertices in which editors write a mesh.
type Form struct {
	Name  string
	Apply func(p *asset.Primitive) *asset.Primitive
}

// Forms are the mesh as it is, with a vertex for each corner, and with vertices joined that are alike.
var Forms = []Form{
	{"as lifted", func(p *asset.Primitive) *asset.Primitive {
		all := make([]uint32, len(p.Positions))
		for i := range all {
			all[i] = uint32(i)
		}
		q := take(p, all)
		q.Indices = slices.Clone(p.Indices)
		return q
	}},
	{"split", func(p *asset.Primitive) *asset.Primitive {
		q := take(p, p.Indices)
		q.Indices = make([]uint32, len(p.Indices))
		for i := range q.Indices {
			q.Indices[i] = uint32(i)
		}
		return q
	}},
	{"joined", joined},
}

// Reform puts all primitives of a mesh into a form, with slices of their own.
func Reform(m *asset.Mesh, f Form) {
	for i, p := range m.Primitives {
		m.Primitives[i] = f.Apply(p)
	}
}

// joined makes one vertex of those that are alike.
func joined(p *asset.Primitive) *asset.Primitive {
	known := map[string]uint32{}
	var list, indices []uint32
	for _, v := range p.Indices {
		one := take(p, []uint32{v})
		key := fmt.Sprint(one.Positions, one.Normals, one.TexCoords, one.Colors, one.Joints, one.Weights, one.Custom, one.Targets)
		at, ok := known[key]
		if !ok {
			at = uint32(len(list))
			known[key], list = at, append(list, v)
		}
		indices = append(indices, at)
	}
	q := take(p, list)
	q.Indices = indices
	return q
}

// take returns a primitive with the vertices of a list and no triangles.
func take(p *asset.Primitive, list []uint32) *asset.Primitive {
	q := *p
	q.Positions, q.Normals, q.Tangents, q.Colors = pick(p.Positions, list), pick(p.Normals, list), pick(p.Tangents, list), pick(p.Colors, list)
	q.TexCoords, q.Joints, q.Weights = pickAll(p.TexCoords, list), pickAll(p.Joints, list), pickAll(p.Weights, list)
	q.Custom, q.Targets = slices.Clone(p.Custom), slices.Clone(p.Targets)
	for i, c := range p.Custom {
		q.Custom[i].Values = nil
		for _, v := range list {
			q.Custom[i].Values = append(q.Custom[i].Values, c.Values[int(v)*c.Components:(int(v)+1)*c.Components]...)
		}
	}
	for i, t := range p.Targets {
		q.Targets[i] = asset.Target{Positions: pick(t.Positions, list), Normals: pick(t.Normals, list), Tangents: pick(t.Tangents, list)}
	}
	return &q
}

func pick[T any](v []T, list []uint32) []T {
	if v == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, k := range list {
		out[i] = v[k]
	}
	return out
}

func pickAll[T any](sets [][]T, list []uint32) (out [][]T) {
	for _, v := range sets {
		out = append(out, pick(v, list))
	}
	return out
}

// split gives a corner a vertex of its own and returns that.
func split(m *asset.Mesh, p, t, k int) int {
	x := m.Primitives[p]
	n := len(x.Positions)
	list := make([]uint32, n+1)
	for i := range n {
		list[i] = uint32(i)
	}
	list[n] = x.Indices[3*t+k]
	indices := slices.Clone(x.Indices)
	indices[3*t+k] = uint32(n)
	q := take(x, list)
	q.Indices = indices
	m.Primitives[p] = q
	return n
}

// everywhere edits all vertices of a mesh that are alike in place, normal and texture coordinate.
func everywhere(m *asset.Mesh, p, t, k int, f func(p *asset.Primitive, v int) bool) bool {
	key := func(p *asset.Primitive, v int) string {
		one := take(p, []uint32{uint32(v)})
		return fmt.Sprint(one.Positions, one.Normals, one.TexCoords)
	}
	want := key(m.Primitives[p], int(m.Primitives[p].Indices[3*t+k]))
	done := false
	for _, q := range m.Primitives {
		for v := range q.Positions {
			if key(q, v) == want {
				done = f(q, v) || done
			}
		}
	}
	return done
}

// moveUV moves a texture coordinate by a quarter of the texture.
func moveUV(p *asset.Primitive, v int) bool {
	if len(p.TexCoords) == 0 {
		return false
	}
	uv := &p.TexCoords[0][v]
	if uv[0] < 0.5 {
		uv[0] += 0.25
	} else {
		uv[0] -= 0.25
	}
	return true
}

// turnNormal turns a normal by a right angle.
func turnNormal(p *asset.Primitive, v int) bool {
	if p.Normals == nil {
		return false
	}
	n := p.Normals[v]
	switch {
	case math.Abs(float64(n[0])) < math.Abs(float64(n[2])):
		n = [3]float32{0, -n[2], n[1]}
	default:
		n = [3]float32{-n[1], n[0], 0}
	}
	l := float32(math.Sqrt(float64(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])))
	if !(l > 0.1) {
		return false
	}
	p.Normals[v] = [3]float32{n[0] / l, n[1] / l, n[2] / l}
	return true
}

// changeMaterial gives a triangle the material of the next primitive.
func changeMaterial(m *asset.Mesh, p, t, _ int) bool {
	x, y := m.Primitives[p], m.Primitives[(p+1)%len(m.Primitives)]
	if x.Material == y.Material || len(x.TexCoords) != len(y.TexCoords) || len(x.Custom) != len(y.Custom) {
		return false
	}
	one := take(x, x.Indices[3*t:3*t+3])
	one.Indices, one.Material = []uint32{0, 1, 2}, y.Material
	x.Indices = slices.Delete(slices.Clone(x.Indices), 3*t, 3*t+3)
	m.Primitives = append(m.Primitives, one)
	return true
}

// Limits says how far what comes back may be from what was put in; 0 does not look.
type Limits struct{ Position, TexCoord, Normal float64 }

// shown is a triangle with all that is compared.
type shown struct {
	material string
	corners  [3]corner
}

type corner struct {
	positions [][3]float32 // of all frames
	uv        [2]float32
	normal    [3]float32
}

// Difference says which triangle of a mesh another one does not show; nothing when they show the same. Triangles without
// an area are not looked at.
func Difference(want, got *asset.Mesh, l Limits) string {
	a, b := triangles(want), triangles(got)
	if len(a) != len(b) {
		return fmt.Sprintf("%d triangles, want %d", len(b), len(a))
	}
	at := map[string][]int{} // by material and rough place
	for i := range b {
		at[b[i].key(l)] = append(at[b[i].key(l)], i)
	}
	taken := make([]bool, len(b))
next:
	for i := range a {
		for _, j := range at[a[i].key(l)] {
			if !taken[j] && a[i].same(&b[j], l) {
				taken[j] = true
				continue next
			}
		}
		for j := range b { // on the border of two places
			if !taken[j] && a[i].same(&b[j], l) {
				taken[j] = true
				continue next
			}
		}
		return fmt.Sprintf("no triangle %+v", a[i])
	}
	return ""
}

func (s *shown) key(l Limits) string {
	var sum [3]float64
	for _, c := range s.corners {
		for k, x := range c.positions[0] {
			sum[k] += float64(x)
		}
	}
	for k := range sum {
		sum[k] = math.Round(sum[k] / (1000 * l.Position))
	}
	return fmt.Sprint(s.material, sum)
}

func (s *shown) same(o *shown, l Limits) bool {
	if s.material != o.material {
		return false
	}
turns:
	for turn := range 3 {
		for k := range 3 {
			if !s.corners[k].same(&o.corners[(k+turn)%3], l) {
				continue turns
			}
		}
		return true
	}
	return false
}

func (c *corner) same(o *corner, l Limits) bool {
	if len(c.positions) != len(o.positions) {
		return false
	}
	for f := range c.positions {
		if apart(c.positions[f][:], o.positions[f][:]) > l.Position {
			return false
		}
	}
	return (l.TexCoord == 0 || apart(c.uv[:], o.uv[:]) <= l.TexCoord) && (l.Normal == 0 || apart(c.normal[:], o.normal[:]) <= l.Normal)
}

func apart(a, b []float32) (d float64) {
	for k := range a {
		d = max(d, math.Abs(float64(a[k])-float64(b[k])))
	}
	return d
}

func triangles(m *asset.Mesh) (list []shown) {
	for _, p := range m.Primitives {
		name := ""
		if p.Material != nil {
			name = p.Material.Name
		}
		for i := 0; i+3 <= len(p.Indices); i += 3 {
			if flat(p, i/3) {
				continue
			}
			s := shown{material: name}
			for k := range s.corners {
				v, c := p.Indices[i+k], &s.corners[k]
				c.positions = [][3]float32{p.Positions[v]}
				for _, t := range p.Targets {
					at := p.Positions[v]
					for k := range at {
						at[k] += t.Positions[v][k]
					}
					c.positions = append(c.positions, at)
				}
				if len(p.TexCoords) > 0 {
					c.uv = p.TexCoords[0][v]
				}
				if p.Normals != nil {
					c.normal = p.Normals[v]
				}
			}
			list = append(list, s)
		}
	}
	return list
}

// Corners calls f for some corners of a mesh, about n, spread over all triangles of all primitives that have an area.
func Corners(m *asset.Mesh, n int, f func(p, t, k int)) {
	total := 0
	for _, p := range m.Primitives {
		total += len(p.Indices)
	}
	step := max(1, total/max(1, n))
	if step%3 == 0 {
		step++
	}
	at := 0
	for i, p := range m.Primitives {
		for ; at < len(p.Indices)/3*3; at += step {
			if !flat(p, at/3) {
				f(i, at/3, at%3)
			}
		}
		at -= len(p.Indices) / 3 * 3
	}
}

// flat reports whether a triangle has next to no area: editors drop such ones.
func flat(p *asset.Primitive, t int) bool {
	var c [3][3]float32
	for k := range c {
		c[k] = p.Positions[p.Indices[3*t+k]]
	}
	return min(apart(c[0][:], c[1][:]), apart(c[1][:], c[2][:]), apart(c[0][:], c[2][:])) < 1e-6
}

// Thin reports whether the corners of a triangle lie in a line: its normals say nothing.
func Thin(m *asset.Mesh, p, t int) bool {
	x := m.Primitives[p]
	length := func(i, k int) float64 {
		a, b := x.Positions[x.Indices[3*t+i]], x.Positions[x.Indices[3*t+k]]
		return math.Hypot(math.Hypot(float64(a[0])-float64(b[0]), float64(a[1])-float64(b[1])), float64(a[2])-float64(b[2]))
	}
	a, b, c := length(0, 1), length(1, 2), length(2, 0)
	longest := max(a, b, c)
	return a+b+c-2*longest <= 1e-9*longest
}
