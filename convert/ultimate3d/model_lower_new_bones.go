package ultimate3d

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// slot is a bone to be: a node and, in a skin, how vertices come to it.
type slot struct {
	node  *asset.Node
	bind  mgl64.Mat4 // in glTF's space
	first bool       // the node's first bone, on which those below hang
}

// needless reports whether a node needs no bone of its own: it stands for the file, or moves nothing.
func (b *newModel) needless(n *asset.Node) bool {
	return !b.moving[n] && scene.Matrix(&n.Transform) == mgl64.Ident4()
}

// rigid makes each node a bone that carries its mesh.
func (b *newModel) rigid() error {
	var slots []slot
	for _, n := range b.nodes {
		root := number(n.Native, keyRoot) >= 0 && n.Mesh == nil
		if root && b.needless(n) || n.Mesh == nil && len(n.Children) == 0 && n.Camera != nil {
			continue
		}
		slots = append(slots, slot{n, mgl64.Ident4(), true})
	}
	if err := b.lowerBones(slots); err != nil {
		return err
	}
	for i, s := range slots {
		if s.node.Mesh == nil {
			continue
		}
		transform, err := b.shear(b.m.Bones[i], s.node)
		if err != nil {
			return err
		}
		mirrored := scene.Mirrored(b.world(s.node, b.still, 0))
		for _, number := range b.placed(s.node, mirrored) {
			b.m.Bones[i].Attachments = append(b.m.Bones[i].Attachments, ultimate3d.Attachment{Mesh: uint16(number), Transformation: transform})
		}
	}
	return b.order(1)
}

// shear returns the transformation from a mesh to its bone: that of the node, when it is one that no bone can have.
func (b *newModel) shear(bone *ultimate3d.Bone, n *asset.Node) ([16]float32, error) {
	if _, exact := scene.PoseOf(&n.Transform); exact {
		return scene.NarrowMatrix(mgl64.Ident4()), nil
	}
	if len(n.Children) > 0 || b.moving[n] {
		return [16]float32{}, fail(schema.ErrUnsupported, "node %q has a shear, which a bone with others below it cannot have", n.Name)
	}
	bone.Scaling, bone.Rotation, bone.Translation = nil, nil, nil
	return storedMatrix(scene.Matrix(&n.Transform)), nil
}

// placed returns the numbers of the meshes that show a node's mesh. Nodes that share a mesh share them.
func (b *newModel) placed(n *asset.Node, mirrored bool) []int {
	key := instance{n.Mesh, mirrored}
	for _, other := range b.shapes[key] {
		if sameLevels(other.node, n) {
			return other.numbers
		}
	}
	sign := float32(1)
	if mirrored {
		sign = -1
	}
	levels := make([][][]*ultimate3d.Mesh, b.levels)
	for k := range levels {
		x := level(n, k)
		if x.Mesh == nil {
			continue
		}
		s := b.standing(x)
		if x != n {
			b.fit(s, x, n)
		}
		name := b.name(meshName(x), "mesh", nil)
		for _, p := range b.split(s, mirrored) {
			levels[k] = append(levels[k], b.mesh(name, s, p, []frameShape{{s.Positions, s.Normals}}, sign))
		}
	}
	numbers := b.add(levels, 1)
	b.shapes[key] = append(b.shapes[key], placed{n, numbers})
	return numbers
}

// fit moves the surface of a lower level of detail to where it is seen from its owner.
func (b *newModel) fit(s *surface, x, owner *asset.Node) {
	m, frame := scene.Matrix(&x.Transform), scene.Matrix(&owner.Transform)
	if frame.Det() != 0 && !scene.SamePlace(frame, m, b.size) {
		s.move(scene.RelativeTo(frame, m))
	}
}

// sameLevels reports whether two nodes that show the same mesh also agree in its shape and levels of detail.
func sameLevels(a, b *asset.Node) bool {
	if len(a.LODs) != len(b.LODs) || !slices.Equal(a.Weights, b.Weights) {
		return false
	}
	for k := range a.LODs {
		if a.LODs[k].Mesh != b.LODs[k].Mesh {
			return false
		}
	}
	return true
}

