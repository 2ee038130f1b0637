package unreal

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// rig is the skeleton of a scene as skeletal meshes have it: bones that turn and move but never scale, in the space of
// the mesh's points and the axes of scenes.
type rig struct {
	toMesh  mgl64.Mat4 // from the scene to the points
	bones   []rigBone  // parents first
	index   map[*asset.Node]int
	parents map[*asset.Node]*asset.Node
	globals map[*asset.Node]mgl64.Mat4 // of all nodes, as the scene shows them
}

// rigBone is a joint of the scene.
type rigBone struct {
	node   *asset.Node
	name   string
	parent int        // −1 for the first one
	full   mgl64.Mat4 // the joint in the pose in which the skin is bound
	turn   mgl64.Mat4 // from the joint's axes to those of the bone
	bind   mgl64.Mat4 // the bone in that pose: rotation and translation
	local  mgl64.Mat4 // the same, in the parent
	size   float64    // what the joint scales by, which the bone does not
}

// rigOf collects the joints of all skins of a scene. The pose that the skins are bound in becomes the reference pose;
// the nodes may show another one.
func rigOf(s *asset.Scene, m *unreal.Mesh, d *schema.Diagnostics) (*rig, error) {
	placement := matrix(skeletalAxes.placement(m))
	if placement.Det() == 0 {
		return nil, schema.Errorf(skeletalName, schema.ErrValue, "scale", "%s is flat", m.Path)
	}
	r := &rig{
		toMesh: placement.Inv().Mul4(mgl64.Scale3D(unitsPerMetre, unitsPerMetre, unitsPerMetre)),
		index:  map[*asset.Node]int{}, parents: map[*asset.Node]*asset.Node{}, globals: map[*asset.Node]mgl64.Mat4{},
	}
	bound := boundPoses(s)
	s.Walk(func(n, parent *asset.Node) {
		r.parents[n] = parent
		r.globals[n] = matrix(n.Transform)
		if g, ok := r.globals[parent]; ok {
			r.globals[n] = g.Mul4(r.globals[n])
		}
	})
	taken := map[string]bool{}
	for _, skin := range s.Skins {
		for _, j := range skin.Joints {
			r.add(j, bound, taken)
		}
	}
	var stretched tally
	for i := range r.bones {
		even, err := r.place(i, bound)
		if err != nil {
			return nil, err
		}
		if !even {
			stretched.add(r.bones[i].name)
		}
	}
	stretched.tell(d, "bone-scale", m.Path, "bone", "bones", "is stretched, which bones cannot be: the shape at rest is as shown, its motions are those of bones that are not")
	return r, nil
}

// add appends a joint, behind those that it hangs on.
func (r *rig) add(n *asset.Node, bound map[*asset.Node]boundPose, taken map[string]bool) {
	if _, known := r.index[n]; known {
		return
	}
	for p := r.parents[n]; p != nil; p = r.parents[p] {
		if _, joint := bound[p]; joint {
			r.add(p, bound, taken)
			break
		}
	}
	r.index[n] = len(r.bones)
	r.bones = append(r.bones, rigBone{node: n, name: boneName(n.Name, len(r.bones), taken), parent: r.above(n)})
}

// hanging returns the joint that a node hangs below, nil for none.
func (r *rig) hanging(n *asset.Node) *asset.Node {
	for p := r.parents[n]; p != nil; p = r.parents[p] {
		if _, ok := r.index[p]; ok {
			return p
		}
	}
	return nil
}

// above returns the bone that a node hangs below; the first bone where there is none, −1 for that one itself.
func (r *rig) above(n *asset.Node) int {
	if p := r.hanging(n); p != nil {
		return r.index[p]
	}
	return min(len(r.bones), 1) - 1
}

// boundPose is where a skin says that a joint was when the skin was bound: that matrix, below the place of the joint
// root times its own.
type boundPose struct {
	matrix      mgl64.Mat4
	root        *asset.Node
	inverseRoot mgl64.Mat4
}

// boundPoses returns the pose of every joint, from the first skin that has it.
func boundPoses(s *asset.Scene) map[*asset.Node]boundPose {
	all := map[*asset.Node]boundPose{}
	for _, skin := range s.Skins {
		var root *asset.Node
		var inverse mgl64.Mat4
		for i, j := range skin.Joints {
			if i == 0 {
				root, inverse = j, scene.InverseBind(skin, i)
			}
			if _, known := all[j]; !known {
				m := scene.InverseBind(skin, i)
				if m.Det() != 0 {
					m = m.Inv()
				}
				all[j] = boundPose{m, root, inverse}
			}
		}
	}
	return all
}

