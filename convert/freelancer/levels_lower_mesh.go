package freelancer

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// lowerLevel brings a level of detail of a part in line with a node.
func (e *editor) lowerLevel(p *part, l *level, i int, n *asset.Node) error {
	bake := e.frames[p].Inv().Mul4(space.World(n, e.parentOf))
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
	case n.Mesh == nil && !mesh.HasTriangles(l.node.Mesh):
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
		fits := mesh.Compare(l.node.Mesh, n.Mesh)
		if i == 0 {
			e.fits[p] = fits
		}
		if fits.Same {
			return nil
		}
		if fits.Movable() && e.patch(l, fits, n.Mesh) {
			return nil
		}
		return e.setMesh(p, l.dir, l.mesh, fmt.Sprintf("lod%d", i), mesh.Merged(l.node.Mesh, n.Mesh), mgl64.Ident4())
	}
	e.rebuilt[p] = e.rebuilt[p] || i == 0
	return e.setMesh(p, l.dir, l.mesh, fmt.Sprintf("lod%d", i), n.Mesh, bake)
}

// patch moves vertices within the stored mesh. It fails when another part draws some of them too, and when the stored
// vertices cannot show what the edited mesh does: one may be two now, with different texture coordinates.
func (e *editor) patch(l *level, c mesh.Comparison, edited *asset.Mesh) bool {
	ranges, err := l.ref.Groups(l.mesh.VMesh)
	if err != nil || !l.mesh.Own || e.shared(l) {
		return false
	}
	base := l.node.Mesh
	v := mesh.Moved(l.mesh.VMesh, base, ranges, c)
	if all, _ := mesh.Shows(v, base, edited, ranges); !all {
		return false
	}
	b, err := write.VMesh(v)
	if err != nil {
		return false
	}
	still := slices.Equal(v.Positions, l.mesh.VMesh.Positions)
	l.mesh.Leaf.Data, *l.mesh.VMesh = b, *v
	return still || e.setBounds(l, ranges, v)
}

// shared reports whether other references use vertices of a level.
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

func (e *editor) setBounds(l *level, ranges []freelancer.GroupRange, v *freelancer.VMesh) bool {
	mesh.Bound(l.ref, ranges, v)
	b, err := write.VMeshRef(l.ref)
	if err != nil {
		return false
	}
	l.leaf.Data = b
	return true
}

// setMesh stores a mesh in the library and refers to it from a level's directory; was is what the level drew, and may be
// nil. What one VMeshData cannot hold goes into further parts beside this one.
func (e *editor) setMesh(p *part, dir *freelancer.Node, was *library.Mesh, level string, m *asset.Mesh, bake mgl64.Mat4) error {
	normals := was == nil || was.VMesh.Normals != nil
	users := 1
	if p.wire != nil && p.wire.mesh == was {
		users = 2
	}
	if !e.libs.HasOnly(users, was) {
		was = nil
	}
	pieces := mesh.Pieces(m, bake, normals, e.d)
	for i, v := range pieces {
		into, name := dir, p.name
		if i > 0 {
			if e.compound == nil || level != "lod0" {
				return schema.In(p.name, schema.Errorf(e.format, schema.ErrLimit, "vertices", "%s", tooLarge(e.format, level, len(pieces))))
			}
			q := e.newPart(e.partName(fmt.Sprintf("%s_piece%d", p.name, i+1), nil), fragment)
			q.joint = e.addJoint(freelancer.Joint{Parent: freelancer.PartName{Name: p.name}, Child: freelancer.PartName{Name: q.name}, Rotation: freelancer.Identity3})
			e.nodeOf[q], e.partOf[q.node] = q.node, q
			e.parentOf[q.node] = e.nodeOf[p]
			e.frames[q] = e.frames[p]
			into, name, was = q.content, q.name, nil
		}
		if err := e.libs.Store(into, was, name+"."+level, v); err != nil {
			return err
		}
	}
	return nil
}

// tooLarge says what to do with a mesh that the format cannot hold.
func tooLarge(name, level string, pieces int) string {
	if name == "3db" {
		return fmt.Sprintf("the mesh needs %d pieces of 65,535 vertices and indices, and a .3db file has room for one: make a .cmp file of it, or simplify it", pieces)
	}
	return fmt.Sprintf("%s needs %d pieces of 65,535 vertices and indices, and only the highest level of detail of a part can be cut: simplify it", level, pieces)
}
