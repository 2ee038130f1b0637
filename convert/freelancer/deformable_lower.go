package freelancer

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// isBone tells whether a node moves a skin of the edited scene.
func (e *editor) isBone(n *asset.Node) bool {
	return slices.ContainsFunc(e.edited.Skins, func(s *asset.Skin) bool { return slices.Contains(s.Joints, n) })
}

// newBone joins a new bone to its parent: free in all directions, and the root, or whatever the animations move, in its
// place as well.
func (e *editor) newBone(p, parent *part) {
	m := e.frames[p]
	j := freelancer.Joint{Kind: freelancer.Loose, Child: freelancer.PartName{Name: p.name}}
	if parent != nil {
		m = e.frames[parent].Inv().Mul4(m)
		j.Kind, j.Parent = freelancer.Sphere, freelancer.PartName{Name: parent.name}
		for k := range 3 {
			j.Min[k], j.Max[k] = -math.Pi, math.Pi
		}
		if e.moved(e.nodeOf[p]) {
			j.Kind, j.Min, j.Max = freelancer.Loose, [3]float32{}, [3]float32{}
		}
	}
	j.Origin, j.Rotation = scene.Narrow3(m.Col(3).Vec3()), space.Rows(m.Mat3())
	p.joint, e.changed = e.addJoint(j), true
}

// moved tells whether an animation of the scene moves a node, other than turning it.
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