// place computes the reference pose of bone i.
func (r *rig) place(i int, bound map[*asset.Node]boundPose) (even bool, err error) {
	b := &r.bones[i]
	p := bound[b.node]
	full := r.toMesh.Mul4(r.globals[p.root]).Mul4(p.inverseRoot).Mul4(p.matrix)
	var size float64
	if size, even = sizeOf(full); !(size > 1e-9) || math.IsInf(size, 0) {
		return false, schema.Errorf(skeletalName, schema.ErrValue, "bones", "bone %q has no size", b.name)
	}
	b.turn, b.size = mgl64.Ident4(), size
	if full.Mat3().Det() < 0 { // a bone cannot be mirrored: its axes are, and so turn the right way
		b.turn = mgl64.Scale3D(-1, 1, 1)
	}
	b.bind = rigid(full.Mul4(b.turn))
	b.full = b.bind.Mul4(mgl64.Scale3D(size, size, size)).Mul4(b.turn)
	if !even {
		b.full = full
	}
	r.setLocal(i)
	return even, nil
}

func (r *rig) setLocal(i int) {
	b := &r.bones[i]
	b.local = b.bind
	if b.parent >= 0 {
		b.local = r.bones[b.parent].bind.Inv().Mul4(b.bind)
	}
}

// orient gives the bones the axes that they have in another rig, where number leads. Editors turn the axes of bones as
// they like, which moves nothing.
func (r *rig) orient(other *rig, number []int) {
	if r.turnedAlike(other, number) {
		return // the model was turned as a whole, and its bones with it
	}
	for i := range r.bones {
		if b := &r.bones[i]; number[i] >= 0 {
			want := other.bones[number[i]].bind
			want.SetCol(3, b.bind.Col(3))
			if turn := near(b.bind.Inv().Mul4(want)); turn != mgl64.Ident4() {
				b.turn, b.bind = b.turn.Mul4(turn), want
			}
		}
		r.setLocal(i)
	}
}

// turnedAlike tells whether what is above the bones was turned, and all bones turned with that.
func (r *rig) turnedAlike(other *rig, number []int) bool {
	if len(r.bones) == 0 || number[0] < 0 {
		return false
	}
	frame := func(r *rig, i int) mgl64.Mat3 {
		m := r.toMesh
		if up, ok := r.globals[r.parents[r.bones[i].node]]; ok {
			m = m.Mul4(up)
		}
		return rigid(m).Mat3()
	}
	turn := frame(r, 0).Mul3(frame(other, number[0]).Transpose())
	if turn.ApproxEqualThreshold(mgl64.Ident3(), 1e-4) {
		return false
	}
	for i, k := range number {
		if k < 0 || !turn.Mul3(other.bones[k].bind.Mat3()).ApproxEqualThreshold(r.bones[i].bind.Mat3(), 1e-3) {
			return false
		}
	}
	return true
}

// sizeOf returns by how much a matrix scales, and whether it scales all directions alike.
func sizeOf(m mgl64.Mat4) (size float64, even bool) {
	x, y, z := m.Col(0).Vec3().Len(), m.Col(1).Vec3().Len(), m.Col(2).Vec3().Len()
	size = math.Cbrt(math.Abs(m.Mat3().Det()))
	return size, max(x, y, z)-min(x, y, z) <= 1e-2*size
}

// rigid returns rotation and translation of a matrix. A mirrored one loses that.
func rigid(m mgl64.Mat4) mgl64.Mat4 {
	t := m.Col(3)
	if m.Mat3().Det() < 0 {
		m = m.Mul4(mgl64.Scale3D(-1, -1, -1))
	}
	// Rows and columns that are nearly at right angles already get there in a few steps of averaging with the inverse.
	r := m.Mat3()
	for range 24 {
		if r.Det() == 0 {
			return mgl64.Translate3D(t[0], t[1], t[2])
		}
		next := r.Add(r.Transpose().Inv()).Mul(0.5)
		done := next.ApproxEqualThreshold(r, 1e-14)
		if r = next; done {
			break
		}
	}
	out := r.Mat4()
	out.SetCol(3, mgl64.Vec4{t[0], t[1], t[2], 1})
	return out
}

