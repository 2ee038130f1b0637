package freelancer

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

func (e *editor) lowerLevel(p *part, l *level, i int, n *asset.Node) error {
	bake := e.frames[p].Inv().Mul4(scene.World(n, e.parentOf))
	if i > 0 && e.parentOf[n] == nil && space.SameTransform(&n.Transform, &l.node.Transform) {
		bake = mgl64.Ident4() // a level stands where its part stands
	}
	if skew := e.skew(p); !p.fresh && i == 0 && (space.Near(bake, skew) || !space.Near(skew, skew)) { // or it stood nowhere
		bake = mgl64.Ident4()
	}
	if p.parent == nil && e.partParent(p) == nil && space.SameTransform(&n.Transform, &l.node.Transform) {
		bake = mgl64.Ident4()
	}
	switch {
	case n.Mesh == nil && (l.node.Mesh == nil || l.mesh == nil):
		if m, moved := e.settled.Baked[n]; moved && m != mgl64.Ident4() && i == 0 {
			e.d.Lossf("mesh-elsewhere", n.Name, "its mesh lies in a file that is not at hand, and stays as it is: what was done to the part as an object does not reach it, at rest or in motion")
		}
		return nil
	case n.Mesh == nil && !hasTriangles(l.node.Mesh):
		e.d.Notef("lines-kept", p.name, "the scene shows no mesh here any more; the lines or points of the file stay, since editors drop them")
		return nil
	case n.Mesh == nil:
		b, err := write.VMeshRef(&freelancer.VMeshRef{Size: freelancer.RefSize})
		if err != nil {
			return err
		}
		l.leaf.Data = b
		return nil
	case l.mesh != nil && space.Near(bake, mgl64.Ident4()):
		fits := e.compare(l.node.Mesh, n.Mesh)
		if i == 0 {
			e.fits[p] = fits
		}
		if fits.same {
			return nil
		}
		if fits.patches != nil && e.patch(l, fits, n.Mesh) {
			return nil
		}
		return e.setMesh(p, l.dir, l.mesh, fmt.Sprintf("lod%d", i), e.merged(l.node.Mesh, n.Mesh), mgl64.Ident4())
	}
	e.rebuilt[p] = e.rebuilt[p] || i == 0
	return e.setMesh(p, l.dir, l.mesh, fmt.Sprintf("lod%d", i), n.Mesh, bake)
}

func hasTriangles(m *asset.Mesh) bool {
	return m != nil && slices.ContainsFunc(m.Primitives, func(p *asset.Primitive) bool { return p.Mode == asset.Triangles })
}

// comparison says how two meshes differ.
type comparison struct {
	same    bool
	patches []patch // when only vertices moved
}

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
		k := surfaceKey{materialCRC(p.Material), p.Mode}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], i)
	}
	return groups, order
}

// showsNothing tells whether all triangles are without an area or repeat others: editors drop such a surface.
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

