package freelancer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/freelancer/hull"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// isPart reports whether a node of a foreign scene becomes a part: it has a shape of its own, it moves, or it joins such
// nodes with properties of a joint.
func (e *editor) isPart(n *asset.Node) bool {
	if skip(n) || rig.IsHardpoint(n) || strings.Contains(n.Name, "$") {
		return false
	}
	if e.format == "dfm" {
		return e.isBone(n)
	}
	if n.Extras["construct"] != nil || n.Camera != nil {
		return true
	}
	if n.Mesh != nil && !mesh.OnlyLines(n.Mesh) {
		return true
	}
	if e.format == "cmp" && n.Name == "Root" && e.parentOf[n] == nil && len(n.Children) > 0 { // as the game calls the first part
		return true
	}
	for _, a := range e.edited.Animations {
		for _, c := range a.Channels {
			if c.Node == n {
				return true
			}
		}
	}
	return false
}

// skip reports whether a node is no part of the visible model: a hull, or one that is not to be exported.
func skip(n *asset.Node) bool {
	return rig.Ignored(n) || isHull(n) || strings.HasSuffix(n.Name, hull.Suffix)
}

// removePart takes a part, its joint and its content out of a compound.
func (e *editor) removePart(p *part) {
	if p.def == nil || p == e.parts[0] {
		e.d.Warnf("part-kept", p.name, "the part is not in the scene any more, but the file needs it")
		alone := *p.node // what hung on it stands for itself in the edited scene
		alone.Children = nil
		e.nodeOf[p], e.partOf[&alone] = &alone, p
		return
	}
	e.changed = true
	e.d.Notef("part-removed", p.name, "the part is not in the scene any more")
	e.tree.Root.Child("Cmpnd").Remove(p.def.Node)
	e.parts = slices.DeleteFunc(e.parts, func(q *part) bool { return q == p })
	e.compound.Parts = slices.DeleteFunc(e.compound.Parts, func(d *freelancer.Part) bool { return d == p.def })
	e.deleteJoints(func(j *freelancer.Joint) bool {
		return strings.EqualFold(j.Child.Name, p.name)
	})
	e.removeMaps(p)
	e.removed = append(e.removed, p)
	e.release(p)
	if p.content != nil && !slices.ContainsFunc(e.parts, func(q *part) bool { return q.content == p.content }) {
		e.tree.Root.Remove(p.content)
	}
}

// release lets go of what hung on a part that is gone and is still in the scene: hardpoints are those of the part that they
// hang on now, levels of detail and a wireframe have none.
func (e *editor) release(p *part) {
	for _, hp := range p.hardpoints {
		delete(e.byID, rig.ID(hp.node))
	}
	take := func(n *asset.Node) *asset.Node {
		now := e.byID[rig.ID(n)]
		delete(e.byID, rig.ID(n))
		return now
	}
	for _, l := range p.levels {
		n := take(l.node)
		if n == nil || l.number == 0 {
			continue
		}
		if of, _, ok := levelName(n); ok && of == strings.ToLower(p.node.Name) { // else it is another part's now
			e.d.Lossf("level-left-out", n.Name, "the part %q, whose level of detail it is, is not in the scene any more", p.name)
		}
	}
	if p.wire == nil {
		return
	}
	if n := take(p.wire.node); n != nil {
		e.d.Lossf("wire-left-out", n.Name, "the part %q, whose wireframe it is, is not in the scene any more", p.name)
	}
}

// removeMaps takes what moved a part that is gone out of the scripts.
func (e *editor) removeMaps(p *part) {
	for _, a := range e.anims {
		a.script.Maps = slices.DeleteFunc(a.script.Maps, func(m *freelancer.AnimationMap) bool {
			moves := strings.EqualFold(m.Child, p.name) || m.Object && strings.EqualFold(m.Parent, p.name)
			return moves && a.script.Node.Remove(m.Node)
		})
	}
}

// moveMaps makes the scripts move a part on the one that it hangs on now.
func (e *editor) moveMaps(p, parent *part) {
	for _, a := range e.anims {
		for _, m := range a.script.Maps {
			if !m.Object && strings.EqualFold(m.Child, p.name) {
				m.Parent = parent.name
			}
		}
	}
}

