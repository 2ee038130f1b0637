package ultimate3d

import (
	"math"
	"slices"
	"sort"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// sample returns the value of a channel at a time, by glTF's rules: that of the first or last key outside its times.
// Times are as exact as float32 has them, so that a frame's moment is the key that means it.
func sample(c *asset.Channel, at float64) []float32 {
	w := c.Width()
	n := len(c.Times)
	slack := 1e-6 * max(1, at)
	i := sort.Search(n, func(i int) bool { return float64(c.Times[i]) > at+slack }) - 1
	switch {
	case i < 0:
		return keyValue(c, 0, w)
	case i == n-1 || float64(c.Times[i]) >= at-slack || c.Interpolation == asset.StepKeys:
		return keyValue(c, i, w)
	}
	span := float64(c.Times[i+1]) - float64(c.Times[i])
	t := (at - float64(c.Times[i])) / span
	p, q := keyValue(c, i, w), keyValue(c, i+1, w)
	v := make([]float32, w)
	switch {
	case c.Interpolation == asset.CubicKeys:
		out, in := c.Values[(3*i+2)*w:], c.Values[3*(i+1)*w:]
		t2, t3 := t*t, t*t*t
		for k := range v {
			v[k] = float32((2*t3-3*t2+1)*float64(p[k]) + span*(t3-2*t2+t)*float64(out[k]) + (3*t2-2*t3)*float64(q[k]) + span*(t3-t2)*float64(in[k]))
		}
		if c.Path == asset.Rotation {
			u := narrow4(ultimate3d.Normalised([4]float32(v)))
			copy(v, u[:])
		}
	case c.Path == asset.Rotation:
		u := slerp([4]float32(p), [4]float32(q), t)
		copy(v, u[:])
	default:
		for k := range v {
			v[k] = float32(float64(p[k]) + (float64(q[k])-float64(p[k]))*t)
		}
	}
	return v
}

func keyValue(c *asset.Channel, i, w int) []float32 {
	if c.Interpolation == asset.CubicKeys {
		i = 3*i + 1
	}
	return c.Values[i*w : (i+1)*w]
}

// slerp turns from p to q along the shorter arc.
func slerp(p, q [4]float32, t float64) [4]float32 {
	a, b := ultimate3d.Normalised(p), ultimate3d.Normalised(q)
	d := a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]
	wa, wb := 1-t, t
	if m := math.Abs(d); m < 0.9995 {
		angle := math.Acos(m)
		wa, wb = math.Sin(wa*angle)/math.Sin(angle), math.Sin(wb*angle)/math.Sin(angle)
	}
	var v [4]float32
	for k := range v {
		v[k] = float32(wa*a[k] + math.Copysign(wb, d)*b[k])
	}
	return narrow4(ultimate3d.Normalised(v))
}

// valid tells whether a channel can be sampled.
func valid(c *asset.Channel) bool {
	n := len(c.Times)
	if n == 0 || len(c.Values) == 0 || c.Node == nil {
		return false
	}
	if c.Interpolation == asset.CubicKeys {
		n *= 3
	}
	for i, t := range c.Times {
		if !(t >= 0) || math.IsInf(float64(t), 0) || i > 0 && t <= c.Times[i-1] {
			return false
		}
	}
	w := c.Width()
	return w > 0 && len(c.Values) == n*w && (c.Path == asset.MorphWeights || w == widths[c.Path])
}

var widths = [...]int{asset.Translation: 3, asset.Rotation: 4, asset.Scale: 3}

// sameCurve tells whether two channels say the same at the keys of both.
func sameCurve(a, b *asset.Channel) bool {
	times := slices.Concat(a.Times, b.Times)
	slices.Sort(times)
	scale := 0.0
	for _, v := range a.Values {
		if !notFinite(v) {
			scale = max(scale, math.Abs(float64(v)))
		}
	}
	for _, t := range slices.Compact(times) {
		if !sameValue(a.Path, sample(a, float64(t)), sample(b, float64(t)), scale) {
			return false
		}
	}
	return true
}

// longGap is the longest time between keys, in seconds, that sampling an animation leaves: editors do at least 20 frames
// a second.
const longGap = 0.051

