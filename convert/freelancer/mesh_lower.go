package freelancer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
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
