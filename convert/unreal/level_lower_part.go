package unreal

import (
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
)

// An actor whose mesh is at hand shows it in a node below its own. Users pick what they see: what is done to that node is
// done to the actor.

// partKey is the value of an actor's node that keeps where its mesh stood below it.
const partKey = "part"

// isPart reports whether a node shows a mesh of the actor above it: itself, or below it where an editor took it apart.
func isPart(n *asset.Node) bool {
	if isGeometry(n) || n.Native != nil && n.Native.Format == levelName {
		return false
	}
	if n.Mesh != nil {
		return true
	}
	for _, c := range n.Children {
		if isPart(c) {
			return true
		}
	}
	return false
}

// partPlace returns the transform of an actor's mesh relative to its node, if it had one. kept reports whether the scene
// states it.
func (e *levelEdit) partPlace(x standing) (at mgl64.Mat4, kept, ok bool) {
	if n := x.node.Native; n != nil && n.Format == levelName {
		if t, ok := shownOf(scene.Shown(n, partKey)); ok {
			m := scene.Matrix(&t)
			return m, m.Det() != 0, m.Det() != 0
		}
	}
	if was := e.was[x.actor]; was != nil && len(was.Children) > 0 && isPart(was.Children[0]) {
		m := scene.Matrix(&was.Children[0].Transform)
		return m, false, m.Det() != 0
	}
	return at, false, false
}

// part returns the node that shows the mesh of an actor: of several the one that stands where it did, or else the first.
// The others are copies of it, or new.
func (e *levelEdit) part(x standing) (own *asset.Node, others []*asset.Node) {
	at, _, ok := e.partPlace(x)
	if !ok {
		return nil, nil
	}
	stood := false
	for _, c := range x.node.Children {
		if !isPart(c) {
			continue
		}
		stands := e.stands(x, c, at)
		switch {
		case own == nil:
			own, stood = c, stands
		case stands && !stood:
			own, others, stood = c, append(others, own), true
		default:
			others = append(others, c)
		}
	}
	return own, others
}

// stands reports whether a mesh is where its actor's node has it.
func (e *levelEdit) stands(x standing, c *asset.Node, at mgl64.Mat4) bool {
	return scene.SamePlace(e.frame.place(e.worlds[x.node]).Mul4(at), e.frame.place(e.worlds[c]), e.size)
}

// partMoved returns where an actor has to be for its mesh to be where somebody moved it alone.
func (e *levelEdit) partMoved(x standing) (mgl64.Mat4, bool) {
	own, _ := e.part(x)
	if own == nil {
		return mgl64.Mat4{}, false
	}
	at, _, _ := e.partPlace(x)
	if e.stands(x, own, at) {
		return mgl64.Mat4{}, false
	}
	return e.frame.place(e.worlds[own]).Mul4(at.Inv()), true
}

// called names an actor's node, and the node of its mesh where that was moved alone.
func (e *levelEdit) called(x standing) string {
	if _, moved := e.partMoved(x); moved {
		own, _ := e.part(x)
		return partName(x, own)
	}
	return e.a.ObjectName(x.actor)
}

// tellAlong reports actors that are moved or made because their meshes were.
func (e *levelEdit) tellAlong() {
	switch n := e.along.Count; {
	case n == 1:
		e.d.Warnf("actor-along", e.level.Path, "the mesh %q was moved, turned or scaled without its actor, which goes along", e.along.First)
	case n > 1:
		e.d.Warnf("actor-along", e.level.Path, "%d meshes, the first is %q, were moved, turned or scaled without their actors, which go along", n, e.along.First)
	}
	switch n := len(e.twins); {
	case n == 1:
		e.d.Warnf("actor-copied", e.level.Path, "the mesh %q was copied without its actor: the copy makes an actor of its own", e.twin)
	case n > 1:
		e.d.Warnf("actor-copied", e.level.Path, "%d meshes, the first is %q, were copied without their actors: each copy makes an actor of its own", n, e.twin)
	}
}

func partName(x standing, c *asset.Node) string { return x.node.Name + "/" + c.Name }

