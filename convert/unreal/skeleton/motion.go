package skeleton

import (
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Motion is the motion of a bone relative to its parent. A single rotation or position is constant.
type Motion struct {
	Times     []float32 // seconds
	Rotations []mgl64.Quat
	Positions []mgl64.Vec3 // in the units of the engine
}

// SampleRate is the number of keys a second for motions that linear keys cannot describe exactly.
const SampleRate = 30

// maxKeys bounds the keys of a bone: half an hour.
const maxKeys = 1 << 16

// maxSteps bounds the transforms that an animation takes to evaluate.
const maxSteps = 1 << 26

// mover evaluates an animation.
type mover struct {
	rig      *Rig
	channels map[*asset.Node]*[3]*asset.Channel // by path: translation, rotation, scale
	d        *schema.Diagnostics
	name     string
	warned   bool
}

// Motions returns the motion of every bone of a rig in an animation, or nil if the animation moves none of them.
func (r *Rig) Motions(x *asset.Animation, d *schema.Diagnostics) ([]Motion, error) {
	v := &mover{rig: r, channels: map[*asset.Node]*[3]*asset.Channel{}, d: d, name: x.Name}
	for _, c := range x.Channels {
		if c.Node == nil || c.Path > asset.Scale || len(c.Times) == 0 || c.Width() != [3]int{3, 4, 3}[c.Path] {
			continue
		}
		if v.channels[c.Node] == nil {
			v.channels[c.Node] = new([3]*asset.Channel)
		}
		v.channels[c.Node][c.Path] = c
	}
	all := make([]Motion, len(r.Bones))
	moves, steps := false, 0
	for i := range r.Bones {
		times, err := v.times(i)
		if err != nil {
			return nil, err
		}
		own, other := r.path(i)
		if steps += (len(times) + 1) * (len(own) + len(other)); steps > maxSteps {
			return nil, schema.Errorf(Name, schema.ErrLimit, "animation", "%q has too many keys for the depth of the skeleton", x.Name)
		}
		moves = moves || len(times) > 0
		all[i] = v.motion(i, times)
	}
	if !moves {
		return nil, nil
	}
	return all, nil
}

// path returns the nodes between a bone and its parent, the bone's own first. The second list is the way from the
// parent to the top where the bone does not hang below it.
func (r *Rig) path(i int) (own, other []*asset.Node) {
	b := &r.Bones[i]
	var end *asset.Node
	if b.Parent >= 0 {
		end = r.Bones[b.Parent].node
	}
	n := b.node
	for ; n != nil && n != end; n = r.parents[n] {
		own = append(own, n)
	}
	if n == nil {
		for p := end; p != nil; p = r.parents[p] {
			other = append(other, p)
		}
	}
	return own, other
}

// times returns when a bone has keys: at those of all nodes on its path, and between them where these do not say it
// all. It is empty for a bone that does not move.
func (v *mover) times(i int) ([]float32, error) {
	own, other := v.rig.path(i)
	var times []float32
	dense := false
	for n, node := range slices.Concat(own, other) {
		channels := v.channels[node]
		if channels == nil {
			continue
		}
		dense = dense || n > 0
		for _, c := range channels {
			if c == nil {
				continue
			}
			times = append(times, c.Times...)
			dense = dense || c.Interpolation == asset.CubicKeys
			if c.Interpolation == asset.StepKeys {
				times = append(times, stepEnds(c.Times)...)
			}
		}
	}
	if len(times) == 0 {
		return nil, nil
	}
	slices.Sort(times)
	if dense {
		from, to := float64(times[0]), float64(times[len(times)-1])
		if (to-from)*SampleRate > maxKeys {
			return nil, schema.Errorf(Name, schema.ErrLimit, "animation", "%q takes %.0f seconds", v.name, to-from)
		}
		for k := math.Ceil(from * SampleRate); k < to*SampleRate; k++ {
			times = append(times, float32(k/SampleRate))
		}
		slices.Sort(times)
	}
	if times[0] > 0 {
		times = slices.Insert(times, 0, 0)
	}
	return slices.CompactFunc(times, func(a, b float32) bool { return space.Close(a, b, 1e-6) }), nil
}

// stepEnds returns the last moments before keys that are jumped to.
func stepEnds(times []float32) (ends []float32) {
	for k := 1; k < len(times); k++ {
		ends = append(ends, times[k]-min(1e-3, (times[k]-times[k-1])/2))
	}
	return ends
}

// motion samples a bone.
func (v *mover) motion(i int, times []float32) Motion {
	if len(times) == 0 {
		times = []float32{0}
	}
	m := Motion{Times: times}
	for k, t := range times {
		local := v.local(i, t)
		q := mgl64.Mat4ToQuat(rigid(local)).Normalize()
		if k > 0 && q.Dot(m.Rotations[k-1]) < 0 {
			q = q.Scale(-1)
		}
		m.Rotations = append(m.Rotations, q)
		m.Positions = append(m.Positions, local.Col(3).Vec3())
	}
	return m.thin()
}

// thin leaves one key where all are the same.
func (m Motion) thin() Motion {
	if !slices.ContainsFunc(m.Rotations, func(q mgl64.Quat) bool { return !SameTurn(q, m.Rotations[0], 1e-6) }) {
		m.Rotations = m.Rotations[:1]
	}
	size := max(1, m.Positions[0].Len())
	if !slices.ContainsFunc(m.Positions, func(p mgl64.Vec3) bool { return p.Sub(m.Positions[0]).Len() > 1e-6*size }) {
		m.Positions = m.Positions[:1]
	}
	if len(m.Rotations) == 1 && len(m.Positions) == 1 {
		m.Times = m.Times[:1]
	}
	return m
}

// local returns the place of a bone in its parent at a time, without the scales of both.
func (v *mover) local(i int, t float32) mgl64.Mat4 {
	b := &v.rig.Bones[i]
	own, other := v.rig.path(i)
	m := v.chain(own, t)
	up := 1.0
	switch {
	case b.Parent < 0:
		m = v.rig.toMesh.Mul4(m)
	case len(other) > 0:
		m = v.chain(other, t).Inv().Mul4(m)
	}
	back := mgl64.Ident4()
	if b.Parent >= 0 {
		up, back = v.rig.Bones[b.Parent].size, v.rig.Bones[b.Parent].turn.Transpose()
	}
	if size, _ := sizeOf(m); !v.warned && math.Abs(size*up/b.size-1) > 1e-2 {
		v.warned = true
		v.d.Lossf("bone-scale", b.Name, "animation %q: bones turn and move, but do not change their size", v.name)
	}
	return back.Mul4(mgl64.Scale3D(up, up, up)).Mul4(m).Mul4(mgl64.Scale3D(1/b.size, 1/b.size, 1/b.size)).Mul4(b.turn)
}

// chain returns the product of the transforms of nodes, given from below.
func (v *mover) chain(nodes []*asset.Node, t float32) mgl64.Mat4 {
	m := mgl64.Ident4()
	for _, n := range nodes {
		m = v.node(n, t).Mul4(m)
	}
	return m
}

func (v *mover) node(n *asset.Node, t float32) mgl64.Mat4 {
	channels := v.channels[n]
	x := n.Transform
	if channels == nil {
		return space.Matrix(x)
	}
	x.Matrix = nil // an animated node has none (glTF)
	if c := channels[asset.Translation]; c != nil {
		copy(x.Translation[:], ValueAt(c, t))
	}
	if c := channels[asset.Rotation]; c != nil {
		copy(x.Rotation[:], ValueAt(c, t))
	}
	if c := channels[asset.Scale]; c != nil {
		copy(x.Scale[:], ValueAt(c, t))
	}
	return space.Matrix(x)
}

// ValueAt returns the value of a channel at a time. Rotations take the shorter arc; cubic keys are Hermite splines, as in
// glTF.
func ValueAt(c *asset.Channel, t float32) []float32 {
	w := c.Width()
	n := sort.Search(len(c.Times), func(i int) bool { return c.Times[i] >= t })
	key := func(k, part int) []float32 {
		if c.Interpolation == asset.CubicKeys {
			k = 3*k + part
		}
		return c.Values[k*w : (k+1)*w]
	}
	const inTangent, value, outTangent = 0, 1, 2
	n = min(n, len(c.Times)-1)
	if n == 0 || c.Times[n] <= t {
		return key(n, value)
	}
	if c.Interpolation == asset.StepKeys {
		return key(n-1, value)
	}
	length := c.Times[n] - c.Times[n-1]
	s := float64((t - c.Times[n-1]) / length)
	if c.Interpolation == asset.CubicKeys {
		return hermite(key(n-1, value), key(n-1, outTangent), key(n, inTangent), key(n, value), s, float64(length))
	}
	if c.Path == asset.Rotation {
		q := slerp(scene.Turn([4]float32(key(n-1, value))), scene.Turn([4]float32(key(n, value))), s)
		v := scene.NarrowTurn(q)
		return v[:]
	}
	out := make([]float32, w)
	for i := range out {
		out[i] = key(n-1, value)[i]*float32(1-s) + key(n, value)[i]*float32(s)
	}
	return out
}

func hermite(a, leaving, arriving, b []float32, s, length float64) []float32 {
	out := make([]float32, len(a))
	s2, s3 := s*s, s*s*s
	for i := range out {
		out[i] = float32((2*s3-3*s2+1)*float64(a[i]) + length*(s3-2*s2+s)*float64(leaving[i]) +
			(3*s2-2*s3)*float64(b[i]) + length*(s3-s2)*float64(arriving[i]))
	}
	return out
}

// slerp takes the shorter arc.
func slerp(a, b mgl64.Quat, s float64) mgl64.Quat {
	if a.Dot(b) < 0 {
		b = b.Scale(-1)
	}
	return mgl64.QuatSlerp(a, b, s)
}

// SameTurn reports whether two unit quaternions are equal within a tolerance. q and −q are the same rotation.
func SameTurn(a, b mgl64.Quat, tolerance float64) bool {
	if a.Dot(b) < 0 {
		b = b.Scale(-1)
	}
	return math.Abs(a.W-b.W) <= tolerance && a.V.Sub(b.V).Len() <= tolerance
}

// At returns rotation and position at a time. straight is the rotation with the four numbers of quaternions blended
// linearly, as some programs do.
func (m *Motion) At(t float32) (turn, straight mgl64.Quat, place mgl64.Vec3) {
	n := sort.Search(len(m.Times), func(i int) bool { return m.Times[i] >= t })
	n = min(n, len(m.Times)-1)
	s := 1.0
	before := max(n-1, 0)
	if n > 0 && m.Times[n] > t {
		s = float64((t - m.Times[before]) / (m.Times[n] - m.Times[before]))
	}
	turn, straight, place = m.Rotations[0], m.Rotations[0], m.Positions[0]
	if len(m.Rotations) > 1 {
		a, b := m.Rotations[before], m.Rotations[n]
		if a.Dot(b) < 0 {
			b = b.Scale(-1)
		}
		turn, straight = slerp(a, b, s), a.Scale(1-s).Add(b.Scale(s)).Normalize()
	}
	if len(m.Positions) > 1 {
		place = m.Positions[before].Mul(1 - s).Add(m.Positions[n].Mul(s))
	}
	return turn, straight, place
}

// What an editor may change a motion by that nobody edited.
const (
	turnTolerance  = 5e-4 // of a unit quaternion's numbers
	placeTolerance = 2e-5 // of the skeleton's size
)

// Same reports whether two motions are equal within what editors change. An editor has other keys, at least 20 a second,
// which must lie on the stored curve. Stored keys between them are not required.
func (m *Motion) Same(stored *Motion, size float64) bool {
	for _, t := range m.Times {
		if !m.agrees(stored, t, size) {
			return false
		}
	}
	for _, t := range stored.Times {
		if !scene.SampledAround(m.Times, t) && !m.agrees(stored, t, size) {
			return false
		}
	}
	return true
}

func (m *Motion) agrees(stored *Motion, t float32, size float64) bool {
	turn, _, place := m.At(t)
	was, straight, wasPlace := stored.At(t)
	return (SameTurn(turn, was, turnTolerance) || SameTurn(turn, straight, turnTolerance)) && place.Sub(wasPlace).Len() <= placeTolerance*size
}
