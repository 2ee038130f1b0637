package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// maxFrames bounds the length of a clip that is sampled from a foreign animation: half an hour.
const maxFrames = 1 << 16

// lowerAnim makes a clip of an animation. Of a clip that liftAnim made, tracks that nobody changed come out as they were
// stored; changed ones are sampled at the times of the stored keys. A foreign animation is sampled every 33 ms
// (reference section 7.3).
func lowerAnim(s *asset.Scene, env *format.Env) (*ultima9.Anim, error) {
	d := env.Told()
	if err := scene.Lost(s, &animRoom, d); err != nil {
		return nil, err
	}
	a, err := chooseAnimation(s, env)
	if err != nil {
		return nil, err
	}
	tellOfClip(s, a, d)
	tellOfStage(s, a, d)
	scene.TellJumps([]*asset.Animation{a}, scene.Size(s), "", animRoom.Target, d)
	l := &animLowerer{scene: s, env: env, tracks: map[int]*track{}}
	if err := l.collect(a); err != nil {
		return nil, err
	}
	if n := a.Native; n != nil && n.Format == AnimName && len(n.Payload) > 0 {
		stored, err := read.Anim(n.Payload, nil)
		if err != nil {
			return nil, err
		}
		events := stored.Events
		if err := takeAnimValues(stored, n); err != nil {
			return nil, err
		}
		l.eventsEdited = !slices.Equal(events, stored.Events)
		return l.update(stored)
	}
	if slices.ContainsFunc(s.Roots, stagedRoot) && !d.Has(restore.NoExtras) {
		d.Warnf(restore.NoExtras, a.Name, "the Custom Properties (extras) of the animation are gone: the clip is made anew, without its events, number and source; tick Include › Custom Properties in Blender")
	}
	return l.foreign(a)
}

// animRoom is what a clip can hold of a scene: places and turns of limbs. Which channels those are is told by collect.
var animRoom = scene.Capabilities{
	Target: "a clip of Ultima IX", Format: AnimName, Bare: true,
	Levels: math.MaxInt32, Coverage: true, Animations: true, Paths: [4]bool{true, true, true, true},
}

// tellOfClip reports what somebody did to a clip of ours that it cannot hold: a name, and things to see.
func tellOfClip(s *asset.Scene, a *asset.Animation, d *schema.Diagnostics) {
	if a.Native == nil || a.Native.Format != AnimName {
		return
	}
	var r scene.Renames
	if was := scene.ShownText(a.Native, nameKey); was != "" {
		r.Check(was, a.Name)
	}
	r.CheckCalled(s, AnimName)
	r.CheckCalled(s, SappearName)
	r.Tell(d, "a clip holds no name, only its number and source")
	added, first := 0, ""
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil && n.Native == nil && n.Mesh.Native == nil && !namePattern().MatchString(n.Name) {
			if added++; added == 1 {
				first = n.Name
			}
		}
	})
	if added > 0 {
		d.Lossf("mesh", first, "%d meshes are left out: a clip holds the motion of limbs only, and their model is a record of its own", added)
	}
}

// stagedRoot reports whether a node, or one that an editor put it below, is the bare root that liftAnim gives to a clip.
func stagedRoot(n *asset.Node) bool {
	return strings.HasPrefix(n.Name, "u9_") && isRoot(n) || len(n.Children) == 1 && stagedRoot(n.Children[0])
}

func chooseAnimation(s *asset.Scene, env *format.Env) (*asset.Animation, error) {
	if n := s.Native; len(s.Animations) == 0 && n != nil && n.Format == AnimName {
		env.Told().Warnf("animation-kept", s.Name, "the scene has no animation any more; that of the clip, which moves nothing, stays")
		return &asset.Animation{Name: scene.ShownText(n, nameKey), Native: n}, nil
	}
	if len(s.Animations) == 0 {
		return nil, schema.Errorf(AnimName, schema.ErrValue, "animation", "the scene has none")
	}
	if env != nil && env.Options.Animation != "" {
		for _, a := range s.Animations {
			if a.Name == env.Options.Animation {
				return a, nil
			}
		}
		return nil, schema.Errorf(AnimName, schema.ErrValue, "animation", "there is none called %q", env.Options.Animation)
	}
	chosen := s.Animations[0]
	for _, a := range s.Animations {
		if a.Native != nil && a.Native.Format == AnimName {
			chosen = a
			break
		}
	}
	if len(s.Animations) > 1 {
		env.Told().Lossf("animations", "", "a clip is one animation: %q of %d is taken", chosen.Name, len(s.Animations))
	}
	return chosen, nil
}

