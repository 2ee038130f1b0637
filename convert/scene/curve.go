package scene

import (
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// slack is how far a time may be from a key's and still mean it, relative to times above a second: keys are float32.
const slack = 1e-6

// around returns the first time from which on, and the last up to which, a time means the same moment.
func around(t float64) (from, to float64) {
	d := slack * max(1, math.Abs(t))
	return t - d, t + d
}

// Curve is the course of one property of a node over time: a channel, or a constant value if there is none.
type Curve struct {
	*asset.Channel           // nil when nothing moves the property
	Rest           []float32 // value at rest, as many floats as a key has
}

// CurveOf returns the curve of a property of a node. c is the channel that animates it. c may be nil; it is ignored if it
// is not [Valid].
func CurveOf(n *asset.Node, path asset.Path, c *asset.Channel) Curve {
	if c != nil && !Valid(c) {
		c = nil
	}
	return Curve{c, Rest(n, path)}
}

// Rest returns the value of a node's property without animation.
func Rest(n *asset.Node, path asset.Path) []float32 {
	if path == asset.MorphWeights {
		if n.Weights == nil && n.Mesh != nil {
			return n.Mesh.Weights
		}
		return n.Weights
	}
	t := n.Transform
	if t.Matrix != nil {
		p, _ := PoseOf(&t)
		t = p.Transform()
	}
	switch path {
	case asset.Translation:
		return t.Translation[:]
	case asset.Rotation:
		return t.Rotation[:]
	}
	return t.Scale[:]
}

// widths are the floats of a value.
var widths = [...]int{asset.Translation: 3, asset.Rotation: 4, asset.Scale: 3}

// Valid reports whether a channel can be evaluated: it has a node, finite ascending times from 0 on, and the right number
// of values for its property.
func Valid(c *asset.Channel) bool {
	n := len(c.Times)
	if n == 0 || c.Node == nil {
		return false
	}
	for i, t := range c.Times {
		if !(t >= 0) || math.IsInf(float64(t), 0) || i > 0 && t <= c.Times[i-1] {
			return false
		}
	}
	if c.Interpolation == asset.CubicKeys {
		n *= 3
	}
	w := c.Width()
	return w > 0 && len(c.Values) == n*w && (int(c.Path) >= len(widths) || w == widths[c.Path])
}

// Key returns the value of key i of a channel, without its tangents. The slice is part of the channel.
func Key(c *asset.Channel, i int) []float32 {
	w := c.Width()
	if c.Interpolation == asset.CubicKeys {
		i = 3*i + 1
	}
	return c.Values[i*w : (i+1)*w]
}

// At evaluates a valid channel at a time by glTF's rules: before the first and after the last key it is constant, and
// rotations take the shorter arc. The result is stored in into if that is large enough.
func At(c *asset.Channel, t float64, into []float64) []float64 {
	return at(c, t, into, evenly)
}

// At evaluates the curve like the function [At].
func (c Curve) At(t float64, into []float64) []float64 {
	if c.Channel == nil {
		return widen(c.Rest, into)
	}
	return at(c.Channel, t, into, evenly)
}

// turning is how a linear rotation gets from one key to the next.
type turning uint8

const (
	evenly        turning = iota // as glTF has it
	straight                     // as editors have it that blend the four numbers
	otherWay                     // evenly, half turns in the other direction: which one it is depends on a rounding
	straightOther                // both
)

// Narrow converts a value to float32, the type of keys.
func Narrow(v []float64) []float32 {
	out := make([]float32, len(v))
	for k, x := range v {
		out[k] = float32(x)
	}
	return out
}

func widen(v []float32, into []float64) []float64 {
	into = into[:0]
	for _, x := range v {
		into = append(into, float64(x))
	}
	return into
}

// at evaluates a channel as [At] does: next to a key, within the rounding of its time, the value is that of the key.
func at(c *asset.Channel, t float64, into []float64, how turning) []float64 {
	from, to := around(t)
	if i := lastKey(c, to); i >= 0 && float64(c.Times[i]) >= from {
		return widen(Key(c, i), into)
	}
	return exactly(c, t, into, how)
}

// lastKey returns the number of the last key up to a time, -1 before all.
func lastKey(c *asset.Channel, t float64) int {
	return sort.Search(len(c.Times), func(i int) bool { return float64(c.Times[i]) > t }) - 1
}

// exactly evaluates a channel at a time and nowhere beside it: in a jump the value next to a key is far from that of the key.
func exactly(c *asset.Channel, t float64, into []float64, how turning) []float64 {
	i := lastKey(c, t)
	switch {
	case i < 0:
		return widen(Key(c, 0), into)
	case i == len(c.Times)-1 || c.Interpolation == asset.StepKeys:
		return widen(Key(c, i), into)
	}
	span := float64(c.Times[i+1]) - float64(c.Times[i])
	s := (t - float64(c.Times[i])) / span
	a, b := Key(c, i), Key(c, i+1)
	out := widen(a, into)
	switch {
	case c.Interpolation == asset.CubicKeys:
		w := c.Width()
		leaving, arriving := c.Values[(3*i+2)*w:], c.Values[(3*i+3)*w:]
		s2, s3 := s*s, s*s*s
		for k := range out {
			out[k] = (2*s3-3*s2+1)*float64(a[k]) + span*(s3-2*s2+s)*float64(leaving[k]) +
				(3*s2-2*s3)*float64(b[k]) + span*(s3-s2)*float64(arriving[k])
		}
		if c.Path == asset.Rotation {
			putTurn(out, turnOf(out))
		}
	case c.Path == asset.Rotation:
		p := Turn([4]float32(a))
		q := towards(Turn([4]float32(b)), p)
		if how >= otherWay && math.Abs(p.Dot(q)) < TurnTolerance {
			q = q.Scale(-1)
		}
		if how == straight || how == straightOther {
			p = unit(p.Scale(1 - s).Add(q.Scale(s)))
		} else {
			p = slerp(p, q, s)
		}
		putTurn(out, p)
	default:
		for k := range out {
			out[k] += (float64(b[k]) - float64(a[k])) * s
		}
	}
	return out
}

func turnOf[T float32 | float64](v []T) mgl64.Quat {
	return unit(mgl64.Quat{W: float64(v[3]), V: mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}})
}

