package freelancer

import (
	"maps"
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// animation is a script and the animation that it was lifted to.
type animation struct {
	script *freelancer.Script
	asset  *asset.Animation
	maps   map[*asset.Node]*freelancer.AnimationMap
}

// liftAnimations makes an animation of every script.
func (m *model) liftAnimations() error {
	scripts, err := read.Scripts(m.tree.Root, m.d)
	if err != nil {
		return err
	}
	for _, s := range scripts {
		a := m.liftScript(s)
		m.anims = append(m.anims, a)
		if len(a.asset.Channels) > 0 {
			m.scene.Animations = append(m.scene.Animations, a.asset)
		}
	}
	return nil
}

// scriptFields are those of an animation that a person may edit.
func scriptFields(s *freelancer.Script) scene.Fields {
	return scene.Fields{"rootHeight": &s.RootHeight}
}

func (m *model) liftScript(s *freelancer.Script) *animation {
	a := &animation{script: s, asset: &asset.Animation{Name: s.Name}, maps: map[*asset.Node]*freelancer.AnimationMap{}}
	a.asset.Native = rig.Native(map[string]any{"script": s.Name})
	if s.RootHeight != 0 && s.RootHeight-s.RootHeight == 0 {
		maps.Copy(a.asset.Native.Values, scriptFields(s).Values())
	}
	var unused []*freelancer.AnimationMap
	for _, am := range s.Maps {
		if am.Channel == nil || am.Channel.Frames() == 0 {
			continue
		}
		p := m.target(am)
		if p == nil {
			unused = append(unused, am)
			continue
		}
		if a.maps[p.node] != nil {
			m.d.Warnf("animation-twice", s.Name, "%q is moved by two maps, the first counts", p.name)
			continue
		}
		a.maps[p.node] = am
		a.asset.Channels = append(a.asset.Channels, m.channels(p, am)...)
	}
	if len(unused) > 0 {
		m.d.Warnf("animation-unused", s.Name, "%d of %d tracks move parts that are not there, such as %q on %q", len(unused), len(s.Maps), unused[0].Child, unused[0].Parent)
	}
	if len(a.maps) == 0 {
		return a
	}
	for _, p := range m.parts { // while a script plays, parts that it does not move stand as their joints have them
		if p.posed && a.maps[p.node] == nil {
			t := rig.JointTransform(p.joint)
			a.asset.Channels = append(a.asset.Channels,
				&asset.Channel{Node: p.node, Path: asset.Translation, Times: []float32{0}, Values: t.Translation[:]},
				&asset.Channel{Node: p.node, Path: asset.Rotation, Times: []float32{0}, Values: t.Rotation[:]})
		}
	}
	return a
}

// target returns the part that a map moves.
func (m *model) target(am *freelancer.AnimationMap) *part {
	name := am.Child
	if am.Object {
		name = am.Parent
	}
	for _, p := range m.parts {
		if strings.EqualFold(p.name, name) && (am.Object || p.joint != nil && strings.EqualFold(p.joint.Parent.Name, am.Parent)) {
			return p
		}
	}
	return nil
}

// channels returns the channels of a node. Keys of an angle that are more than a quarter turn apart get keys between
// them, since a rotation in glTF takes the shorter arc.
func (m *model) channels(p *part, am *freelancer.AnimationMap) []*asset.Channel {
	c := am.Channel
	poses := make([]track.Pose, 0, c.Frames())
	skipped, last := 0, 0 // frames that are left out, and the one before that is not
	for i := range c.Frames() {
		t := float64(c.Time(i))
		if math.IsNaN(t) || math.IsInf(t, 0) || t < 0 || len(poses) > 0 && float32(t) <= float32(poses[len(poses)-1].Time) {
			skipped++
			continue
		}
		if len(poses) > 0 && c.Scalars != nil && p.joint != nil && p.joint.Kind != freelancer.Pris {
			poses = append(poses, between(p, c, last, i, poses[len(poses)-1].Time, t)...)
		}
		x := poseOf(p, am, scalar(c, i), c.Position(i), space.Turn(c.Rotation(i)), t)
		if !x.Finite() {
			skipped++
			continue
		}
		poses, last = append(poses, x), i
	}
	if skipped > 0 {
		m.d.Warnf("animation-times", p.name, "%d frames do not come after the ones before them, or hold no numbers", skipped)
	}
	if len(poses) == 0 {
		return nil
	}
	turn := &asset.Channel{Node: p.node, Path: asset.Rotation}
	move := &asset.Channel{Node: p.node, Path: asset.Translation}
	moves, turns := am.Object || c.Type.HasPosition(), am.Object || c.Type.HasRotation()
	if p.joint != nil && c.Scalars != nil {
		moves, turns = p.joint.Kind == freelancer.Pris || p.joint.Offset != [3]float32{}, p.joint.Kind != freelancer.Pris
	}
	if p.joint != nil && p.joint.Kind == freelancer.Sphere && p.joint.Offset != [3]float32{} {
		moves = true
	}
	if p.posed {
		moves, turns = true, true
	}
	for _, x := range poses {
		q, v := scene.NarrowTurn(x.Turn), scene.Narrow3(x.At)
		turn.Times, turn.Values = append(turn.Times, float32(x.Time)), append(turn.Values, q[:]...)
		move.Times, move.Values = append(move.Times, float32(x.Time)), append(move.Values, v[:]...)
	}
	var out []*asset.Channel
	if moves {
		out = append(out, move)
	}
	if turns {
		out = append(out, turn)
	}
	return out
}

func scalar(c *freelancer.Channel, i int) float64 {
	if i < len(c.Scalars) {
		return float64(c.Scalars[i])
	}
	return 0
}

// between returns the poses between two frames of an angle that sweeps more than a quarter turn. The angle takes the short
// way round while both ends lie within half a turn, as the game stores it.
func between(p *part, c *freelancer.Channel, last, i int, from, to float64) (poses []track.Pose) {
	a := scalar(c, last)
	sweep := sweep(a, scalar(c, i))
	if sweep-sweep != 0 {
		return nil
	}
	n := int(math.Ceil(math.Abs(sweep) / (math.Pi / 2)))
	for k := 1; k < min(n, 64); k++ {
		f := float64(k) / float64(n)
		poses = append(poses, poseOf(p, &freelancer.AnimationMap{Channel: c}, a+sweep*f, [3]float32{}, mgl64.QuatIdent(), from+(to-from)*f))
	}
	return poses
}

func sweep(a, b float64) float64 {
	if math.Abs(a) <= math.Pi+1e-4 && math.Abs(b) <= math.Pi+1e-4 {
		return math.Remainder(b-a, 2*math.Pi)
	}
	return b - a
}

// poseOf composes a joint with what a frame holds (reference section 7.3).
func poseOf(p *part, am *freelancer.AnimationMap, s float64, pos [3]float32, q mgl64.Quat, t float64) track.Pose {
	j := p.joint
	if am.Object || j == nil {
		return track.Pose{Time: t, At: scene.Wide3(pos), Turn: q}
	}
	rest := space.Quat(space.Rotation(j.Rotation))
	origin, offset := scene.Wide3(j.Origin), scene.Wide3(j.Offset)
	drive := q
	switch j.Kind {
	case freelancer.Rev, freelancer.Cyl:
		drive = axisTurn(scene.Wide3(j.Axis), s)
	case freelancer.Pris:
		drive = mgl64.QuatIdent()
		origin = origin.Add(scene.Wide3(j.Axis).Mul(s))
	default:
		origin = origin.Add(scene.Wide3(pos))
	}
	turn := drive.Mul(rest).Normalize()
	return track.Pose{Time: t, At: origin.Sub(turn.Rotate(offset)), Turn: turn}
}

func axisTurn(axis mgl64.Vec3, angle float64) mgl64.Quat {
	if axis.Len() < 1e-9 {
		return mgl64.QuatIdent()
	}
	return mgl64.QuatRotate(angle, axis.Normalize())
}