// track is what an animation does to a limb.
type track struct {
	id         int
	node       *asset.Node
	metres     bool // the node's numbers are metres, Y up
	turn, move *asset.Channel
}

type animLowerer struct {
	scene    *asset.Scene
	env      *format.Env
	tracks   map[int]*track
	order    []int // ids, as the channels come
	duration float64
	names    map[int32]string // of registry.txt

	eventsEdited bool
}

// collect sorts the channels by limb.
func (l *animLowerer) collect(a *asset.Animation) error {
	ours := a.Native != nil && a.Native.Format == AnimName
	raw := map[*asset.Node]bool{} // nodes whose numbers are raw units
	l.scene.Walk(func(n, parent *asset.Node) {
		raw[n] = ours || isRoot(n) || parent != nil && raw[parent]
	})
	ids := map[*asset.Node]int{}
	for id, n := range limbNodes(l.scene) {
		ids[n] = id
	}
	for _, c := range a.Channels {
		if err := checkChannel(c); err != nil {
			return err
		}
		id, ok := ids[c.Node]
		if !ok {
			id, ok = l.idByName(c.Node.Name)
		}
		if !ok || c.Path == asset.Scale || c.Path == asset.MorphWeights {
			l.env.Told().Lossf("channel", c.Node.Name, "this channel moves no limb, or what a clip cannot move")
			continue
		}
		t := l.tracks[id]
		if t == nil {
			t = &track{id: id, node: c.Node, metres: !raw[c.Node]}
			l.tracks[id] = t
			l.order = append(l.order, id)
		}
		if c.Path == asset.Rotation {
			t.turn = c
		} else {
			t.move = c
		}
		l.duration = max(l.duration, float64(c.Times[len(c.Times)-1]))
	}
	return nil
}

// isRoot reports whether a node is the root of a model of ours, wherever somebody moved it: the nodes below are in raw
// units.
func isRoot(n *asset.Node) bool {
	p, _ := scene.PoseOf(&n.Transform)
	return n.Native != nil && n.Native.Format == SappearName || scene.SameValue(asset.Scale, RootTransform.Scale[:], p.Scale[:], 1)
}

// checkChannel refuses a channel that cannot be sampled.
func checkChannel(c *asset.Channel) error {
	width := map[asset.Path]int{asset.Rotation: 4, asset.Translation: 3, asset.Scale: 3}[c.Path]
	if c.Node == nil || len(c.Times) == 0 || width > 0 && c.Width() != width {
		return schema.Errorf(AnimName, schema.ErrValue, "channel", "%d times and %d values", len(c.Times), len(c.Values))
	}
	for i, t := range c.Times {
		if !isFinite(t) || t < 0 || i > 0 && t <= c.Times[i-1] {
			return schema.Errorf(AnimName, schema.ErrValue, "channel", "time %v at key %d", t, i)
		}
	}
	return nil
}

// registry returns the names of registry.txt, which lies beside the archives.
func (l *animLowerer) registry() map[int32]string {
	if l.names == nil {
		l.names = map[int32]string{}
		if b, _, err := l.env.Find("registry.txt"); err == nil {
			if r, err := read.Registry(b, nil); err == nil {
				l.names = r.Names()
			}
		}
	}
	return l.names
}

func (l *animLowerer) idByName(name string) (int, bool) {
	for id, n := range l.registry() {
		if strings.EqualFold(n, name) {
			return int(id), true
		}
	}
	return 0, false
}

// takeAnimValues takes over what a person may have changed in a clip's values.
func takeAnimValues(a *ultima9.Anim, n *asset.Native) error {
	start := a.Start
	if err := clipFields(a).Take(AnimName, "", n); err != nil {
		return err
	}
	a.End += a.Start - start
	list, there := n.Values["events"]
	if !there {
		return nil
	}
	events, ok := list.([]any)
	if !ok {
		return schema.Errorf(AnimName, schema.ErrValue, "events", "%v is no list of events", list)
	}
	taken := make([]ultima9.AnimEvent, len(events))
	for i, e := range events {
		if err := eventFields(&taken[i]).TakeObject(AnimName, fmt.Sprintf("event %d", i), e); err != nil {
			return err
		}
	}
	a.Events = taken
	return nil
}

