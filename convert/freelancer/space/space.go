package space

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Rotation converts nine values in rows to a matrix.
func Rotation(r [9]float32) (m mgl64.Mat3) {
	for row := range 3 {
		for col := range 3 {
			m[col*3+row] = float64(r[row*3+col])
		}
	}
	return m
}

// Rows is the inverse of [Rotation].
func Rows(m mgl64.Mat3) (r [9]float32) {
	for row := range 3 {
		for col := range 3 {
			r[row*3+col] = float32(m[col*3+row])
		}
	}
	return r
}

// proper reports whether a matrix turns and does nothing else.
func proper(m mgl64.Mat3) bool {
	e := m.Mul3(m.Transpose()).Sub(mgl64.Ident3())
	for _, x := range e {
		if !(math.Abs(x) < 1e-3) {
			return false
		}
	}
	return m.Det() > 0
}

// Quat converts a rotation to a unit quaternion.
func Quat(m mgl64.Mat3) mgl64.Quat { return mgl64.Mat4ToQuat(m.Mat4()).Normalize() }

// Turn converts a stored rotation, which may have any length or be missing, to a unit quaternion.
func Turn(q [4]float32) mgl64.Quat {
	return mgl64.Quat{W: float64(q[3]), V: mgl64.Vec3{float64(q[0]), float64(q[1]), float64(q[2])}}.Normalize()
}

// Matrix returns a transform as a matrix. It differs from that of convert/scene in the last bits, which are stored in
// files.
func Matrix(t *asset.Transform) mgl64.Mat4 {
	if t.Matrix != nil {
		return scene.WideMatrix(*t.Matrix)
	}
	return scene.Pose{Place: scene.Wide3(t.Translation), Turn: Turn(t.Rotation), Scale: scene.Wide3(t.Scale)}.Matrix()
}

// World returns the transform of a node in the world.
func World(n *asset.Node, parents map[*asset.Node]*asset.Node) mgl64.Mat4 {
	w := mgl64.Ident4()
	for ; n != nil; n = parents[n] {
		w = Matrix(&n.Transform).Mul4(w)
	}
	return w
}

// Place returns the transform with a translation and a rotation. If the rotation is not a pure one, it is a matrix.
func Place(at mgl64.Vec3, r mgl64.Mat3) asset.Transform {
	t := asset.Identity
	if proper(r) {
		t.Translation, t.Rotation = scene.Narrow3(at), scene.NarrowTurn(Quat(r))
		return t
	}
	w := r.Mat4()
	w.SetCol(3, at.Vec4(1))
	m := scene.NarrowMatrix(w)
	t.Matrix = &m
	return t
}

// SameTransform reports whether two transforms are equal within what editors change.
func SameTransform(a, b *asset.Transform) bool {
	if *a == *b {
		return true
	}
	x, y := Matrix(a), Matrix(b)
	size := 1.0
	for i := range x {
		if x[i]-x[i] != 0 {
			x[i] = 0 // as glTF has it
		}
		if i >= 12 {
			size = max(size, math.Abs(x[i]), math.Abs(y[i]))
		}
	}
	for i := range x {
		limit := 1e-5
		if i >= 12 {
			limit *= size
		}
		if !(math.Abs(x[i]-y[i]) <= limit) {
			return false
		}
	}
	return true
}

// FlipV flips texture coordinates vertically. It is its own inverse.
func FlipV(uv [][2]float32) [][2]float32 {
	out := make([][2]float32, len(uv))
	for i, t := range uv {
		out[i] = [2]float32{t[0], 1 - t[1]}
	}
	return out
}

// Degrees converts an angle in radians, as stored, to degrees.
func Degrees(r float32) float64 { return float64(r) * 180 / math.Pi }

// Radians is the inverse of [Degrees].
func Radians(d float64) float32 { return float32(d * math.Pi / 180) }

// Rigid returns the nearest translation and rotation of a matrix.
func Rigid(m mgl64.Mat4) mgl64.Mat4 {
	x, y := m.Col(0).Vec3(), m.Col(1).Vec3()
	if x.Len() < 1e-12 || y.Len() < 1e-12 {
		return mgl64.Translate3D(m[12], m[13], m[14])
	}
	x = x.Normalize()
	y = y.Sub(x.Mul(x.Dot(y)))
	if y.Len() < 1e-12 {
		return mgl64.Translate3D(m[12], m[13], m[14])
	}
	y = y.Normalize()
	z := x.Cross(y)
	return mgl64.Mat4{x[0], x[1], x[2], 0, y[0], y[1], y[2], 0, z[0], z[1], z[2], 0, m[12], m[13], m[14], 1}
}

// Transform is [Place] for a matrix.
func Transform(m mgl64.Mat4) asset.Transform { return Place(m.Col(3).Vec3(), m.Mat3()) }

// Near reports whether two matrices are equal within what editors change. NaN equals nothing.
func Near(a, b mgl64.Mat4) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= 1e-3*(1+math.Abs(a[i]))) {
			return false
		}
	}
	return true
}
