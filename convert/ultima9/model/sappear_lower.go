package model

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// lowerSappear turns a scene into a mesh record. In a scene made by liftSappear, unedited limbs and levels keep their
// stored form, and an edited level is encoded as in reference section 6.7. In any other scene, each node with a mesh
// becomes a limb.
func lowerSappear(s *asset.Scene, env *format.Env) (*ultima9.Mesh, error) {
	l := &modelLowerer{scene: s, env: env, diag: env.Told(), looks: look.NewLowerer(s, env),
		limbOf: map[*asset.Node]*limbNode{}, byID: map[uint32]*limbNode{}, taken: map[int]bool{}, stored: map[uint32]bool{}, nextID: 1}
	if err := scene.Lost(s, &modelRoom, l.diag); err != nil {
		return nil, err
	}
	if err := l.collect(); err != nil {
		return nil, err
	}
	l.tellOfNames()
	l.tellOfKept()
	for _, n := range l.limbs {
		n.settle()
	}
	m, err := l.record()
	l.looks.Tell(&modelRoom)
	return m, err
}

type modelLowerer struct {
	scene   *asset.Scene
	env     *format.Env
	diag    *schema.Diagnostics
	looks   *look.Lowerer
	root    *asset.Node   // of a model of ours; nil for others
	header  *ultima9.Mesh // stored; nil for others
	layout  []byte        // see unusualLayout
	world   map[*asset.Node]mgl64.Mat4
	above   map[*asset.Node]*asset.Node // parents
	levelOf map[*asset.Node]*asset.Node // nodes whose level of detail a node is
	limbs   []*limbNode
	limbOf  map[*asset.Node]*limbNode
	byID    map[uint32]*limbNode // the first of each id
	taken   map[int]bool         // stored limbs that are there
	stored  map[uint32]bool      // ids of all stored limbs
	astray  []*asset.Node        // with meshes that belong to limbs which they are not below
	nextID  uint32               // where to look for a free id
	size    float64              // of the scene, 0 while nobody asked
	edited  bool
	moved   bool // something that the bounds of the model depend on
}

// limbNode is a limb to be.
type limbNode struct {
	node    *asset.Node
	parent  *limbNode
	index   int           // in the stored record; math.MaxInt for a new limb
	stored  *ultima9.Limb // header; nil for a new limb
	had     []bool        // levels that the stored limb had
	metres  bool          // the node is not below a root of ours: its numbers are metres, Y up
	levels  map[int]*limbMesh
	mount   *limbMesh
	limb    ultima9.Limb
	changed bool // the place
}

// collect finds the root, the limbs and their meshes.
func (l *modelLowerer) collect() error {
	l.scene.Walk(func(n, _ *asset.Node) {
		if l.root == nil && n.Native != nil && n.Native.Format == SappearName && len(n.Native.Payload) >= ultima9.MeshHeaderSize {
			l.root = n
		}
	})
	if l.root != nil {
		b := l.root.Native.Payload
		header, err := read.Sappear(b[:ultima9.MeshHeaderSize], nil)
		if err != nil {
			return err
		}
		l.header, l.layout = header, b[ultima9.MeshHeaderSize:]
	}
	l.world = map[*asset.Node]mgl64.Mat4{}
	l.above, l.levelOf = map[*asset.Node]*asset.Node{}, map[*asset.Node]*asset.Node{}
	var nodes []*asset.Node
	l.scene.Walk(func(n, parent *asset.Node) {
		nodes = append(nodes, n)
		l.above[n] = parent
		for _, x := range n.LODs {
			l.levelOf[x] = n
		}
		l.world[n] = scene.Matrix(&n.Transform)
		if parent != nil {
			l.world[n] = l.world[parent].Mul4(l.world[n])
		}
	})
	for _, n := range nodes {
		if n.Native != nil && n.Native.Format == limbName && len(n.Native.Payload) >= 4 {
			l.stored[binary.LittleEndian.Uint32(n.Native.Payload)] = true
		}
	}
	for _, n := range nodes {
		if err := l.visit(n); err != nil {
			return err
		}
	}
	for _, n := range l.astray {
		r := roleOf(n)
		l.dress(l.astrayOwner(n, r), n, r)
	}
	slices.SortStableFunc(l.limbs, func(a, b *limbNode) int { return cmp.Compare(a.index, b.index) })
	if len(l.limbs) == 0 && l.root == nil {
		return schema.Errorf(SappearName, schema.ErrValue, "limbs", "the scene has no mesh to make a limb of")
	}
	return nil
}

