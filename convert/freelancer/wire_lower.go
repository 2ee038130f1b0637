package freelancer

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// lowerWire brings the wireframe of a part in line. One that nobody edited follows its mesh; an edited one gets vertices
// of its own; one that is missing is made of the part's edges where the user wants that.
func (e *editor) lowerWire(p *part) error {
	part := e.nodeOf[p]
	place := func(n *asset.Node) mgl64.Mat4 { return e.hullPlace(p, n) }
	if p.wire != nil {
		n := e.byID[idOf(p.wire.node)]
		if n != nil && n.Mesh == nil { // editors drop lines
			return e.followMesh(p)
		}
		if n != nil && len(n.Mesh.Primitives) == 1 && sameElements(p.wire.node.Mesh.Primitives[0], n.Mesh.Primitives[0], 2) && space.Near(place(n), mgl64.Ident4()) {
			return e.followMesh(p)
		}
		if n != nil {
			return e.setWire(p, n.Mesh.Primitives, place(n))
		}
		if !e.env.Options.Freelancer.Wireframe || part.Mesh == nil {
			p.content.Remove(p.content.Child("VMeshWire"))
			return nil
		}
	}
	if p.node.Mesh == nil && part.Mesh != nil && onlyLines(part.Mesh) {
		return e.setWire(p, part.Mesh.Primitives, place(part))
	}
	var lines []*asset.Primitive
	if p.wire == nil {
		e.below(part, func(c *asset.Node) {
			if c.Mesh != nil && onlyLines(c.Mesh) && !skip(c) {
				for _, x := range c.Mesh.Primitives {
					lines = append(lines, baked(x, place(c)))
				}
			}
		})
	}
	if len(lines) == 0 && e.env.Options.Freelancer.Wireframe {
		return e.setWire(p, featureEdges(part.Mesh), place(part))
	}
	return e.setWire(p, lines, mgl64.Ident4())
}

// followMesh brings an unedited wireframe in line with its part's mesh: lines go where the vertices went that they
// joined, and are made anew where the user wants that. What is out of date is told of.
func (e *editor) followMesh(p *part) error {
	w, part := p.wire, e.nodeOf[p]
	lines := w.node.Mesh.Primitives[0]
	fits, compared := e.fits[p]
	if compared && !fits.same {
		if e.env.Options.Freelancer.Wireframe && hasTriangles(part.Mesh) {
			return e.setWire(p, featureEdges(part.Mesh), e.hullPlace(p, part))
		}
		var lost int
		var whole bool
		if lines, lost, whole = followed(lines, p.node.Mesh, part.Mesh); lost > 0 {
			e.d.Warnf("wire-stale", p.name, "%d of %d lines of the wireframe joined what is not in the mesh any more, and are left out: --wireframe makes one of the edited mesh", lost, len(w.node.Mesh.Primitives[0].Indices)/2)
		} else if !whole {
			e.d.Warnf("wire-stale", p.name, "the mesh was edited, and the wireframe shows what it was like before: --wireframe makes one of the edited mesh")
		}
	} else if e.rebuilt[p] {
		e.d.Warnf("wire-stale", p.name, "the part has another mesh, and the wireframe shows the one before: --wireframe makes one of the new mesh")
	}
	if len(lines.Indices) == 0 && len(w.node.Mesh.Primitives[0].Indices) > 0 {
		p.content.Remove(p.content.Child("VMeshWire"))
		return nil
	}
	return e.rewire(p, lines)
}

// followed returns lines with their ends where the vertices of a mesh are after an edit, and how many are left out
// because a vertex is gone. The edited mesh is whole when it has the triangles of the other, and no more.
func followed(lines *asset.Primitive, base, edited *asset.Mesh) (out *asset.Primitive, lost int, whole bool) {
	f := &follower{there: map[[3]float32]bool{}, moved: map[[3]float32][3]float32{}, gone: map[[3]float32]bool{}}
	for _, p := range edited.Primitives {
		for _, v := range p.Positions {
			f.there[v] = true
		}
	}
	a, order := surfaces(base)
	b, more := surfaces(edited)
	whole = !slices.ContainsFunc(more, func(k surfaceKey) bool { return a[k] == nil })
	var renamed []int // primitives with materials that the base has not
	for _, k := range more {
		if a[k] == nil && k.mode == asset.Triangles {
			renamed = append(renamed, b[k]...)
		}
	}
	for _, k := range order {
		if k.mode != asset.Triangles {
			continue
		}
		x, now := joined(base, a[k]), b[k]
		if len(now) > 0 && f.stays(x, joined(edited, now)) {
			continue // all of it is where it was, in another material: somebody swapped them
		}
		if now == nil { // its material has another name, perhaps
			now = renamed
		}
		if len(now) == 0 {
			whole = false
			for _, v := range x.Positions {
				f.loses(v)
			}
			continue
		}
		whole = f.surface(x, joined(edited, now)) && whole
	}
	out, lost = f.lines(lines)
	return out, lost, whole
}

// follower knows where the vertices of a mesh went that somebody edited.
type follower struct {
	there map[[3]float32]bool       // wherever in the edited mesh: a surface may wear another material now
	moved map[[3]float32][3]float32 // where those are that are still there
	gone  map[[3]float32]bool
}

func (f *follower) loses(v [3]float32) { f.gone[v] = f.gone[v] || !f.there[v] }

// stays tells whether all of a surface is in the edited mesh, and nothing of it in what wears its material now.
func (f *follower) stays(x, worn *asset.Primitive) bool {
	return !slices.ContainsFunc(x.Positions, func(v [3]float32) bool { return !f.there[v] || slices.Contains(worn.Positions, v) })
}

