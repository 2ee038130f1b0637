package mesh

import (
	"math"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// lowerMotions brings the Animation of a mesh in line with the animations of a scene. Motions that nobody edited stay
// as they are stored, bone by bone; sequences that the scene does not show stay too. A mesh without an Animation, or
// with one of another package, gets its own when it needs it.
func lowerMotions(pkg *pack.File, m *unreal.SkeletalMesh, s *asset.Scene, r *skeleton.Rig, env *format.Env) error {
	if len(s.Animations) == 0 || len(r.Bones) == 0 {
		return nil
	}
	owner, at := pkg.Resolve(m.Animation)
	if owner == nil && m.Animation != 0 {
		env.Told().Lossf("animation-elsewhere", m.Path, "the motions are in %s, which is not at hand: they stay as they are", pkg.RefText(m.Animation))
		return nil
	}
	e := &animationEdit{File: pkg, mesh: m, rig: r, env: env, owner: owner}
	if err := e.load(at); err != nil {
		return err
	}
	used := map[int]bool{}
	for _, x := range s.Animations {
		if err := e.lower(x, used); err != nil {
			return err
		}
	}
	if !e.changed {
		return nil
	}
	if owner == pkg {
		return pkg.Store(at, e.stored)
	}
	return addAnimation(pkg, m, animationName(s, env), e.stored)
}

// animationEdit is an Animation that a scene is held against.
type animationEdit struct {
	*pack.File
	mesh    *unreal.SkeletalMesh
	rig     *skeleton.Rig // of the scene
	env     *format.Env
	owner   *pack.File // of the Animation; nil when it is new
	stored  *unreal.Animation
	shown   []*asset.Animation // what lift shows of it
	moves   []int              // the moves that these are
	wasRig  *skeleton.Rig
	number  []int // of the scene's bones in the mesh
	size    float64
	changed bool
}

// load reads the Animation and what it shows, or makes an empty one. One of another package is copied.
func (e *animationEdit) load(at int) error {
	scene, err := skeletalScene(e.File, e.mesh, nil)
	if err != nil {
		return err
	}
	if e.wasRig, err = skeleton.RigOf(scene, &e.mesh.Mesh, nil); err != nil {
		return err
	}
	e.number, _ = e.rig.Numbers(e.wasRig)
	e.size = e.wasRig.Size()
	if e.owner == nil {
		e.stored = &unreal.Animation{Object: unreal.Object{Context: &unreal.Context{Package: e.Package, Class: "Animation"}, End: e.AddName("None")}}
		return nil
	}
	x, err := pack.As[unreal.Animation](e.owner, at)
	if err != nil {
		return err
	}
	if x == nil {
		return schema.Errorf(skeleton.Name, schema.ErrMismatch, "animation", "%s is no Animation", e.RefText(e.mesh.Animation))
	}
	e.shown, e.moves = motionsOf(e.owner, x, e.Package, e.mesh, scene.Skins[0].Joints)
	if e.stored = x; e.owner != e.File {
		e.Adopt(x, e.owner)
	}
	return nil
}

// lower stores an animation, in place of the one with its name.
func (e *animationEdit) lower(x *asset.Animation, used map[int]bool) error {
	now, err := e.rig.Motions(x, e.env.Told())
	if err != nil {
		return err
	}
	if now == nil {
		e.env.Told().Lossf("animation", x.Name, "it moves no bone")
		return nil
	}
	for i, old := range e.shown {
		if !used[i] && strings.EqualFold(old.Name, x.Name) {
			used[i] = true
			pack.TellSpelling(e.env.Told(), x.Name, old.Name)
			was, err := e.wasRig.Motions(old, nil)
			if err != nil {
				return err
			}
			e.update(e.moves[i], now, was)
			return nil
		}
	}
	e.add(x.Name, now)
	return nil
}

// update stores the motions of the bones that move another way now.
func (e *animationEdit) update(move int, now, was []skeleton.Motion) {
	m := &e.stored.Moves[move]
	for i := range now {
		k := e.number[i]
		if k < 0 || now[i].Same(&was[k], e.size) {
			continue
		}
		e.setTrack(e.track(m, e.bone(k)), &now[i], k == 0)
		e.changed = true
	}
	length, old := lengthOf(now), lengthOf(was)
	if math.Abs(float64(length-old)) <= scene.LongGap {
		return
	}
	e.changed = true
	s := &unreal.Sequence{Rate: 30}
	if move < len(e.stored.Sequences) {
		s = &e.stored.Sequences[move]
	}
	s.Frames = framesOf(length, rate(s))
	m.TrackTime = float32(s.Frames) / rate(s)
}

// lengthOf returns the time of the last key.
func lengthOf(motions []skeleton.Motion) (length float32) {
	for i := range motions {
		length = max(length, motions[i].Times[len(motions[i].Times)-1])
	}
	return length
}

// framesOf returns the frames that an animation fills: the first one is at its beginning, the last one at its end.
func framesOf(length, rate float32) int32 {
	return int32(min(math.Round(float64(length)*float64(rate)), 1<<24)) + 1
}

// add appends a move and its sequence.
func (e *animationEdit) add(name string, now []skeleton.Motion) {
	s := unreal.Sequence{Name: e.AddName(pack.CleanName(name, "Sequence")), Group: e.AddName("None"), Rate: skeleton.SampleRate}
	s.Frames = framesOf(lengthOf(now), s.Rate)
	m := unreal.Move{TrackTime: float32(s.Frames) / s.Rate}
	for i := range now {
		if e.number[i] < 0 {
			continue
		}
		e.setTrack(e.track(&m, e.bone(e.number[i])), &now[i], e.number[i] == 0)
	}
	for len(e.stored.Sequences) < len(e.stored.Moves) { // sequence i belongs to move i
		e.stored.Sequences = append(e.stored.Sequences, unreal.Sequence{Name: e.AddName("None"), Group: e.AddName("None"), Rate: skeleton.SampleRate})
	}
	e.stored.Moves = append(e.stored.Moves, m)
	e.stored.Sequences = slices.Insert(e.stored.Sequences, len(e.stored.Moves)-1, s)
	e.changed = true
}

// bone returns the number that the Animation gives to a bone of the mesh, which it gets where it has none.
func (e *animationEdit) bone(k int) int {
	from := &e.mesh.Bones[k]
	for i := range e.stored.Bones {
		if strings.EqualFold(e.Name(e.stored.Bones[i].Name), e.Name(from.Name)) {
			return i
		}
	}
	b := unreal.AnimationBone{Name: from.Name, Flags: from.Flags}
	if k > 0 {
		b.Parent = int32(e.bone(int(from.Parent)))
	}
	e.stored.Bones = append(e.stored.Bones, b)
	return len(e.stored.Bones) - 1
}

// track returns the track of a bone, which the move gets where it has none.
func (e *animationEdit) track(m *unreal.Move, bone int) *unreal.Track {
	listed := len(m.Bones) == len(m.Tracks)
	for k := range m.Tracks {
		if !listed && k == bone || listed && int(m.Bones[k]) == bone {
			return &m.Tracks[k]
		}
	}
	if !listed {
		m.Bones = nil
		for k := range m.Tracks {
			m.Bones = append(m.Bones, int32(k))
		}
	}
	m.Bones, m.Tracks = append(m.Bones, int32(bone)), append(m.Tracks, unreal.Track{})
	return &m.Tracks[len(m.Tracks)-1]
}

// setTrack stores a motion.
func (e *animationEdit) setTrack(t *unreal.Track, m *skeleton.Motion, root bool) {
	t.Times = m.Times
	t.Rotations, t.Positions = make([][4]float32, len(m.Rotations)), make([][3]float32, len(m.Positions))
	for i, q := range m.Rotations {
		t.Rotations[i] = storedRotation([4]float32{float32(q.V[0]), float32(q.V[1]), float32(q.V[2]), float32(q.W)}, root)
	}
	for i, p := range m.Positions {
		t.Positions[i] = space.Skeletal.Back(scene.Narrow3(p))
	}
}

// addAnimation puts a new Animation beside the mesh that it moves.
func addAnimation(pkg *pack.File, m *unreal.SkeletalMesh, name string, o *unreal.Animation) error {
	r, err := pkg.AddPart("Animation", name[:min(len(name), unreal.MaxName)], o)
	if err == nil {
		m.Animation = r
	}
	return err
}
