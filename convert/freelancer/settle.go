package freelancer

import (
	"maps"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// settle gives the nodes of the edited scene transforms that a file has room for: its first part stands at the origin,
// joints and hardpoints turn and move, and nothing is scaled. So whatever was done to a model as a whole, or to a part
// as an object, arrives in vertices, joints, hardpoints, wireframes and keys alike.
func (e *editor) settle() {
	stored := map[*asset.Node]*asset.Transform{}
	still := map[*asset.Node]bool{} // stands at the origin of the file
	wires := map[*asset.Node]bool{} // stands where its part is
	e.scene.Walk(func(base, parent *asset.Node) {
		if n := e.byID[rig.ID(base)]; n != nil {
			stored[n] = &base.Transform
		}
	})
	for _, p := range e.parts {
		if n := e.byID[rig.ID(p.node)]; n != nil && p.joint == nil && p.def != nil || p.def == nil {
			still[n] = true
		}
		if p.wire != nil {
			wires[e.byID[rig.ID(p.wire.node)]] = true
		}
	}
	if n := e.freshRoot(); n != nil {
		still[n] = true
	}
	bones := map[*asset.Node]bool{}
	if e.format == "dfm" {
		for _, s := range e.edited.Skins {
			for _, j := range s.Joints {
				bones[j] = true
			}
		}
	}
	for _, n := range slices.Concat(slices.Collect(maps.Keys(still)), slices.Collect(maps.Keys(bones))) {
		for n = e.parentOf[n]; n != nil && !bones[n]; n = e.parentOf[n] { // what is above a model is no part of it
			still[n] = true
		}
	}
	e.settled = scene.Settle(e.edited, func(n *asset.Node) scene.Room {
		switch was := stored[n]; {
		case still[n] && !bones[n], wires[n]:
			return scene.NoRoom
		case was != nil && space.SameTransform(was, &n.Transform):
			return scene.StoredRoom
		}
		return scene.RigidRoom
	})
	for _, b := range e.settled.Bent {
		by := b.By
		if by == nil { // its keys scale it
			by = b.Node
		}
		e.d.Lossf("animation-bent", b.Node.Name, "what moves is scaled unevenly, or turns in something that is (%q): its motion is the nearest one without that", by.Name)
	}
}

// freshRoot returns the node that becomes the first part of a new compound; nil when there is none, or an old one.
func (e *editor) freshRoot() *asset.Node {
	if len(e.parts) > 0 || e.format != "cmp" {
		return nil
	}
	return e.firstOf(e.freshParts())
}

// above returns what the nodes above a part could not keep, and the part has taken over.
func (e *editor) above(n *asset.Node) mgl64.Mat4 {
	if m, ok := e.settled.Baked[e.parentOf[n]]; ok {
		return m
	}
	return mgl64.Ident4()
}

// carryAxis turns and scales what a joint says in the space of its parent along with what was done there.
func (e *editor) carryAxis(j *freelancer.Joint, n *asset.Node) {
	m := e.above(n)
	if m == mgl64.Ident4() {
		return
	}
	axis := scene.Wide3(j.Axis)
	if along := m.Mat3().Mul3x1(axis); along.Len() > 0 {
		size := along.Len() / axis.Len()
		turn := along.Mul(1 / size)
		if j.Kind == freelancer.Pris || j.Kind == freelancer.Cyl {
			j.Min[0], j.Max[0] = float32(float64(j.Min[0])*size), float32(float64(j.Max[0])*size)
		} else if scene.Mirrored(m) { // a mirror turns the sense of a rotation
			turn = turn.Mul(-1)
		}
		j.Axis, e.changed = scene.Narrow3(turn), true
	}
}

// gatherLevels puts the levels of detail of a part beside it, wherever an editor left their nodes: one that nobody moved
// stands where its part stands now, so that what is done to a part is done to its levels.
func (e *editor) gatherLevels() {
	for _, p := range e.parts {
		n := e.byID[rig.ID(p.node)]
		if n == nil {
			continue
		}
		for i, l := range p.levels {
			c := e.byID[rig.ID(l.node)]
			if i == 0 || c == nil || c == n {
				continue
			}
			moved := !space.SameTransform(&l.node.Transform, &c.Transform) && !space.SameTransform(&n.Transform, &c.Transform)
			switch {
			case !moved:
				c.Transform = n.Transform
			case e.parentOf[c] != e.parentOf[n]:
				place := space.World(c, e.parentOf)
				if up := space.World(e.parentOf[n], e.parentOf); up.Det() != 0 {
					place = up.Inv().Mul4(place)
				}
				c.Transform = space.Transform(place)
			}
			e.detach(c)
			e.parentOf[c] = e.parentOf[n]
			n.LODs = append(n.LODs, c)
		}
	}
}

// detach takes a node out of the edited scene's hierarchy.
func (e *editor) detach(n *asset.Node) {
	is := func(x *asset.Node) bool { return x == n }
	e.edited.Roots = slices.DeleteFunc(e.edited.Roots, is)
	e.edited.Detached = slices.DeleteFunc(e.edited.Detached, is)
	e.edited.Walk(func(o, _ *asset.Node) {
		if slices.ContainsFunc(o.Children, is) {
			o.Children = slices.DeleteFunc(o.Children, is)
		}
		if slices.ContainsFunc(o.LODs, is) {
			o.LODs = slices.DeleteFunc(o.LODs, is)
		}
	})
}
