package freelancer

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// isBone reports whether a node moves a skin of the edited scene.
func (e *editor) isBone(n *asset.Node) bool {
	return slices.ContainsFunc(e.edited.Skins, func(s *asset.Skin) bool { return slices.Contains(s.Joints, n) })
}

// newBone joins a new bone to its parent: free in all directions, and what the animations move, in its place as well.
func (e *editor) newBone(p, parent *part) {
	m := e.frames[parent].Inv().Mul4(e.frames[p])
	j := freelancer.Joint{Kind: freelancer.Sphere, Parent: freelancer.PartName{Name: parent.name}, Child: freelancer.PartName{Name: p.name}}
	for k := range 3 {
		j.Min[k], j.Max[k] = -math.Pi, math.Pi
	}
	if e.moved(e.nodeOf[p]) {
		j.Kind, j.Min, j.Max = freelancer.Loose, [3]float32{}, [3]float32{}
	}
	j.Origin, j.Rotation = scene.Narrow3(m.Col(3).Vec3()), space.Rows(m.Mat3())
	p.joint, e.changed = e.addJoint(j), true
}

// moved reports whether an animation of the scene moves a node, other than turning it.
func (e *editor) moved(n *asset.Node) bool {
	for _, a := range e.edited.Animations {
		for _, c := range a.Channels {
			if c.Node == n && c.Path == asset.Translation && track.Moves(c, n.Transform.Translation[:]) {
				return true
			}
		}
	}
	return false
}

// lowerDeformable updates a character: first the bones, then the levels of its skin. Only edited levels are stored anew.
func (e *editor) lowerDeformable() error {
	mesh.AlignSkins(e.edited)
	shapes := e.skinned()
	if len(shapes) == 0 && e.deformable == nil && (e.edited.Native == nil || e.edited.Native.Format != e.format) {
		return schema.Errorf(e.format, schema.ErrUnsupported, "", "the scene has no skin; a .cmp or .3db file can hold it")
	}
	if err := e.lowerParts(); err != nil {
		return err
	}
	x := e.deformable
	if x == nil {
		x = &deformable{x: &freelancer.Deformable{Skeleton: e.stem + ".cmp"}}
	}
	numbers, err := e.lowerBones(x.x)
	if err != nil {
		return err
	}
	for i := len(shapes); i < len(x.levels) && i > 0; i++ {
		e.d.Notef("lod-kept", e.stem, "level of detail %d is not in the scene any more; the file keeps it", i)
	}
	changed := e.moveBones() || e.bonesGone || e.deformable == nil && len(shapes)+len(x.x.Bones) > 0
	for i, level := range shapes {
		if i < len(x.levels) && len(level) == 1 && mesh.SameSkin(x.levels[i], level[0], e.sameWeights) {
			continue
		}
		if i < len(x.levels) && len(level) == 1 && mesh.PatchSkin(x.x.Meshes[i], x.levels[i], level[0], e.sameWeights) {
			changed = true
			continue
		}
		m := &freelancer.SkinMesh{Number: i}
		if i < len(x.x.Meshes) {
			old := x.x.Meshes[i]
			if old.Geometry.Node.Child("UV_bone_id") != nil {
				e.d.Lossf("uv-bones", e.stem, "level %d has other triangles or weights now: its bones do not move texture coordinates any more", i)
			}
			m.Number, m.Node = old.Number, old.Node
			old.Node.Remove(old.Node.Child("Face_groups"))
			old.Node.Remove(old.Node.Child("Geometry"))
			x.x.Meshes[i] = m
		} else {
			x.x.Meshes = append(x.x.Meshes, m)
			x.x.Fractions = append(x.x.Fractions, float32(math.Pow(0.5, float64(i))))
		}
		dropped, err := mesh.FillSkin(m, level, numbers, e.format)
		if err != nil {
			return err
		}
		if dropped > 0 {
			e.d.Lossf("influences", e.stem, "%d weights beyond the four largest of a vertex are left out", dropped)
		}
		changed = true
	}
	if !changed {
		return nil
	}
	return write.Deformable(e.tree.Root, x.x)
}

