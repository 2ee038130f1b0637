package freelancer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// materialCRC returns the hash by which a group refers to a material. One whose name is not known is called by its
// hash.
func materialCRC(m *asset.Material) uint32 {
	if m == nil {
		return freelancer.FLCRC(defaultMaterial)
	}
	if hex, ok := strings.CutPrefix(m.Name, "0x"); ok && len(hex) == 8 {
		if crc, err := strconv.ParseUint(hex, 16, 32); err == nil {
			return uint32(crc)
		}
	}
	return freelancer.FLCRC(materialName(m))
}

// materialName returns the name under which a material is stored.
func materialName(m *asset.Material) string {
	if m.Name == "" {
		return "material"
	}
	name, ok := schema.EncodeWindows1252(m.Name)
	if !ok || len(name) > 63 {
		return fmt.Sprintf("material_%08x", freelancer.FLCRC(m.Name))
	}
	return m.Name
}

// setMesh stores a mesh in the library and refers to it from a level's directory; was is what the level drew, and may be
// nil. What one VMeshData cannot hold goes into further parts beside this one.
func (e *editor) setMesh(p *part, dir *freelancer.Node, was *libraryMesh, level string, mesh *asset.Mesh, bake mgl64.Mat4) error {
	normals := was == nil || was.mesh.Normals != nil
	users := 1
	if p.wire != nil && p.wire.mesh == was {
		users = 2
	}
	if !e.hasOnly(users, was) {
		was = nil
	}
	pieces := e.pieces(mesh, bake, normals)
	for i, v := range pieces {
		into, name := dir, p.name
		if i > 0 {
			if e.compound == nil || level != "lod0" {
				return schema.In(p.name, schema.Errorf(e.format, schema.ErrLimit, "vertices", "%s", tooLarge(e.format, level, len(pieces))))
			}
			q := e.newPart(e.partName(fmt.Sprintf("%s_piece%d", p.name, i+1)), fragment)
			q.joint = e.addJoint(freelancer.Joint{Parent: freelancer.PartName{Name: p.name}, Child: freelancer.PartName{Name: q.name}, Rotation: freelancer.Identity3})
			e.nodeOf[q], e.partOf[q.node] = q.node, q
			e.parentOf[q.node] = e.nodeOf[p]
			e.frames[q] = e.frames[p]
			into, name, was = q.content, q.name, nil
		}
		if err := e.store(into, was, name+"."+level, v); err != nil {
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

// lowerWire brings the wireframe of a part in line: an edited one gets vertices of its own.
func (e *editor) lowerWire(p *part) error {
	var n *asset.Node
	if p.wire != nil {
		if n = e.byID[idOf(p.wire.node)]; n == nil {
			p.content.Remove(p.content.Child("VMeshWire"))
			return nil
		}
		if n.Mesh != nil && len(n.Mesh.Primitives) == 1 && sameElements(p.wire.node.Mesh.Primitives[0], n.Mesh.Primitives[0], 2) {
			return e.rewire(p)
		}
	} else {
		if c := e.nodeOf[p]; p.node.Mesh == nil && c.Mesh != nil && onlyLines(c.Mesh) {
			n = c
		}
		var lines []*asset.Node
		e.below(e.nodeOf[p], func(c *asset.Node) {
			if c.Mesh != nil && onlyLines(c.Mesh) && !skip(c) {
				lines = append(lines, c)
			}
		})
		if n == nil && len(lines) > 0 {
			return e.setWire(p, e.joinedLines(p, lines), mgl64.Ident4())
		}
	}
	if n == nil && e.env.Options.Wireframe {
		return e.setWire(p, featureEdges(e.nodeOf[p].Mesh), e.frames[p].Inv().Mul4(worldOf(e.nodeOf[p], e.parentOf)))
	}
	if n == nil || n.Mesh == nil {
		return nil
	}
	return e.setWire(p, n.Mesh.Primitives, e.frames[p].Inv().Mul4(worldOf(n, e.parentOf)))
}

// joinedLines returns the lines of several nodes in the frame of a part.
func (e *editor) joinedLines(p *part, nodes []*asset.Node) (lines []*asset.Primitive) {
	frame := e.frames[p].Inv()
	for _, n := range nodes {
		for _, x := range n.Mesh.Primitives {
			lines = append(lines, baked(x, frame.Mul4(worldOf(n, e.parentOf))))
		}
	}
	return lines
}

// rewire makes an unedited wireframe use the vertices of the edited mesh that took the place of its own, or gives it
// vertices of its own when they are not all there.
func (e *editor) rewire(p *part) error {
	w := p.wire
	if !w.mesh.replaced {
		return nil
	}
	number := map[[3]float32]int{}
	for i, at := range w.mesh.mesh.Positions {
		if _, known := number[at]; !known {
			number[at] = i
		}
	}
	lines := w.node.Mesh.Primitives[0]
	var list []int
	for _, i := range lines.Indices {
		k, ok := number[lines.Positions[i]]
		if !ok {
			return e.setWire(p, w.node.Mesh.Primitives, mgl64.Ident4())
		}
		list = append(list, k)
	}
	if len(list) == 0 {
		return nil
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
		for _, i := range indices(b) {
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
