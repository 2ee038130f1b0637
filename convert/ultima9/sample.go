package ultima9

import (
	"math"
	"sort"

	"github.com/usher-assets/usher/schema/asset"
)

// sample returns the value of a channel at a time: that of the first or last key outside its times.
func sample(c *asset.Channel, at float32) []float32 {
	w := c.Width()
	key := func(i int) []float32 {
		if c.Interpolation == asset.CubicKeys {
			return c.Values[(3*i+1)*w : (3*i+2)*w]
		}
		return c.Values[i*w : (i+1)*w]
	}
	n := len(c.Times)
	i := sort.Search(n, func(i int) bool { return c.Times[i] > at }) - 1
	switch {
	case i < 0:
		return key(0)
	case i == n-1 || c.Times[i] == at || c.Interpolation == asset.StepKeys:
		return key(i)
	}
	span := float64(c.Times[i+1]) - float64(c.Times[i])
	t := (float64(at) - float64(c.Times[i])) / span
	if c.Interpolation == asset.CubicKeys {
		out := c.Values[(3*i+2)*w : (3*i+3)*w]
		in := c.Values[3*(i+1)*w : (3*(i+1)+1)*w]
		return hermite(key(i), out, in, key(i+1), t, span)
	}
	if c.Path == asset.Rotation {
		return slerp(key(i), key(i+1), t)
	}
	v := make([]float32, w)
	for k := range v {
		a, b := float64(key(i)[k]), float64(key(i + 1)[k])
		v[k] = float32(a + (b-a)*t)
	}
	return v
}

// straight is sample for rotations between whose keys an editor goes in a straight line, instead of at an even pace.
func straight(c *asset.Channel, at float32) []float32 {
	i := sort.Search(len(c.Times), func(i int) bool { return c.Times[i] > at }) - 1
	if i < 0 || i == len(c.Times)-1 || c.Times[i] == at {
		return sample(c, at)
	}
	t := float64(at-c.Times[i]) / float64(c.Times[i+1]-c.Times[i])
	p, q := c.Values[4*i:4*i+4], c.Values[4*i+4:4*i+8]
	dot := 0.0
	for k := range p {
		dot += float64(p[k]) * float64(q[k])
	}
	return blend(p, q, 1-t, math.Copysign(t, dot))
}

// hermite is the cubic spline of glTF: out is the first key's out-tangent, in the second key's in-tangent.
func hermite(p, out, in, q []float32, t, span float64) []float32 {
	t2, t3 := t*t, t*t*t
	v := make([]float32, len(p))
	for k := range v {
		v[k] = float32((2*t3-3*t2+1)*float64(p[k]) + span*(t3-2*t2+t)*float64(out[k]) + (3*t2-2*t3)*float64(q[k]) + span*(t3-t2)*float64(in[k]))
	}
	return v
}

// slerp turns from p to q along the shorter arc.
func slerp(p, q []float32, t float64) []float32 {
	dot := 0.0
	for k := range p {
		dot += float64(p[k]) * float64(q[k])
	}
	a, b := 1-t, t
	if d := math.Abs(dot); d < 0.9995 {
		angle := math.Acos(d)
		a, b = math.Sin(a*angle)/math.Sin(angle), math.Sin(b*angle)/math.Sin(angle)
	}
	return blend(p, q, a, math.Copysign(b, dot))
}

// blend returns a·p + b·q, brought to length 1.
func blend(p, q []float32, a, b float64) []float32 {
	v := make([]float32, len(p))
	length := 0.0
	for k := range v {
		x := a*float64(p[k]) + b*float64(q[k])
		v[k] = float32(x)
		length += x * x
	}
	for k := range v {
		v[k] = float32(float64(v[k]) / math.Sqrt(length))
	}
	return v
}
