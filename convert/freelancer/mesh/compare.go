package mesh

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Comparison is the difference between two meshes.
type Comparison struct {
	Same    bool
	patches []patch // when only vertices moved
}

// Movable reports whether the only difference is moved vertices.
func (c *Comparison) Movable() bool { return c.patches != nil }

// patch pairs the vertices of primitives of the original, one after the other, with those of an edited surface.
type patch struct {
	base    []int // primitives of the original
	surface *asset.Primitive
	m       *scene.Matching
}

// surfaceKey is what editors join primitives by.
type surfaceKey struct {
	material uint32
	mode     asset.Mode
}

// surfaces returns the primitives of a mesh that show something, by what joins them, and the keys in their order.
func surfaces(m *asset.Mesh) (groups map[surfaceKey][]int, order []surfaceKey) {
	groups = map[surfaceKey][]int{}
	for i, p := range m.Primitives {
		if len(p.Indices) == 0 && (p.Indices != nil || len(p.Positions) == 0) {
			continue // it shows nothing
		}
		k := surfaceKey{MaterialCRC(p.Material), p.Mode}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], i)
	}
	return groups, order
}

// showsNothing reports whether all triangles are without an area or repeat others: editors drop such a surface.
func showsNothing(p *asset.Primitive) bool {
	return p.Mode == asset.Triangles && scene.Match(p, &asset.Primitive{Indices: []uint32{}}, scene.EditorTolerance).Complete
}

// match finds which vertices of an edited surface are which ones of the original. Where one was moved, editors turn the
// normals around it, and split vertices there: then normals count for less.
func match(original, edited *asset.Primitive) *scene.Matching {
	m := scene.Match(original, edited, scene.EditorTolerance)
	if m.Complete {
		return m
	}
	loose := scene.EditorTolerance
	for _, loose.Normal = range [...]float64{0.5, 3} {
		if l := scene.Match(original, edited, loose); l.Complete {
			l.Same = false
			return l
		}
	}
	return m
}

// Compare compares an edited mesh with the original, material by material, because editors join primitives with the same
// material.
func Compare(base, edited *asset.Mesh) (c Comparison) {
	a, order := surfaces(base)
	b, _ := surfaces(edited)
	for k := range b {
		if a[k] == nil {
			return c
		}
	}
	c.Same = true
	movable := true
	for _, k := range order {
		if b[k] == nil {
			if showsNothing(joined(base, a[k])) {
				continue
			}
			return Comparison{}
		}
		x, y := joined(base, a[k]), joined(edited, b[k])
		if k.mode != asset.Triangles {
			if !sameElements(x, y, 1+int(asset.Points-k.mode)) {
				return Comparison{}
			}
			continue
		}
		m := match(x, y)
		if !m.Same || !sameColors(x, y, m) || len(y.TexCoords) != len(x.TexCoords) {
			c.Same = false
		}
		if !m.Complete || len(y.TexCoords) != len(x.TexCoords) || (y.Colors == nil) != (x.Colors == nil) || y.Normals == nil && x.Normals != nil {
			movable = false
		}
		c.patches = append(c.patches, patch{a[k], y, m})
	}
	if !movable {
		c.patches = nil
	}
	return c
}

// joined returns several primitives of one material as one, with all that any of them has.
func joined(m *asset.Mesh, which []int) *asset.Primitive {
	if len(which) == 1 && m.Primitives[which[0]].Indices != nil {
		return m.Primitives[which[0]]
	}
	first := m.Primitives[which[0]]
	out := &asset.Primitive{Mode: first.Mode, Material: first.Material, Indices: []uint32{}}
	sets, coloured := 0, false
	for _, i := range which {
		sets, coloured = max(sets, len(m.Primitives[i].TexCoords)), coloured || m.Primitives[i].Colors != nil
	}
	out.TexCoords = make([][][2]float32, sets)
	for _, i := range which {
		p := m.Primitives[i]
		base := uint32(len(out.Positions))
		out.Positions = append(out.Positions, p.Positions...)
		if first.Normals != nil {
			out.Normals = append(out.Normals, fill(p.Normals, len(p.Positions), [3]float32{0, 1, 0})...)
		}
		if coloured {
			out.Colors = append(out.Colors, fill(p.Colors, len(p.Positions), [4]float32{1, 1, 1, 1})...)
		}
		for s := range out.TexCoords {
			var uv [][2]float32
			if s < len(p.TexCoords) {
				uv = p.TexCoords[s]
			}
			out.TexCoords[s] = append(out.TexCoords[s], fill(uv, len(p.Positions), [2]float32{})...)
		}
		for _, x := range scene.Indices(p) {
			out.Indices = append(out.Indices, base+x)
		}
	}
	return out
}

