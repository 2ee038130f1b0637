package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// vec is a point or a direction along the axes of the camera, in metres.
type vec [3]float32

func (a vec) sub(b vec) vec       { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) dot(b vec) float32   { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) scale(f float32) vec { return vec{a[0] * f, a[1] * f, a[2] * f} }
func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func (a vec) finite() bool { s := a[0] + a[1] + a[2]; return s-s == 0 }
func (a vec) unit() vec {
	if l := float32(math.Sqrt(float64(a.dot(a)))); l > 0 {
		return a.scale(1 / l)
	}
	return vec{}
}

// affine is a matrix for points, in float32: the sum of its first three columns, weighted by the point, and the last.
type affine [4]vec

func newAffine(m mgl64.Mat4) (a affine) {
	for c := range a {
		for r := range a[c] {
			a[c][r] = float32(m[4*c+r])
		}
	}
	return a
}

func (m *affine) point(p [3]float32) vec {
	return vec{
		m[0][0]*p[0] + m[1][0]*p[1] + m[2][0]*p[2] + m[3][0],
		m[0][1]*p[0] + m[1][1]*p[1] + m[2][1]*p[2] + m[3][1],
		m[0][2]*p[0] + m[1][2]*p[1] + m[2][2]*p[2] + m[3][2],
	}
}

// mirrors reports whether the matrix turns triangles inside out.
func (m *affine) mirrors() bool { return m[0].cross(m[1]).dot(m[2]) < 0 }

// forNormals returns what normals are multiplied with: the cofactors, which are the inverse transpose up to a factor.
func (m *affine) forNormals() affine {
	n := affine{m[1].cross(m[2]), m[2].cross(m[0]), m[0].cross(m[1])}
	if m.mirrors() {
		for i := range 3 {
			n[i] = n[i].scale(-1)
		}
	}
	return n
}

// piece is a primitive in its place: its corners along the axes of a camera that stands in the origin of the stage.
type piece struct {
	mode      asset.Mode
	positions []vec
	normals   []vec // unit length; nil lights each triangle by its plane
	indices   []uint32
	colors    [][4]float32
	coords    [3][][2]float32 // of the base colour, of the glow and of baked light; nil when there is none
	look      *look
	flipped   bool // the place mirrors: front and back are exchanged
}

// corners returns how many corners there are to draw.
func (s *piece) corners() int {
	if s.indices != nil {
		return len(s.indices)
	}
	return len(s.positions)
}

// corner returns the vertex of corner i; it is out of range in damaged scenes.
func (s *piece) corner(i int) int {
	if s.indices != nil {
		return int(s.indices[i])
	}
	return i
}

// stage is a scene whose nodes have been brought into one coordinate system: the axes of a camera, around an origin that
// is near, so that float32 suffices.
type stage struct {
	shown  []*asset.Node
	axes   mgl64.Mat4 // from the scene to the stage: moves the origin, then turns
	turned mgl64.Mat4 // the turn alone
	origin mgl64.Vec3
	worlds map[*asset.Node]mgl64.Mat4
	sky    *asset.Node // from which backdrops show the sky; nil for none
	looks  *looks
	kept   map[placement]*piece
}

// placement is a primitive on a node; several nodes may show the same mesh.
type placement struct {
	node      *asset.Node
	primitive *asset.Primitive
}

// newStage returns a scene in the axes of a camera; turned leads to them.
func newStage(s *asset.Scene, show scene.Show, turned mgl64.Mat4) (*stage, error) {
	st := &stage{shown: scene.Seen(s, show), turned: turned, worlds: map[*asset.Node]mgl64.Mat4{}, looks: newLooks(), kept: map[placement]*piece{}}
	for _, list := range [...][]*asset.Node{s.Roots, s.Detached} { // joints may be detached
		for _, n := range list {
			st.place(n, mgl64.Ident4(), 0)
		}
	}
	if err := st.findOrigin(); err != nil {
		return nil, err
	}
	st.axes = st.turned.Mul4(mgl64.Translate3D(-st.origin[0], -st.origin[1], -st.origin[2]))
	return st, nil
}

// maxDepth is how deep nodes are followed: no asset comes near, and a scene that refers to itself ends there.
const maxDepth = 1 << 12

func (st *stage) place(n *asset.Node, parent mgl64.Mat4, depth int) {
	if _, seen := st.worlds[n]; seen || depth > maxDepth {
		return
	}
	world := parent.Mul4(scene.Matrix(&n.Transform))
	st.worlds[n] = world
	if st.sky == nil && scene.RoleOf(n) == scene.Sky {
		st.sky = n
	}
	for _, c := range n.Children {
		st.place(c, world, depth+1)
	}
	for _, l := range n.LODs {
		st.place(l, parent, depth+1)
	}
}