// freshParts returns the nodes that are to become parts.
func (e *editor) freshParts() (fresh []*asset.Node) {
	e.edited.Walk(func(n, _ *asset.Node) {
		if e.partOf[n] == nil && !e.isLevel(n) && !e.original(n) && e.isPart(n) {
			fresh = append(fresh, n)
		}
	})
	return fresh
}

// firstOf returns the fresh node that can be the first part of a compound, since it holds all others; nil for none.
func (e *editor) firstOf(fresh []*asset.Node) *asset.Node {
	if len(fresh) > 0 && (len(fresh) == 1 || e.holdsAll(fresh[0], fresh)) && fresh[0].Extras["construct"] == nil {
		return fresh[0]
	}
	return nil
}

// addParts makes parts of the nodes that are none yet.
func (e *editor) addParts() error {
	fresh := e.freshParts()
	if e.format == "3db" || e.format == "cmp" && e.compound == nil {
		return e.addSingle(fresh)
	}
	if len(fresh) == 0 && e.edited.Native != nil && e.edited.Native.Format == e.format {
		return nil // a file without parts stays one
	}
	if len(e.parts) == 0 && !e.isSkeleton(fresh) {
		root := asset.NewNode("Root")
		if n := e.firstOf(fresh); n != nil && e.format != "dfm" {
			root, fresh = n, fresh[1:]
		}
		p := e.newPart("Root", fragment)
		e.nodeOf[p], e.partOf[root] = root, p
	}
	for _, n := range fresh {
		extension := fragment
		if n.Camera != nil && n.Mesh == nil {
			extension = ".cam"
		}
		p := e.newPart(e.partName(n.Name, nil), extension)
		e.nodeOf[p], e.partOf[n] = n, p
	}
	return nil
}

// isSkeleton reports whether fresh nodes are bones of which the first holds all others and stands at the origin. The game puts the
// first bone there whatever a file says: others hang on one that is made for them.
func (e *editor) isSkeleton(fresh []*asset.Node) bool {
	if e.format != "dfm" {
		return false
	}
	if len(fresh) == 0 {
		return true // of no bones
	}
	if !e.holdsAll(fresh[0], fresh) {
		return false
	}
	here, origin := space.Transform(space.Rigid(space.World(fresh[0], e.parentOf))), asset.NewNode("").Transform
	return e.sameJoint(&origin, &here)
}

// holdsAll reports whether all other nodes are below n.
func (e *editor) holdsAll(n *asset.Node, all []*asset.Node) bool {
	for _, x := range all {
		for ; x != nil && x != n; x = e.parentOf[x] {
		}
		if x != n {
			return false
		}
	}
	return true
}

// isLevel reports whether a node is a level of detail of another.
func (e *editor) isLevel(n *asset.Node) bool {
	if strings.Contains(n.Name, "$lod") {
		return true
	}
	found := false
	e.edited.Walk(func(o, _ *asset.Node) { found = found || slices.Contains(o.LODs, n) })
	return found
}

// clean returns a name without characters that the name of a file may not have.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
}

// plainName returns a clean name of at most 50 bytes.
func plainName(want string) string {
	want = clean(want)
	return want[:min(len(want), 50)]
}

// partName returns a free name for a part: at most 63 bytes, and no two alike. What the part itself is called is free.
func (e *editor) partName(want string, of *part) string {
	if want = plainName(want); want == "" {
		want = "part"
	}
	name := want
	for k := 2; slices.ContainsFunc(e.parts, func(p *part) bool { return p != of && strings.EqualFold(p.name, name) }); k++ {
		name = fmt.Sprintf("%s_%d", want, k)
	}
	return name
}

// fragment is the extension of what holds a part; a camera has its own.
const fragment = ".3db"