// lowerBones makes a bone of each slot, with the keys of all animations one behind the other.
func (b *newModel) lowerBones(slots []slot) error {
	if len(slots) > maxCount-1 {
		return fail(schema.ErrLimit, "%d bones, at most 65,534", len(slots))
	}
	index := map[*asset.Node]int{}
	for i, s := range slots {
		if s.first {
			index[s.node] = i
		}
	}
	names := map[string]int{}
	b.m.Frames = 1
	for _, s := range slots {
		bone := &ultimate3d.Bone{Name: b.name(s.node.Name, "bone", names), Parent: ultimate3d.RootParent, BoneFrame: -1, PassOnBoneFrame: ultimate3d.True}
		if was := b.boneOf(s.node.Native, s.node.Name); was != nil && number(s.node.Native, keyBone) >= 0 {
			bone.BoneFrame, bone.PassOnBoneFrame = was.BoneFrame, was.PassOnBoneFrame
			if err := boneFields(bone).Take(ultimate3d.FormatName, "bone "+bone.Name, s.node.Native); err != nil {
				return err
			}
		}
		for p := b.above[s.node]; p != nil; p = b.above[p] {
			if i, ok := index[p]; ok {
				bone.Parent = uint16(i)
				break
			}
		}
		if err := b.keys(bone, s.node); err != nil {
			return err
		}
		b.m.Bones = append(b.m.Bones, bone)
	}
	return nil
}

// keys gives a bone the place and the animation of a node.
func (b *newModel) keys(bone *ultimate3d.Bone, n *asset.Node) error {
	usual := asset.NewNode("")
	for path := asset.Translation; path <= asset.Scale; path++ {
		rest := scene.Rest(n, path)
		var keys []trackKey
		animated := false
		for i := range b.clips {
			c := &b.clips[i]
			x := c.Channel(n, path)
			animated = animated || x != nil
			list := []trackKey{{frame: c.first, value: rest}}
			if x != nil {
				list = framesOf(x, b.fps, c.first)
				b.lowerer.frames(n, path, x, b.size, nil)
				if i == 0 && !scene.SameValue(path, rest, list[0].value, b.size) {
					note(&b.told.rests, n.Name)
				}
			}
			if last := list[len(list)-1]; last.frame < c.last && len(b.clips) > 1 {
				list = append(list, trackKey{frame: c.last, value: last.value})
			}
			keys = append(keys, list...)
		}
		if !animated {
			keys = []trackKey{{value: rest}}
		}
		if len(keys) == 1 && slices.Equal(keys[0].value, scene.Rest(usual, path)) {
			continue
		}
		if len(keys) > maxCount || keys[len(keys)-1].frame > maxKeyFrame {
			return fail(schema.ErrLimit, "bone %q has keys up to frame %d, at most 65,535", n.Name, keys[len(keys)-1].frame)
		}
		b.m.Frames = max(b.m.Frames, uint32(keys[len(keys)-1].frame)+1)
		setTrack(bone, path, keys)
	}
	for _, c := range b.clips {
		b.m.Frames = max(b.m.Frames, uint32(min(c.last, maxKeyFrame))+1)
	}
	return nil
}

// skinned makes one mesh that follows bones: everything that has a skin, and what hangs rigidly on nodes.
func (b *newModel) skinned() error {
	slots, err := b.skinSlots()
	if err != nil {
		return err
	}
	if err := b.lowerBones(slots); err != nil {
		return err
	}
	for i, s := range slots {
		b.m.Bones[i].Attachments = []ultimate3d.Attachment{{Transformation: storedMatrix(s.bind)}}
	}
	levels := make([][][]*ultimate3d.Mesh, b.levels)
	for k := range levels {
		m, err := b.bound(slots, k)
		if err != nil {
			return err
		}
		levels[k] = [][]*ultimate3d.Mesh{{m}}
	}
	b.add(levels, 1)
	return b.order(1)
}

// skinSlots returns the bones of a skinned model: first those that vertices follow, since a vertex counts them in a
// byte, then what they hang on.
func (b *newModel) skinSlots() ([]slot, error) {
	var slots []slot
	index := map[*asset.Node]bool{}
	need := func(n *asset.Node, bind mgl64.Mat4) {
		if b.findSlot(slots, n, bind) < 0 {
			slots = append(slots, slot{n, bind, !index[n]})
			index[n] = true
		}
	}
	for _, n := range b.nodes {
		for k := range b.levels {
			x := level(n, k)
			switch {
			case x.Mesh == nil:
			case x.Skin == nil || !hasJoints(x.Mesh):
				need(n, mgl64.Ident4())
			default:
				for i, used := range usedJoints(x) {
					if used || b.env.Options.Ultimate3D.KeepNodes {
						need(x.Skin.Joints[i], scene.InverseBind(x.Skin, i))
					}
				}
			}
		}
	}
	if len(slots) > 256 {
		return nil, fail(schema.ErrLimit, "vertices follow %d bones, at most 256", len(slots))
	}
	for i := 0; i < len(slots); i++ {
		for p := b.above[slots[i].node]; p != nil; p = b.above[p] {
			if index[p] {
				break
			}
			if !b.needless(p) {
				slots = append(slots, slot{p, mgl64.Ident4(), true})
				index[p] = true
				break
			}
		}
	}
	return slots, nil
}