// findOrigin takes the first vertex for the origin.
func (st *stage) findOrigin() error {
	found := false
	for _, n := range st.shown {
		for _, p := range n.Mesh.Primitives {
			if found {
				return nil
			}
			p, err := p.Whole()
			if err != nil {
				return err
			}
			for _, v := range p.Positions {
				if vec(v).finite() {
					at := mgl64.TransformCoordinate(mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}, affineOnly(st.worlds[n]))
					if at.Dot(at)-at.Dot(at) == 0 {
						st.origin, found = at, true
					}
					break
				}
			}
		}
	}
	return nil
}

// affineOnly returns a matrix whose last row is that of a place, whatever a file says.
func affineOnly(m mgl64.Mat4) mgl64.Mat4 {
	m[3], m[7], m[11], m[15] = 0, 0, 0, 1
	return m
}

// each calls f for every piece. Primitives that are loaded when they are needed are not kept.
func (st *stage) each(f func(*piece) error) error {
	for _, n := range st.shown {
		for _, p := range n.Mesh.Primitives {
			at := placement{n, p}
			s := st.kept[at]
			if s == nil {
				whole, err := p.Whole()
				if err != nil {
					return err
				}
				s = st.build(n, whole)
				if p.Load == nil {
					st.kept[at] = s
				}
			}
			if err := f(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// build brings a primitive to its place.
func (st *stage) build(n *asset.Node, p *asset.Primitive) *piece {
	s := &piece{mode: p.Mode, indices: p.Indices, look: st.looks.of(p)}
	positions, normals := morphed(n, p)
	if len(normals) != len(positions) {
		normals = nil
	}
	if len(p.Colors) == len(positions) {
		s.colors = p.Colors
	}
	s.coords = s.look.coords(p)
	if n.Skin != nil && len(p.Joints) > 0 && len(p.Weights) > 0 {
		st.pose(s, n, p, positions, normals)
		return s
	}
	m := newAffine(st.axes.Mul4(affineOnly(st.worlds[n])))
	s.flipped = m.mirrors()
	s.positions = make([]vec, len(positions))
	for i, v := range positions {
		s.positions[i] = m.point(v)
	}
	if normals != nil {
		s.normals = make([]vec, len(normals))
		turn := m.forNormals()
		for i, v := range normals {
			s.normals[i] = turn.point(v).unit()
		}
	}
	return s
}

// morphed returns the positions and normals of a primitive with its morph targets added as far as they weigh.
func morphed(n *asset.Node, p *asset.Primitive) (positions, normals [][3]float32) {
	positions, normals = p.Positions, p.Normals
	weights := n.Weights
	if weights == nil {
		weights = n.Mesh.Weights
	}
	cloned := false
	for i, t := range p.Targets {
		if i >= len(weights) || weights[i] == 0 {
			continue
		}
		if !cloned {
			positions, normals = append([][3]float32(nil), positions...), append([][3]float32(nil), normals...)
			cloned = true
		}
		addScaled(positions, t.Positions, weights[i])
		addScaled(normals, t.Normals, weights[i])
	}
	return positions, normals
}

func addScaled(to, v [][3]float32, f float32) {
	for i := range min(len(to), len(v)) {
		for k := range 3 {
			to[i][k] += f * v[i][k]
		}
	}
}

// pose moves the vertices of a skinned primitive with their joints. The place of the node counts for vertices alone that
// are bound to none.
func (st *stage) pose(s *piece, n *asset.Node, p *asset.Primitive, positions, normals [][3]float32) {
	skin := n.Skin
	joints := make([]affine, len(skin.Joints))
	turns := make([]affine, len(skin.Joints))
	for i, j := range skin.Joints {
		m := st.axes.Mul4(affineOnly(st.worlds[j]))
		if i < len(skin.InverseBind) {
			var inverse mgl64.Mat4
			for k, x := range skin.InverseBind[i] {
				inverse[k] = float64(x)
			}
			m = m.Mul4(affineOnly(inverse))
		}
		joints[i] = newAffine(m)
		turns[i] = joints[i].forNormals()
	}
	s.flipped = len(joints) > 0 && joints[0].mirrors()
	still := newAffine(st.axes.Mul4(affineOnly(st.worlds[n])))
	s.positions = make([]vec, len(positions))
	if normals != nil {
		s.normals = make([]vec, len(normals))
	}
	for v := range positions {
		var at, normal vec
		var total float32
		for set := range min(len(p.Joints), len(p.Weights)) {
			if v >= len(p.Joints[set]) || v >= len(p.Weights[set]) {
				continue
			}
			for k, w := range p.Weights[set][v] {
				j := int(p.Joints[set][v][k])
				if w == 0 || j >= len(joints) {
					continue
				}
				total += w
				at = add(at, joints[j].point(positions[v]), w)
				if normals != nil {
					normal = add(normal, turns[j].point(normals[v]).unit(), w)
				}
			}
		}
		if total == 0 { // bound to nothing
			at = still.point(positions[v])
		}
		s.positions[v] = at
		if normals != nil {
			s.normals[v] = normal.unit()
		}
	}
}

func add(a, b vec, f float32) vec { return vec{a[0] + f*b[0], a[1] + f*b[1], a[2] + f*b[2]} }
