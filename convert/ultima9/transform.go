package ultima9

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

func matrixOf(t asset.Transform) (m mgl64.Mat4) {
	if t.Matrix != nil {
		for i, x := range t.Matrix {
			m[i] = float64(x)
		}
		return m
	}
	q := t.Rotation
	r := mgl64.Quat{W: float64(q[3]), V: mgl64.Vec3{float64(q[0]), float64(q[1]), float64(q[2])}}.Normalize().Mat4()
	s := mgl64.Scale3D(float64(t.Scale[0]), float64(t.Scale[1]), float64(t.Scale[2]))
	p := mgl64.Translate3D(float64(t.Translation[0]), float64(t.Translation[1]), float64(t.Translation[2]))
	return p.Mul4(r).Mul4(s)
}

// transformOf takes a matrix apart; exact is false when it is no product of translation, rotation and scale.
func transformOf(m mgl64.Mat4) (t asset.Transform, exact bool) {
	x, y, z := m.Col(0).Vec3(), m.Col(1).Vec3(), m.Col(2).Vec3()
	scale := [3]float64{x.Len(), y.Len(), z.Len()}
	if x.Cross(y).Dot(z) < 0 {
		scale[0] = -scale[0]
	}
	r := mgl64.Ident4()
	axes := [3]mgl64.Vec3{x, y, z}
	exact = true
	for k, a := range axes {
		if scale[k] == 0 {
			return asset.Transform{Translation: vector(m.Col(3).Vec3()), Rotation: asset.Identity.Rotation, Scale: [3]float32{float32(scale[0]), float32(scale[1]), float32(scale[2])}}, false
		}
		axes[k] = a.Mul(1 / scale[k])
		r.SetCol(k, axes[k].Vec4(0))
	}
	for k := range axes {
		exact = exact && math.Abs(axes[k].Dot(axes[(k+1)%3])) < 1e-4
	}
	q := mgl64.Mat4ToQuat(r).Normalize()
	return asset.Transform{
		Translation: vector(m.Col(3).Vec3()),
		Rotation:    [4]float32{float32(q.V[0]), float32(q.V[1]), float32(q.V[2]), float32(q.W)},
		Scale:       [3]float32{float32(scale[0]), float32(scale[1]), float32(scale[2])},
	}, exact
}

func vector(v mgl64.Vec3) [3]float32 { return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])} }

// sameTransform compares within what an editor changes by taking transforms apart and putting them together.
func sameTransform(a, b asset.Transform) bool {
	if b.Matrix != nil {
		b, _ = transformOf(matrixOf(b))
	}
	const tolerance = 1e-5
	near := func(x, y float32) bool {
		return math.Abs(float64(x)-float64(y)) <= tolerance*max(1, math.Abs(float64(x)))
	}
	for k := range 3 {
		if !nearPlace(a.Translation[k], b.Translation[k]) || math.Abs(float64(a.Scale[k]-b.Scale[k])) > tolerance*math.Abs(float64(a.Scale[k])) {
			return false
		}
	}
	same, opposite := true, true
	for k := range 4 {
		same = same && near(a.Rotation[k], b.Rotation[k])
		opposite = opposite && near(a.Rotation[k], -b.Rotation[k])
	}
	return same || opposite
}

// nearPlace compares two coordinates in raw units. An editor that takes the place of a model in the world out of those
// of its limbs leaves some millionths of a metre.
func nearPlace(x, y float32) bool {
	return math.Abs(float64(x)-float64(y)) <= max(1e-4, 1e-5*math.Abs(float64(x)))
}
