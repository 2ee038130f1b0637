package ultimate3d

import (
	"math"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// Mirroring x leads from the left-handed space of the files to glTF's, and back (reference section 8.1). The stored
// order of a matrix for row vectors is glTF's column-major order of the same transform, so that one type serves both.

func mirror3[T float32 | float64](v [3]T) [3]T { return [3]T{-v[0], v[1], v[2]} }

func mirrorQuat[T float32 | float64](q [4]T) [4]T { return [4]T{q[0], -q[1], -q[2], q[3]} }

func mirrorMatrix(m ultimate3d.Matrix) ultimate3d.Matrix {
	for _, i := range [...]int{1, 2, 4, 8, 12} {
		m[i] = -m[i]
	}
	m[3], m[7], m[11], m[15] = 0, 0, 0, 1
	return m
}

func narrow3(v [3]float64) [3]float32 {
	return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
}

func narrow4(v [4]float64) [4]float32 {
	return [4]float32{float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3])}
}

func wide3(v [3]float32) [3]float64 {
	return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
}

func narrowMatrix(m ultimate3d.Matrix) (n [16]float32) {
	for i, v := range m {
		n[i] = float32(v)
	}
	return n
}

// poseOf returns a node's translation, rotation and scale in glTF's space; a matrix is taken apart. Exact is false when
// the matrix has a shear, which no pose can say.
func poseOf(t *asset.Transform) (p ultimate3d.Pose, exact bool) {
	if t.Matrix != nil {
		return decompose(ultimate3d.MatrixOf(*t.Matrix))
	}
	return ultimate3d.Pose{
		Scaling:     wide3(t.Scale),
		Rotation:    ultimate3d.Normalised(t.Rotation),
		Translation: wide3(t.Translation),
	}, true
}

// matrixOf returns the transform of a node.
func matrixOf(t *asset.Transform) ultimate3d.Matrix {
	if t.Matrix != nil {
		m := ultimate3d.MatrixOf(*t.Matrix)
		m[3], m[7], m[11], m[15] = 0, 0, 0, 1
		return m
	}
	p, _ := poseOf(t)
	return p.Matrix()
}

// decompose takes a matrix apart: scaling, then rotation, then translation. A mirror goes into the scaling of x. Exact
// is false when the three do not give the matrix again.
func decompose(m ultimate3d.Matrix) (p ultimate3d.Pose, exact bool) {
	p = ultimate3d.Pose{Rotation: [4]float64{0, 0, 0, 1}, Translation: [3]float64{m[12], m[13], m[14]}}
	var r [3][3]float64
	for i := range 3 {
		p.Scaling[i] = math.Sqrt(m[4*i]*m[4*i] + m[4*i+1]*m[4*i+1] + m[4*i+2]*m[4*i+2])
	}
	if m.Determinant() < 0 {
		p.Scaling[0] = -p.Scaling[0]
	}
	for i := range 3 {
		if p.Scaling[i] == 0 {
			return p, m[0] == 0 && m[5] == 0 && m[10] == 0
		}
		for k := range 3 {
			r[i][k] = m[4*i+k] / p.Scaling[i]
		}
	}
	p.Rotation = quaternion(r)
	return p, sameMatrix(p.Matrix(), m, 1e-5)
}

// quaternion returns the rotation whose rows, for row vectors, are r.
func quaternion(r [3][3]float64) [4]float64 {
	// The largest component is found first, since the others are divided by it.
	squares := [4]float64{
		1 + r[0][0] - r[1][1] - r[2][2],
		1 - r[0][0] + r[1][1] - r[2][2],
		1 - r[0][0] - r[1][1] + r[2][2],
		1 + r[0][0] + r[1][1] + r[2][2],
	}
	best := 3
	for i, s := range squares {
		if s > squares[best] {
			best = i
		}
	}
	s := 2 * math.Sqrt(max(squares[best], 1e-30))
	wx, wy, wz := r[1][2]-r[2][1], r[2][0]-r[0][2], r[0][1]-r[1][0]
	xy, xz, yz := r[0][1]+r[1][0], r[0][2]+r[2][0], r[1][2]+r[2][1]
	var q [4]float64
	switch best {
	case 0:
		q = [4]float64{s * s / 4, xy, xz, wx}
	case 1:
		q = [4]float64{xy, s * s / 4, yz, wy}
	case 2:
		q = [4]float64{xz, yz, s * s / 4, wz}
	default:
		q = [4]float64{wx, wy, wz, s * s / 4}
	}
	for i := range q {
		q[i] /= s
	}
	length := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	for i := range q {
		q[i] /= length
	}
	return q
}

// sameMatrix tells whether two transforms agree: each row within the tolerance of the largest element of its kind.
func sameMatrix(a, b ultimate3d.Matrix, tolerance float64) bool {
	linear, shift := 1e-30, 1.0
	for i := range 12 {
		linear = max(linear, math.Abs(a[i]))
	}
	for i := 12; i < 15; i++ {
		shift = max(shift, math.Abs(a[i]))
	}
	for i := range a {
		scale := linear
		if i >= 12 {
			scale = shift
		}
		if !(math.Abs(a[i]-b[i]) <= tolerance*scale) {
			return false
		}
	}
	return true
}

// invert returns the inverse of an affine transform; ok is false when it has none.
func invert(m ultimate3d.Matrix) (inv ultimate3d.Matrix, ok bool) {
	det := m.Determinant()
	if det == 0 || math.IsNaN(det) || math.IsInf(1/det, 0) {
		return ultimate3d.IdentityMatrix, false
	}
	inv = ultimate3d.Matrix{
		(m[5]*m[10] - m[6]*m[9]) / det, (m[2]*m[9] - m[1]*m[10]) / det, (m[1]*m[6] - m[2]*m[5]) / det, 0,
		(m[6]*m[8] - m[4]*m[10]) / det, (m[0]*m[10] - m[2]*m[8]) / det, (m[2]*m[4] - m[0]*m[6]) / det, 0,
		(m[4]*m[9] - m[5]*m[8]) / det, (m[1]*m[8] - m[0]*m[9]) / det, (m[0]*m[5] - m[1]*m[4]) / det, 0,
		0, 0, 0, 1,
	}
	for k := range 3 {
		inv[12+k] = -(m[12]*inv[k] + m[13]*inv[4+k] + m[14]*inv[8+k])
	}
	return inv, true
}

// linear converts a stored colour component, a display value, to glTF's linear factor (0 … 1); display is its inverse.
func linear(v float32) float32 {
	x := min(max(float64(v), 0), 1)
	if math.IsNaN(x) {
		return 0
	}
	if x <= 0.04045 {
		return float32(x / 12.92)
	}
	return float32(math.Pow((x+0.055)/1.055, 2.4))
}

func display(v float32) float32 {
	x := float64(v)
	if x <= 0.0031308 {
		return float32(x * 12.92)
	}
	return float32(1.055*math.Pow(x, 1/2.4) - 0.055)
}

func linearRGB(c [4]float32) [3]float32 { return [3]float32{linear(c[0]), linear(c[1]), linear(c[2])} }

func displayRGB(c [3]float32) [3]float32 {
	return [3]float32{display(c[0]), display(c[1]), display(c[2])}
}
