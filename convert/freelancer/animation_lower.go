package freelancer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// lowerAnimations updates the scripts to the scene's animations. Only edited channels are stored anew.
func (e *editor) lowerAnimations() error {
	byName := map[string][]*asset.Animation{}
	done := map[*asset.Animation]bool{}
	for _, a := range e.edited.Animations {
		name := a.Name
		if name == defaultPose && a.Native == nil {
			done[a] = true
			continue
		}
		if s, ok := rig.Values(a.Native)["script"].(string); ok {
			name = s
		}
		byName[name] = append(byName[name], a)
	}
	scene.TellJumps(e.edited.Animations, e.size, "", "the game", e.d)
	renamed := e.changed
	shown, names := make([]*asset.Animation, len(e.anims)), scriptNames{}
	for i, a := range e.anims {
		if list := byName[a.script.Name]; len(list) > 0 { // scripts of one name are shown in their order
			shown[i], byName[a.script.Name] = list[0], list[1:]
		}
		if now := shown[i]; now == nil && !e.dropsScript(a) || now != nil && !a.renamed(now) {
			names[strings.ToLower(a.script.Name)] = true
		}
	}
	for i, a := range e.anims {
		now := shown[i]
		if now == nil {
			if err := e.lowerUnseen(a, renamed); err != nil {
				return err
			}
			continue
		}
		done[now] = true
		edited := e.lowerScript(a, now)
		facts, err := e.lowerScriptFacts(a, now, names)
		if err != nil {
			return err
		}
		if facts || edited || renamed {
			if err := write.Script(e.tree.Root, a.script); err != nil {
				return err
			}
		}
	}
	for _, now := range e.edited.Animations {
		if done[now] {
			continue
		}
		name := now.Name
		if name == "" {
			name = "Sc_animation"
		}
		a := &animation{script: &freelancer.Script{Name: name}, asset: &asset.Animation{}, maps: map[*asset.Node]*freelancer.AnimationMap{}}
		if e.lowerScript(a, now); len(a.script.Maps) == 0 {
			e.d.Lossf("animation-empty", name, "none of its channels moves a part")
			continue
		}
		a.script.Name = e.freeScript(name, names)
		if err := write.Script(e.tree.Root, a.script); err != nil {
			return err
		}
	}
	return nil
}

// scriptNames are those of the scripts that a file has, in lower case.
type scriptNames map[string]bool

// freeScript returns a name for a script that no other one has: the game finds scripts by their names.
func (e *editor) freeScript(want string, taken scriptNames) string {
	name := want
	for k := 2; taken[strings.ToLower(name)]; k++ {
		name = fmt.Sprintf("%s_%d", want, k)
	}
	taken[strings.ToLower(name)] = true
	if name != want {
		e.d.Warnf("animation-renamed", want, "there is an animation of that name already, and this one is called %q: the game finds one of a name", name)
	}
	return name
}

// renamed reports whether the animation that shows a script has another name.
func (a *animation) renamed(now *asset.Animation) bool {
	return now.Name != "" && now.Name != a.asset.Name
}

// dropsScript reports whether a script goes that the edited scene has no animation for: it was shown, and the scene has others.
func (e *editor) dropsScript(a *animation) bool {
	return len(a.asset.Channels) > 0 && !e.hidden && len(e.edited.Animations) > 0
}

// lowerOwnAnimations brings the scripts of a character in line. The game takes a character's motions from .anm files: one
// that has none of its own gets those alone that the user asks for by name, or all with "*".
func (e *editor) lowerOwnAnimations(asked string) error {
	if len(e.anims) > 0 || asked == "*" {
		return e.lowerAnimations()
	}
	all := e.edited.Animations
	defer func() { e.edited.Animations = all }() // the scene is the caller's
	var names []string
	e.edited.Animations = slices.DeleteFunc(slices.Clone(e.edited.Animations), func(a *asset.Animation) bool {
		if a.Name != asked {
			names = append(names, a.Name)
		}
		return a.Name != asked
	})
	if len(names) > 0 {
		e.d.Hint(": convert to .anm as well, or ask for it here with --animation: %s", strings.Join(names, ", ")).Lossf("animation-elsewhere", e.stem, "characters take their motions from .anm files")
	}
	return e.lowerAnimations()
}

