package freelancer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// A mesh library holds meshes that the models of other files draw. Nothing in it tells where those meshes are, so each
// is a node of its own at the origin.

// shownMesh is a mesh of a library and the node that it was lifted to.
type shownMesh struct {
	*library.Mesh
	ranges []freelancer.GroupRange
	shared bool // several models draw parts of it, by the numbers of their vertices
	node   *asset.Node
}

// liftMeshes makes a node of each mesh of a library, with a primitive for each group.
func (m *model) liftMeshes() error {
	for _, lm := range m.lib.Own {
		s := &shownMesh{Mesh: lm, node: asset.NewNode(lm.Name)}
		m.id(s.node, "mesh:"+lm.Name)
		m.shown = append(m.shown, s)
		m.scene.Roots = append(m.scene.Roots, s.node)
		var err error
		if s.ranges, s.shared, err = lm.VMesh.AllGroups(); err == nil && len(s.ranges) > 0 {
			s.node.Mesh, err = m.lib.LiftGroups(lm.Name, lm, s.ranges)
		}
		if err != nil {
			m.d.Warnf("mesh-unusable", lm.Name, "%v", err)
		} else if s.node.Mesh == nil {
			m.d.Notef("no-groups", lm.Name, "the %d vertices have no groups: other files say how they are joined", len(lm.VMesh.Positions))
		}
	}
	return nil
}

// lowerMeshes brings the meshes of a library in line with the nodes of the scene.
func (e *editor) lowerMeshes() error {
	for _, s := range e.shown {
		n := e.byID[rig.ID(s.node)]
		if n == nil {
			e.tree.Root.Child(freelancer.MeshLibrary).Remove(s.Dir)
			e.d.Warnf("mesh-removed", s.Name, "the mesh is not in the scene any more; files that refer to it will miss it")
			continue
		}
		if err := e.lowerMesh(s, n); err != nil {
			return err
		}
		e.renameMesh(s, n)
	}
	if err := e.addMeshes(); err != nil {
		return err
	}
	lib := e.tree.Root.Child(freelancer.MeshLibrary)
	if known := e.edited.Native != nil && e.edited.Native.Format == e.format; !known && (lib == nil || len(lib.Children) == 0) {
		return schema.Errorf(e.format, schema.ErrUnsupported, "", "the scene has no mesh, and a mesh library holds nothing else")
	}
	others, placed, first := 0, 0, ""
	e.edited.Walk(func(n, _ *asset.Node) {
		if rig.IsHardpoint(n) {
			others++
		}
		if n.Mesh != nil && !skip(n) && !space.Near(space.Rigid(space.World(n, e.parentOf)), mgl64.Ident4()) {
			if placed++; placed == 1 {
				first = n.Name
			}
		}
	})
	if placed > 0 {
		e.d.Lossf("places", first, "a mesh library does not tell where meshes are: %d of them, of which this is the first, are stored as they lie around the origins of their nodes", placed)
	}
	if others > 0 {
		e.d.Lossf("meshes-only", "", "a mesh library holds meshes only; left out: %s", schema.Counted(others, "hardpoint", "hardpoints"))
	}
	return nil
}

// lowerMesh brings a mesh of the library in line.
func (e *editor) lowerMesh(s *shownMesh, n *asset.Node) error {
	if n.Mesh == nil || s.node.Mesh == nil {
		if n.Mesh != s.node.Mesh {
			e.d.Notef("mesh-kept", s.Name, "the file keeps its mesh: delete the node to take it out, add a node to store another one")
		}
		return nil
	}
	edited := mesh.BakedMesh(n.Mesh, e.shape(n))
	fits := mesh.Compare(s.node.Mesh, edited)
	if fits.Same {
		return nil
	}
	if fits.Movable() {
		v := mesh.Moved(s.VMesh, s.node.Mesh, s.ranges, fits)
		all, shape := mesh.Shows(v, s.node.Mesh, edited, s.ranges)
		if shape && !all {
			e.d.Lossf("normals-joined", s.Name, "some vertices have several normals now; each keeps one, since other files count the vertices")
		}
		if shape {
			b, err := write.VMesh(v)
			s.Leaf.Data = b
			return err
		}
	}
	if s.shared {
		err := schema.Errorf(e.format, schema.ErrUnsupported, "", "several models share this mesh by the numbers of its vertices: they can be moved, but not added, split or taken out; edit the models themselves")
		return schema.In(s.Name, schema.Hinted(err, ", converted with --with for this file"))
	}
	pieces := mesh.Pieces(mesh.Merged(s.node.Mesh, edited), mgl64.Ident4(), s.VMesh.Normals != nil, e.d)
	if _, err := e.libs.AddMesh(s.Mesh, s.Name, pieces[0]); err != nil {
		return err
	}
	e.d.Warnf("mesh-rebuilt", s.Name, "its vertices and triangles are counted otherwise now: the VMeshRef of a file that draws it must be made anew")
	return e.addPieces(s.Name, pieces[1:])
}

