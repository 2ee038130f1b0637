package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// Room says which transforms a target can store for a node.
type Room uint8

// The rooms, from the widest to the narrowest.
const (
	AnyRoom    Room = iota // all of it
	StoredRoom             // its present transform, or that with another translation and rotation
	RigidRoom              // translation and rotation
	NoRoom                 // none: the node has the transform of its parent
)

// Settled is the result of [Settle].
type Settled struct {
	// Baked holds, for each changed node, the transform that went into its mesh and children. Whoever keeps more of a node,
	// such as hidden levels of detail, must apply it there as well.
	Baked map[*asset.Node]mgl64.Mat4
	// Bent lists the nodes whose animation cannot be stored exactly, because it rotates something that is scaled unevenly.
	Bent []Bent
}

// Bent is a node, and the node (itself or an ancestor) that is scaled unevenly.
type Bent struct{ Node, By *asset.Node }

// Settle gives every node a transform that the target can store, without visible change. The rest of a transform is applied
// to the node's mesh, to its children and their animations, and to bind matrices of skins. For example, if a model is
// scaled as a whole, by its root or by a node above it, then all of its parts, hardpoints, pivots and keys get new
// positions, and its meshes new vertices.
//
// A node whose transform already fits, below others that fit, keeps it bit for bit. Meshes, skins and channels that change
// are replaced and not modified, because they may be shared.
func Settle(s *asset.Scene, room func(n *asset.Node) Room) *Settled {
	t := &settler{scene: s, room: room, size: Size(s), motions: make([]*Motion, len(s.Animations)), meshes: map[bakedMesh]*asset.Mesh{}, order: map[*asset.Mesh][]*asset.Mesh{},
		done: &Settled{Baked: map[*asset.Node]mgl64.Mat4{}}}
	for i, a := range s.Animations {
		t.motions[i] = MotionOf(a)
	}
	for _, list := range [][]*asset.Node{s.Roots, s.Detached} {
		for _, n := range list {
			t.node(n, mgl64.Ident4())
		}
	}
	if len(t.done.Baked) == 0 {
		return t.done
	}
	t.skins()
	t.collectMeshes()
	return t.done
}

type settler struct {
	scene   *asset.Scene
	room    func(n *asset.Node) Room
	size    float64
	motions []*Motion // of the animations, as they were
	meshes  map[bakedMesh]*asset.Mesh
	order   map[*asset.Mesh][]*asset.Mesh // what was baked of a mesh, in order
	done    *Settled
	uneven  *asset.Node // what is scaled unevenly, of the node in hand and those above it
}

// bakedMesh is a mesh and what was baked into it: nodes that share both go on sharing.
type bakedMesh struct {
	mesh *asset.Mesh
	by   mgl64.Mat4
}

// node settles a node and what is below it. Rest is what the transforms above could not keep.
func (t *settler) node(n *asset.Node, rest mgl64.Mat4) {
	local := Matrix(&n.Transform)
	above := t.uneven
	if !similar(local) {
		t.uneven = n
	}
	whole := rest.Mul4(local)
	left := mgl64.Ident4()
	if rest != left || !t.fits(n, local) {
		kept := t.kept(n, whole)
		if inverse := kept.Inv(); inverse.Det() != 0 {
			left = inverse.Mul4(whole)
		}
		if SamePlace(mgl64.Ident4(), left, t.size) {
			left = mgl64.Ident4()
		}
		t.animate(n, rest, left)
		n.Transform = TransformOf(kept)
		t.done.Baked[n] = left
		t.bake(n, left)
	}
	for _, c := range n.Children {
		t.node(c, left)
	}
	t.uneven = above
	for _, l := range n.LODs { // levels are placed beside their owner
		t.node(l, rest)
	}
}

func (t *settler) fits(n *asset.Node, local mgl64.Mat4) bool {
	switch t.room(n) {
	case RigidRoom:
		return isRigid(local)
	case NoRoom:
		return SamePlace(mgl64.Ident4(), local, t.size)
	}
	return true
}

