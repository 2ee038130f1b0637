package freelancer

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Coordinates go to the asset model as they are: both are right-handed with +Y up in metres. Only texture coordinates
// differ: the first stored row of a picture is its lowest one (reference section 4).

// rotation returns the matrix of nine values in rows.
func rotation(r [9]float32) (m mgl64.Mat3) {
	for row := range 3 {
		for col := range 3 {
			m[col*3+row] = float64(r[row*3+col])
		}
	}
	return m
}

func rows(m mgl64.Mat3) (r [9]float32) {
	for row := range 3 {
		for col := range 3 {
			r[row*3+col] = float32(m[col*3+row])
		}
	}
	return r
}

// proper tells whether a matrix turns and does nothing else.
func proper(m mgl64.Mat3) bool {
	e := m.Mul3(m.Transpose()).Sub(mgl64.Ident3())
	for _, x := range e {
		if !(math.Abs(x) < 1e-3) {
			return false
		}
	}
	return m.Det() > 0
}

func quat(m mgl64.Mat3) mgl64.Quat { return mgl64.Mat4ToQuat(m.Mat4()).Normalize() }

// place returns the transform of a translation and a rotation. What is no rotation becomes a matrix.
func place(at mgl64.Vec3, r mgl64.Mat3) asset.Transform {
	t := asset.Identity
	if proper(r) {
		t.Translation, t.Rotation = scene.Narrow3(at), scene.NarrowTurn(quat(r))
		return t
	}
	m := [16]float32{15: 1}
	for col := range 3 {
		for row := range 3 {
			m[4*col+row] = float32(r[3*col+row])
		}
		m[12+col] = float32(at[col])
	}
	t.Matrix = &m
	return t
}

// sameTransform compares transforms up to what editors make of them.
func sameTransform(a, b *asset.Transform) bool {
	if *a == *b {
		return true
	}
	x, y := scene.Matrix(a), scene.Matrix(b)
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

// vertexColor returns a diffuse value, which is ARGB as displayed, as a linear colour.
func vertexColor(argb uint32) [4]float32 {
	c := [4]float32{3: float32(argb>>24) / 255}
	for i := range 3 {
		c[i] = scene.Linear(float32(argb>>(16-8*i)&255) / 255)
	}
	return c
}

func vertexARGB(c [4]float32) uint32 {
	to8 := func(x float32) uint32 { return uint32(math.Round(float64(min(max(x, 0), 1)) * 255)) }
	return to8(c[3])<<24 | to8(scene.Display(c[0]))<<16 | to8(scene.Display(c[1]))<<8 | to8(scene.Display(c[2]))
}

// flipV turns texture coordinates over; it is its own inverse.
func flipV(uv [][2]float32) [][2]float32 {
	out := make([][2]float32, len(uv))
	for i, t := range uv {
		out[i] = [2]float32{t[0], 1 - t[1]}
	}
	return out
}

func degrees(r float32) float64 { return float64(r) * 180 / math.Pi }

func radians(d float64) float32 { return float32(d * math.Pi / 180) }

// rigid returns the nearest translation and rotation of a matrix.
func rigid(m mgl64.Mat4) mgl64.Mat4 {
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

// fromMatrix is [place] for what a matrix does.
func fromMatrix(m mgl64.Mat4) asset.Transform { return place(m.Col(3).Vec3(), m.Mat3()) }

// near4 compares matrices. What is no number is near nothing, not even itself.
func near4(a, b mgl64.Mat4) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= 1e-3*(1+math.Abs(a[i]))) {
			return false
		}
	}
	return true
}
