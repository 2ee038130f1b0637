package gltf

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// Lower levels of detail stand below their part and in its space, where an editor moves them with it. Only those of
// other programs' scenes, and of what is hidden, are nodes outside the scene, which MSFT_lod names.

// showsLevels reports whether lower levels are nodes of the scene.
func (e *encoder) showsLevels() bool { return e.marks && !e.o.whole }

// levelParent returns the parent in the file of a level of n: n itself; where that or the level moves on its own, the parent
// of n; nil outside the scene.
func (e *encoder) levelParent(n, parent, level *asset.Node) *asset.Node {
	if !e.showsLevels() {
		return nil
	}
	for _, a := range e.s.Animations {
		for _, c := range a.Channels {
			if (c.Node == n || c.Node == level) && c.Path != asset.MorphWeights {
				return parent
			}
		}
	}
	if m := mat4(&n.Transform); !invertible(m) {
		return parent
	}
	return n
}

// transform returns the place of a node in its parent in the file.
func (e *encoder) transform(n *asset.Node) asset.Transform {
	owner, _ := e.ownerOf(n)
	if owner == nil || e.parents[n] != owner {
		return n.Transform
	}
	return within(&n.Transform, &owner.Transform)
}

// within returns a transform as seen from another one beside it.
func within(t, owner *asset.Transform) asset.Transform {
	if sameTransform(t, owner) {
		return asset.Identity
	}
	return transformOf(mat4(owner).Inv().Mul4(mat4(t)))
}

// outOf is the reverse of within.
func outOf(t, owner *asset.Transform) asset.Transform {
	if sameTransform(t, &asset.Identity) {
		return *owner
	}
	return transformOf(mat4(owner).Mul4(mat4(t)))
}

func sameTransform(a, b *asset.Transform) bool {
	if a.Matrix != nil || b.Matrix != nil {
		return matrixOf(a) == matrixOf(b)
	}
	return *a == *b
}

// matrixOf returns a transform as a matrix, column-major.
func matrixOf(t *asset.Transform) (out [16]float32) {
	if t.Matrix != nil {
		return *t.Matrix
	}
	for k, x := range mat4(t) {
		out[k] = float32(x)
	}
	return out
}

func mat4(t *asset.Transform) (m mgl64.Mat4) {
	if t.Matrix != nil {
		return wide(*t.Matrix)
	}
	q := mgl64.Quat{W: float64(t.Rotation[3]), V: mgl64.Vec3{float64(t.Rotation[0]), float64(t.Rotation[1]), float64(t.Rotation[2])}}
	return mgl64.Translate3D(float64(t.Translation[0]), float64(t.Translation[1]), float64(t.Translation[2])).Mul4(q.Mat4()).
		Mul4(mgl64.Scale3D(float64(t.Scale[0]), float64(t.Scale[1]), float64(t.Scale[2])))
}

func wide(m [16]float32) (out mgl64.Mat4) {
	for k, x := range m {
		out[k] = float64(x)
	}
	return out
}

func transformOf(m mgl64.Mat4) asset.Transform {
	var narrow [16]float32
	for k, x := range m {
		narrow[k] = float32(x)
	}
	if t, exact := decompose(&narrow); exact {
		return t
	}
	t := asset.Identity
	t.Matrix = &narrow
	return t
}

// invertible reports whether a matrix can be undone without losing what it does.
func invertible(m mgl64.Mat4) bool {
	d := m.Mat3().Det()
	return d > 1e-12 || d < -1e-12
}