// lowerUnseen brings a script in line that the edited scene has no animation for.
func (e *editor) lowerUnseen(a *animation, renamed bool) error {
	if e.dropsScript(a) {
		e.tree.Root.Find("Animation/Script").Remove(a.script.Node)
		e.d.Notef("animation-removed", a.script.Name, "the animation is not in the scene any more")
		return nil
	} else if len(a.asset.Channels) > 0 && !e.hidden {
		e.d.Warnf("animation-kept", a.script.Name, "the scene has no animations at all; the file keeps its own")
	}
	if renamed {
		return write.Script(e.tree.Root, a.script)
	}
	return nil
}

// lowerScriptFacts takes over a new name and a new height of the root, and reports whether there is one.
func (e *editor) lowerScriptFacts(a *animation, now *asset.Animation, names scriptNames) (changed bool, err error) {
	s := a.script
	if a.renamed(now) {
		name := e.freeScript(now.Name, names)
		if name == now.Name {
			e.d.Notef("animation-renamed", s.Name, "the animation is called %q now", name)
		}
		s.Name, s.Node.Name, changed = name, name, true
	}
	was := s.RootHeight
	err = scriptFields(s).Take(freelancer.Format, "animation "+s.Name, now.Native)
	return changed || s.RootHeight != was, err
}

// lowerScript compares motion by motion and reports whether any differed.
func (e *editor) lowerScript(a *animation, now *asset.Animation) bool {
	base, _ := track.Of(a.asset)
	edited, order := track.Of(now)
	changed := false
	for _, n := range order {
		p := e.partOf[n]
		if p == nil && track.Still(edited[n], n, e.size) {
			continue
		}
		if p == nil {
			e.d.Lossf("animation-target", now.Name, "%q is no part, so it cannot move", n.Name)
			continue
		}
		was, t := base[p.node], e.inParent(p, n, edited[n])
		if am := a.maps[p.node]; was != nil && p.moved && am != nil { // frames are what they add to the joint
			if was = e.trackOf(p, am, am.Channel); track.Shows(am.Channel, was, t, n, n) {
				continue
			}
		} else if was != nil {
			if move, turn := track.Compare(was, t, p.node, n, e.size); move.Unedited() && turn.Unedited() {
				continue
			}
		}
		if was == nil && !p.posed && !e.bare && track.Still(edited[n], n, e.size) { // editors write channels for everything
			continue
		}
		changed = true
		e.lowerTrack(a, p, n, was, t)
	}
	tidied := restore.Does(e.edited, restore.DropsUnused) // then what leaves a part at rest is missing, and nobody took it away
	for node, am := range a.maps {
		if base[node] == nil || tidied && track.Still(base[node], node, e.size) {
			continue // no channel shows it: it holds events, or nothing that glTF can
		}
		for _, p := range e.parts {
			if p.node == node && edited[e.nodeOf[p]] == nil {
				changed = true
				a.script.Maps = slices.DeleteFunc(a.script.Maps, func(m *freelancer.AnimationMap) bool { return m == am })
				a.script.Node.Remove(am.Node)
			}
		}
	}
	return changed
}

