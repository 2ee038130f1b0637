package freelancer

import (
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// liftMesh makes a mesh of what a reference draws, a primitive for each group.
func (m *model) liftMesh(name string, ref *freelancer.VMeshRef, lm *libraryMesh) (*asset.Mesh, error) {
	ranges, err := ref.Groups(lm.mesh)
	if err != nil {
		return nil, schema.In(lm.name, schema.Errorf("vmesh", schema.ErrRange, "VMeshRef", "%v", err))
	}
	return m.liftGroups(name, lm, ranges)
}

// liftGroups makes a mesh of groups.
func (m *model) liftGroups(name string, lm *libraryMesh, ranges []freelancer.GroupRange) (*asset.Mesh, error) {
	mesh := &asset.Mesh{Name: name}
	for _, r := range ranges {
		p := groupPrimitive(lm.mesh, r)
		if p == nil {
			return nil, schema.In(lm.name, schema.Errorf("vmesh", schema.ErrUnsupported, "primitive", "type %d", lm.mesh.Primitive))
		}
		p.Material = m.material(lm.mesh.Groups[r.Group].Material)
		mesh.Primitives = append(mesh.Primitives, p)
	}
	lm.carry(mesh)
	m.scene.Meshes = append(m.scene.Meshes, mesh)
	return mesh, nil
}

// groupPrimitive returns the vertices and indices of a group; nil for an unknown type of primitive.
func groupPrimitive(v *freelancer.VMesh, r freelancer.GroupRange) *asset.Primitive {
	p := &asset.Primitive{}
	raw := v.Indices[r.FirstIndex : r.FirstIndex+r.Count]
	switch v.Primitive {
	case freelancer.TriangleList:
		p.Indices = widen(raw[:len(raw)/3*3])
	case freelancer.TriangleStrip:
		p.Indices = unstrip(raw)
	case freelancer.TriangleFan:
		for i := 1; i+1 < len(raw); i++ {
			p.Indices = append(p.Indices, uint32(raw[0]), uint32(raw[i]), uint32(raw[i+1]))
		}
	case freelancer.LineList:
		p.Mode, p.Indices = asset.Lines, widen(raw[:len(raw)/2*2])
	case freelancer.LineStrip:
		p.Mode = asset.Lines
		for i := 0; i+1 < len(raw); i++ {
			p.Indices = append(p.Indices, uint32(raw[i]), uint32(raw[i+1]))
		}
	case freelancer.PointList:
		p.Mode, p.Indices = asset.Points, widen(raw)
	default:
		return nil
	}
	from, to := 0, 0
	if len(raw) > 0 { // a group without indices may begin anywhere
		from = r.FirstVertex
		to = from + int(slices.Max(raw)) + 1
	}
	p.Positions = v.Positions[from:to:to]
	if v.Normals != nil {
		p.Normals = v.Normals[from:to:to]
	}
	for _, uv := range v.TexCoords {
		p.TexCoords = append(p.TexCoords, space.FlipV(uv[from:to]))
	}
	if v.Diffuse != nil {
		p.Colors = make([][4]float32, to-from)
		for i, c := range v.Diffuse[from:to] {
			p.Colors[i] = vertexColor(c)
		}
	}
	if p.Indices == nil {
		p.Indices = []uint32{}
	}
	return p
}

// vertexColor returns a diffuse value, which is ARGB as displayed, as a linear colour.
func vertexColor(argb uint32) [4]float32 {
	c := [4]float32{3: float32(argb>>24) / 255}
	for i := range 3 {
		c[i] = scene.Linear(float32(argb>>(16-8*i)&255) / 255)
	}
	return c
}

func vertexARGB(c [4]float32) uint32 {
	to8 := func(x float32) uint32 { return uint32(math.Round(float64(min(max(x, 0), 1)) * 255)) }
	return to8(c[3])<<24 | to8(scene.Display(c[0]))<<16 | to8(scene.Display(c[1]))<<8 | to8(scene.Display(c[2]))
}

func widen(v []uint16) []uint32 {
	out := make([]uint32, len(v))
	for i, x := range v {
		out[i] = uint32(x)
	}
	return out
}

// unstrip returns the triangles of a strip; degenerate ones are left out without a change of side.
func unstrip(v []uint16) []uint32 {
	out := make([]uint32, 0, 3*len(v))
	for i := 0; i+2 < len(v); i++ {
		a, b, c := uint32(v[i]), uint32(v[i+1]), uint32(v[i+2])
		if a == b || b == c || a == c {
			continue
		}
		if i%2 == 1 {
			a, b = b, a
		}
		out = append(out, a, b, c)
	}
	return out
}

// liftWire makes the node with the lines of a part's wireframe.
func (m *model) liftWire(p *part) error {
	leaf := p.content.Child("VMeshWire").Child("VWireData")
	if leaf == nil || len(leaf.Data) == 0 {
		return nil
	}
	v, err := read.VWire(leaf.Data, m.d.In(p.name+"/"+leaf.Name))
	if err != nil {
		return err
	}
	w := &wire{leaf: leaf, v: v, mesh: m.lib.mesh(v.Mesh)}
	if w.mesh == nil {
		m.d.Warnf("mesh-missing", p.name, "the wireframe's mesh with the hash 0x%08X is in none of the files at hand", v.Mesh)
		return nil
	}
	prim := &asset.Primitive{Mode: asset.Lines, Indices: []uint32{}}
	of := map[uint16]uint32{}
	for _, i := range v.Indices[:len(v.Indices)/2*2] {
		at := int(v.VertexStart) + int(i)
		if at >= len(w.mesh.mesh.Positions) {
			return schema.Errorf("vwire", schema.ErrRange, "indices", "vertex %d of %d", at, len(w.mesh.mesh.Positions))
		}
		k, known := of[i]
		if !known {
			k = uint32(len(prim.Positions))
			of[i] = k
			prim.Positions = append(prim.Positions, w.mesh.mesh.Positions[at])
		}
		prim.Indices = append(prim.Indices, k)
	}
	w.node = asset.NewNode(p.name + "$wire")
	w.node.Kind = asset.Wire
	w.node.Mesh = &asset.Mesh{Name: w.node.Name, Primitives: []*asset.Primitive{prim}}
	w.mesh.carry(w.node.Mesh)
	m.id(w.node, "wire:"+p.name)
	m.scene.Meshes = append(m.scene.Meshes, w.node.Mesh)
	p.node.Children = append(p.node.Children, w.node)
	p.wire = w
	return nil
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
