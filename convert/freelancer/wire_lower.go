package freelancer

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// lowerWire updates the wireframe of a part. An unedited one follows its mesh; an edited one gets vertices of its own; a
// missing one is made from the part's edges if the user asks for it.
func (e *editor) lowerWire(p *part) error {
	part := e.nodeOf[p]
	place := func(n *asset.Node) mgl64.Mat4 { return e.hullPlace(p, n) }
	if p.wire != nil {
		n := e.byID[rig.ID(p.wire.node)]
		if n != nil && n.Mesh == nil { // editors drop lines
			return e.followMesh(p)
		}
		if n != nil && len(n.Mesh.Primitives) == 1 && mesh.SameLines(p.wire.node.Mesh.Primitives[0], n.Mesh.Primitives[0]) && space.Near(place(n), mgl64.Ident4()) {
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
	if p.node.Mesh == nil && part.Mesh != nil && mesh.OnlyLines(part.Mesh) {
		return e.setWire(p, part.Mesh.Primitives, place(part))
	}
	var lines []*asset.Primitive
	if p.wire == nil {
		e.below(part, func(c *asset.Node) {
			if c.Mesh != nil && mesh.OnlyLines(c.Mesh) && !skip(c) {
				for _, x := range c.Mesh.Primitives {
					lines = append(lines, mesh.Baked(x, place(c)))
				}
			}
		})
	}
	if len(lines) == 0 && e.env.Options.Freelancer.Wireframe {
		return e.setWire(p, mesh.FeatureEdges(part.Mesh), place(part))
	}
	return e.setWire(p, lines, mgl64.Ident4())
}

// followMesh updates an unedited wireframe after its part's mesh was edited. Lines follow the vertices that they join, or
// are made anew if the user asks for it. A message says if the wireframe is out of date.
func (e *editor) followMesh(p *part) error {
	w, part := p.wire, e.nodeOf[p]
	lines := w.node.Mesh.Primitives[0]
	fits, compared := e.fits[p]
	if compared && !fits.Same {
		if e.env.Options.Freelancer.Wireframe && mesh.HasTriangles(part.Mesh) {
			return e.setWire(p, mesh.FeatureEdges(part.Mesh), e.hullPlace(p, part))
		}
		f := mesh.Followed(lines, p.node.Mesh, part.Mesh)
		e.tellStale(p, f, len(lines.Indices)/2)
		lines = f.Lines
	} else if e.rebuilt[p] {
		e.d.Hint(": --wireframe makes one of the new mesh").Warnf("wire-stale", p.name, "the part has another mesh, and the wireframe shows the one before")
	}
	if len(lines.Indices) == 0 && len(w.node.Mesh.Primitives[0].Indices) > 0 {
		p.content.Remove(p.content.Child("VMeshWire"))
		return nil
	}
	return e.rewire(p, lines)
}

// tellStale tells what of a wireframe did not follow its edited mesh.
func (e *editor) tellStale(p *part, f mesh.Follow, of int) {
	switch {
	case f.Lost > 0:
		e.d.Hint(": --wireframe makes one of the edited mesh").Warnf("wire-stale", p.name, "%d of %d lines of the wireframe joined what is not in the mesh any more, and are left out", f.Lost, of)
	case !f.Whole:
		e.d.Hint(": --wireframe makes one of the edited mesh").Warnf("wire-stale", p.name, "the mesh was edited, and the wireframe shows what it was like before")
	case f.Torn > 0:
		e.d.Hint(": --wireframe makes one of the edited mesh").Warnf("wire-stale", p.name, "%d of %d lines of the wireframe follow the edited mesh with one end alone, since the other was no vertex of it", f.Torn, of)
	}
}

// rewire stores lines with the vertices of the mesh that the wireframe uses, or with vertices of its own when they are
// not all there.
func (e *editor) rewire(p *part, lines *asset.Primitive) error {
	w := p.wire
	if len(lines.Indices) == 0 || !w.mesh.Replaced && mesh.WireShows(w.v, w.mesh.VMesh, lines) {
		return nil
	}
	var v *freelancer.VWire
	if w.mesh.Replaced {
		v = mesh.WireOn(w.mesh.VMesh, w.v.Mesh, lines)
	}
	if v == nil {
		return e.setWire(p, []*asset.Primitive{lines}, mgl64.Ident4())
	}
	b, err := write.VWire(v)
	if err != nil {
		return err
	}
	w.leaf.Data = b
	return nil
}

// setWire stores lines as the wireframe of a part, with vertices of their own.
func (e *editor) setWire(p *part, lines []*asset.Primitive, bake mgl64.Mat4) error {
	v := mesh.OfLines(lines, bake)
	if len(v.Indices) == 0 {
		return nil
	}
	if len(v.Positions) > mesh.MaxBuffer || len(v.Indices) > mesh.MaxBuffer {
		e.d.Lossf("wire-too-large", p.name, "a wireframe of %d lines is left out: 32,767 are the limit", len(v.Indices)/2)
		return nil
	}
	var was *library.Mesh
	if p.wire != nil && e.libs.HasOnly(1, p.wire.mesh) {
		was = p.wire.mesh
	}
	name, err := e.libs.AddMesh(was, p.name+".wire", v)
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
