package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// Wide3 and Narrow3 convert between the vectors of the asset model and those of calculations.
func Wide3(v [3]float32) mgl64.Vec3 {
	return mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}
}

// Narrow3 is the reverse of [Wide3].
func Narrow3(v mgl64.Vec3) [3]float32 {
	return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
}

// Turn returns a rotation x, y, z, w of any length as a unit quaternion, or the identity if it is zero or not finite.
func Turn(q [4]float32) mgl64.Quat {
	return unit(mgl64.Quat{W: float64(q[3]), V: mgl64.Vec3{float64(q[0]), float64(q[1]), float64(q[2])}})
}

// NarrowTurn is the reverse of [Turn].
func NarrowTurn(q mgl64.Quat) [4]float32 {
	return [4]float32{float32(q.V[0]), float32(q.V[1]), float32(q.V[2]), float32(q.W)}
}

func unit(q mgl64.Quat) mgl64.Quat {
	l := q.Len()
	if !(l > 0) || math.IsInf(l, 0) {
		return mgl64.QuatIdent()
	}
	return q.Scale(1 / l)
}

// WideMatrix and NarrowMatrix lead between the matrices of the asset model and those of calculations.
func WideMatrix(m [16]float32) (w mgl64.Mat4) {
	for i, x := range m {
		w[i] = float64(x)
	}
	return w
}

// NarrowMatrix is the reverse of [WideMatrix].
func NarrowMatrix(w mgl64.Mat4) (m [16]float32) {
	for i, x := range w {
		m[i] = float32(x)
	}
	return m
}

// Pose is a place, a rotation and a scale: M = T · R · S.
type Pose struct {
	Place mgl64.Vec3
	Turn  mgl64.Quat // unit length
	Scale mgl64.Vec3
}

// Matrix returns the transform of a pose.
func (p Pose) Matrix() mgl64.Mat4 {
	m := p.Turn.Mat4()
	for col := range 3 {
		for row := range 3 {
			m[4*col+row] *= p.Scale[col]
		}
		m[12+col] = p.Place[col]
	}
	return m
}

// Transform returns a pose as nodes have it.
func (p Pose) Transform() asset.Transform {
	return asset.Transform{Translation: Narrow3(p.Place), Rotation: NarrowTurn(p.Turn), Scale: Narrow3(p.Scale)}
}

// PoseOf returns the pose of a node; exact is false when its matrix has a shear, see [Decompose].
func PoseOf(t *asset.Transform) (p Pose, exact bool) {
	if t.Matrix != nil {
		return Decompose(WideMatrix(*t.Matrix))
	}
	return Pose{Wide3(t.Translation), Turn(t.Rotation), Wide3(t.Scale)}, true
}

// Matrix returns the transform of a node as a matrix. The last row of a stored matrix is taken as 0 0 0 1.
func Matrix(t *asset.Transform) mgl64.Mat4 {
	if t.Matrix == nil {
		p, _ := PoseOf(t)
		return p.Matrix()
	}
	m := WideMatrix(*t.Matrix)
	m[3], m[7], m[11], m[15] = 0, 0, 0, 1
	return m
}

// TransformOf returns the transform with a given matrix: as translation, rotation and scale if possible, or as a matrix if
// it has a shear.
func TransformOf(m mgl64.Mat4) asset.Transform {
	p, exact := Decompose(m)
	if exact {
		return p.Transform()
	}
	n := NarrowMatrix(m)
	return asset.Transform{Rotation: asset.Identity.Rotation, Scale: asset.Identity.Scale, Matrix: &n}
}

// shear is the cosine between two axes from which on they are not at right angles: what float32 makes of those that are
// stays far below.
const shear = 1e-5

// Decompose splits a matrix into translation, rotation and scale. A mirror becomes a negative scale of x. A matrix with a
// shear cannot be split: exact is false, and the pose has the nearest rotation, with the scales along its axes. Axes of
// zero length get any direction that fits.
func Decompose(m mgl64.Mat4) (p Pose, exact bool) {
	p.Place = m.Col(3).Vec3()
	axes := [3]mgl64.Vec3{m.Col(0).Vec3(), m.Col(1).Vec3(), m.Col(2).Vec3()}
	most := 0.0
	for k, a := range axes {
		p.Scale[k] = a.Len()
		most = max(most, p.Scale[k])
	}
	if m.Mat3().Det() < 0 {
		p.Scale[0] = -p.Scale[0]
	}
	if !(most > 0) || math.IsInf(most, 0) {
		p.Turn = mgl64.QuatIdent()
		return p, most == 0
	}
	for k := range axes {
		if math.Abs(p.Scale[k]) <= 1e-30*most {
			p.Scale[k], axes[k] = 0, mgl64.Vec3{}
		} else {
			axes[k] = axes[k].Mul(1 / p.Scale[k])
		}
	}
	exact = true
	for k := range axes {
		exact = exact && math.Abs(axes[k].Dot(axes[(k+1)%3])) <= shear
	}
	complete(&axes)
	if !exact {
		r := nearestRotation(mgl64.Mat3FromCols(axes[0], axes[1], axes[2]))
		for k := range axes {
			p.Scale[k] *= axes[k].Dot(r.Col(k))
			axes[k] = r.Col(k)
		}
	}
	p.Turn = unit(mgl64.Mat4ToQuat(mgl64.Mat3FromCols(axes[0], axes[1], axes[2]).Mat4()))
	return p, exact
}

