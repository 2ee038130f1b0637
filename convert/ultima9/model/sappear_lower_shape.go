package model

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// modelRoom is what a model can hold of a scene.
var modelRoom = scene.Capabilities{
	Target: "a model of Ultima IX", Format: SappearName,
	Empty: true, Colors: true, Levels: ultima9.MaxLODs - 1,
	Looks: look.Room,
}

// limbMesh is a mesh of a limb: a level of detail, or where other things attach.
type limbMesh struct {
	node *asset.Node
	mesh *asset.Mesh
	at   mgl64.Mat4 // from the mesh to its limb; identity where nobody moved it
}

// partOf returns the mesh of a node as a part of a limb.
func (l *modelLowerer) partOf(owner *limbNode, n *asset.Node) *limbMesh {
	p := &limbMesh{node: n, mesh: n.Mesh, at: l.within(owner, n)}
	if scene.SamePlace(mgl64.Ident4(), p.at, l.sizeAt(owner)) {
		p.at = mgl64.Ident4()
	}
	return p
}

// sizeAt returns the size of the scene in the units of a limb.
func (l *modelLowerer) sizeAt(n *limbNode) float64 {
	if l.size == 0 {
		l.size = scene.Size(l.scene)
	}
	if k, _ := scene.Uniform(l.world[n.node]); k > 0 {
		return l.size / k
	}
	return l.size
}

// within returns where a node is in the space of its limb. One that an editor took out of its limb has kept the place
// that it had there, unless somebody moved it.
func (l *modelLowerer) within(owner *limbNode, n *asset.Node) mgl64.Mat4 {
	at := mgl64.Ident4()
	if of := scene.Matrix(&owner.node.Transform); l.levelOf[n] == owner.node && of.Det() != 0 { // it stands beside the limb
		return of.Inv().Mul4(scene.Matrix(&n.Transform))
	}
	for p := n; p != nil; p = l.above[p] {
		if p == owner.node {
			return at
		}
		at = scene.Matrix(&p.Transform).Mul4(at)
	}
	if scene.SamePlace(mgl64.Ident4(), l.world[n], 1) {
		return mgl64.Ident4()
	}
	if of := l.world[owner.node]; of.Det() != 0 {
		return of.Inv().Mul4(l.world[n])
	}
	return scene.Matrix(&n.Transform)
}

// settle takes the places of a limb's meshes into their vertices: a limb stores none for them. Levels of detail that
// nobody moved follow the one that is seen.
func (n *limbNode) settle() {
	first := n.levels[0]
	for k, p := range n.levels {
		if k > 0 && first != nil && p.at == mgl64.Ident4() {
			p.at = first.at
		}
	}
	for _, p := range n.levels {
		p.mesh = scene.BakeMesh(p.mesh, p.at)
	}
	if n.mount != nil {
		n.mount.mesh = scene.BakeMesh(n.mount.mesh, n.mount.at)
	}
}

// meshOf returns the mesh of a part; nil for none.
func (p *limbMesh) meshOf() *asset.Mesh {
	if p == nil {
		return nil
	}
	return p.mesh
}

// tellOfNames reports limbs, levels and materials that were renamed: a model holds no names.
func (l *modelLowerer) tellOfNames() {
	var r scene.Renames
	for _, n := range l.limbs {
		if n.stored != nil {
			r.Check(fmt.Sprintf("limb_%d", n.limb.ID), n.node.Name)
		}
		for k, p := range n.levels {
			if p.node != n.node && !(l.levelOf[p.node] != nil && p.node.Mesh.Native == nil) { // that one was added
				l.checkPart(&r, n, p, fmt.Sprintf("lod%d", k))
			}
		}
		if n.mount != nil {
			l.checkPart(&r, n, n.mount, "mount")
		}
	}
	r.CheckCalled(l.scene, SappearName)
	look.CheckNames(&r, l.scene)
	r.Tell(l.diag, "a model holds no names, only the numbers of limbs and textures")
}

