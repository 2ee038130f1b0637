package restore

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// TurnBonesBack undoes what Blender does to bones: it turns each bone so that it points along Y, in its rest pose and in
// all keys. The inverse bind matrices reveal by how much. now returns the node of the edited scene for a joint of base, or
// nil. Channels that change get new value slices, because channels may share them.
func TurnBonesBack(base, edited *asset.Scene, now func(joint *asset.Node) *asset.Node) {
	turns := map[*asset.Node]mgl64.Quat{}
	for _, was := range base.Skins {
		for i, joint := range was.Joints {
			n := now(joint)
			if n == nil {
				continue
			}
			for _, s := range edited.Skins {
				k := slices.Index(s.Joints, n)
				if k < 0 || k >= len(s.InverseBind) {
					continue
				}
				bind := scene.WideMatrix(s.InverseBind[k])
				p, _ := scene.Decompose(scene.InverseBind(was, i).Mul4(bind.Inv()))
				if q := p.Turn; q.V.Len() > 1e-6 {
					turns[n] = q
					s.InverseBind[k] = scene.NarrowMatrix(q.Mat4().Mul4(bind))
				}
			}
		}
	}
	if len(turns) == 0 {
		return
	}
	turn := func(n *asset.Node) mgl64.Quat {
		if q, ok := turns[n]; ok {
			return q
		}
		return mgl64.QuatIdent()
	}
	channels := map[*asset.Node][]*asset.Channel{}
	for _, a := range edited.Animations {
		for _, c := range a.Channels {
			channels[c.Node] = append(channels[c.Node], c)
		}
	}
	edited.Walk(func(n, parent *asset.Node) {
		before, after := turn(parent), turn(n).Inverse()
		if before == mgl64.QuatIdent() && after == before {
			return
		}
		t := &n.Transform
		if t.Matrix != nil {
			*t = scene.TransformOf(scene.Matrix(t))
		}
		if t.Matrix != nil { // it has a shear
			m := scene.NarrowMatrix(before.Mat4().Mul4(scene.Matrix(t)).Mul4(after.Mat4()))
			t.Matrix = &m
			return
		}
		t.Translation = scene.Narrow3(before.Rotate(scene.Wide3(t.Translation)))
		t.Rotation = scene.NarrowTurn(before.Mul(scene.Turn(t.Rotation)).Mul(after))
		for _, c := range channels[n] {
			turnKeys(c, before, after)
		}
	})
}

// turnKeys turns the places and rotations of a channel. Tangents turn alike.
func turnKeys(c *asset.Channel, before, after mgl64.Quat) {
	values := slices.Clone(c.Values)
	switch c.Path {
	case asset.Translation:
		for i := 0; i+3 <= len(values); i += 3 {
			v := scene.Narrow3(before.Rotate(scene.Wide3([3]float32(values[i:]))))
			copy(values[i:], v[:])
		}
	case asset.Rotation:
		for i := 0; i+4 <= len(values); i += 4 {
			q := mgl64.Quat{W: float64(values[i+3]), V: mgl64.Vec3{float64(values[i]), float64(values[i+1]), float64(values[i+2])}}
			v := scene.NarrowTurn(before.Mul(q).Mul(after))
			copy(values[i:], v[:])
		}
	}
	c.Values = values
}

// TakeRest gives animated nodes their stored rest transforms back if an editor has replaced these by the pose that it
// showed while saving ([SavesPose]). A node's transform must be one that an animation of base reaches. now returns the node
// of the edited scene for a node of base, or nil; size is that of the model.
func TakeRest(base, edited *asset.Scene, now func(n *asset.Node) *asset.Node, size float64) {
	if !Does(edited, SavesPose) {
		return
	}
	motions := make([]*scene.Motion, len(base.Animations))
	for i, a := range base.Animations {
		motions[i] = scene.MotionOf(a)
	}
	keys := map[*asset.Node][]*asset.Channel{} // editors show the frames that they write
	for _, a := range edited.Animations {
		for _, c := range a.Channels {
			if scene.Valid(c) {
				keys[c.Node] = append(keys[c.Node], c)
			}
		}
	}
	base.Walk(func(was, _ *asset.Node) {
		n := now(was)
		if n == nil || scene.SameTransform(&was.Transform, &n.Transform, size) {
			return
		}
		for _, m := range motions {
			if !m.Moves(was) {
				continue
			}
			list := m.Channels[was]
			for _, t := range scene.Times(append(keys[n], list[:asset.MorphWeights]...)...) {
				if shown := scene.PoseAt(was, list, t); scene.SamePlace(shown.Matrix(), scene.Matrix(&n.Transform), size) {
					n.Transform = was.Transform
					return
				}
			}
		}
	})
}
