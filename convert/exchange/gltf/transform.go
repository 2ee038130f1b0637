package gltf

import (
	"math"

	"github.com/usher-assets/usher/schema/asset"
)

// decompose returns the translation, rotation and scale whose product is nearest to m, and whether it is m, up to
// rounding.
func decompose(m *[16]float32) (t asset.Transform, exact bool) {
	t = asset.Identity
	t.Translation = [3]float32{m[12], m[13], m[14]}
	var c [3][3]float64 // columns, brought to unit length
	var length [3]float64
	for k := range 3 {
		for i := range 3 {
			c[k][i] = float64(m[4*k+i])
		}
		length[k] = math.Sqrt(dot(c[k], c[k]))
	}
	if dot(cross(c[0], c[1]), c[2]) < 0 {
		length[0] = -length[0]
	}
	t.Scale = [3]float32{float32(length[0]), float32(length[1]), float32(length[2])}
	for k := range 3 {
		if math.Abs(length[k]) < 1e-30 || math.IsInf(length[k], 0) {
			return t, false // flat: its rotation is anybody's guess
		}
		for i := range 3 {
			c[k][i] /= length[k]
		}
	}
	exact = m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1 &&
		math.Abs(dot(c[0], c[1])) < 1e-6 && math.Abs(dot(c[0], c[2])) < 1e-6 && math.Abs(dot(c[1], c[2])) < 1e-6
	if !exact {
		// Make the axes perpendicular, the first keeping its direction.
		c[1] = normal(sub(c[1], c[0], dot(c[0], c[1])))
		c[2] = cross(c[0], c[1])
	}
	t.Rotation = quaternion(c)
	return t, exact
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// sub returns a − f·b.
func sub(a, b [3]float64, f float64) [3]float64 {
	return [3]float64{a[0] - f*b[0], a[1] - f*b[1], a[2] - f*b[2]}
}

// normal returns a with unit length, or some axis when a has none.
func normal(a [3]float64) [3]float64 {
	l := math.Sqrt(dot(a, a))
	if l < 1e-12 {
		return [3]float64{0, 1, 0}
	}
	return [3]float64{a[0] / l, a[1] / l, a[2] / l}
}

// quaternion returns the rotation with the given columns.
func quaternion(c [3][3]float64) [4]float32 {
	q := [4]float64{
		1 + c[0][0] - c[1][1] - c[2][2],
		1 - c[0][0] + c[1][1] - c[2][2],
		1 - c[0][0] - c[1][1] + c[2][2],
		1 + c[0][0] + c[1][1] + c[2][2],
	}
	most := 0
	for k := range 4 {
		if q[k] > q[most] {
			most = k
		}
	}
	// Four times the products of the components: with the greatest of them, all the others follow.
	xy, xz, yz := c[0][1]+c[1][0], c[0][2]+c[2][0], c[1][2]+c[2][1]
	xw, yw, zw := c[1][2]-c[2][1], c[2][0]-c[0][2], c[0][1]-c[1][0]
	rows := [4][4]float64{{q[0], xy, xz, xw}, {xy, q[1], yz, yw}, {xz, yz, q[2], zw}, {xw, yw, zw, q[3]}}
	r := rows[most]
	l := math.Sqrt(r[0]*r[0] + r[1]*r[1] + r[2]*r[2] + r[3]*r[3])
	if !(l > 0) {
		return [4]float32{0, 0, 0, 1}
	}
	return [4]float32{float32(r[0] / l), float32(r[1] / l), float32(r[2] / l), float32(r[3] / l)}
}