// namePattern takes the names of nodes apart that liftSappear gave, whatever suffix an editor added.
var namePattern = format.Pattern(`^limb_(\d{1,10})(?:_lod(\d+)|_(mount))?(?:\.\d{3})?$`)

// role is what a node is: a limb, or a mesh of one.
type role struct {
	limb   bool
	id     int // of a limb without Native; −1 when unknown
	level  int
	copied int // the level that its name tells, where it keeps another
	mount  bool
}

func roleOf(n *asset.Node) role {
	r := role{id: -1}
	if m := namePattern().FindStringSubmatch(n.Name); m != nil {
		id, err := strconv.ParseUint(m[1], 10, 32)
		if err == nil {
			r.id = int(id)
		}
		r.level, _ = strconv.Atoi("0" + m[2])
		r.mount = m[3] != ""
		r.limb = m[2] == "" && m[3] == ""
	} else {
		r.limb = n.Mesh != nil
	}
	if n.Mesh != nil && n.Mesh.Native != nil && n.Mesh.Native.Format == lodName {
		r.copied = r.level
		r.level = scene.ShownWhole(n.Mesh.Native, "lod", r.level)
		r.mount = scene.ShownWhole(n.Mesh.Native, "mount", 0) != 0
	}
	if n.Native != nil && n.Native.Format == limbName {
		r.limb = true
	}
	return r
}

// visit makes a limb of a node, or gives its mesh to the limb that it belongs to.
func (l *modelLowerer) visit(n *asset.Node) error {
	if n == l.root {
		return nil
	}
	r := roleOf(n)
	var above *limbNode
	metres := true
	for p := l.above[n]; p != nil; p = l.above[p] {
		if above == nil {
			above = l.limbOf[p]
		}
		metres = metres && p != l.root
	}
	owner := above
	if of := l.levelOf[n]; of != nil && n.Native == nil && r.limb {
		r.limb, r.level = false, addedLevel(of, n)
		if l.limbOf[of] != nil {
			owner = l.limbOf[of]
		}
	}
	if r.limb && (above != nil && ownLevel(n, above) || above == nil && lowerLevel(n)) {
		r.limb = false // renamed
	}
	if r.limb {
		limb := &limbNode{node: n, parent: above, index: math.MaxInt, metres: metres, levels: map[int]*limbMesh{}}
		if err := l.identify(limb, r); err != nil {
			return err
		}
		l.limbs = append(l.limbs, limb)
		l.limbOf[n] = limb
		if l.byID[limb.limb.ID] == nil {
			l.byID[limb.limb.ID] = limb
		}
		owner = limb
	}
	switch {
	case n.Mesh == nil:
	case owner == nil: // an editor moved the mesh out of its place
		l.astray = append(l.astray, n)
	default:
		l.dress(owner, n, r)
	}
	return nil
}

// addedLevel returns the number of a level of detail that nothing but its place among those of a node tells.
func addedLevel(of, n *asset.Node) (level int) {
	for _, x := range of.LODs {
		level++
		if x == n {
			break
		}
		level = max(level, roleOf(x).level)
	}
	return level
}

// astrayOwner returns the limb that a mesh out of its place belongs to, by its name or by what the mesh remembers.
func (l *modelLowerer) astrayOwner(n *asset.Node, r role) *limbNode {
	if r.id >= 0 && l.byID[uint32(r.id)] != nil {
		return l.byID[uint32(r.id)]
	}
	if n.Mesh.Native != nil && n.Mesh.Native.Format == lodName {
		index := scene.ShownWhole(n.Mesh.Native, "limb", -1)
		if i := slices.IndexFunc(l.limbs, func(x *limbNode) bool { return x.index == index }); i >= 0 {
			return l.limbs[i]
		}
	}
	return nil
}

// dress gives a mesh to its limb.
func (l *modelLowerer) dress(owner *limbNode, n *asset.Node, r role) {
	switch {
	case owner == nil:
		l.diag.Lossf("mesh-without-limb", n.Name, "the limb that this mesh belongs to is not in the scene")
	case r.mount && owner.mount == nil:
		owner.mount = l.partOf(owner, n)
	case !r.mount && owner.levels[r.level] == nil && r.level < ultima9.MaxLODs:
		owner.levels[r.level] = l.partOf(owner, n)
	case !r.mount && r.copied > r.level && owner.levels[r.copied] == nil && r.copied < ultima9.MaxLODs:
		owner.levels[r.copied] = l.partOf(owner, n)
	default:
		l.diag.Lossf("mesh-twice", n.Name, "limb %s has this mesh already, or level %d is more than there can be", owner.node.Name, r.level)
	}
}

