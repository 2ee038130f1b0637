package ultimate3d

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// Mirroring x leads from the left-handed space of the files to glTF's, and back (reference section 8.1). The stored
// order of a matrix for row vectors is the column-major order of the same transform for column vectors, so that one is
// converted to the other as it is.

func mirror3[T float32 | float64](v [3]T) [3]T { return [3]T{-v[0], v[1], v[2]} }

func mirrorQuat[T float32 | float64](q [4]T) [4]T { return [4]T{q[0], -q[1], -q[2], q[3]} }

// mirrorMatrix returns a stored transform in glTF's space.
func mirrorMatrix(m ultimate3d.Matrix) mgl64.Mat4 {
	for _, i := range [...]int{1, 2, 4, 8, 12} {
		m[i] = -m[i]
	}
	m[3], m[7], m[11], m[15] = 0, 0, 0, 1
	return mgl64.Mat4(m)
}

// storedMatrix is the reverse of [mirrorMatrix].
func storedMatrix(m mgl64.Mat4) [16]float32 {
	return scene.NarrowMatrix(mirrorMatrix(ultimate3d.Matrix(m)))
}

func narrow3(v [3]float64) [3]float32 { return scene.Narrow3(v) }

func narrow4(v [4]float64) [4]float32 {
	return [4]float32{float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3])}
}

// linearRGB converts stored colour components, display values, to glTF's linear factors (0 … 1); displayRGB is its
// inverse.
func linearRGB(c [4]float32) [3]float32 {
	return [3]float32{scene.Linear(clamp01(c[0])), scene.Linear(clamp01(c[1])), scene.Linear(clamp01(c[2]))}
}

func displayRGB(c [3]float32) [3]float32 {
	return [3]float32{scene.Display(c[0]), scene.Display(c[1]), scene.Display(c[2])}
}
