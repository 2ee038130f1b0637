// Package space converts between the axes and units of the engine and those of scenes.
package space

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// UnitsPerMetre is the usual assumption; the engine has no official unit (reference section 11.9).
const UnitsPerMetre = 52.5

// Axes maps the engine's axes (X forward, Y right, Z up, left-handed) to those of scenes.
type Axes struct{ Basis mgl64.Mat3 } // Basis × a vector of the engine is one of scenes

// The two mappings. Both reverse the winding: Vertex turns a left-handed space into a right-handed one, and
// skeletal data are mirrored in themselves (reference section 11.8).
var (
	Vertex   = Axes{mgl64.Mat3FromRows(mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, 1}, mgl64.Vec3{1, 0, 0})}
	Skeletal = Axes{mgl64.Mat3FromRows(mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, 1}, mgl64.Vec3{-1, 0, 0})}
)

// Point maps a position. It only swaps and negates, so nothing is rounded.
func (x Axes) Point(v [3]float32) [3]float32 {
	if x == Vertex {
		return [3]float32{-v[1], v[2], v[0]}
	}
	return [3]float32{-v[1], v[2], -v[0]}
}

// Back is the inverse of [Axes.Point].
func (x Axes) Back(v [3]float32) [3]float32 {
	if x == Vertex {
		return [3]float32{v[2], -v[0], v[1]}
	}
	return [3]float32{-v[2], -v[0], v[1]}
}

// Quat maps a rotation x, y, z, w.
func (x Axes) Quat(q [4]float32) [4]float32 {
	if x == Vertex {
		return [4]float32{q[1], -q[2], -q[0], q[3]}
	}
	return [4]float32{-q[1], q[2], -q[0], q[3]}
}

// Rotation returns a rotator as a matrix in the mapped axes; a full turn is 65,536 (reference section 11.7).
func (x Axes) Rotation(pitchYawRoll [3]int32) mgl64.Mat3 {
	angle := func(units int32) (float64, float64) { return math.Sincos(float64(units) * (2 * math.Pi / 65536)) }
	sp, cp := angle(pitchYawRoll[0])
	sy, cy := angle(pitchYawRoll[1])
	sr, cr := angle(pitchYawRoll[2])
	m := mgl64.Mat3FromCols(
		mgl64.Vec3{cp * cy, cp * sy, sp},
		mgl64.Vec3{sr*sp*cy - cr*sy, sr*sp*sy + cr*cy, -sr * cp},
		mgl64.Vec3{-(cr*sp*cy + sr*sy), cy*sr - cr*sp*sy, cr * cp},
	)
	return x.Basis.Mul3(m).Mul3(x.Basis.Transpose())
}

// Placement returns the transform RotOrigin((v − Origin) × Scale) in the mapped axes.
func (x Axes) Placement(m *unreal.Mesh) asset.Transform {
	r := x.Rotation(m.RotOrigin)
	s := [3]float32{m.Scale[1], m.Scale[2], m.Scale[0]}
	o := x.Point(m.Origin)
	t := r.Mul3x1(mgl64.Vec3{float64(s[0]) * float64(o[0]), float64(s[1]) * float64(o[1]), float64(s[2]) * float64(o[2])}).Mul(-1)
	return asset.Transform{Translation: scene.Narrow3(t), Rotation: Rotation(r), Scale: s}
}

// Rotation returns the rotation of a matrix as a quaternion.
func Rotation(m mgl64.Mat3) [4]float32 {
	return scene.NarrowTurn(mgl64.Mat4ToQuat(m.Mat4()).Normalize())
}

// Matrix returns a transform as a matrix. Unlike [scene.Matrix], it does not normalise a rotation whose length is 1 except
// for rounding.
func Matrix(t asset.Transform) mgl64.Mat4 {
	if t.Matrix != nil {
		return scene.WideMatrix(*t.Matrix)
	}
	q := mgl64.Quat{W: float64(t.Rotation[3]), V: mgl64.Vec3{float64(t.Rotation[0]), float64(t.Rotation[1]), float64(t.Rotation[2])}}
	return mgl64.Translate3D(float64(t.Translation[0]), float64(t.Translation[1]), float64(t.Translation[2])).
		Mul4(q.Normalize().Mat4()).
		Mul4(mgl64.Scale3D(float64(t.Scale[0]), float64(t.Scale[1]), float64(t.Scale[2])))
}

// Root is the Native format of nodes that stand for a file or an object.
const Root = "unreal-root"

// RootNode returns the node that stands for a file or an object, and scales the engine's units to metres.
func RootNode(name string) *asset.Node {
	n := asset.NewNode(name)
	n.Native = &asset.Native{Format: Root}
	scene.Call(n)
	n.Transform.Scale = [3]float32{1 / UnitsPerMetre, 1 / UnitsPerMetre, 1 / UnitsPerMetre}
	return n
}

// Near returns a matrix, or exactly the identity if it differs only by rounding, so that integers stay integers.
func Near(m mgl64.Mat4) mgl64.Mat4 {
	if m.ApproxEqualThreshold(mgl64.Ident4(), 1e-4) {
		return mgl64.Ident4()
	}
	return m
}

// Placed is a node that has a mesh, with its transform in the scene.
type Placed struct {
	Node  *asset.Node
	World mgl64.Mat4
}

// Shown returns the nodes of a scene that have a mesh, in order.
func Shown(s *asset.Scene) (list []Placed) {
	globals := map[*asset.Node]mgl64.Mat4{}
	s.Walk(func(n, parent *asset.Node) {
		m := Matrix(n.Transform)
		if g, ok := globals[parent]; ok {
			m = g.Mul4(m)
		}
		globals[n] = m
		if n.Mesh != nil {
			list = append(list, Placed{n, m})
		}
	})
	return list
}

// Close reports whether two numbers are equal within what editors change.
func Close(a, b, tolerance float32) bool { return math.Abs(float64(a-b)) <= float64(tolerance) }
