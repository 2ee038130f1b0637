package ultimate3d

import (
	"fmt"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"

	"github.com/go-gl/mathgl/mgl64"
)

// editMaterials takes over the materials with their edits, and appends new ones.
func (r *restorer) editMaterials() error {
	r.lowerer.materials = map[*asset.Material]int{}
	for i := range r.m.Materials {
		m, err := r.material(r.materials[i])
		if err != nil {
			return err
		}
		r.m.Materials[i] = m
		r.lowerer.materials[r.materials[i]] = i
	}
	for _, a := range r.s.Materials {
		if _, known := r.lowerer.materials[a]; known {
			continue
		}
		m, err := r.material(a)
		if err != nil {
			return err
		}
		r.lowerer.materials[a] = len(r.m.Materials)
		r.m.Materials = append(r.m.Materials, m)
	}
	return nil
}

// editBones takes over what bones show otherwise than before. It returns why the bones cannot be kept.
func (r *restorer) editBones() string {
	wasAbove := map[*asset.Node]*asset.Node{}
	r.was.Walk(func(n, parent *asset.Node) { wasAbove[n] = parent })
	for i, n := range r.bones {
		b, was := r.m.Bones[i], r.wasBones[i]
		if parent := r.boneAbove(n); parent < 0 && b.Parent != ultimate3d.RootParent {
			b.Parent = ultimate3d.RootParent
		} else if parent >= 0 {
			b.Parent = uint16(parent)
		}
		if scene.Renamed(b.Name, n.Name) {
			b.Name = n.Name
		}
		r.editKeys(b, n, was)
		if r.err = editBone(b, n.Native); r.err != nil {
			return ""
		}
	}
	if r.m.Skinned() {
		return r.editSkin()
	}
	for _, s := range r.list {
		for _, n := range s.nodes {
			if why := r.editAttachment(n); why != "" {
				return why
			}
		}
	}
	return ""
}

// editAttachment takes over where a mesh hangs. Models without bones have no place for a transform: their vertices
// take it in, see locate.
func (r *restorer) editAttachment(n *asset.Node) string {
	if len(r.m.Bones) == 0 {
		return ""
	}
	v := ours(n.Native)
	bone, k := number(v, keyBone), number(v, keyAttachment)
	if bone < 0 || number(v, keyLevel) > 0 {
		return "" // not attached, or a lower level of detail, which has no place of its own
	}
	if r.boneAbove(n) != bone || bone >= len(r.m.Bones) || k < 0 || k >= len(r.m.Bones[bone].Attachments) {
		return fmt.Sprintf("mesh %q hangs on another bone", n.Name)
	}
	a := &r.m.Bones[bone].Attachments[k]
	was := mirrorMatrix(r.m.Transformation(bone, k, r.columns))
	now := scene.Matrix(&n.Transform)
	if r.unmoved(was, now) {
		return ""
	}
	a.Transformation = storedMatrix(now)
	if r.columns {
		a.Transformation = transposed(a.Transformation)
	}
	return ""
}

// unmoved tells whether a transform is the stored one. A stored one that holds what is no number comes back as something
// else: it stays.
func (r *restorer) unmoved(was, now mgl64.Mat4) bool {
	for _, x := range was {
		if x-x != 0 {
			return true
		}
	}
	return scene.SamePlace(was, now, r.size)
}

func transposed(m [16]float32) (t [16]float32) {
	for i := range m {
		t[i] = m[i%4*4+i/4]
	}
	return t
}

