package freelancer

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/archive"
	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// editor brings a tree in line with a scene. It compares each object of the scene with the one that the tree is lifted
// to, and changes the tree where they differ; a scene that comes from elsewhere meets an empty tree.
type editor struct {
	*model
	format    string // name of the target format
	edited    *asset.Scene
	d         *schema.Diagnostics
	libs      *library.Editor
	stem      string
	byID      map[string]*asset.Node
	byName    map[*asset.Node]string      // the ids of nodes that lost theirs, and were found by their names
	parentOf  map[*asset.Node]*asset.Node // of both scenes
	partOf    map[*asset.Node]*part       // parts by their node in the edited scene
	frames    map[*part]mgl64.Mat4        // of the edited scene
	nodeOf    map[*part]*asset.Node
	changed   bool                      // the compound's parts or joints
	fits      map[*part]mesh.Comparison // how the meshes of the parts' highest levels differ from the stored ones
	rebuilt   map[*part]bool            // parts with another mesh altogether
	removed   []*part                   // parts that are not in the scene any more
	fixed     bool                      // parts and joints are to stay
	bonesGone bool                      // of a character
	bare      bool                      // the parts are the nodes of the scene: every channel says that there is one
	spoken    bool                      // the parts are what the scripts of an animation file speak of
	hidden    bool                      // the scene does not show the model's own scripts, but those of another file
	settled   *scene.Settled
	placed    []string                 // nodes that stood otherwise at rest before they were settled
	size      float64                  // of the edited scene
	levels    map[string][]*asset.Node // levels of detail that no part took, by the lower-case names of their parts
}

func lowerModel(name string, s *asset.Scene, env *format.Env) (*freelancer.Tree, error) {
	env = env.Given()
	var others []ownModel
	if name == "cmp" || name == "3db" {
		s, others = ownModels(s)
	}
	e, t, err := lowerTree(name, s, env)
	if err == nil && (name == "cmp" || name == "3db") {
		err = e.lowerHulls()
	}
	if err != nil {
		return nil, err
	}
	var apart *freelancer.Tree // of the model and those that stand in its scene
	if env.Options.Freelancer.MaterialsApart && name != "vms" && env.Emit != nil {
		apart = freelancer.NewTree()
		library.Move(apart, t, env.Diagnostics)
	}
	pieces, err := lowerOwnModels(others, env, apart)
	if err != nil {
		return nil, err
	}
	library := apart != nil && len(apart.Root.Children) > 0
	if library {
		b, err := write.UTF(apart)
		if err == nil {
			err = env.Emit(cmp.Or(env.Output, e.stem)+".mat", b)
		}
		if err != nil {
			return nil, err
		}
	}
	if name != "cmp" && name != "3db" {
		return t, nil
	}
	return t, lowerRecords(name, e, t, pieces, library)
}

