package ultimate3d

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// editKeys takes over how a bone stands and moves.
func (r *modelEdit) editKeys(b *ultimate3d.Bone, n, was *asset.Node) {
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
func (r *modelEdit) spans(n, was *asset.Node, path asset.Path) (list []span) {
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
func (r *modelEdit) motionOf(a *asset.Animation) *scene.Motion {
	m := r.motions[a]
	if m == nil {
		m = scene.MotionOf(a)
		r.motions[a] = m
	}
	return m
}

// compareTo holds the visible channel of a span against the kept one.
func (r *modelEdit) compareTo(s span, n, was *asset.Node, path asset.Path) *scene.Comparison {
	return scene.Compare(path, scene.CurveOf(was, path, s.kept), scene.CurveOf(n, path, s.visible), r.size)
}

// editTrack takes over one property of a bone: where it stands when it does not move, else its keys.
func (r *modelEdit) editTrack(b *ultimate3d.Bone, n, was *asset.Node, path asset.Path) {
	now, before := scene.Rest(n, path), scene.Rest(was, path)
	moved := false
	for _, s := range r.spans(n, was, path) {
		compared := r.compareTo(s, n, was, path)
		switch {
		case s.fresh && s.visible != nil:
			r.frames(n, path, s.visible, r.size, nil)
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
			r.frames(n, path, s.visible, r.size, compared.SameAt)
			keys := framesOf(s.visible, r.fps, int(max(s.first, 0)))
			if s.kept != nil {
				visible := keys
				if keys = onlyEdited(keys, track(b, path), s, compared, r.fps); keys == nil {
					continue
				}
				keys = r.held(b, path, s, keys, visible, compared)
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
	frame  int
	value  []float32
	kept   bool // the stored key is taken as it is, at index
	index  int
	signed bool // the sign of a rotation is meant: it decides which way the engine turns
}

// track returns the stored keys of a property.
func track(b *ultimate3d.Bone, path asset.Path) (keys []trackKey) {
	switch path {
	case asset.Rotation:
		for i, k := range b.Rotation {
			q := narrow4(mirrorQuat(ultimate3d.Normalised(k.Value)))
			keys = append(keys, trackKey{frame: int(k.Frame), value: q[:], kept: true, index: i})
		}
	case asset.Translation:
		for i, k := range b.Translation {
			v := mirror3(k.Value)
			keys = append(keys, trackKey{frame: int(k.Frame), value: v[:], kept: true, index: i})
		}
	case asset.Scale:
		for i, k := range b.Scaling {
			keys = append(keys, trackKey{frame: int(k.Frame), value: k.Value[:], kept: true, index: i})
		}
	}
	return keys
}

// keptOutside joins new keys with the stored ones outside the frames that a clip shows. A new key that says what a
// stored one does is that one.
func (r *modelEdit) keptOutside(b *ultimate3d.Bone, path asset.Path, s span, keys []trackKey) []trackKey {
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
			if !k.signed && opposite(q[:], last[:]) {
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

// onlyEdited returns the keys of an edited clip: the visible keys where the visible curve differs from the stored one, and
// the stored keys elsewhere, since editors sample animations at times of their own. It returns nil if nothing is edited.
func onlyEdited(keys, stored []trackKey, s span, compared *scene.Comparison, fps float64) (list []trackKey) {
	edited := compared.EditedAt
	any := false
	first := max(s.first, 0)
	for _, k := range keys {
		if edited((float64(k.frame) - first) / fps) {
			list = append(list, k.signedAs(stored))
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

// held adds keys where new ones would bend the engine's curve at visible keys that nobody edited: the engine extrapolates
// before its first key, and may take the longer way between two.
func (r *modelEdit) held(b *ultimate3d.Bone, path asset.Path, s span, keys, visible []trackKey, compared *scene.Comparison) []trackKey {
	first := max(s.first, 0)
	there := map[int]bool{}
	for _, k := range keys {
		there[k.frame] = true
	}
	for range visible {
		next := *b
		setTrack(&next, path, r.keptOutside(b, path, s, keys))
		count := len(keys)
		for _, k := range visible {
			if there[k.frame] || compared.EditedAt((float64(k.frame)-first)/r.fps) {
				continue
			}
			if was := engineValue(b, path, k.frame); !scene.SameValue(path, was, engineValue(&next, path, k.frame), r.size) {
				keys, there[k.frame] = append(keys, trackKey{frame: k.frame, value: was}), true
			}
		}
		if len(keys) == count {
			break
		}
		slices.SortStableFunc(keys, func(a, b trackKey) int { return a.frame - b.frame })
	}
	return keys
}

// engineValue returns what the engine makes of the keys of a property at a frame, in glTF's space.
func engineValue(b *ultimate3d.Bone, path asset.Path, frame int) []float32 {
	if path == asset.Rotation {
		q := narrow4(mirrorQuat(ultimate3d.RotationAt(ultimate3d.SortedRotations(b.Rotation), float64(frame))))
		return q[:]
	}
	keys := b.Scaling
	if path == asset.Translation {
		keys = b.Translation
	}
	v := narrow3(ultimate3d.VectorAt(ultimate3d.SortedKeys(keys), float64(frame), [3]float64{}))
	if path == asset.Translation {
		v = mirror3(v)
	}
	return v[:]
}

// signedAs returns a new rotation with the sign of the stored key that it takes the place of.
func (k trackKey) signedAs(stored []trackKey) trackKey {
	if len(k.value) != 4 {
		return k
	}
	for _, old := range stored {
		if old.frame != k.frame {
			continue
		}
		k.signed = true
		if opposite(k.value, old.value) {
			k.value = []float32{-k.value[0], -k.value[1], -k.value[2], -k.value[3]}
		}
	}
	return k
}

// opposite reports whether the shorter arc leads from a quaternion to the negative of another one.
func opposite(p, q []float32) bool {
	return p[0]*q[0]+p[1]*q[1]+p[2]*q[2]+p[3]*q[3] < 0
}

// appendAnimation adds the keys of a new animation behind what the bone has.
func (r *modelEdit) appendAnimation(b *ultimate3d.Bone, path asset.Path, c *asset.Channel, before []float32) {
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