// inParent returns a node's track in the space of the part that its part hangs on, where nodes between the two turn,
// move or scale it.
func (e *editor) inParent(p *part, n *asset.Node, t *track.Track) *track.Track {
	frame := mgl64.Ident4()
	if q := e.partParent(p); q != nil {
		known := false
		if frame, known = e.frames[q]; !known {
			frame = space.Rigid(space.World(e.nodeOf[q], e.parentOf))
		}
	}
	m := frame.Inv().Mul4(space.World(e.parentOf[n], e.parentOf))
	if space.Near(m, mgl64.Ident4()) || p.parent != nil && space.Near(m, e.skew(p.parent)) {
		return t
	}
	turn := mgl64.Mat4ToQuat(space.Rigid(m)).Normalize()
	out := &track.Track{Move: &asset.Channel{Node: n, Path: asset.Translation}, Turn: &asset.Channel{Node: n, Path: asset.Rotation}}
	for _, k := range scene.FrameTimes(t.Move, t.Turn) {
		x := t.Pose(n, k)
		v, q := scene.Narrow3(mgl64.TransformCoordinate(x.At, m)), scene.NarrowTurn(turn.Mul(x.Turn))
		out.Move.Times, out.Move.Values = append(out.Move.Times, float32(k)), append(out.Move.Values, v[:]...)
		out.Turn.Times, out.Turn.Values = append(out.Turn.Times, float32(k)), append(out.Turn.Values, q[:]...)
	}
	return out
}

// lowerTrack stores the motion of a part: in the frames that there are, or in new ones, as an angle or a distance where
// its joint allows no more, else as places.
func (e *editor) lowerTrack(a *animation, p *part, n *asset.Node, was, now *track.Track) {
	keys := scene.FrameTimes(now.Move, now.Turn)
	poses := make([]track.Pose, len(keys))
	for i, k := range keys {
		poses[i] = now.Pose(n, k)
	}
	am := a.maps[p.node]
	if p.joint != nil && p.joint.Kind == freelancer.Fix {
		if e.fixed {
			e.d.Lossf("animation-fixed", a.script.Name, "%q cannot move: the model joins it to %q firmly", p.name, p.joint.Parent.Name)
			return
		}
		e.loosen(p, poses)
	}
	if am == nil {
		am = &freelancer.AnimationMap{Object: p.joint == nil, Parent: p.name}
		if p.joint != nil {
			am.Parent, am.Child = p.joint.Parent.Name, p.name
		}
		a.script.Maps = append(a.script.Maps, am)
	}
	said := e.reportLimits(p, am, a.script.Name, poses)
	if e.editFrames(p, am, n, was, now) {
		return
	}
	blends := was != nil && restore.Does(e.edited, restore.BlendsTurns) // it was between other keys as well
	am.Channel = e.channel(p, am, track.Thinned(poses, blends))
	if t := e.trackOf(p, am, am.Channel); !said && p.joint != nil && !track.Shows(am.Channel, t, now, n, n) {
		e.d.Lossf("animation-joint", a.script.Name, "%q moves in a way that its joint (%s) does not: the part of it along the axis is kept", p.name, rig.Constructs[p.joint.Kind])
	}
}

// reportLimits tells when a joint does not allow all of a motion, and whether it told.
func (e *editor) reportLimits(p *part, am *freelancer.AnimationMap, script string, poses []track.Pose) bool {
	j := p.joint
	if j == nil || am.Object || j.Kind == freelancer.Loose || j.Kind == freelancer.Pris || j.Kind == freelancer.Cyl {
		return false
	}
	rest := scene.Wide3(j.Origin)
	for i := range poses {
		at := poses[i].At.Add(poses[i].Turn.Rotate(scene.Wide3(j.Offset)))
		if at.Sub(rest).Len() > 1e-3*max(1, rest.Len()) {
			e.d.Lossf("animation-place", script, "%q moves, but its joint (%s) only turns: the turning is kept", p.name, rig.Constructs[j.Kind])
			return true
		}
	}
	return false
}