func putTurn(v []float64, q mgl64.Quat) { v[0], v[1], v[2], v[3] = q.V[0], q.V[1], q.V[2], q.W }

// towards returns q or −q, whichever is nearer to p.
func towards(q, p mgl64.Quat) mgl64.Quat {
	if p.Dot(q) < 0 {
		return q.Scale(-1)
	}
	return q
}

// shorter turns evenly from p to q, along the shorter arc; s is 0 at p and 1 at q.
func shorter(p, q mgl64.Quat, s float64) mgl64.Quat {
	return slerp(p, towards(q, p), s)
}

func slerp(p, q mgl64.Quat, s float64) mgl64.Quat {
	arc := 2 * math.Atan2(p.Sub(q).Len(), p.Add(q).Len())
	if arc < 1e-6 {
		return unit(p.Scale(1 - s).Add(q.Scale(s)))
	}
	sin := math.Sin(arc)
	return unit(p.Scale(math.Sin((1-s)*arc) / sin).Add(q.Scale(math.Sin(s*arc) / sin)))
}

// Angle returns the angle between two rotations, in radians from 0 to π. It is accurate for small angles too, unlike the
// arc cosine.
func Angle(p, q mgl64.Quat) float64 {
	q = towards(q, p)
	return 4 * math.Atan2(p.Sub(q).Len(), p.Add(q).Len())
}

// Times returns the times of all keys of the channels in ascending order, without repetitions. Channels may be nil.
func Times(channels ...*asset.Channel) []float64 {
	var all []float64
	for _, c := range channels {
		if c == nil {
			continue
		}
		for _, t := range c.Times {
			all = append(all, float64(t))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sampling is the time in seconds between frames that represent a curve, jump the time between the two frames of a jump,
// and maxFrames the largest number of frames for one segment of a curve.
const (
	sampling  = 1.0 / 30
	jump      = 1e-3
	maxFrames = 1 << 10
)

// FrameTimes returns the times of frames that, joined by straight lines, show the same motion as the channels. They are the
// times of all keys; along cubic curves 30 times a second, or more often if a difference would be visible; and a thousandth
// of a second before each jump.
func FrameTimes(channels ...*asset.Channel) []float64 {
	all := Times(channels...)
	for _, c := range channels {
		if c == nil || c.Interpolation == asset.LinearKeys {
			continue
		}
		for i := 1; i < len(c.Times); i++ {
			from, to := float64(c.Times[i-1]), float64(c.Times[i])
			if c.Interpolation == asset.StepKeys {
				all = append(all, to-min(jump, (to-from)/2))
				continue
			}
			n := pieces(c, from, to)
			for k := 1.0; k < n; k++ {
				all = append(all, from+(to-from)*k/n)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