// skinned returns the nodes with skins, level by level. What hangs on a bone without a skin moves with it.
func (e *editor) skinned() (levels [][]*asset.Node) {
	put := func(level int, n *asset.Node) {
		for len(levels) <= level {
			levels = append(levels, nil)
		}
		levels[level] = append(levels[level], n)
	}
	e.edited.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil || skip(n) || strings.Contains(n.Name, "$lod") || e.isLevel(n) {
			return
		}
		for i, l := range append([]*asset.Node{n}, e.levelNodes(n)...) {
			if l.Mesh == nil {
				continue
			}
			if n.Skin == nil {
				if l = e.attached(n, l); l == nil {
					return
				}
			}
			put(i, l)
		}
	})
	return levels
}

// attached returns a mesh that hangs on a bone, bound to that bone alone: level is the node of the owner n or one of its
// levels of detail. A mesh that hangs on no bone is told of; the result is nil.
func (e *editor) attached(n, level *asset.Node) *asset.Node {
	if mesh.OnlyLines(level.Mesh) {
		return nil
	}
	for bone := e.parentOf[n]; bone != nil; bone = e.parentOf[bone] {
		for _, s := range e.edited.Skins {
			i := slices.Index(s.Joints, bone)
			if i < 0 {
				continue
			}
			by := scene.InverseBind(s, i).Inv().Mul4(space.World(bone, e.parentOf).Inv()).Mul4(space.World(n, e.parentOf))
			out := asset.NewNode(level.Name)
			out.Skin, out.Mesh = s, &asset.Mesh{Name: level.Mesh.Name}
			for _, p := range level.Mesh.Primitives {
				q := *mesh.Baked(p, by)
				joints, weights := make([][4]uint16, len(q.Positions)), make([][4]float32, len(q.Positions))
				for v := range joints {
					joints[v][0], weights[v][0] = uint16(i), 1
				}
				q.Joints, q.Weights = [][][4]uint16{joints}, [][][4]float32{weights}
				out.Mesh.Primitives = append(out.Mesh.Primitives, &q)
			}
			return out
		}
	}
	e.d.Lossf("mesh-without-bone", n.Name, "the mesh has no skin and hangs on no bone: a .dfm file cannot hold it")
	return nil
}

// bindInPlace makes the pose at rest the one that the skin is bound in: a file knows no other.
func (e *editor) bindInPlace() {
	stood := map[*asset.Node]mgl64.Mat4{}
	for _, s := range e.scene.Skins {
		for i, j := range s.Joints {
			if n := e.byID[rig.ID(j)]; n != nil { // joints and bind matrices of a file may disagree a little
				stood[n] = space.World(j, e.parentOf).Mul4(scene.InverseBind(s, i))
			}
		}
	}
	bent := scene.BindInPlace(e.edited, func(n *asset.Node) mgl64.Mat4 {
		if m, ok := stood[n]; ok {
			return m
		}
		return mgl64.Ident4()
	})
	if len(bent) > 0 && len(e.edited.Animations) > 0 {
		e.d.Warnf("rest-pose", bent[0].Name, "it does not rest as it was bound, and is bound anew as it rests: where its vertices follow several bones, animations bend them a little otherwise")
	}
}

// moveBones gives the bones of the file the bind matrices that they have now, and reports whether any has another one.
func (e *editor) moveBones() (moved bool) {
	if e.deformable == nil {
		return false
	}
	for _, s := range e.edited.Skins {
		for i, n := range s.Joints {
			k := slices.IndexFunc(e.deformable.skin.Joints, func(j *asset.Node) bool { return e.byID[rig.ID(j)] == n })
			if k < 0 || scene.SamePlace(scene.InverseBind(e.deformable.skin, k), scene.InverseBind(s, i), e.size) {
				continue
			}
			e.deformable.bones[k].RootToBone, moved = boneMatrix(scene.NarrowMatrix(scene.InverseBind(s, i))), true
		}
	}
	return moved
}