// fill returns v, or n copies of x when it is missing.
func fill[T any](v []T, n int, x T) []T {
	if len(v) == n {
		return v
	}
	return slices.Repeat([]T{x}, n)
}

func sameColors(a, b *asset.Primitive, m *scene.Matching) bool {
	if a.Colors == nil || b.Colors == nil {
		return (a.Colors == nil) == (b.Colors == nil)
	}
	for i, v := range m.Vertices {
		if v < 0 {
			continue
		}
		for k := range 4 {
			if math.Abs(float64(scene.Display(a.Colors[v][k])-scene.Display(b.Colors[i][k]))) > 0.6/255 {
				return false
			}
		}
	}
	return true
}

// SameLines reports whether two sets of lines are equal by position, in any order.
func SameLines(a, b *asset.Primitive) bool { return sameElements(a, b, 2) }

// sameElements compares lines (size 2) or points (size 1) as sets, by position.
func sameElements(a, b *asset.Primitive, size int) bool {
	size = min(size, 2)
	x, y := elements(a, size), elements(b, size)
	if len(x) != len(y) {
		return false
	}
	for k, n := range x {
		if y[k] != n {
			return false
		}
	}
	return true
}

func elements(p *asset.Primitive, size int) map[[6]float32]int {
	round := func(v [3]float32) (r [3]float32) {
		for i, x := range v {
			if x-x != 0 {
				x = 0 // as glTF has it
			}
			r[i] = math.Float32frombits((math.Float32bits(x+0) + 8) &^ 15)
		}
		return r
	}
	out := map[[6]float32]int{}
	idx := scene.Indices(p)
	for i := 0; i+size <= len(idx); i += size {
		a := round(p.Positions[idx[i]])
		b := a
		if size == 2 {
			b = round(p.Positions[idx[i+1]])
		}
		if slices.Compare(b[:], a[:]) < 0 {
			a, b = b, a
		}
		out[[6]float32{a[0], a[1], a[2], b[0], b[1], b[2]}]++
	}
	return out
}

// Moved returns a stored mesh with the vertices moved as in an edit.
func Moved(stored *freelancer.VMesh, base *asset.Mesh, ranges []freelancer.GroupRange, c Comparison) *freelancer.VMesh {
	v := *stored
	v.Positions, v.Normals, v.Diffuse = slices.Clone(v.Positions), slices.Clone(v.Normals), slices.Clone(v.Diffuse)
	v.TexCoords = slices.Clone(v.TexCoords)
	for i := range v.TexCoords {
		v.TexCoords[i] = slices.Clone(v.TexCoords[i])
	}
	tol := scene.EditorTolerance
	for _, p := range c.patches {
		at := 0
		for _, prim := range p.base {
			n := len(base.Primitives[prim].Positions)
			for k := range n {
				if s := p.m.Sources[at+k]; s >= 0 {
					moveVertex(&v, ranges[prim].FirstVertex+k, p.surface, s, tol)
				}
			}
			at += n
		}
	}
	return &v
}

// Shows reports whether groups of a mesh show the same as an edited mesh, and whether they do apart from normals. base is
// the mesh lifted from the groups.
func Shows(v *freelancer.VMesh, base, edited *asset.Mesh, ranges []freelancer.GroupRange) (all, shape bool) {
	now := drawn(v, base, ranges)
	if Compare(now, edited).Same {
		return true, true
	}
	return false, Compare(bare(now), bare(edited)).Same
}

// drawn returns what groups of a mesh show, with the materials of the original.
func drawn(v *freelancer.VMesh, base *asset.Mesh, ranges []freelancer.GroupRange) *asset.Mesh {
	out := &asset.Mesh{}
	for i, r := range ranges {
		p := Group(v, r)
		p.Material = base.Primitives[i].Material
		out.Primitives = append(out.Primitives, p)
	}
	return out
}

