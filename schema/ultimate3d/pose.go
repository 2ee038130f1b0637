package ultimate3d

import (
	"math"
	"slices"
)

// Matrix is a transform for row vectors in stored order, in double precision: p' = p · M.
type Matrix [16]float64

// IdentityMatrix leaves everything where it is.
var IdentityMatrix = Matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}

// MatrixOf converts a stored matrix to double precision.
func MatrixOf(m [16]float32) (w Matrix) {
	for i, v := range m {
		w[i] = float64(v)
	}
	return w
}

// Mul returns m · b, which applies m first.
func (m Matrix) Mul(b Matrix) (product Matrix) {
	for r := range 4 {
		for c := range 4 {
			product[4*r+c] = m[4*r]*b[c] + m[4*r+1]*b[4+c] + m[4*r+2]*b[8+c] + m[4*r+3]*b[12+c]
		}
	}
	return product
}

// Apply returns the point p · m.
func (m Matrix) Apply(p [3]float64) [3]float64 {
	return [3]float64{
		p[0]*m[0] + p[1]*m[4] + p[2]*m[8] + m[12],
		p[0]*m[1] + p[1]*m[5] + p[2]*m[9] + m[13],
		p[0]*m[2] + p[1]*m[6] + p[2]*m[10] + m[14],
	}
}

// Determinant returns the determinant of the linear part. It is negative if the matrix mirrors.
func (m Matrix) Determinant() float64 {
	return m[0]*(m[5]*m[10]-m[6]*m[9]) - m[1]*(m[4]*m[10]-m[6]*m[8]) + m[2]*(m[4]*m[9]-m[5]*m[8])
}

// Pose is a bone's transform relative to its parent: scaling first, then rotation, then translation.
type Pose struct {
	Scaling     [3]float64
	Rotation    [4]float64 // unit quaternion x, y, z, w
	Translation [3]float64
}

// Matrix returns Scaling · Rotation · Translation.
func (p Pose) Matrix() Matrix {
	x, y, z, w := p.Rotation[0], p.Rotation[1], p.Rotation[2], p.Rotation[3]
	s, t := p.Scaling, p.Translation
	return Matrix{
		s[0] * (1 - 2*(y*y+z*z)), s[0] * 2 * (x*y + z*w), s[0] * 2 * (x*z - y*w), 0,
		s[1] * 2 * (x*y - z*w), s[1] * (1 - 2*(x*x+z*z)), s[1] * 2 * (y*z + x*w), 0,
		s[2] * 2 * (x*z + y*w), s[2] * 2 * (y*z - x*w), s[2] * (1 - 2*(x*x+y*y)), 0,
		t[0], t[1], t[2], 1,
	}
}

// Pose returns the bone's transform at a frame, by the engine's rules (reference section 6.1).
func (b *Bone) Pose(frame float64) Pose {
	return Pose{
		Scaling:     VectorAt(SortedKeys(b.Scaling), frame, [3]float64{1, 1, 1}),
		Rotation:    RotationAt(SortedRotations(b.Rotation), frame),
		Translation: VectorAt(SortedKeys(b.Translation), frame, [3]float64{}),
	}
}

// SortedKeys returns keys in ascending order. If several keys have the same frame, the last one counts. Keys that already
// ascend, as the format demands, are returned unchanged.
func SortedKeys(keys []VectorKey) []VectorKey { return sorted(keys) }

// SortedRotations is [SortedKeys] for rotations.
func SortedRotations(keys []RotationKey) []RotationKey { return sorted(keys) }

func sorted[K interface{ frame() uint16 }](keys []K) []K {
	if ascending(keys) {
		return keys
	}
	keys = slices.Clone(keys)
	slices.SortStableFunc(keys, func(a, b K) int { return int(a.frame()) - int(b.frame()) })
	kept := keys[:0]
	for i, k := range keys {
		if i+1 == len(keys) || keys[i+1].frame() != k.frame() {
			kept = append(kept, k)
		}
	}
	return kept
}

// VectorAt evaluates sorted keys at a frame: linear between keys, constant after the last, extrapolated from the first
// segment before the first. Without keys it returns the given default.
func VectorAt(keys []VectorKey, frame float64, none [3]float64) [3]float64 {
	if len(keys) == 0 {
		return none
	}
	i, t := segment(len(keys), func(i int) float64 { return float64(keys[i].Frame) }, frame)
	v := wide3(keys[i].Value)
	if t == 0 {
		return v
	}
	next := wide3(keys[i+1].Value)
	for k := range v {
		v[k] += t * (next[k] - v[k])
	}
	return v
}