// lowerTree makes the tree of a scene, and returns the editor that did it.
func lowerTree(name string, s *asset.Scene, env *format.Env) (*editor, *freelancer.Tree, error) {
	if err := tellLost(name, s, env.Diagnostics); err != nil {
		return nil, nil, err
	}
	t := baseTree(name, s, env)
	quiet := *env
	quiet.Diagnostics = nil
	library.Carried(s, &quiet)
	m, err := newModel(name, t, &quiet)
	if err != nil {
		return nil, nil, err
	}
	if sur := carriedHulls(s, env.Diagnostics); sur != nil && len(m.parts) > 0 {
		m.liftHulls(sur)
	}
	e := newEditor(name, m, s, env)
	steps := []func() error{e.lowerParts, e.lowerMaterials, e.lowerAnimations}
	switch name {
	case "sph":
		steps = []func() error{e.lowerSphere, e.lowerSpherePoints, e.lowerMaterials}
	case "vms":
		steps = []func() error{e.lowerMeshes, e.lowerMaterials}
	case "dfm":
		steps = []func() error{e.lowerDeformable, e.lowerMaterials, func() error { return e.lowerOwnAnimations(env.Options.Animation) }}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	if err := e.takeHardpoints(env); err != nil {
		return nil, nil, err
	}
	e.libs.DropMeshes()
	if err := e.libs.CompactMeshes(); err != nil {
		return nil, nil, err
	}
	if err := e.libs.ApplyRenames(); err != nil {
		return nil, nil, err
	}
	if e.changed && e.compound != nil {
		if err := write.Compound(t.Root, e.compound); err != nil {
			return nil, nil, err
		}
	}
	return e, t, nil
}

// newEditor returns an editor of the model m, for a file of the named format.
func newEditor(name string, m *model, s *asset.Scene, env *format.Env) *editor {
	e := &editor{
		model: m, format: name, edited: s, d: env.Diagnostics, stem: strings.TrimSuffix(env.Name, path.Ext(env.Name)),
		byID: map[string]*asset.Node{}, byName: map[*asset.Node]string{}, parentOf: map[*asset.Node]*asset.Node{}, partOf: map[*asset.Node]*part{},
		frames: map[*part]mgl64.Mat4{}, nodeOf: map[*part]*asset.Node{}, levels: map[string][]*asset.Node{},
		fits: map[*part]mesh.Comparison{}, rebuilt: map[*part]bool{},
	}
	if env.Output != "" { // the game finds meshes by their names in all files: a name that says little will not do
		e.stem = env.Output
	}
	if e.stem = plainName(e.stem); e.stem == "" {
		e.stem = "model"
	}
	e.libs = library.Edit(m.lib, name, e.stem, m.tree, env)
	if texture.RowsStored(s, env.Options.Freelancer.TextureRows) {
		texture.TurnRows(s)
		if s.Native != nil {
			delete(s.Native.Values, "textureRows")
		}
	}
	e.hidden = s.Native != nil && s.Native.Format == animationName
	e.index()
	restore.JoinCopies(s, func(m *asset.Material) string { return scene.TextOf(rig.Values(m.Native), "name") })
	e.dropFillers()
	e.restoreColors()
	e.restoreNormals()
	e.libs.UndoRenames(s.Materials)
	restore.TurnBonesBack(e.scene, e.edited, func(joint *asset.Node) *asset.Node { return e.byID[rig.ID(joint)] })
	e.restoreBones()
	e.size = scene.Size(s)
	if e.hidden { // bare nodes rest in one place, and editors round by where they go
		e.size = max(e.size, reach(s))
	}
	e.restorePlaces()
	e.takeRest()
	e.gatherLevels()
	e.placed = e.placedOtherwise()
	if name != "sph" {
		e.settle()
	}
	if name == "dfm" {
		e.bindInPlace()
	}
	return e
}

// placedOtherwise returns the names of nodes whose rest transform an editor changed, and of nodes that it put above the
// model and that move it.
func (e *editor) placedOtherwise() (names []string) {
	was := map[*asset.Node]*asset.Node{}
	e.scene.Walk(func(n, _ *asset.Node) {
		if now := e.byID[rig.ID(n)]; now != nil {
			was[now] = n
		}
	})
	seen := map[*asset.Node]bool{}
	e.edited.Walk(func(n, _ *asset.Node) {
		if was[n] == nil || seen[n] {
			return
		}
		if seen[n] = true; !space.SameTransform(&was[n].Transform, &n.Transform) {
			names = append(names, n.Name)
		}
		for p := e.parentOf[n]; p != nil && was[p] == nil && !seen[p]; p = e.parentOf[p] {
			if seen[p] = true; !space.SameTransform(&asset.Identity, &p.Transform) {
				names = append(names, p.Name)
			}
		}
	})
	return names
}

// baseTree returns the tree that the scene was lifted from, or an empty one.
func baseTree(name string, s *asset.Scene, env *format.Env) *freelancer.Tree {
	original := modelOf(s, env)
	if original != nil && (kindOfTree(original.Root) == name || s.Native.Format == name) {
		return original
	}
	t := freelancer.NewTree()
	t.Root.Add(freelancer.NewLeaf("Exporter Version", []byte("usher\x00")))
	if name == "cmp" || name == "dfm" {
		t.Root.Add(freelancer.NewDir("Cmpnd"))
	}
	if original == nil {
		return t
	}
	env.Diagnostics.Notef("other-format", "", "the original was a .%s file; the .%s file is made anew, with the same libraries", kindOfTree(original.Root), name)
	for _, n := range original.Root.Children {
		for _, kind := range [...]string{freelancer.MaterialLibrary, freelancer.TextureLibrary, "MaterialAnim"} {
			if n.IsDir() && freelancer.SameName(n.Name, kind) {
				library.Copy(t.Root.Add(freelancer.NewDir(n.Name)), n)
			}
		}
	}
	return t
}

// modelOf returns the tree of the model that the scene carries, or nil.
func modelOf(s *asset.Scene, env *format.Env) *freelancer.Tree {
	n := s.Native
	if n == nil || len(n.Payload) == 0 {
		return nil
	}
	switch n.Format {
	case "anm":
		_, model := unpackAnimationFile(n.Payload, env)
		return model
	case "3db", "cmp", "dfm", "sph", "vms":
		return nativeTree(n.Payload, env)
	}
	return nil
}

// nativeTree reads a file that a scene carries; nil when somebody broke it.
func nativeTree(b []byte, env *format.Env) *freelancer.Tree {
	t, err := read.UTF(b, nil)
	if err != nil {
		env.Diagnostics.Warnf("native-unusable", "", "the original file inside the scene cannot be read: %v", err)
		return nil
	}
	return t
}

func kindOfTree(root *freelancer.Node) string {
	switch {
	case root.Child("Skeleton") != nil || root.Find("MultiLevel/Mesh0") != nil:
		return "dfm"
	case root.Child("Cmpnd") != nil:
		return "cmp"
	case root.Child("Sphere") != nil:
		return "sph"
	case isMeshLibrary(archive.Names(root)):
		return "vms"
	}
	return "3db"
}

// index finds the nodes of the edited scene by their ids. A copy made in an editor bears the id of its original, and so does
// all that belongs to it: of several the one counts that has the original's name, then the one that belongs to what the
// original belonged to, else the first.
func (e *editor) index() {
	with := map[string][]*asset.Node{}
	e.scene.Walk(func(n, parent *asset.Node) { e.parentOf[n] = parent })
	e.edited.Walk(func(n, parent *asset.Node) { e.parentOf[n] = parent })
	owner := map[*asset.Node]*asset.Node{}
	owners(e.edited, func(n, of *asset.Node) {
		owner[n] = of
		if part, _, ok := levelName(n); ok && (of == nil || !slices.Contains(of.LODs, n)) {
			e.levels[part] = append(e.levels[part], n)
		}
		if id := rig.ID(n); id != "" {
			with[id] = append(with[id], n) // which nobody asks for where it is of a file of another format
		}
	})
	owners(e.scene, func(n, of *asset.Node) {
		best := -1
		for _, c := range with[rig.ID(n)] {
			fits := 0
			if c.Name == n.Name {
				fits += 2
			}
			if of == nil && owner[c] == nil || of != nil && owner[c] != nil && owner[c] == e.byID[rig.ID(of)] {
				fits++
			}
			if fits > best {
				best, e.byID[rig.ID(n)] = fits, c
			}
		}
	})
	// Where an id did not survive, the name must do; a new level of detail takes the place of one that is gone.
	bare, ids := len(e.byID) == 0, map[string]string{}
	e.scene.Walk(func(n, _ *asset.Node) {
		if id := rig.ID(n); id != "" && ids[n.Name] == "" {
			ids[n.Name] = id
		}
	})
	e.edited.Walk(func(n, _ *asset.Node) {
		if _, _, level := levelName(n); level && !bare {
			return
		}
		if id := ids[n.Name]; id != "" && rig.ID(n) == "" && e.byID[id] == nil {
			e.byID[id], e.byName[n] = n, id
		}
	})
}

// owners calls f for every node of a scene, with the one that it belongs to: its parent or, for a level of detail, the node
// whose level it is. That one comes first.
func owners(s *asset.Scene, f func(n, owner *asset.Node)) {
	var below func(list []*asset.Node, owner *asset.Node)
	below = func(list []*asset.Node, owner *asset.Node) {
		for _, n := range list {
			f(n, owner)
			below(n.LODs, n)
			below(n.Children, n)
		}
	}
	below(s.Roots, nil)
	below(s.Detached, nil)
}

// idOf returns the id of a node of the edited scene, also of one that lost it; empty for one that is new.
func (e *editor) idOf(n *asset.Node) string { return cmp.Or(rig.ID(n), e.byName[n]) }

// original reports whether n is the node with its id, and not a copy of it.
func (e *editor) original(n *asset.Node) bool {
	id := e.idOf(n)
	return id != "" && e.byID[id] == n
}

// skew returns what the nodes of a part and its parents do besides turning and moving it: a stored joint may be scaled.
// What is so in the file as well is no edit.
func (e *editor) skew(p *part) mgl64.Mat4 {
	if p.parent == nil {
		return space.World(p.node, e.parentOf)
	}
	return e.shape(p.node)
}

// lowerParts brings parts, joints and all that hangs on them in line.
func (e *editor) lowerParts() error {
	if err := e.placeParts(); err != nil {
		return err
	}
	for _, p := range slices.Clone(e.parts) {
		if err := e.lowerContent(p); err != nil {
			return err
		}
	}
	e.reportLevels()
	return nil
}

// matchParts finds the nodes of the parts.
func (e *editor) matchParts() {
	for _, p := range e.parts {
		if n := e.byID[rig.ID(p.node)]; n != nil {
			e.nodeOf[p], e.partOf[n] = n, p
		}
	}
}

// placeParts brings parts and joints in line.
func (e *editor) placeParts() error {
	e.matchParts()
	for _, p := range slices.Clone(e.parts) {
		if e.nodeOf[p] == nil {
			e.removePart(p)
		}
	}
	if err := e.addParts(); err != nil {
		return err
	}
	for _, p := range e.parts {
		e.frames[p] = mgl64.Ident4()
		if e.partParent(p) != nil || e.format == "dfm" && e.isBone(e.nodeOf[p]) {
			e.frames[p] = space.Rigid(space.World(e.nodeOf[p], e.parentOf))
		}
	}
	for _, p := range slices.Clone(e.parts) {
		e.renamePart(p)
		e.lowerJoint(p)
	}
	return nil
}

// partParent returns the part that a part hangs on in the edited scene. In a compound everything that is new, or that
// lost what it hung on, hangs on the first part in the end; bones may hang on nothing.
func (e *editor) partParent(p *part) *part {
	for n := e.parentOf[e.nodeOf[p]]; n != nil; n = e.parentOf[n] {
		if q := e.partOf[n]; q != nil {
			return q
		}
	}
	if e.compound == nil || p == e.parts[0] || e.format == "dfm" && !p.fresh {
		return nil
	}
	if p.parent != nil || p.fresh && p.content != nil {
		return e.parts[0]
	}
	return nil
}

// lowerContent brings meshes, hardpoints, wire and camera of a part in line.
func (e *editor) lowerContent(p *part) error {
	if p.content == nil {
		return nil
	}
	if err := e.lowerLevels(p); err != nil {
		return err
	}
	if err := e.lowerHardpoints(p); err != nil {
		return err
	}
	if err := e.lowerWire(p); err != nil {
		return err
	}
	n := e.nodeOf[p]
	if n.Camera == nil || p.node.Camera != nil && rig.SameCamera(p.node.Camera, n.Camera) {
		return nil
	}
	c := &freelancer.Camera{}
	rig.LowerCamera(c, n.Camera, p.node.Camera)
	write.Camera(p.content.Dir("Camera"), c)
	return nil
}

// below calls f for the nodes that belong to a part: everything under its node that is not another part's.
func (e *editor) below(n *asset.Node, f func(n *asset.Node)) {
	for _, c := range n.Children {
		if e.partOf[c] != nil {
			continue
		}
		f(c)
		e.below(c, f)
	}
}

// lowerHardpoints brings the hardpoints of a part in line.
func (e *editor) lowerHardpoints(p *part) error {
	frame := e.frames[p].Inv()
	var failed error
	for _, hp := range p.hardpoints {
		n := e.byID[rig.ID(hp.node)]
		if n == nil {
			removeHardpoint(p, hp.h)
		} else if to := e.holder(n, p); to != p {
			failed = cmp.Or(failed, e.moveHardpoint(hp, n, p, to))
		} else {
			failed = cmp.Or(failed, e.lowerHardpoint(hp, n, p))
		}
	}
	add := func(n *asset.Node) {
		if !rig.IsHardpoint(n) || e.original(n) || skip(n) {
			return
		}
		h, guessed := rig.NewHardpoint(n, space.Transform(space.Rigid(frame.Mul4(space.World(n, e.parentOf)))))
		if guessed {
			e.d.Notef("hardpoint-turns", h.Name, "hardpoints of that name turn: %d degrees to either side, unless its properties hptype, min and max say otherwise", rig.UsualTurn)
		}
		e.tellUntaken(n, rig.HardpointExtras(h))
		failed = cmp.Or(failed, write.Hardpoint(p.content, h))
	}
	e.below(e.nodeOf[p], add)
	if e.compound != nil && p == e.parts[0] { // what hangs on no part belongs to the root
		e.edited.Walk(func(n, _ *asset.Node) {
			if e.owner(n) == nil {
				add(n)
			}
		})
	}
	return failed
}

// lowerHardpoint brings a hardpoint in line that is still on its part.
func (e *editor) lowerHardpoint(hp *hardpoint, n *asset.Node, p *part) error {
	now := space.Transform(e.frames[p].Inv().Mul4(space.World(n, e.parentOf)))
	moved := !space.SameTransform(&hp.node.Transform, &now) && !(e.inPart(n, p) && space.SameTransform(&hp.node.Transform, &n.Transform))
	if !moved && rig.SameExtras(hp.node.Extras, n.Extras) && n.Name == hp.node.Name {
		return nil
	}
	if moved {
		t := space.Transform(space.Rigid(space.Matrix(&now)))
		rig.SetHardpoint(hp.h, &t)
	}
	return e.writeHardpoint(hp, n, p)
}

// moveHardpoint puts a hardpoint on another part, where its node is.
func (e *editor) moveHardpoint(hp *hardpoint, n *asset.Node, from, to *part) error {
	e.d.Notef("hardpoint-moved", n.Name, "it is on the part %q now, no longer on %q", to.name, from.name)
	t := space.Transform(space.Rigid(e.frames[to].Inv().Mul4(space.World(n, e.parentOf))))
	rig.SetHardpoint(hp.h, &t)
	if err := e.writeHardpoint(hp, n, from); err != nil {
		return err
	}
	removeHardpoint(from, hp.h)
	to.content.Dir("Hardpoints").Dir(hp.h.Group()).Add(hp.h.Node)
	return nil
}

// writeHardpoint stores what a node says of a hardpoint of a part, which may turn now.
func (e *editor) writeHardpoint(hp *hardpoint, n *asset.Node, p *part) error {
	if !rig.SameExtras(hp.node.Extras, n.Extras) {
		rig.ApplyHardpoint(hp.h, n.Extras)
		e.tellUntaken(n, rig.HardpointExtras(hp.h))
	}
	hp.h.Name = n.Name
	return write.Hardpoint(p.content, hp.h)
}

// tellUntaken tells of the properties of a node of which something else was made.
func (e *editor) tellUntaken(n *asset.Node, made map[string]any) {
	for _, name := range rig.Untaken(n.Extras, made) {
		e.d.Lossf("property-untaken", n.Name, "its property %s cannot be %v here: it is %v", name, n.Extras[name], made[name])
	}
}

// holder returns the part that a hardpoint of a part is on now: the one that its node belongs to or, when that is none, the
// first one. Characters have theirs on bones.
func (e *editor) holder(n *asset.Node, was *part) *part {
	if e.format != "cmp" || e.compound == nil {
		return was
	}
	if p := e.owner(n); p != nil && p.content != nil {
		return p
	} else if p == nil && e.parts[0].content != nil {
		return e.parts[0]
	}
	return was
}

// removeHardpoint takes a hardpoint out of a part, from whichever group it is in.
func removeHardpoint(p *part, h *freelancer.Hardpoint) {
	dir := p.content.Child("Hardpoints")
	for _, group := range dir.Children {
		group.Remove(h.Node)
	}
	dir.Remove(h.Node)
}

func (e *editor) inPart(n *asset.Node, p *part) bool { return e.partOf[e.parentOf[n]] == p }

// owner returns the part that a node is or belongs to.
func (e *editor) owner(n *asset.Node) *part {
	for ; n != nil; n = e.parentOf[n] {
		if p := e.partOf[n]; p != nil {
			return p
		}
	}
	return nil
}