// moreParts are copies of the meshes of actors: each makes an actor of its own.
func (e *levelEdit) moreParts(originals []standing) (list []standing) {
	for _, x := range originals {
		own, others := e.part(x)
		for _, c := range others {
			if c.Mesh != nil && own.Mesh != nil && (c.Mesh == own.Mesh || mesh.ShownMesh(c.Mesh, mgl64.Ident4()).Same(mesh.ShownMesh(own.Mesh, mgl64.Ident4()))) {
				list = append(list, standing{c, x.actor})
				if e.twins[c] = x; e.twin == "" {
					e.twin = partName(x, c)
				}
			}
		}
	}
	return list
}

// compareParts looks for meshes of an actor that were edited, renamed, added, or are gone.
func (e *levelEdit) compareParts(x standing, check func(name string, now, was *asset.Mesh)) {
	was := e.was[x.actor]
	own, others := e.part(x)
	if _, kept, _ := e.partPlace(x); own == nil && kept {
		name := x.node.Name
		if len(was.Children) > 0 {
			name = partName(x, was.Children[0])
		}
		e.bared.Add(name)
	}
	if own != nil && len(was.Children) > 0 && isPart(was.Children[0]) {
		if scene.Renamed(was.Children[0].Name, own.Name) {
			e.renamed.Add(partName(x, own))
		}
		if own.Mesh != nil {
			check(partName(x, own), own.Mesh, was.Children[0].Mesh)
		}
	}
	for _, c := range others {
		if _, twin := e.twins[c]; !twin {
			e.shapes.Add(partName(x, c))
		}
	}
	var deeper func(n *asset.Node)
	deeper = func(n *asset.Node) {
		for _, c := range n.Children {
			if c.Mesh != nil && isPart(c) {
				e.shapes.Add(partName(standing{node: n}, c))
			}
			deeper(c)
		}
	}
	if own != nil && own.Mesh != nil {
		deeper(own)
	}
}

// compareNodes looks for lamps that have another name than their actor gave them, and for actors that stand below another
// node, which a level cannot hold.
func (e *levelEdit) compareNodes(originals []standing, world *asset.Node) {
	for _, x := range originals {
		if was := e.was[x.actor]; lampNode(was) != nil && lampNode(was) != was && lampNode(x.node) != nil && lampNode(x.node) != x.node &&
			scene.Renamed(lampNode(was).Name, lampNode(x.node).Name) {
			e.renamed.Add(partName(x, lampNode(x.node)))
		}
		e.compareParent(x.node)
	}
	if world != nil {
		e.compareParent(world)
	}
}

func (e *levelEdit) compareParent(n *asset.Node) {
	if p := e.parents[n]; p != nil && p != e.frame.root {
		e.below.Add(n.Name)
	}
}

// compareRoot reports whether the level as a whole was moved, or saved with Z up. Actors keep their places relative to each
// other.
func (e *levelEdit) compareRoot() {
	if e.frame.flat {
		e.d.Warnf("z-up", e.level.Path, "the scene was saved Z up, which glTF does not allow: it is taken as turned, so the level stays as it was; save it with \"+Y Up\"")
	}
	was := scene.Matrix(&e.lifted.Roots[0].Transform)
	now := e.frame.back.Inv()
	if e.frame.flat {
		now = upright.Mul4(now).Mul4(upright.Transpose())
	}
	if e.frame.root == nil || scene.SamePlace(was, now, e.size/space.UnitsPerMetre) {
		return
	}
	moved := e.frame.root
	local := scene.Matrix(&moved.Transform)
	for p := e.parents[moved]; p != nil && scene.SamePlace(was, local, e.size/space.UnitsPerMetre); p = e.parents[p] {
		if moved = p; scene.Matrix(&p.Transform) != mgl64.Ident4() {
			break
		}
	}
	done := "moved, turned or scaled"
	if scene.Mirrored(now) != scene.Mirrored(was) {
		done = "mirrored"
	}
	e.d.Lossf("level-moved", e.level.Path, "node %q was %s with the level below it, which is left out: a level has no place of its own; do that to its actors", moved.Name, done)
}