// surface notes where the vertices of a surface are, and tells whether the edited one has all of its triangles.
func (f *follower) surface(x, y *asset.Primitive) bool {
	reach := scene.EditorTolerance.Position * scene.Extent(x.Positions)
	m := match(x, y)
	sources, complete := m.Sources, m.Complete
	if len(x.Positions) == len(y.Positions) && slices.Equal(x.Indices, y.Indices) {
		sources, complete = nil, true // vertex by vertex: what moved a long way may lie where another one lay
	}
	for i, v := range x.Positions {
		s := i
		if sources != nil {
			s = sources[i]
		}
		switch {
		case s < 0:
			f.loses(v)
		case scene.Wide3(y.Positions[s]).Sub(scene.Wide3(v)).Len() <= 2*reach:
			f.moved[v] = v
		default:
			if _, known := f.moved[v]; !known {
				f.moved[v] = y.Positions[s]
			}
		}
	}
	return complete
}

// lines returns lines with their ends where those went, without the ones that lost an end.
func (f *follower) lines(lines *asset.Primitive) (out *asset.Primitive, lost int) {
	out = &asset.Primitive{Mode: asset.Lines, Indices: []uint32{}}
	number := map[[3]float32]uint32{}
	for i := 0; i+2 <= len(lines.Indices); i += 2 {
		var ends [2][3]float32
		left := false
		for k := range ends {
			v := lines.Positions[lines.Indices[i+k]]
			at, known := f.moved[v]
			if !known {
				at = v
				left = left || f.gone[v]
			}
			ends[k] = at
		}
		if left {
			lost++
			continue
		}
		for _, v := range ends {
			n, known := number[v]
			if !known {
				n = uint32(len(out.Positions))
				number[v] = n
				out.Positions = append(out.Positions, v)
			}
			out.Indices = append(out.Indices, n)
		}
	}
	return out, lost
}

// showsLines tells whether a stored wireframe shows these lines as it is.
func (w *wire) showsLines(lines *asset.Primitive) bool {
	if w.mesh.replaced || len(lines.Indices) != len(w.v.Indices)/2*2 {
		return false
	}
	for i, k := range lines.Indices {
		at := w.mesh.mesh.Positions[int(w.v.VertexStart)+int(w.v.Indices[i])]
		for axis, x := range lines.Positions[k] {
			if x != at[axis] && !(math.Abs(float64(x-at[axis])) <= 2*scene.EditorTolerance.Position*(1+math.Abs(float64(x)))) && x == x {
				return false
			}
		}
	}
	return true
}

// rewire stores lines with the vertices of the mesh that the wireframe uses, or with vertices of its own when they are
// not all there.
func (e *editor) rewire(p *part, lines *asset.Primitive) error {
	w := p.wire
	if w.showsLines(lines) || len(lines.Indices) == 0 {
		return nil
	}
	if !w.mesh.replaced {
		return e.setWire(p, []*asset.Primitive{lines}, mgl64.Ident4())
	}
	number := map[[3]float32]int{}
	for i, at := range w.mesh.mesh.Positions {
		if _, known := number[at]; !known {
			number[at] = i
		}
	}
	var list []int
	for _, i := range lines.Indices {
		k, ok := number[lines.Positions[i]]
		if !ok {
			return e.setWire(p, []*asset.Primitive{lines}, mgl64.Ident4())
		}
		list = append(list, k)
	}
	low, high, distinct := slices.Min(list), slices.Max(list), map[int]bool{}
	v := &freelancer.VWire{Size: freelancer.WireHeader, Mesh: w.v.Mesh, VertexStart: uint16(low), VertexRange: uint16(high - low + 1)}
	for _, k := range list {
		distinct[k] = true
		v.Indices = append(v.Indices, uint16(k-low))
	}
	v.VertexCount = uint16(len(distinct))
	b, err := write.VWire(v)
	if err != nil {
		return err
	}
	w.leaf.Data = b
	return nil
}

// setWire stores lines as the wireframe of a part, with vertices of their own.
func (e *editor) setWire(p *part, lines []*asset.Primitive, bake mgl64.Mat4) error {
	v := &freelancer.VMesh{Type: 1, Primitive: freelancer.LineList, FVF: freelancer.FVFPosition}
	known := map[[3]float32]uint16{}
	for _, prim := range lines {
		if prim.Mode != asset.Lines {
			continue
		}
		b := baked(prim, bake)
		for _, i := range scene.Indices(b) {
			k, ok := known[b.Positions[i]]
			if !ok {
				k = uint16(len(v.Positions))
				known[b.Positions[i]] = k
				v.Positions = append(v.Positions, b.Positions[i])
			}
			v.Indices = append(v.Indices, k)
		}
	}
	if len(v.Indices) == 0 {
		return nil
	}
	if len(v.Positions) > 65535 || len(v.Indices) > 65535 {
		e.d.Lossf("wire-too-large", p.name, "a wireframe of %d lines is left out: 32,767 are the limit", len(v.Indices)/2)
		return nil
	}
	v.Groups = []freelancer.MeshGroup{{VertexEnd: uint16(len(v.Positions) - 1), IndexCount: uint16(len(v.Indices)), Padding: freelancer.GroupPadding}}
	var was *libraryMesh
	if p.wire != nil && e.hasOnly(1, p.wire.mesh) {
		was = p.wire.mesh
	}
	name, err := e.addMesh(was, p.name+".wire", v)
	if err != nil {
		return err
	}
	b, err := write.VWire(&freelancer.VWire{
		Size: freelancer.WireHeader, Mesh: freelancer.FLCRC(name), VertexCount: uint16(len(v.Positions)), VertexRange: uint16(len(v.Positions)), Indices: v.Indices,
	})
	if err != nil {
		return err
	}
	p.content.Dir("VMeshWire").Set("VWireData", b)
	return nil
}