// newPart adds a part to a compound, with a fragment of that extension.
func (e *editor) newPart(name, extension string) *part {
	if e.compound == nil { // a character without parts so far
		e.compound = &freelancer.Compound{}
	}
	file := name + extension
	for k := 2; e.tree.Root.Child(file) != nil; k++ {
		file = fmt.Sprintf("%s_%d%s", name, k, extension)
	}
	index := int32(0)
	for _, d := range e.compound.Parts {
		index = max(index, d.Index+1)
	}
	p := &part{name: name, fresh: true, node: asset.NewNode(name), def: &freelancer.Part{Object: name, File: file, Index: index}}
	p.content = e.tree.Root.Add(freelancer.NewDir(file))
	e.compound.Parts = append(e.compound.Parts, p.def)
	e.parts = append(e.parts, p)
	e.changed = true
	return p
}

// addSingle puts the meshes of a scene into the one part of a .3db file.
func (e *editor) addSingle(fresh []*asset.Node) error {
	if len(e.parts) > 0 {
		if len(fresh) > 0 {
			e.d.Lossf("parts-left-out", fresh[0].Name, "a .3db file has one part; %d more were added to the scene, of which this is the first: a .cmp file can hold them", len(fresh))
		}
		return nil
	}
	if len(fresh) > 1 {
		e.d.Lossf("parts-joined", "", "%d parts are joined into the one of a .3db file: a .cmp file can hold them apart", len(fresh))
	}
	all := asset.NewNode("Root")
	all.Mesh = &asset.Mesh{Name: "Root"}
	chains := make([][]*asset.Node, len(fresh))
	most := 0
	for i, n := range fresh {
		chains[i] = append([]*asset.Node{n}, e.levelNodes(n)...)
		if len(chains[i]) > most {
			most, all.Native = len(chains[i]), rig.Native(map[string]any{"switch2": rig.Values(n.Native)["switch2"]})
		}
	}
	for level := range most {
		into := all.Mesh
		if level > 0 {
			c := asset.NewNode(fmt.Sprintf("Root$lod%d", level))
			c.Mesh = &asset.Mesh{Name: c.Name}
			all.LODs = append(all.LODs, c)
			into = c.Mesh
		}
		for i, n := range fresh {
			shown := chains[i][min(level, len(chains[i])-1)] // a part with fewer levels keeps its last one
			if shown.Mesh == nil {
				continue
			}
			place := space.World(n, e.parentOf)
			if shown != n {
				place = e.levelWorld(n, shown)
			}
			for _, p := range shown.Mesh.Primitives {
				into.Primitives = append(into.Primitives, mesh.Baked(p, place))
			}
		}
	}
	if len(all.Mesh.Primitives) == 0 {
		all.Mesh = nil // hardpoints alone are a model too
	}
	all.Children = e.edited.Roots
	e.addRoot(all)
	return nil
}

func (e *editor) addRoot(n *asset.Node) {
	p := &part{name: "Root", content: e.tree.Root, node: asset.NewNode("Root")}
	e.parts = append(e.parts, p)
	e.nodeOf[p], e.partOf[n] = n, p
}

// renamePart follows a new name through joints and animations.
func (e *editor) renamePart(p *part) {
	n := e.nodeOf[p]
	if p.fresh || n.Name == p.node.Name || n.Name == "" {
		return
	}
	if p.def == nil {
		if scene.Renamed(p.node.Name, n.Name) {
			e.d.Lossf("part-name", n.Name, "a model of one part has no name for it: it is %q again", p.node.Name)
		}
		return
	}
	name := e.partName(n.Name, p)
	if name == n.Name {
		e.d.Notef("part-renamed", p.name, "the part is called %q now", name)
	} else {
		e.d.Warnf("part-renamed", n.Name, "the part is called %q in the file: names there are up to 50 plain ASCII characters, none twice", name)
	}
	for i := range e.compound.Joints {
		j := &e.compound.Joints[i]
		for _, x := range [...]*freelancer.PartName{&j.Parent, &j.Child} {
			if strings.EqualFold(x.Name, p.name) {
				*x = freelancer.PartName{Name: name}
			}
		}
	}
	for _, a := range e.anims {
		for _, am := range a.script.Maps {
			for _, x := range [...]*string{&am.Parent, &am.Child} {
				if strings.EqualFold(*x, p.name) {
					*x = name
				}
			}
		}
	}
	p.name, p.def.Object, e.changed = name, name, true
}