// loosen replaces a fixed joint by the simplest one that allows a motion: about one axis, along one, or any.
func (e *editor) loosen(p *part, poses []track.Pose) {
	e.changed = true
	j := p.joint
	defer func() {
		e.d.Notef("joint-loosened", p.name, "the part moves: its joint becomes %q", rig.Constructs[j.Kind])
	}()
	rest, origin := space.Quat(space.Rotation(j.Rotation)), scene.Wide3(j.Origin)
	still, straight := true, true
	var axis, way mgl64.Vec3
	one := true
	for _, x := range poses {
		d := x.At.Sub(origin)
		if d.Len() > 1e-4 {
			still = false
			if way.Len() == 0 {
				way = d.Normalize()
			}
			straight = straight && d.Cross(way).Len() < 1e-3*max(1, d.Len())
		}
		q := x.Turn.Mul(rest.Inverse()).Normalize()
		if v := q.V; v.Len() > 1e-4 {
			if axis.Len() == 0 {
				axis = v.Normalize()
			}
			one = one && v.Cross(axis).Len() < 1e-3
		}
	}
	switch {
	case still && one && axis.Len() > 0:
		j.SetKind(freelancer.Rev)
		j.Axis = scene.Narrow3(axis)
	case axis.Len() == 0 && straight && way.Len() > 0:
		j.SetKind(freelancer.Pris)
		j.Axis = scene.Narrow3(way)
	default:
		j.SetKind(freelancer.Loose)
		return
	}
	lo, hi := 0.0, 0.0
	for _, s := range scalarsOf(j, poses) {
		lo, hi = min(lo, s), max(hi, s)
	}
	j.Min[0], j.Max[0] = float32(lo), float32(hi)
}

// scalarOf returns the angle or distance of a joint in a pose.
func scalarOf(j *freelancer.Joint, x *track.Pose) float64 {
	axis := scene.Wide3(j.Axis)
	if axis.Len() < 1e-9 {
		return 0
	}
	if j.Kind == freelancer.Pris {
		at := x.At.Add(x.Turn.Rotate(scene.Wide3(j.Offset)))
		return at.Sub(scene.Wide3(j.Origin)).Dot(axis) / axis.Dot(axis)
	}
	q := x.Turn.Mul(space.Quat(space.Rotation(j.Rotation)).Inverse()).Normalize()
	return math.Remainder(2*math.Atan2(q.V.Dot(axis.Normalize()), q.W), 2*math.Pi)
}

// scalarsOf returns the angles or distances of a joint in poses that follow each other: angles go on where a full turn ends.
func scalarsOf(j *freelancer.Joint, poses []track.Pose) (list []float64) {
	last := 0.0
	for i := range poses {
		s := scalarOf(j, &poses[i])
		if j.Kind != freelancer.Pris {
			s = last + math.Remainder(s-last, 2*math.Pi)
		}
		list, last = append(list, s), s
	}
	return list
}

// channel stores poses in the terms of a joint. Times are stored with each frame.
func (e *editor) channel(p *part, am *freelancer.AnimationMap, poses []track.Pose) *freelancer.Channel {
	c := &freelancer.Channel{Count: uint32(len(poses)), Interval: -1}
	if am.Channel != nil {
		c.HeaderTail, c.Tail = am.Channel.HeaderTail, am.Channel.Tail
	}
	j := p.joint
	scalars := j != nil && !am.Object && (j.Kind == freelancer.Rev || j.Kind == freelancer.Pris || j.Kind == freelancer.Cyl)
	c.Type = freelancer.ChannelPosition | freelancer.ChannelQuaternion
	switch {
	case scalars:
		c.Type = freelancer.ChannelScalar
	case j != nil && j.Kind == freelancer.Sphere && !am.Object:
		c.Type = freelancer.ChannelQuaternion
	}
	for i := range poses {
		c.Times = append(c.Times, float32(poses[i].Time))
	}
	if scalars {
		for _, s := range scalarsOf(j, poses) {
			c.Scalars = append(c.Scalars, float32(s))
		}
		return c
	}
	for i := range poses {
		x := &poses[i]
		place, turn := drive(j, am, x)
		if c.Type&freelancer.ChannelPosition != 0 {
			c.Positions = append(c.Positions, scene.Narrow3(place))
		}
		c.Quaternions = append(c.Quaternions, stored(turn))
	}
	return c
}
