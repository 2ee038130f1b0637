package library

import (
	"fmt"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// LiftMesh returns what a reference draws as a mesh, with a primitive for each group.
func (l *Library) LiftMesh(name string, ref *freelancer.VMeshRef, lm *Mesh) (*asset.Mesh, error) {
	ranges, err := ref.Groups(lm.VMesh)
	if err != nil {
		return nil, schema.In(lm.Name, schema.Errorf("vmesh", schema.ErrRange, "VMeshRef", "%v", err))
	}
	return l.LiftGroups(name, lm, ranges)
}

// LiftGroups returns groups as a mesh.
func (l *Library) LiftGroups(name string, lm *Mesh, ranges []freelancer.GroupRange) (*asset.Mesh, error) {
	out := &asset.Mesh{Name: name}
	for _, r := range ranges {
		p := mesh.Group(lm.VMesh, r)
		if p == nil {
			return nil, schema.In(lm.Name, schema.Errorf("vmesh", schema.ErrUnsupported, "primitive", "type %d", lm.VMesh.Primitive))
		}
		p.Material = l.Material(lm.VMesh.Groups[r.Group].Material)
		out.Primitives = append(out.Primitives, p)
	}
	lm.CarryGroups(out, ranges)
	l.scene.Meshes = append(l.scene.Meshes, out)
	return out, nil
}

// Mesh is an entry of the VMeshLibrary.
type Mesh struct {
	Name  string
	VMesh *freelancer.VMesh
	Dir   *freelancer.Node
	Leaf  *freelancer.Node // VMeshData
	Own   bool             // it is in the file being converted
	Path  string           // the other file that it is in, if any

	Replaced bool // it holds an edited mesh, and only edited parts refer to it
}

// readMeshes adds the meshes of a file.
func (l *Library) readMeshes(root *freelancer.Node, path string, d *schema.Diagnostics) error {
	dir := root.Child(freelancer.MeshLibrary)
	if dir == nil {
		return nil
	}
	for _, n := range dir.Children {
		leaf := n.Child("VMeshData")
		if leaf == nil || len(leaf.Data) == 0 {
			continue
		}
		v, err := read.VMesh(leaf.Data, d.In(dir.Name+"/"+n.Name+"/"+leaf.Name))
		if err != nil {
			return schema.In(fmt.Sprintf(`%s\%s\VMeshData`, dir.Name, n.Name), err)
		}
		lm := &Mesh{Name: n.Name, VMesh: v, Dir: n, Leaf: leaf, Own: path == "", Path: path}
		if crc := freelancer.FLCRC(n.Name); l.meshes[crc] == nil {
			l.meshes[crc] = lm
		}
		if lm.Own {
			l.Own = append(l.Own, lm)
		}
	}
	return nil
}
