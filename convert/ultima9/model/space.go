package model

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// rawVector turns a direction or a place from metres, Y up, to raw axes, Z up, without scaling it.
func rawVector(v [3]float32) [3]float32 { return [3]float32{v[0], -v[2], v[1]} }

// rawPoint turns a place from metres, Y up, to raw units, Z up.
func rawPoint(v [3]float32) [3]float32 {
	v = rawVector(v)
	for k := range v {
		v[k] *= ultima9.RawPerMetre
	}
	return v
}

// toRaw turns a transform between nodes in metres, Y up, to one between limbs in raw units, Z up.
func toRaw(t asset.Transform) asset.Transform {
	axis := rawVector([3]float32(t.Rotation[:3]))
	return asset.Transform{
		Translation: rawPoint(t.Translation),
		Rotation:    [4]float32{axis[0], axis[1], axis[2], t.Rotation[3]},
		Scale:       [3]float32{t.Scale[0], t.Scale[2], t.Scale[1]},
	}
}

// ToRawMatrix converts positions in metres, Y up, to raw units, Z up.
var ToRawMatrix = mgl64.Mat4{
	ultima9.RawPerMetre, 0, 0, 0,
	0, 0, ultima9.RawPerMetre, 0,
	0, -ultima9.RawPerMetre, 0, 0,
	0, 0, 0, 1,
}

// RootTransform converts raw units, Z up, to metres, Y up. Only the root node has it, so no stored number is rescaled
// (reference section 2).
var RootTransform = asset.Transform{
	Rotation: [4]float32{-math.Sqrt2 / 2, 0, 0, math.Sqrt2 / 2},
	Scale:    [3]float32{1.0 / ultima9.RawPerMetre, 1.0 / ultima9.RawPerMetre, 1.0 / ultima9.RawPerMetre},
}

// LimbTransform returns the transform of a limb in the form that glTF allows.
func LimbTransform(l *ultima9.Limb) asset.Transform {
	q := l.Rotation
	t := asset.Transform{Translation: l.Position, Rotation: [4]float32{q[1], q[2], q[3], q[0]}, Scale: l.Scale}
	t.Rotation = UnitQuaternion(t.Rotation)
	return t
}

// UnitQuaternion returns q itself if its length is close enough to 1 for glTF, otherwise q scaled to length 1, or the
// identity if q is zero.
func UnitQuaternion(q [4]float32) [4]float32 {
	sum := 0.0
	for _, x := range q {
		sum += float64(x) * float64(x)
	}
	if math.Abs(sum-1) <= 1e-3 {
		for k := range q {
			q[k] = min(max(q[k], -1), 1) // -32768 / 32767 is a little too much for glTF
		}
		return q
	}
	if !(sum > 1e-30) || math.IsInf(sum, 0) {
		return [4]float32{0, 0, 0, 1}
	}
	for k := range q {
		q[k] = float32(float64(q[k]) / math.Sqrt(sum))
	}
	return q
}

func bits(x float32) uint32 { return math.Float32bits(x) }

func isFinite(x float32) bool { return bits(x)&0x7F800000 != 0x7F800000 }