// complete gives axes without a length one at right angles to the others.
func complete(axes *[3]mgl64.Vec3) {
	for k := range axes {
		if axes[k] != (mgl64.Vec3{}) {
			continue
		}
		a, b := axes[(k+1)%3], axes[(k+2)%3]
		switch {
		case a != (mgl64.Vec3{}) && b != (mgl64.Vec3{}):
			axes[k] = a.Cross(b)
			if l := axes[k].Len(); l > 1e-6 {
				axes[k] = axes[k].Mul(1 / l)
				continue
			}
			axes[k] = across(a)
		case a != (mgl64.Vec3{}):
			axes[k] = across(a)
		default:
			axes[k] = across(b)
		}
	}
}

// across returns a unit vector at right angles to another one.
func across(v mgl64.Vec3) mgl64.Vec3 {
	least := 0
	for k := range v {
		if math.Abs(v[k]) < math.Abs(v[least]) {
			least = k
		}
	}
	var e mgl64.Vec3
	e[least] = 1
	return v.Cross(e).Normalize()
}

// nearestRotation returns the rotation next to a matrix whose determinant is not negative: the mean of a matrix and its
// inverse transposed leads there in a few steps.
func nearestRotation(r mgl64.Mat3) mgl64.Mat3 {
	for range 32 {
		if !(r.Det() > 1e-12) { // flat: keep the first axis
			x := r.Col(0).Normalize()
			y := r.Col(1).Sub(x.Mul(x.Dot(r.Col(1))))
			if !(y.Len() > 1e-6) {
				y = across(x)
			}
			y = y.Normalize()
			return mgl64.Mat3FromCols(x, y, x.Cross(y))
		}
		next := r.Add(r.Transpose().Inv()).Mul(0.5)
		done := next.ApproxEqualThreshold(r, 1e-15)
		if r = next; done {
			break
		}
	}
	return r
}

// rigid returns the place and rotation of a matrix, without what it does besides.
func rigid(m mgl64.Mat4) mgl64.Mat4 {
	p, _ := Decompose(m)
	p.Scale = mgl64.Vec3{1, 1, 1}
	return p.Matrix()
}

// isRigid reports whether a matrix turns and moves, and does nothing else.
func isRigid(m mgl64.Mat4) bool {
	size, uniform := Uniform(m)
	return uniform && math.Abs(size-1) <= ScaleTolerance
}

// Uniform returns the scale of a matrix, and whether it is the same in all directions, without mirror or shear. The scale
// is the cube root of the change in volume, never negative.
func Uniform(m mgl64.Mat4) (size float64, ok bool) {
	size = math.Cbrt(math.Abs(m.Mat3().Det()))
	p, exact := Decompose(m)
	ok = exact && size > 0
	for _, s := range p.Scale {
		ok = ok && math.Abs(s-size) <= ScaleTolerance*size
	}
	return size, ok
}

// Mirrored reports whether a matrix swaps left and right.
func Mirrored(m mgl64.Mat4) bool { return m.Mat3().Det() < 0 }

// SamePlace reports whether two matrices are equal within what an editor changes. size is that of the model, or of
// coordinates in it. Values of the first, stored matrix that are not finite count as equal to anything, since glTF cannot
// express them.
func SamePlace(stored, now mgl64.Mat4, size float64) bool {
	for k := range 3 {
		a, b := stored.Col(k).Vec3(), now.Col(k).Vec3()
		if !isNumber(a) {
			continue
		}
		la, lb := a.Len(), b.Len()
		if math.Abs(la-lb) > ScaleTolerance*max(la, lb) || math.IsNaN(lb) {
			return false
		}
		if la > 0 && lb > 0 && !(a.Mul(1/la).Sub(b.Mul(1/lb)).Len() <= TurnTolerance) {
			return false
		}
	}
	a, b := stored.Col(3).Vec3(), now.Col(3).Vec3()
	return !isNumber(a) || a.Sub(b).Len() <= MoveTolerance*max(size, a.Len(), b.Len())
}