// shape returns what a node and its parents do to a mesh besides turning and moving it.
func (e *editor) shape(n *asset.Node) mgl64.Mat4 {
	w := space.World(n, e.parentOf)
	return space.Rigid(w).Inv().Mul4(w)
}

// longName is a name that Blender may have cut: it keeps 63 bytes, and less where it adds a number.
const longName = 55

// renameMesh follows a new name, which is all that other files know of a mesh.
func (e *editor) renameMesh(s *shownMesh, n *asset.Node) {
	name := n.Name
	base, copied := scene.Uncopied(name)
	switch {
	case name == "" || name == s.node.Name:
		return
	case copied && strings.HasPrefix(s.Name, base):
		return
	case len(name) >= longName && strings.HasPrefix(s.Name, name):
		return
	}
	if !e.libs.RenameMesh(s.Mesh, name) {
		e.d.Warnf("mesh-name", s.Name, "it cannot be called %q: the name is taken, too long, or has characters that the game lacks", name)
		return
	}
	e.d.Warnf("mesh-renamed", s.Name, "it is called %q now: files that refer to it by its old name will miss it", name)
}

// levelSuffix ends the names of lower levels of detail.
var levelSuffix = format.Pattern(`\$lod([0-9]+)$`)

// addMeshes adds the meshes of nodes that are new, levels of detail as meshes of their own.
func (e *editor) addMeshes() error {
	type place struct {
		node  *asset.Node
		name  string
		level int
	}
	var list []place
	levels := map[*asset.Node]place{}
	e.edited.Walk(func(n, _ *asset.Node) {
		for i, l := range n.LODs {
			levels[l] = place{l, n.Name, i + 1}
		}
		if n.Mesh == nil || skip(n) || e.original(n) {
			return
		}
		p, ok := levels[n]
		if !ok {
			p = place{node: n, name: n.Name}
			if m := levelSuffix().FindStringSubmatch(n.Name); m != nil {
				p.name = strings.TrimSuffix(n.Name, m[0])
				p.level, _ = strconv.Atoi(m[1])
			}
		}
		list = append(list, p)
	})
	for _, p := range list {
		if !mesh.HasTriangles(p.node.Mesh) && !mesh.OnlyLines(p.node.Mesh) {
			e.d.Lossf("lines-and-points", p.node.Name, "a mesh library holds triangles, or lines without them")
			continue
		}
		pieces, name := mesh.Pieces(p.node.Mesh, e.shape(p.node), true, e.d), e.shownName(p.name, p.level)
		if p.level > 0 {
			e.d.Lossf("level-alone", p.node.Name, "a mesh library knows no levels of detail: this one becomes a mesh of its own, %q, until a model's VMeshRef draws it as a level", name)
		}
		if err := e.addPieces(name, pieces); err != nil {
			return err
		}
	}
	return nil
}

// shownName returns what the mesh of a node is called, but for the ending that tells the vertex format.
func (e *editor) shownName(node string, level int) string {
	if strings.HasSuffix(strings.ToLower(node), ".vms") && len(node) < freelancer.MaxName/2 {
		return clean(node)
	}
	name := plainName(node)
	if name == e.stem { // which Editor.AddMesh puts before all names
		name = ""
	}
	name = strings.TrimPrefix(name, e.stem+".")
	if !strings.Contains(strings.ToLower(name), "lod") {
		name = strings.TrimPrefix(fmt.Sprintf("%s.lod%d", name, level), ".")
	}
	return name
}

// addPieces adds meshes to the library.
func (e *editor) addPieces(name string, pieces []*freelancer.VMesh) error {
	for _, v := range pieces {
		if _, err := e.libs.AddMesh(nil, name, v); err != nil {
			return err
		}
	}
	return nil
}