// checkPart looks at the name of a mesh of a limb, which is called as a part of that limb or of the one that it was made for. A
// limb that got another number keeps the names of its meshes.
func (l *modelLowerer) checkPart(r *scene.Renames, n *limbNode, p *limbMesh, part string) {
	limbs, parts := []*limbNode{n}, []string{part}
	if kept := p.node.Mesh.Native; kept != nil && kept.Format == lodName {
		index := scene.ShownWhole(kept, "limb", -1)
		if i := slices.IndexFunc(l.limbs, func(x *limbNode) bool { return x.index == index }); i >= 0 {
			limbs = append(limbs, l.limbs[i])
		}
		if part != "mount" {
			parts = append(parts, fmt.Sprintf("lod%d", scene.ShownWhole(kept, "lod", 0)))
		}
	} else if namePattern().MatchString(p.node.Name) {
		return // nothing says what it was called
	}
	for _, limb := range limbs {
		for _, part := range parts {
			if !scene.Renamed(fmt.Sprintf("limb_%d_%s", limb.limb.ID, part), p.node.Name) ||
				limb.stored != nil && !scene.Renamed(fmt.Sprintf("limb_%d_%s", limb.stored.ID, part), p.node.Name) {
				return
			}
		}
	}
	r.Check(fmt.Sprintf("limb_%d_%s", limbs[0].limb.ID, part), p.node.Name)
}

// tellOfKept warns of meshes that have lost what was kept of them, below limbs that have not, and of levels that are
// gone.
func (l *modelLowerer) tellOfKept() {
	bare, firstBare := 0, ""
	gone, firstGone := 0, ""
	shared, firstShared := 0, ""
	for _, n := range l.limbs {
		for k, had := range n.had {
			p := n.levels[k]
			switch {
			case had && p == nil && (k > 0 || n.mount == nil):
				if gone++; gone == 1 {
					firstGone = fmt.Sprintf("level %d of %s", k, n.node.Name)
				}
			case had && p != nil && (p.mesh.Native == nil || p.mesh.Native.Format != lodName):
				if bare++; bare == 1 {
					firstBare = p.node.Name
				}
			case had && p != nil && scene.ShownWhole(p.mesh.Native, "limb", n.index) != n.index:
				if shared++; shared == 1 {
					firstShared = p.node.Name
				}
			}
		}
	}
	if gone > 0 {
		l.diag.Warnf("level-removed", "", "%d levels of detail are gone, the first is %s: they were deleted, or an editor left them out", gone, firstGone)
	}
	if shared > 0 {
		l.diag.Warnf("mesh-shared", firstShared, "%d meshes have the Custom Properties (extras) of those of other limbs now: what was kept of their own faces, flags and order is lost", shared)
	}
	if bare > 0 && !l.diag.Has(restore.NoExtras) {
		l.diag.Warnf(restore.NoExtras, firstBare, "the Custom Properties (extras) of %d meshes are gone: their faces are made anew, without what was kept of flags and order", bare)
	}
}

// local returns the place of a limb relative to its parent, in raw units.
func (l *modelLowerer) local(n *limbNode) asset.Transform {
	switch {
	case n.node.Transform.Matrix != nil:
	case n.parent != nil && l.above[n.node] == n.parent.node,
		n.parent == nil && n.metres && l.above[n.node] == nil,
		n.parent == nil && !n.metres && l.above[n.node] == l.root && l.above[l.root] == nil && scene.SameTransform(&RootTransform, &l.root.Transform, 1):
		direct := n.node.Transform
		if n.metres {
			return toRaw(direct)
		}
		return direct
	}
	m := l.world[n.node]
	if n.parent != nil {
		m = l.world[n.parent.node].Inv().Mul4(m)
	} else if !n.metres {
		m = scene.Matrix(&RootTransform).Inv().Mul4(m)
	}
	p, exact := scene.Decompose(m)
	t := p.Transform()
	if !exact {
		on := ""
		if i := slices.IndexFunc(l.limbs, func(x *limbNode) bool { return x.parent == n }); i >= 0 {
			on = fmt.Sprintf(", and what hangs on it (%q) goes along", l.limbs[i].node.Name)
		}
		l.diag.Lossf("sheared", n.node.Name, "a limb cannot be sheared: the nearest place without shear is taken%s", on)
	}
	if n.metres {
		return toRaw(t)
	}
	return t
}