// kept returns what of a transform the node has room for.
func (t *settler) kept(n *asset.Node, whole mgl64.Mat4) mgl64.Mat4 {
	switch t.room(n) {
	case RigidRoom, StoredRoom:
		return rigid(whole)
	case NoRoom:
		return mgl64.Ident4()
	}
	return whole
}

// bake takes what is left into the mesh of a node. The vertices of a skin are where its joints put them.
func (t *settler) bake(n *asset.Node, left mgl64.Mat4) {
	if n.Mesh == nil || n.Skin != nil || left == mgl64.Ident4() {
		return
	}
	key := bakedMesh{n.Mesh, left}
	if t.meshes[key] == nil {
		t.meshes[key] = BakeMesh(n.Mesh, left)
		t.order[n.Mesh] = append(t.order[n.Mesh], t.meshes[key])
	}
	n.Mesh = t.meshes[key]
}

// animate rewrites the channels of a node, which is still as it was: at any time, what the node has above and does itself
// is to be what it will do, times what is left below it.
func (t *settler) animate(n *asset.Node, rest, left mgl64.Mat4) {
	for i, a := range t.scene.Animations {
		if t.motions[i].Moves(n) {
			t.animation(a, t.motions[i], n, rest, left)
		}
	}
}

func (t *settler) animation(a *asset.Animation, m *Motion, n *asset.Node, rest, left mgl64.Mat4) {
	undo := left.Inv()
	at := func(time float64) (Pose, bool) { return Decompose(rest.Mul4(m.local(n, time)).Mul4(undo)) }
	place, turn, scale := m.Channel(n, asset.Translation), m.Channel(n, asset.Rotation), m.Channel(n, asset.Scale)
	var channels []*asset.Channel
	if similar(rest) && similar(left) && left.Col(3).Vec3() == (mgl64.Vec3{}) && scale == nil {
		if place != nil {
			channels = append(channels, mapped(place, func(v []float32, tangent bool) {
				x := rest.Mat3().Mul3x1(Wide3([3]float32(v)))
				if !tangent {
					x = x.Add(rest.Col(3).Vec3())
				}
				y := Narrow3(x)
				copy(v, y[:])
			}))
		}
		if turn != nil {
			channels = append(channels, turned(turn, rest, undo))
		}
	} else {
		moving := &asset.Channel{Node: n, Path: asset.Translation}
		turning := &asset.Channel{Node: n, Path: asset.Rotation}
		straight := true
		for _, time := range dense(FrameTimes(place, turn, scale)) { // what turns about another point moves along arcs
			p, exact := at(time)
			straight = straight && exact
			moving.Times = append(moving.Times, float32(time))
			x, q := Narrow3(p.Place), NarrowTurn(p.Turn)
			moving.Values, turning.Values = append(moving.Values, x[:]...), append(turning.Values, q[:]...)
		}
		turning.Times = moving.Times
		channels = append(channels, moving, turning)
		if scale != nil { // as much of it as was there before
			channels = append(channels, scale)
		}
		if !straight {
			t.done.Bent = append(t.done.Bent, Bent{n, t.uneven})
		}
	}
	a.Channels = slices.DeleteFunc(slices.Clone(a.Channels), func(c *asset.Channel) bool {
		return c.Node == n && c.Path != asset.MorphWeights
	})
	a.Channels = append(a.Channels, channels...)
}

// dense returns ascending times with as many more between them that frames of a curve are.
func dense(times []float64) (all []float64) {
	for i, t := range times {
		if i > 0 {
			from := times[i-1]
			n := min(math.Ceil((t-from)/sampling), maxFrames)
			for k := 1.0; k < n; k++ {
				all = append(all, from+(t-from)*k/n)
			}
		}
		all = append(all, t)
	}
	return all
}

