package scene

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// Bake returns a copy of a primitive with a transform applied to its positions, normals, tangents and morph targets. If the
// transform mirrors, triangles are turned over. Unchanged slices are shared with the original, which is not modified.
func Bake(p *asset.Primitive, by mgl64.Mat4) *asset.Primitive {
	return newBaker(by).primitive(p)
}

// BakeMesh is [Bake] for all primitives of a mesh. Primitives that share vertices still do in the copy.
func BakeMesh(m *asset.Mesh, by mgl64.Mat4) *asset.Mesh {
	if by == mgl64.Ident4() {
		return m
	}
	b := newBaker(by)
	out := *m
	out.Primitives = make([]*asset.Primitive, len(m.Primitives))
	for i, p := range m.Primitives {
		out.Primitives[i] = b.primitive(p)
	}
	return &out
}

type baker struct {
	by       mgl64.Mat4
	linear   mgl64.Mat3
	normal   mgl64.Mat3 // of normals: the inverse transposed, of any size
	mirrored bool
	baked    map[bakedKey][][3]float32 // what primitives share
}

// bakedKey is a slice, and what it is.
type bakedKey struct {
	first  *[3]float32
	length int
	normal bool
}

func newBaker(by mgl64.Mat4) *baker {
	b := &baker{by: by, linear: by.Mat3(), mirrored: Mirrored(by), baked: map[bakedKey][][3]float32{}}
	b.normal = NormalMatrix(by)
	return b
}

// NormalMatrix returns the matrix that maps normals for a transform; it may change their length. It is the cofactor matrix
// (the inverse transpose times the determinant), which exists for singular transforms too.
func NormalMatrix(m mgl64.Mat4) mgl64.Mat3 {
	x, y, z := m.Col(0).Vec3(), m.Col(1).Vec3(), m.Col(2).Vec3()
	n := mgl64.Mat3FromCols(y.Cross(z), z.Cross(x), x.Cross(y))
	if Mirrored(m) {
		n = n.Mul(-1)
	}
	return n
}

func (b *baker) primitive(p *asset.Primitive) *asset.Primitive {
	if b.by == mgl64.Ident4() {
		return p
	}
	out := *p
	out.Positions = b.shared(p.Positions, false, b.point)
	out.Normals = b.shared(p.Normals, true, b.direction)
	if p.Tangents != nil {
		out.Tangents = make([][4]float32, len(p.Tangents))
		for i, t := range p.Tangents {
			v := b.along(xyz(t))
			if b.mirrored { // the bitangent is the cross product of normal and tangent, which a mirror turns over
				t[3] = -t[3]
			}
			out.Tangents[i] = [4]float32{v[0], v[1], v[2], t[3]}
		}
	}
	out.Targets = slices.Clone(p.Targets)
	for k := range out.Targets {
		b.target(&out.Targets[k], p, &out)
	}
	if b.mirrored && p.Mode == asset.Triangles {
		out.Indices = flipped(p)
	}
	return &out
}

// shared maps a slice, once for all primitives that have it.
func (b *baker) shared(v [][3]float32, normal bool, f func([3]float32) [3]float32) [][3]float32 {
	if len(v) == 0 {
		return v
	}
	key := bakedKey{&v[0], len(v), normal}
	out, ok := b.baked[key]
	if !ok {
		out = make([][3]float32, len(v))
		for i, x := range v {
			out[i] = f(x)
		}
		b.baked[key] = out
	}
	return out
}

func (b *baker) point(v [3]float32) [3]float32 { return Narrow3(Point(&b.by, v)) }

// Point applies an affine transform to a point.
func Point(m *mgl64.Mat4, v [3]float32) mgl64.Vec3 {
	x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
	return mgl64.Vec3{
		m[0]*x + m[4]*y + m[8]*z + m[12],
		m[1]*x + m[5]*y + m[9]*z + m[13],
		m[2]*x + m[6]*y + m[10]*z + m[14],
	}
}

// direction maps a normal.
func (b *baker) direction(v [3]float32) [3]float32 { return unitOr(b.normal.Mul3x1(Wide3(v)), v) }

// along maps a direction within the surface.
func (b *baker) along(v [3]float32) [3]float32 { return unitOr(b.linear.Mul3x1(Wide3(v)), v) }

// xyz returns the direction of a tangent.
func xyz(t [4]float32) [3]float32 { return [3]float32(t[:3]) }

// unitOr returns v at unit length, or otherwise where it has none.
func unitOr(v mgl64.Vec3, otherwise [3]float32) [3]float32 {
	l := v.Len()
	if !(l > 1e-30) || !isNumber(v) {
		return otherwise
	}
	return Narrow3(v.Mul(1 / l))
}

// target maps the displacements of a morph target: those of normals and tangents are differences of unit vectors.
func (b *baker) target(t *asset.Target, was, now *asset.Primitive) {
	positions := t.Positions
	if positions != nil {
		t.Positions = make([][3]float32, len(positions))
		for i, v := range positions {
			t.Positions[i] = Narrow3(b.linear.Mul3x1(Wide3(v)))
		}
	}
	differences := func(list [][3]float32, base, baked func(i int) [3]float32, f func([3]float32) [3]float32) [][3]float32 {
		if list == nil {
			return nil
		}
		out := make([][3]float32, len(list))
		for i, d := range list {
			out[i] = difference(d, base(i), baked(i), f)
		}
		return out
	}
	if was.Normals != nil {
		t.Normals = differences(t.Normals, func(i int) [3]float32 { return was.Normals[i] }, func(i int) [3]float32 { return now.Normals[i] }, b.direction)
	}
	if was.Tangents != nil {
		t.Tangents = differences(t.Tangents, func(i int) [3]float32 { return xyz(was.Tangents[i]) },
			func(i int) [3]float32 { return xyz(now.Tangents[i]) }, b.along)
	}
}

// difference maps what a morph target adds to a unit vector: f maps such vectors, and has mapped the base.
func difference(d, base, baked [3]float32, f func([3]float32) [3]float32) [3]float32 {
	to := f(Narrow3(Wide3(base).Add(Wide3(d))))
	return Narrow3(Wide3(to).Sub(Wide3(baked)))
}

// flipped returns the indices of a primitive with its triangles turned over.
func flipped(p *asset.Primitive) []uint32 {
	out := slices.Clone(Indices(p))
	for i := 0; i+3 <= len(out); i += 3 {
		out[i+1], out[i+2] = out[i+2], out[i+1]
	}
	return out
}

// Indices returns the indices of a primitive, or 0, 1, 2, … if it has none.
func Indices(p *asset.Primitive) []uint32 {
	if p.Indices != nil {
		return p.Indices
	}
	out := make([]uint32, len(p.Positions))
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}