// compare holds an edited mesh against the original, material by material: editors join primitives of one material.
func (e *editor) compare(base, edited *asset.Mesh) (c comparison) {
	a, order := surfaces(base)
	b, _ := surfaces(edited)
	for k := range b {
		if a[k] == nil {
			return c
		}
	}
	c.same = true
	movable := true
	for _, k := range order {
		if b[k] == nil {
			if showsNothing(joined(base, a[k])) {
				continue
			}
			return comparison{}
		}
		x, y := joined(base, a[k]), joined(edited, b[k])
		if k.mode != asset.Triangles {
			if !sameElements(x, y, 1+int(asset.Points-k.mode)) {
				return comparison{}
			}
			continue
		}
		m := match(x, y)
		if !m.Same || !sameColors(x, y, m) || len(y.TexCoords) != len(x.TexCoords) {
			c.same = false
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

// joined returns several primitives as one.
func joined(m *asset.Mesh, which []int) *asset.Primitive {
	if len(which) == 1 && m.Primitives[which[0]].Indices != nil {
		return m.Primitives[which[0]]
	}
	out := &asset.Primitive{Mode: m.Primitives[which[0]].Mode, Indices: []uint32{}}
	first := m.Primitives[which[0]]
	out.TexCoords = make([][][2]float32, len(first.TexCoords))
	for _, i := range which {
		p := m.Primitives[i]
		base := uint32(len(out.Positions))
		out.Positions = append(out.Positions, p.Positions...)
		if first.Normals != nil {
			out.Normals = append(out.Normals, fill(p.Normals, len(p.Positions), [3]float32{0, 1, 0})...)
		}
		if first.Colors != nil {
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
	out := make([]T, n)
	for i := range out {
		out[i] = x
	}
	return out
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

// patch moves vertices within the stored mesh. It fails when another part draws some of them too, and when the stored
// vertices cannot show what the edited mesh does: one may be two now, with different texture coordinates.
func (e *editor) patch(l *level, c comparison, edited *asset.Mesh) bool {
	ranges, err := l.ref.Groups(l.mesh.mesh)
	if err != nil || !l.mesh.own || e.shared(l) {
		return false
	}
	base := l.node.Mesh
	v := moved(l.mesh.mesh, base, ranges, c)
	if !e.compare(drawn(v, base, ranges), edited).same {
		return false
	}
	b, err := write.VMesh(v)
	if err != nil {
		return false
	}
	still := slices.Equal(v.Positions, l.mesh.mesh.Positions)
	l.mesh.leaf.Data, *l.mesh.mesh = b, *v
	return still || e.setBounds(l, ranges, v)
}

// moved returns a stored mesh whose vertices are where an edit has them.
func moved(stored *freelancer.VMesh, base *asset.Mesh, ranges []freelancer.GroupRange, c comparison) *freelancer.VMesh {
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

// drawn returns what groups of a mesh show, with the materials of the original.
func drawn(v *freelancer.VMesh, base *asset.Mesh, ranges []freelancer.GroupRange) *asset.Mesh {
	out := &asset.Mesh{}
	for i, r := range ranges {
		p := groupPrimitive(v, r)
		p.Material = base.Primitives[i].Material
		out.Primitives = append(out.Primitives, p)
	}
	return out
}

// shared tells whether other references use vertices of a level.
func (e *editor) shared(l *level) bool {
	from, to := int(l.ref.VertexStart), int(l.ref.VertexStart)+int(l.ref.VertexCount)
	for _, p := range e.parts {
		for _, o := range p.levels {
			if o == l || o.mesh != l.mesh || o.ref == nil || o.ref.Empty() {
				continue
			}
			if int(o.ref.VertexStart) < to && from < int(o.ref.VertexStart)+int(o.ref.VertexCount) {
				return true
			}
		}
	}
	return false
}

// moveVertex takes over what differs of a vertex.
func moveVertex(v *freelancer.VMesh, at int, p *asset.Primitive, s int, tol scene.Tolerance) {
	differ := func(a, b float32, limit float64) bool {
		if a-a != 0 {
			a = 0 // as glTF has it
		}
		return math.Abs(float64(a-b)) > limit*max(1, math.Abs(float64(a)))
	}
	for k := range 3 {
		if differ(v.Positions[at][k], p.Positions[s][k], tol.Position) {
			v.Positions[at] = p.Positions[s]
		}
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
		for k := range 2 {
			if differ(v.TexCoords[set][at][k], uv[k], tol.TexCoord) {
				v.TexCoords[set][at] = uv
			}
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

func (e *editor) setBounds(l *level, ranges []freelancer.GroupRange, v *freelancer.VMesh) bool {
	bounds(l.ref, ranges, v)
	b, err := write.VMeshRef(l.ref)
	if err != nil {
		return false
	}
	l.leaf.Data = b
	return true
}

// bounds sets box and sphere of a reference from the vertices that it draws.
func bounds(r *freelancer.VMeshRef, ranges []freelancer.GroupRange, v *freelancer.VMesh) {
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

// defaultMaterial is the material of primitives that have none.
const defaultMaterial = "default"