// boneName returns a name that the table takes and no other bone has.
func boneName(name string, i int, taken map[string]bool) string {
	if _, ok := schema.EncodeWindows1252(name); !ok || name == "" || strings.ContainsRune(name, 0) {
		name = "bone" + strconv.Itoa(i)
	}
	name = name[:min(len(name), maxName-6)]
	unique := name
	for n := 2; taken[strings.ToLower(unique)]; n++ {
		unique = name + "_" + strconv.Itoa(n)
	}
	taken[strings.ToLower(unique)] = true
	return unique
}

// skinPlace is how a node's vertices get to the points: a matrix for each joint of its skin, and the bones that these
// are.
type skinPlace struct {
	matrices []mgl64.Mat4
	bones    []int
	rigid    mgl64.Mat4 // of vertices that no joint pulls
	bone     int        // that they follow
}

// skinPlace returns the matrices of a node. A node without a skin follows the bone that it hangs on.
func (r *rig) skinPlace(n placedNode) skinPlace {
	p := skinPlace{rigid: near(r.toMesh.Mul4(n.global))}
	if len(r.bones) == 0 {
		return p
	}
	p.bone = max(r.above(n.node), 0)
	if b := &r.bones[p.bone]; r.globals[b.node].Det() != 0 {
		p.rigid = near(b.full.Mul4(r.globals[b.node].Inv()).Mul4(n.global))
	}
	if n.node.Skin == nil {
		return p
	}
	for i, j := range n.node.Skin.Joints {
		k := r.index[j]
		p.matrices = append(p.matrices, near(r.bones[k].full.Mul4(scene.InverseBind(n.node.Skin, i))))
		p.bones = append(p.bones, k)
	}
	return p
}

// point returns vertex i of a primitive among the points.
func (p *skinPlace) point(g *asset.Primitive, i int) [3]float32 {
	m := p.rigid
	if j := strongest(g, i); j >= 0 && j < len(p.matrices) {
		m = p.matrices[j]
	}
	v := g.Positions[i]
	if m == mgl64.Ident4() {
		return v
	}
	return vec32(mgl64.TransformCoordinate(mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}, m))
}

// strongest returns the joint that pulls a vertex most; −1 for none.
func strongest(g *asset.Primitive, i int) int {
	joint, most := -1, float32(0)
	for set := range g.Joints {
		for k, w := range g.Weights[set][i] {
			if w > most {
				joint, most = int(g.Joints[set][i][k]), w
			}
		}
	}
	return joint
}

// pulls returns the bones that pull a vertex, by their numbers. Their weights add up to 65,535.
func (p *skinPlace) pulls(g *asset.Primitive, i int) []influence {
	var pulls []influence
	var weights []float64
	total := 0.0
	for set := range g.Joints {
		for k, w := range g.Weights[set][i] {
			j := int(g.Joints[set][i][k])
			if !(w > 0) || j >= len(p.bones) {
				continue
			}
			total += float64(w)
			if n := slices.IndexFunc(pulls, func(x influence) bool { return x.bone == p.bones[j] }); n >= 0 {
				weights[n] += float64(w)
				continue
			}
			pulls, weights = append(pulls, influence{bone: p.bones[j]}), append(weights, float64(w))
		}
	}
	if total == 0 {
		return []influence{{p.bone, math.MaxUint16}}
	}
	return wholeWeights(pulls, weights, total)
}

// wholeWeights gives the pulls whole weights; what rounding leaves goes to the strongest.
func wholeWeights(pulls []influence, weights []float64, total float64) []influence {
	left, most := math.MaxUint16, 0
	for n := range pulls {
		pulls[n].weight = uint16(math.Round(weights[n] / total * math.MaxUint16))
		left -= int(pulls[n].weight)
		if pulls[n].weight > pulls[most].weight {
			most = n
		}
	}
	pulls[most].weight = uint16(int(pulls[most].weight) + left)
	pulls = slices.DeleteFunc(pulls, func(x influence) bool { return x.weight == 0 })
	slices.SortFunc(pulls, func(a, b influence) int { return a.bone - b.bone })
	return pulls
}
