// Package skeleton converts between the bones of a scene, with their motions, and those of skeletal meshes.
package skeleton

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Name is the name of the format of skeletal meshes.
const Name = "unreal-skeletal"

// Rig is the skeleton of a scene in the form of skeletal meshes: bones that rotate and move but do not scale, in the space
// of the mesh's points and the axes of scenes.
type Rig struct {
	Bones   []Bone     // parents first
	toMesh  mgl64.Mat4 // from the scene to the points
	index   map[*asset.Node]int
	parents map[*asset.Node]*asset.Node
	globals map[*asset.Node]mgl64.Mat4 // of all nodes, as the scene shows them
}

// Bone is a joint of the scene.
type Bone struct {
	Name   string
	Parent int        // −1 for the root
	Local  mgl64.Mat4 // transform relative to the parent in the bind pose: rotation and translation
	node   *asset.Node
	full   mgl64.Mat4 // the joint in that pose
	turn   mgl64.Mat4 // from the joint's axes to those of the bone
	bind   mgl64.Mat4 // the bone in that pose
	size   float64    // what the joint scales by, which the bone does not
}

// RigOf returns the rig of all skins of a scene. The bind pose becomes the reference pose; nodes may be in another pose.
func RigOf(s *asset.Scene, m *unreal.Mesh, d *schema.Diagnostics) (*Rig, error) {
	placement := space.Matrix(space.Skeletal.Placement(m))
	if placement.Det() == 0 {
		return nil, schema.Errorf(Name, schema.ErrValue, "scale", "%s is flat", m.Path)
	}
	r := &Rig{
		toMesh: placement.Inv().Mul4(mgl64.Scale3D(space.UnitsPerMetre, space.UnitsPerMetre, space.UnitsPerMetre)),
		index:  map[*asset.Node]int{}, parents: map[*asset.Node]*asset.Node{}, globals: map[*asset.Node]mgl64.Mat4{},
	}
	bound := boundPoses(s)
	s.Walk(func(n, parent *asset.Node) {
		r.parents[n] = parent
		r.globals[n] = space.Matrix(n.Transform)
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
	var stretched scene.Tally
	for i := range r.Bones {
		even, err := r.place(i, bound)
		if err != nil {
			return nil, err
		}
		if !even {
			stretched.Add(r.Bones[i].Name)
		}
	}
	stretched.Tell(d, "bone-scale", m.Path, "bone", "bones", "is stretched, which bones cannot be: the shape at rest is as shown, its motions are those of bones that are not")
	return r, nil
}

// add appends a joint, behind those that it hangs on.
func (r *Rig) add(n *asset.Node, bound map[*asset.Node]boundPose, taken map[string]bool) {
	if _, known := r.index[n]; known {
		return
	}
	for p := r.parents[n]; p != nil; p = r.parents[p] {
		if _, joint := bound[p]; joint {
			r.add(p, bound, taken)
			break
		}
	}
	r.index[n] = len(r.Bones)
	r.Bones = append(r.Bones, Bone{node: n, Name: boneName(n.Name, len(r.Bones), taken), Parent: r.above(n)})
}

// Hanging returns the joint that is the nearest ancestor of a node, or nil.
func (r *Rig) Hanging(n *asset.Node) *asset.Node {
	for p := r.parents[n]; p != nil; p = r.parents[p] {
		if _, ok := r.index[p]; ok {
			return p
		}
	}
	return nil
}

// above returns the bone that a node hangs below; the first bone where there is none, −1 for that one itself.
func (r *Rig) above(n *asset.Node) int {
	if p := r.Hanging(n); p != nil {
		return r.index[p]
	}
	return min(len(r.Bones), 1) - 1
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
func (r *Rig) place(i int, bound map[*asset.Node]boundPose) (even bool, err error) {
	b := &r.Bones[i]
	p := bound[b.node]
	full := r.toMesh.Mul4(r.globals[p.root]).Mul4(p.inverseRoot).Mul4(p.matrix)
	var size float64
	if size, even = sizeOf(full); !(size > 1e-9) || math.IsInf(size, 0) {
		return false, schema.Errorf(Name, schema.ErrValue, "bones", "bone %q has no size", b.Name)
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

func (r *Rig) setLocal(i int) {
	b := &r.Bones[i]
	b.Local = b.bind
	if b.Parent >= 0 {
		b.Local = r.Bones[b.Parent].bind.Inv().Mul4(b.bind)
	}
}

// Orient gives the bones the axes of the corresponding bones in another rig. Editors rotate the axes of bones, which moves
// nothing.
func (r *Rig) Orient(other *Rig, number []int) {
	if r.turnedAlike(other, number) {
		return // the model was turned as a whole, and its bones with it
	}
	for i := range r.Bones {
		if b := &r.Bones[i]; number[i] >= 0 {
			want := other.Bones[number[i]].bind
			want.SetCol(3, b.bind.Col(3))
			if turn := space.Near(b.bind.Inv().Mul4(want)); turn != mgl64.Ident4() {
				b.turn, b.bind = b.turn.Mul4(turn), want
			}
		}
		r.setLocal(i)
	}
}

// turnedAlike reports whether what is above the bones was turned, and all bones turned with that.
func (r *Rig) turnedAlike(other *Rig, number []int) bool {
	if len(r.Bones) == 0 || number[0] < 0 {
		return false
	}
	frame := func(r *Rig, i int) mgl64.Mat3 {
		m := r.toMesh
		if up, ok := r.globals[r.parents[r.Bones[i].node]]; ok {
			m = m.Mul4(up)
		}
		return rigid(m).Mat3()
	}
	turn := frame(r, 0).Mul3(frame(other, number[0]).Transpose())
	if turn.ApproxEqualThreshold(mgl64.Ident3(), 1e-4) {
		return false
	}
	for i, k := range number {
		if k < 0 || !turn.Mul3(other.Bones[k].bind.Mat3()).ApproxEqualThreshold(r.Bones[i].bind.Mat3(), 1e-3) {
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
	name = name[:min(len(name), unreal.MaxName-6)]
	unique := name
	for n := 2; taken[strings.ToLower(unique)]; n++ {
		unique = name + "_" + strconv.Itoa(n)
	}
	taken[strings.ToLower(unique)] = true
	return unique
}

// Place says how a node's vertices are converted to points: by a matrix for each joint of its skin, with the bones of these
// joints.
type Place struct {
	matrices []mgl64.Mat4
	bones    []int
	rigid    mgl64.Mat4  // matrix for vertices without a joint
	alone    []Influence // bone for these vertices
}

// Fixed returns the Place of vertices that no bone moves.
func Fixed(m mgl64.Mat4) Place {
	return Place{rigid: m, alone: []Influence{{0, math.MaxUint16}}}
}

// Mirrored reports whether the conversion reverses the winding of faces.
func (p *Place) Mirrored() bool { return p.rigid.Det() < 0 && len(p.matrices) == 0 }

// Place returns how the vertices of a node become points. A node without a skin follows the bone that it is below.
func (r *Rig) Place(n space.Placed) Place {
	p := Fixed(space.Near(r.toMesh.Mul4(n.World)))
	if len(r.Bones) == 0 {
		return p
	}
	k := max(r.above(n.Node), 0)
	p.alone[0].Bone = k
	if b := &r.Bones[k]; r.globals[b.node].Det() != 0 {
		p.rigid = space.Near(b.full.Mul4(r.globals[b.node].Inv()).Mul4(n.World))
	}
	if n.Node.Skin == nil {
		return p
	}
	for i, j := range n.Node.Skin.Joints {
		k := r.index[j]
		p.matrices = append(p.matrices, space.Near(r.Bones[k].full.Mul4(scene.InverseBind(n.Node.Skin, i))))
		p.bones = append(p.bones, k)
	}
	return p
}

// Point returns vertex i of a primitive as a point.
func (p *Place) Point(g *asset.Primitive, i int) [3]float32 {
	m := p.rigid
	if j := strongest(g, i); j >= 0 && j < len(p.matrices) {
		m = p.matrices[j]
	}
	v := g.Positions[i]
	if m == mgl64.Ident4() {
		return v
	}
	return scene.Narrow3(mgl64.TransformCoordinate(scene.Wide3(v), m))
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

// Pulls returns the influences of bones on a vertex. Their weights add up to 65,535.
func (p *Place) Pulls(g *asset.Primitive, i int) []Influence {
	if len(p.bones) == 0 || len(g.Joints) == 0 {
		return p.alone
	}
	var pulls []Influence
	var weights []float64
	total := 0.0
	for set := range g.Joints {
		for k, w := range g.Weights[set][i] {
			j := int(g.Joints[set][i][k])
			if !(w > 0) || j >= len(p.bones) {
				continue
			}
			total += float64(w)
			if n := slices.IndexFunc(pulls, func(x Influence) bool { return x.Bone == p.bones[j] }); n >= 0 {
				weights[n] += float64(w)
				continue
			}
			pulls, weights = append(pulls, Influence{Bone: p.bones[j]}), append(weights, float64(w))
		}
	}
	if total == 0 {
		return p.alone
	}
	return WholeWeights(pulls, weights, total)
}

// WholeWeights rounds weights to whole numbers; the remainder goes to the largest.
func WholeWeights(pulls []Influence, weights []float64, total float64) []Influence {
	left, most := math.MaxUint16, 0
	for n := range pulls {
		pulls[n].Weight = uint16(math.Round(weights[n] / total * math.MaxUint16))
		left -= int(pulls[n].Weight)
		if pulls[n].Weight > pulls[most].Weight {
			most = n
		}
	}
	pulls[most].Weight = uint16(int(pulls[most].Weight) + left)
	pulls = slices.DeleteFunc(pulls, func(x Influence) bool { return x.Weight == 0 })
	slices.SortFunc(pulls, func(a, b Influence) int { return a.Bone - b.Bone })
	return pulls
}

// Numbers returns the number of each bone in another rig, found by name, or −1. same reports whether both rigs have bones
// with the same names and parents.
func (r *Rig) Numbers(other *Rig) (number []int, same bool) {
	byName := map[string]int{}
	for i := range other.Bones {
		byName[strings.ToLower(other.Bones[i].Name)] = i
	}
	same = len(r.Bones) == len(other.Bones)
	for i := range r.Bones {
		b := &r.Bones[i]
		k, ok := byName[strings.ToLower(b.Name)]
		if !ok {
			copyOf, _ := scene.Uncopied(b.Name)
			k, ok = byName[strings.ToLower(copyOf)]
		}
		if !ok {
			k = -1
		}
		number = append(number, k)
		if k < 0 || b.Parent < 0 != (other.Bones[k].Parent < 0) || b.Parent >= 0 && number[b.Parent] != other.Bones[k].Parent {
			same = false
		}
	}
	return number, same
}

// Moved returns the bones with other positions than in another rig.
func (r *Rig) Moved(other *Rig, number []int) (moved []int) {
	size := other.Size()
	for i, k := range number {
		if k < 0 {
			continue
		}
		now, was := r.Bones[i].bind, other.Bones[k].bind
		if now.Col(3).Sub(was.Col(3)).Len() > placeTolerance*size || !now.Mat3().ApproxEqualThreshold(was.Mat3(), 1e-4) {
			moved = append(moved, i)
		}
	}
	return moved
}

// Size returns the extent of the skeleton.
func (r *Rig) Size() float64 {
	size := 1.0
	for i := range r.Bones {
		size = max(size, r.Bones[i].bind.Col(3).Vec3().Len())
	}
	return size
}

// Influence is the weight of one bone at a point.
type Influence struct {
	Bone   int
	Weight uint16 // of 65,535
}
