package freelancer

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// liftMesh makes a mesh of what a reference draws, a primitive for each group.
func (l *library) liftMesh(name string, ref *freelancer.VMeshRef, lm *libraryMesh) (*asset.Mesh, error) {
	ranges, err := ref.Groups(lm.mesh)
	if err != nil {
		return nil, schema.In(lm.name, schema.Errorf("vmesh", schema.ErrRange, "VMeshRef", "%v", err))
	}
	return l.liftGroups(name, lm, ranges)
}

// liftGroups makes a mesh of groups.
func (l *library) liftGroups(name string, lm *libraryMesh, ranges []freelancer.GroupRange) (*asset.Mesh, error) {
	out := &asset.Mesh{Name: name}
	for _, r := range ranges {
		p := mesh.Group(lm.mesh, r)
		if p == nil {
			return nil, schema.In(lm.name, schema.Errorf("vmesh", schema.ErrUnsupported, "primitive", "type %d", lm.mesh.Primitive))
		}
		p.Material = l.look(lm.mesh.Groups[r.Group].Material)
		out.Primitives = append(out.Primitives, p)
	}
	lm.carry(out)
	l.scene.Meshes = append(l.scene.Meshes, out)
	return out, nil
}

// libraryMesh is an entry of a VMeshLibrary.
type libraryMesh struct {
	name string
	mesh *freelancer.VMesh
	dir  *freelancer.Node
	leaf *freelancer.Node // VMeshData
	own  bool             // it lies in the file that is converted
	path string           // of the file that it lies in, where that is another

	replaced bool // it holds an edited mesh, which nothing refers to but what was edited
}

// carry gives a mesh what it was made of when that lies in another file, which may not be at hand on the way back.
func (lm *libraryMesh) carry(m *asset.Mesh) {
	if !lm.own {
		m.Native = &asset.Native{Format: nativeFormat, Values: map[string]any{"library": lm.name}, Payload: lm.leaf.Data}
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

// carryMeshes lets a conversion find the meshes of other files that a scene carries.
func carryMeshes(s *asset.Scene, env *format.Env) {
	t := freelancer.NewTree()
	lib := freelancer.NewDir(freelancer.MeshLibrary)
	for _, m := range s.Meshes {
		if n := m.Native; n != nil && n.Format == nativeFormat && len(n.Payload) > 0 {
			if name, ok := n.Values["library"].(string); ok && len(name) <= freelancer.MaxName && lib.Child(name) == nil {
				lib.Add(freelancer.NewDir(name, freelancer.NewLeaf("VMeshData", n.Payload)))
			}
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
func (l *library) readMeshes(root *freelancer.Node, path string, d *schema.Diagnostics) error {
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
		lm := &libraryMesh{name: n.Name, mesh: v, dir: n, leaf: leaf, own: path == "", path: path}
		if crc := freelancer.FLCRC(n.Name); l.meshes[crc] == nil {
			l.meshes[crc] = lm
		}
		if lm.own {
			l.own = append(l.own, lm)
		}
	}
	return nil
}
