package library

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// LiftMesh makes a mesh of what a reference draws, a primitive for each group.
func (l *Library) LiftMesh(name string, ref *freelancer.VMeshRef, lm *Mesh) (*asset.Mesh, error) {
	ranges, err := ref.Groups(lm.VMesh)
	if err != nil {
		return nil, schema.In(lm.Name, schema.Errorf("vmesh", schema.ErrRange, "VMeshRef", "%v", err))
	}
	return l.LiftGroups(name, lm, ranges)
}

// LiftGroups makes a mesh of groups.
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
	lm.Carry(out)
	l.scene.Meshes = append(l.scene.Meshes, out)
	return out, nil
}

// Mesh is an entry of a VMeshLibrary.
type Mesh struct {
	Name  string
	VMesh *freelancer.VMesh
	Dir   *freelancer.Node
	Leaf  *freelancer.Node // VMeshData
	Own   bool             // it lies in the file that is converted
	Path  string           // of the file that it lies in, where that is another

	Replaced bool // it holds an edited mesh, which nothing refers to but what was edited
}

// Carry gives a mesh what it was made of when that lies in another file, which may not be at hand on the way back.
func (lm *Mesh) Carry(m *asset.Mesh) {
	if !lm.Own {
		m.Native = rig.Native(scene.ForReading(map[string]any{"library": lm.Name}))
		m.Native.Payload = lm.Leaf.Data
	}
}

// carriedMeshes is the name under which the meshes that a scene carries are found.
const carriedMeshes = "\x00carried"

// carried adds a file to those that a conversion finds.
type carried struct {
	format.Files
	file []byte
}

func (c carried) Find(names ...string) ([]byte, string, error) {
	switch {
	case len(names) == 1 && names[0] == carriedMeshes:
		return c.file, "", nil
	case c.Files == nil:
		return nil, "", fs.ErrNotExist
	}
	return c.Files.Find(names...)
}

// Carried lets a conversion find the meshes of other files that a scene carries.
func Carried(s *asset.Scene, env *format.Env) {
	t := freelancer.NewTree()
	lib := freelancer.NewDir(freelancer.MeshLibrary)
	for _, m := range s.Meshes {
		name, ok := rig.Values(m.Native)["library"].(string)
		if ok && len(m.Native.Payload) > 0 && len(name) <= freelancer.MaxName && lib.Child(name) == nil {
			lib.Add(freelancer.NewDir(name, freelancer.NewLeaf("VMeshData", m.Native.Payload)))
		}
	}
	t.Root.Add(lib)
	b, err := write.UTF(t)
	if err != nil || len(lib.Children) == 0 {
		return
	}
	env.Files = carried{env.Files, b}
	env.Options.With = append(slices.Clone(env.Options.With), carriedMeshes)
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