// segment returns the key that a frame follows and the position towards the next: 0 at a key and after the last,
// negative before the first.
func segment(n int, at func(int) float64, frame float64) (int, float64) {
	if n == 1 || frame >= at(n-1) {
		return n - 1, 0
	}
	lo, hi := 0, n-1 // the segment begins in lo … hi-1
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if at(mid) <= frame {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, (frame - at(lo)) / (at(lo+1) - at(lo))
}

// RotationAt evaluates sorted rotation keys at a frame as the engine does (reference section 6.1): it does not choose the
// shorter arc, and holds the first of two opposite keys.
func RotationAt(keys []RotationKey, frame float64) [4]float64 {
	if len(keys) == 0 {
		return [4]float64{0, 0, 0, 1}
	}
	i, t := segment(len(keys), func(i int) float64 { return float64(keys[i].Frame) }, frame)
	a := Normalised(keys[i].Value)
	if t == 0 {
		return a
	}
	b := Normalised(keys[i+1].Value)
	dot := a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]
	wa, wb := 1-t, t
	switch {
	case dot > 0.9:
	case dot >= -0.99:
		angle := math.Acos(dot)
		wa, wb = math.Sin((1-t)*angle)/math.Sin(angle), math.Sin(t*angle)/math.Sin(angle)
	default:
		return a
	}
	var q [4]float64
	for k := range q {
		q[k] = wa*a[k] + wb*b[k]
	}
	return normalised(q)
}

// Normalised returns a stored quaternion scaled to unit length, or the identity if it is zero or not finite.
func Normalised(q [4]float32) [4]float64 {
	return normalised([4]float64{float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])})
}

func normalised(q [4]float64) [4]float64 {
	length := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if !(length > 1e-30) || math.IsInf(length, 0) {
		return [4]float64{0, 0, 0, 1}
	}
	for k := range q {
		q[k] /= length
	}
	return q
}

func wide3(v [3]float32) [3]float64 {
	return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
}

// Parents returns the parent of each bone, −1 for roots, and an order of bones in which parents come before their children.
func (m *Model) Parents() (parent, order []int) {
	parent = make([]int, len(m.Bones))
	children := make([][]int, len(m.Bones))
	for i, b := range m.Bones {
		parent[i] = -1
		if b.Parent != RootParent {
			parent[i] = int(b.Parent)
			children[b.Parent] = append(children[b.Parent], i)
		}
	}
	for i := range m.Bones {
		if parent[i] < 0 {
			order = append(order, i)
		}
	}
	for i := 0; i < len(order); i++ {
		order = append(order, children[order[i]]...)
	}
	return parent, order
}

// BoneFrames returns the frame that each bone uses when the model is at the given frame (reference section 6): the bone's
// fixed frame, or the one that it inherits.
func (m *Model) BoneFrames(frame float64) []float64 {
	parent, order := m.Parents()
	used := make([]float64, len(m.Bones))
	passed := make([]float64, len(m.Bones))
	for _, i := range order {
		given := frame
		if parent[i] >= 0 {
			given = passed[parent[i]]
		}
		used[i], passed[i] = given, given
		if f := m.Bones[i].BoneFrame; f >= 0 {
			used[i] = float64(f)
		}
		if m.Bones[i].PassOnBoneFrame.True() {
			passed[i] = used[i]
		}
	}
	return used
}

// FixedFrames reports for each bone whether its pose depends on a fixed frame, its own or an ancestor's.
func (m *Model) FixedFrames() []bool {
	a, b := m.BoneFrames(0), m.BoneFrames(1)
	fixed := make([]bool, len(a))
	for i := range a {
		fixed[i] = a[i] == b[i]
	}
	return fixed
}

// BoneToWorld returns the bone-to-world matrices of all bones at a frame (reference section 1.4).
func (m *Model) BoneToWorld(frame float64) []Matrix {
	parent, order := m.Parents()
	frames := m.BoneFrames(frame)
	world := make([]Matrix, len(m.Bones))
	for _, i := range order {
		world[i] = m.Bones[i].Pose(frames[i]).Matrix()
		if parent[i] >= 0 {
			world[i] = world[i].Mul(world[parent[i]])
		}
	}
	return world
}

// Transformation returns an attachment's matrix from mesh space to bone space. It is transposed if the file stores matrices
// for column vectors.
func (m *Model) Transformation(bone, attachment int, columns bool) Matrix {
	t := MatrixOf(m.Bones[bone].Attachments[attachment].Transformation)
	if columns {
		for r := range 4 {
			for c := range r {
				t[4*r+c], t[4*c+r] = t[4*c+r], t[4*r+c]
			}
		}
	}
	return t
}

// SkinnedPositions returns the positions of chunk i at a frame, moved by its bones (reference section 3.3).
func (m *Model) SkinnedPositions(i int, frame float64) [][3]float64 {
	columns := m.ColumnMatrices()
	world := m.BoneToWorld(frame)
	for b := range world {
		world[b] = m.Transformation(b, 0, columns).Mul(world[b])
	}
	mesh := m.Meshes[i]
	out := make([][3]float64, len(mesh.Positions))
	for v, p := range mesh.Positions {
		w, _ := mesh.WeightsOf(v)
		for k := range mesh.Influences() {
			if w[k] == 0 {
				continue
			}
			q := world[mesh.WeightBones[v][k]].Apply(wide3(p))
			for a := range q {
				out[v][a] += float64(w[k]) * q[a]
			}
		}
	}
	return out
}