func (b *newModel) findSlot(slots []slot, n *asset.Node, bind mgl64.Mat4) int {
	return slices.IndexFunc(slots, func(s slot) bool { return s.node == n && scene.SamePlace(s.bind, bind, b.size) })
}

// usedJoints returns the joints of a node's skin that vertices follow.
func usedJoints(n *asset.Node) []bool {
	used := make([]bool, len(n.Skin.Joints))
	for _, p := range n.Mesh.Primitives {
		for k := range p.Joints {
			for v, joints := range p.Joints[k] {
				for c, j := range joints {
					if p.Weights[k][v][c] > 0 && int(j) < len(used) {
						used[j] = true
					}
				}
			}
		}
	}
	return used
}

// bound makes the one mesh of a skinned model at a level of detail.
func (b *newModel) bound(slots []slot, k int) (*ultimate3d.Mesh, error) {
	all := &surface{}
	all.Indices = []uint32{}
	var lists [][]influence
	name, most := "", 0
	for _, n := range b.nodes {
		x := level(n, k)
		if x.Mesh == nil {
			continue
		}
		s := b.standing(x)
		if name == "" || x.Skin != nil {
			name = meshName(x)
		}
		own := []influence{{b.findSlot(slots, n, mgl64.Ident4()), 1}}
		rigid := x.Skin == nil || len(s.Joints) == 0
		if rigid && x != n {
			b.fit(s, x, n)
		}
		if rigid && scene.Mirrored(b.world(n, b.still, 0)) {
			for i := 0; i+3 <= len(s.Indices); i += 3 {
				s.Indices[i+1], s.Indices[i+2] = s.Indices[i+2], s.Indices[i+1]
			}
		}
		for v := range s.Positions {
			list := own
			if !rigid {
				list = s.influences(v, func(j int) int {
					if j >= len(x.Skin.Joints) {
						return -1
					}
					return b.findSlot(slots, x.Skin.Joints[j], scene.InverseBind(x.Skin, j))
				})
				if len(list) == 0 {
					list = []influence{{0, 1}}
				}
			}
			most = max(most, len(list))
			lists = append(lists, list)
		}
		all.append(s)
	}
	if len(all.Positions) > maxCount || len(all.materials) > maxCount {
		return nil, fail(schema.ErrLimit, "a skinned model has one mesh, and this one has %d vertices and %d triangles: at most 65,535", len(all.Positions), len(all.materials))
	}
	parts := b.split(all, false)
	if len(parts) == 0 {
		parts = []part{{}}
	}
	m := b.mesh(b.name(name, "mesh", nil), all, parts[0], []frameShape{{all.Positions, all.Normals}}, 1)[0]
	m.StoredWeights = 1
	if most > 2 {
		m.StoredWeights = 3
	}
	m.Weights = make([]float32, int(m.StoredWeights)*len(m.Positions))
	m.WeightBones = make([][4]uint8, len(m.Positions))
	for i := range m.Positions {
		setInfluences(m, i, lists[i])
	}
	return m, nil
}

// append joins another surface to this one; joints and morph targets are not looked at.
func (s *surface) append(o *surface) {
	first, total := uint32(len(s.Positions)), len(s.Positions)+len(o.Positions)
	for k := range o.TexCoords {
		if k == len(s.TexCoords) {
			s.TexCoords = append(s.TexCoords, make([][2]float32, first))
		}
		s.TexCoords[k] = append(s.TexCoords[k], o.TexCoords[k]...)
	}
	for k := range s.TexCoords {
		s.TexCoords[k] = padded(s.TexCoords[k], total)
	}
	s.Positions, s.Normals = append(s.Positions, o.Positions...), append(s.Normals, o.Normals...)
	for _, i := range o.Indices {
		s.Indices = append(s.Indices, first+i)
	}
	s.materials = append(s.materials, o.materials...)
}