// moveVertex takes over what differs of a vertex.
func moveVertex(v *freelancer.VMesh, at int, p *asset.Primitive, s int, tol scene.Tolerance) {
	if !nearOf(v.Positions[at][:], p.Positions[s][:], tol.Position) {
		v.Positions[at] = p.Positions[s]
	}
	if v.Normals != nil && p.Normals != nil && !sameNormal(v.Normals[at], p.Normals[s], tol.Normal) {
		v.Normals[at] = p.Normals[s]
	}
	for set := range v.TexCoords {
		if p.TexCoords[set] == nil {
			continue // the scene leaves it out
		}
		uv := p.TexCoords[set][s]
		uv[1] = 1 - uv[1]
		if !nearOf(v.TexCoords[set][at][:], uv[:], tol.TexCoord) {
			v.TexCoords[set][at] = uv
		}
	}
	if v.Diffuse != nil && p.Colors != nil {
		if c := vertexARGB(p.Colors[s]); c != vertexARGB(vertexColor(v.Diffuse[at])) {
			v.Diffuse[at] = c
		}
	}
}

// sameNormal compares directions. A stored normal without one says nothing.
func sameNormal(stored, visible [3]float32, limit float64) bool {
	n, o := scene.Wide3(stored), scene.Wide3(visible)
	if l := n.Len(); !(l > 1e-6) || l-l != 0 || o.Len() < 0.5 {
		return true
	}
	return n.Normalize().Sub(o).Len() <= limit
}

// DropFillers removes constant texture coordinates and white colours from primitives that had none originally. Editors add
// them if other primitives of a mesh have some.
func DropFillers(base, edited *asset.Mesh) {
	was, _ := surfaces(base)
	now, order := surfaces(edited)
	for _, k := range order {
		if was[k] == nil {
			continue
		}
		original := base.Primitives[was[k][0]]
		for _, i := range now[k] {
			q := *edited.Primitives[i]
			for len(q.TexCoords) > len(original.TexCoords) && uniform(q.TexCoords[len(q.TexCoords)-1]) {
				q.TexCoords = q.TexCoords[:len(q.TexCoords)-1]
			}
			if original.Colors == nil && !Coloured(&q) {
				q.Colors = nil
			}
			edited.Primitives[i] = &q
		}
	}
}

// uniform reports whether all values are the same.
func uniform[T comparable](v []T) bool {
	return !slices.ContainsFunc(v, func(x T) bool { return x != v[0] })
}

// RestoreColors restores the colours of an edited mesh's corners after an editor has mixed them up. If there is a colour
// that no corner had, a person has painted it.
func RestoreColors(base, edited *asset.Mesh) {
	if painted(base, edited) {
		return
	}
	eachSurface(base, edited, func(original, p *asset.Primitive) *asset.Primitive {
		return restore.Colors(original, p, scene.EditorTolerance)
	})
}

// RestoreNormals restores the normals of an edited mesh at corners where an editor wrote none, and returns how many.
func RestoreNormals(base, edited *asset.Mesh) (count int) {
	eachSurface(base, edited, func(original, p *asset.Primitive) *asset.Primitive {
		q, n := restore.Normals(original, p, scene.EditorTolerance)
		count += n
		return q
	})
	return count
}

// eachSurface puts what mend returns in the place of the triangles of an edited mesh that have the material of some of the original.
func eachSurface(base, edited *asset.Mesh, mend func(original, p *asset.Primitive) *asset.Primitive) {
	was, _ := surfaces(base)
	now, order := surfaces(edited)
	for _, k := range order {
		if k.mode != asset.Triangles || was[k] == nil {
			continue
		}
		original := joined(base, was[k])
		for _, i := range now[k] {
			edited.Primitives[i] = mend(original, edited.Primitives[i])
		}
	}
}

