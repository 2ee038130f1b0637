package unreal

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// unitsPerMetre is the usual assumption of an engine that has no official unit (reference section 11.9).
const unitsPerMetre = 52.5

// axes maps the engine's axes (X forward, Y right, Z up, left-handed) to those of scenes.
type axes struct{ m mgl64.Mat3 }

// The two mappings. Both reverse the winding: vertexAxes turns a left-handed space into a right-handed one, and
// skeletal data are mirrored in themselves (reference section 11.8).
var (
	vertexAxes   = axes{mgl64.Mat3FromRows(mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, 1}, mgl64.Vec3{1, 0, 0})}
	skeletalAxes = axes{mgl64.Mat3FromRows(mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, 1}, mgl64.Vec3{-1, 0, 0})}
)

// point maps a position; it only swaps and negates, so nothing is rounded.
func (x axes) point(v [3]float32) [3]float32 {
	if x == vertexAxes {
		return [3]float32{-v[1], v[2], v[0]}
	}
	return [3]float32{-v[1], v[2], -v[0]}
}

// back is the inverse of point.
func (x axes) back(v [3]float32) [3]float32 {
	if x == vertexAxes {
		return [3]float32{v[2], -v[0], v[1]}
	}
	return [3]float32{-v[2], -v[0], v[1]}
}

// quat maps a rotation.
func (x axes) quat(q [4]float32) [4]float32 {
	if x == vertexAxes {
		return [4]float32{q[1], -q[2], -q[0], q[3]}
	}
	return [4]float32{-q[1], q[2], -q[0], q[3]}
}

// rotation returns the matrix of a rotator in the mapped axes (reference section 11.7).
func (x axes) rotation(pitchYawRoll [3]int32) mgl64.Mat3 {
	angle := func(units int32) (float64, float64) { return math.Sincos(float64(units) * (2 * math.Pi / 65536)) }
	sp, cp := angle(pitchYawRoll[0])
	sy, cy := angle(pitchYawRoll[1])
	sr, cr := angle(pitchYawRoll[2])
	m := mgl64.Mat3FromCols(
		mgl64.Vec3{cp * cy, cp * sy, sp},
		mgl64.Vec3{sr*sp*cy - cr*sy, sr*sp*sy + cr*cy, -sr * cp},
		mgl64.Vec3{-(cr*sp*cy + sr*sy), cy*sr - cr*sp*sy, cr * cp},
	)
	return x.m.Mul3(m).Mul3(x.m.Transpose())
}

// placement returns the transform RotOrigin((v − Origin) × Scale) in the mapped axes.
func (x axes) placement(m *unreal.Mesh) asset.Transform {
	r := x.rotation(m.RotOrigin)
	s := [3]float32{m.Scale[1], m.Scale[2], m.Scale[0]}
	o := x.point(m.Origin)
	t := r.Mul3x1(mgl64.Vec3{float64(s[0]) * float64(o[0]), float64(s[1]) * float64(o[1]), float64(s[2]) * float64(o[2])}).Mul(-1)
	return asset.Transform{Translation: vec32(t), Rotation: quat32(r), Scale: s}
}

func vec32(v mgl64.Vec3) [3]float32 { return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])} }

func quat32(m mgl64.Mat3) [4]float32 {
	q := mgl64.Mat4ToQuat(m.Mat4()).Normalize()
	return [4]float32{float32(q.V[0]), float32(q.V[1]), float32(q.V[2]), float32(q.W)}
}

// matrix returns a transform as a matrix.
func matrix(t asset.Transform) mgl64.Mat4 {
	if t.Matrix != nil {
		var m mgl64.Mat4
		for i, v := range t.Matrix {
			m[i] = float64(v)
		}
		return m
	}
	q := mgl64.Quat{W: float64(t.Rotation[3]), V: mgl64.Vec3{float64(t.Rotation[0]), float64(t.Rotation[1]), float64(t.Rotation[2])}}
	return mgl64.Translate3D(float64(t.Translation[0]), float64(t.Translation[1]), float64(t.Translation[2])).
		Mul4(q.Normalize().Mat4()).
		Mul4(mgl64.Scale3D(float64(t.Scale[0]), float64(t.Scale[1]), float64(t.Scale[2])))
}

// rootNode returns the node that turns the engine's units into metres.
func rootNode(name string) *asset.Node {
	n := asset.NewNode(name)
	n.Transform.Scale = [3]float32{1 / unitsPerMetre, 1 / unitsPerMetre, 1 / unitsPerMetre}
	return n
}