// lowerLevel reports whether a node shows a lower level of detail of a stored limb, which is none by itself.
func lowerLevel(n *asset.Node) bool {
	return (n.Native == nil || n.Native.Format != limbName) && n.Mesh != nil && n.Mesh.Native != nil && n.Mesh.Native.Format == lodName &&
		scene.ShownWhole(n.Mesh.Native, "lod", 0) > 0
}

// ownLevel reports whether a node that is no limb of its own carries a level of the limb above.
func ownLevel(n *asset.Node, above *limbNode) bool {
	return (n.Native == nil || n.Native.Format != limbName) && n.Mesh != nil && n.Mesh.Native != nil && n.Mesh.Native.Format == lodName &&
		above.stored != nil && scene.ShownWhole(n.Mesh.Native, "limb", -1) == above.index
}

// identify finds the stored header of a limb, or gives it an id of its own.
func (l *modelLowerer) identify(limb *limbNode, r role) error {
	n := limb.node.Native
	if n != nil && n.Format == limbName && len(n.Payload) > 0 {
		stored, err := read.SappearLimb(n.Payload, nil)
		if err != nil {
			return err
		}
		index := scene.ShownWhole(n, "index", math.MaxInt)
		if !l.taken[index] {
			l.taken[index] = index != math.MaxInt
			limb.index, limb.stored, limb.limb = index, stored, *stored
			l.renumber(limb, r)
			for _, had := range scene.Numbers(scene.Shown(n, "levels")) {
				limb.had = append(limb.had, had != 0)
			}
			return nil
		}
		l.diag.Notef("limb-copy", limb.node.Name, "a copy of a limb becomes a limb of its own")
		r.id = -1
	}
	limb.limb.ID = l.newID(r.id)
	return nil
}

// renumber gives a stored limb the number that its new name tells: a name is all that an editor shows of it.
func (l *modelLowerer) renumber(limb *limbNode, r role) {
	m, was := namePattern().FindStringSubmatch(limb.node.Name), limb.stored.ID
	if m == nil || m[2] != "" || m[3] != "" || r.id < 0 || uint32(r.id) == was || l.stored[uint32(r.id)] || l.byID[uint32(r.id)] != nil {
		return
	}
	if limb.limb.ID = uint32(r.id); limb.stored.Parent == was { // a root names itself
		limb.limb.Parent = limb.limb.ID
	}
	l.edited = true
	l.diag.Notef("limb-number", limb.node.Name, "limb %d has the number %d now, by its name: animations move it by that", was, r.id)
}

// newID returns the wanted limb id when it is free, else the lowest free one from 1 on.
func (l *modelLowerer) newID(wanted int) uint32 {
	free := func(id uint32) bool { return l.byID[id] == nil && !l.stored[id] }
	if wanted >= 0 && free(uint32(wanted)) {
		return uint32(wanted)
	}
	for !free(l.nextID) {
		l.nextID++
	}
	return l.nextID
}

// record returns the record of what collect found.
func (l *modelLowerer) record() (*ultima9.Mesh, error) {
	m := &ultima9.Mesh{DiagonalInertia: 1, InverseInertia: [9]float32{0: 1, 4: 1, 8: 1}}
	if l.header != nil {
		*m = *l.header
		if err := headerFields(m).Take(SappearName, l.root.Name, l.root.Native); err != nil {
			return nil, err
		}
	}
	l.countLevels(m)
	m.Limbs = make([]ultima9.Limb, len(l.limbs))
	for i, n := range l.limbs {
		l.place(n)
		n.limb.LODs = make([]ultima9.LOD, m.LODs)
		for k := range n.limb.LODs {
			if err := l.level(n, k); err != nil {
				return nil, err
			}
		}
		m.Limbs[i] = n.limb
	}
	if l.header == nil || len(l.limbs) != scene.ShownWhole(l.root.Native, "limbs", -1) {
		l.edited, l.moved = true, true
	}
	if l.moved {
		if err := bound(m); err != nil {
			return nil, err
		}
	}
	if len(l.layout) > 0 && !l.edited && lowerLayout(m, l.layout) {
		return m, nil
	}
	if len(l.layout) > 0 {
		l.diag.Notef("layout", "", "the unusual order of the record's parts gives way to the usual one")
	}
	m.Layout()
	return m, nil
}