// painted reports whether an edited mesh has a colour that no corner of the original has. White is that of corners without one.
func painted(base, edited *asset.Mesh) bool {
	stored := map[uint32]bool{vertexARGB([4]float32{1, 1, 1, 1}): true}
	for _, p := range base.Primitives {
		for _, c := range p.Colors {
			stored[vertexARGB(c)] = true
		}
	}
	for _, p := range edited.Primitives {
		if slices.ContainsFunc(p.Colors, func(c [4]float32) bool { return !nearColor(stored, vertexARGB(c)) }) {
			return true
		}
	}
	return false
}

// nearColor reports whether a set of colours has one, but for the last bit of each component.
func nearColor(set map[uint32]bool, c uint32) bool {
	if set[c] {
		return true
	}
	for s := range set {
		near := true
		for shift := 0; shift < 32; shift += 8 {
			d := int(s>>shift&255) - int(c>>shift&255)
			near = near && d >= -1 && d <= 1
		}
		if near {
			return true
		}
	}
	return false
}

// Merged returns an edited mesh in the form in which it is stored: primitives are in the original order, and unchanged ones
// are the original ones. In the others, unedited vertices are those of the original, since editors round and split
// vertices.
func Merged(base, edited *asset.Mesh) *asset.Mesh {
	a, order := surfaces(base)
	b, more := surfaces(edited)
	out := &asset.Mesh{Name: edited.Name}
	take := func(m *asset.Mesh, which []int) {
		for _, i := range which {
			out.Primitives = append(out.Primitives, m.Primitives[i])
		}
	}
	for _, k := range order {
		x := joined(base, a[k])
		if b[k] == nil {
			if showsNothing(x) {
				take(base, a[k])
			}
			continue
		}
		y := joined(edited, b[k])
		if k.mode != asset.Triangles {
			take(edited, b[k])
			continue
		}
		m := scene.Match(x, y, scene.EditorTolerance)
		if m.Same && sameColors(x, y, m) && len(y.TexCoords) == len(x.TexCoords) {
			take(base, a[k])
			continue
		}
		out.Primitives = append(out.Primitives, snapped(x, y, m))
	}
	for _, k := range more {
		if a[k] == nil {
			take(edited, b[k])
		}
	}
	return out
}

// snapped returns an edited surface with the values of the original wherever they are the same up to what editors make
// of them.
func snapped(base, edited *asset.Primitive, m *scene.Matching) *asset.Primitive {
	out := *edited
	out.Positions, out.Normals = slices.Clone(edited.Positions), slices.Clone(edited.Normals)
	out.Colors, out.TexCoords = slices.Clone(edited.Colors), slices.Clone(edited.TexCoords)
	for set, uv := range out.TexCoords {
		out.TexCoords[set] = slices.Clone(uv)
	}
	tol := scene.EditorTolerance
	reach := tol.Position * scene.Extent(base.Positions)
	for i, v := range m.Vertices {
		if v < 0 {
			continue
		}
		if near(base.Positions[v][:], edited.Positions[i][:], func(float64) float64 { return reach }) {
			out.Positions[i] = base.Positions[v]
		}
		if base.Normals != nil && edited.Normals != nil && sameNormal(base.Normals[v], edited.Normals[i], tol.Normal) {
			out.Normals[i] = base.Normals[v]
		}
		for set := range min(len(base.TexCoords), len(edited.TexCoords)) {
			if edited.TexCoords[set] == nil || base.TexCoords[set] == nil {
				continue // a set that the scene leaves out
			}
			if nearOf(base.TexCoords[set][v][:], edited.TexCoords[set][i][:], tol.TexCoord) {
				out.TexCoords[set][i] = base.TexCoords[set][v]
			}
		}
		if base.Colors != nil && edited.Colors != nil && scene.SameColor(base.Colors[v][:], edited.Colors[i][:]) {
			out.Colors[i] = base.Colors[v]
		}
	}
	return &out
}

// near compares values; limit tells how far one of a size may be off.
func near(stored, visible []float32, limit func(size float64) float64) bool {
	for k, a := range stored {
		if a-a != 0 {
			a = 0 // as glTF has it
		}
		if !(math.Abs(float64(a)-float64(visible[k])) <= limit(math.Abs(float64(a)))) {
			return false
		}
	}
	return true
}

// nearOf is [near] for a share of the size, which is 1 at the least.
func nearOf(stored, visible []float32, share float64) bool {
	return near(stored, visible, func(size float64) float64 { return share * max(1, size) })
}