// editSkin takes over inverse bind matrices.
func (r *restorer) editSkin() string {
	skin := r.list[0].nodes[0].Skin
	if skin == nil || len(skin.InverseBind) != len(skin.Joints) {
		return "the mesh has no skin any more"
	}
	for _, s := range r.list {
		for _, n := range s.nodes {
			if n.Skin != skin {
				return "the levels of detail have different skins"
			}
		}
	}
	// Editors give joints another order, and leave out those that no vertex follows.
	r.joints = make([]int, len(skin.Joints))
	for i, j := range skin.Joints {
		bone, ok := r.number[j]
		if !ok {
			return fmt.Sprintf("joint %q is no bone", j.Name)
		}
		r.joints[i] = bone
		was := mirrorMatrix(r.m.Transformation(bone, 0, r.columns))
		if now := scene.InverseBind(skin, i); !r.unmoved(was, now) {
			t := storedMatrix(now)
			if r.columns {
				t = transposed(t)
			}
			r.m.Bones[bone].Attachments[0].Transformation = t
		}
	}
	return ""
}

// editKeys takes over how a bone stands and moves.
func (r *restorer) editKeys(b *ultimate3d.Bone, n, was *asset.Node) {
	for path := asset.Translation; path <= asset.Scale; path++ {
		r.editTrack(b, n, was, path)
	}
}

// spans are the ranges of frames that the animations of a scene show.
type span struct {
	first, last   float64
	cut           bool
	visible, kept *asset.Channel // nil where the property does not move
	fresh         bool           // an animation that the original does not have
}

// spans pairs the channels of a property in the scene with those that it had.
func (r *restorer) spans(n, was *asset.Node, path asset.Path) (list []span) {
	for _, a := range r.s.Animations {
		v := ours(a.Native)
		first, last := number(v, keyFirst), number(v, keyLast)
		if first < 0 || last < first {
			first, last = -1, -1
			if len(r.s.Animations) == 1 && len(r.was.Animations) == 1 {
				first, last = 0, int(r.m.Frames)-1 // the one animation, without its marks
			}
		}
		s := span{first: float64(first), last: float64(last), cut: number(v, keyCut) > 0, visible: r.motionOf(a).Channel(n, path), fresh: first < 0}
		for _, k := range r.was.Animations {
			if number(k.Native, keyFirst) == first && number(k.Native, keyLast) == last {
				s.kept = r.motionOf(k).Channel(was, path)
			}
		}
		list = append(list, s)
	}
	return list
}

// motionOf returns what an animation does.
func (r *restorer) motionOf(a *asset.Animation) *scene.Motion {
	m := r.motions[a]
	if m == nil {
		m = scene.MotionOf(a)
		r.motions[a] = m
	}
	return m
}

// compareTo holds the visible channel of a span against the kept one.
func (r *restorer) compareTo(s span, n, was *asset.Node, path asset.Path) *scene.Comparison {
	return scene.Compare(path, scene.CurveOf(was, path, s.kept), scene.CurveOf(n, path, s.visible), r.size)
}

// editTrack takes over one property of a bone: where it stands when it does not move, else its keys.
func (r *restorer) editTrack(b *ultimate3d.Bone, n, was *asset.Node, path asset.Path) {
	now, before := scene.Rest(n, path), scene.Rest(was, path)
	moved := false
	for _, s := range r.spans(n, was, path) {
		compared := r.compareTo(s, n, was, path)
		switch {
		case s.fresh && s.visible != nil:
			r.appendAnimation(b, path, s.visible, before)
			moved = true
		case s.visible == nil && s.kept == nil:
		case s.visible == nil:
			if !scene.Constant(scene.CurveOf(was, path, s.kept), r.size) {
				setTrack(b, path, r.keptOutside(b, path, s, nil))
				r.d.Notef("keys-removed", n.Name, "the %s is no longer animated", pathNames[path])
				moved = true
			}
		case compared.Unedited():
		default:
			keys := framesOf(s.visible, r.fps, int(max(s.first, 0)))
			if s.kept != nil {
				if keys = onlyEdited(keys, track(b, path), s, compared, r.fps); keys == nil {
					continue
				}
			}
			for _, k := range keys {
				r.m.Frames = max(r.m.Frames, uint32(k.frame)+1)
			}
			setTrack(b, path, r.keptOutside(b, path, s, keys))
			moved = true
			r.d.Notef("keys-edited", n.Name, "the %s has new keys", pathNames[path])
		}
	}
	if moved || scene.SameValue(path, before, now, r.size) || len(track(b, path)) > 1 && !r.m.FixedFrames()[r.number[n]] {
		return
	}
	setTrack(b, path, []trackKey{{value: now}})
	r.d.Notef("pose-edited", n.Name, "the %s is set", pathNames[path])
}