// boneMatrix returns a matrix as "Bone to root" holds it.
func boneMatrix(m [16]float32) (rb [12]float32) {
	for col := range 3 {
		for row := range 3 {
			rb[3*row+col] = m[4*col+row]
		}
		rb[9+col] = m[12+col]
	}
	return rb
}

// dropBones takes out bones whose parts are gone, and gives the others new numbers in the skins: what hung on a bone that
// is gone hangs on the first one, unless the scene says otherwise.
func (e *editor) dropBones(x *freelancer.Deformable) {
	if e.deformable == nil {
		return
	}
	to := make([]uint32, len(x.Bones))
	var bones []*freelancer.Bone
	for i, b := range x.Bones {
		if slices.Contains(e.tree.Root.Children, b.Node) {
			to[i] = uint32(len(bones))
			bones = append(bones, b)
		}
	}
	if len(bones) == len(x.Bones) {
		return
	}
	for _, m := range x.Meshes {
		for k, id := range m.Geometry.BoneIDs {
			if int(id) < len(to) {
				m.Geometry.BoneIDs[k] = to[id]
			}
		}
	}
	x.Bones = bones
	e.bonesGone = true
}

// lowerBones adds the bones that are new and returns the numbers of all, by their nodes in the edited scene.
func (e *editor) lowerBones(x *freelancer.Deformable) (map[*asset.Node]uint32, error) {
	numbers := map[*asset.Node]uint32{}
	e.dropBones(x)
	if e.deformable != nil {
		for i, n := range e.deformable.skin.Joints {
			now, k := e.byID[rig.ID(n)], slices.Index(x.Bones, e.deformable.bones[i])
			if now != nil && k >= 0 {
				numbers[now] = uint32(k)
			}
		}
	}
	for _, p := range e.parts {
		n := e.nodeOf[p]
		made := p == e.parts[0] && p.fresh && e.parentOf[n] == nil // the first bone, which the scene may lack
		if _, known := numbers[n]; known || p.content == nil || !made && !e.isBone(n) {
			continue // a part whose file is missing has no place for a bone
		}
		b := &freelancer.Bone{Name: p.content.Name, Node: p.content, LodBits: 0xFF}
		for k, s := range e.edited.Skins {
			i := slices.Index(s.Joints, n)
			if i < 0 || i >= len(s.InverseBind) {
				continue
			}
			rb := boneMatrix(s.InverseBind[i])
			if b.RootToBone != [12]float32{} && b.RootToBone != rb {
				return nil, schema.Errorf(e.format, schema.ErrUnsupported, "skins", "skin %d binds %q elsewhere than another skin does; join the meshes into one", k, n.Name)
			}
			b.RootToBone = rb
		}
		if b.RootToBone == [12]float32{} { // no matrices at all mean identity
			b.RootToBone = [12]float32{0: 1, 4: 1, 8: 1}
		}
		w := space.World(n, e.parentOf)
		size := space.Rigid(w).Inv().Mul4(w) // bones are not scaled: what hangs on them is
		if !space.Near(size, mgl64.Scale3D(size[0], size[0], size[0])) {
			return nil, schema.Errorf(e.format, schema.ErrUnsupported, "bones", "%q is scaled differently in different directions; apply the scale to the skeleton first", n.Name)
		}
		for i := range b.RootToBone {
			b.RootToBone[i] = float32(float64(b.RootToBone[i]) * size[0])
		}
		numbers[n] = uint32(len(x.Bones))
		x.Bones = append(x.Bones, b)
	}
	return numbers, nil
}

// sameWeights compares shares: weights in glTF add up to 1, stored ones may not. Stored ones that add up to nothing, or
// to no number, say nothing.
func (e *editor) sameWeights(was, now map[*asset.Node]float32) bool {
	sum := func(m map[*asset.Node]float32) (s float64) {
		for _, w := range m {
			s += float64(w)
		}
		return s
	}
	a, b := sum(was), max(sum(now), 1e-30)
	if !(a > 1e-30) || math.IsInf(a, 0) {
		return true
	}
	for n, w := range was {
		if math.Abs(float64(now[e.byID[rig.ID(n)]])/b-float64(w)/a) > 1e-3 {
			return false
		}
	}
	return true
}