// similar reports whether a matrix keeps the shape of things: it moves, turns, mirrors, and scales alike in all directions.
func similar(m mgl64.Mat4) bool {
	p, exact := Decompose(m)
	p.Scale[0] = max(p.Scale[0], -p.Scale[0])
	for _, x := range p.Scale {
		exact = exact && x > 0 && max(x-p.Scale[1], p.Scale[1]-x) <= ScaleTolerance*p.Scale[1]
	}
	return exact
}

// mapped returns a channel whose values and tangents a function changes.
func mapped(c *asset.Channel, f func(v []float32, tangent bool)) *asset.Channel {
	out := *c
	out.Values = slices.Clone(c.Values)
	w := c.Width()
	for i := 0; i+w <= len(out.Values); i += w {
		f(out.Values[i:i+w:i+w], c.Interpolation == asset.CubicKeys && i/w%3 != 1)
	}
	return &out
}

// turned returns a channel of rotations between two transforms that keep the shape of things: before · R · after. All
// that a quaternion does there is linear in it, so tangents change alike.
func turned(c *asset.Channel, before, after mgl64.Mat4) *asset.Channel {
	p, _ := Decompose(before)
	q, _ := Decompose(after)
	mirrored := p.Scale[0] < 0
	return mapped(c, func(v []float32, _ bool) {
		x, y, z, w := float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])
		if mirrored { // a mirror along x on both sides of a rotation turns it the other way about y and z
			y, z = -y, -z
		}
		r := p.Turn.Mul(mgl64.Quat{W: w, V: mgl64.Vec3{x, y, z}}).Mul(mirror(q.Turn, q.Scale[0] < 0))
		for k := range 3 {
			v[k] = float32(r.V[k])
		}
		v[3] = float32(r.W)
	})
}

// mirror returns a rotation as it is seen in a mirror along x, or itself.
func mirror(q mgl64.Quat, by bool) mgl64.Quat {
	if by {
		q.V[1], q.V[2] = -q.V[1], -q.V[2]
	}
	return q
}

// skins brings bind matrices in line with joints that were settled. Where all joints of a skin were left with the same,
// the vertices take it, so that the bind matrices stay rigid.
func (t *settler) skins() {
	for _, s := range t.scene.Skins {
		if !slices.ContainsFunc(s.Joints, func(j *asset.Node) bool { return t.left(j) != mgl64.Ident4() }) {
			continue
		}
		common := t.left(s.Joints[0])
		for _, j := range s.Joints {
			if !SamePlace(common, t.left(j), t.size) {
				common = mgl64.Ident4()
				break
			}
		}
		undo := mgl64.Ident4()
		if common.Det() > 0 { // a skin is not turned over by a mirror above its joints
			undo = common.Inv()
		} else {
			common = mgl64.Ident4()
		}
		binds := make([][16]float32, len(s.Joints))
		for i, j := range s.Joints {
			binds[i] = NarrowMatrix(t.left(j).Mul4(InverseBind(s, i)).Mul4(undo))
		}
		s.InverseBind = binds
		t.scene.Walk(func(n, _ *asset.Node) {
			if n.Skin == s && n.Mesh != nil {
				n.Skin = nil
				t.bake(n, common)
				n.Skin = s
			}
		})
	}
}

func (t *settler) left(n *asset.Node) mgl64.Mat4 {
	if m, ok := t.done.Baked[n]; ok {
		return m
	}
	return mgl64.Ident4()
}

// collectMeshes adds baked meshes after their originals, and removes meshes that no node uses.
func (t *settler) collectMeshes() {
	used := map[*asset.Mesh]bool{}
	t.scene.Walk(func(n, _ *asset.Node) { used[n.Mesh] = true })
	var list []*asset.Mesh
	for _, m := range t.scene.Meshes {
		if used[m] || len(t.order[m]) == 0 {
			list = append(list, m)
		}
		for _, baked := range t.order[m] {
			if used[baked] {
				list = append(list, baked)
			}
		}
	}
	t.scene.Meshes = list
}