var pathNames = [...]string{asset.Translation: "translation", asset.Rotation: "rotation", asset.Scale: "scaling"}

// trackKey is a key of any property in glTF's space.
type trackKey struct {
	frame int
	value []float32
	kept  bool // the stored key is taken as it is, at index
	index int
}

// track returns the stored keys of a property.
func track(b *ultimate3d.Bone, path asset.Path) (keys []trackKey) {
	switch path {
	case asset.Rotation:
		for i, k := range b.Rotation {
			q := narrow4(mirrorQuat(ultimate3d.Normalised(k.Value)))
			keys = append(keys, trackKey{int(k.Frame), q[:], true, i})
		}
	case asset.Translation:
		for i, k := range b.Translation {
			v := mirror3(k.Value)
			keys = append(keys, trackKey{int(k.Frame), v[:], true, i})
		}
	case asset.Scale:
		for i, k := range b.Scaling {
			keys = append(keys, trackKey{int(k.Frame), k.Value[:], true, i})
		}
	}
	return keys
}

// keptOutside joins new keys with the stored ones outside the frames that a clip shows. A new key that says what a
// stored one does is that one.
func (r *restorer) keptOutside(b *ultimate3d.Bone, path asset.Path, s span, keys []trackKey) []trackKey {
	stored := track(b, path)
	var list []trackKey
	for _, k := range stored {
		if s.cut && (float64(k.frame) < s.first || float64(k.frame) > s.last) {
			list = append(list, k)
		}
	}
	at := map[int][]trackKey{} // stored keys by frame
	for _, k := range stored {
		at[k.frame] = append(at[k.frame], k)
	}
	for _, k := range keys {
		for _, old := range at[k.frame] {
			if scene.SameValue(path, old.value, k.value, r.size) {
				k = old
			}
		}
		list = append(list, k)
	}
	slices.SortStableFunc(list, func(a, b trackKey) int { return a.frame - b.frame })
	return list
}

// setTrack replaces the keys of a property.
func setTrack(b *ultimate3d.Bone, path asset.Path, keys []trackKey) {
	if path == asset.Rotation {
		stored := b.Rotation
		b.Rotation = make([]ultimate3d.RotationKey, 0, len(keys))
		var last [4]float32
		for _, k := range keys {
			if k.kept {
				last = stored[k.index].Value
				b.Rotation = append(b.Rotation, stored[k.index])
				continue
			}
			q := narrow4(mirrorQuat(ultimate3d.Normalised([4]float32(k.value))))
			if q[0]*last[0]+q[1]*last[1]+q[2]*last[2]+q[3]*last[3] < 0 {
				q = [4]float32{-q[0], -q[1], -q[2], -q[3]}
			}
			last = q
			b.Rotation = append(b.Rotation, ultimate3d.RotationKey{Frame: uint16(k.frame), Value: q})
		}
		return
	}
	list := &b.Scaling
	if path == asset.Translation {
		list = &b.Translation
	}
	stored := *list
	*list = make([]ultimate3d.VectorKey, 0, len(keys))
	for _, k := range keys {
		if k.kept {
			*list = append(*list, stored[k.index])
			continue
		}
		v := [3]float32(k.value)
		if path == asset.Translation {
			v = mirror3(v)
		}
		*list = append(*list, ultimate3d.VectorKey{Frame: uint16(k.frame), Value: v})
	}
}