// countLevels decides how many levels the record has: those of the header, unless somebody took the last ones out of
// all limbs or made new ones.
func (l *modelLowerer) countLevels(m *ultima9.Mesh) {
	top, had := 0, 0
	for _, n := range l.limbs {
		for k := range n.levels {
			top = max(top, k)
		}
		for k, h := range n.had {
			if h {
				had = max(had, k)
			}
		}
	}
	levels := uint32(top + 1)
	if top >= had {
		levels = max(levels, m.LODs)
	} else {
		l.diag.Notef("levels", "", "levels of detail %d to %d are gone", top+1, had)
	}
	l.edited = l.edited || l.header != nil && levels != m.LODs
	m.LODs = levels
}

// place sets a limb's parent, position, rotation and scale. Those of a stored limb stay when they are where they were.
func (l *modelLowerer) place(n *limbNode) {
	parent := n.limb.ID
	if n.parent != nil {
		parent = n.parent.limb.ID
	}
	l.tellOfParent(n)
	t := l.local(n)
	if n.stored == nil {
		n.limb.Parent = parent
		n.set(t)
		l.edited, l.moved = true, true
		return
	}
	if l.adopted(n) {
		n.limb.Parent = parent
		n.changed = true
	}
	if was := LimbTransform(n.stored); !scene.SameTransform(&was, &t, l.sizeAt(n)) {
		n.set(t)
		n.changed = true
	}
	if n.changed {
		l.diag.Notef("limb-moved", n.node.Name, "limb %d has a new place", n.limb.ID)
		l.edited, l.moved = true, true
	}
}

// tellOfParent reports a limb that hangs on one whose id another limb has too, or it itself: the record names a parent by
// its id, and the first limb that has it is meant.
func (l *modelLowerer) tellOfParent(n *limbNode) {
	if n.parent == nil {
		return
	}
	first := l.limbs[slices.IndexFunc(l.limbs, func(x *limbNode) bool { return x.limb.ID == n.parent.limb.ID })]
	if first != n.parent || n.limb.ID == n.parent.limb.ID {
		l.diag.Lossf("limb-id-twice", n.node.Name, "it hangs on %q, whose number %d another limb has too: in the record it hangs on the first of them, or on nothing", n.parent.node.Name, n.parent.limb.ID)
	}
}

// adopted reports whether a stored limb hangs elsewhere than it did. A root may name a parent that no limb has.
func (l *modelLowerer) adopted(n *limbNode) bool {
	if n.parent != nil {
		return n.parent.limb.ID != n.stored.Parent || n.stored.Parent == n.stored.ID
	}
	return n.stored.Parent != n.stored.ID && l.byID[n.stored.Parent] != nil
}

func (n *limbNode) set(t asset.Transform) {
	q := t.Rotation
	n.limb.Position, n.limb.Rotation, n.limb.Scale = t.Translation, [4]float32{q[3], q[0], q[1], q[2]}, t.Scale
}

// level fills level k of a limb.
func (l *modelLowerer) level(n *limbNode, k int) error {
	out := &n.limb.LODs[k]
	mesh := n.levels[k].meshOf()
	if mesh == nil && (k > 0 || n.mount == nil) {
		if k < len(n.had) && n.had[k] {
			l.edited, l.moved = true, true
		}
		return nil
	}
	e := &levelEncoder{looks: l.looks, diag: l.diag, path: fmt.Sprintf("%s level %d", n.node.Name, k), metres: n.metres, tidied: restore.Does(l.scene, restore.DropsUnused)}
	if mesh != nil && mesh.Native != nil && mesh.Native.Format == lodName && len(mesh.Native.Payload) > 0 {
		stored, err := read.SappearLOD(mesh.Native.Payload, nil)
		if err != nil {
			return err
		}
		e.stored = stored
	}
	if k == 0 {
		e.mount = n.mount.meshOf()
	} else {
		e.keepMount = true
	}
	lod, changed, moved, err := e.encode(mesh)
	if err != nil {
		return err
	}
	*out = *lod
	l.edited = l.edited || changed
	l.moved = l.moved || moved && k == 0
	return nil
}
