package freelancer

import (
	"fmt"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/hull"
	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// model is a tree and the scene that it was lifted to, with the connections between the two.
type model struct {
	tree       *freelancer.Tree
	env        *format.Env
	d          *schema.Diagnostics
	scene      *asset.Scene
	lib        *library.Library
	compound   *freelancer.Compound
	parts      []*part
	anims      []*animation
	deformable *deformable
	sphere     *sphere
	shown      []*shownMesh // of a mesh library
	ids        map[string]bool
	sur        *freelancer.Sur // the collision file; nil for none
	stored     []hull.Stored   // its parts
	hullOwners []*part         // of them, nil where the model has none
	shownHulls []hull.Shown
	hullLook   *asset.Material // of the nodes of hulls
}

// part is a part of a compound, or the one part of a .3db file.
type part struct {
	name       string
	def        *freelancer.Part  // nil in a .3db file
	crc        freelancer.Hash   // what a part whose name is not known goes by
	fresh      bool              // it was not read from the file
	moved      bool              // its joint is another one since the scene was edited
	posed      bool              // its node stands where the bone was bound, not where the joint has it
	content    *freelancer.Node  // its fragment, or the root of a .3db file; nil when it is missing
	joint      *freelancer.Joint // that holds it; nil for the root
	parent     *part
	node       *asset.Node
	levels     []*level
	hardpoints []*hardpoint
	wire       *wire
	camera     *freelancer.Node // its Camera directory
}

// level is a level of detail of a part; level 0 is its node's mesh.
type level struct {
	number int
	dir    *freelancer.Node // holds VMeshPart
	leaf   *freelancer.Node // VMeshRef
	ref    *freelancer.VMeshRef
	mesh   *library.Mesh
	node   *asset.Node
}

type hardpoint struct {
	h    *freelancer.Hardpoint
	node *asset.Node
}

type wire struct {
	leaf *freelancer.Node
	v    *freelancer.VWire
	mesh *library.Mesh
	node *asset.Node
}

// liftModel makes the scene of a file of the named format, which the scene remembers.
func liftModel(name string, t *freelancer.Tree, env *format.Env) (*asset.Scene, error) {
	m, err := newModel(name, t, env)
	if err != nil {
		return nil, err
	}
	b, err := write.UTF(t)
	if err != nil {
		return nil, err
	}
	m.scene.Native = &asset.Native{Format: name, Payload: b}
	m.arrange()
	if name == "cmp" || name == "3db" {
		if err := m.takeHulls(); err != nil {
			return nil, err
		}
	}
	m.forLancerEdit()
	return m.scene, nil
}

// arrange gives the scene's pictures the rows that the user wants.
func (m *model) arrange() {
	if m.env.Options.Freelancer.TextureRows == texture.StoredRows {
		texture.TurnRows(m.scene)
		m.scene.Native.Values = map[string]any{"textureRows": texture.StoredRows}
	}
}

// stemOf returns a file name without its extension.
func stemOf(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// newModel lifts the tree of a file of the named format.
func newModel(name string, t *freelancer.Tree, env *format.Env) (*model, error) {
	env = env.Given()
	if t.Root == nil {
		return nil, schema.Errorf(name, schema.ErrValue, "root", "a tree needs a root")
	}
	compound, err := read.Compound(t.Root, env.Diagnostics)
	if err != nil {
		return nil, err
	}
	return newCompound(name, t, compound, env)
}

// newCompound lifts a tree with these parts and joints; nil stands for a single part.
func newCompound(name string, t *freelancer.Tree, compound *freelancer.Compound, env *format.Env) (*model, error) {
	stem := stemOf(env.Name)
	m := &model{tree: t, compound: compound, env: env, d: env.Diagnostics, scene: &asset.Scene{Name: stem}, ids: map[string]bool{}}
	var err error
	if m.lib, err = library.New(t.Root, stem, m.scene, env); err != nil {
		return nil, err
	}
	steps := []func() error{m.liftParts, m.liftDeformable, m.liftSphere, m.liftAnimations, func() error { return m.lib.LiftAnimations(t.Root) }}
	if name == "vms" {
		steps = []func() error{m.liftMeshes}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	m.lib.Report()
	return m, nil
}

// id gives a node the name by which it is found again.
func (m *model) id(n *asset.Node, id string) {
	unique := id
	for k := 2; m.ids[unique]; k++ {
		unique = fmt.Sprintf("%s#%d", id, k)
	}
	m.ids[unique] = true
	n.Native = rig.Native(map[string]any{"id": unique})
}

// liftParts makes the nodes of a compound or of a single part.
func (m *model) liftParts() error {
	root := m.tree.Root
	if m.compound == nil {
		if root.Child("VMeshPart") == nil && root.Child("MultiLevel").Child("Level0") == nil && root.Child("Hardpoints") == nil && root.Child("VMeshWire") == nil {
			return nil
		}
		p := &part{name: "Root", content: root, node: asset.NewNode("Root")}
		m.parts = []*part{p}
		m.scene.Roots = append(m.scene.Roots, p.node)
		m.id(p.node, "part:Root")
		return m.liftContent(p)
	}
	byName := map[string]*part{}
	for _, def := range m.compound.Parts {
		p := &part{name: def.Object, def: def, content: root.Child(def.File), node: asset.NewNode(def.Object)}
		if def.File == "" {
			p.content = nil
		}
		m.id(p.node, "part:"+def.Object)
		m.parts = append(m.parts, p)
		if _, twice := byName[strings.ToLower(p.name)]; !twice {
			byName[strings.ToLower(p.name)] = p
		}
		if p.content == nil && def.Node != nil {
			m.d.Warnf("part-missing", `Cmpnd\`+def.Object, "there is no %q", def.File)
		}
	}
	m.connect(byName)
	for _, p := range m.parts {
		if p.parent == nil {
			m.scene.Roots = append(m.scene.Roots, p.node)
		} else {
			p.parent.node.Children = append(p.parent.node.Children, p.node)
		}
	}
	for _, p := range m.parts {
		if err := m.liftContent(p); err != nil {
			return err
		}
	}
	return nil
}

// connect builds the hierarchy, which comes from the joints alone. The first joint of a child counts; one that would
// close a circle does not.
func (m *model) connect(byName map[string]*part) {
	for i := range m.compound.Joints {
		j := &m.compound.Joints[i]
		child, parent := byName[strings.ToLower(j.Child.Name)], byName[strings.ToLower(j.Parent.Name)]
		if child == nil || child.joint != nil {
			m.d.Warnf("joint-unused", "Cmpnd", "the joint from %q to %q holds no part", j.Parent.Name, j.Child.Name)
			continue
		}
		circle := false
		for p := parent; p != nil; p = p.parent {
			circle = circle || p == child
		}
		if circle {
			m.d.Warnf("joint-circle", "Cmpnd", "the joint from %q to %q closes a circle", j.Parent.Name, j.Child.Name)
			continue
		}
		child.joint, child.parent = j, parent
		child.node.Transform = rig.JointTransform(j)
		child.node.Extras = rig.JointExtras(j)
	}
}

// liftContent makes the meshes, hardpoints, wires and cameras of a part.
func (m *model) liftContent(p *part) error {
	if p.content == nil {
		return nil
	}
	in := func(err error) error { return schema.In(p.content.Name, err) }
	if err := m.liftLevels(p); err != nil {
		return in(err)
	}
	list, err := read.Hardpoints(p.content)
	if err != nil {
		return err
	}
	for _, h := range list {
		n := rig.HardpointNode(h)
		m.id(n, "hardpoint:"+p.name+":"+h.Name)
		p.node.Children = append(p.node.Children, n)
		p.hardpoints = append(p.hardpoints, &hardpoint{h, n})
	}
	if err := m.liftWire(p); err != nil {
		return in(err)
	}
	if dir := p.content.Child("Camera"); dir != nil {
		c, err := read.Camera(dir)
		if err != nil {
			return in(err)
		}
		p.camera, p.node.Camera = dir, rig.LiftCamera(p.name, c)
	}
	return nil
}

// liftLevels makes the mesh of a part and its lower levels of detail.
func (m *model) liftLevels(p *part) error {
	if dir := p.content.Child("MultiLevel"); dir != nil {
		ml, err := read.MultiLevel(dir)
		if err != nil {
			return err
		}
		for _, l := range ml.Levels {
			p.levels = append(p.levels, &level{number: l.Number, dir: l.Node})
		}
		if list := rig.Finite(ml.Switch); list != nil {
			p.node.Native.Values["switch2"] = list
		}
	}
	if p.content.Child("VMeshPart") != nil {
		p.levels = append([]*level{{dir: p.content}}, p.levels...)
	}
	for i, l := range p.levels {
		l.node = p.node
		if i > 0 {
			l.node = asset.NewNode(fmt.Sprintf("%s$lod%d", p.name, i))
			l.node.Transform = p.node.Transform
			m.id(l.node, fmt.Sprintf("level:%s:%d", p.name, i))
			p.node.LODs = append(p.node.LODs, l.node)
		}
		if l.leaf = l.dir.Child("VMeshPart").Child("VMeshRef"); l.leaf == nil || len(l.leaf.Data) == 0 {
			continue
		}
		var err error
		if l.ref, err = read.VMeshRef(l.leaf.Data, m.d.In(l.node.Name+"/"+l.leaf.Name)); err != nil {
			return err
		}
		if l.ref.Empty() {
			continue
		}
		if l.mesh = m.lib.Mesh(l.ref.Mesh); l.mesh == nil {
			m.d.Warnf("mesh-missing", p.name, "the mesh with the hash 0x%08X is in none of the files at hand", l.ref.Mesh)
			continue
		}
		if l.node.Mesh, err = m.lib.LiftMesh(l.node.Name, l.ref, l.mesh); err != nil {
			return err
		}
	}
	return nil
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
	w := &wire{leaf: leaf, v: v, mesh: m.lib.Mesh(v.Mesh)}
	if w.mesh == nil {
		m.d.Warnf("mesh-missing", p.name, "the wireframe's mesh with the hash 0x%08X is in none of the files at hand", v.Mesh)
		return nil
	}
	lines, err := mesh.Lines(v, w.mesh.VMesh)
	if err != nil {
		return err
	}
	w.node = asset.NewNode(p.name + "$wire")
	w.node.Kind = asset.Wire
	w.node.Mesh = &asset.Mesh{Name: w.node.Name, Primitives: []*asset.Primitive{lines}}
	w.mesh.CarryLines(w.node.Mesh, v)
	m.id(w.node, "wire:"+p.name)
	m.scene.Meshes = append(m.scene.Meshes, w.node.Mesh)
	p.node.Children = append(p.node.Children, w.node)
	p.wire = w
	return nil
}

// lancerEdit is the value of Options.Freelancer.For that arranges scenes as LancerEdit's importer reads them, and its exporter
// writes them: levels of detail hang on their parts and are called after them, and pictures have their rows as stored.
const lancerEdit = "lanceredit"

// defaultPose is the animation in which LancerEdit puts where the parts are at rest, which their nodes tell as well.
const defaultPose = "<Default>"

// forLancerEdit hangs levels of detail on their parts, and tells of what the importer refuses.
func (m *model) forLancerEdit() {
	if m.env.Options.Freelancer.For != lancerEdit {
		return
	}
	rest := asset.NewNode("").Transform
	m.scene.Walk(func(n, _ *asset.Node) {
		for i, l := range n.LODs {
			l.Name, l.Transform = fmt.Sprintf("%s$lod%d", n.Name, i+1), rest
			n.Children = append(n.Children, l)
		}
		n.LODs = nil
	})
	switch {
	case len(m.scene.Roots) != 1:
		m.d.Warnf("lanceredit-roots", m.scene.Name, "LancerEdit takes models of one root, and this one has %d", len(m.scene.Roots))
	case m.scene.Roots[0].Mesh == nil:
		m.d.Warnf("lanceredit-root", m.scene.Name, "LancerEdit wants a mesh at the root, and %q has none", m.scene.Roots[0].Name)
	}
}