// editedTimes returns a function that tells whether a visible channel is another than the stored one at a time. Editors
// have keys at times of their own: they are held against the stored curve there, and a time between two keys that lie on
// it is unchanged. Rotations may have been turned evenly or interpolated straight.
func editedTimes(visible, stored *asset.Channel) func(at float64) bool {
	scale := 0.0
	for _, v := range stored.Values {
		if !notFinite(v) {
			scale = max(scale, math.Abs(float64(v)))
		}
	}
	plain := straight(stored)
	same := func(at float64) bool {
		now := sample(visible, at)
		return sameValue(stored.Path, now, sample(stored, at), scale) || sameValue(stored.Path, now, sample(plain, at), scale)
	}
	keys := make([]bool, len(visible.Times))
	for i, at := range visible.Times {
		keys[i] = same(float64(at))
	}
	return func(at float64) bool {
		const slack = 1e-4
		i := sort.Search(len(keys), func(i int) bool { return float64(visible.Times[i]) >= at-slack })
		switch {
		case i == len(keys):
			return !keys[i-1]
		case i == 0 || float64(visible.Times[i]) <= at+slack:
			return !keys[i]
		case visible.Times[i]-visible.Times[i-1] > longGap:
			return !same(at)
		}
		return !keys[i-1] || !keys[i]
	}
}

// straight returns a channel whose rotations are interpolated component by component, as some editors do; any other
// channel as it is.
func straight(c *asset.Channel) *asset.Channel {
	if c.Path != asset.Rotation || c.Interpolation == asset.CubicKeys {
		return c
	}
	plain := *c
	plain.Path = asset.Translation
	plain.Values = slices.Clone(c.Values)
	w := c.Width()
	for i := w; i < len(plain.Values); i += w { // along the shorter arc
		p, q := plain.Values[i-w:i], plain.Values[i:i+w]
		if p[0]*q[0]+p[1]*q[1]+p[2]*q[2]+p[3]*q[3] < 0 {
			for k := range q {
				q[k] = -q[k]
			}
		}
	}
	return &plain
}

// sameValue compares two values of a property, to what editors keep of them.
func sameValue(path asset.Path, a, b []float32, scale float64) bool {
	if len(a) != len(b) {
		return false
	}
	if path == asset.Rotation {
		return sameRotation([4]float32(a), [4]float32(b))
	}
	for k := range a {
		if notFinite(a[k]) || notFinite(b[k]) {
			continue // no edit can be told from what the way through glTF makes of it
		}
		if !(math.Abs(float64(a[k])-float64(b[k])) <= 1e-5*max(scale, 1e-3)) {
			return false
		}
	}
	return true
}

func sameRotation(a, b [4]float32) bool {
	p, q := ultimate3d.Normalised(a), ultimate3d.Normalised(b)
	plus, minus := 0.0, 0.0
	for k := range p {
		plus = max(plus, math.Abs(p[k]-q[k]))
		minus = max(minus, math.Abs(p[k]+q[k]))
	}
	return min(plus, minus) <= 2e-5
}

// constant tells whether a channel does not move.
func constant(c *asset.Channel) bool {
	w := c.Width()
	scale := 0.0
	for _, v := range c.Values {
		if !notFinite(v) {
			scale = max(scale, math.Abs(float64(v)))
		}
	}
	for i := range c.Times {
		if !sameValue(c.Path, keyValue(c, 0, w), keyValue(c, i, w), scale) {
			return false
		}
	}
	return true
}

// posed is a scene at one moment of an animation.
type posed struct {
	channels map[*asset.Node][]*asset.Channel
	time     float64
}

func pose(a *asset.Animation) *posed {
	p := &posed{channels: map[*asset.Node][]*asset.Channel{}}
	if a != nil {
		for _, c := range a.Channels {
			if valid(c) {
				p.channels[c.Node] = append(p.channels[c.Node], c)
			}
		}
	}
	return p
}

// local returns the transform of a node.
func (p *posed) local(n *asset.Node) ultimate3d.Matrix {
	list := p.channels[n]
	if !slices.ContainsFunc(list, func(c *asset.Channel) bool { return c.Path != asset.MorphWeights }) {
		return matrixOf(&n.Transform)
	}
	t := trs(&n.Transform)
	for _, c := range list {
		v := sample(c, p.time)
		switch c.Path {
		case asset.Translation:
			t.Translation = [3]float32(v)
		case asset.Rotation:
			t.Rotation = [4]float32(v)
		case asset.Scale:
			t.Scale = [3]float32(v)
		}
	}
	return matrixOf(&t)
}

// weights returns the morph weights of a node.
func (p *posed) weights(n *asset.Node) []float32 {
	for _, c := range p.channels[n] {
		if c.Path == asset.MorphWeights {
			return sample(c, p.time)
		}
	}
	if n.Weights != nil {
		return n.Weights
	}
	return n.Mesh.Weights
}

// trs returns a transform without a matrix.
func trs(t *asset.Transform) asset.Transform {
	if t.Matrix == nil {
		return *t
	}
	p, _ := poseOf(t)
	return asset.Transform{Translation: narrow3(p.Translation), Rotation: narrow4(p.Rotation), Scale: narrow3(p.Scaling)}
}