// onlyEdited returns the new keys of a clip where the visible curve is another than the stored one, and the stored keys
// elsewhere: editors sample animations anew, at times of their own. It returns nil when nothing is edited.
func onlyEdited(keys, stored []trackKey, s span, compared *scene.Comparison, fps float64) (list []trackKey) {
	edited := compared.EditedAt
	any := false
	first := max(s.first, 0)
	for _, k := range keys {
		if edited((float64(k.frame) - first) / fps) {
			list = append(list, k)
			any = true
		}
	}
	for _, k := range stored {
		at := (float64(k.frame) - first) / fps
		if inside := !s.cut || float64(k.frame) >= s.first && float64(k.frame) <= s.last; inside && !edited(at) {
			list = append(list, k)
		} else if inside {
			any = true
		}
	}
	if !any {
		return nil
	}
	slices.SortStableFunc(list, func(a, b trackKey) int { return a.frame - b.frame })
	return list
}

// appendAnimation adds the keys of a new animation behind what the bone has.
func (r *restorer) appendAnimation(b *ultimate3d.Bone, path asset.Path, c *asset.Channel, before []float32) {
	if end := float64(r.behind) + float64(c.Times[len(c.Times)-1])*r.fps; end > maxKeyFrame {
		r.d.Lossf("animation-too-long", b.Name, "a new animation would end at frame %.0f, keys reach to 65,535; it is left out", end)
		return
	}
	keys := track(b, path)
	if len(keys) == 0 {
		keys = []trackKey{{value: before}}
	}
	if last := keys[len(keys)-1]; last.frame < r.behind-1 {
		keys = append(keys, trackKey{frame: r.behind - 1, value: last.value})
	}
	for _, k := range framesOf(c, r.fps, r.behind) {
		keys = append(keys, k)
		r.m.Frames = max(r.m.Frames, uint32(k.frame)+1)
	}
	setTrack(b, path, keys)
}

// framesOf turns the keys of a channel into keys at whole frames, from the frame first on (reference section 9): keys
// within 0.01 of a frame are taken as they are, a step gets a key one frame before the next; where keys lie between
// frames, and for cubic curves, every frame gets a key.
func framesOf(c *asset.Channel, fps float64, first int) []trackKey {
	onGrid := c.Interpolation != asset.CubicKeys
	for _, t := range c.Times {
		f := float64(t) * fps
		onGrid = onGrid && math.Abs(f-math.Round(f)) <= 0.01
	}
	var keys []trackKey
	last := min(math.Ceil(float64(c.Times[len(c.Times)-1])*fps-0.01), float64(maxKeyFrame-first))
	if !onGrid {
		from := math.Floor(float64(c.Times[0])*fps + 0.01)
		for f := from; f <= last; f++ {
			keys = append(keys, trackKey{frame: first + int(f), value: scene.Narrow(scene.At(c, f/fps, nil))})
		}
		return fromStart(keys, first)
	}
	for i, t := range c.Times {
		f := first + int(math.Round(float64(t)*fps))
		if f > maxKeyFrame || len(keys) > 0 && keys[len(keys)-1].frame >= f {
			continue
		}
		if n := len(keys); c.Interpolation == asset.StepKeys && n > 0 && keys[n-1].frame < f-1 {
			keys = append(keys, trackKey{frame: f - 1, value: keys[n-1].value})
		}
		keys = append(keys, trackKey{frame: f, value: scene.Key(c, i)})
	}
	return fromStart(keys, first)
}

// fromStart puts a key at the first frame, since the engine extrapolates before the first key.
func fromStart(keys []trackKey, first int) []trackKey {
	if len(keys) > 0 && keys[0].frame > first {
		keys = slices.Insert(keys, 0, trackKey{frame: first, value: keys[0].value})
	}
	return keys
}

// maxKeyFrame is the highest frame that a key can have.
const maxKeyFrame = 65535