// update changes the tracks of a stored clip that are not what they were.
func (l *animLowerer) update(a *ultima9.Anim) (*ultima9.Anim, error) {
	if len(l.tracks) > 0 && math.Abs(l.duration-l.storedLength(a)) > l.lengthTolerance() {
		if err := l.resize(a); err != nil {
			return nil, err
		}
	}
	done := map[int]bool{}
	nodes := limbNodes(l.scene)
	l.tellMissing(a, nodes)
	defer l.tellRest(a, nodes, l.moved(a, nodes))
	for i := range a.Parts {
		p := &a.Parts[i]
		t := l.tracks[int(p.ID)]
		if n := nodes[int(p.ID)]; t == nil && n != nil && len(l.tracks) > 0 { // it stays at rest
			t = &track{id: int(p.ID), node: n}
		}
		if t == nil || done[t.id] {
			continue
		}
		done[t.id] = true
		l.updatePart(p, t)
	}
	for _, id := range l.order {
		if !done[id] {
			times := frameTimes(a)
			a.Parts = append(a.Parts, l.part(l.tracks[id], times))
			at := min(len(a.Parts)-1, len(a.Registry))
			a.Registry = slices.Insert(slices.Clone(a.Registry), at, int32(id))
			l.env.Told().Notef("part-new", "", "limb %d gets a track", id)
		}
	}
	return a, nil
}

// lengthTolerance is how much shorter or longer an animation may be and still have its length: half a frame, or what an
// editor cuts off that has keys at whole frames of its own only.
func (l *animLowerer) lengthTolerance() float64 {
	most := float64(ultima9.AnimInterval) / 2000
	for _, t := range l.tracks {
		for _, c := range [2]*asset.Channel{t.turn, t.move} {
			if c != nil && len(c.Times) > 1 {
				gap := float64(c.Times[len(c.Times)-1]) - float64(c.Times[len(c.Times)-2])
				most = max(most, min(gap, longGap))
			}
		}
	}
	return most
}

// storedLength returns the time of the last key of the tracks that the scene shows.
func (l *animLowerer) storedLength(a *ultima9.Anim) (length float64) {
	seen := map[int32]bool{} // of several parts with one id the first is shown
	for i := range a.Parts {
		p := &a.Parts[i]
		if seen[p.ID] {
			continue
		}
		seen[p.ID] = true
		if l.tracks[int(p.ID)] != nil && len(p.Frames) > 0 {
			times := partTimes(p, nil)
			length = max(length, float64(times[len(times)-1]))
		}
	}
	return length
}

// frameTimes returns the times of a clip's frames in milliseconds.
func frameTimes(a *ultima9.Anim) []int32 {
	for i := range a.Parts {
		if frames := a.Parts[i].Frames; len(frames) > 0 {
			times := make([]int32, len(frames))
			for k := range times {
				times[k] = frames[k].Time
			}
			return times
		}
	}
	return evenTimes(min(max(int(a.FrameCount), 1), maxFrames))
}

func evenTimes(n int) []int32 {
	times := make([]int32, n)
	for i := range times {
		times[i] = int32(i * ultima9.AnimInterval)
	}
	return times
}

// frameCount returns how many frames the visible animation fills.
func (l *animLowerer) frameCount() (int, error) {
	n := math.Round(l.duration*1000/ultima9.AnimInterval) + 1
	if n > maxFrames {
		return 0, schema.Errorf(AnimName, schema.ErrLimit, "frame count", "%.0f frames, at most %d", n, maxFrames)
	}
	return int(n), nil
}