// lowerDeformable brings a character in line: bones first, then the levels of its skin. A level that was edited is
// stored anew.
func (e *editor) lowerDeformable() error {
	e.alignSkins()
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
	e.tellColours(shapes)
	for i, level := range shapes {
		if i < len(x.levels) && len(level) == 1 && e.sameSkin(x.levels[i], level[0]) {
			continue
		}
		if i < len(x.levels) && len(level) == 1 && e.patchSkin(x.x.Meshes[i], x.levels[i], level[0]) {
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
		if err := e.fillSkin(m, level, numbers); err != nil {
			return err
		}
		changed = true
	}
	if !changed {
		return nil
	}
	return write.Deformable(e.tree.Root, x.x)
}

// tellColours tells of colours of vertices, which a skin does not have. White ones are none.
func (e *editor) tellColours(levels [][]*asset.Node) {
	var names []string
	for _, n := range slices.Concat(levels...) {
		if slices.ContainsFunc(n.Mesh.Primitives, func(p *asset.Primitive) bool {
			return slices.ContainsFunc(p.Colors, func(c [4]float32) bool { return c != [4]float32{1, 1, 1, 1} })
		}) {
			names = append(names, n.Name)
		}
	}
	switch len(names) {
	case 0:
	case 1:
		e.d.Lossf("vertex-colours", names[0], "the colours of its vertices are left out: a .dfm file has none")
	default:
		e.d.Lossf("vertex-colours", names[0], "the colours of the vertices of %d meshes, of which this is the first, are left out: a .dfm file has none", len(names))
	}
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
	if onlyLines(level.Mesh) {
		return nil
	}
	for bone := e.parentOf[n]; bone != nil; bone = e.parentOf[bone] {
		for _, s := range e.edited.Skins {
			i := slices.Index(s.Joints, bone)
			if i < 0 {
				continue
			}
			by := scene.InverseBind(s, i).Inv().Mul4(scene.World(bone, e.parentOf).Inv()).Mul4(scene.World(n, e.parentOf))
			out := asset.NewNode(level.Name)
			out.Skin, out.Mesh = s, &asset.Mesh{Name: level.Mesh.Name}
			for _, p := range level.Mesh.Primitives {
				q := *baked(p, by)
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
			if n := e.byID[idOf(j)]; n != nil { // joints and bind matrices of a file may disagree a little
				stood[n] = scene.World(j, e.parentOf).Mul4(scene.InverseBind(s, i))
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

// moveBones gives the bones of the file the bind matrices that they have now, and tells whether any has another one.
func (e *editor) moveBones() (moved bool) {
	if e.deformable == nil {
		return false
	}
	for _, s := range e.edited.Skins {
		for i, n := range s.Joints {
			k := slices.IndexFunc(e.deformable.skin.Joints, func(j *asset.Node) bool { return e.byID[idOf(j)] == n })
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
			now, k := e.byID[idOf(n)], slices.Index(x.Bones, e.deformable.bones[i])
			if now != nil && k >= 0 {
				numbers[now] = uint32(k)
			}
		}
	}
	for _, p := range e.parts {
		n := e.nodeOf[p]
		if _, known := numbers[n]; known || p.content == nil || !e.isBone(n) {
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
		w := scene.World(n, e.parentOf)
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

// sameSkin compares a level with an edited one: surface and weights.
func (e *editor) sameSkin(was, now *asset.Node) bool {
	if now.Mesh == nil || !e.compare(was.Mesh, now.Mesh).same || len(was.Mesh.Primitives) != len(now.Mesh.Primitives) || now.Skin == nil {
		return false
	}
	for i, p := range was.Mesh.Primitives {
		q := now.Mesh.Primitives[i]
		m := scene.Match(p, q, scene.EditorTolerance)
		for k, v := range m.Vertices {
			if v < 0 {
				continue
			}
			a, b := weights(p, v, was.Skin), weights(q, k, now.Skin)
			if !e.sameWeights(a, b) {
				return false
			}
		}
	}
	return true
}

// weights returns what moves a vertex.
func weights(p *asset.Primitive, v int, s *asset.Skin) map[*asset.Node]float32 {
	out := map[*asset.Node]float32{}
	for set := range p.Joints {
		for k, j := range p.Joints[set][v] {
			if w := p.Weights[set][v][k]; w > 0 && int(j) < len(s.Joints) {
				out[s.Joints[j]] += w
			}
		}
	}
	return out
}

// skinPoint is all that a point of a skin holds, so that equal ones can be found.
type skinPoint struct {
	at, normal [3]float32
	bones      [4]uint32
	weights    [4]float32
}

// fillSkin stores the meshes of some nodes as one level. A point has at most four influences.
func (e *editor) fillSkin(m *freelancer.SkinMesh, nodes []*asset.Node, numbers map[*asset.Node]uint32) error {
	g := &m.Geometry
	points := map[skinPoint]uint32{}
	sets := 1
	for _, n := range nodes {
		for _, p := range n.Mesh.Primitives {
			sets = max(sets, min(len(p.TexCoords), 2))
		}
	}
	dropped := 0
	for _, n := range nodes {
		if n.Skin == nil {
			n.Skin = nodes[0].Skin
		}
		for _, p := range n.Mesh.Primitives {
			if p.Mode != asset.Triangles {
				e.d.Lossf("lines-and-points", n.Name, "a skin has triangles only")
				continue
			}
			if p.Normals == nil {
				p = smooth(p)
			}
			first := len(g.PointIndices)
			if first+len(p.Positions) > maxBuffer {
				return schema.Errorf(e.format, schema.ErrLimit, n.Name, "the skin has more than 65,535 vertices")
			}
			for v := range p.Positions {
				pt := skinPoint{at: p.Positions[v], normal: p.Normals[v]}
				dropped += pt.influence(weights(p, v, n.Skin), numbers)
				k, known := points[pt]
				if !known {
					k = uint32(len(g.Points))
					points[pt] = k
					addPoint(g, &pt)
				}
				g.PointIndices = append(g.PointIndices, k)
				for s, list := range []*[][2]float32{&g.UV0, &g.UV1}[:sets] {
					var uv [2]float32
					if s < len(p.TexCoords) && p.TexCoords[s] != nil {
						uv = p.TexCoords[s][v]
					}
					*list = append(*list, [2]float32{uv[0], 1 - uv[1]})
					idx := [...]*[]uint32{&g.UV0Indices, &g.UV1Indices}[s]
					*idx = append(*idx, uint32(len(*list)-1))
				}
			}
			group := &freelancer.FaceGroup{Material: defaultMaterial}
			if p.Material != nil {
				group.Material = materialName(p.Material)
			}
			for _, i := range scene.Indices(p) {
				group.Indices = append(group.Indices, uint16(first+int(i)))
			}
			m.Groups = append(m.Groups, group)
		}
	}
	if dropped > 0 {
		e.d.Lossf("influences", e.stem, "%d weights beyond the four largest of a vertex are left out", dropped)
	}
	return nil
}

// smooth returns a primitive with normals: each vertex has the mean of those of the triangles around its place.
func smooth(p *asset.Primitive) *asset.Primitive {
	out := *p
	sums := map[[3]float32]mgl64.Vec3{}
	idx := scene.Indices(p)
	for i := 0; i+3 <= len(idx); i += 3 {
		a, b, c := p.Positions[idx[i]], p.Positions[idx[i+1]], p.Positions[idx[i+2]]
		n := scene.Wide3(b).Sub(scene.Wide3(a)).Cross(scene.Wide3(c).Sub(scene.Wide3(a)))
		for _, at := range [...][3]float32{a, b, c} {
			sums[at] = sums[at].Add(n)
		}
	}
	out.Normals = make([][3]float32, len(p.Positions))
	for i, at := range p.Positions {
		n := sums[at]
		if n.Len() < 1e-20 {
			n = mgl64.Vec3{0, 1, 0}
		}
		out.Normals[i] = scene.Narrow3(n.Normalize())
	}
	return &out
}

// influence takes over the four largest weights, scaled to a sum of 1, and returns how many there are besides.
func (pt *skinPoint) influence(w map[*asset.Node]float32, numbers map[*asset.Node]uint32) int {
	type pair struct {
		bone   uint32
		weight float32
	}
	var list []pair
	for n, x := range w {
		if bone, ok := numbers[n]; ok {
			list = append(list, pair{bone, x})
		}
	}
	slices.SortFunc(list, func(a, b pair) int {
		if a.weight != b.weight {
			return int(math.Copysign(1, float64(b.weight-a.weight)))
		}
		return int(a.bone) - int(b.bone)
	})
	sum := float32(0)
	for i := range min(len(list), 4) {
		sum += list[i].weight
	}
	for i := range min(len(list), 4) {
		pt.bones[i], pt.weights[i] = list[i].bone, list[i].weight/sum
	}
	return max(0, len(list)-4)
}

func addPoint(g *freelancer.SkinGeometry, pt *skinPoint) {
	g.Points, g.Normals = append(g.Points, pt.at), append(g.Normals, pt.normal)
	g.BoneFirst = append(g.BoneFirst, uint32(len(g.BoneIDs)))
	n := uint32(0)
	for i, w := range pt.weights {
		if w > 0 {
			g.BoneIDs, g.BoneWeights = append(g.BoneIDs, pt.bones[i]), append(g.BoneWeights, w)
			n++
		}
	}
	if n == 0 { // nothing moves it but the root
		g.BoneIDs, g.BoneWeights, n = append(g.BoneIDs, 0), append(g.BoneWeights, 1), 1
	}
	g.BoneCount = append(g.BoneCount, n)
}