// SameTransform is [SamePlace] for transforms of nodes.
func SameTransform(stored, now *asset.Transform, size float64) bool {
	return *stored == *now || SamePlace(Matrix(stored), Matrix(now), size)
}

func isNumber(v mgl64.Vec3) bool {
	for _, x := range v {
		if x-x != 0 {
			return false
		}
	}
	return true
}

// Parents returns the parent of every node of some scenes. The parent of a level of detail is that of the node it belongs
// to.
func Parents(scenes ...*asset.Scene) map[*asset.Node]*asset.Node {
	parents := map[*asset.Node]*asset.Node{}
	for _, s := range scenes {
		s.Walk(func(n, parent *asset.Node) { parents[n] = parent })
	}
	return parents
}

// World returns the transform of a node in the world. A nil node is the world itself.
func World(n *asset.Node, parents map[*asset.Node]*asset.Node) mgl64.Mat4 {
	w := mgl64.Ident4()
	for ; n != nil; n = parents[n] {
		w = Matrix(&n.Transform).Mul4(w)
	}
	return w
}

// Worlds returns the transforms of all nodes in the world.
func Worlds(s *asset.Scene) map[*asset.Node]mgl64.Mat4 {
	worlds := map[*asset.Node]mgl64.Mat4{}
	s.Walk(func(n, parent *asset.Node) {
		w := Matrix(&n.Transform)
		if parent != nil {
			w = worlds[parent].Mul4(w)
		}
		worlds[n] = w
	})
	return worlds
}

// WalkWorld calls f for all nodes of a list and below, with their transforms in the world. What f returns is passed to the
// calls for the node's children.
func WalkWorld(list []*asset.Node, parent mgl64.Mat4, f func(n *asset.Node, world mgl64.Mat4, inside bool) bool, inside bool) {
	for _, n := range list {
		world := parent.Mul4(Matrix(&n.Transform))
		WalkWorld(n.Children, world, f, f(n, world, inside))
	}
}

// RelativeTo returns a world transform relative to a frame, the root of the model at the time when the model was made. Only
// if this transform is unchanged ([SamePlace]), a node is unedited, whatever its own transform says. So all parts follow
// when a model is moved, turned or scaled as a whole. If the frame has no inverse, the result is world itself.
func RelativeTo(frame, world mgl64.Mat4) mgl64.Mat4 {
	if frame == mgl64.Ident4() || frame.Det() == 0 {
		return world
	}
	return frame.Inv().Mul4(world)
}

// Size returns the largest world coordinate of a scene's nodes and mesh corners, or 1 if there are none. Meshes that are
// not loaded are not examined.
func Size(s *asset.Scene) float64 {
	size := 0.0
	grow := func(v mgl64.Vec3) {
		for _, x := range v {
			size = larger(size, x)
		}
	}
	for n, w := range Worlds(s) {
		grow(w.Col(3).Vec3())
		if n.Mesh == nil {
			continue
		}
		for _, p := range n.Mesh.Primitives {
			lo, hi, ok := box(p.Positions)
			for corner := 0; ok && corner < 8; corner++ {
				v := lo
				for k := range v {
					if corner>>k&1 != 0 {
						v[k] = hi[k]
					}
				}
				grow(mgl64.TransformCoordinate(v, w))
			}
		}
	}
	if size == 0 {
		return 1
	}
	return size
}

// box returns the least and the greatest coordinates.
func box(positions [][3]float32) (lo, hi mgl64.Vec3, ok bool) {
	for _, p := range positions {
		v := Wide3(p)
		if !isNumber(v) {
			continue
		}
		if !ok {
			lo, hi, ok = v, v, true
			continue
		}
		for k := range v {
			lo[k], hi[k] = min(lo[k], v[k]), max(hi[k], v[k])
		}
	}
	return lo, hi, ok
}

// Linear converts a displayed colour component (sRGB) to a linear one, both 0 … 1. NaN becomes 0.
func Linear(display float32) float32 {
	x := float64(display)
	switch {
	case math.IsNaN(x):
		return 0
	case x <= 0.04045:
		return float32(x / 12.92)
	}
	return float32(math.Pow((x+0.055)/1.055, 2.4))
}

// Display is the inverse of [Linear].
func Display(linear float32) float32 {
	x := float64(linear)
	switch {
	case math.IsNaN(x):
		return 0
	case x <= 0.0031308:
		return float32(x * 12.92)
	}
	return float32(1.055*math.Pow(x, 1/2.4) - 0.055)
}