// resize gives all tracks of a stored clip the length of the visible animation. Tracks that nobody sees keep their
// frames, the last one repeated.
func (l *animLowerer) resize(a *ultima9.Anim) error {
	n, err := l.frameCount()
	if err != nil {
		return err
	}
	if n*len(a.Parts) > 64*maxFrames {
		return schema.Errorf(AnimName, schema.ErrLimit, "frame count", "%d frames of %d parts", n, len(a.Parts))
	}
	l.env.Told().Notef("length", "", "the clip has %d frames, had %d", n, a.FrameCount)
	times := evenTimes(n)
	before := frameTimes(a)
	l.moveEvents(a, before[len(before)-1], times[n-1])
	for i := range a.Parts {
		p := &a.Parts[i]
		frames := make([]ultima9.AnimFrame, n)
		for k := range frames {
			if len(p.Frames) > 0 {
				frames[k] = p.Frames[min(k, len(p.Frames)-1)]
			}
			frames[k].Time = times[k]
		}
		p.Frames = frames
	}
	a.FrameCount, a.End = int32(n), a.Start+int32(n)-1
	return nil
}

// moveEvents moves the event at the end of a clip to the new end, and reports events that are now after it. Events that
// somebody has set stay.
func (l *animLowerer) moveEvents(a *ultima9.Anim, was, now int32) {
	if l.eventsEdited {
		return
	}
	a.Events = slices.Clone(a.Events)
	for i := range a.Events {
		switch e := &a.Events[i]; {
		case e.Type == ultima9.EventEnd:
			e.Time = max(e.Time+now-was, 0)
		case e.Time > now && e.Time <= was:
			l.env.Told().Warnf("event-late", "", "the event at %d ms comes after the end of the clip at %d ms", e.Time, now)
		}
	}
}

// longGap is the longest time between keys, in seconds, that sampling an animation leaves: editors do at least 20 frames
// a second.
const longGap = 0.051

// updatePart takes over the visible track where it differs from the stored one.
func (l *animLowerer) updatePart(p *ultima9.AnimPart, t *track) {
	before := partChannels(p, t.node, nil)
	if len(before) == 0 {
		return
	}
	size := l.size()
	turns := l.updateChannel(before[0], t.turn, size, func(i int, at float64) {
		q := t.rotation(at)
		p.Frames[i].Rotation = [4]float32{q[3], q[0], q[1], q[2]}
	})
	moves := 0
	switch {
	case p.Moves():
		moves = l.updateChannel(before[1], t.move, size, func(i int, at float64) { p.Frames[i].Position = t.position(at) })
	case t.move != nil && !scene.Still(scene.CurveOf(t.node, asset.Translation, t.move), size):
		l.env.Told().Lossf("translation", t.node.Name, "the game moves the pelvis only: the positions of part %d %q stay", p.ID, p.Name)
	}
	if turns+moves > 0 {
		l.env.Told().Notef("track-edited", p.Name, "part %d has %d new values", p.ID, turns+moves)
	}
}

// size returns how large what the clip moves is, in raw units: without its model a person.
func (l *animLowerer) size() float64 {
	const person = 2 // metres
	return max(scene.Size(l.scene), person) * ultima9.RawPerMetre
}

// updateChannel sets the values of a stored channel at which the visible one is another, and returns how many those are. A
// clip blends straight between its frames, so that what was edited there alone is lost.
func (l *animLowerer) updateChannel(stored, visible *asset.Channel, size float64, set func(i int, at float64)) (n int) {
	c := scene.Compare(stored.Path, scene.CurveOf(stored.Node, stored.Path, stored), scene.CurveOf(stored.Node, stored.Path, visible), size)
	if c.Unedited() {
		return 0
	}
	for i, at := range stored.Times {
		if c.EditedAt(float64(at)) {
			set(i, float64(at))
			n++
		}
	}
	if n == 0 || scene.FramesMiss(scene.CurveOf(stored.Node, stored.Path, visible), 1000.0/ultima9.AnimInterval, size, c.SameAt) {
		l.env.Told().Lossf("track-bends", stored.Node.Name, "the animation was edited between the frames of the clip, where it blends straight (no cubic curves): that is left out")
	}
	return n
}

// rotation returns where the track, or the node at rest, turns the limb at a time in seconds.
func (t *track) rotation(at float64) [4]float32 {
	q := UnitQuaternion([4]float32(scene.Narrow(scene.CurveOf(t.node, asset.Rotation, t.turn).At(at, nil))))
	if t.metres {
		return toRaw(asset.Transform{Rotation: q}).Rotation
	}
	return q
}

// position is rotation for places.
func (t *track) position(at float64) [3]float32 {
	p := [3]float32(scene.Narrow(scene.CurveOf(t.node, asset.Translation, t.move).At(at, nil)))
	if t.metres {
		return rawPoint(p)
	}
	return p
}
