package freelancer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// deleteJoints removes joints and finds the others' places again.
func (e *editor) deleteJoints(gone func(j *freelancer.Joint) bool) {
	var kept []freelancer.Joint
	moved := map[*freelancer.Joint]int{}
	for i := range e.compound.Joints {
		if j := &e.compound.Joints[i]; !gone(j) {
			moved[j] = len(kept)
			kept = append(kept, *j)
		}
	}
	for _, p := range e.parts {
		if p.joint == nil {
			continue
		}
		if i, ok := moved[p.joint]; ok {
			p.joint = &kept[i]
		} else {
			p.joint = nil
		}
	}
	e.compound.Joints = kept
}

// addJoint adds a joint and returns its place.
func (e *editor) addJoint(j freelancer.Joint) *freelancer.Joint {
	at := map[*part]int{}
	for _, p := range e.parts {
		for i := range e.compound.Joints {
			if p.joint == &e.compound.Joints[i] {
				at[p] = i
			}
		}
	}
	e.compound.Joints = append(e.compound.Joints, j)
	for p, i := range at {
		p.joint = &e.compound.Joints[i]
	}
	return &e.compound.Joints[len(e.compound.Joints)-1]
}

// lowerJoint brings the joint that holds a part in line.
func (e *editor) lowerJoint(p *part) {
	if p.def == nil {
		return
	}
	if kind, ok := e.nodeOf[p].Extras["construct"]; ok && !slices.ContainsFunc(rig.Constructs[:], func(c string) bool { return c == kind }) {
		e.d.Warnf("joint-kind", p.name, "%q is no kind of joint: %s", fmt.Sprint(kind), strings.Join(rig.Constructs[:], ", "))
	}
	n, parent := e.nodeOf[p], e.partParent(p)
	if parent == nil {
		if p.joint != nil && p.parent == nil { // a joint to nothing holds the root of a skeleton
			if !e.sameJoint(&p.node.Transform, &n.Transform) {
				m := space.Rigid(space.Matrix(&n.Transform))
				p.joint.Origin, p.joint.Rotation, e.changed = scene.Narrow3(m.Col(3).Vec3()), space.Rows(m.Mat3()), true
			}
			return
		}
		if p.joint != nil {
			child := p.joint
			e.changed = true
			e.deleteJoints(func(j *freelancer.Joint) bool { return j == child })
		}
		return
	}
	if p.joint == nil {
		e.changed = true
		j := freelancer.Joint{Parent: freelancer.PartName{Name: parent.name}, Child: freelancer.PartName{Name: p.name}, Rotation: freelancer.Identity3}
		if e.format == "dfm" {
			e.newBone(p, parent)
			return
		}
		e.tellCarried(p, parent)
		rig.ApplyJoint(&j, e.copied(n))
		rig.ApplyJoint(&j, n.Extras)
		e.tellJoint(n, &j)
		p.joint = e.addJoint(j)
		e.setJoint(p, parent)
		return
	}
	if p.parent != parent { // setJoint follows
		p.joint.Parent = freelancer.PartName{Name: parent.name}
		e.moveMaps(p, parent)
	}
	if base := rig.JointExtras(p.joint); !rig.SameExtras(base, n.Extras) {
		e.changed = true
		rig.ApplyJoint(p.joint, n.Extras)
		e.tellJoint(n, p.joint)
	}
	e.carryAxis(p.joint, n)
	rel := e.frames[parent].Inv().Mul4(e.frames[p])
	was := p.node.Transform
	if now := space.Transform(rel); p.parent != parent || !e.sameJoint(&was, &now) && !e.sameJoint(&was, &n.Transform) {
		e.changed = true
		e.setJoint(p, parent)
	}
}

// copied returns the properties of the joint of the part that a new node is a copy of by its name, where the node itself says
// nothing: an editor that keeps no properties leaves the name alone.
func (e *editor) copied(n *asset.Node) map[string]any {
	name, copied := scene.Uncopied(n.Name)
	if !copied || n.Extras["construct"] != nil {
		return nil
	}
	i := slices.IndexFunc(e.parts, func(p *part) bool { return !p.fresh && p.joint != nil && strings.EqualFold(p.node.Name, name) })
	if i < 0 || e.parts[i].joint.Kind == freelancer.Fix {
		return nil
	}
	e.d.Notef("joint-copied", n.Name, "it has no properties that say how it moves, and moves as %s does, of which it is a copy by its name", name)
	return rig.JointExtras(e.parts[i].joint)
}

// tellJoint tells of the properties of a node of which its joint has something else. Kinds that there are not are told apart.
func (e *editor) tellJoint(n *asset.Node, j *freelancer.Joint) {
	made := rig.JointExtras(j)
	delete(made, "construct")
	e.tellUntaken(n, made)
}

// tellCarried reports a new part that hung on nothing: a compound hangs it on its first part, which may move.
func (e *editor) tellCarried(p, parent *part) {
	if parent != e.parts[0] || e.owner(e.parentOf[e.nodeOf[p]]) != nil {
		return
	}
	for _, a := range e.edited.Animations {
		if t, _ := track.Of(a); t[e.nodeOf[parent]] != nil && !track.Still(t[e.nodeOf[parent]], e.nodeOf[parent], e.size) {
			e.d.Lossf("part-carried", e.nodeOf[p].Name, "it hung on nothing, and a .cmp file hangs it on %q, with which it moves in animation %q", parent.name, a.Name)
			return
		}
	}
}

// setJoint makes a joint put a part where its node is.
func (e *editor) setJoint(p, parent *part) {
	rel := e.frames[parent].Inv().Mul4(e.frames[p])
	r := rel.Mat3()
	p.moved = true
	p.joint.Rotation = space.Rows(r)
	p.joint.Origin = scene.Narrow3(rel.Col(3).Vec3().Add(r.Mul3x1(scene.Wide3(p.joint.Offset))))
}

// sameJoint compares places of joints up to what editors make of them: in a model of less than a metre as a part of its size.
func (e *editor) sameJoint(a, b *asset.Transform) bool {
	return space.SameTransform(a, b) && (e.format != "dfm" || e.size >= 1 || scene.SameTransform(a, b, e.size))
}
